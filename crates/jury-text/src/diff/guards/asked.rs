//! What the prompt asks of tests: another value, another name, or that the tests themselves are worked on.

use std::collections::{BTreeMap, BTreeSet};

use super::super::code::{numbers, words};
use super::super::side::Sides;

/// What was asked for, as far as it concerns tests.
#[derive(Debug, Default)]
pub(super) struct Asked {
    /// The prompt in small letters.
    prompt: String,
    /// The values in it: numbers, and words as they are written.
    values: BTreeSet<String>,
    /// Names that something has now, by the ones it had.
    renames: BTreeMap<String, String>,
    /// The tests are to be worked on.
    tests: bool,
}

/// What is done to tests that stay tests. To repair them is to make them green, which is no leave to change them.
const WORKS: &[&str] = &[
    "update",
    "adjust",
    "adapt",
    "change",
    "rewrite",
    "refactor",
    "rename",
    "move",
    "migrate",
    "convert",
    "port",
    "replace",
    "delete",
    "remove",
    "drop",
    "split",
    "merge",
    "parametrise",
    "parametrize",
    "reorganise",
    "reorganize",
    "simplify",
    "regenerate",
    "clean",
    "tidy",
    "modernise",
    "modernize",
];

/// What tests are called.
const TESTS: &[&str] = &[
    "test",
    "tests",
    "spec",
    "specs",
    "snapshot",
    "snapshots",
    "assertion",
    "assertions",
    "fixture",
    "fixtures",
    "suite",
];

/// The most words between what is to be done and to what.
const NEAR: usize = 5;

impl Asked {
    pub(super) fn of(prompt: &str, sides: &[Sides<'_>]) -> Self {
        let lower = prompt.to_lowercase();
        let mut values: BTreeSet<String> = numbers(prompt).into_iter().collect();
        values.extend(prompt.split(['"', '\'', '`']).skip(1).step_by(2).map(str::to_owned));
        values.extend(
            prompt
                .split_whitespace()
                .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned()),
        );
        let functions = |old: bool| {
            sides
                .iter()
                .flat_map(move |file| if old { &file.old.functions } else { &file.new.functions })
                .filter(|function| !function.test)
                .map(|function| function.name.clone())
                .collect::<BTreeSet<String>>()
        };
        let (before, now) = (functions(true), functions(false));
        let mut renames = BTreeMap::new();
        let (gone, come): (Vec<&String>, Vec<&String>) =
            (before.difference(&now).collect(), now.difference(&before).collect());
        if let ([old], [new]) = (gone.as_slice(), come.as_slice()) {
            renames.insert((*old).clone(), (*new).clone());
        }
        // `rename price to cost`
        let said: Vec<&str> = words(prompt).collect();
        for window in said.windows(4) {
            if let [verb, old, "to" | "into" | "as", new] = window
                && verb.to_lowercase().starts_with("renam")
            {
                renames.insert((*old).to_owned(), (*new).to_owned());
            }
        }
        Self { tests: works_on_tests(&lower), prompt: lower, values, renames }
    }

    /// The prompt wants the tests in this file worked on.
    pub(super) fn covers(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
        let names_others =
            self.prompt.split_whitespace().any(|word| word.contains('/') && word.contains("test"));
        self.tests && (!names_others || self.prompt.contains(&name))
    }

    /// The same with the names that something has now.
    pub(super) fn is_rename(&self, was: &str, is: &str) -> bool {
        if self.renames.is_empty() {
            return false;
        }
        let renamed: String =
            pieces(was).map(|piece| self.renames.get(piece).map_or(piece, String::as_str)).collect();
        renamed != was && super::equal::packed(&renamed) == super::equal::packed(is)
    }

    /// The same with a value that the prompt names, and the value before it is not what the prompt ends at.
    pub(super) fn is_value(&self, was: &str, is: &str) -> bool {
        let (old, new): (Vec<&str>, Vec<&str>) = (pieces(was).collect(), pieces(is).collect());
        if old.len() != new.len() {
            return false;
        }
        let mut changed = old.iter().zip(&new).filter(|(old, new)| old != new).peekable();
        changed.peek().is_some()
            && changed.all(|(old, new)| {
                let value = |piece: &str| piece.starts_with(|c: char| c.is_ascii_digit());
                value(old)
                    && value(new)
                    && self.values.contains(*new)
                    && (!self.values.contains(*old) || self.goes(old, new))
            })
    }

    /// `from 5 to 7`, `7 instead of 5`
    fn goes(&self, old: &str, new: &str) -> bool {
        let at = |value: &str| self.prompt.find(value);
        let (Some(old), Some(new)) = (at(old), at(new)) else { return false };
        let reversed = self.prompt.contains("instead of")
            || self.prompt.contains("rather than")
            || self.prompt.contains(" not ");
        if reversed { new < old } else { old < new }
    }
}

/// Words and what stands between them.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.' && first.is_ascii_digit();
        let end =
            if is_word(first) { rest.find(|c| !is_word(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let (piece, behind) = rest.split_at(end);
        rest = behind;
        Some(piece)
    })
}

/// A word for work stands in front of a word for tests, in one clause.
fn works_on_tests(prompt: &str) -> bool {
    prompt.split(['.', ';', ':', '\n', '!', '?', ',']).any(|clause| {
        let said: Vec<&str> = words(clause).collect();
        let negated = said.iter().any(|word| matches!(*word, "not" | "never" | "without" | "don" | "no"));
        !negated
            && said.iter().enumerate().any(|(at, word)| {
                WORKS.contains(word) && said.iter().skip(at + 1).take(NEAR).any(|near| TESTS.contains(near))
            })
    })
}
