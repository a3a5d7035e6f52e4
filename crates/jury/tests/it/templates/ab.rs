//! `jury templates ab`.

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::stage::{NOW, Stage, run};

/// An active test of docs and docs-v1 with these runs, and scores as the scripts before us wrote them. No feedback.
fn old(stage: &Stage, runs: (u64, u64), scores: (f64, f64)) {
    stage.put(
        "state/scores/ab-tests.json",
        &json!({"schema_version": "1.0.0", "tests": [{"original": "docs", "variant": "docs-v1", "status": "active",
            "target_runs": 10, "original_runs": runs.0, "variant_runs": runs.1,
            "created_at": "2026-02-01T00:00:00Z"}]}),
    );
    stage.old_scores(&[
        json!({"template": "docs", "score": scores.0}),
        json!({"template": "docs-v1", "score": scores.1}),
    ]);
    stage.cx.write("templates/docs.md", "one\n");
    stage.cx.write("templates/docs-v1.md", "two\n");
}

fn test(stage: &Stage) -> Value {
    stage.get("state/scores/ab-tests.json")["tests"][0].clone()
}

#[test]
fn help_and_a_call_without_a_command() {
    let stage = Stage::new();
    assert!(stage.ok(&["templates", "ab", "--help"]).out.contains("Usage"));
    let said = stage.run(&["templates", "ab"]);
    assert_eq!(said.code, 1);
    assert!(said.all().contains("Usage") && said.all().contains("review-queue"), "{}", said.all());
}

#[test]
fn tests_are_made_picked_recorded_and_listed() {
    let stage = Stage::new();
    assert!(stage.ok(&["templates", "ab", "list"]).out.contains("No A/B tests"));
    assert_eq!(
        stage.ok(&["templates", "ab", "pick", "docs"]).json(),
        json!({"template": "docs", "ab_test": false})
    );
    stage.ok(&["templates", "ab", "create", "docs", "docs-v1"]);
    assert_eq!(
        test(&stage),
        json!({"original": "docs", "variant": "docs-v1", "status": "active", "target_runs": 10,
            "original_runs": 0, "variant_runs": 0, "created_at": NOW})
    );
    stage.ok(&["templates", "ab", "create", "bug-fix", "bug-fix-v1", "--target-runs", "20"]);
    assert_eq!(stage.get("state/scores/ab-tests.json")["tests"][1]["target_runs"], 20);
    let pick = || stage.ok(&["templates", "ab", "pick", "docs"]).json();
    assert_eq!(
        pick(),
        json!({"template": "docs", "ab_test": true, "original": "docs", "variant": "docs-v1"})
    );
    stage.ok(&["templates", "ab", "record", "docs", "original"]);
    assert_eq!(pick()["template"], "docs-v1");
    stage.ok(&["templates", "ab", "record", "docs", "variant"]);
    assert_eq!(
        (test(&stage)["original_runs"].as_u64(), test(&stage)["variant_runs"].as_u64()),
        (Some(1), Some(1))
    );
    assert_snapshot!("ab_list", stage.ok(&["templates", "ab", "list"]).out);
    for args in [
        &["templates", "ab", "create", "docs", "docs-v1"][..],
        &["templates", "ab", "create", "docs", "docs"],
        &["templates", "ab", "create", "../x", "docs-v1"],
        &["templates", "ab", "create", "docs"],
        &["templates", "ab", "record", "nothing", "original"],
        &["templates", "ab", "record", "docs", "both"],
        &["templates", "ab", "approve", "docs"],
    ] {
        assert_eq!(stage.run(args).code, 1, "{args:?}");
    }
}

