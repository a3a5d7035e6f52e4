//! `jury patterns`: what a run shows, and what the registry says.

use serde_json::{Value, json};

use super::stage::Stage;

fn detected(stage: &Stage, over: &Value) -> String {
    let called = stage.call(&["patterns", "detect", &stage.record("bd-one", over)]);
    assert_eq!(called.code, Some(0), "{}", called.err);
    called.out
}

#[test]
fn a_clean_run_prints_an_empty_array_and_every_pattern_is_found() {
    let stage = Stage::new();
    assert_eq!(detected(&stage, &json!({})), "[]\n");
    let checks = |tests: &str, lint: &str, ubs: &str, truth: &str| json!({"verification": {"tests": tests, "lint": lint, "ubs": ubs, "truthsayer": truth}});
    let cases = [
        (checks("fail", "pass", "clean", "pass"), r#"["test-failure-after-completion"]"#),
        (checks("pass", "fail", "clean", "pass"), r#"["lint-failure-after-completion"]"#),
        (json!({"duration_seconds": 1801}), r#"["scope-creep"]"#),
        (json!({"duration_seconds": 1800.5}), r#"["scope-creep"]"#),
        (json!({"duration_seconds": 1800}), "[]"),
        (checks("pass", "pass", "issues", "fail"), r#"["incomplete-work"]"#),
        (json!({"status": "failed", "failure_reason": "tmux-launch-failed"}), r#"["infra-tmux"]"#),
        (json!({"status": "failed", "failure_reason": "disk full"}), r#"["infra-disk"]"#),
        (json!({"attempt": 2}), r#"["repeated-failure"]"#),
        (checks("skipped", "skipped", "clean", "pass"), r#"["verification-gap"]"#),
        (checks("skipped", "pass", "clean", "pass"), "[]"),
    ];
    for (over, expected) in cases {
        assert_eq!(detected(&stage, &over).trim(), expected, "{over}");
    }
    let many = json!({"attempt": 3, "duration_seconds": 4000,
        "verification": {"tests": "fail", "lint": "fail", "ubs": "clean", "truthsayer": "pass"}});
    let five: Vec<String> = serde_json::from_str(&detected(&stage, &many)).unwrap();
    let named = [
        "test-failure-after-completion",
        "lint-failure-after-completion",
        "scope-creep",
        "incomplete-work",
        "repeated-failure",
    ];
    assert_eq!(five, named);
    // A run without a name can be looked at.
    assert_eq!(detected(&stage, &json!({"bead": null, "attempt": 2})).trim(), r#"["repeated-failure"]"#);
    assert_eq!(stage.kept(), Vec::<String>::new(), "looking writes nothing");
}

#[test]
fn a_registry_is_made_when_it_is_asked_for_and_a_run_counts_once() {
    let stage = Stage::new();
    let file = stage.record("bd-one", &json!({"status": "failed", "failure_reason": "tmux-launch-failed"}));
    let registry = stage.context.path("r/patterns.json");
    let count = || {
        let mut command = stage.jury(&["patterns", "detect", "--update-registry", &file]);
        let output = command.env("REGISTRY_FILE", &registry).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "[\"infra-tmux\"]\n");
        let registry: Value = serde_json::from_slice(&std::fs::read(&registry).unwrap()).unwrap();
        registry["infra-tmux"]["count"].clone()
    };
    assert_eq!((count(), count()), (json!(1), json!(1)));
    assert!(!stage.context.path("state/feedback").exists());
}

#[test]
fn wrong_calls_have_the_exit_code_of_the_scripts() {
    let stage = Stage::new();
    let file = stage.record("bd-one", &json!({}));
    let calls: [&[&str]; 8] = [
        &["patterns"],
        &["patterns", "detect"],
        &["patterns", "detect", "--unknown-flag", &file],
        &["patterns", "detect", "nowhere.json"],
        &["patterns", "detail"],
        &["patterns", "mitigate", "scope-creep"],
        &["patterns", "effectiveness"],
        &["patterns", "forget", "scope-creep"],
    ];
    for call in calls {
        let called = stage.call(call);
        assert_eq!(called.code, Some(1), "{call:?}");
        let word = if call.contains(&"nowhere.json") { "not found" } else { "Usage" };
        assert!(called.all().contains(word), "{call:?}: {}", called.all());
    }
    let usage = stage.call(&["patterns"]).all();
    for name in ["list", "detail", "mitigate", "effectiveness", "Usage"] {
        assert!(usage.contains(name), "{usage}");
    }
}

#[test]
fn the_list_has_the_most_frequent_first_and_marks_the_machine() {
    let stage = Stage::new();
    assert!(stage.call(&["patterns", "list"]).all().contains("No pattern"));
    let folder = stage.context.path("state/feedback");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("pattern-registry.json"), "{}").unwrap();
    assert!(stage.call(&["patterns", "list"]).all().contains("No patterns"));
    for number in 0..3 {
        stage.collect(&stage.record(&format!("bd-{number}"), &json!({"attempt": 2})));
    }
    stage.collect(
        &stage.record("bd-tmux", &json!({"status": "failed", "failure_reason": "tmux-launch-failed"})),
    );
    let listed = stage.call(&["patterns", "list"]);
    assert_eq!(listed.code, Some(0));
    let lines: Vec<&str> = listed.out.lines().map(str::trim).collect();
    assert_eq!(lines, ["3  repeated-failure", "1  infra-tmux  (infra: excluded from template scoring)"]);
    let json: Value =
        serde_json::from_str(&stage.call(&["patterns", "list", "--format", "json"]).out).unwrap();
    assert_eq!((&json[0]["pattern"], &json[0]["count"]), (&json!("repeated-failure"), &json!(3)));
    assert_eq!((&json[1]["infra"], &json[0]["infra"]), (&json!(true), &json!(false)));
}

#[test]
fn a_pattern_in_detail() {
    let stage = Stage::new();
    stage.collect(
        &stage.record("bd-tmux", &json!({"status": "failed", "failure_reason": "tmux-launch-failed"})),
    );
    let shown = stage.call(&["patterns", "detail", "infra-tmux"]);
    assert_eq!(shown.code, Some(0));
    let words = [
        "infra-tmux",
        "excluded from template scoring",
        "count",
        "first_seen",
        "last_seen",
        "2026-02-20T10:00:00Z",
        "beads",
        "bd-tmux",
    ];
    for word in words {
        assert!(shown.out.contains(word), "{word} in {}", shown.out);
    }
    let unknown = stage.call(&["patterns", "detail", "no-such"]);
    assert_eq!(unknown.code, Some(1));
    assert!(unknown.all().contains("not found"));
    let json: Value =
        serde_json::from_str(&stage.call(&["patterns", "detail", "infra-tmux", "--format", "json"]).out)
            .unwrap();
    assert_eq!(json["last_beads"], json!(["bd-tmux"]));
}

#[test]
fn a_mitigation_is_measured_by_what_came_after_it() {
    let stage = Stage::new();
    assert_eq!(stage.call(&["patterns", "mitigate", "scope-creep", "less"]).code, Some(1));
    // Twenty runs before it, all of which show the pattern: they say nothing about it.
    for number in 0..20 {
        stage.collect(&stage.record(&format!("bd-old{number}"), &json!({"duration_seconds": 2000})));
    }
    let without = stage.call(&["patterns", "effectiveness", "scope-creep"]);
    assert!(without.out.contains("scope-creep") && without.out.contains("no mitigation"), "{}", without.out);
    assert_eq!(stage.call(&["patterns", "mitigate", "scope-creep", "split the tasks"]).code, Some(0));
    let entry = stage.registry()["scope-creep"].clone();
    assert_eq!(entry["mitigation"], "split the tasks");
    assert_eq!(entry["mitigated_at"], "2026-02-21T12:00:00Z");
    assert_eq!(entry["count_at_mitigation"], 20);
    for number in 0..10 {
        let seconds = if number < 3 { 2000 } else { 100 };
        let over = json!({"duration_seconds": seconds, "finished_at": format!("2026-02-2{}T00:00:00Z", 2 + number % 5)});
        stage.collect(&stage.record(&format!("bd-new{number}"), &over));
    }
    let measured = stage.call(&["patterns", "effectiveness", "scope-creep"]);
    assert_eq!(measured.code, Some(0));
    assert!(measured.out.contains("scope-creep") && measured.out.contains("30%"), "{}", measured.out);
    // Another word for it may come later.
    stage.call(&["patterns", "mitigate", "scope-creep", "smaller tasks"]);
    assert_eq!(stage.registry()["scope-creep"]["mitigation"], "smaller tasks");
    assert_eq!(stage.registry()["scope-creep"]["count"], 23);
}
