//! Pairs of a log and the board that it adds up to, for the reducer of the page: `web/test/golden/*.json`. Both
//! folds must give the same. `JURY_UPDATE=1` rewrites the files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use jury_core::event::{AgentNote, AgentNoteKind, Queued, TheaterEvent, Usage};
use jury_core::id::RunId;
use jury_core::process::Exit;
use jury_core::record::Record;
use jury_core::settings::CritiqueConfig;
use jury_core::theater::{Board, TheaterInput};
use jury_core::unit::{Millis, Seq};
use uuid::Uuid;

use super::script::{cleared_and, two_rounds_and};
use super::stage::{Stage, subject};
use crate::parser::golden::fixtures;

/// Endings that no transcript of an agent brings about by itself.
fn scripts() -> Vec<(&'static str, String)> {
    let restart = "round 1\n designer C\n critic 9.0 ! One\n panel 9.0\n end 1";
    let makes = "makes\n start\n";
    vec![
        ("ends_interrupted_before_a_round", "start\n run\n round 1\n designer A\n interrupt".to_owned()),
        ("ends_interrupted_after_two_rounds", two_rounds_and("interrupt")),
        ("ends_timed_out", two_rounds_and("@240000 deadline")),
        ("ends_below_the_bar", two_rounds_and("round 3\n designer B\n panel 7.5\n end 3\n close\n exit 0")),
        ("ends_shipped", cleared_and("ship 1 A\n linted\n close\n exit 0")),
        ("ends_with_lint", cleared_and("ship 1 A\n linted placeholder\n exit 0")),
        ("ends_failed", two_rounds_and("failed")),
        ("ends_unstarted", "start\n unstarted".to_owned()),
        ("ends_degraded_with_a_page", format!("{makes} fault malformed_block\n legacy F")),
        ("ends_degraded_without_a_page", format!("{makes} fault oversize_block\n legacy -")),
        ("ends_legacy", "makes\n off\n start\n legacy F".to_owned()),
        ("ends_refused", "makes\n refused\n start\n legacy F".to_owned()),
        ("waits_for_the_page", format!("{makes} fault missing_artifact")),
        ("measured_and_shipped", measured("fine", "linted")),
        ("measured_otherwise", measured("poor", "linted")),
        ("could_not_be_measured", measured("broken", "linted")),
        ("measured_by_itself", format!("house\n {}", cleared_and("ship 1 A\n linted"))),
        ("begins_again", two_rounds_and(&format!("run\n {restart}"))),
        (
            "a_finding_comes_back",
            format!(
                "{}\n round 3\n designer C\n critic 7.0 ! Old\n panel 7.0\n end 3\n exit 0",
                regressing()
            ),
        ),
    ]
}

/// A round whose draft was measured while the panel spoke, shipped.
fn measured(how: &str, then: &str) -> String {
    let spoken = "critic 8.8 ! H1 is 64px\n brand 8.6\n a11y 9.9\n copy 9.0";
    format!(
        "witness\n start\n run\n round 1\n designer A\n {spoken}\n end 1\n measured A {how}\n round 2\n designer -\n panel 9.0\n end 2 ship\n ship 2 A\n {then}\n exit 0"
    )
}

fn regressing() -> String {
    "start\n run\n round 1\n designer A\n critic 7.0 ! Old ! Kept\n panel 7.0\n end 1\n round 2\n designer B\n critic 7.0 ! Kept\n panel 7.0\n end 2".to_owned()
}

/// The log of what was played, from its request on.
fn log(stage: &Stage) -> Vec<TheaterEvent> {
    let subject = subject();
    let queued = Queued {
        project_id: subject.project,
        artifact_id: subject.artifact,
        agent: subject.agent,
        title: "A page".to_owned(),
        skill: None,
    };
    std::iter::once(TheaterEvent::Queued(queued)).chain(stage.events().cloned()).collect()
}

fn pair(events: Vec<TheaterEvent>) -> String {
    let board = serde_json::to_string(&Board::of(&events)).unwrap();
    let lines: Vec<String> = events
        .into_iter()
        .zip(1_u64..)
        .map(|(event, number)| {
            let run_id = RunId(Uuid::from_u128(0x0198_c0de_0000_7000_8000_0000_0000_0002));
            let record = Record { seq: Seq(number), at: Millis(number * 40), run_id, event: event.into() };
            record.to_line().unwrap()
        })
        .collect();
    format!("{{\"records\":[\n{}\n],\n\"board\":{board}}}\n", lines.join(",\n"))
}

#[test]
fn the_page_has_every_golden_transcript_with_its_board() {
    let mut pairs = BTreeMap::new();
    for fixture in fixtures() {
        let mut stage = Stage::new(CritiqueConfig::default());
        stage.play("start");
        stage.feed(&fs::read(&fixture).unwrap());
        if !stage.theater.has_ended() {
            stage.handle(TheaterInput::Linted(Vec::new()));
        }
        stage.handle(TheaterInput::Note(AgentNote {
            kind: AgentNoteKind::Usage,
            detail: String::new(),
            status: None,
            usage: Some(Usage { input_tokens: 1200, output_tokens: 340, cost_usd: Some(0.25) }),
        }));
        stage.ended(Exit::Code(0));
        let name = fixture.file_stem().unwrap().to_string_lossy().into_owned();
        pairs.insert(format!("{name}.json"), pair(log(&stage)));
    }
    for (name, script) in scripts() {
        let mut stage = Stage::new(CritiqueConfig::default());
        stage.play(&script);
        pairs.insert(format!("{name}.json"), pair(log(&stage)));
    }
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/test/golden");
    if env::var_os("JURY_UPDATE").is_some_and(|value| value == "1") {
        fs::create_dir_all(&folder).unwrap();
        for entry in fs::read_dir(&folder).unwrap() {
            fs::remove_file(entry.unwrap().path()).unwrap();
        }
        for (name, text) in &pairs {
            fs::write(folder.join(name), text).unwrap();
        }
    }
    let there: BTreeMap<String, String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read_to_string(path).unwrap())
        })
        .collect();
    let stale: Vec<&String> =
        pairs.keys().chain(there.keys()).filter(|name| pairs.get(*name) != there.get(*name)).collect();
    assert!(stale.is_empty(), "web/test/golden is stale: run with JURY_UPDATE=1; {stale:?}");
}