#[test]
fn a_higher_score_is_promoted_where_there_are_only_scores() {
    let stage = Stage::new();
    old(&stage, (10, 10), (0.4, 0.6));
    let said = stage.ok(&["templates", "ab", "evaluate"]);
    assert!(said.out.contains("Promoted"), "{}", said.all());
    assert!(said.err.contains("compared by the older rule"), "{}", said.err);
    assert_eq!(
        (test(&stage)["status"].as_str(), test(&stage)["decision"].as_str()),
        (Some("completed"), Some("promoted"))
    );
    assert_eq!(test(&stage)["completed_at"], NOW);
    assert_eq!(stage.text("templates/docs.md"), "two\n");
    assert_eq!(stage.text("templates/.archive/docs.md"), "one\n");
    assert_eq!(stage.text("templates/.archive/docs-pre-docs-v1.md"), "one\n");
    assert_eq!(stage.text("templates/.archive/docs-v1.md"), "two\n");
    assert!(!stage.has("templates/docs-v1.md"));
    assert!(!stage.has("state/scores/promotion-review-queue.json"));
    let entry = stage.get("state/scores/refinement-log.json")["entries"][0].clone();
    assert_eq!(
        entry,
        json!({"type": "ab_test_result", "original": "docs", "variant": "docs-v1", "decision": "promoted",
            "original_score": 0.4, "variant_score": 0.6, "timestamp": NOW, "rule": "old", "compared": "mechanical",
            "original_mechanical": 0.4})
    );
    assert!(stage.ok(&["templates", "ab", "evaluate"]).out.contains("No active"));
}

#[test]
fn a_difference_of_a_tenth_is_one_and_less_is_none() {
    for (scores, word) in [((0.5, 0.6), "Promoted"), ((0.5, 0.55), "Discarded"), ((0.6, 0.4), "Discarded")] {
        let stage = Stage::new();
        old(&stage, (10, 10), scores);
        assert!(stage.ok(&["templates", "ab", "evaluate"]).out.contains(word), "{scores:?}");
    }
    let stage = Stage::new();
    old(&stage, (5, 10), (0.4, 0.6));
    assert!(stage.ok(&["templates", "ab", "evaluate"]).out.contains("not ready"));
    assert_eq!(test(&stage)["status"], "active");
}

#[test]
fn a_variant_that_lost_is_archived() {
    let stage = Stage::new();
    old(&stage, (10, 10), (0.5, 0.55));
    stage.ok(&["templates", "ab", "evaluate"]);
    assert_eq!(test(&stage)["decision"], "discarded");
    assert_eq!(stage.text("templates/docs.md"), "one\n");
    assert_eq!(stage.text("templates/.archive/docs-v1.md"), "two\n");
}

#[test]
fn a_person_is_asked_when_it_is_wanted() {
    let stage = Stage::new();
    old(&stage, (10, 10), (0.4, 0.6));
    let said = run(stage.jury(&["templates", "ab", "evaluate"]).env("NO_AUTO_PROMOTE", "true"));
    assert!(said.out.contains("Gated") && said.out.contains("review"), "{}", said.out);
    assert_eq!(stage.text("templates/docs.md"), "one\n");
    let entry = || stage.get("state/scores/promotion-review-queue.json")["entries"][0].clone();
    assert_eq!(
        entry(),
        json!({"original": "docs", "variant": "docs-v1", "original_score": 0.4, "variant_score": 0.6,
            "score_diff": 0.2, "status": "pending", "queued_at": NOW})
    );
    assert!(
        stage.ok(&["templates", "ab", "review-queue"]).out.contains("pending: docs-v1 (0.6) over docs (0.4)")
    );
    let said = stage.ok(&["templates", "ab", "approve", "docs"]);
    assert!(said.out.contains("Promoted"), "{}", said.out);
    assert_eq!((entry()["status"].as_str(), entry()["resolved_at"].as_str()), (Some("approved"), Some(NOW)));
    assert_eq!(test(&stage)["decision"], "promoted");
    assert_eq!(stage.text("templates/docs.md"), "two\n");
    assert_eq!(stage.run(&["templates", "ab", "approve", "docs"]).code, 1);
}

/// Runs of both arms since the test began, and twenty bad ones from before it.
fn with_feedback(stage: &Stage, original: (usize, usize), variant: (usize, usize)) {
    old(stage, (0, 0), (0.1, 0.9));
    stage.runs("before", "docs", "full_pass", 0);
    for number in 0..20 {
        stage.feedback(&json!({"bead": format!("old{number}"), "outcome": "agent_failure",
            "timestamp": "2026-01-15T00:00:00Z"}));
    }
    stage.runs("op", "docs", "full_pass", original.0);
    stage.runs("of", "docs", "agent_failure", original.1);
    stage.runs("vp", "docs-v1", "full_pass", variant.0);
    stage.runs("vf", "docs-v1", "agent_failure", variant.1);
}

