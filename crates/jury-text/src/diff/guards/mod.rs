//! Tests that were there before the change and are other tests behind it. Whether they still ask the same is an opinion, and
//! without a model there is none. So every edit of a test is held against the ways that can be proven to ask no less: whole
//! tests come beside it, assertions are added, tests move or get another name, they are wrapped in another way, they become
//! rows of a table, a value changes that the prompt names. What is none of these was not judged.
//!
//! It is a list of what is harmless, and not of what is harmful: there are more ways to make a test empty than anybody lists.

mod asked;
mod block;
mod equal;
mod statement;
mod table;

use std::collections::{BTreeMap, BTreeSet};

use super::path::{FileKind, Language, last_ending};
use super::side::{Row, Sides};
use super::{Diff, FileStatus, LineChange};
pub(super) use equal::{is_literal, packed};

use asked::Asked;
use block::{Block, blocks};
use statement::{Statement, is_directive, statements};
use table::Tables;

/// The most places that are named.
const MOST_PLACES: usize = 3;

/// What of the tests that were there nobody judged: a sentence, or none where all of it can be proven to be harmless.
pub(super) fn unjudged_tests(diff: &Diff, sides: &[Sides<'_>], prompt: &str) -> Option<String> {
    let asked = Asked::of(prompt, sides);
    let fresh = Fresh::of(sides);
    let mut places: Vec<String> = Vec::new();
    for file in sides.iter().filter(|file| file.file.status != FileStatus::Added) {
        if places.len() > MOST_PLACES {
            break;
        }
        places.extend(of_file(file, &asked, &fresh));
    }
    places.extend(
        diff.files.iter().filter(|file| file.binary && is_of_tests(file)).map(|file| file.path().to_owned()),
    );
    places.dedup();
    let first = places.first()?;
    let more = places.len() - 1;
    let and_more = if more == 0 { String::new() } else { format!(" and {more} more") };
    Some(format!(
        "tests that were there are changed, and nobody judged whether they still ask the same: {first}{and_more}; let a model \
         judge it (--agent), or leave these tests as they were"
    ))
}

/// A picture or the like that tests compare with.
fn is_of_tests(file: &super::File) -> bool {
    matches!(file.kind(), FileKind::Test | FileKind::Snapshot) && file.status != FileStatus::Added
}

/// The places of a file that were not judged.
fn of_file(file: &Sides<'_>, asked: &Asked, fresh: &Fresh) -> Vec<String> {
    let path = file.path;
    let before = file.file.old_path.as_deref().unwrap_or(path);
    let was = FileKind::of(before);
    if asked.covers(path) {
        return Vec::new();
    }
    if file.kind == FileKind::Snapshot || was == FileKind::Snapshot {
        // What is added is of new tests.
        let lines = file.file.hunks.iter().flat_map(|hunk| &hunk.lines);
        let removed =
            lines.filter(|line| line.change == LineChange::Removed).find(|line| !line.text.trim().is_empty());
        return removed.map(|line| format!("{before}:{}", line.old)).into_iter().collect();
    }
    if file.file.status == FileStatus::Renamed
        && was == FileKind::Test
        && (file.kind != FileKind::Test
            || last_ending(before) != last_ending(path)
            || loses_its_name(before, path))
    {
        return vec![format!("{before} is called {path} now")];
    }
    if was == FileKind::Test && file.language == Language::Other && !is_code(before) {
        // Data that tests compare with or begin from.
        let removed = file.old.changed().find(|(_, row)| !row.text.trim().is_empty());
        return removed.map(|(_, row)| format!("{before}:{}", row.number)).into_iter().collect();
    }
    let mut found = Vec::new();
    if was == FileKind::Test
        && let Some(row) = asleep(file)
    {
        found.push(format!("{before}:{}", row.number));
    }
    for edit in edits(file) {
        if let Some(row) = edit.unproven(file, asked, fresh) {
            let place = if row.changed { if edit.is_removed(row) { before } else { path } } else { path };
            found.push(format!("{place}:{}", row.number));
        }
    }
    found
}

/// A runner found it by its name, and does not by the new one.
fn loses_its_name(before: &str, now: &str) -> bool {
    super::path::is_test_name(before) && !super::path::is_test_name(now)
}

/// The file is a program, in a language that may have no detectors.
fn is_code(path: &str) -> bool {
    !matches!(
        last_ending(path).as_str(),
        "" | "txt"
            | "json"
            | "jsonl"
            | "xml"
            | "html"
            | "htm"
            | "csv"
            | "tsv"
            | "md"
            | "golden"
            | "out"
            | "expected"
            | "snap"
            | "yaml"
            | "yml"
            | "toml"
            | "ini"
            | "svg"
            | "css"
            | "log"
            | "err"
            | "stdout"
            | "stderr"
            | "approved"
            | "received"
    )
}

/// A line that both sides have, and that is code on one and a comment on the other.
fn asleep<'a>(file: &'a Sides<'_>) -> Option<&'a Row> {
    let old = file.old.rows.iter().filter(|row| !row.changed);
    let new = file.new.rows.iter().filter(|row| !row.changed);
    let is_comment = |row: &Row| row.code().is_empty();
    old.zip(new).find(|(old, new)| is_comment(old) != is_comment(new)).map(|(_, new)| new)
}

/// Lines that changed together: between two of them stands none that both sides have.
struct Edit<'a> {
    removed: Vec<&'a Row>,
    added: Vec<&'a Row>,
    /// The last line above that both sides have, and the first below.
    above: Option<&'a Row>,
    below: Option<&'a Row>,
}

