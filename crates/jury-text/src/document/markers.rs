//! What an author meant to come back to: markers, filler and placeholders. A document that speaks about such
//! markers quotes them or uses them as a noun, and is left alone.

use std::ops::Range;

use super::passage::{Kind, Passage};
use super::read::Document;
use super::{Found, ahead, blanks, cut};
use crate::loss::is_elision;

const SUGGESTION: &str = "write what belongs here, or say who decides it and when";

/// Phrases, in small letters.
const PHRASES: &[&str] = &[
    "lorem ipsum",
    "to be defined",
    "to be determined",
    "to be decided",
    "to be confirmed",
    "to be written",
    "to be documented",
    "to be announced",
    "to be completed",
    "to be specified",
    "coming soon",
];

/// Nouns behind a marker that make it a thing one speaks about.
const THINGS: &[&str] = &[
    "app",
    "application",
    "board",
    "column",
    "comment",
    "comments",
    "count",
    "counts",
    "entries",
    "file",
    "item",
    "items",
    "label",
    "labels",
    "line",
    "lines",
    "list",
    "lists",
    "marker",
    "markers",
    "mvc",
    "note",
    "notes",
    "s",
    "state",
    "tag",
    "tags",
    "task",
    "tasks",
    "test",
    "tests",
    "tracker",
    "txt",
    "md",
];

pub(super) fn unfinished(document: &Document<'_>) -> Found {
    let mut found = Found { examined: document.passages.len(), ..Found::default() };
    for (index, passage) in document.passages.iter().enumerate() {
        let filled = document.passages.get(index + 1).is_some_and(|next| next.section == passage.section)
            || document.heading(passage.section + 1).is_some_and(|next| next.parent == passage.section);
        for range in places(passage, filled).into_iter().chain(to_do(passage)) {
            let quote = cut(&passage.text, range.clone());
            found.add(
                passage.source(range.start),
                &around(&passage.text, &range),
                format!("'{quote}' is not finished"),
                SUGGESTION,
            );
        }
    }
    for passage in &document.passages {
        for range in blanks::places(passage) {
            let quote = cut(&passage.text, range.clone());
            let text = format!("'{quote}' was not filled in");
            found.add(passage.source(range.start), &around(&passage.text, &range), text, SUGGESTION);
        }
        if is_elision(&passage.text) {
            let text = "it stands for a text that was left out".to_owned();
            found.add(passage.start, &passage.text, text, "write the text that belongs here");
        }
    }
    for (offset, line) in comment_lines(document.text) {
        if ["TODO", "FIXME", "TBD"].iter().any(|word| line.contains(word)) {
            found.add(
                offset,
                line,
                "a marker in a comment: readers of the source see an unfinished document".to_owned(),
                SUGGESTION,
            );
        }
    }
    for html in &document.html {
        for (range, what) in in_html(&html.text) {
            let quote = cut(&html.text, range.clone());
            found.add(html.offset + range.start, quote, what.to_owned(), SUGGESTION);
        }
    }
    for block in &document.blocks {
        let code = block.code.trim();
        let bare = code
            .trim_start_matches(['#', '/', ' ', '-', '<', '!', '(', '['])
            .trim_end_matches([')', ']', '>', '-', '.', ' ']);
        let placeholder = ["TODO", "TBD", "FIXME", "XXX", "???", "placeholder"].contains(&bare)
            || bare.starts_with("insert ") && code.starts_with('<') && code.lines().count() == 1
            || (code.starts_with("TODO:") && code.lines().count() == 1);
        found.examined += 1;
        if placeholder && !code.is_empty() {
            found.add(block.offset, code, "the whole block is a placeholder".to_owned(), SUGGESTION);
        }
    }
    // A document of nothing but a comment has no passage, and its marker was looked at all the same.
    found.examined = found.examined.max(found.places.len());
    found
}

/// `To do: write it`, at the beginning of a passage.
fn to_do(passage: &Passage) -> Option<Range<usize>> {
    let lower = passage.text.to_ascii_lowercase();
    let mark = ["to do:", "to-do:"].into_iter().find(|mark| lower.starts_with(mark))?;
    (lower.len() > mark.len() && passage.kind != Kind::Heading && !passage.is_mentioned(&(0..mark.len())))
        .then_some(0..mark.len())
}

