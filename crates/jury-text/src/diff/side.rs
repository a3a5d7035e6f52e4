//! One side of a file of a change: the lines that a reader of the old or of the new file would see, told apart, by a tree
//! where there is a grammar and by the scanner where there is none or it gives up.

use std::collections::BTreeMap;
use std::ops::Range;

use super::code::{Open, Parts, parts};
use super::fragment::fragments;
use super::function::{Function, functions};
use super::path::{FileKind, Language};
use super::syntax::{Facts, Handler, Lines, Reading, is_code, unplaced};
use super::tree::{Allowance, Grammar};
use super::{Diff, File, LineChange, Side};

/// A tree counts if no more than one byte of so many could not be placed.
const PLACED: usize = 5;

/// The most rows of comments that are tried as code.
const LONGEST_COMMENT: usize = 200;

/// A line of one side.
#[derive(Debug, Clone)]
pub(super) struct Row {
    /// Its number on this side.
    pub(super) number: u64,
    /// It is on this side alone.
    pub(super) changed: bool,
    /// As it is written.
    pub(super) text: String,
    /// The code, comments and literals of the row.
    pub(super) parts: Parts,
    /// Which hunk it stands in.
    pub(super) hunk: usize,
    /// How many lines of its hunk that both sides have stand before it: what changed together has one number.
    pub(super) run: usize,
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

/// One side of a file.
#[derive(Debug, Clone, Default)]
pub(super) struct Half {
    pub(super) rows: Vec<Row>,
    pub(super) functions: Vec<Function>,
    /// Assertions over several rows as one row each, by the first, with the row behind the last.
    pub(super) joined: BTreeMap<usize, (usize, Row)>,
    pub(super) handlers: Vec<Handler>,
    /// The rows where a statement over several begins that only says it is not done.
    pub(super) undone: Vec<usize>,
    /// Comments that are code.
    pub(super) asleep: Vec<Range<usize>>,
    /// For each row the innermost function around it.
    owners: Vec<Option<usize>>,
}

impl Half {
    /// The rows on this side alone.
    pub(super) fn changed(&self) -> impl Iterator<Item = (usize, &Row)> {
        self.rows.iter().enumerate().filter(|(_, row)| row.changed)
    }

    /// The innermost function around a row.
    pub(super) fn function_at(&self, row: usize) -> Option<&Function> {
        self.functions.get(self.owners.get(row).copied().flatten()?)
    }

    fn new(file: &File, mine: LineChange) -> Self {
        let language = Language::of(file.path());
        let mut rows = Vec::new();
        for (index, hunk) in file.hunks.iter().enumerate() {
            let mut open = Open::Nothing;
            let mut run = 0;
            for line in
                hunk.lines.iter().filter(|line| line.change == mine || line.change == LineChange::Context)
            {
                let parts = parts(language, &line.text, &mut open);
                run += usize::from(line.change == LineChange::Context);
                rows.push(Row {
                    run,
                    depth: depth(&parts.code),
                    opens: parts.code.contains('{'),
                    number: if mine == LineChange::Removed { line.old } else { line.new },
                    changed: line.change == mine,
                    text: line.text.clone(),
                    parts,
                    hunk: index,
                });
            }
        }
        Self { rows, ..Self::default() }
    }

    /// The ranges of rows that stand in one hunk.
    fn hunks(&self) -> Vec<Range<usize>> {
        let mut hunks: Vec<Range<usize>> = Vec::new();
        let mut last = None;
        for (index, row) in self.rows.iter().enumerate() {
            if last != Some(row.hunk) {
                hunks.push(index..index);
                last = Some(row.hunk);
            }
            if let Some(hunk) = hunks.last_mut() {
                hunk.end = index + 1;
            }
        }
        hunks
    }

    /// What the tree of the whole file says, if that is the file of these rows.
    fn of_whole(
        &self,
        language: Language,
        grammar: Grammar,
        bytes: Vec<u8>,
        allowance: &mut Allowance,
    ) -> Option<Facts> {
        let text = String::from_utf8(bytes).ok()?;
        let mut lines: Vec<Option<usize>> = Vec::new();
        let mut rows = self.rows.iter().enumerate().peekable();
        for (number, line) in (1_u64..).zip(text.split_inclusive('\n')) {
            let row = rows.next_if(|(_, row)| row.number == number);
            if row.is_some_and(|(_, row)| row.text != line.trim_end_matches('\n')) {
                return None;
            }
            lines.push(row.map(|(index, _)| index));
        }
        if rows.next().is_some() {
            return None;
        }
        let tree = allowance.parse(grammar, &text)?;
        if unplaced(&tree) * PLACED > text.len() {
            return None;
        }
        let lines = Lines::new(lines, self.rows.len());
        Some(Reading { language, text: &text, tree: &tree, lines: &lines, rows: &self.rows }.facts())
    }

