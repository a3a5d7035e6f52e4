//! A change cut to a budget, fairly: no large file pushes a small one out, tests have a share of their own, and what is
//! left out is listed. The parts are plain text; whoever puts them into a prompt fences them.

use serde::{Deserialize, Serialize};

use super::authorship::says_author;
use super::path::FileKind;
use super::redact::Redactor;
use super::{Diff, File, FileStatus, LineChange, Omission};

/// A token is taken for four bytes. Code has rather fewer bytes for each, so a packed change can be a third larger in
/// tokens than its budget; models leave more room than that.
pub const BYTES_PER_TOKEN: usize = 4;

/// The share that tests have when there are any, of four.
const TESTS_OF_FOUR: usize = 1;

/// A change within its budget.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Packed {
    /// The files that are shown, in the order of the change.
    pub parts: Vec<PackedFile>,
    /// What is not shown, and why.
    pub omitted: Vec<Omission>,
}

/// What is shown of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PackedFile {
    /// The path of the file.
    pub path: String,
    /// What happened to it, and its hunks, as a diff.
    pub text: String,
    /// All of it is there.
    pub whole: bool,
}

/// Packs a change into so many tokens.
pub fn pack(diff: &Diff, tokens: usize) -> Packed {
    let budget = tokens.saturating_mul(BYTES_PER_TOKEN);
    let mut packed = Packed { parts: Vec::new(), omitted: diff.omitted.clone() };
    let mut shown: Vec<(&File, Vec<String>)> = Vec::new();
    for file in &diff.files {
        let why = if file.binary {
            Some("binary")
        } else {
            match file.kind() {
                FileKind::Lock => Some("a lock file"),
                FileKind::Vendored => Some("vendored"),
                FileKind::Generated => Some("generated"),
                FileKind::Source | FileKind::Test | FileKind::Document | FileKind::Snapshot => None,
            }
        };
        match why {
            Some(why) => packed.omitted.push(omission(file, 0, why)),
            None => shown.push((file, render(file))),
        }
    }
    let sizes: Vec<usize> = shown.iter().map(|(_, lines)| lines.iter().map(String::len).sum()).collect();
    let shares = shares(&shown, &sizes, budget);
    for (((file, lines), size), share) in shown.iter().zip(&sizes).zip(shares) {
        let part = cut(file, lines, share);
        let kept = part.text.len();
        if kept == 0 {
            packed.omitted.push(omission(file, 0, "no room"));
            continue;
        }
        if !part.whole {
            let left =
                u64::try_from(lines.len().saturating_sub(part.text.lines().count() - 1)).unwrap_or(u64::MAX);
            let bytes = u64::try_from(size.saturating_sub(kept)).unwrap_or(u64::MAX);
            packed.omitted.push(Omission {
                path: file.path().to_owned(),
                lines: left,
                bytes,
                why: "no room".to_owned(),
            });
        }
        packed.parts.push(part);
    }
    packed
}

fn omission(file: &File, bytes: u64, why: &str) -> Omission {
    let lines: usize = file.hunks.iter().map(|hunk| hunk.lines.len()).sum();
    Omission { path: file.path().to_owned(), lines: lines as u64, bytes, why: why.to_owned() }
}

/// The lines of a file as a diff.
fn render(file: &File) -> Vec<String> {
    let what = match file.status {
        FileStatus::Modified => "changed",
        FileStatus::Added => "added",
        FileStatus::Deleted => "deleted",
        FileStatus::Renamed => "renamed",
        FileStatus::Copied => "copied",
        FileStatus::Mode => "another mode",
    };
    let from = match (&file.old_path, &file.new_path) {
        (Some(old), Some(new)) if old != new => format!(" from {}", visible(old)),
        _ => String::new(),
    };
    let mut lines = vec![format!("{}: {what}{from}\n", visible(file.path()))];
    let mut redactor = Redactor::default();
    for hunk in &file.hunks {
        lines.push(format!(
            "@@ -{} +{} @@ {}\n",
            hunk.old_start,
            hunk.new_start,
            visible(&redactor.line(&hunk.section))
        ));
        for line in &hunk.lines {
            let mark = match line.change {
                LineChange::Context => ' ',
                LineChange::Added => '+',
                LineChange::Removed => '-',
            };
            if says_author(&line.text) {
                lines.push(format!("{mark}[a line about authors left out]\n"));
            } else {
                lines.push(format!("{mark}{}\n", visible(&redactor.line(&line.text))));
            }
        }
    }
    lines
}

/// A line stays a line, whatever is in it.
fn visible(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\t' { '\u{fffd}' } else { c }).collect()
}

/// Tests first get what is theirs, then all share what is left.
fn shares(shown: &[(&File, Vec<String>)], sizes: &[usize], budget: usize) -> Vec<usize> {
    let is_test: Vec<bool> = shown.iter().map(|(file, _)| file.kind() == FileKind::Test).collect();
    let wanted = |tests: bool| -> Vec<usize> {
        is_test.iter().zip(sizes).map(|(is, size)| if *is == tests { *size } else { 0 }).collect()
    };
    let (tests, others) = (wanted(true), wanted(false));
    let (all_tests, all_others): (usize, usize) = (tests.iter().sum(), others.iter().sum());
    let reserved = all_tests.min(budget / 4 * TESTS_OF_FOUR);
    // What one side does not need, the other may have.
    let for_others = all_others.min(budget.saturating_sub(reserved));
    let for_tests = all_tests.min(budget.saturating_sub(for_others));
    let (tests, others) = (fair(&tests, for_tests), fair(&others, for_others));
    tests.into_iter().zip(others).map(|(one, other)| one + other).collect()
}

/// Everybody gets the same, but nobody more than they want; what that leaves is shared again.
fn fair(wanted: &[usize], budget: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by_key(|index| wanted.get(*index).copied().unwrap_or_default());
    let mut shares = vec![0; wanted.len()];
    let mut left = budget;
    for (done, index) in order.iter().enumerate() {
        let want = wanted.get(*index).copied().unwrap_or_default();
        let share = want.min(left / (wanted.len() - done));
        if let Some(slot) = shares.get_mut(*index) {
            *slot = share;
        }
        left -= share;
    }
    shares
}

/// As many lines as fit, and a line that says how many do not.
fn cut(file: &File, lines: &[String], share: usize) -> PackedFile {
    let size: usize = lines.iter().map(String::len).sum();
    let path = file.path().to_owned();
    if size <= share {
        return PackedFile { path, text: lines.concat(), whole: true };
    }
    // Room for the line about the rest.
    let room = share.saturating_sub(40);
    let mut text = String::new();
    let mut count = 0;
    for line in lines {
        if text.len() + line.len() > room {
            break;
        }
        text.push_str(line);
        count += 1;
    }
    if count < 2 {
        return PackedFile { path, ..PackedFile::default() };
    }
    text.extend(["[", &(lines.len() - count).to_string(), " lines left out]\n"]);
    PackedFile { path, text, whole: false }
}
