//! Which passage of a page is where in a draft.
//!
//! A passage is a sentence, or a shorter text that stands by itself. It is kept where at least half of its words stand
//! together in a block that can be seen as well as it could, or in such a block and those around it. Each word of the
//! draft serves once. What is not kept is reworded if there are unused words in its place, and gone otherwise.

use std::collections::{BTreeMap, HashMap};

use super::words::{Word, WordKind, plain, sentences, words};
use super::{BlockKind, Sight, TextBlock};

/// How many blocks around one a passage may have been split into.
pub(super) const NEIGHBOURS: usize = 3;

/// A word that stands in more blocks than this does not lead to one.
const MOST_PLACES: usize = 200;

/// A passage of the page.
#[derive(Debug)]
pub(super) struct Unit {
    pub(super) kind: BlockKind,
    pub(super) sight: Sight,
    pub(super) text: String,
    pub(super) words: Vec<Word>,
    /// The block that it is in.
    pub(super) block: usize,
    keys: Vec<usize>,
}

impl Unit {
    pub(super) fn about(&self, given: &[TextBlock]) -> String {
        given.get(self.block).map(|block| block.about.clone()).unwrap_or_default()
    }

    /// Half of its words, at least one.
    fn half(&self) -> usize {
        self.keys.len().div_ceil(2).max(1)
    }

    /// Whether it has words and not only figures.
    pub(super) fn has_letters(&self) -> bool {
        self.words.iter().any(|word| word.kind == WordKind::Plain)
    }
}

/// What became of a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is in this block, with so many of its words.
    Kept { block: usize, words: usize },
    /// Other words are in its place; so many of its own are there.
    Reworded { words: usize },
    /// Nothing is.
    Vanished { words: usize },
}

impl Fate {
    /// How many words of the passage are still there.
    pub(super) fn kept(self, unit: &Unit) -> usize {
        match self {
            Self::Kept { words, .. } | Self::Reworded { words } => words.min(unit.words.len()),
            Self::Vanished { .. } => 0,
        }
    }

    pub(super) fn block(self) -> Option<usize> {
        if let Self::Kept { block, .. } = self { Some(block) } else { None }
    }
}

pub(super) struct Alignment {
    pub(super) units: Vec<Unit>,
    pub(super) fates: Vec<Fate>,
    /// The words of each block of the draft.
    pub(super) blocks: Vec<Vec<Word>>,
}

/// A block of the draft, with the words that no passage has taken yet.
struct Target {
    sight: Sight,
    /// Whether it is a heading or something to use, or has one in it.
    heading: bool,
    size: usize,
    left: BTreeMap<usize, usize>,
    /// How many are left in all.
    unused: usize,
}

impl Target {
    fn shared(&self, wanted: &BTreeMap<usize, usize>) -> usize {
        wanted.iter().map(|(key, count)| self.left.get(key).map_or(0, |left| (*left).min(*count))).sum()
    }

    /// Takes what it has of these words.
    fn take(&mut self, wanted: &mut BTreeMap<usize, usize>) -> usize {
        let mut taken = 0;
        for (key, count) in wanted.iter_mut() {
            if let Some(left) = self.left.get_mut(key) {
                let share = (*left).min(*count);
                *left -= share;
                *count -= share;
                taken += share;
            }
        }
        wanted.retain(|_, count| *count > 0);
        // Words that stand in the place of a passage count as used, whichever they are.
        self.unused = self.unused.saturating_sub(taken);
        taken
    }
}

pub(super) fn align(given: &[TextBlock], draft: &[TextBlock], language: Option<&str>) -> Alignment {
    let mut keys: HashMap<String, usize> = HashMap::new();
    let mut key = |word: &Word| {
        let next = keys.len();
        *keys.entry(word.form.clone()).or_insert(next)
    };
    let units = units(given, language, &mut key);
    let blocks: Vec<Vec<Word>> = draft.iter().map(|block| words(&joined(block), language)).collect();
    let mut targets: Vec<Target> = Vec::new();
    let mut places: HashMap<usize, Vec<usize>> = HashMap::new();
    for (index, (block, words)) in draft.iter().zip(&blocks).enumerate() {
        let mut left = BTreeMap::new();
        for word in words {
            *left.entry(key(word)).or_default() += 1;
        }
        for word in left.keys() {
            places.entry(*word).or_default().push(index);
        }
        let size = words.len();
        let heading = block.texts.iter().any(|(kind, _)| *kind != BlockKind::Running);
        targets.push(Target { sight: block.sight, heading, size, left, unused: size });
    }
    let mut aligner = Aligner { targets, places, fates: vec![None; units.len()] };
    // What is seen comes first: what was hidden takes no words away from it.
    for sight in [Sight::Shown, Sight::Folded, Sight::Hidden] {
        let of_sight = |unit: &Unit| unit.sight == sight;
        aligner.whole(&units, of_sight);
        aligner.in_part(&units, of_sight);
        aligner.in_place(&units, of_sight);
    }
    let fates = aligner.fates.into_iter().map(|fate| fate.unwrap_or(Fate::Vanished { words: 0 })).collect();
    Alignment { units, fates, blocks }
}

