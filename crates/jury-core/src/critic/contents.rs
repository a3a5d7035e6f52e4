//! What stands in a document, as far as a count of it can be checked: its words, and how many there are of what it has.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use crate::content::stem::{is_stop_word, stem};

/// What a critic had before it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Contents {
    words: BTreeSet<String>,
    counts: BTreeMap<String, RangeInclusive<u64>>,
}

impl Contents {
    /// The words of this text, and nothing counted yet.
    pub fn of(text: &str) -> Self {
        Self { words: stems(text).collect(), counts: BTreeMap::new() }
    }

    /// There are between so many and so many of these. Who counts them in another way counts within the bounds.
    pub fn count(&mut self, what: &str, least: usize, most: usize) {
        let number = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
        let (least, most) = (number(least), number(most));
        let (least, most) = match self.counts.get(&stem(what)) {
            // Two lists with one name are counted apart or together.
            Some(known) => (least.min(*known.start()), most.saturating_add(*known.end())),
            None => (least, most),
        };
        self.counts.insert(stem(what), least..=most);
    }

    /// Whether the document speaks of this.
    pub(super) fn has(&self, word: &str) -> bool {
        self.words.contains(&stem(word))
    }

    /// How many there are, when that was counted.
    pub(super) fn number_of(&self, word: &str) -> Option<&RangeInclusive<u64>> {
        self.counts.get(&stem(word))
    }
}

/// The words of a text that say something, without their endings.
pub(super) fn stems(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    words.filter(|word| !word.is_empty() && !is_stop_word(word)).map(|word| stem(&word))
}
