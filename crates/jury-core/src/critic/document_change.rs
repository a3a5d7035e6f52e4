//! Places: which parts of a document a fix has changed, so that two fixes that undo each other are seen.
//!
//! A place is a section, named by its headings. What is compared is the digest of its text.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::artifact::Digest;
use crate::fence::{CodeLine, Fences};

/// A part of the document that changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CriticChange)]
pub struct DocumentChange {
    /// The headings that lead to it; empty for what stands before the first one.
    pub place: String,
    /// What it was; none when it is new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub before: Option<Digest>,
    /// What it is; none when it is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub after: Option<Digest>,
}

/// The most changes that are kept of one fix.
const MOST_CHANGES: usize = 200;

/// The longest part of a heading that names a place. What goes beyond it belongs to the text of the place.
const LONGEST_HEADING_CHARS: usize = 120;

/// What differs between two versions of a document, section by section, in the order of their names.
pub fn changes(before: &str, after: &str) -> Vec<DocumentChange> {
    let (old, new) = (sections(before), sections(after));
    let mut names: Vec<&String> = old.keys().chain(new.keys()).collect();
    names.sort_unstable();
    names.dedup();
    names
        .into_iter()
        .map(|place| (place, old.get(place).copied(), new.get(place).copied()))
        .filter(|(_, before, after)| before != after)
        .take(MOST_CHANGES)
        .map(|(place, before, after)| DocumentChange { place: place.clone(), before, after })
        .collect()
}

/// The sections by the path of their headings. Two of one name are one.
fn sections(text: &str) -> BTreeMap<String, Digest> {
    let mut path: Vec<(usize, &str)> = Vec::new();
    let mut bodies: BTreeMap<String, String> = BTreeMap::new();
    let mut close = |name: String, body: &mut String| {
        if !body.is_empty() {
            bodies.entry(name).or_default().push_str(body);
            body.clear();
        }
    };
    let mut fences = Fences::default();
    let mut name = String::new();
    // The text since the last heading: the section is looked up when it ends, and not for each of its lines.
    let mut body = String::new();
    for line in text.lines() {
        let is_text = fences.line(line) == CodeLine::Outside;
        let level = line.bytes().take_while(|byte| *byte == b'#').count();
        let title = line.get(level..).unwrap_or_default();
        if is_text && (1..=6).contains(&level) && title.starts_with(' ') {
            path.retain(|(above, _)| *above < level);
            let title = title.trim();
            let (title, rest) = title.split_at(title.floor_char_boundary(LONGEST_HEADING_CHARS));
            path.push((level, title));
            let next = path.iter().map(|(_, title)| *title).collect::<Vec<_>>().join(" / ");
            close(std::mem::replace(&mut name, next), &mut body);
            body.push_str(rest);
            // An empty section is one too.
            body.push('\n');
            continue;
        }
        body.push_str(line.trim_end());
        body.push('\n');
    }
    close(name, &mut body);
    bodies.into_iter().map(|(name, body)| (name, Digest::of(body.trim().as_bytes()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_is_named_by_its_headings() {
        let before = "intro\n# A\none\n## B\ntwo\n~~~\n```\n# no heading\n~~~\n";
        let after = "intro\n# A\none\n## B\nthree\n~~~\n```\n# no heading\n~~~\n# C\nnew\n";
        let places: Vec<(String, bool, bool)> = changes(before, after)
            .into_iter()
            .map(|change| (change.place, change.before.is_some(), change.after.is_some()))
            .collect();
        assert_eq!(places, [("A / B".to_owned(), true, true), ("C".to_owned(), false, true)]);
        assert_eq!(changes(before, before), []);
        assert_eq!(
            changes(before, &before.replace('\n', " \r\n")),
            [],
            "white space at the end is no change"
        );
    }
}
