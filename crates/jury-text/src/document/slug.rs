//! How GitHub names the headings of a document, duplicates included.

use std::collections::{BTreeMap, BTreeSet};

/// The anchors given so far.
#[derive(Debug, Default)]
pub(super) struct Slugs {
    taken: BTreeSet<String>,
    next: BTreeMap<String, usize>,
}

impl Slugs {
    /// The anchor of the next heading: a second `Usage` is `usage-1`, unless a heading of that name was there.
    pub(super) fn give(&mut self, heading: &str) -> String {
        let base = slug(heading);
        let mut given = base.clone();
        let count = self.next.entry(base.clone()).or_default();
        while self.taken.contains(&given) {
            *count += 1;
            given = format!("{base}-{count}");
        }
        self.taken.insert(given.clone());
        given
    }
}

/// Small letters; spaces become dashes; what is neither a letter, a digit, a dash nor an underscore goes.
pub(super) fn slug(heading: &str) -> String {
    heading
        .trim()
        .chars()
        .flat_map(char::to_lowercase)
        .filter_map(|character| match character {
            ' ' => Some('-'),
            '-' | '_' => Some(character),
            _ if character.is_alphanumeric() || is_mark(character) => Some(character),
            _ => None,
        })
        .collect()
}

/// Combining marks belong to the letter before them.
fn is_mark(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}' | '\u{483}'..='\u{487}' | '\u{591}'..='\u{5bd}' | '\u{64b}'..='\u{65f}' | '\u{93a}'..='\u{94f}' | '\u{20d0}'..='\u{20f0}' | '\u{fe00}'..='\u{fe0f}')
}
