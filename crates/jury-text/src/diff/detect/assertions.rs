//! Tests that are kept and check less: assertions that are gone, that compare less strictly, that tolerate more, or that
//! hold whatever happens.

use jury_core::severity::Severity;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use super::super::code::{has_word, numbers, value, words};
use super::super::path::{FileKind, Language};
use super::super::side::{Half, Row, Sides};
use super::subject::{Subject, at, at_removed};
use super::{Detector, DiffEvidence};

/// The most assertions of a test that are paired with one another.
const MOST_ASSERTIONS: usize = 64;

/// Is this an assertion of the language's usual libraries?
pub(in crate::diff) fn is_assertion(language: Language, code: &str) -> bool {
    match language {
        Language::Rust => code.contains("assert") && code.contains("!("),
        Language::Python => {
            code.starts_with("assert ")
                || code.starts_with("assert(")
                || code.contains(".assert")
                || code.contains("pytest.raises(")
        }
        Language::Script => ["expect(", "assert(", "assert."].iter().any(|word| has_word(code, word)),
        // The condition compares; `t.Errorf` behind it only reports.
        Language::Go => {
            ["assert.", "require."].iter().any(|word| code.contains(word))
                || (code.starts_with("if ") && is_comparison(code))
        }
        Language::Java => {
            code.contains("assert") || ["verify(", "fail("].iter().any(|word| code.starts_with(word))
        }
        Language::Shell | Language::Pipeline | Language::Other => false,
    }
}

fn is_comparison(code: &str) -> bool {
    ["==", "!=", " > ", " < ", "DeepEqual", "cmp.Diff", "bytes.Equal"].iter().any(|word| code.contains(word))
}

/// How much an assertion asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    /// Nothing: it always holds.
    Nothing,
    /// That there is something.
    Something,
    /// Part of a value, a bound, any error.
    Part,
    /// How many there are.
    Count,
    /// The value itself is compared.
    Value,
}

fn strength(language: Language, row: &Row) -> Strength {
    let code = row.code();
    let has = |marks: &[&str]| marks.iter().any(|mark| code.contains(mark));
    let plain: String = code.chars().filter(|character| !character.is_whitespace()).collect();
    let always = [
        "assert!(true)",
        "assert!(true,",
        "expect(true).toBe(true)",
        "expect(true).toBeTruthy()",
        "assertTrue(true)",
        "assert.True(t,true)",
        "assert.ok(true)",
        "assert(true)",
        "expect(1).toBe(1)",
        "assert1==1",
        "assert_eq!(1,1)",
        "assert_eq!(true,true)",
        "assertThat(true).isTrue()",
        "assertEquals(1,1)",
        "assertEquals(true,true)",
        "self.assertTrue(True)",
        "require.True(t,true)",
    ];
    if always.iter().any(|text| plain.starts_with(text)) || code == "assert True" {
        return Strength::Nothing;
    }
    if language == Language::Go && code.starts_with("if ") {
        let something = code.contains("err != nil")
            || code.contains("== nil")
            || code.contains("len(")
            || code.contains("== \"\"");
        return if something { Strength::Something } else { Strength::Value };
    }
    let something = [
        "is not None",
        "IsNotNone",
        "is_some()",
        "is_ok()",
        "toBeTruthy",
        "toBeDefined",
        "not.toBeNull",
        "not.toBeUndefined",
        "not.toThrow",
        "toHaveBeenCalled()",
        "NotNil",
        "NoError",
        "assertNotNull",
        "isNotNull",
        "NotEmpty",
        "isNotEmpty",
        "assert_called()",
        "toBeFalsy",
        "!= nil",
        "assertDoesNotThrow",
        "is_empty()",
    ];
    if has(&something) {
        return Strength::Something;
    }
    let part = [
        "assertIn(",
        ".contains(",
        "toContain(",
        "toMatch(",
        "toBeGreaterThan",
        "toBeLessThan",
        "isinstance(",
        "assert_ne!",
        "assertNotEqual",
        "NotEqual(",
        "assert.Contains",
        "!=",
        ">=",
        "<=",
        " > ",
        " < ",
        " in ",
        "pytest.raises(Exception",
        "assertThrows(Exception.class",
        "toThrow()",
        "assertRaises(Exception",
        "startsWith(",
        "starts_with(",
        "toMatchObject",
        "expect.any",
        "is_err()",
        "assertNotEquals",
        "toBeInstanceOf",
        "startswith(",
    ];
    if has(&part) {
        return Strength::Part;
    }
    let count = [
        "len(",
        ".len()",
        "toHaveLength",
        ".length",
        "hasSize",
        ".size()",
        "assert.Len",
        "toHaveBeenCalledTimes",
    ];
    if has(&count) {
        return Strength::Count;
    }
    let value = [
        "==",
        "assert_eq!",
        "toBe(",
        "Equal",
        "toStrict",
        "isTo(",
        "CalledWith",
        "called_with",
        "matches!",
        "raises(",
    ];
    if has(&value) || (language == Language::Java && has(&["assertThrows(", "assertArray", "isEqualTo"])) {
        return Strength::Value;
    }
    // The truth of a call says what the call says.
    let bare = language == Language::Python && code.starts_with("assert ") && !code.contains(['(', '.']);
    if bare { Strength::Something } else { Strength::Part }
}

