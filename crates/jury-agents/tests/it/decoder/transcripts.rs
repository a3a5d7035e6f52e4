//! Golden transcripts: for every adapter what its program prints around one answer that is good and two that are malformed,
//! `tests/transcripts/<adapter>.<case>.stdout`, and the answers themselves, `<case>.txt`. Whoever plays the panel, the same
//! answer comes to the same verdict.

use std::fs;
use std::path::{Path, PathBuf};

use jury_agents::decoder::Format;
use jury_core::conformance::{Class, examine};
use jury_core::id::ProjectId;
use jury_core::protocol::{Parser, ParserLimits, SeenPrinter};
use jury_core::settings::CritiqueConfig;
use jury_core::theater::TheaterSetup;

use super::decoded;

/// The cases that every adapter has, and what a run comes to in each.
const CASES: [(&str, Class, &str); 3] = [
    ("good", Class::Shipped, ""),
    ("unclosed", Class::Degraded, "parse: malformed_block: <PANELIST> cannot stand in <PANELIST>"),
    (
        "no-artifact",
        Class::Degraded,
        "parse: missing_artifact: the first round has no <ARTIFACT> from the designer",
    ),
];

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Every adapter that comes with the program, and how it prints.
fn adapters() -> Vec<(String, Format)> {
    let mut adapters: Vec<(String, Format)> = fs::read_dir(folder("adapters"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let format = super::recorded::format(&name);
            (name, format)
        })
        .collect();
    adapters.sort_by(|one, other| one.0.cmp(&other.0));
    adapters
}

/// The text of the answer in what a program printed.
fn answer(format: Format, output: &[u8]) -> String {
    decoded(format, output).iter().filter_map(|said| said.strip_prefix("text ")).collect()
}

fn verdict(adapter: &str, answer: &str) -> (Class, String) {
    let subject = TheaterSetup {
        project: ProjectId::default_project(),
        artifact: "0198c0de-0000-7000-8000-000000000001".parse().unwrap(),
        agent: adapter.parse().unwrap(),
    };
    let verdict = examine(answer.as_bytes(), &CritiqueConfig::default(), subject, |_| Vec::new());
    let breaches: Vec<String> = verdict
        .breaches
        .iter()
        .map(|breach| format!("{}: {}", breach.assertion.as_str(), breach.detail))
        .collect();
    (verdict.class, breaches.join("; "))
}

/// What the parser sees of an answer, line by line.
fn seen(answer: &str) -> String {
    let (mut parser, mut printer, mut lines) =
        (Parser::new(ParserLimits::default()), SeenPrinter::default(), Vec::new());
    parser.feed(answer.as_bytes(), &mut |signal| printer.print(&signal, &mut lines)).unwrap();
    parser.finish().unwrap();
    String::from_utf8(lines).unwrap()
}

#[test]
fn every_adapter_has_a_good_and_two_malformed_transcripts() {
    let transcripts = folder("tests/transcripts");
    let good = fs::read_to_string(transcripts.join("good.txt")).unwrap();
    let mut wrong = Vec::new();
    let adapters = adapters();
    for (adapter, format) in &adapters {
        for (case, class, why) in CASES {
            let file = transcripts.join(format!("{adapter}.{case}.stdout"));
            let Ok(output) = fs::read(&file) else {
                wrong.push(format!("{adapter}: add tests/transcripts/{adapter}.{case}.stdout"));
                continue;
            };
            let answer = answer(*format, &output);
            let came = verdict(adapter, &answer);
            if came != (class, why.to_owned()) {
                wrong.push(format!("{adapter}, {case}: {came:?}"));
            } else if case == "good" && seen(&answer) != seen(&good) {
                wrong.push(format!("{adapter}: the parser sees something else than in good.txt"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let files = fs::read_dir(&transcripts).unwrap().count();
    assert_eq!(files, (adapters.len() + 1) * CASES.len(), "a file of no adapter, or of no case");
}
