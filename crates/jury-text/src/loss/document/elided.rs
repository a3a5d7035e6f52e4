//! Marks that stand for text which was left out.

use std::collections::BTreeSet;

use jury_core::fence::{CodeLine, Fences};

/// What is left out.
const REST: &[&str] = &[
    "rest",
    "remaining",
    "remainder",
    "everything else",
    "all other",
    "other sections",
    "other chapters",
    "previous content",
    "existing content",
    "original",
    "the above",
    "as above",
    "same as",
    "as before",
    "übrige",
    "restliche",
    "continues",
    "etc",
    "sections",
    "chapters",
    "content",
    "document",
    "text",
    "omitted",
    "unchanged",
    "snip",
    "truncated",
    "abbreviated",
];

/// What is said of it.
const STATES: &[&str] = &[
    "unchanged",
    "not changed",
    "no change",
    "as before",
    "as above",
    "as is",
    "same",
    "omitted",
    "stays",
    "remains",
    "identical",
    "kept",
    "truncated",
    "abbreviated",
    "brevity",
    "continues",
    "left out",
    "snip",
    "goes here",
    "as in the original",
    "unverändert",
    "wie bisher",
    "wie oben",
    "gekürzt",
];

/// The longest line that is such a mark, in words.
const MOST_WORDS: usize = 14;

/// The lines of the new text that stand for text which was left out, and were not in the old one.
pub(super) fn elisions(old: &str, new: &str) -> Vec<String> {
    let known: BTreeSet<&str> = old.lines().map(str::trim).collect();
    let mut found: Vec<String> = Vec::new();
    let mut fences = Fences::default();
    for line in new.lines().map(str::trim) {
        let fenced = fences.line(line) != CodeLine::Outside;
        if !known.contains(line) && is_elision(line, fenced) {
            found.push(line.to_owned());
        }
    }
    found
}

/// Whether a line of a document says that something was left out there. Dots alone may be a pause.
pub(crate) fn stands_for_the_rest(line: &str) -> bool {
    line.chars().any(char::is_alphanumeric) && is_elision(line, false)
}

fn is_elision(line: &str, fenced: bool) -> bool {
    let bare = line
        .trim_start_matches(['-', '*', '+', '#', '>', ' ', '_', '/', '`'])
        .trim_end_matches(['*', '_', ' ', '`', '/']);
    let is_dots = |text: &str| {
        let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        text == "…" || text.len() >= 3 && text.chars().all(|c| matches!(c, '.' | '…'))
    };
    let comment = bare.strip_prefix("<!--").and_then(|rest| rest.trim_end().strip_suffix("-->"));
    let inner = comment.unwrap_or(bare).trim().trim_matches(['[', ']', '(', ')', '{', '}', '<', '>']).trim();
    // Dots in a block of code are often a part of it.
    if is_dots(inner) {
        return !fenced;
    }
    let is_bracketed = comment.is_some()
        || bare.starts_with(['[', '(', '{', '<']) && bare.ends_with([']', ')', '}', '>', '.']);
    let is_dotted =
        inner.starts_with("...") || inner.starts_with('…') || inner.ends_with("...") || inner.ends_with('…');
    let lower = inner.to_lowercase();
    let has = |list: &[&str]| list.iter().any(|word| lower.contains(word));
    let is_short = lower.split_whitespace().count() <= MOST_WORDS;
    let begins = [
        "rest ",
        "the rest ",
        "remaining ",
        "the remaining ",
        "the remainder",
        "remainder",
        "everything else",
        "all other ",
        "other sections",
    ]
    .iter()
    .any(|start| lower.starts_with(start));
    // What a line of prose says of the rest of something else is no mark: it goes on about that.
    let is_own_line = begins
        && lower.split_whitespace().count() <= MOST_WORDS / 2
        && ["document", "text", "file", "plan", "page", "section", "chapter", "content"]
            .iter()
            .any(|word| lower.contains(word))
        || begins && lower.split_whitespace().count() <= 4;
    is_short && has(STATES) && (((is_bracketed || is_dotted) && has(REST)) || is_own_line)
}
