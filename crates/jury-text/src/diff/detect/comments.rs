//! What new comments give away: work that is put off, and code that was put to sleep.

use jury_core::severity::Severity;
use std::collections::HashSet;

use super::super::code::has_word;
use super::super::path::{FileKind, Language};
use super::super::side::{Row, Sides, is_document};
use super::subject::{Subject, at};
use super::{Detector, DiffEvidence};

/// The words of notes to oneself.
const NOTES: &[&str] = &["TODO", "FIXME", "XXX", "HACK"];

/// How blocks begin in Python; their heads end as a sentence before a list does.
const BLOCKS: &[&str] = &["if ", "for ", "while ", "with ", "try:", "except", "else:", "elif "];

pub(super) fn todo(subject: &Subject<'_>) -> Vec<DiffEvidence> {
    let mut before: HashSet<&str> = HashSet::new();
    for file in &subject.sides {
        before.extend(file.old.changed().map(|(_, row)| row.parts.comment.trim()));
    }
    let mut found = Vec::new();
    for file in &subject.sides {
        for (_, row) in file.new.changed() {
            let word = NOTES.iter().find(|word| has_word(&row.parts.comment, word));
            if let Some(word) = word
                && !before.contains(row.parts.comment.trim())
            {
                found.push(at(Detector::TodoAdded, Severity::Minor, file, row, format!("a new {word}")));
            }
        }
    }
    found
}

pub(super) fn code(subject: &Subject<'_>) -> Vec<DiffEvidence> {
    let mut found = Vec::new();
    for file in subject.sides.iter().filter(|file| file.kind != FileKind::Document) {
        let was_code: HashSet<&str> = file.old.changed().map(|(_, row)| row.text.trim()).collect();
        let mut run: Vec<&Row> = Vec::new();
        let mut last = None;
        for (index, row) in file.new.changed() {
            let asleep = &file.new.asleep;
            let next = asleep.partition_point(|rows| rows.end <= index);
            let parsed = asleep.get(next).is_some_and(|rows| rows.contains(&index));
            let sleeping = (parsed || is_sleeping(file, row)) && !subject.was_there(row);
            if last.is_some_and(|last| last + 1 != index) || !sleeping {
                settle(&mut run, file, &mut found, &was_code);
            }
            if sleeping {
                run.push(row);
            }
            last = Some(index);
        }
        settle(&mut run, file, &mut found, &was_code);
    }
    found
}

fn settle(run: &mut Vec<&Row>, file: &Sides<'_>, found: &mut Vec<DiffEvidence>, was_code: &HashSet<&str>) {
    let proven = run
        .iter()
        .any(|row| was_code.contains(row.parts.comment.trim()) && row.parts.comment.trim().len() > 3);
    if let Some(first) = run.first()
        && (run.len() >= 2 || proven)
    {
        let text = format!("{} of code in comments", if run.len() == 1 { "a line" } else { "lines" });
        found.push(at(Detector::CommentedOut, Severity::Minor, file, first, text));
    }
    run.clear();
}

/// The row is nothing but a comment, and the comment reads as code.
fn is_sleeping(file: &Sides<'_>, row: &Row) -> bool {
    if is_document(&row.text) || !row.parts.is_comment() {
        return false;
    }
    let comment = row.parts.comment.trim();
    let begins = |words: &[&str]| words.iter().any(|word| comment.starts_with(word));
    let prose = comment.split_whitespace().count() > 3
        && comment.ends_with(['.', ':', '!', '?', ','])
        && !comment.contains(['(', '=', '{'])
        && !(file.language == Language::Python && begins(BLOCKS));
    if prose || comment.is_empty() {
        return false;
    }
    match file.language {
        Language::Rust | Language::Script | Language::Go | Language::Java => {
            let closes = comment.ends_with([';', '{', '}']) || matches!(comment, "}" | "});" | "})" | ")");
            let calls = comment.ends_with(')') && comment.contains('(') && !comment.contains(". ");
            let call_is_code = calls
                && comment
                    .split('(')
                    .next()
                    .is_some_and(|name| !name.trim().contains(' ') || name.contains('='));
            closes || call_is_code || (comment.contains(" := ") && !comment.ends_with('.'))
        }
        Language::Python => {
            let statement =
                begins(&["def ", "class ", "import ", "return ", "assert ", "raise ", "self.", "@"]);
            let block = begins(BLOCKS) && comment.ends_with(':');
            let word = matches!(comment, "continue" | "break" | "pass" | "return");
            let calls = comment.ends_with(')')
                && comment.split('(').next().is_some_and(|name| !name.trim().contains(' '));
            let assigns = comment.split_once(" = ").is_some_and(|(name, _)| !name.trim().contains(' '));
            statement || block || word || calls || assigns
        }
        Language::Shell | Language::Pipeline | Language::Other => false,
    }
}
