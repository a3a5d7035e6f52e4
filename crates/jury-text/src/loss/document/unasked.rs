//! What says something else although nobody asked for it: a word that came, went or gave its place to another one, an entry in
//! another order or under another heading, and a new sentence that takes back what the document says.
//!
//! Only what was asked for may change. What a sentence is split into or joined with, another word for the same amount, and a
//! closer bound are no change. Whoever named an entry of a section has spoken of that section: its other entries may say more.

use std::collections::{BTreeMap, BTreeSet};

use super::super::words::Word;
use super::matching::{Fate, around};
use super::passage::{Sentence, stem, stems};

/// With these a statement says less: it may be so, or should be.
const WEAKER: &str = "should may might could can ought need optionally";

/// With these it says no other thing, only more firmly.
const FIRMER: &str = "exactly only always must shall";

/// What a document is called in itself.
const ITSELF: &str = "above below following preceding document plan text specification page section sections requirement requirements \
    rule rules everything none nothing all";

/// What takes the force from what a text is said of.
const FORCELESS: &str = "binding draft optional obsolete deprecated void example examples illustration illustrative informative suggestion \
    suggestions skipped ignored omitted rejected withdrawn outdated invalid apply applies skip ignore";

/// What is done with what need not be there.
const OMITTED: &str =
    "skipped skip ignored ignore omitted omit dropped drop left lost missing waived waive neglected";

/// What permits.
const PERMITS: &str = "may can might could need";

fn has(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}

fn counts<'s>(sentences: impl Iterator<Item = &'s Sentence>) -> BTreeMap<&'s str, usize> {
    let mut counts = BTreeMap::new();
    for stem in sentences.flat_map(|sentence| &sentence.stems) {
        *counts.entry(stem.as_str()).or_default() += 1;
    }
    counts
}

/// Whether a sentence that is still there says something else now. Of a section that was spoken of it may say more.
pub(super) fn says_else(
    old: &[Sentence],
    fates: &[Fate],
    at: usize,
    new: &[Sentence],
    place: usize,
    spoken_of: bool,
) -> bool {
    let (Some(was), Some(is)) = (old.get(at), new.get(place)) else { return false };
    let near = |all: &'_ [Sentence], at: usize| around(at, all.len());
    let there = counts(near(new, place).filter_map(|at| new.get(at)));
    let gone = counts(std::iter::once(was))
        .into_iter()
        .any(|(stem, count)| there.get(stem).is_none_or(|left| *left < count));
    let is_weaker = |words: &[Word]| words.iter().any(|word| has(WEAKER, &word.form));
    let weaker = !is_weaker(&was.words) && is_weaker(&is.words);
    // What is still there word for word has given nothing away.
    let joined = |own: &usize| *own == at || !matches!(fates.get(*own), Some(Fate::Same(_)));
    let beside = counts(near(old, at).filter(joined).filter_map(|at| old.get(at)));
    let firmer: BTreeSet<String> = FIRMER.split_whitespace().map(stem).collect();
    let came = counts(std::iter::once(is))
        .into_iter()
        .any(|(stem, count)| beside.get(stem).is_none_or(|own| *own < count) && !firmer.contains(stem));
    // A word that stood here once and stands here twice narrows it down, unless it came from beside.
    gone || weaker || came && !spoken_of
}

/// Whether an entry is none any more, or stands under another heading that was there.
pub(super) fn stands_elsewhere(was: &Sentence, is: &Sentence, headings: &BTreeSet<&str>) -> bool {
    let unlisted = was.number.is_some() && is.number.is_none() && !is.heading;
    unlisted
        || was.under != is.under
            && headings.contains(is.under.as_str())
            && headings.contains(was.under.as_str())
}

/// The entries of one list that stand in another order than before.
pub(super) fn reordered<'s>(old: &'s [Sentence], fates: &[Fate], new: &[Sentence]) -> Vec<&'s Sentence> {
    let mut found = Vec::new();
    let mut last: Option<(usize, &Sentence)> = None;
    for (sentence, fate) in old.iter().zip(fates) {
        let Fate::Same(place) = fate else { continue };
        if sentence.number.is_none() {
            last = None;
            continue;
        }
        let is_one_list = last.is_some_and(|(_, before)| {
            before.under == sentence.under
                && before.number < sentence.number
                && new.get(*place).is_some_and(|own| own.number.is_some())
        });
        if is_one_list && last.is_some_and(|(before, _)| *place < before) {
            found.push(sentence);
        }
        last = Some((*place, sentence));
    }
    found
}

/// Headings that stand there more often than before.
pub(super) fn doubled<'s>(old: &'s [Sentence], new: &'s [Sentence]) -> Vec<&'s Sentence> {
    let times = |all: &'s [Sentence]| {
        let mut times: BTreeMap<&'s str, usize> = BTreeMap::new();
        for own in all.iter().filter(|own| own.heading) {
            *times.entry(own.text.as_str()).or_default() += 1;
        }
        times
    };
    let (was, is) = (times(old), times(new));
    let mut told = BTreeSet::new();
    let more = |own: &&Sentence| {
        let before = was.get(own.text.as_str()).copied().unwrap_or_default();
        own.heading && before > 0 && is.get(own.text.as_str()).is_some_and(|now| *now > before)
    };
    new.iter().filter(more).filter(|own| told.insert(own.text.as_str())).collect()
}

/// Whether a new sentence takes the force from others: `Nothing in this plan is binding`, `Rows may be left out`.
pub(super) fn takes_force(sentence: &Sentence) -> bool {
    let any = |list: &str| sentence.words.iter().any(|word| has(list, &word.form));
    let of_itself = any(ITSELF)
        && any(FORCELESS)
        && (any("not no nothing none may can is are") || sentence.words.len() < 6);
    let permits = sentence.words.iter().position(|word| has(PERMITS, &word.form));
    let omits = permits
        .is_some_and(|at| sentence.words.iter().skip(at + 1).take(4).any(|word| has(OMITTED, &word.form)));
    let denied = permits.is_some_and(|at| sentence.words.get(at + 1).is_some_and(|word| word.form == "not"));
    of_itself || omits && !denied
}

/// Whether an asked entry of a list is of this section: the ask says `step 3`, and the section is `Steps`.
pub(super) fn is_section(heading: &str, label: &str) -> bool {
    stems(&super::passage::words_of(heading)).contains(&stem(label))
}
