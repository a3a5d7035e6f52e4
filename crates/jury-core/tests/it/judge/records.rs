//! Run records: what is read, what is refused, and which class a run has.

use jury_core::judge::{LARGEST_RECORD, RecordError, RecordReading, RunOutcome, RunRecord, Signals};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::stage::{record, run};

fn outcome(over: &Value) -> &'static str {
    RunOutcome::of(&run(over)).as_str()
}

/// JSON of any kind.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        "\\PC{0,12}".prop_map(Value::from),
        proptest::sample::select(vec!["done", "failed", "pass", "../x", "9e999", "-1"]).prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 20, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map("[a-z]{1,5}", inner, 0..4).prop_map(|map| json!(map)),
        ]
    })
}

#[test]
fn each_outcome_is_the_first_that_fits() {
    let checks = |lint: &str, tests: &str, ubs: &str, truth: &str| json!({"verification": {"lint": lint, "tests": tests, "ubs": ubs, "truthsayer": truth}});
    assert_eq!(outcome(&json!({})), "full_pass");
    assert_eq!(outcome(&checks("skipped", "skipped", "clean", "skipped")), "full_pass");
    assert_eq!(outcome(&checks("pass", "pass", "skipped", "pass")), "partial_pass");
    assert_eq!(outcome(&checks("fail", "pass", "clean", "pass")), "partial_pass");
    assert_eq!(outcome(&checks("odd", "pass", "clean", "pass")), "partial_pass");
    assert_eq!(outcome(&json!({"verification": null})), "partial_pass");
    assert_eq!(outcome(&json!({"status": "odd"})), "full_pass");
    assert_eq!(outcome(&json!({"exit_code": 1})), "agent_failure");
    assert_eq!(outcome(&json!({"exit_code": null})), "agent_failure");
    assert_eq!(outcome(&json!({"status": "failed"})), "agent_failure");
    assert_eq!(outcome(&json!({"status": "odd", "exit_code": 1})), "partial_pass");
    for reason in ["tmux-launch-failed", "status-file", "agent-died-work-preserved", "infra-network"] {
        assert_eq!(outcome(&json!({"status": "failed", "failure_reason": reason})), "infra_failure");
    }
    assert_eq!(outcome(&json!({"status": "timeout", "failure_reason": "infra-disk"})), "timeout");
}

#[test]
fn signals_say_what_the_checks_said() {
    let signals = Signals::of(&run(&json!({"attempt": 2, "duration_seconds": 900})));
    let expected = json!({"exit_clean": true, "tests_pass": true, "lint_pass": true, "ubs_clean": true,
        "truthsayer_clean": true, "duration_ratio": 1.5, "retried": true});
    assert_eq!(serde_json::to_value(signals).unwrap(), expected);
}

#[test]
fn a_run_that_goes_on_needs_not_even_a_name() {
    let running = RunRecord::read(br#"{"status":"running","verification":null,"duration_seconds":null}"#);
    assert_eq!(running, Ok(RecordReading::Running));
}

#[test]
fn what_is_missing_null_or_false_has_its_default() {
    let RecordReading::Finished(run) =
        RunRecord::read(br#"{"bead":"b","status":"done","agent":null,"attempt":false}"#).unwrap()
    else {
        panic!("it has ended")
    };
    assert_eq!(
        (run.agent.as_str(), run.model.as_str(), run.template.as_str()),
        ("unknown", "unknown", "custom")
    );
    assert_eq!((run.attempt, run.duration_seconds, run.exit_code, run.finished_at), (1, 0.0, None, None));
    let numbers_as_text =
        super::stage::run(&json!({"attempt": "2", "exit_code": "0", "duration_seconds": "1.5"}));
    assert_eq!((numbers_as_text.attempt, numbers_as_text.exit_code), (2, Some(0)));
}

#[test]
fn hostile_records_are_refused_in_one_line() {
    let refused = |over: &Value| RunRecord::of(&record(over)).unwrap_err().to_string();
    for name in ["../../escape", ".hidden", "a/b", "a b", "x\u{0}"] {
        assert!(refused(&json!({"bead": name})).starts_with("bead: "), "{name}");
    }
    assert_eq!(refused(&json!({"bead": ""})), "missing bead in run record");
    assert_eq!(refused(&json!({"bead": null})), "missing bead in run record");
    assert_eq!(refused(&json!({"bead": 7})), "bead: found 7, expected a text");
    assert_eq!(
        refused(&json!({"attempt": "PATH[$(touch x)]"})),
        "attempt: found the text \"PATH[$(touch x)]\", expected a number"
    );
    assert_eq!(refused(&json!({"attempt": 1.5})), "attempt: found 1.5, expected a whole number");
    assert_eq!(refused(&json!({"attempt": -1})), "attempt: found -1, expected a whole number from 0");
    assert_eq!(refused(&json!({"attempt": 1e300})), "attempt: found 1e+300, expected a whole number");
    assert_eq!(
        refused(&json!({"duration_seconds": [1, 2]})),
        "duration_seconds: found an array of 2, expected a number"
    );
    assert_eq!(
        refused(&json!({"duration_seconds": -1})),
        "duration_seconds: found -1, expected a number from 0"
    );
    assert_eq!(
        refused(&json!({"verification": "pass"})),
        "verification: found the text \"pass\", expected an object"
    );
    assert_eq!(refused(&json!({"verification": {"ubs": 1}})), "verification.ubs: found 1, expected a text");
    assert_eq!(RunRecord::read(b"[]").unwrap_err(), RecordError::NotAnObject("an array"));
    assert!(matches!(RunRecord::read(b"{\"bead\":"), Err(RecordError::NotJson(_))));
    assert!(matches!(RunRecord::read(b"{\"attempt\":1e999}"), Err(RecordError::NotJson(_))));
    assert!(matches!(RunRecord::read("[".repeat(100_000).as_bytes()), Err(RecordError::NotJson(_))));
    assert!(matches!(RunRecord::read(&vec![b' '; LARGEST_RECORD + 1]), Err(RecordError::Oversize(_))));
}

#[test]
fn control_characters_do_not_get_into_other_files_or_onto_terminals() {
    let run = run(&json!({"agent": "a\u{1b}[31mb\n", "template_name": "t".repeat(10_000)}));
    assert_eq!(run.agent, "a[31mb");
    assert_eq!(run.template.len(), 500);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_record_breaks_the_reader(key in proptest::sample::select(vec![
        "bead", "status", "exit_code", "agent", "attempt", "duration_seconds", "verification", "finished_at", "prompt",
        "failure_reason", "template_name",
    ]), value in any_json()) {
        let value = record(&json!({key: value}));
        if let Ok(RecordReading::Finished(run)) = RunRecord::of(&value) {
            prop_assert!(!run.bead.as_str().starts_with('.') && !run.bead.as_str().contains('/'));
            prop_assert!(run.duration_seconds.is_finite() && run.duration_seconds >= 0.0);
        }
    }
}
