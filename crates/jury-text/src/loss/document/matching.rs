//! Which sentence of a document is where in another version of it.
//!
//! The order makes no difference, and each word of the new version serves once: what was split, joined or moved is found, and
//! what is gone is not found in the words of another sentence.

use std::collections::{BTreeSet, HashMap};

use super::passage::Sentence;

/// How many sentences around one another may have been split into.
const NEIGHBOURS: usize = 2;

/// A word that stands in more sentences than this does not lead to one.
const MOST_PLACES: usize = 64;

/// By so many of its rarest words a sentence is looked for.
const LEADS: usize = 8;

/// A sentence with at least so many words may lose half of them; a shorter one keeps more than half.
const LONG: usize = 7;

/// What became of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// The same words are there.
    Same(usize),
    /// Most of its words are there, in this sentence and those beside it.
    Alike(usize),
    /// Something new is in its place.
    Replaced,
    /// Nothing is.
    Gone,
}

impl Fate {
    fn place(self) -> Option<usize> {
        match self {
            Self::Same(place) | Self::Alike(place) => Some(place),
            Self::Replaced | Self::Gone => None,
        }
    }
}

struct Matcher<'s> {
    new: &'s [Sentence],
    /// The words of each new sentence that nothing has taken yet.
    left: Vec<HashMap<&'s str, usize>>,
    /// The sentences that a word stands in.
    places: HashMap<&'s str, Vec<usize>>,
    fates: Vec<Option<Fate>>,
}

fn counts(sentence: &Sentence) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    for stem in &sentence.stems {
        *counts.entry(stem.as_str()).or_default() += 1;
    }
    counts
}

fn shared(wanted: &HashMap<&str, usize>, left: &HashMap<&str, usize>) -> usize {
    wanted.iter().map(|(stem, count)| left.get(stem).map_or(0, |there| (*there).min(*count))).sum()
}

/// Takes what is left of these words.
fn take<'s>(wanted: &mut HashMap<&'s str, usize>, left: &mut HashMap<&'s str, usize>) -> usize {
    let mut taken = 0;
    for (stem, count) in wanted.iter_mut() {
        if let Some(there) = left.get_mut(stem) {
            let share = (*there).min(*count);
            *there -= share;
            *count -= share;
            taken += share;
        }
    }
    taken
}

/// The sentences beside one, and itself.
pub(super) fn around(place: usize, length: usize) -> std::ops::Range<usize> {
    place.saturating_sub(NEIGHBOURS)..(place + NEIGHBOURS + 1).min(length)
}

/// What became of each sentence.
pub(super) fn fates(old: &[Sentence], new: &[Sentence]) -> Vec<Fate> {
    let left: Vec<HashMap<&str, usize>> = new.iter().map(counts).collect();
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, words) in left.iter().enumerate() {
        for stem in words.keys() {
            places.entry(stem).or_default().push(index);
        }
    }
    let mut matcher = Matcher { new, left, places, fates: vec![None; old.len()] };
    matcher.same(old);
    matcher.alike(old);
    matcher.in_place()
}

/// The sentences that are in no way in the old version: those whose words it does not have beside each other.
pub(super) fn fresh<'n>(old: &[Sentence], new: &'n [Sentence]) -> Vec<&'n Sentence> {
    let was = fates(new, old);
    new.iter().zip(was).filter(|(_, fate)| fate.place().is_none()).map(|(sentence, _)| sentence).collect()
}