pub(super) fn weakened(subject: &Subject<'_>) -> Vec<DiffEvidence> {
    let mut found = Vec::new();
    let helpers: HashSet<&str> = subject
        .sides
        .iter()
        .flat_map(|file| &file.new.functions)
        .filter(|function| function.head_changed && !function.test)
        .map(|function| function.name.as_str())
        .collect();
    for file in &subject.sides {
        let renamed = renamed(file);
        let before = by_test(file, &file.old, &renamed);
        let after = by_test(file, &file.new, &BTreeMap::new());
        for rows in after.values() {
            for row in rows.iter().filter(|row| row.changed && !subject.assertion_was_there(row)) {
                if is_assertion(file.language, row.code())
                    && strength(file.language, row) == Strength::Nothing
                {
                    let text = "the assertion holds whatever the code does";
                    found.push(at(Detector::AssertionsWeakened, Severity::Serious, file, row, text));
                }
            }
        }
        for (key, rows) in &before {
            let Some(now) = after.get(key) else { continue };
            let asserted = |row: &&&Row| row.changed && is_assertion(file.language, row.code());
            let old: Vec<&Row> = rows
                .iter()
                .filter(asserted)
                .filter(|row| !subject.assertion_comes_back(row))
                .copied()
                .take(MOST_ASSERTIONS)
                .collect();
            let new: Vec<&Row> = now
                .iter()
                .filter(asserted)
                .filter(|row| !subject.assertion_was_there(row))
                .copied()
                .take(MOST_ASSERTIONS)
                .collect();
            let (pairs, alone) = pair(&old, &new);
            for (was, is) in pairs {
                let falls = strength(file.language, is) < strength(file.language, was)
                    && strength(file.language, is) != Strength::Nothing;
                if falls && !same_values(was, is) {
                    let text = "the assertion asks for less than the one it replaces";
                    found.push(at(Detector::AssertionsWeakened, Severity::Serious, file, is, text));
                } else if let Some((less, more)) = widened(was, is) {
                    let text = format!("the tolerance goes from {less} to {more}");
                    found.push(at(Detector::AssertionsWeakened, Severity::Serious, file, is, text));
                }
            }
            let helped = now.iter().filter(|row| row.changed).flat_map(|row| words(&row.parts.code));
            if alone.is_empty() || helped.into_iter().any(|word| helpers.contains(word)) {
                continue;
            }
            for row in alone.into_iter().filter(|row| !subject.values_come_back(row)) {
                let text = "the assertion is removed, and the test stays";
                found.push(at_removed(Detector::AssertionsWeakened, Severity::Serious, file, row, text));
            }
        }
    }
    found
}

/// A test by its name; what has no name to be seen by its hunk.
type Key = (String, usize);

fn by_test<'a>(
    file: &Sides<'_>,
    side: &'a Half,
    renamed: &BTreeMap<String, String>,
) -> BTreeMap<Key, Vec<&'a Row>> {
    let mut rows: BTreeMap<Key, Vec<&Row>> = BTreeMap::new();
    let mut end = 0;
    for (index, row) in side.rows.iter().enumerate() {
        if index < end {
            continue;
        }
        let mut row = row;
        if let Some((behind, joined)) = side.joined.get(&index) {
            (row, end) = (joined, *behind);
        }
        let function = side.function_at(index);
        let in_tests = file.file.hunks.get(row.hunk).is_some_and(|hunk| hunk.section.contains("mod tests"));
        let is_test = function.map_or(file.kind == FileKind::Test || in_tests, |function| {
            function.test || file.kind == FileKind::Test
        });
        if !is_test {
            continue;
        }
        let key = match function {
            Some(function) => (renamed.get(&function.name).unwrap_or(&function.name).clone(), 0),
            None => (String::new(), row.hunk),
        };
        rows.entry(key).or_default().push(row);
    }
    rows
}

