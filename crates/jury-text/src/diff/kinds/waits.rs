//! Tests that are made to wait, or to try again until they pass.

use jury_core::severity::Severity;

use super::super::detect::{Detector, DiffEvidence};
use super::super::model::{Dialect, Kind, Statement};
use super::{Look, at};

pub(super) fn added(look: &Look<'_>) -> Vec<DiffEvidence> {
    let mut found = Vec::new();
    for (file_at, file) in look.change.files.iter().enumerate() {
        if file.dialect.is_none_or(|dialect| dialect == Dialect::Settings) {
            continue;
        }
        for (_, statement) in file.added() {
            if !(file.test || file.new.program.is_in_test(statement)) || look.change.moved_here(statement) {
                continue;
            }
            let heads = statement.heads.is_some()
                && ["retries:", "retry:"].iter().any(|mark| statement.text.contains(mark));
            let retries = retries(statement) || heads;
            let sleeps = sleeps(statement);
            if !retries && !sleeps {
                continue;
            }
            let kept = look.was_there(file_at, statement) || retries && file.file.old_path.is_some();
            let before = file.old.program.statements.iter().any(|own| {
                own.text == statement.text
                    || sleeps && self::sleeps(own) && own.unit.is_some() && same_unit(file, own, statement)
            });
            let severity = if kept && !before && !look.prompt.to_lowercase().contains("retr") {
                Severity::Serious
            } else {
                Severity::Minor
            };
            let text = if retries {
                "the test is tried again until it passes"
            } else {
                "the test waits for a time, and not for what it tests"
            };
            found.push(at(Detector::WaitsAdded, severity, file, statement, text));
        }
    }
    found
}

fn same_unit(file: &super::FileChange<'_>, old: &Statement, new: &Statement) -> bool {
    let name = |program: &super::Program, own: &Statement| program.owner(own).map(|unit| unit.name.clone());
    name(&file.old.program, old) == name(&file.new.program, new)
}

fn retries(statement: &Statement) -> bool {
    let text = statement.text.as_str();
    [
        "jest.retryTimes(",
        "this.retries(",
        "@flaky",
        "@pytest.mark.flaky",
        "@RetryingTest",
        "@RepeatedIfExceptionsTest",
        "@Retry",
        "[Retry(",
        "[RetryFact",
        "flaky(",
        "#[flaky",
        "retryTimes(",
        "FlakyTest",
        "rspec-retry",
        "@retry(",
        "rerun",
    ]
    .iter()
    .any(|mark| text.contains(mark))
        && !text.contains("assert")
        && !text.starts_with("expect")
}

fn sleeps(statement: &Statement) -> bool {
    let calls = [
        "sleep",
        "Sleep",
        "usleep",
        "waitForTimeout",
        "delay",
        "Delay",
        "nanosleep",
        "sleep_for",
        "sleep_ms",
        "setTimeout",
    ];
    let at = statement.tokens.windows(2).position(|two| matches!(two, [word, open] if word.kind == Kind::Word && calls.contains(&word.text.as_str()) && (open.is("(") || open.is_value())));
    let shell =
        statement.tokens.first().is_some_and(|first| first.is("sleep")) && statement.tokens.len() <= 3;
    let mocks = [
        "mock",
        "patch",
        "spy",
        "fake",
        "stub",
        "assert",
        "expect",
        "def",
        "fn",
        "func",
        "advance",
        "useFakeTimers",
    ]
    .iter()
    .any(|word| statement.text.contains(word));
    let cypress = statement.text.starts_with("cy.wait(")
        && statement.tokens.iter().any(|token| token.kind == Kind::Number);
    ((at.is_some() || shell) && !mocks && !statement.opens) || cypress
}