/// Rows with their places on their side.
type Numbered<'a> = Vec<(usize, &'a Row)>;

/// The edits of a file that touch a test.
fn edits<'a>(file: &'a Sides<'_>) -> Vec<Edit<'a>> {
    let mut runs: BTreeMap<(usize, usize), (Numbered<'_>, Numbered<'_>)> = BTreeMap::new();
    for (index, row) in file.old.changed() {
        runs.entry((row.hunk, row.run)).or_default().0.push((index, row));
    }
    for (index, row) in file.new.changed() {
        runs.entry((row.hunk, row.run)).or_default().1.push((index, row));
    }
    let kept: BTreeMap<(usize, usize), &Row> =
        file.new.rows.iter().filter(|row| !row.changed).map(|row| ((row.hunk, row.run), row)).collect();
    let in_test_file = FileKind::of(file.file.old_path.as_deref().unwrap_or(file.path)) == FileKind::Test;
    let near = |hunk: usize, run: usize| kept.get(&(hunk, run)).copied();
    runs.into_iter()
        .filter(|(_, (removed, added))| {
            in_test_file
                || removed.iter().any(|(index, _)| is_in_test(&file.old, *index))
                || added.iter().any(|(index, _)| is_in_test(&file.new, *index))
        })
        .map(|((hunk, run), (removed, added))| {
            let edit = Edit {
                removed: removed.into_iter().map(|(_, row)| row).collect(),
                added: added.into_iter().map(|(_, row)| row).collect(),
                above: near(hunk, run),
                below: near(hunk, run + 1),
            };
            edit.without_what_stays()
        })
        .collect()
}

/// The row stands in a test, or among the marks above one.
fn is_in_test(half: &super::side::Half, index: usize) -> bool {
    if let Some(function) = half.function_at(index) {
        return function.test;
    }
    let marks = |row: &Row| row.code().starts_with(['#', '@', '[']) || row.code().is_empty();
    let mut next = half.rows.iter().enumerate().skip(index).skip_while(|(_, row)| marks(row));
    half.rows.get(index).is_some_and(|row| row.code().starts_with(['#', '@', '[']))
        && next.next().and_then(|(index, _)| half.function_at(index)).is_some_and(|function| function.test)
}