/// Tests that have another name now: in a hunk one head goes and one comes.
fn renamed(file: &Sides<'_>) -> BTreeMap<String, String> {
    let heads = |side: &Half, other: &Half| {
        let known: HashSet<&str> = other.functions.iter().map(|function| function.name.as_str()).collect();
        let mut heads: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for function in side.functions.iter().filter(|function| function.test && function.head_changed) {
            if let Some(row) = side.rows.get(function.rows.start)
                && !known.contains(function.name.as_str())
            {
                heads.entry(row.hunk).or_default().push(function.name.clone());
            }
        }
        heads
    };
    let (gone, come) = (heads(&file.old, &file.new), heads(&file.new, &file.old));
    let pairs = gone.iter().filter_map(|(hunk, old)| match (old.as_slice(), come.get(hunk)?.as_slice()) {
        ([old], [new]) => Some((old.clone(), new.clone())),
        _ => None,
    });
    pairs.collect()
}

/// A word that says that something is asserted, and not of what.
fn asserts(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    ["assert", "expect", "require", "verify", "tobe", "toequal"].iter().any(|mark| lower.starts_with(mark))
}

/// Old and new assertions that resemble each other most, and the old ones that are left.
fn pair<'a>(old: &[&'a Row], new: &[&'a Row]) -> (Vec<(&'a Row, &'a Row)>, Vec<&'a Row>) {
    let mut likely = Vec::with_capacity(old.len() * new.len());
    for (is, new) in new.iter().enumerate() {
        let known: HashSet<&str> = words(&new.text).collect();
        for (was, old) in old.iter().enumerate() {
            let shared: Vec<&str> = words(&old.text).filter(|word| known.contains(word)).collect();
            let about = shared.iter().filter(|word| !asserts(word)).count();
            let together = (old.hunk, old.run) == (new.hunk, new.run);
            // What is asserted counts, and not in which words; what took its place comes first, and a like word then. Of
            // equals the first: tests are edited from above.
            let rank = (Reverse(about), Reverse(together), Reverse(shared.len()));
            likely.push((rank, is, was));
        }
    }
    likely.sort_unstable();
    let (mut taken, mut paired) = (vec![false; old.len()], vec![false; new.len()]);
    let mut pairs = Vec::new();
    for (_, is, was) in likely {
        if let (Some(taken), Some(paired)) = (taken.get_mut(was), paired.get_mut(is))
            && !*taken
            && !*paired
        {
            (*taken, *paired) = (true, true);
            pairs.extend(old.get(was).copied().zip(new.get(is).copied()));
        }
    }
    let left = old.iter().zip(taken).filter(|(_, taken)| !taken).map(|(row, _)| *row).collect();
    (pairs, left)
}

/// A value that was compared with is compared with still.
fn same_values(was: &Row, is: &Row) -> bool {
    let old = super::subject::values(was);
    let new = super::subject::values(is);
    !old.is_empty() && old.iter().all(|value| new.contains(value))
}

/// The tolerance before and after, if it grew.
fn widened(was: &Row, is: &Row) -> Option<(String, String)> {
    let marks = [
        "abs",
        "rel=",
        "rtol",
        "atol",
        "epsilon",
        "delta",
        "Delta",
        "toleran",
        "TOLERAN",
        "EPS",
        "CloseTo",
        "AlmostEqual",
        "decimal=",
        "within(",
        "offset(",
    ];
    // Places after the point: fewer tolerate more.
    let places =
        ["toBeCloseTo", "places=", "decimal=", "AlmostEqual"].iter().any(|mark| is.code().contains(mark))
            && !is.code().contains("delta");
    if !marks.iter().any(|mark| is.code().contains(mark) && was.code().contains(mark)) {
        return None;
    }
    let (old, new) = (numbers(&was.parts.code), numbers(&is.parts.code));
    if old.len() != new.len() {
        return None;
    }
    let mut differences = old.into_iter().zip(new).filter(|(old, new)| old != new);
    let (less, more) = differences.next()?;
    if differences.next().is_some() {
        return None;
    }
    let (before, after) = (value(&less)?, value(&more)?);
    let grew = if places { after < before } else { after > before };
    grew.then_some((less, more))
}
