//! Expected values that were edited to fit. A test and the code that it tests change together when behaviour is meant to change:
//! such a value is a question and not a fault, unless what was asked keeps behaviour as it is. A value that changes while nothing
//! that the test calls does was made to fit.

use jury_core::severity::Severity;

use super::super::detect::{Detector, DiffEvidence};
use super::super::model::{Kind, Statement, Test, values_of};
use super::super::path::FileKind;
use super::weakened::matched;
use super::{Look, at};

pub(super) fn values(look: &Look<'_>) -> Vec<DiffEvidence> {
    let mut found = Vec::new();
    // A new version of a dependency can change what comes out.
    let upgraded = look
        .change
        .files
        .iter()
        .any(|file| file.kind == FileKind::Lock || super::super::path::is_manifest(file.path));
    for (old, new) in &look.change.pairs.kept {
        let (Some(before), Some(after)) = (look.change.files.get(old.file), look.change.files.get(new.file))
        else {
            continue;
        };
        if !before.is_whole() || !after.is_whole() {
            continue;
        }
        let (pairs, _, _) = matched((before, old), (after, new));
        // What goes in changed as well.
        let input = inputs(old.statements.iter(), old.assertions.iter().map(|own| own.text.as_str()));
        let now = inputs(new.statements.iter(), new.assertions.iter().map(|own| own.text.as_str()));
        let other_input = input != now;
        for (was, is) in pairs {
            let (Some(then), Some(statement)) =
                (before.old.program.statements.get(was.at), after.new.program.statements.get(is.at))
            else {
                continue;
            };
            if let Some(severity) =
                edited(look, old, then, statement, &new.statements, other_input || upgraded)
            {
                found.push(at(
                    Detector::ExpectedEdited,
                    severity,
                    after,
                    statement,
                    "the expected value was changed, and what is tested was not",
                ));
            }
        }
        // An input that was exchanged for one that is easier.
        for (then, statement) in exchanged(
            &old.statements,
            &new.statements,
            &old.assertions.iter().map(|own| own.text.as_str()).collect::<Vec<_>>(),
        ) {
            let there: Vec<&str> = new.statements.iter().flat_map(|own| values_of(&own.tokens)).collect();
            let gone = values_of(&then.tokens).any(|value| value.len() > 1 && !there.contains(&value));
            let asked = values_of(&statement.tokens)
                .any(|value| value.len() > 1 && look.prompt.contains(value))
                || look.prompt.is_empty();
            if gone && !asked && (look.keeps_behaviour() || look.is_measure(old)) {
                found.push(at(
                    Detector::ExpectedEdited,
                    Severity::Serious,
                    after,
                    statement,
                    "what goes into the test was exchanged, and what was asked keeps the test as it is",
                ));
            }
        }
        for (then, statement) in tables(&old.statements, &new.statements) {
            if let Some(severity) = edited(look, old, then, statement, &new.statements, upgraded) {
                found.push(at(
                    Detector::ExpectedEdited,
                    severity,
                    after,
                    statement,
                    "an expected value was changed, and what is tested was not",
                ));
            }
        }
    }
    found
}

fn inputs<'a>(
    statements: impl Iterator<Item = &'a Statement>,
    asserted: impl Iterator<Item = &'a str>,
) -> Vec<&'a str> {
    let asserted: Vec<&str> = asserted.collect();
    statements.map(|own| own.text.as_str()).filter(|text| !asserted.contains(text)).collect()
}

/// Statements of one shape that have other values, and are no assertions.
fn exchanged<'a>(
    old: &'a [Statement],
    new: &'a [Statement],
    asserted: &[&str],
) -> Vec<(&'a Statement, &'a Statement)> {
    let shape = |own: &Statement| -> Vec<String> {
        own.tokens
            .iter()
            .map(|token| if token.is_value() { String::new() } else { token.text.clone() })
            .collect()
    };
    let reports = |own: &Statement| {
        own.tokens.iter().take(4).any(|token| {
            ["Errorf", "Fatalf", "Logf", "Error", "Fatal", "Log", "print", "log", "console"]
                .iter()
                .any(|word| token.is(word))
        })
    };
    let gone: Vec<&Statement> = old
        .iter()
        .filter(|own| own.changed && !reports(own) && !asserted.contains(&own.text.as_str()))
        .collect();
    new.iter()
        .filter(|own| own.changed)
        .filter_map(|own| {
            gone.iter().find(|was| was.text != own.text && shape(was) == shape(own)).map(|was| (*was, own))
        })
        .collect()
}

/// Statements under a name that says what is expected, and tables, of one shape in both versions.
fn tables<'a>(old: &'a [Statement], new: &'a [Statement]) -> Vec<(&'a Statement, &'a Statement)> {
    let named = |statement: &Statement| {
        let name = statement.tokens.iter().take(4).find(|token| {
            token.kind == Kind::Word
                && !matches!(
                    token.text.as_str(),
                    "const" | "let" | "var" | "final" | "val" | "auto" | "static"
                )
        });
        name.is_some_and(|name| {
            let lower = name.text.to_lowercase();
            ["expect", "want", "golden", "cases", "tests", "table", "should"]
                .iter()
                .any(|word| lower.contains(word))
                && lower != "expect"
        })
    };
    let shape = |statement: &Statement| -> Vec<String> {
        statement
            .tokens
            .iter()
            .map(|token| if token.is_value() { "·".to_owned() } else { token.text.clone() })
            .collect()
    };
    new.iter()
        .filter(|own| own.changed && named(own))
        .filter_map(|own| {
            old.iter().find(|was| was.changed && shape(was) == shape(own)).map(|was| (was, own))
        })
        .collect()
}

/// How grave it is that a value changed, if nothing else of the statement did.
fn edited(
    look: &Look<'_>,
    own: &Test,
    was: &Statement,
    is: &Statement,
    test: &[Statement],
    excused: bool,
) -> Option<Severity> {
    let names = |statement: &Statement| -> Vec<String> {
        statement
            .tokens
            .iter()
            .filter(|token| token.kind == Kind::Word)
            .map(|token| token.text.clone())
            .collect()
    };
    let (old, new): (Vec<&str>, Vec<&str>) =
        (values_of(&was.tokens).collect(), values_of(&is.tokens).collect());
    let truth = ["true", "false", "True", "False", "None", "null", "nil"];
    let plain = |names: Vec<String>| -> Vec<String> {
        names.into_iter().filter(|name| !truth.contains(&name.as_str())).collect()
    };
    if old == new && names(was) == names(is)
        || plain(names(was)) != plain(names(is))
        || old.len().abs_diff(new.len()) > 2
    {
        return None;
    }
    // One value of many: the first of a call is what goes in.
    let first_differs =
        old.len() > 1 && old.len() == new.len() && old.first() != new.first() && old.last() == new.last();
    let asked =
        new.iter().any(|value| value.len() > 1 && !old.contains(value) && look.prompt.contains(*value));
    // What a test calls cannot always be followed: a change of the product anywhere can be the reason.
    let _ = test;
    let altered = look.change.product_changed;
    if asked || (excused || first_differs) && !look.is_measure(own) {
        return Some(Severity::Minor);
    }
    Some(if !altered || look.keeps_behaviour() || look.is_measure(own) {
        Severity::Serious
    } else {
        Severity::Minor
    })
}