/// What was written anew in tests: where tests may have moved to.
struct Fresh {
    /// Runs of added lines, each without the space around them.
    runs: Vec<Vec<String>>,
    tables: Tables,
}

impl Fresh {
    fn of(sides: &[Sides<'_>]) -> Self {
        let mut runs = Vec::new();
        let mut tables = Tables::default();
        for file in sides {
            let is_test = file.kind == FileKind::Test;
            let mut run: Vec<&Row> = Vec::new();
            let mut last = None;
            for (index, row) in file.new.changed() {
                if last.is_some_and(|last| last + 1 != index) {
                    tables.learn(file, &run);
                    runs.push(trimmed(&std::mem::take(&mut run)));
                }
                last = Some(index);
                if is_test || is_in_test(&file.new, index) {
                    run.push(row);
                }
            }
            tables.learn(file, &run);
            runs.push(trimmed(&run));
        }
        Self { runs, tables }
    }

    /// These lines come back one behind the other, in what was added to tests.
    fn has(&self, lines: &[String]) -> bool {
        !lines.is_empty()
            && self.runs.iter().any(|run| run.windows(lines.len()).any(|window| window == lines))
    }
}

fn trimmed(rows: &[&Row]) -> Vec<String> {
    rows.iter().map(|row| row.text.trim().to_owned()).filter(|text| !text.is_empty()).collect()
}

impl<'a> Edit<'a> {
    /// A line that goes and comes back at its place did not change: only the end of its line did.
    fn without_what_stays(mut self) -> Self {
        let same = |old: &Row, new: &Row| old.text.trim_end() == new.text.trim_end();
        let head = self.removed.iter().zip(&self.added).take_while(|(old, new)| same(old, new)).count();
        self.above = head.checked_sub(1).and_then(|last| self.added.get(last).copied()).or(self.above);
        self.removed.drain(..head);
        self.added.drain(..head);
        let tail = self
            .removed
            .iter()
            .rev()
            .zip(self.added.iter().rev())
            .take_while(|(old, new)| same(old, new))
            .count();
        self.removed.truncate(self.removed.len() - tail);
        let behind = self.added.len() - tail;
        self.below = self.added.get(behind).copied().or(self.below);
        self.added.truncate(behind);
        self
    }

    fn is_removed(&self, row: &Row) -> bool {
        self.removed.iter().any(|own| std::ptr::eq(*own, row))
    }

