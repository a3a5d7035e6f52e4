//! What decides which tests run, and what their failure means, where nobody asked for a change of it.

use jury_core::severity::Severity;

use super::super::FileStatus;
use super::super::named::{Wish, is_same, named};
use super::super::path::{FileKind, is_test_name, last_ending};
use super::super::settings::{Deciding, is_asked, leaves_out, sinks};
use super::super::side::{Half, Row, Sides};
use super::subject::{Subject, at, at_removed, of_file};
use super::{Detector, DiffEvidence};

const TEXT: &str =
    "this decides which checks run or what their failure means, and the prompt does not ask for it";

pub(super) fn changed(subject: &Subject<'_>) -> Vec<DiffEvidence> {
    let mut found: Vec<DiffEvidence> =
        subject.sides.iter().filter_map(|file| of_settings(subject, file)).collect();
    found.extend(subject.sides.iter().filter_map(lost));
    found
}

/// A test that has a name now under which no runner looks for it.
fn lost(file: &Sides<'_>) -> Option<DiffEvidence> {
    let before = file.file.old_path.as_deref()?;
    let renamed = file.file.status == FileStatus::Renamed && FileKind::of(before) == FileKind::Test;
    let gone = last_ending(before) != last_ending(file.path) && is_test_name(before);
    (renamed && (gone || FileKind::of(file.path) != FileKind::Test)).then(|| {
        let text = format!("the test {before} has a name now under which no runner looks for it");
        of_file(Detector::TestSettings, Severity::Serious, file.path, text)
    })
}

fn of_settings(subject: &Subject<'_>, file: &Sides<'_>) -> Option<DiffEvidence> {
    let (detector, severity) = (Detector::TestSettings, Severity::Serious);
    if is_asked(file.path, subject.prompt) {
        return None;
    }
    match touched(file, subject.prompt)? {
        // What is new beside the old ones, and what is set in another way, is left to an opinion.
        Place::Added | Place::Changed => None,
        Place::LeavesOut(row) => Some(at(detector, severity, file, row, TEXT)),
        Place::Removed(row) => Some(at_removed(detector, severity, file, row, TEXT)),
        Place::Gone => Some(of_file(detector, severity, file.path, TEXT)),
    }
}

/// How settings of checks change.
#[derive(Debug, Clone, Copy)]
pub(in crate::diff) enum Place<'a> {
    /// There is more of them.
    Added,
    /// They are others.
    Changed,
    /// A new one leaves something out, or a bar sinks.
    LeavesOut(&'a Row),
    /// One is gone, and nothing stands in its place.
    Removed(&'a Row),
    /// The whole file is gone.
    Gone,
}

/// Where the settings of checks change that this file holds, but for a file that the prompt wants worked on.
pub(in crate::diff) fn touched<'a>(file: &'a Sides<'_>, prompt: &str) -> Option<Place<'a>> {
    let before = file.file.old_path.as_deref().unwrap_or(file.path);
    let deciding = Deciding::of(before);
    let wished = named(prompt).iter().any(|(path, wish)| *wish == Wish::Worked && is_same(before, path));
    if deciding == Deciding::None || wished {
        return None;
    }
    if file.file.status == FileStatus::Deleted && deciding == Deciding::Whole {
        return Some(Place::Gone);
    }
    let about = |half: &'a Half| -> Vec<&'a Row> {
        let said = half.changed().filter(|(index, row)| {
            let text = row.text.trim();
            let comment = ["//", "#", "<!--", ";"].iter().any(|mark| text.starts_with(mark));
            !comment
                && text.chars().any(char::is_alphanumeric)
                && deciding.covers(text, heading(half, *index))
        });
        said.map(|(_, row)| row).collect()
    };
    // A line that both sides have in another place did not change.
    let bare = |row: &Row| row.text.trim().trim_end_matches(',').to_owned();
    let (removed, added) = (about(&file.old), about(&file.new));
    let removed_here: Vec<&Row> =
        removed.iter().filter(|old| !added.iter().any(|new| bare(new) == bare(old))).copied().collect();
    let added_here: Vec<&Row> =
        added.iter().filter(|new| !removed.iter().any(|old| bare(old) == bare(new))).copied().collect();
    let is_new_file = file.file.status == FileStatus::Added;
    let out = added_here.iter().find(|new| {
        let before = || removed_here.iter().filter(|old| (old.hunk, old.run) == (new.hunk, new.run));
        let new_here =
            leaves_out(file.path, &new.text) && !before().any(|old| leaves_out(file.path, &old.text));
        new_here || before().any(|old| sinks(&old.text, &new.text))
    });
    if let Some(row) = out.filter(|_| !is_new_file) {
        return Some(Place::LeavesOut(row));
    }
    let alone = removed_here.iter().find(|old| {
        let replaced = file.new.changed().any(|(_, new)| (new.hunk, new.run) == (old.hunk, old.run));
        !replaced && !leaves_out(file.path, &old.text)
    });
    match (alone, removed_here.is_empty(), added_here.is_empty()) {
        (Some(row), _, _) => Some(Place::Removed(row)),
        (None, false, _) => Some(Place::Changed),
        (None, true, false) => Some(Place::Added),
        (None, true, true) => None,
    }
}

/// The line above that this one stands under: a section in brackets, a key, a target.
fn heading(half: &Half, index: usize) -> &str {
    let Some(row) = half.rows.get(index) else { return "" };
    let above =
        half.rows.get(..index).unwrap_or_default().iter().rev().take_while(|other| other.hunk == row.hunk);
    let is_heading = |other: &&Row| {
        let text = other.text.trim();
        text.starts_with('[') && text.ends_with(']')
            || (text.ends_with(['{', ':', '(', '>']) || text.contains(": ")) && other.indent() < row.indent()
    };
    above.into_iter().find(is_heading).map_or("", |other| other.text.as_str())
}