    /// What the tree of one hunk says, read in the way that leaves the least over.
    fn of_hunk(
        &self,
        language: Language,
        grammar: Grammar,
        hunk: &Range<usize>,
        allowance: &mut Allowance,
    ) -> Option<Facts> {
        let rows = self.rows.get(hunk.clone())?;
        let mut best = None;
        for fragment in fragments(language, rows) {
            let Some(tree) = allowance.parse(grammar, &fragment.text) else { continue };
            let left = unplaced(&tree);
            if best.as_ref().is_none_or(|(least, _, _)| left < *least) {
                best = Some((left, fragment, tree));
            }
            if left == 0 {
                break;
            }
        }
        let (left, fragment, tree) = best?;
        if left * PLACED > fragment.text.len() {
            return None;
        }
        let mut lines = vec![None; fragment.before];
        lines.extend(hunk.clone().map(Some));
        let lines = Lines::new(lines, hunk.end);
        Some(Reading { language, text: &fragment.text, tree: &tree, lines: &lines, rows: &self.rows }.facts())
    }

    /// Takes over what trees say.
    fn read(
        &mut self,
        language: Language,
        grammar: Grammar,
        whole: Option<Vec<u8>>,
        allowance: &mut Allowance,
    ) -> Known {
        let mut known = Known { told: vec![false; self.rows.len()], whole: false };
        let whole = whole.and_then(|bytes| self.of_whole(language, grammar, bytes, allowance));
        known.whole = whole.is_some();
        let all = if let Some(facts) = whole {
            vec![facts]
        } else {
            let hunks = self.hunks();
            hunks.iter().filter_map(|hunk| self.of_hunk(language, grammar, hunk, allowance)).collect()
        };
        for facts in all {
            for (row, parts) in facts.parts {
                let Some(slot) = self.rows.get_mut(row) else { continue };
                slot.depth = depth(&parts.code);
                slot.opens = parts.code.contains('{');
                slot.parts = parts;
                if let Some(told) = known.told.get_mut(row) {
                    *told = true;
                }
            }
            for rows in facts.opaque {
                known.told.get_mut(rows).unwrap_or_default().fill(false);
            }
            self.functions.extend(facts.functions);
            self.handlers.extend(facts.handlers);
            self.undone.extend(facts.undone);
            for rows in facts.statements {
                if let Some(row) = self.rows.get(rows.clone()).and_then(join) {
                    self.joined.insert(rows.start, (rows.end, row));
                }
            }
        }
        known
    }

    /// Finds comments that are code by parsing what they say.
    fn try_comments(&mut self, grammar: Grammar, allowance: &mut Allowance) {
        let mut run = 0..0;
        for index in 0..=self.rows.len() {
            let row = self.rows.get(index);
            let fits = row
                .is_some_and(|row| row.changed && row.parts.is_comment() && !is_document(&row.text))
                && run.len() < LONGEST_COMMENT;
            if fits && run.end == index && !run.is_empty() {
                run.end = index + 1;
                continue;
            }
            if run.len() > 1 {
                let rows = self.rows.get(run.clone()).unwrap_or_default();
                let said =
                    |row: &Row| row.parts.comment.strip_prefix(' ').unwrap_or(&row.parts.comment).to_owned();
                let text: Vec<String> = rows.iter().map(said).collect();
                if allowance.parse(grammar, &text.join("\n")).is_some_and(|tree| is_code(&tree)) {
                    self.asleep.push(run.clone());
                }
            }
            run = if fits { index..index + 1 } else { index..index };
        }
    }