    /// A row of it of which nobody knows what it does to the tests.
    fn unproven(&self, file: &Sides<'_>, asked: &Asked, fresh: &Fresh) -> Option<&'a Row> {
        let language = file.language;
        let removed: Vec<&Row> = spoken(file.path, language, &self.removed);
        let added: Vec<&Row> = spoken(file.path, language, &self.added);
        if is_rewrapped(language, &removed, &added) {
            return None;
        }
        // Lines that went away and came back whole elsewhere, paragraph by paragraph.
        if added.is_empty() && self.moved(fresh) {
            return None;
        }
        let visible: BTreeSet<&str> = file
            .old
            .rows
            .iter()
            .filter(|row| !self.is_removed(row))
            .flat_map(|row| super::code::words(&row.parts.code))
            .collect();
        let whole: Vec<Block<'_>> = blocks(language, &added, self.above, self.below, &visible);
        if removed.is_empty() && !whole.is_empty() {
            return None;
        }
        if let Some(row) = added.iter().find(|row| row.code().is_empty() && is_directive(row)) {
            return Some(row);
        }
        let old = statements(&removed);
        let new = statements(&added);
        let mut taken: Vec<bool> = vec![false; new.len()];
        let mut left: Vec<&Statement<'_>> = Vec::new();
        for was in &old {
            let same = new.iter().enumerate().find(|(index, is)| {
                taken.get(*index) == Some(&false) && equal::asks_no_less(language, was, is, asked)
            });
            match same {
                Some((index, _)) => {
                    if let Some(taken) = taken.get_mut(index) {
                        *taken = true;
                    }
                }
                None => left.push(was),
            }
        }
        let heads_go = left.iter().any(|was| was.is_head(language));
        for was in left {
            let neutral = was.is_closer()
                || was.is_skip_mark(language)
                || was.is_import()
                || heads_go && (was.is_head(language) || was.is_mark())
                || fresh.tables.hold(language, was)
                || was.is_report(language) && new.iter().any(|is| is.is_report(language))
                || fresh.has(&was.lines());
            if !neutral {
                return Some(was.row);
            }
        }
        let compares = new.iter().any(|is| is.is_comparison_of(language));
        let superseded = !old.is_empty() && fresh.tables.is_used();
        let is_whole = |row: &Row| {
            whole.iter().any(|block| block.has(row))
                && (old.is_empty() || !whole.iter().any(Block::is_plain_definition))
        };
        for (is, taken) in new.iter().zip(taken) {
            let plain = taken
                || is.is_closer()
                || is.is_import()
                || is_listed_import(file, is.row)
                || equal::is_plain_assertion(language, is)
                || is.is_fresh_declaration(language, &visible)
                || is.is_row_of_table()
                || compares && is.is_report(language)
                || superseded
                    && (is.is_head(language)
                        || is.is_loop_over_table()
                        || is.is_table_mark()
                        || is.is_report(language)
                        || is.is_comparison_of(language))
                || old.is_empty() && is_whole(is.row);
            if !plain {
                return Some(is.row);
            }
        }
        None
    }

    /// All paragraphs that were removed come back elsewhere.
    fn moved(&self, fresh: &Fresh) -> bool {
        let mut paragraph: Vec<String> = Vec::new();
        let mut all = true;
        for text in self.removed.iter().map(|row| row.text.trim()).chain([""]) {
            if text.is_empty() {
                let closers = paragraph.iter().all(|line| line.chars().all(|c| "})];,".contains(c)));
                let imports = paragraph.iter().all(|line| statement::imports(line));
                all &= closers || imports || fresh.has(&paragraph);
                paragraph.clear();
            } else {
                paragraph.push(text.to_owned());
            }
        }
        all
    }
}

/// One more name in a list of names that are imported, which goes over several rows.
fn is_listed_import(file: &Sides<'_>, row: &Row) -> bool {
    let names =
        |row: &Row| row.code().chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ',' | ' ' | '$'));
    let above = file.new.rows.iter().rev().skip_while(|own| !std::ptr::eq(*own, row));
    let head = above.take_while(|own| own.hunk == row.hunk).find(|own| !names(own));
    names(row)
        && row.code().ends_with(',')
        && head.is_some_and(|head| statement::imports(&head.text) && head.code().ends_with(['{', '(']))
}

/// The rows that say something to the machine: neither blank nor prose.
fn spoken<'a>(path: &str, language: Language, rows: &[&'a Row]) -> Vec<&'a Row> {
    rows.iter()
        .filter(|row| {
            let text = row.text.trim();
            let prose = if language == Language::Other {
                statement::is_comment(path, text)
            } else {
                row.parts.is_comment() && !is_directive(row)
            };
            !text.is_empty() && !prose
        })
        .copied()
        .collect()
}

/// The same words in the same order, with other line breaks.
fn is_rewrapped(language: Language, removed: &[&Row], added: &[&Row]) -> bool {
    let joined =
        |rows: &[&Row]| packed(&rows.iter().map(|row| row.text.as_str()).collect::<Vec<_>>().join("\n"));
    if removed.is_empty() || added.is_empty() || joined(removed) != joined(added) {
        return false;
    }
    // Where the indentation is the syntax, a line that is moved in or out is another statement.
    let indents = language != Language::Python && language != Language::Other;
    indents
        || removed.first().map(|row| row.indent()) == added.first().map(|row| row.indent())
            && removed.len() != added.len()
}