#[test]
fn with_runs_the_interval_decides_and_only_runs_since_the_beginning_count() {
    // Six of ten against four of ten: the scripts before us would have promoted it.
    let stage = Stage::new();
    with_feedback(&stage, (4, 6), (6, 4));
    let said = stage.ok(&["templates", "ab", "evaluate"]);
    assert_snapshot!("ab_undecided", said.out);
    assert_eq!((test(&stage)["status"].as_str(), test(&stage)["looks"].as_u64()), (Some("active"), Some(1)));
    // The next look is at twenty runs each.
    let said = stage.ok(&["templates", "ab", "evaluate"]);
    assert!(said.out.contains("not ready, 10 and 10 of 20 runs"), "{}", said.out);

    let stage = Stage::new();
    with_feedback(&stage, (2, 18), (18, 2));
    let said = stage.ok(&["templates", "ab", "evaluate"]);
    assert_snapshot!("ab_promoted", said.out);
    let entry = stage.get("state/scores/refinement-log.json")["entries"][0].clone();
    assert_eq!(
        (entry["rule"].as_str(), entry["original_score"].as_f64(), entry["variant_score"].as_f64()),
        (Some("interval"), Some(0.1), Some(0.9))
    );

    let stage = Stage::new();
    with_feedback(&stage, (18, 2), (2, 18));
    assert!(stage.ok(&["templates", "ab", "evaluate"]).out.contains("Discarded docs-v1: it is worse"));
    let stage = Stage::new();
    with_feedback(&stage, (5, 0), (10, 0));
    assert!(stage.ok(&["templates", "ab", "evaluate"]).out.contains("not ready, 5 and 10 of 10 runs"));
}

#[test]
fn the_rule_can_be_chosen() {
    let stage = Stage::new();
    with_feedback(&stage, (4, 6), (6, 4));
    old(&stage, (10, 10), (0.4, 0.6));
    assert!(stage.ok(&["templates", "ab", "evaluate", "--old-rule"]).out.contains("Promoted"));
    old(&stage, (10, 10), (0.4, 0.6));
    let said = run(stage.jury(&["templates", "ab", "evaluate"]).env("AB_RULE", "old"));
    assert!(said.out.contains("Promoted") && said.err.is_empty(), "{}", said.all());
    let stage = Stage::new();
    old(&stage, (10, 10), (0.4, 0.6));
    let said = run(stage.jury(&["templates", "ab", "evaluate"]).env("AB_RULE", "interval"));
    assert!(said.out.contains("not ready"), "{}", said.out);
    let said = run(stage.jury(&["templates", "ab", "evaluate"]).env("AB_RULE", "dice"));
    assert_eq!(said.code, 1);
    assert!(said.err.contains("AB_RULE: \"dice\" is no rule"), "{}", said.err);
}

#[test]
fn a_promotion_decides_one_test_and_the_others_begin_anew() {
    let stage = Stage::new();
    with_feedback(&stage, (2, 18), (18, 2));
    stage.runs("w", "docs-v2", "partial_pass", 9);
    stage.ok(&["templates", "ab", "create", "docs", "docs-v2"]);
    let said = stage.ok(&["templates", "ab", "evaluate"]);
    assert!(said.err.contains("docs vs docs-v2 begins anew"), "{}", said.err);
    let tests = stage.get("state/scores/ab-tests.json");
    assert_eq!(tests["tests"][0]["decision"], "promoted");
    assert_eq!(
        (tests["tests"][1]["status"].as_str(), tests["tests"][1]["decision"].as_str()),
        (Some("active"), None)
    );
}

#[test]
fn scoring_can_close_the_loop() {
    let stage = Stage::new();
    with_feedback(&stage, (2, 18), (18, 2));
    stage.ok(&["templates", "score"]);
    assert_eq!(test(&stage)["status"], "active", "scoring alone decides nothing");
    let said = stage.ok(&["templates", "score", "--apply"]);
    assert!(said.out.contains("Promoted docs-v1 over docs"), "{}", said.out);
    // The one that was promoted fails from then on.
    for number in 0..12 {
        stage.feedback(&json!({"bead": format!("later{number}"), "outcome": "timeout",
            "timestamp": "2026-03-02T00:00:00Z"}));
    }
    let mut log = stage.get("state/scores/refinement-log.json");
    log["entries"][0]["original_score"] = json!(0.7);
    log["entries"][0]["original_mechanical"] = json!(0.7);
    stage.put("state/scores/refinement-log.json", &log);
    let said = stage.ok(&["templates", "score", "--apply"]);
    assert!(said.out.contains("Rolled back docs"), "{}", said.out);
    assert_eq!(stage.text("templates/docs.md"), "one\n");
    assert!(stage.ok(&["templates", "score", "--apply"]).out.contains("ok: no promotion to take back"));
}