    /// Adds the functions that only the scanner sees, and says which function each row belongs to.
    fn finish(&mut self, language: Language, kind: FileKind, file: &File, known: &Known) {
        let sections: Vec<&str> = file.hunks.iter().map(|hunk| hunk.section.as_str()).collect();
        let told = |row: usize| known.told.get(row).copied().unwrap_or_default();
        let scanned = functions(language, kind, &self.rows, &sections);
        self.functions.extend(
            scanned.into_iter().filter(|function| {
                if function.head_seen { !told(function.rows.start) } else { !known.whole }
            }),
        );
        self.owners = vec![None; self.rows.len()];
        let mut order: Vec<usize> = (0..self.functions.len()).collect();
        let of = |index: usize| {
            self.functions.get(index).map(|function| function.rows.clone()).unwrap_or_default()
        };
        // What git says a hunk stands in is known from afar; a head that is seen is nearer.
        let near = |index: usize| self.functions.get(index).is_some_and(|it| it.head_seen || it.parsed);
        order.sort_by_key(|index| (of(*index).start, near(*index), std::cmp::Reverse(of(*index).end)));
        let mut around: Vec<usize> = Vec::new();
        let mut next = order.into_iter().peekable();
        for (row, owner) in self.owners.iter_mut().enumerate() {
            while let Some(index) = next.next_if(|index| of(*index).start <= row) {
                around.push(index);
            }
            while around.last().is_some_and(|index| of(*index).end <= row) {
                around.pop();
            }
            *owner = around.last().copied();
        }
    }
}

/// What trees say about a side.
struct Known {
    /// The rows that a tree has placed.
    told: Vec<bool>,
    /// It is the tree of the whole file.
    whole: bool,
}

/// The rows of a statement as one.
fn join(rows: &[Row]) -> Option<Row> {
    let first = rows.iter().find(|row| row.changed).or(rows.first())?;
    let mut joined = Row { text: String::new(), parts: Parts::default(), ..first.clone() };
    for row in rows {
        // A chain goes on without a space.
        let space = if row.text.trim_start().starts_with('.') || joined.text.is_empty() { "" } else { " " };
        joined.text = format!("{}{space}{}", joined.text, row.text.trim());
        joined.parts.code = format!("{}{space}{}", joined.parts.code, row.code());
        joined.parts.literals.extend(row.parts.literals.iter().cloned());
    }
    joined.changed = rows.iter().any(|row| row.changed);
    joined.depth = 0;
    Some(joined)
}

/// The comment is for readers of the documentation.
pub(super) fn is_document(text: &str) -> bool {
    let text = text.trim_start();
    ["///", "//!", "/**", "* ", "#!", "#:"].iter().any(|mark| text.starts_with(mark))
}

/// A file with both sides.
#[derive(Debug)]
pub(super) struct Sides<'a> {
    pub(super) file: &'a File,
    pub(super) path: &'a str,
    pub(super) kind: FileKind,
    pub(super) language: Language,
    pub(super) old: Half,
    pub(super) new: Half,
}

/// All files that somebody wrote.
pub(super) fn sides<'a>(
    diff: &'a Diff,
    whole: &dyn Fn(&str, Side) -> Option<Vec<u8>>,
    allowance: &mut Allowance,
) -> Vec<Sides<'a>> {
    diff.files.iter().filter(|file| !file.binary).map(|file| of_file(file, whole, allowance)).collect()
}

fn of_file<'a>(
    file: &'a File,
    whole: &dyn Fn(&str, Side) -> Option<Vec<u8>>,
    allowance: &mut Allowance,
) -> Sides<'a> {
    let path = file.path();
    let (kind, language) = (file.kind(), Language::of(path));
    let mut side = |mine: LineChange, path: Option<&String>, which: Side| {
        if kind.is_machine_made() {
            return Half::default();
        }
        let mut half = Half::new(file, mine);
        let mut known = Known { told: Vec::new(), whole: false };
        if let Some((path, grammar)) = path.and_then(|path| Some((path, Grammar::of(path)?)))
            && !half.rows.is_empty()
        {
            known = half.read(language, grammar, whole(path, which), allowance);
            if which == Side::New {
                half.try_comments(grammar, allowance);
            }
        }
        half.finish(language, kind, file, &known);
        half
    };
    let old = side(LineChange::Removed, file.old_path.as_ref(), Side::Old);
    let new = side(LineChange::Added, file.new_path.as_ref(), Side::New);
    Sides { file, path, kind, language, old, new }
}

fn depth(code: &str) -> i64 {
    let step = |byte: u8| match byte {
        b'{' | b'(' => 1,
        b'}' | b')' => -1,
        _ => 0,
    };
    code.bytes().map(step).sum()
}
