//! What all detectors look at: the change with its sides, and where its lines went.

use jury_core::severity::Severity;
use std::collections::{HashMap, HashSet};

use super::super::code::words;
use super::super::side::{Half, Row, Sides, sides};
use super::super::tree::Allowance;
use super::super::{Diff, Side};
use super::{Detector, DiffEvidence, is_assertion, redact};

/// A change, prepared for the detectors.
pub(super) struct Subject<'a> {
    pub(super) diff: &'a Diff,
    pub(super) prompt: &'a str,
    pub(super) sides: Vec<Sides<'a>>,
    /// How often a line was removed anywhere, without the space around it.
    removed: HashMap<String, usize>,
    /// The lines that were added anywhere.
    added: HashSet<String>,
    /// The texts and numbers in lines that were added to tests: what stands in the code that is tested checks nothing.
    added_values: HashSet<String>,
    /// Assertions that were removed or added anywhere, without space: a formatter may wrap them.
    removed_assertions: HashSet<String>,
    added_assertions: HashSet<String>,
}

impl<'a> Subject<'a> {
    pub(super) fn new(
        diff: &'a Diff,
        prompt: &'a str,
        whole: &dyn Fn(&str, Side) -> Option<Vec<u8>>,
        allowance: &mut Allowance,
    ) -> Self {
        let sides = sides(diff, whole, allowance);
        let mut removed = HashMap::new();
        let mut added = HashSet::new();
        let mut added_values = HashSet::new();
        for file in &sides {
            for (_, row) in file.old.changed() {
                *removed.entry(row.text.trim().to_owned()).or_default() += 1;
            }
            for (index, row) in file.new.changed() {
                added.insert(row.text.trim().to_owned());
                if is_of_test(file, index) {
                    added_values.extend(values(row));
                }
            }
        }
        let removed_assertions = assertions(&sides, Side::Old);
        let added_assertions = assertions(&sides, Side::New);
        Self { diff, prompt, sides, removed, added, added_values, removed_assertions, added_assertions }
    }

    /// The assertion comes back somewhere, perhaps wrapped in another way.
    pub(super) fn assertion_comes_back(&self, row: &Row) -> bool {
        self.comes_back(row) || self.added_assertions.contains(&packed(row))
    }

    /// The assertion stood somewhere before, perhaps wrapped in another way.
    pub(super) fn assertion_was_there(&self, row: &Row) -> bool {
        self.was_there(row) || self.removed_assertions.contains(&packed(row))
    }

    /// The line stood somewhere before: it moved.
    pub(super) fn was_there(&self, row: &Row) -> bool {
        self.removed.contains_key(row.text.trim())
    }

    /// How often a line with this text was removed.
    pub(super) fn removals(&self, row: &Row) -> usize {
        self.removed.get(row.text.trim()).copied().unwrap_or_default()
    }

    /// The line comes back somewhere.
    pub(super) fn comes_back(&self, row: &Row) -> bool {
        self.added.contains(row.text.trim())
    }

    /// The row has values, and all of them come back in added lines of tests.
    pub(super) fn values_come_back(&self, row: &Row) -> bool {
        let values = values(row);
        !values.is_empty() && values.iter().all(|value| self.added_values.contains(value))
    }
}

/// How far the table of a test may stand from its name, and its cases from its head.
const LONGEST_TABLE_ROWS: usize = 60;

