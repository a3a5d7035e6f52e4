//! What a collected run looks like, and where it is looked for.

use serde_json::{Value, json};

use super::stage::Stage;

#[test]
fn without_a_record_the_usage_is_told() {
    let stage = Stage::new();
    for call in [&["feedback", "collect"][..], &["feedback"], &["feedback", "colect", "x"]] {
        let called = stage.call(call);
        assert_eq!(called.code, Some(1), "{call:?}");
        assert!(called.all().contains("Usage"), "{}", called.all());
    }
    let called = stage.collect("nowhere.json");
    assert_eq!((called.code, called.err.as_str()), (Some(1), "Error: run record not found: nowhere.json\n"));
}

#[test]
fn a_clean_run_has_every_key_and_no_pattern() {
    let stage = Stage::new();
    let called = stage.collect(&stage.record("bd-clean", &json!({})));
    assert_eq!(
        (called.code, called.out.as_str(), called.err.as_str()),
        (Some(0), "", "bd-clean: full_pass\n")
    );
    let feedback = stage.feedback("bd-clean");
    assert_eq!(
        feedback,
        json!({
            "schema_version": "1.0.0", "bead": "bd-clean", "timestamp": "2026-02-20T10:00:00Z", "template": "bug-fix",
            "agent": "ada", "model": "m1", "outcome": "full_pass",
            "signals": {"exit_clean": true, "tests_pass": true, "lint_pass": true, "ubs_clean": true,
                "truthsayer_clean": true, "duration_ratio": 0.5, "retried": false},
            "failure_patterns": [], "opus_quality_score": null, "opus_judge": null, "prompt_hash": "h1",
            "judgment": null,
        })
    );
    assert_eq!(stage.registry(), json!({}));
    assert_eq!(stage.kept(), ["bd-clean.json", "pattern-registry.json"]);
}

#[test]
fn every_outcome_is_that_of_the_scripts() {
    let stage = Stage::new();
    let outcome = |bead: &str, over: &Value| {
        assert_eq!(stage.collect(&stage.record(bead, over)).code, Some(0));
        stage.feedback(bead)
    };
    let checks =
        |lint: &str, tests: &str| json!({"lint": lint, "tests": tests, "ubs": "clean", "truthsayer": "pass"});
    let linted = outcome("bd-lint", &json!({"verification": checks("fail", "pass")}));
    assert_eq!(linted["outcome"], "partial_pass");
    assert_eq!(
        (&linted["signals"]["lint_pass"], &linted["signals"]["tests_pass"]),
        (&json!(false), &json!(true))
    );
    let failed = outcome("bd-exit", &json!({"exit_code": 1, "verification": checks("pass", "fail")}));
    assert_eq!(
        (&failed["outcome"], &failed["signals"]["exit_clean"]),
        (&json!("agent_failure"), &json!(false))
    );
    for reason in ["tmux-launch-failed", "status-file", "agent-died-work-preserved", "infra-anything"] {
        let infra =
            outcome("bd-infra", &json!({"status": "failed", "exit_code": 1, "failure_reason": reason}));
        assert_eq!(infra["outcome"], "infra_failure", "{reason}");
    }
    let late = outcome("bd-late", &json!({"status": "timeout", "attempt": 2, "exit_code": null}));
    assert_eq!((&late["outcome"], &late["signals"]["retried"]), (&json!("timeout"), &json!(true)));
    let unscanned = json!({"lint": "pass", "tests": "pass", "ubs": "skipped", "truthsayer": "pass"});
    assert_eq!(outcome("bd-ubs", &json!({"verification": unscanned}))["outcome"], "partial_pass");
    let named = outcome("bd-again", &json!({"attempt": 2, "prompt_hash": "h1"}));
    assert_eq!((&named["prompt_hash"], &named["signals"]["retried"]), (&json!("h1"), &json!(true)));
    // Everything in the folder is JSON, the registry as well.
    for name in stage.kept() {
        let bytes = std::fs::read(stage.context.path(&format!("state/feedback/{name}"))).unwrap();
        assert!(serde_json::from_slice::<Value>(&bytes).is_ok(), "{name}");
    }
}

