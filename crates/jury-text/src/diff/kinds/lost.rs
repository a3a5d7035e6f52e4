//! Tests that are gone. Nine of ten deleted tests are deleted because what they test is gone: such a one is minor. A test that is
//! renamed, moved, split, merged or made a table is not gone.

use jury_core::severity::Severity;

use super::super::Side;
use super::super::detect::{Detector, DiffEvidence};
use super::super::model::UnitKind;
use super::{Look, at_line};

/// The most tests that are looked at: nobody reads on.
const MOST_TOLD: usize = 200;

pub(super) fn tests(look: &Look<'_>) -> Vec<DiffEvidence> {
    let mut found = Vec::new();
    for test in look.change.pairs.lost.iter().take(MOST_TOLD) {
        let Some(file) = look.change.files.get(test.file) else { continue };
        let program = &file.old.program;
        let Some(unit) = program.units.get(test.unit) else { continue };
        // Whether it is there can be said of a file that is seen whole.
        if !file.is_whole() || super::collected::runs_no_more(look, test) {
            continue;
        }
        let body: Vec<&str> = test.statements.iter().map(|own| own.text.as_str()).collect();
        let asleep = file.new.program.comments.iter().filter(|(comment, _, new)| {
            *new && body
                .iter()
                .any(|text| squeezed(&comment.text).contains(&squeezed(text)) && text.len() > 6)
        });
        let commented = asleep.count() * 2 >= body.len() && !body.is_empty();
        let head = program.head(unit).map_or(&[][..], std::slice::from_ref);
        let feature_gone = look.change.is_obsolete(&test.statements) || look.change.is_obsolete(head);
        // Tests within a test that is lost are lost with it.
        let nested = program.around(unit.parent).any(|outer| outer.kind == UnitKind::Test);
        let hollow = test.assertions.is_empty();
        // A feature that is given up with its test was asked for.
        let asked = (look.prompt.is_empty() || removes(look.prompt)) && !look.is_measure(test);
        let minor = (feature_gone && asked && !commented) || nested || hollow || removes_tests(look.prompt);
        let severity = if minor { Severity::Minor } else { Severity::Serious };
        let text = if commented {
            format!("the test “{}” is commented out", test.name)
        } else {
            format!("the test “{}” is removed, and what it checks does not come back", test.name)
        };
        found.push(at_line(Detector::TestsDeleted, severity, file, Side::Old, unit.line, text));
    }
    found
}

/// What was asked for takes something away, or puts it elsewhere.
fn removes(prompt: &str) -> bool {
    let prompt = prompt.to_lowercase();
    [
        "remov",
        "drop",
        "delet",
        "replac",
        "renam",
        "rewrit",
        "refactor",
        "merg",
        "mov",
        "deprecat",
        "clean",
        "simplif",
        "obsolete",
        "unused",
        "no longer",
        "instead",
        "migrat",
        "rework",
        "redesign",
        "convert",
        "switch",
        "revert",
        "split",
        "extract",
        "inline",
        "get rid",
        "retire",
        "consolidat",
        "chang",
        "bump",
        "updat",
        "upgrad",
        "improv",
        "use ",
        "test",
        "don't",
        "stop",
    ]
    .iter()
    .any(|word| prompt.contains(word))
}

/// Tests were to be taken away.
fn removes_tests(prompt: &str) -> bool {
    let prompt = prompt.to_lowercase();
    let away = ["remov", "delet", "drop", "duplicate", "redundant", "unnec", "clean", "obsolete"];
    prompt.starts_with("revert") || prompt.contains("test") && away.iter().any(|word| prompt.contains(word))
}

/// Without space, quotes and what ends a statement: comments keep the spelling of their author.
fn squeezed(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '"' | '\'' | '`' | ';' | ',' | '{' | '}'))
        .collect()
}