/// Whether a new row belongs to a test: it stands in one, among the marks above one, or in a table that one uses.
fn is_of_test(file: &Sides<'_>, index: usize) -> bool {
    let half = &file.new;
    if let Some(function) = half.function_at(index) {
        return function.test;
    }
    let Some(row) = half.rows.get(index) else { return false };
    if is_assertion(file.language, row.code()) {
        return true;
    }
    // The beginning of the statement that the row is part of: nothing around it is less indented.
    let above = half.rows.get(..=index).unwrap_or_default().iter().rev().take(LONGEST_TABLE_ROWS);
    let begins = |row: &&Row| {
        let code = row.code();
        row.indent() == 0 && !code.is_empty() && !code.starts_with([')', ']', '}'])
            || code.starts_with('@')
            || code.starts_with("#[")
    };
    let Some(head) = above.take_while(|other| other.hunk == row.hunk).find(begins) else { return false };
    let code = head.code();
    if code.starts_with('@') || code.starts_with("#[") {
        let next = half
            .functions
            .iter()
            .filter(|function| function.rows.start > index)
            .min_by_key(|own| own.rows.start);
        return next.is_some_and(|own| own.test && own.rows.start <= index + LONGEST_TABLE_ROWS);
    }
    let Some((name, _)) = code.split_once('=') else { return false };
    // `const CASES: [u32; 3]`, `CASES: list[int]`, `var cases`
    let name = name.split(':').next().unwrap_or(name);
    let Some(name) = words(name).last() else { return false };
    let mut tests = half.functions.iter().filter(|function| function.test);
    tests.any(|test| {
        let body = half.rows.get(test.rows.clone()).unwrap_or_default();
        body.iter().any(|row| words(&row.parts.code).any(|word| word == name))
    })
}

/// The assertions that are on one side alone, packed.
fn assertions(sides: &[Sides<'_>], which: Side) -> HashSet<String> {
    let mut all = HashSet::new();
    for file in sides {
        let half = if which == Side::Old { &file.old } else { &file.new };
        let joined = half.joined.values().map(|(_, row)| row).filter(|row| row.changed);
        let rows = half.changed().map(|(_, row)| row).chain(joined);
        all.extend(rows.filter(|row| is_assertion(file.language, row.code())).map(packed));
    }
    all
}

/// The text without space, and without a comma before a bracket that closes.
fn packed(row: &Row) -> String {
    let mut packed = String::with_capacity(row.text.len());
    for character in row.text.chars().filter(|character| !character.is_whitespace()) {
        if matches!(character, ')' | ']' | '}') && packed.ends_with(',') {
            packed.pop();
        }
        packed.push(character);
    }
    packed
}

/// The texts and numbers in a line.
pub(super) fn values(row: &Row) -> Vec<String> {
    let texts = row.parts.literals.iter().filter(|text| !text.is_empty()).cloned();
    texts.chain(super::super::code::numbers(&row.parts.code)).collect()
}

/// Evidence in a new line.
pub(super) fn at(
    detector: Detector,
    severity: Severity,
    file: &Sides<'_>,
    row: &Row,
    text: impl Into<String>,
) -> DiffEvidence {
    DiffEvidence {
        detector,
        severity,
        path: file.path.to_owned(),
        line: row.number,
        removed: false,
        quote: quote(&row.text),
        text: text.into(),
    }
}

/// Evidence in a line that was removed.
pub(super) fn at_removed(
    detector: Detector,
    severity: Severity,
    file: &Sides<'_>,
    row: &Row,
    text: impl Into<String>,
) -> DiffEvidence {
    let path = file.file.old_path.as_deref().unwrap_or(file.path).to_owned();
    DiffEvidence { removed: true, path, ..at(detector, severity, file, row, text) }
}

/// Evidence about a file.
pub(in crate::diff) fn of_file(
    detector: Detector,
    severity: Severity,
    path: &str,
    text: impl Into<String>,
) -> DiffEvidence {
    DiffEvidence {
        detector,
        severity,
        path: path.to_owned(),
        line: 0,
        removed: false,
        quote: String::new(),
        text: text.into(),
    }
}

/// As much of a line as a reader needs, without secrets.
pub(in crate::diff) fn quote(text: &str) -> String {
    let redacted = redact(text.trim());
    let mut short: String = redacted.chars().take(160).collect();
    if short.len() < redacted.len() {
        short.push('…');
    }
    short
}

/// The code behind a row up to so many rows, in the same hunk.
pub(super) fn following(side: &Half, index: usize, count: usize) -> impl Iterator<Item = &Row> {
    let hunk = side.rows.get(index).map(|row| row.hunk);
    side.rows.iter().skip(index + 1).take(count).take_while(move |row| Some(row.hunk) == hunk)
}