#[test]
fn a_run_that_goes_on_leaves_nothing_behind() {
    let stage = Stage::new();
    let running = json!({"status": "running", "verification": null, "duration_seconds": null});
    let called = stage.collect(&stage.record("bd-on", &running));
    assert_eq!((called.code, called.all()), (Some(0), String::new()));
    // It is looked at before the name is.
    assert_eq!(stage.collect(&stage.raw("nameless", r#"{"status": "running"}"#)).code, Some(0));
    assert_eq!(stage.kept(), Vec::<String>::new());
}

#[test]
fn a_run_without_a_name_has_the_line_that_scripts_know() {
    let stage = Stage::new();
    for nameless in [json!({"bead": null}), json!({"bead": ""}), json!({"bead": false})] {
        let called = stage.collect(&stage.record("bd-x", &nameless));
        let line = "Error: missing bead in run record: state/runs/bd-x.json\n";
        assert_eq!((called.code, called.err.as_str()), (Some(1), line));
    }
    assert_eq!(stage.kept(), Vec::<String>::new());
}

#[test]
fn records_are_looked_for_here_and_in_the_workspace() {
    let stage = Stage::new();
    let file = stage.record("bd-far", &json!({}));
    let workspace = stage.context.path("");
    let elsewhere = tempfile::tempdir().unwrap();
    let mut command = stage.jury(&["feedback", "collect", &file]);
    let output = command.env("WORKSPACE_ROOT", &workspace).current_dir(elsewhere.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stage.feedback("bd-far")["outcome"], "full_pass");
    assert_eq!(
        std::fs::read_dir(elsewhere.path()).unwrap().count(),
        0,
        "nothing is written where it was called"
    );
}

#[test]
fn folders_are_where_the_variables_say() {
    let stage = Stage::new();
    let file = stage.record("bd-there", &json!({"attempt": 2}));
    let (folder, registry) = (stage.context.path("fb"), stage.context.path("other/registry.json"));
    let mut command = stage.jury(&["feedback", "collect", &file]);
    let output = command.env("FEEDBACK_DIR", &folder).env("REGISTRY_FILE", &registry).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(folder.join("bd-there.json").exists());
    let registry: Value = serde_json::from_slice(&std::fs::read(registry).unwrap()).unwrap();
    assert_eq!(registry["repeated-failure"]["count"], 1);
    assert!(!stage.context.path("state/feedback").exists());
}

#[test]
fn several_records_are_several_results() {
    let stage = Stage::new();
    let good = stage.record("bd-good", &json!({}));
    let bad = stage.record("bd-bad", &json!({"attempt": "two"}));
    let last = stage.record("bd-last", &json!({}));
    let called = stage.call(&["feedback", "collect", &good, &bad, &last]);
    assert_eq!(called.code, Some(1));
    let error = "Error: state/runs/bd-bad.json: attempt: found the text \"two\", expected a number\n";
    assert_eq!(called.err, format!("bd-good: full_pass\n{error}bd-last: full_pass\n"));
    assert_eq!(stage.kept(), ["bd-good.json", "bd-last.json", "pattern-registry.json"]);
}

#[test]
fn collecting_again_changes_not_a_byte() {
    let stage = Stage::new();
    for over in [json!({"attempt": 2}), json!({"attempt": 2, "finished_at": null})] {
        let file = stage.record("bd-twice", &over);
        stage.collect(&file);
        let (feedback, registry) = (stage.feedback("bd-twice"), stage.registry());
        let mut later = stage.jury(&["feedback", "collect", &file]);
        assert!(later.env("JURY_NOW", "2026-03-01T00:00:00Z").status().unwrap().success());
        assert_eq!((stage.feedback("bd-twice"), stage.registry()), (feedback, registry));
    }
}

#[test]
fn a_run_that_says_something_else_is_counted_as_what_it_says_now() {
    let stage = Stage::new();
    stage.collect(&stage.record("bd-one", &json!({"attempt": 2, "duration_seconds": 2000})));
    stage.collect(&stage.record("bd-two", &json!({"attempt": 2})));
    assert_eq!(stage.registry()["repeated-failure"]["count"], 2);
    stage.collect(&stage.record("bd-one", &json!({"duration_seconds": 2000})));
    let registry = stage.registry();
    assert_eq!(registry["repeated-failure"]["count"], 1);
    assert_eq!(registry["repeated-failure"]["last_beads"], json!(["bd-two"]));
    assert_eq!(registry["scope-creep"]["count"], 1);
}

#[test]
fn broken_files_are_put_aside_with_a_line_and_nothing_stops() {
    let stage = Stage::new();
    let one = stage.record("bd-one", &json!({"attempt": 2}));
    let two = stage.record("bd-two", &json!({"attempt": 2}));
    stage.collect(&one);
    stage.collect(&two);
    let exact = stage.registry();
    for (name, body) in [
        ("pattern-registry.json", ""),
        ("pattern-registry.json", "{\"repeated-failure\":"),
        ("bd-one.json", ""),
        ("bd-one.json", "{\"bead\":"),
        ("bd-one.json", "{\"bead\": \"bd-other\"}"),
    ] {
        std::fs::write(stage.context.path(&format!("state/feedback/{name}")), body).unwrap();
        let called = stage.collect(&one);
        assert_eq!(called.code, Some(0), "{}", called.err);
        let moved = format!("note: [DIR]/state/feedback/{name} cannot be read");
        assert!(stage.context.filter(&called.err).starts_with(&moved), "{}", called.err);
        assert!(called.err.contains("pattern-registry.json was made again from the feedback records\n"));
        assert_eq!(stage.registry(), exact, "{name} {body}");
        assert_eq!(stage.feedback("bd-one")["signals"]["retried"], true);
    }
    let aside = std::fs::read_dir(stage.context.path("state/feedback/quarantine")).unwrap().count();
    assert_eq!(aside, 5, "nothing is deleted");
}

#[test]
fn a_wrong_clock_is_an_error_and_not_a_guess() {
    let stage = Stage::new();
    let file = stage.record("bd-one", &json!({}));
    let output = stage.jury(&["feedback", "collect", &file]).env("JURY_NOW", "noon").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stage.kept(), Vec::<String>::new());
}
