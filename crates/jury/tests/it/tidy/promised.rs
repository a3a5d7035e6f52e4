//! The documents that were asked for are there, and each says what it is for.

use super::settle;
use super::tree::{read, root};

/// A document, and words that it cannot do without.
const PROMISED: &[(&str, &[&str])] = &[
    (
        "README.md",
        &["| **Design Jury** | Every page panel-tempered, scored, replayable", "Grades of the last run:"],
    ),
    ("ARCHITECTURE.md", &["## "]),
    ("AGENTS.md", &["## Commands", "## Rooms", "## Rules", "`jury judge`"]),
    ("web/AGENTS.md", &["npm test", "npm run check"]),
    ("CHANGELOG.md", &["Judge, phase 1", "Judge, phase 2", "Judge, phase 3", "Judge, phase 4"]),
    ("docs/critique-theater.md", &["Design Jury", "## How a run can stand", "## Agents that can play"]),
    ("docs/spec.md", &["version 1", "`CRITIQUE_RUN`", "grammar"]),
    ("docs/skills-protocol.md", &["od.critique.policy", "`required`", "`opt-in`", "`opt-out`"]),
    ("docs/agent-adapters.md", &["## What every adapter must hold", "reference.md#conformance"]),
    ("docs/roadmap.md", &["`perf`", "`i18n`", "`motion`", "`cost`"]),
];

/// As many states of a run as the guide of the theater must show in pictures.
const PICTURED_STATES: usize = 5;

#[test]
fn every_document_that_was_promised_is_there() {
    let mut breaches = Vec::new();
    for (path, words) in PROMISED {
        if !root().join(path).is_file() {
            breaches.push(format!("{path}:1: the document is missing"));
            continue;
        }
        let text = read(path);
        for word in words.iter().filter(|word| !text.contains(**word)) {
            breaches.push(format!(
                "{path}:1: it does not say {word:?} any more: put it back, or change the list"
            ));
        }
    }
    settle("every document that was promised is there, with what it is for", &breaches);
}

#[test]
fn the_guide_of_the_theater_shows_five_states() {
    let text = read("docs/critique-theater.md");
    let mut pictures: Vec<&str> = text
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .filter(|to| to.starts_with("images/"))
        .collect();
    pictures.sort_unstable();
    pictures.dedup();
    assert!(
        pictures.len() >= PICTURED_STATES,
        "docs/critique-theater.md:1: it has {} pictures, and {PICTURED_STATES} states are to be seen",
        pictures.len()
    );
    let absent: Vec<_> =
        pictures.iter().filter(|picture| !root().join("docs").join(picture).is_file()).collect();
    assert!(absent.is_empty(), "docs/critique-theater.md:1: these pictures are not there: {absent:?}");
}