impl Matcher<'_> {
    /// A heading is found in a heading. A text may have become one.
    fn serves(&self, place: usize, sentence: &Sentence) -> bool {
        !sentence.heading || self.new.get(place).is_some_and(|new| new.heading)
    }

    /// Finds what is there word for word. What stood there twice may stand there once.
    fn same(&mut self, old: &[Sentence]) {
        let mut spelled: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, sentence) in self.new.iter().enumerate().rev() {
            spelled.entry(sentence.spelled()).or_default().push(index);
        }
        let mut last: HashMap<String, usize> = HashMap::new();
        for (index, sentence) in old.iter().enumerate() {
            let words = sentence.spelled();
            let there = spelled.get_mut(&words);
            let next = there.and_then(|there| {
                // A heading leaves the sentences of the same words to those.
                let at = there.iter().rposition(|place| self.serves(*place, sentence))?;
                Some(there.remove(at))
            });
            let place =
                next.or_else(|| last.get(&words).copied().filter(|place| self.serves(*place, sentence)));
            if let Some(place) = place {
                if let Some(left) = self.left.get_mut(place) {
                    left.clear();
                }
                last.insert(words, place);
                self.set(index, Fate::Same(place));
            }
        }
    }

    fn set(&mut self, index: usize, fate: Fate) {
        if let Some(own) = self.fates.get_mut(index) {
            *own = Some(fate);
        }
    }

    fn alike(&mut self, old: &[Sentence]) {
        for (index, sentence) in old.iter().enumerate() {
            if self.fates.get(index).is_some_and(Option::is_none)
                && let Some(place) = self.find(index, sentence)
            {
                self.set(index, Fate::Alike(place));
            }
        }
    }

    /// Finds the place that has most of its words, and takes them.
    fn find(&mut self, index: usize, sentence: &Sentence) -> Option<usize> {
        let wanted: HashMap<&str, usize> = counts(sentence)
            .into_iter()
            .filter_map(|(stem, count)| self.places.get_key_value(stem).map(|(own, _)| (*own, count)))
            .collect();
        let mut leads: Vec<&Vec<usize>> = wanted.keys().filter_map(|stem| self.places.get(stem)).collect();
        leads.sort_unstable_by_key(|places| places.len());
        let near = leads.iter().take(LEADS).filter(|places| places.len() <= MOST_PLACES);
        let candidates: BTreeSet<usize> = near.flat_map(|places| places.iter().copied()).collect();
        let expected =
            self.fates.get(..index).and_then(|fates| fates.iter().rev().find_map(|fate| (*fate)?.place()));
        let all = sentence.stems.len();
        let mut best: Option<(usize, std::cmp::Reverse<usize>, usize)> = None;
        for place in candidates.into_iter().filter(|place| self.serves(*place, sentence)) {
            let own = self.left.get(place).map_or(0, |left| shared(&wanted, left));
            // At least a third is in one sentence: words from all over a section make none.
            if own * 3 < all {
                continue;
            }
            let mut rest = wanted.clone();
            let mut found = 0;
            for near in around(place, self.new.len()).filter(|near| self.serves(*near, sentence)) {
                let mut left = self.left.get(near).cloned().unwrap_or_default();
                found += take(&mut rest, &mut left);
            }
            let is_enough = if all < LONG { found * 2 > all } else { found * 2 >= all };
            let rank =
                (own * 2 + found, std::cmp::Reverse(place.abs_diff(expected.unwrap_or_default())), place);
            if is_enough && best.is_none_or(|best| rank > best) {
                best = Some(rank);
            }
        }
        let (_, _, place) = best?;
        let mut rest = wanted;
        let nearest =
            std::iter::once(place).chain(around(place, self.new.len()).filter(|near| *near != place));
        for near in nearest {
            if self.serves(near, sentence)
                && let Some(left) = self.left.get_mut(near)
            {
                take(&mut rest, left);
            }
        }
        Some(place)
    }

    /// What was not found is replaced where a new sentence that nothing was found in stands between its neighbours.
    fn in_place(self) -> Vec<Fate> {
        let Self { new, fates, .. } = self;
        let found: BTreeSet<usize> = fates.iter().filter_map(|fate| (*fate)?.place()).collect();
        let mut fresh: BTreeSet<usize> = (0..new.len()).filter(|place| !found.contains(place)).collect();
        let mut next: Vec<Option<usize>> = vec![None; fates.len()];
        let mut seen = None;
        for (slot, fate) in next.iter_mut().zip(&fates).rev() {
            *slot = seen;
            seen = fate.and_then(Fate::place).or(seen);
        }
        let mut before: Option<usize> = None;
        let mut settled = Vec::with_capacity(fates.len());
        for (fate, next) in fates.into_iter().zip(next) {
            if let Some(fate) = fate {
                before = fate.place();
                settled.push(fate);
                continue;
            }
            let from = before.map_or(0, |place| place + 1);
            let to = next.unwrap_or(new.len());
            let range = if from <= to { from..to } else { from..(from + 1).min(new.len()).max(from) };
            let place = fresh.range(range).next().copied();
            settled.push(place.map_or(Fate::Gone, |_| Fate::Replaced));
            if let Some(place) = place {
                fresh.remove(&place);
            }
        }
        settled
    }
}
