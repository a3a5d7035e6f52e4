//! Measured facts beside a panel: they hold back, and are no member of it.

use jury_core::content::event::Critiqued;
use jury_core::content::{ContentEvent, EditorDecision, PipelineProgress, Step, Tool, Writer};
use jury_core::evidence::EvidenceMode;
use jury_core::unit::Round;
use jury_core::workflow::WorkflowState as _;

use super::rule::critique;
use super::state::{Life, drafted, measured, selected, started};

/// A round in which everybody likes it, and this is measured.
fn liked(life: &mut Life, mode: EvidenceMode, issues: &[&str]) -> EditorDecision {
    let Step::Critique { round, missing } = life.state.next() else { panic!("{:?}", life.state.next()) };
    for who in missing {
        let critique = critique(who.as_str(), 10.0, vec![]);
        life.add(ContentEvent::Critiqued(Critiqued { round, critique }));
    }
    assert_eq!(life.state.next(), Step::Measure(round), "nothing is decided before it is measured");
    assert_eq!(life.state.next().tool(), Some(Tool::RunCritiques));
    life.add(measured(round, mode, issues));
    life.decide()
}

#[test]
fn what_is_measured_holds_back_and_is_no_member_of_the_panel() {
    let mut life = Life::begin(3, false, &["a", "b"]);
    let issues = ["high an invented quotation", "medium a figure"];
    assert_eq!(liked(&mut life, EvidenceMode::Gate, &issues), EditorDecision::Revise);
    let round = life.state.round(Round(1)).unwrap();
    let ruling = round.ruling.as_ref().unwrap();
    assert_eq!((ruling.mean, ruling.answered, ruling.seats, ruling.high), (Some(10.0), 2, 2, 1));
    assert_eq!(round.open.iter().map(|open| open.advisor_id.as_str()).collect::<Vec<_>>(), ["measured"; 2]);
    let summary = round.summary.as_ref().unwrap();
    assert!(
        summary.brief.contains("(measured against the documents) an invented quotation"),
        "{}",
        summary.brief
    );
    assert_eq!(summary.well_scored_aspects.len(), 2);
    // It is closed by measuring again, and by nothing that anybody says.
    life.revise();
    assert_eq!(liked(&mut life, EvidenceMode::Gate, &issues), EditorDecision::Revise);
    assert!(life.state.round(Round(2)).unwrap().summary.as_ref().unwrap().fixed_items.is_empty());
    life.revise();
    assert_eq!(liked(&mut life, EvidenceMode::Gate, &[]), EditorDecision::Approve);
    assert_eq!(life.state.round(Round(3)).unwrap().summary.as_ref().unwrap().fixed_items.len(), 2);
}

#[test]
fn what_is_measured_fills_no_quorum_and_lifts_no_mean() {
    let mut life = Life::begin(3, false, &["a", "b", "c"]);
    assert_eq!(life.round(&[("a", 10.0)], &[]), EditorDecision::Error);
    let mut life = Life::begin(3, false, &["a"]);
    assert_eq!(life.round(&[("a", 3.0)], &["a medium vague"]), EditorDecision::Revise);
    assert_eq!(life.state.round(Round(1)).unwrap().ruling.as_ref().unwrap().mean, Some(3.0));
}

#[test]
fn a_warning_is_listed_and_does_not_decide() {
    let mut life = Life::begin(3, false, &["a", "b"]);
    assert_eq!(
        liked(&mut life, EvidenceMode::Warn, &["high an invented quotation"]),
        EditorDecision::Approve
    );
    let round = life.state.round(Round(1)).unwrap();
    assert!(round.open.is_empty());
    let found: Vec<String> = life.state.findings().into_iter().map(|finding| finding.text).collect();
    assert_eq!(found, ["an invented quotation"]);
}

#[test]
fn a_run_that_measures_nothing_says_so() {
    let mut life = Life::default();
    let ContentEvent::RunStarted(mut begun) = started(3, false) else { panic!() };
    begun.evidence = Some(EvidenceMode::Off);
    life.add(ContentEvent::RunStarted(begun));
    life.add(drafted(1, Writer::Model));
    life.add(selected(&["a"]));
    assert_eq!(life.round(&[("a", 8.0)], &[]), EditorDecision::Approve);
    let progress = PipelineProgress::of(&life.state).unwrap();
    assert_eq!(progress.evidence, Some(EvidenceMode::Off));
    assert_eq!(progress.critique_history[0].measured, None);
}

#[test]
fn a_log_that_does_not_speak_of_measuring_is_a_gate_from_where_it_goes_on() {
    let line = serde_json::to_value(started(3, false)).unwrap();
    let mut old = line.as_object().unwrap().clone();
    assert_eq!(old.remove("evidence"), Some("gate".into()));
    let old: ContentEvent = serde_json::from_value(old.into()).unwrap();
    let mut life = Life::default();
    life.add(old);
    life.add(drafted(1, Writer::Model));
    life.add(selected(&["a"]));
    assert_eq!(PipelineProgress::of(&life.state).unwrap().evidence, None);
    assert_eq!(liked(&mut life, EvidenceMode::Gate, &["high an invented quotation"]), EditorDecision::Revise);
}
