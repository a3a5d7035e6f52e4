//! `jury templates guardrails`.

use serde_json::{Value, json};

use super::stage::{Stage, run};

fn said(stage: &Stage, args: &[&str]) -> String {
    let said = stage.ok(&[&["templates", "guardrails"], args].concat());
    // Scripts put the lines into quotes of their own.
    assert!(!said.out.contains('\''), "{}", said.out);
    said.out
}

fn active(stage: &Stage, count: u64) {
    let tests: Vec<Value> = (1..=count)
        .map(|number| {
            stage.cx.write(&format!("templates/docs-v{number}.md"), format!("v{number}"));
            json!({"original": "docs", "variant": format!("docs-v{number}"), "status": "active", "target_runs": 10,
                "original_runs": 0, "variant_runs": 0, "created_at": format!("2026-01-{:02}T00:00:00Z", 10 - number)})
        })
        .collect();
    stage.put("state/scores/ab-tests.json", &json!({"schema_version": "1.0.0", "tests": tests}));
}

#[test]
fn help_names_all_nine() {
    let help = said(&Stage::new(), &["--help"]);
    for command in [
        "check-variant-limit",
        "enforce-variant-limit",
        "check-sample-size",
        "check-rollback",
        "auto-rollback",
        "check-promote",
        "check-duplicates",
        "count-unique",
        "check-refinement-loop",
    ] {
        assert!(help.contains(command), "{command}: {help}");
    }
    let nothing = Stage::new().run(&["templates", "guardrails"]);
    assert_eq!(nothing.code, 1);
    assert!(nothing.all().contains("Usage") && nothing.all().contains("check-variant-limit"));
}

#[test]
fn three_variants_are_the_most() {
    let stage = Stage::new();
    active(&stage, 3);
    assert!(said(&stage, &["check-variant-limit", "docs"]).contains("ok"));
    active(&stage, 4);
    assert!(!said(&stage, &["check-variant-limit", "docs"]).contains("ok"));
    assert!(said(&stage, &["enforce-variant-limit", "docs"]).contains("archived: docs-v4"));
    let tests = stage.get("state/scores/ab-tests.json");
    let left = tests["tests"].as_array().unwrap().iter().filter(|test| test["status"] == "active").count();
    assert_eq!(left, 3);
    // The oldest, which is the last of the file here.
    assert_eq!(
        (tests["tests"][3]["status"].as_str(), tests["tests"][3]["decision"].as_str()),
        (Some("completed"), Some("discarded_limit"))
    );
    assert_eq!(stage.text("templates/.archive/docs-v4.md"), "v4");
    assert!(!stage.has("templates/docs-v4.md"));
    assert!(said(&stage, &["enforce-variant-limit", "docs"]).contains("ok"));
}

#[test]
fn samples_are_large_enough_from_five_and_from_ten() {
    let stage = Stage::new();
    for (runs, purpose, word) in [
        ("4", "scoring", "insufficient"),
        ("5", "scoring", "sufficient"),
        ("9", "refinement", "insufficient"),
        ("10", "refinement", "sufficient"),
    ] {
        let line = said(&stage, &["check-sample-size", runs, purpose]);
        assert!(line.starts_with(word), "{runs} {purpose}: {line}");
    }
}

fn promoted(stage: &Stage, before: f64) {
    stage.put(
        "state/scores/refinement-log.json",
        &json!({"schema_version": "1.0.0", "entries": [{"type": "ab_test_result", "original": "docs",
            "variant": "docs-v1", "decision": "promoted", "original_score": before, "variant_score": 0.8,
            "timestamp": "2026-02-01T00:00:00Z"}]}),
    );
    std::fs::create_dir_all(stage.cx.path("templates/.archive")).unwrap();
    stage.cx.write("templates/docs.md", "new");
    stage.cx.write("templates/.archive/docs.md", "old");
}