#[test]
fn a_file_that_is_damaged_is_not_written_over() {
    let stage = Stage::new();
    stage.cx.write("state/scores/ab-tests.json", "{\"tests\": [");
    let said = stage.run(&["templates", "ab", "create", "docs", "docs-v1"]);
    assert_eq!(said.code, 1);
    assert!(said.err.contains("ab-tests.json is damaged"), "{}", said.err);
    assert_eq!(stage.text("state/scores/ab-tests.json"), "{\"tests\": [");
}

#[test]
fn a_test_that_begins_anew_is_not_decided_by_what_was_counted_before() {
    let stage = Stage::new();
    with_feedback(&stage, (0, 20), (20, 0));
    stage.runs("w", "docs-v2", "full_pass", 20);
    stage.cx.write("templates/docs-v2.md", "three\n");
    let mut tests = stage.get("state/scores/ab-tests.json");
    let mut second = tests["tests"][0].clone();
    second["variant"] = json!("docs-v2");
    tests["tests"].as_array_mut().unwrap().push(second);
    stage.put("state/scores/ab-tests.json", &tests);
    let said = stage.ok(&["templates", "score", "--apply"]);
    assert_eq!(said.out.matches("Promoted").count(), 1, "{}", said.out);
    assert_eq!(stage.text("templates/docs.md"), "two\n");
    assert!(stage.has("templates/docs-v2.md"));
    let tests = stage.get("state/scores/ab-tests.json");
    assert_eq!(
        (tests["tests"][1]["status"].as_str(), tests["tests"][1]["created_at"].as_str()),
        (Some("active"), Some(NOW))
    );
}

#[test]
fn a_variant_that_is_not_there_is_not_promoted() {
    let stage = Stage::new();
    old(&stage, (10, 10), (0.4, 0.6));
    std::fs::remove_file(stage.cx.path("templates/docs-v1.md")).unwrap();
    let said = stage.run(&["templates", "ab", "evaluate"]);
    assert_eq!((said.code, said.out.as_str()), (1, ""), "{}", said.all());
    assert!(said.err.contains("docs vs docs-v1 stays undecided"), "{}", said.err);
    assert_eq!((test(&stage)["status"].as_str(), test(&stage).get("decision")), (Some("active"), None));
    assert!(!stage.has("state/scores/refinement-log.json"));
    // Nor when a person approves it.
    let gated = run(stage.jury(&["templates", "ab", "evaluate"]).env("NO_AUTO_PROMOTE", "true"));
    assert!(gated.out.contains("Gated"), "{}", gated.all());
    let said = stage.run(&["templates", "ab", "approve", "docs"]);
    assert_eq!((said.code, said.out.as_str()), (1, ""), "{}", said.all());
    assert_eq!(stage.get("state/scores/promotion-review-queue.json")["entries"][0]["status"], "pending");
}

#[test]
fn a_feedback_folder_that_was_named_must_be_there() {
    let stage = Stage::new();
    old(&stage, (10, 10), (0.4, 0.6));
    let said = run(stage.jury(&["templates", "ab", "evaluate"]).env("FEEDBACK_DIR", "nowhere"));
    assert_eq!((said.code, said.out.as_str()), (1, ""), "{}", said.all());
    assert!(said.err.contains("FEEDBACK_DIR") && said.err.lines().count() == 1, "{}", said.err);
    assert_eq!(test(&stage)["status"], "active");
    // Nobody named it, and there is none: the scores are all there is.
    std::fs::remove_dir_all(stage.cx.path("state/feedback")).unwrap();
    let said = stage.ok(&["templates", "ab", "evaluate"]);
    assert!(said.out.contains("Promoted") && said.err.contains("by the older rule"), "{}", said.all());
}
