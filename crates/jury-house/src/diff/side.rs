//! One side of a file of a change: the lines that a reader of the old or of the new file would see, told apart.

use super::code::{Open, Parts, parts};
use super::function::{Function, functions};
use super::path::{Kind, Language};
use super::{Change, Diff, File};

/// A line of one side.
#[derive(Debug, Clone)]
pub(super) struct Row {
    /// Its number on this side.
    pub(super) number: u64,
    /// It is on this side alone.
    pub(super) changed: bool,
    /// As it is written.
    pub(super) text: String,
    /// Told apart.
    pub(super) parts: Parts,
    /// Which hunk it stands in.
    pub(super) hunk: usize,
    /// How many more brackets and braces it opens than it closes.
    pub(super) depth: i64,
    /// It opens a brace.
    pub(super) opens: bool,
}

impl Row {
    pub(super) fn code(&self) -> &str {
        self.parts.code.trim()
    }

    pub(super) fn indent(&self) -> usize {
        self.text.len() - self.text.trim_start().len()
    }
}

/// One side.
#[derive(Debug, Clone, Default)]
pub(super) struct Side {
    pub(super) rows: Vec<Row>,
    pub(super) functions: Vec<Function>,
    /// For each row the innermost function around it.
    owners: Vec<Option<usize>>,
}

impl Side {
    /// The rows on this side alone.
    pub(super) fn changed(&self) -> impl Iterator<Item = (usize, &Row)> {
        self.rows.iter().enumerate().filter(|(_, row)| row.changed)
    }

    /// The innermost function around a row.
    pub(super) fn function_at(&self, row: usize) -> Option<&Function> {
        self.functions.get(self.owners.get(row).copied().flatten()?)
    }
}

/// A file with both sides.
#[derive(Debug)]
pub(super) struct Sides<'a> {
    pub(super) file: &'a File,
    pub(super) path: &'a str,
    pub(super) kind: Kind,
    pub(super) language: Language,
    pub(super) old: Side,
    pub(super) new: Side,
}

/// All files that somebody wrote.
pub(super) fn sides(diff: &Diff) -> Vec<Sides<'_>> {
    diff.files.iter().filter(|file| !file.binary).map(of_file).collect()
}

fn of_file(file: &File) -> Sides<'_> {
    let path = file.path();
    let (kind, language) = (file.kind(), Language::of(path));
    let side = |mine: Change| {
        let mut rows = Vec::new();
        let mut sections = Vec::new();
        if kind.is_machine_made() {
            return Side::default();
        }
        for (index, hunk) in file.hunks.iter().enumerate() {
            let mut open = Open::Nothing;
            sections.push(hunk.section.as_str());
            for line in hunk.lines.iter().filter(|line| line.change == mine || line.change == Change::Context)
            {
                let parts = parts(language, &line.text, &mut open);
                rows.push(Row {
                    depth: depth(&parts.code),
                    opens: parts.code.contains('{'),
                    number: if mine == Change::Removed { line.old } else { line.new },
                    changed: line.change == mine,
                    text: line.text.clone(),
                    parts,
                    hunk: index,
                });
            }
        }
        let functions = functions(language, kind, &rows, &sections);
        let mut owners = vec![None; rows.len()];
        for (index, function) in functions.iter().enumerate() {
            for owner in owners.get_mut(function.rows.clone()).unwrap_or_default() {
                // What git says a hunk stands in is known from afar; a head that is seen is nearer.
                if function.head_seen || owner.is_none() {
                    *owner = Some(index);
                }
            }
        }
        Side { rows, functions, owners }
    };
    Sides { file, path, kind, language, old: side(Change::Removed), new: side(Change::Added) }
}

fn depth(code: &str) -> i64 {
    let step = |byte: u8| match byte {
        b'{' | b'(' => 1,
        b'}' | b')' => -1,
        _ => 0,
    };
    code.bytes().map(step).sum()
}
