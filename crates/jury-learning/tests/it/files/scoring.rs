//! Scoring: whole at first, then only what is new, and always as if it had been whole.

use std::collections::BTreeMap;
use std::fs;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::stage::{Stage, feedback};

#[test]
fn an_empty_folder_has_empty_scores() {
    let stage = Stage::new();
    assert_eq!(stage.score(false).records, 0);
    assert_eq!(stage.file("template-scores.json")["templates"], json!([]));
    assert_eq!(stage.file("agent-scores.json")["agents"], json!([]));
}

#[test]
fn a_second_scoring_reads_what_is_new() {
    let stage = Stage::new();
    for number in 0..400 {
        let bead = format!("bd-{number}");
        stage.write(&format!("{bead}.json"), feedback(&bead, "docs", "full_pass", Some(0.3)).to_string());
    }
    stage.write("pattern-registry.json", "{}");
    stage.tick();
    let first = stage.score(false);
    assert_eq!((first.records, first.opened), (400, 400));
    let second = stage.score(false);
    assert_eq!((second.records, second.opened), (400, 0));
    stage.write("bd-new.json", feedback("bd-new", "docs", "agent_failure", None).to_string());
    // The registry is nobody's feedback, however often it changes.
    stage.write("pattern-registry.json", "{\"x\":{\"count\":1}}");
    let third = stage.score(false);
    assert_eq!((third.records, third.opened), (401, 1));
    assert!((third.templates.templates[0].full_pass_rate - 400.0 / 401.0).abs() < 1e-12);
    // One that was changed, and one that is gone: their shards are read again, and no others.
    stage.tick();
    stage.score(false);
    stage.write("bd-7.json", feedback("bd-7", "docs", "agent_failure", None).to_string());
    fs::remove_file(stage.paths.feedback.join("bd-8.json")).unwrap();
    let fourth = stage.score(false);
    assert_eq!(fourth.records, 400);
    assert!(fourth.opened < 40, "{}", fourth.opened);
    assert_eq!(fourth.templates, stage.score(true).templates);
}

#[test]
fn an_index_that_is_damaged_or_of_another_folder_is_made_again() {
    let stage = Stage::new();
    stage.write("a.json", feedback("a", "docs", "full_pass", None).to_string());
    stage.tick();
    stage.score(false);
    for index in ["", "{", "{\"format\":1,\"program\":\"x\",\"folder\":\"y\",\"shards\":[]}", "[]"] {
        fs::write(stage.paths.scores.join(".score-index.json"), index).unwrap();
        assert_eq!(stage.score(false).records, 1);
    }
}

#[test]
fn what_is_no_feedback_is_put_aside_and_stops_nothing() {
    let stage = Stage::new();
    stage.write("good.json", feedback("good", "docs", "full_pass", None).to_string());
    stage.write("cut.json", "{\"bead\":");
    stage.write("other.json", "{\"a\":1}");
    stage.write("odd.json", "{\"bead\":\"odd\",\"timestamp\":\"2025-01-010T00:00:00Z\",\"outcome\":7}");
    stage.write("deep.json", "[".repeat(100_000));
    stage.write("notes.txt", "no JSON at all");
    fs::create_dir(stage.paths.feedback.join("folder.json")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", stage.paths.feedback.join("endless.json")).unwrap();
    stage.tick();
    let scored = stage.score(false);
    assert_eq!((scored.records, scored.left_out.count), (2, 2));
    let mut names: Vec<&str> = scored.left_out.named.iter().map(|left_out| left_out.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["cut.json", "deep.json"]);
    let aside = stage.paths.feedback.join("quarantine");
    assert_eq!(fs::read(aside.join("cut.json")).unwrap(), b"{\"bead\":");
    // The next one of this name does not write over it.
    stage.write("cut.json", "{\"bead");
    stage.tick();
    assert_eq!(stage.score(false).left_out.count, 1);
    assert_eq!(fs::read(aside.join("cut.json.1")).unwrap(), b"{\"bead");
    assert_eq!(stage.score(false).left_out.count, 0);
}

#[test]
fn a_file_in_the_making_is_left_alone_and_counted_when_it_is_whole() {
    let stage = Stage::new();
    stage.write("half.json", "{\"bead\":\"half\",");
    let how = jury_learning::files::Scoring::default();
    let scored = jury_learning::files::score(&stage.paths, jiff::Timestamp::UNIX_EPOCH, &how).unwrap();
    assert_eq!((scored.records, scored.left_out.named[0].moved.clone()), (0, None));
    stage.write("half.json", feedback("half", "docs", "full_pass", None).to_string());
    assert_eq!(stage.score(false).records, 1);
}

/// What happens to a folder between two scorings.
#[derive(Debug, Clone)]
enum Change {
    Write(u8, u8, Option<u16>),
    Remove(u8),
    Score,
    Tick,
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        6 => (0_u8..60, 0_u8..15, proptest::option::of(0_u16..=1000))
            .prop_map(|(name, kind, score)| Change::Write(name, kind, score)),
        2 => (0_u8..60).prop_map(Change::Remove),
        2 => Just(Change::Score),
        1 => Just(Change::Tick),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn keeping_up_gives_what_scoring_from_scratch_gives(changes in proptest::collection::vec(change(), 1..60)) {
        let stage = Stage::new();
        let mut expected: BTreeMap<u8, String> = BTreeMap::new();
        for change in changes {
            match change {
                Change::Write(name, kind, score) => {
                    let outcome = ["full_pass", "partial_pass", "agent_failure", "infra_failure", "timeout"];
                    let template = ["docs", "bug-fix", "script"][usize::from(kind / 5)];
                    let mut record = feedback(
                        &format!("bd-{name}"),
                        template,
                        outcome[usize::from(kind % 5)],
                        // Thirds, so that the order of sums of floats would show.
                        score.map(|score| f64::from(score) / 3000.0),
                    );
                    record["timestamp"] = json!(format!("2026-02-20T10:{name:02}:00Z"));
                    let text = record.to_string();
                    stage.write(&format!("bd-{name}.json"), &text);
                    expected.insert(name, text);
                }
                Change::Remove(name) => {
                    expected.remove(&name);
                    drop(fs::remove_file(stage.paths.feedback.join(format!("bd-{name}.json"))));
                }
                Change::Score => drop(stage.score(false)),
                Change::Tick => stage.tick(),
            }
        }
        let both = || -> (Value, Value) {
            (stage.file("template-scores.json"), stage.file("agent-scores.json"))
        };
        let kept_up = stage.score(false);
        let kept_up_files = both();
        prop_assert_eq!(kept_up.records, expected.len() as u64);
        let whole = stage.score(true);
        prop_assert_eq!(&kept_up.templates, &whole.templates);
        prop_assert_eq!(kept_up_files, both());
        // Another folder, in another order.
        let fresh = Stage::new();
        for (name, text) in expected.iter().rev() {
            fresh.write(&format!("bd-{name}.json"), text);
        }
        prop_assert_eq!(fresh.score(false).templates, whole.templates);
    }
}
