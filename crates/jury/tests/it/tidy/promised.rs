//! The documents that were asked for are there, and each says what it is for.

use jury_core::outcome::DegradedReason;

use super::settle;
use super::tree::{read, root};

/// A document, and words that it cannot do without.
const PROMISED: &[(&str, &[&str])] = &[
    (
        "README.md",
        &["| **Design Jury** | Every page panel-tempered, scored, replayable", "Grades of the last run:"],
    ),
    (
        "ARCHITECTURE.md",
        &["## Inside the theater", "theater/machine", "theater/evaluation", "the log (jury-store)"],
    ),
    ("AGENTS.md", &["## Commands", "## Rooms", "## Rules", "`jury judge`"]),
    ("web/AGENTS.md", &["npm test", "npm run check"]),
    ("CHANGELOG.md", &["Judge, phase 1", "Judge, phase 2", "Judge, phase 3", "Judge, phase 4"]),
    (
        "docs/critique-theater.md",
        &[
            "Design Jury",
            "## How it works",
            "0.4 × critic",
            "## How a run can stand",
            "## Settings reference",
            "| 4. Rollout |",
            "## Agents that can play",
            "## Troubleshooting",
            "## FAQ",
            "Why five panelists",
            "marked as degraded for 24 hours",
            "add a panelist of my own",
        ],
    ),
    ("docs/spec.md", &["# Critique Theater protocol v1", "`CRITIQUE_RUN`", "## Grammar"]),
    (
        "docs/skills-protocol.md",
        &["od.critique.policy", "`required`", "`opt-in`", "`opt-out`", "## Extension points"],
    ),
    ("docs/agent-adapters.md", &["## What every adapter must hold", "reference.md#conformance"]),
    ("docs/roadmap.md", &["`perf`", "`i18n`", "`motion`", "`cost`"]),
];

/// The states of a run that the guide of the theater must show, each in a picture of its own.
const PICTURED_STATES: [&str; 5] = ["running", "shipped", "degraded", "interrupted", "failed"];

/// Folders of the theater, each with a map that names every file in it.
const MAPPED: [&str; 2] = ["crates/jury-core/src/theater", "web/src/theater"];

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
    let pictures: Vec<&str> = text
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .filter(|to| to.starts_with("images/"))
        .collect();
    let shows = |state: &&str| {
        let stem = format!("images/theater-{state}.");
        pictures.iter().any(|picture| picture.starts_with(&stem))
    };
    let unseen: Vec<_> = PICTURED_STATES.into_iter().filter(|state| !shows(state)).collect();
    assert!(
        unseen.is_empty(),
        "docs/critique-theater.md:1: no picture images/theater-STATE of these states: {unseen:?}"
    );
    let absent: Vec<_> =
        pictures.iter().filter(|picture| !root().join("docs").join(picture).is_file()).collect();
    assert!(absent.is_empty(), "docs/critique-theater.md:1: these pictures are not there: {absent:?}");
}

#[test]
fn the_guide_of_the_theater_says_what_to_do_about_every_degraded_reason() {
    let text = read("docs/critique-theater.md");
    let (_, troubleshooting) = text.split_once("## Troubleshooting").unwrap();
    let missing: Vec<_> = DegradedReason::ALL
        .iter()
        .map(|reason| reason.as_str())
        .filter(|reason| !troubleshooting.contains(&format!("| `{reason}` |")))
        .collect();
    assert!(missing.is_empty(), "docs/critique-theater.md:1: no remedy for {missing:?}");
}

#[test]
fn the_folders_of_the_theater_have_maps_that_name_every_file() {
    let mut breaches = Vec::new();
    for folder in MAPPED {
        let map = read(&format!("{folder}/AGENTS.md"));
        for entry in std::fs::read_dir(root().join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name != "AGENTS.md" && !map.contains(&format!("`{name}`")) {
                breaches.push(format!("{folder}/AGENTS.md:1: {name} has no line in it"));
            }
        }
    }
    settle("the maps of the theater name every file", &breaches);
}