/// Lines that Markdown shows nowhere: `[//]: # (…)`.
fn comment_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut from = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let at = from;
        from += line.len();
        line.starts_with("[//]: #").then_some((at, line.trim_end()))
    })
}

/// The places of a passage where something is missing.
fn places(passage: &Passage, filled: bool) -> Vec<Range<usize>> {
    let text = &passage.text;
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for word in ["TODO", "FIXME", "XXX", "TBD", "TBC", "TBA"] {
        for (at, _) in text.match_indices(word) {
            let range = at..at + word.len();
            if stands_alone(text, &range) && is_marker(passage, &range, word, filled) {
                ranges.push(range);
            }
        }
    }
    for (at, _) in text.match_indices("???") {
        let range = at..at + 3;
        let before = cut(text, 0..at).chars().next_back();
        let after = cut(text, at + 3..text.len()).chars().next();
        let alone = before.is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '[' | ':'))
            && after.is_none_or(|c| c.is_whitespace() || matches!(c, ')' | ']' | '.' | ','));
        if alone && !passage.is_mentioned(&range) {
            ranges.push(range);
        }
    }
    let lower = text.to_ascii_lowercase();
    for phrase in PHRASES {
        for (at, _) in lower.match_indices(phrase) {
            let range = at..at + phrase.len();
            if stands_alone(text, &range) && is_phrase(passage, &lower, &range) {
                ranges.push(range);
            }
        }
    }
    for (at, _) in lower.match_indices('[') {
        let inside = ahead(&lower, at + 1, 130).split(']').next().unwrap_or_default();
        let placeholder =
            matches!(inside, "placeholder" | "needs clarification" | "insert here" | "your text here")
                || ["insert ", "placeholder:", "needs clarification:", "fill in "]
                    .iter()
                    .any(|start| inside.starts_with(start));
        let range = at..(at + inside.len() + 2).min(text.len());
        if placeholder && inside.len() < 120 && !passage.is_mentioned(&range) {
            ranges.push(range);
        }
    }
    ranges.sort_by_key(|range| range.start);
    ranges.dedup_by(|later, earlier| later.start < earlier.end);
    ranges
}

fn stands_alone(text: &str, range: &Range<usize>) -> bool {
    let joins = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '#' | '$' | '@' | '=');
    let before = cut(text, 0..range.start).chars().next_back();
    let mut after = cut(text, range.end..text.len()).chars();
    let next = after.next();
    // `TODO.md` is a file.
    let file = next == Some('.') && after.next().is_some_and(char::is_alphanumeric);
    before.is_none_or(|before| !joins(before) && before != '.')
        && next.is_none_or(|next| !joins(next))
        && !file
}

fn is_marker(passage: &Passage, range: &Range<usize>, word: &str, filled: bool) -> bool {
    if passage.is_mentioned(range) {
        return false;
    }
    let before = cut(&passage.text, 0..range.start).trim_end();
    let after = cut(&passage.text, range.end..passage.text.len());
    let next =
        after.trim_start().split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
    let last = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
    let glued = after.starts_with([':', '(']) || after.starts_with(" (");
    // Behind the number of a task it is the task.
    let numbered =
        before.len() <= 12 && !before.contains(' ') && before.ends_with(|c: char| c.is_ascii_digit());
    let opens = before.is_empty()
        || numbered
        || before.ends_with(['[', '(', ':', '—', '–', '|', '.', '!', '?', '=', '\n'])
        || before.ends_with(" -");
    if word == "XXX" {
        return opens && (after.starts_with(':') || after.trim().is_empty() || after.starts_with(']'));
    }
    if passage.kind == Kind::Heading && matches!(word, "TODO" | "FIXME") {
        // A list of what is left to do is a section like any other, if there is one.
        return if before.is_empty() { after.starts_with(':') || !filled } else { opens };
    }
    if THINGS.contains(&next.as_str()) && !glued {
        return false;
    }
    if word == "TBD" || word == "TBC" || word == "TBA" {
        // As a noun it has an article or a number in front of it.
        return !matches!(
            last.as_str(),
            "a" | "an" | "the" | "no" | "any" | "every" | "each" | "says" | "of" | "word" | "term" | "marker"
        );
    }
    // In the middle of a sentence it is a noun.
    opens || (after.starts_with(':') && !matches!(last.as_str(), "a" | "the" | "each" | "every" | "no"))
}