/// The texts of a block, one behind the other. A figure and what it is counted in may be two of them.
pub(super) fn joined(block: &TextBlock) -> String {
    let texts: Vec<String> = block.texts.iter().map(|(_, text)| plain(text).replace('\n', " ")).collect();
    texts.join("\n")
}

fn units(given: &[TextBlock], language: Option<&str>, key: &mut impl FnMut(&Word) -> usize) -> Vec<Unit> {
    let mut units = Vec::new();
    for (index, block) in given.iter().enumerate() {
        let whole = joined(block);
        let mut left = words(&whole, language).into_iter().filter(|word| !word.idle).peekable();
        let mut end = 0;
        for ((kind, _), text) in block.texts.iter().zip(whole.split('\n')) {
            for sentence in sentences(text) {
                end = whole.len().min(
                    end + (whole.get(end..).unwrap_or_default().find(sentence).unwrap_or_default())
                        + sentence.len(),
                );
                let mut words: Vec<Word> = Vec::new();
                while let Some(word) = left.next_if(|word| word.at < end) {
                    words.push(word);
                }
                if words.is_empty() {
                    continue;
                }
                let keys = words.iter().map(&mut *key).collect();
                let (kind, sight, text) = (*kind, block.sight, sentence.trim().to_owned());
                units.push(Unit { kind, sight, text, words, block: index, keys });
            }
        }
    }
    units
}

fn counts(unit: &Unit) -> BTreeMap<usize, usize> {
    let mut counts = BTreeMap::new();
    for key in &unit.keys {
        *counts.entry(*key).or_default() += 1;
    }
    counts
}

struct Aligner {
    targets: Vec<Target>,
    /// The blocks that a word stands in.
    places: HashMap<usize, Vec<usize>>,
    fates: Vec<Option<Fate>>,
}

impl Aligner {
    /// Finds passages that are in one block with all of their words.
    fn whole(&mut self, units: &[Unit], wanted: impl Fn(&Unit) -> bool) {
        let mut last = 0;
        for (index, unit) in units.iter().enumerate().filter(|(_, unit)| wanted(unit)) {
            let mut counts = counts(unit);
            let rarest =
                counts.keys().filter_map(|key| self.places.get(key)).min_by_key(|places| places.len());
            let Some(candidates) = rarest.filter(|_| counts.keys().all(|key| self.places.contains_key(key)))
            else {
                continue;
            };
            let near = |block: &usize| (block.abs_diff(last), *block);
            let best = candidates
                .iter()
                .copied()
                .filter(|block| self.serves(*block, unit))
                .filter(|block| self.targets.get(*block).is_some_and(|target| target.shared(&counts) == unit.keys.len()))
                // One that is all of a block is found there before it is found in a longer one, and a heading is left to
                // the heading.
                .min_by_key(|block| {
                    let target = self.targets.get(*block);
                    let longer = target.is_none_or(|target| target.size != unit.keys.len());
                    let other = target.is_none_or(|target| target.heading == (unit.kind == BlockKind::Running));
                    (other, longer, near(block))
                });
            if let Some(block) = best
                && let Some(target) = self.targets.get_mut(block)
            {
                let words = target.take(&mut counts);
                self.set(index, Fate::Kept { block, words });
                last = block;
            }
        }
    }

