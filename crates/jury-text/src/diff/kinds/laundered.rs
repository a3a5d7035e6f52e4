//! Subjects that are sorted, trimmed, cut or converted before they are compared. Where the product now gives a set, or says that
//! order means nothing, the test has a reason to sort.

use std::collections::HashMap;

use jury_core::severity::Severity;

use super::super::detect::{Detector, DiffEvidence};
use super::super::model::{Kind, Statement, Test};
use super::{Look, at};

/// Calls that take a difference away.
const WASHING: &[&str] = &[
    "sorted",
    "sort",
    "sort_by",
    "toSorted",
    "sort_unstable",
    "Sort",
    "trim",
    "Trim",
    "strip",
    "TrimSpace",
    "lower",
    "toLowerCase",
    "ToLower",
    "to_lowercase",
    "downcase",
    "casefold",
    "lowercase",
    "upper",
    "toUpperCase",
    "replace",
    "replaceAll",
    "ReplaceAll",
    "gsub",
    "slice",
    "round",
    "Round",
    "dedup",
    "unique",
    "uniq",
    "squeeze",
    "truncate",
    "rstrip",
    "lstrip",
    "trimEnd",
    "trimStart",
    "normalize",
    "OrderBy",
    "Distinct",
    "sorted_by",
    "strtolower",
    "str_replace",
];

pub(super) fn subjects(look: &Look<'_>) -> Vec<DiffEvidence> {
    let unordered = look
        .change
        .files
        .iter()
        .filter(|file| file.is_source())
        .flat_map(|file| file.added())
        .flat_map(|(_, own)| &own.tokens)
        .any(|token| {
            let lower = token.text.to_lowercase();
            token.kind == Kind::Word
                && [
                    "hashmap",
                    "hashset",
                    "unordered",
                    "parallel",
                    "sort",
                    "concurrent",
                    "goroutine",
                    "gather",
                    "map",
                ]
                .iter()
                .any(|word| lower == *word || lower.contains("unordered") || lower.contains("hashset"))
        });
    let mut found = Vec::new();
    for (old, new) in &look.change.pairs.kept {
        let (Some(before), Some(after)) = (look.change.files.get(old.file), look.change.files.get(new.file))
        else {
            continue;
        };
        if !before.is_whole() || !after.is_whole() {
            continue;
        }
        let counts = |test: &Test| {
            let mut counts: HashMap<String, usize> = HashMap::new();
            for statement in &test.statements {
                for word in washed(statement) {
                    *counts.entry(word.to_owned()).or_default() += 1;
                }
            }
            counts
        };
        let (was, is) = (counts(old), counts(new));
        let more = is.iter().find(|(word, count)| was.get(*word).copied().unwrap_or_default() < **count);
        // A test that grows may say more in other words.
        let grown = new.assertions.len() > old.assertions.len();
        let Some((word, _)) = more.filter(|_| !grown) else { continue };
        let line = new.statements.iter().find(|own| {
            own.changed
                && washed(own).any(|own| own == word)
                && !old.statements.iter().any(|was| was.text == own.text)
        });
        // The statement has a counterpart that says the same without it, and an assertion is made on it.
        let Some(statement) = line else { continue };
        let asserted = new.assertions.iter().any(|own| own.text == statement.text) || {
            let at = statement.tokens.iter().position(|token| token.is("=") || token.is(":="));
            let names = at.and_then(|at| statement.tokens.get(..at)).unwrap_or_default();
            let mut said = new.assertions.iter().filter_map(|own| after.new.program.statements.get(own.at));
            said.any(|own| {
                names.iter().any(|name| {
                    name.kind == Kind::Word
                        && name.text.len() > 1
                        && own.tokens.iter().any(|token| token.text == name.text)
                })
            })
        };
        if !asserted {
            continue;
        }
        let plain = |own: &Statement| -> Vec<String> {
            own.tokens
                .iter()
                .filter(|token| {
                    matches!(token.kind, Kind::Word | Kind::Text | Kind::Number)
                        && !WASHING.contains(&token.text.as_str())
                })
                .map(|token| token.text.clone())
                .collect()
        };
        let mine = plain(statement);
        let twin = old.statements.iter().any(|was| {
            let other = plain(was);
            let shared = other.iter().filter(|word| mine.contains(word)).count();
            !other.is_empty() && shared * 10 >= other.len() * 9 && mine.len() <= other.len() + 2
        });
        if !twin {
            continue;
        }
        let text = format!("`{word}` takes away a difference before it is compared");
        let severity = if unordered || look.change.is_obsolete(&old.statements) {
            Severity::Minor
        } else {
            Severity::Serious
        };
        found.push(at(Detector::SubjectLaundered, severity, after, statement, text));
    }
    found
}

fn washed(statement: &Statement) -> impl Iterator<Item = &str> {
    statement.tokens.windows(2).filter_map(|two| match two {
        [word, next]
            if word.kind == Kind::Word
                && (next.is("(") || next.is("!"))
                && WASHING.contains(&word.text.as_str()) =>
        {
            Some(word.text.as_str())
        }
        _ => None,
    })
}