#[test]
fn a_promotion_that_does_not_hold_is_taken_back() {
    // With scores alone.
    let stage = Stage::new();
    assert!(said(&stage, &["check-rollback"]).contains("ok"));
    promoted(&stage, 0.6);
    stage.old_scores(&[json!({"template": "docs", "score": 0.4, "total_runs": 12})]);
    assert!(said(&stage, &["check-rollback"]).contains("rollback: docs"));
    assert!(said(&stage, &["auto-rollback"]).contains("Rolled back docs"));
    assert_eq!(stage.text("templates/docs.md"), "old");
    assert_eq!(stage.text("templates/.archive/docs-rolled-back-20260301T120000Z.md"), "new");
    assert!(said(&stage, &["auto-rollback"]).contains("ok"));

    let stage = Stage::new();
    promoted(&stage, 0.6);
    stage.old_scores(&[json!({"template": "docs", "score": 0.4, "total_runs": 9})]);
    assert!(said(&stage, &["check-rollback", "docs"]).starts_with("ok: docs has 9 of 10 runs"));
    stage.old_scores(&[json!({"template": "docs", "score": 0.7, "total_runs": 20})]);
    assert!(said(&stage, &["check-rollback"]).starts_with("ok: docs scores 0.7"));

    // With runs, by the interval: a bad day is no reason.
    let stage = Stage::new();
    promoted(&stage, 0.6);
    stage.runs("a", "docs", "full_pass", 5);
    stage.runs("b", "docs", "agent_failure", 6);
    assert!(said(&stage, &["check-rollback"]).starts_with("ok: docs scores 0.455"));
    stage.runs("c", "docs", "agent_failure", 20);
    assert!(said(&stage, &["check-rollback"]).contains("rollback: docs"));
}

#[test]
fn a_promotion_may_need_a_person() {
    let stage = Stage::new();
    let args = ["templates", "guardrails", "check-promote", "docs", "docs-v1", "0.4", "0.6"];
    assert!(stage.ok(&args).out.contains("allowed"));
    let said = run(stage.jury(&args).env("NO_AUTO_PROMOTE", "true"));
    assert!(said.out.contains("gated"), "{}", said.out);
}

#[test]
fn prompts_that_come_again_are_counted() {
    let stage = Stage::new();
    for (bead, hash) in [("a", "h1"), ("b", "h2"), ("c", "h1"), ("d", "")] {
        stage.feedback(&json!({"bead": bead, "prompt_hash": hash}));
    }
    stage.feedback(&json!({"bead": "e", "prompt_hash": "h3", "template": "other"}));
    let line = said(&stage, &["check-duplicates", "docs"]);
    assert!(line.contains("h1") && line.contains('2') && !line.contains("h2"), "{line}");
    assert_eq!(said(&stage, &["count-unique", "docs"]).trim(), "2");
}

#[test]
fn a_loop_is_seen() {
    let stage = Stage::new();
    assert!(said(&stage, &["check-refinement-loop", "docs"]).contains("ok"));
    let entry = |rate: f64| json!({"template": "docs", "trigger": "low_pass_rate", "full_pass_rate": rate});
    stage.put("state/scores/refinement-log.json", &json!({"entries": vec![entry(0.3); 5]}));
    assert!(said(&stage, &["check-refinement-loop", "docs"]).contains("loop breaker"));
    let mut better = vec![entry(0.3); 5];
    better.push(entry(0.4));
    stage.put("state/scores/refinement-log.json", &json!({"entries": better}));
    assert!(said(&stage, &["check-refinement-loop", "docs"]).contains("ok: no loop"));
}

#[test]
fn a_promotion_is_taken_back_by_scores_of_one_kind_only() {
    // Promoted by blended scores, at a time when judgements counted. They do not now.
    let stage = Stage::new();
    promoted(&stage, 0.9);
    let mut log = stage.get("state/scores/refinement-log.json");
    log["entries"][0]["compared"] = json!("blended");
    log["entries"][0]["original_mechanical"] = json!(0.5);
    stage.put("state/scores/refinement-log.json", &log);
    stage.runs("a", "docs", "full_pass", 15);
    stage.runs("b", "docs", "agent_failure", 15);
    assert!(
        said(&stage, &["check-rollback"]).starts_with("ok: docs scores 0.5 since its promotion, 0.5 before")
    );
    log["entries"][0]["original_mechanical"] = json!(0.9);
    stage.put("state/scores/refinement-log.json", &log);
    assert!(said(&stage, &["check-rollback"]).contains("rollback: docs"));
    // And one by mechanical scores is not held against what judges say since.
    log["entries"][0]["compared"] = json!("mechanical");
    log["entries"][0]["original_score"] = json!(0.5);
    log["entries"][0]["original_mechanical"] = json!(0.5);
    stage.put("state/scores/refinement-log.json", &log);
    assert!(said(&stage, &["check-rollback"]).starts_with("ok: docs scores 0.5"));
}
