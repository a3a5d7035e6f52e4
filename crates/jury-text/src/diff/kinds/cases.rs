//! Rows of a table of tests that are gone. A row that another one repeats may go, and so may rows about a thing that is gone.

use std::collections::HashMap;

use jury_core::severity::Severity;

use super::super::Side;
use super::super::detect::{Detector, DiffEvidence};
use super::super::model::{Kind, Program, Statement, Token};
use super::{Look, at_line};

pub(super) fn dropped(look: &Look<'_>) -> Vec<DiffEvidence> {
    let mut found = Vec::new();
    for file in look
        .change
        .files
        .iter()
        .filter(|file| !file.path.ends_with(".yml") && !file.path.ends_with(".yaml"))
        .filter(|file| file.is_whole() && file.file.old_path.is_some())
    {
        let program = &file.old.program;
        let has_tests = file.test || program.tests().next().is_some();
        if !has_tests || file.file.new_path.is_none() {
            continue;
        }
        // The statement of the new version that begins in the same way.
        let mut new: HashMap<(String, [&str; 3]), &Statement> = HashMap::new();
        for (_, own) in file.added() {
            if let Some(begins) = beginning(own) {
                new.entry((owner(&file.new.program, own), begins)).or_insert(own);
            }
        }
        for was in program.statements.iter().filter(|own| own.changed && own.tokens.len() >= 6) {
            if !file.test && !program.is_in_test(was) {
                continue;
            }
            let Some(is) = beginning(was).and_then(|begins| new.get(&(owner(program, was), begins)).copied())
            else {
                continue;
            };
            if let Some(rows) = lost_rows(was, is)
                && rows > 0
            {
                let severity = if look.change.is_obsolete(std::slice::from_ref(was)) || moved(look, was, is) {
                    Severity::Minor
                } else {
                    Severity::Serious
                };
                found.push(at_line(
                    Detector::CasesDropped,
                    severity,
                    file,
                    Side::Old,
                    was.line,
                    "cases of this test are gone",
                ));
            }
            if let Some((many, few)) = fewer(was, is) {
                found.push(super::at(
                    Detector::CasesDropped,
                    Severity::Serious,
                    file,
                    is,
                    format!("the number of tries goes from {many} to {few}"),
                ));
            }
        }
    }
    found
}

/// The function that a statement belongs to or is the head of: two tables of a file may begin alike.
fn owner(program: &Program, statement: &Statement) -> String {
    let own = statement.heads.and_then(|unit| program.units.get(unit));
    own.or_else(|| program.owner(statement)).map(|unit| unit.name.clone()).unwrap_or_default()
}

/// How a statement begins, up to its first value.
fn beginning(own: &Statement) -> Option<[&str; 3]> {
    let mut words = own.tokens.iter().take_while(|token| !token.is_value()).map(|token| token.text.as_str());
    let (first, second) = (words.next()?, words.next()?);
    Some([first, second, words.next().unwrap_or_default()])
}

fn bag(tokens: &[Token]) -> HashMap<&str, i64> {
    let mut bag = HashMap::new();
    for token in tokens {
        *bag.entry(token.text.as_str()).or_default() += 1;
    }
    bag
}

/// How many values are gone where nothing came; none if it is not a mere removal.
fn lost_rows(was: &Statement, is: &Statement) -> Option<usize> {
    let (old, new) = (bag(&was.tokens), bag(&is.tokens));
    let only_less =
        new.iter().all(|(text, count)| *text == "," || old.get(text).is_some_and(|before| before >= count));
    let values = |tokens: &[Token]| {
        tokens
            .iter()
            .filter(|token| {
                token.is_value()
                    || matches!(
                        token.text.as_str(),
                        "true" | "false" | "True" | "False" | "None" | "null" | "nil"
                    )
            })
            .count()
    };
    let rows = |tokens: &[Token]| {
        // Elements of the outermost list.
        let mut depth = 0_i32;
        let mut most = Vec::new();
        for token in tokens.iter().filter(|token| token.kind == Kind::Mark) {
            match token.text.as_str() {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                "," => most.push(depth),
                _ => {}
            }
        }
        most.len()
    };
    let (before, after) = (values(&was.tokens), values(&is.tokens));
    let listed = was.tokens.iter().any(|token| token.is("[") || token.is("{") || token.is("("))
        && rows(&was.tokens) >= 2;
    if !only_less || before < after + 1 || !listed || rows(&was.tokens) <= rows(&is.tokens) {
        return None;
    }
    // What is gone stands in no other row.
    let distinct = old.iter().filter(|(text, _)| !new.contains_key(*text) && text.len() > 1).count();
    let shrunk = before - after;
    (distinct > 0 || shrunk >= 3).then_some(shrunk)
}

/// The rows stand in another table now.
fn moved(look: &Look<'_>, was: &Statement, is: &Statement) -> bool {
    let kept: Vec<&str> = is.tokens.iter().map(|token| token.text.as_str()).collect();
    let gone: Vec<&str> = was
        .tokens
        .iter()
        .filter(|token| token.is_value() && !kept.contains(&token.text.as_str()))
        .map(|token| token.text.as_str())
        .collect();
    let new = look
        .change
        .files
        .iter()
        .filter(|file| file.test)
        .flat_map(|file| file.added())
        .filter(|(_, own)| own.text != is.text);
    let values: Vec<&str> = new.flat_map(|(_, own)| &own.tokens).map(|token| token.text.as_str()).collect();
    !gone.is_empty() && gone.iter().all(|value| values.contains(value))
}

/// How often a property is tried, where that fell.
fn fewer(was: &Statement, is: &Statement) -> Option<(u64, u64)> {
    let names = [
        "max_examples",
        "numRuns",
        "num_runs",
        "cases",
        "iterations",
        "tries",
        "quickcheck_tests",
        "QUICKCHECK_TESTS",
        "repetitions",
        "value",
    ];
    let number = |own: &Statement| {
        let at = own.tokens.iter().position(|token| names.iter().any(|name| token.is(name)))?;
        own.tokens.get(at + 2)?.text.parse::<u64>().ok()
    };
    let (many, few) = (number(was)?, number(is)?);
    (few * 2 < many).then_some((many, few))
}
