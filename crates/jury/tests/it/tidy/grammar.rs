//! Every element and attribute of the wire protocol is described, asked for and tried.

use super::settle;
use super::tree::{files, read};

/// An element of version 1, with its attributes.
const GRAMMAR: &[(&str, &[&str])] = &[
    ("CRITIQUE_RUN", &["version", "maxRounds", "threshold", "scale"]),
    ("ROUND", &["n"]),
    ("PANELIST", &["role", "score", "must_fix"]),
    ("NOTES", &[]),
    ("DIM", &["name", "score"]),
    ("MUST_FIX", &[]),
    ("ARTIFACT", &["mime"]),
    ("ROUND_END", &["n", "composite", "must_fix", "decision"]),
    ("REASON", &[]),
    ("SHIP", &["round", "composite"]),
    ("SUMMARY", &[]),
];

#[test]
fn every_element_of_the_grammar_is_described_asked_for_and_tried() {
    let spec = read("docs/spec.md");
    let sources: Vec<_> = files();
    let text_below = |folders: &[&str]| -> String {
        let below = |path: &str| folders.iter().any(|folder| path.starts_with(folder));
        sources.iter().filter(|file| below(&file.path)).map(super::tree::File::text).collect()
    };
    let places = [
        ("the parser or the example of the core", text_below(&["crates/jury-core/src/"])),
        ("a prompt", text_below(&["prompts/", "crates/jury-core/src/example.rs"])),
        ("a test of the parser", text_below(&["crates/jury-core/tests/"])),
    ];
    let mut breaches = Vec::new();
    for (element, attributes) in GRAMMAR {
        let row = spec.lines().find(|line| line.starts_with(&format!("| `{element}` |")));
        let Some(row) = row else {
            breaches.push(format!("docs/spec.md:1: the element `{element}` has no row in the grammar"));
            continue;
        };
        for attribute in attributes.iter().filter(|attribute| !row.contains(&format!("`{attribute}`"))) {
            breaches.push(format!("docs/spec.md:1: the row of `{element}` does not name `{attribute}`"));
        }
        for (place, text) in &places {
            if !text.contains(*element) {
                breaches.push(format!("docs/spec.md:1: `{element}` is in no {place}"));
            }
            for attribute in attributes.iter().filter(|attribute| !text.contains(**attribute)) {
                breaches.push(format!("docs/spec.md:1: `{attribute}` of `{element}` is in no {place}"));
            }
        }
    }
    settle("every element of the grammar is described, asked for and tried", &breaches);
}