    /// Finds passages of which at least half is in a block, or in one and those around it.
    fn in_part(&mut self, units: &[Unit], wanted: impl Fn(&Unit) -> bool) {
        for (index, unit) in units.iter().enumerate().filter(|(_, unit)| wanted(unit)) {
            if self.fate(index).is_some() {
                continue;
            }
            let counts = counts(unit);
            let mut candidates: Vec<usize> = counts
                .keys()
                .filter_map(|key| self.places.get(key))
                .filter(|places| places.len() <= MOST_PLACES)
                .flatten()
                .copied()
                .collect();
            candidates.sort_unstable();
            candidates.dedup();
            let expected = self.before(index).unwrap_or_default();
            let around = |block: usize| block.saturating_sub(NEIGHBOURS)..=block + NEIGHBOURS;
            let mut best: Option<(usize, usize, usize)> = None;
            for block in candidates.into_iter().filter(|block| self.serves(*block, unit)) {
                let own = self.targets.get(block).map_or(0, |target| target.shared(&counts));
                // At least a third is in one block, so that words from all over the page make no passage.
                if own * 3 < unit.keys.len() {
                    continue;
                }
                let mut left = counts.clone();
                let mut shared = 0;
                for near in around(block) {
                    if let Some(target) = self.targets.get(near).filter(|target| target.sight >= unit.sight) {
                        shared += take_copy(target, &mut left);
                    }
                }
                let rank = (own * 2 + shared, usize::MAX - block.abs_diff(expected), block);
                if shared >= unit.half() && best.is_none_or(|best| (rank.0, rank.1) > (best.0, best.1)) {
                    best = Some(rank);
                }
            }
            if let Some((_, _, block)) = best {
                let mut left = counts;
                let mut words = self.targets.get_mut(block).map_or(0, |target| target.take(&mut left));
                for near in around(block) {
                    if let Some(target) =
                        self.targets.get_mut(near).filter(|target| target.sight >= unit.sight)
                    {
                        words += target.take(&mut left);
                    }
                }
                self.set(index, Fate::Kept { block, words });
            }
        }
    }

    /// What is left has other words in its place, or nothing.
    fn in_place(&mut self, units: &[Unit], wanted: impl Fn(&Unit) -> bool) {
        for (index, unit) in units.iter().enumerate().filter(|(_, unit)| wanted(unit)) {
            if self.fate(index).is_some() {
                continue;
            }
            let before = self.before(index);
            let after = self.fates.iter().skip(index + 1).flatten().find_map(|fate| fate.block());
            let last = self.targets.len().saturating_sub(1);
            let (from, to) = match (before, after) {
                (Some(before), Some(after)) if before <= after => (before, after),
                (Some(before), _) => (before, (before + NEIGHBOURS).min(last)),
                (None, Some(after)) => (after.saturating_sub(NEIGHBOURS), after),
                (None, None) => (0, last),
            };
            let mut counts = counts(unit);
            let mut needed = unit.half();
            // Text in the place of a heading is no heading.
            let may_serve = |target: &&Target| unit.kind != BlockKind::Heading || target.heading;
            let unused: usize =
                self.range(from, to, unit.sight).filter(may_serve).map(|target| target.unused).sum();
            if unused < needed {
                self.set(index, Fate::Vanished { words: 0 });
                continue;
            }
            let mut own = 0;
            for block in from..=to {
                let Some(target) = self.targets.get_mut(block).filter(|target| target.sight >= unit.sight)
                else {
                    continue;
                };
                own += target.take(&mut counts);
                let share = needed.min(target.unused);
                target.unused -= share;
                needed -= share;
            }
            self.set(index, Fate::Reworded { words: own });
        }
    }

    fn range(&self, from: usize, to: usize, sight: Sight) -> impl Iterator<Item = &Target> {
        self.targets.get(from..=to).unwrap_or_default().iter().filter(move |target| target.sight >= sight)
    }

    /// Whether a passage may be in a block: it is seen as well, and a heading is not lost in a text.
    fn serves(&self, block: usize, unit: &Unit) -> bool {
        self.targets.get(block).is_some_and(|target| {
            target.sight >= unit.sight && (unit.kind != BlockKind::Heading || target.heading)
        })
    }

    fn set(&mut self, index: usize, fate: Fate) {
        if let Some(place) = self.fates.get_mut(index) {
            *place = Some(fate);
        }
    }

    fn fate(&self, index: usize) -> Option<Fate> {
        self.fates.get(index).copied().flatten()
    }

    /// The block of the nearest passage before this one that is kept.
    fn before(&self, index: usize) -> Option<usize> {
        self.fates.iter().take(index).rev().flatten().find_map(|fate| fate.block())
    }
}

/// How many of these words a block has, and takes them off the list but not from the block.
fn take_copy(target: &Target, wanted: &mut BTreeMap<usize, usize>) -> usize {
    let mut taken = 0;
    for (key, count) in wanted.iter_mut() {
        let share = target.left.get(key).map_or(0, |left| (*left).min(*count));
        *count -= share;
        taken += share;
    }
    wanted.retain(|_, count| *count > 0);
    taken
}
