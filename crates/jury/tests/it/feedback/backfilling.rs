//! A whole folder of records at once.

use serde_json::{Value, json};

use super::stage::Stage;

#[test]
fn a_folder_is_needed() {
    let stage = Stage::new();
    let called = stage.call(&["feedback", "backfill"]);
    assert_eq!(called.code, Some(1));
    assert!(called.all().contains("Usage"), "{}", called.all());
    let called = stage.call(&["feedback", "backfill", "nowhere"]);
    assert_eq!(called.code, Some(1));
    assert!(called.all().contains("not found"), "{}", called.all());
}

#[test]
fn an_empty_folder_is_nothing_processed() {
    let stage = Stage::new();
    let called = stage.call(&["feedback", "backfill", "state/runs"]);
    assert_eq!(
        (called.code, called.out.as_str()),
        (Some(0), "0 processed, 0 still running, 0 with errors\n")
    );
    assert!(stage.context.path("state/scores/template-scores.json").exists());
}

#[test]
fn every_run_that_ended_has_its_feedback_and_its_score_and_errors_have_their_log() {
    let stage = Stage::new();
    std::fs::create_dir_all(stage.context.path("state/runs/older/2025")).unwrap();
    for number in 0..5 {
        stage.record(&format!("bd-{number}"), &json!({"attempt": 1 + number % 2}));
    }
    stage.record("bd-on", &json!({"status": "running"}));
    stage.context.write("state/runs/older/2025/deep.json", r#"{"bead": "bd-deep", "status": "failed"}"#);
    stage.raw("broken", "{\"bead\":");
    stage.raw("wrong", r#"{"bead": "bd-w", "status": "done", "verification": 7}"#);
    stage.context.write("state/runs/notes.txt", "not a record");
    let first = stage.call(&["feedback", "backfill", "state/runs"]);
    assert_eq!(first.code, Some(0), "{}", first.err);
    assert_eq!(first.out, "6 processed, 1 still running, 2 with errors\n");
    let log = stage.context.path("state/feedback/backfill-errors.log");
    let errors = std::fs::read_to_string(&log).unwrap();
    assert_eq!(errors.lines().count(), 2, "{errors}");
    assert!(errors.contains("state/runs/wrong.json: verification: found 7, expected an object"), "{errors}");
    let scores = stage.context.path("state/scores/template-scores.json");
    let scored: Value = serde_json::from_slice(&std::fs::read(&scores).unwrap()).unwrap();
    assert_eq!(scored["templates"].as_array().unwrap().len(), 2);
    let (kept, registry) = (stage.kept(), stage.registry());
    assert_eq!(registry["repeated-failure"]["count"], 2);
    // Again: the same, and mended records leave the log.
    let again = stage.call(&["feedback", "backfill", "state/runs"]);
    assert_eq!((again.out, stage.kept(), stage.registry()), (first.out, kept, registry));
    stage.raw("broken", r#"{"bead": "bd-b", "status": "done"}"#);
    stage.raw("wrong", r#"{"bead": "bd-w", "status": "done"}"#);
    assert_eq!(
        stage.call(&["feedback", "backfill", "state/runs"]).out,
        "8 processed, 1 still running, 0 with errors\n"
    );
    assert_eq!(std::fs::read_to_string(&log).unwrap(), "");
}

#[test]
fn records_that_a_power_cut_emptied_are_named_up_to_ten_and_collected_again() {
    let stage = Stage::new();
    for number in 0..40 {
        stage.record(&format!("bd-{number:02}"), &json!({"verification": {"tests": "fail"}}));
    }
    stage.call(&["feedback", "backfill", "state/runs"]);
    let before = stage.registry();
    for number in 0..30 {
        std::fs::write(stage.feedback_file(&format!("bd-{number:02}")), "").unwrap();
    }
    let called = stage.call(&["feedback", "backfill", "state/runs"]);
    assert_eq!(called.code, Some(0), "{}", called.all());
    assert_eq!(called.err.matches("cannot be read").count(), 10, "{}", called.err);
    assert!(called.err.contains("21 more such notes"), "{}", called.err);
    assert_eq!(stage.registry(), before);
    let again = stage.call(&["feedback", "backfill", "state/runs"]);
    assert!(!again.err.contains("made again"), "{}", again.err);
}
