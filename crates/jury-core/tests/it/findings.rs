//! The findings of every workflow, from its state.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail loudly")]

use std::collections::BTreeMap;

use jury_core::artifact::Blob;
use jury_core::content::state::RoundState;
use jury_core::content::{ContentIssue, ContentState, Critique, Writer};
use jury_core::critic::CriticState;
use jury_core::finding::Finding;
use jury_core::judge::JudgeState;
use jury_core::severity::Severity;
use jury_core::theater::Board;
use jury_core::unit::Round;
use jury_core::workflow::WorkflowState as _;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The empty state with these fields.
fn state<S: Default + Serialize + DeserializeOwned>(fields: &Value) -> S {
    let mut value = serde_json::to_value(S::default()).unwrap();
    value.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    serde_json::from_value(value).unwrap()
}

/// A finding without its identity, as a report would print it.
fn shown(findings: &[Finding]) -> Value {
    let mut value = serde_json::to_value(findings).unwrap();
    for finding in value.as_array_mut().unwrap() {
        finding.as_object_mut().unwrap().remove("id");
    }
    value
}

#[test]
fn the_theater_gives_what_was_asked_for_what_was_measured_against_it_and_the_lint() {
    let measured = |standing: &str, place: &str| {
        json!({"round": 1, "kind": "failure", "role": "a11y", "check": "a11y/contrast", "measured": "3.9:1",
               "bound": "4.5:1", "place": place, "line": 7, "standing": standing})
    };
    let round = |number: u32, evidence: Value| json!({"round": number, "reviews": [], "artifact": null, "evidence": evidence, "end": null});
    let board: Board = state(&json!({
        "ledger": {"0123456789ab": {"role": "copy", "text": "Shorten line 4", "first": 1, "last": 1, "state": "fixed"}},
        "rounds": [
            round(1, json!([measured("overrated", "p.lead"), measured("consistent", "p.note")])),
            round(2, json!([measured("overrated", "p.lead")])),
        ],
        "lint": {"round": 2, "findings": [{"rule": "todo", "line": 3, "message": "a TODO is left"}]},
    }));
    assert_eq!(
        shown(&board.findings()),
        json!([
            {"rule": "copy", "severity": "serious", "place": {"line": 4}, "text": "Shorten line 4", "state": "fixed"},
            {"rule": "a11y/contrast", "severity": "serious", "place": {"line": 7, "selector": "p.lead"},
             "text": "3.9:1, should be 4.5:1", "state": "open"},
            {"rule": "lint/todo", "severity": "serious", "place": {"line": 3}, "text": "a TODO is left", "state": "open"},
        ])
    );
}

#[test]
fn the_critic_gives_its_ledger_with_the_place_the_figures_and_the_fix() {
    let blob = serde_json::to_value(Blob::of(b"# Plan", "text/markdown")).unwrap();
    let state: CriticState = state(&json!({
        "ledger": {"0123456789ab": {"role": "LINKS", "text": "2 of 5 links affected", "first": 1, "last": 1, "state": "open"}},
        "passes": [{
            "pass": 1, "document": blob, "absences": [], "rejections": [], "adversarial": null, "fixed": null, "end": null,
            "evidence": [{"pass": 1, "criterion": "LINKS", "source": "measure", "passed": false,
                          "figures": {"affected": 2.0}, "summary": "2 of 5 links affected",
                          "places": [{"line": 12, "text": "no such file"}]}],
            "verdicts": [{"pass": 1, "criterion": "LINKS", "verdict": "FAIL", "basis": "measured",
                          "answer": "2 of 5 links affected", "fix": "Mend the links."}],
        }],
    }));
    assert_eq!(
        shown(&state.findings()),
        json!([{
            "rule": "LINKS", "severity": "serious", "place": {"line": 12}, "text": "2 of 5 links affected",
            "suggestion": "Mend the links.", "figures": [{"name": "affected", "value": 2.0, "unit": ""}], "state": "open",
        }])
    );
}

#[test]
fn the_judge_gives_the_issues_of_its_judgement() {
    let issue: jury_core::judge::JudgeIssue = serde_json::from_value(json!({
        "severity": "major", "description": "A test is gone.", "dimension": "correctness",
        "evidence": {"file": "tests/a.rs", "line": 14, "quote": "fn a()"},
    }))
    .unwrap();
    assert_eq!(
        shown(&[issue.finding()]),
        json!([{
            "rule": "correctness", "severity": "serious", "text": "A test is gone.", "state": "open",
            "place": {"file": "tests/a.rs", "line": 14, "quote": "fn a()"},
        }])
    );
    assert_eq!(JudgeState::default().findings(), []);
}

#[test]
fn content_gives_what_critics_of_the_round_say_gravest_first() {
    let critic = "seo".parse().unwrap();
    let issue = |rule: &str, severity| {
        ContentIssue::measured(
            &critic,
            rule,
            rule,
            severity,
            format!("{rule} is wrong"),
            "Change it.".to_owned(),
        )
    };
    let issues = vec![
        issue("seo.title-short", Severity::Minor),
        issue("seo.h1-count", Severity::Serious).quoting("# A"),
    ];
    let critique: Critique = serde_json::from_value(json!({
        "advisorId": "seo", "name": "SEO", "score": 5.0, "pass": false, "issues": issues,
    }))
    .unwrap();
    let round = RoundState {
        round: Round::FIRST,
        draft: Blob::of(b"# A", "text/markdown"),
        writer: Writer::Template,
        asked: BTreeMap::new(),
        critiques: BTreeMap::from([(critic, critique)]),
        absent: BTreeMap::new(),
        measured: None,
        ruling: None,
        open: Vec::new(),
        summary: None,
        brought: Vec::new(),
        lost: Vec::new(),
        done: Vec::new(),
    };
    let state = ContentState { rounds: vec![round], ..ContentState::default() };
    assert_eq!(
        shown(&state.findings()),
        json!([
            {"rule": "seo.h1-count", "severity": "serious", "place": {"quote": "# A"}, "text": "seo.h1-count is wrong",
             "suggestion": "Change it.", "state": "open"},
            {"rule": "seo.title-short", "severity": "minor", "text": "seo.title-short is wrong",
             "suggestion": "Change it.", "state": "open"},
        ])
    );
}