/// A phrase is a marker when it ends what is said: "format to be defined." and not "needs a schema to be defined in".
fn is_phrase(passage: &Passage, lower: &str, range: &Range<usize>) -> bool {
    if passage.is_mentioned(range) {
        return false;
    }
    let phrase = cut(lower, range.clone());
    if phrase == "lorem ipsum" {
        let after = cut(lower, range.end..lower.len()).trim_start();
        return !["text", "generator", "crate", "filler"].iter().any(|word| after.starts_with(word));
    }
    let before = cut(lower, 0..range.start).trim_end();
    let last = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let after = cut(lower, range.end..lower.len());
    let ends = after.trim_start().is_empty()
        || after.starts_with([',', '.', ';', ')', ':', '\n', ']'])
        || [" by ", " after ", " later", " in phase", " in the next", " before ", " with the "]
            .iter()
            .any(|next| after.starts_with(next));
    // "has to be defined", "need to be determined" are orders and not gaps.
    let order = matches!(
        last,
        "has"
            | "have"
            | "had"
            | "need"
            | "needs"
            | "needed"
            | "require"
            | "requires"
            | "required"
            | "not"
            | "must"
            | "allow"
            | "allows"
            | "expected"
            | "expects"
            | "want"
            | "wants"
            | "able"
            | "used"
            | "supposed"
            | "due"
            | "ought"
            | "him"
            | "it"
            | "them"
            | "going"
            | "likely"
            | "order"
    );
    let open = before.is_empty()
        || before.ends_with(['(', ':', '—', '–', '-', '[', '|'])
        || matches!(last, "is" | "are" | "still" | "remain" | "remains" | "currently" | "yet");
    if phrase != "coming soon" {
        // "allows keys to be specified" is a sentence like any other; "Format: to be specified" is a gap.
        let short = passage.kind != Kind::Paragraph && lower.split_whitespace().take(7).count() <= 6 && ends;
        let data = last == "still" && phrase == "to be written";
        return !order && !data && (open || short);
    }
    open || ends || before.ends_with('.')
}
/// Markers in comments, and tags that nobody ever defined.
fn in_html(html: &str) -> Vec<(Range<usize>, &'static str)> {
    let mut ranges = Vec::new();
    if html.trim_start().starts_with("<!--") {
        for word in ["TODO", "FIXME", "TBD", "XXX"] {
            for (at, _) in html.match_indices(word) {
                let range = at..at + word.len();
                let after = cut(html, range.end..html.len());
                if stands_alone(html, &range)
                    && (after.starts_with(':')
                        || after.starts_with('(')
                        || cut(html, 0..at).trim_end().ends_with("<!--"))
                {
                    ranges.push((
                        range,
                        "a marker in a comment: readers of the source see an unfinished document",
                    ));
                }
            }
        }
    }
    for (at, _) in html.match_indices('<') {
        let inside = ahead(html, at + 1, 90).split('>').next().unwrap_or_default();
        let lower = inside.to_ascii_lowercase();
        if lower == "placeholder"
            || (lower.starts_with("insert ") && inside.len() < 80)
            || lower.starts_with("fill in")
        {
            ranges.push((at..(at + inside.len() + 2).min(html.len()), "a placeholder"));
        }
    }
    ranges
}

/// The words around a marker, which tell one from another.
fn around(text: &str, range: &Range<usize>) -> String {
    let mut from = range.start.saturating_sub(32);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let mut to = (range.end + 48).min(text.len());
    while !text.is_char_boundary(to) {
        to -= 1;
    }
    let cut_off = from > 0;
    let piece = cut(text, from..to);
    // Whole words only.
    let piece = if cut_off && from < range.start {
        piece
            .split_once(' ')
            .filter(|(head, _)| from + head.len() < range.start)
            .map_or(piece, |(_, rest)| rest)
    } else {
        piece
    };
    let piece = if to < text.len() {
        piece.rsplit_once(' ').filter(|(head, _)| !head.is_empty()).map_or(piece, |(head, _)| head)
    } else {
        piece
    };
    piece.to_owned()
}

#[cfg(test)]
mod tests {
    use crate::document::{Check, Document, NearbyFiles, measure};

    #[test]
    fn a_marker_in_a_lone_comment_is_one_of_one() {
        let document = Document::read("<!-- TODO: x -->", &NearbyFiles::Unknown);
        let measured = measure(&document, Check::UnfinishedMarker);
        assert_eq!((measured.examined, measured.affected.len()), (1, 1), "{measured:?}");
    }
}
