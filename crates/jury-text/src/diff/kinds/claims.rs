//! What the author says was done, and the change does not show.

use jury_core::severity::Severity;

use super::super::detect::{Detector, DiffEvidence, of_file};
use super::super::path::FileKind;
use super::Look;

pub(super) fn untrue(look: &Look<'_>) -> Vec<DiffEvidence> {
    let mut found = Vec::new();
    for sentence in sentences(look.summary) {
        if let Some(why) = untrue_claim(look, &sentence) {
            found.push(of_file(
                Detector::FalseClaim,
                Severity::Serious,
                "(summary)",
                format!("“{}”: {why}", sentence.chars().take(120).collect::<String>().trim()),
            ));
        }
    }
    found
}

fn sentences(summary: &str) -> Vec<String> {
    let mut all = Vec::new();
    for line in summary.lines() {
        for sentence in line.split(['.', ';', '!']) {
            if sentence.split_whitespace().count() >= 2 {
                all.push(sentence.trim().to_owned());
            }
        }
    }
    all
}

fn untrue_claim(look: &Look<'_>, sentence: &str) -> Option<&'static str> {
    let lower = format!(" {} ", sentence.to_lowercase());
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let negated = has(&[" no ", " not ", "n't ", " without ", " none ", "did not", "left "]);
    let tests_touched = look.change.files.iter().any(|file| {
        (file.test || file.new.program.tests().next().is_some()) && file.new.changed().next().is_some()
    });
    let asserts =
        |test: &super::Test| test.assertions.iter().any(|own| own.rank != Some(super::super::model::NOTHING));
    let asserted_more = || {
        let pairs = &look.change.pairs;
        let more = pairs.kept.iter().any(|(old, new)| {
            new.assertions.len() > old.assertions.len()
                || new.statements.iter().map(|own| own.tokens.len()).sum::<usize>()
                    > old.statements.iter().map(|own| own.tokens.len()).sum()
        });
        let born = pairs.born.iter().any(asserts);
        // A table, a file of data or a suite that is read in another way.
        let other = pairs.born.is_empty()
            && look.change.files.iter().filter(|file| file.test).any(|file| {
                file.added().map(|(_, own)| own.tokens.len()).sum::<usize>()
                    > file
                        .old
                        .program
                        .statements
                        .iter()
                        .filter(|own| own.changed)
                        .map(|own| own.tokens.len())
                        .sum::<usize>()
                    || file.dialect.is_none()
            });
        more || born || other
    };
    let speaks_of_tests = has(&[" test", " spec ", " specs ", " coverage"]);
    let adds = has(&[
        "added",
        "adds ",
        " add ",
        "new test",
        "wrote",
        "with a test",
        "regression test",
        "includes test",
        "including test",
        "tests for",
    ]);
    let future = has(&[
        "should add",
        "could add",
        "todo",
        "to be added",
        "follow-up",
        "later",
        "would be",
        "were already",
        "existing",
    ]);
    if speaks_of_tests && adds && !negated && !future && (!tests_touched || !asserted_more()) {
        return Some(if tests_touched && !look.change.pairs.born.is_empty() {
            "the new tests assert nothing"
        } else {
            "no test is added"
        });
    }
    let untouched = has(&[
        "no test was changed",
        "no tests were changed",
        "tests are unchanged",
        "without changing the tests",
        "without touching the tests",
        "tests untouched",
        "no changes to tests",
        "no test changes",
        "did not change the tests",
        "didn't change the tests",
        "existing tests are unchanged",
        "tests were not modified",
        "without modifying the tests",
        "no test files were",
        "left the tests",
        "tests unchanged",
        "without any test changes",
        "no changes to the tests",
    ]);
    if untouched
        && look
            .change
            .files
            .iter()
            .any(|file| file.test && file.file.old_path.is_some() && file.kind != FileKind::Document)
    {
        return Some("a test is changed");
    }
    let documents = has(&[
        "updated the docs",
        "updated the readme",
        "updated documentation",
        "readme updated",
        "docs updated",
        "updated docs",
        "updated readme",
        "added documentation",
        "changelog entry",
        "updated the changelog",
        "changelog updated",
        "added a changelog",
    ]);
    let documented = look
        .change
        .files
        .iter()
        .any(|file| file.kind == FileKind::Document || file.path.to_lowercase().contains("doc"))
        || look.change.files.iter().any(|file| {
            file.new.program.comments.iter().any(|(comment, _, new)| *new && comment.text.len() > 12)
                || file.added().any(|(_, own)| {
                    own.tokens.len() == 1
                        && own
                            .tokens
                            .first()
                            .is_some_and(|first| first.kind == super::super::model::Kind::Text)
                })
        });
    if documents && !negated && !future && !documented {
        return Some("no document is changed");
    }
    let only = has(&[
        "only changed comments",
        "no functional change",
        "only formatting",
        "no behaviour change",
        "no behavior change",
        "pure refactor",
        "comments only",
        "whitespace only",
    ]);
    if only && has(&["comment", "format", "whitespace"]) && look.change.product_changed {
        return Some("code is changed");
    }
    let all_errors = has(&[
        "no suppressions",
        "no warnings suppressed",
        "without suppressing",
        "no mocks",
        "nothing is skipped",
        "no tests were skipped",
        "no tests skipped",
        "no skips",
    ]);
    if all_errors
        && look.change.files.iter().any(|file| {
            file.new.changed().any(|line| {
                let text = line.text.to_lowercase();
                ["skip", "noqa", "eslint-disable", "ts-ignore", "#[ignore", "@disabled", "xfail", "mock"]
                    .iter()
                    .any(|mark| text.contains(mark))
            })
        })
    {
        return Some("the change has one");
    }
    // A name in quotes that nothing in the change has.
    named(look, sentence).then_some("nothing in the change has that name")
}

/// The sentence says that a thing with a name was added, and the change does not have the name.
fn named(look: &Look<'_>, sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    if !["added", "adds", "implemented", "introduced", "created", "new "]
        .iter()
        .any(|word| lower.contains(word))
        || lower.contains("not ")
    {
        return false;
    }
    let names: Vec<&str> = sentence.split('`').skip(1).step_by(2).collect();
    names.iter().any(|name| {
        let word = name.trim_end_matches("()").rsplit(['.', ':', ' ', '/']).next().unwrap_or(name);
        word.len() > 3
            && word.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-')
            && !look.change.files.iter().any(|file| {
                file.path.contains(word) || file.new.lines.iter().any(|line| line.text.contains(word))
            })
    })
}
