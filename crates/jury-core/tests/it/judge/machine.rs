//! The machine of the judge: random lives of it, and the rules that hold in all of them.

use jury_core::critic::Answer as PersonsAnswer;
use jury_core::event::{AgentNote, AgentNoteKind, Usage};
use jury_core::id::{ArtifactId, ProjectId};
use jury_core::judge::machine::{
    Judge, JudgeEffect, JudgeInput, JudgeOutbox, JudgeOutput, JudgeSetup, SeatFailure,
};
use jury_core::judge::settings::JudgeMode;
use jury_core::judge::{
    Confidence, Dimensions, IssueEvidence, JudgeAnswer, JudgeCost, JudgeDimension, JudgeEvent, JudgeIssue,
    JudgeSignals, JudgeStamp, JudgeState, JudgeStatus, JudgeVerdict, MEASURED_CAP, RunOutcome, SeatName,
    Signals, Throttled, WorkCoverage,
};
use jury_core::severity::Severity;
use proptest::prelude::*;
use serde_json::json;

use super::stage::{answer, at, bead, marks, run};

fn signals(outcome: RunOutcome) -> JudgeSignals {
    JudgeSignals { outcome, signals: Signals::of(&run(&json!({}))), failure_patterns: Vec::new() }
}

fn setup(seats: u32) -> JudgeSetup {
    let name =
        |repeat| SeatName { judge: JudgeStamp { model: "opus".to_owned(), ..JudgeStamp::default() }, repeat };
    JudgeSetup {
        project: "default".parse::<ProjectId>().unwrap(),
        artifact: ArtifactId(uuid::Uuid::from_u128(7)),
        bead: bead("bd-one"),
        template: "bug-fix".to_owned(),
        signals: signals(RunOutcome::FullPass),
        mode: JudgeMode::Model,
        seats: (1..=seats).map(name).collect(),
        facts: Vec::new(),
        coverage: seen(100, 0),
        force: false,
        gated: false,
    }
}

fn seen(lines: u64, left_out: u64) -> WorkCoverage {
    WorkCoverage { prompt: true, ..WorkCoverage::of(lines, left_out, false) }
}

fn text(marks: &Dimensions) -> String {
    json!({
        "dimensions": marks, "issues": [], "summary": "Fine.", "confidence": "high",
    })
    .to_string()
}

fn events(out: &JudgeOutbox) -> Vec<JudgeEvent> {
    out.iter()
        .filter_map(|output| match output {
            JudgeOutput::Event(event) => Some(event.clone()),
            JudgeOutput::Effect(_) => None,
        })
        .collect()
}

fn said(seat: u32, text: String, cost: JudgeCost) -> JudgeInput {
    let read = JudgeAnswer::read(&text, &bead("bd-one")).map(Box::new);
    JudgeInput::Answered { seat, text, read, cost }
}

fn answered(judge: &mut Judge, seat: u32, text: String, out: &mut JudgeOutbox) {
    let cost = JudgeCost { input_tokens: 100, output_tokens: 10, cost_usd: Some(0.01), duration_ms: 500 };
    judge.handle(said(seat, text, cost), at(1), out);
}

fn fact(dimension: Option<JudgeDimension>, severity: Severity) -> JudgeIssue {
    let evidence = IssueEvidence { file: Some("tests/a.rs".to_owned()), line: Some(3), quote: None };
    JudgeIssue {
        severity,
        description: "A test is gone.".to_owned(),
        dimension,
        evidence: Some(evidence),
        seats: None,
    }
}

#[test]
fn one_seat_that_answers_makes_the_judgement() {
    let (mut judge, mut out) = (Judge::new(setup(1)), JudgeOutbox::new());
    judge.handle(JudgeInput::Start, at(0), &mut out);
    assert_eq!(out.last(), Some(&JudgeOutput::Effect(JudgeEffect::Ask { seat: 1 })));
    answered(&mut judge, 1, text(&marks(0.9, 0.8, 0.7, 1.0)), &mut out);
    let judgement = judge.state().judgement().unwrap();
    assert_eq!((judgement.verdict, judgement.confidence), (JudgeVerdict::Pass, Confidence::High));
    assert_eq!(judge.state().cost().cost_usd, Some(0.01));
    assert_eq!(judge.state().status(), JudgeStatus::Pass);
}

#[test]
fn a_bad_answer_goes_back_once_and_then_the_seat_is_empty() {
    let (mut judge, mut out) = (Judge::new(setup(1)), JudgeOutbox::new());
    judge.handle(JudgeInput::Start, at(0), &mut out);
    answered(&mut judge, 1, "no".to_owned(), &mut out);
    assert!(matches!(out.last(), Some(JudgeOutput::Effect(JudgeEffect::Repair { seat: 1, .. }))), "{out:?}");
    answered(&mut judge, 1, "still no".to_owned(), &mut out);
    assert_eq!(judge.state().status(), JudgeStatus::Inconclusive);
    // Both attempts are paid for.
    assert_eq!(judge.state().seats[0].cost().unwrap().input_tokens, 200);
}

fn absent(judge: &mut Judge, seat: u32, failure: SeatFailure, out: &mut JudgeOutbox) {
    let cost = JudgeCost { input_tokens: 100, output_tokens: 10, cost_usd: Some(0.01), duration_ms: 500 };
    let reason = "the agent exited with code 3".to_owned();
    judge.handle(JudgeInput::Absent { seat, failure, reason, cost }, at(1), out);
}

#[test]
fn a_seat_that_fails_is_asked_once_more_and_then_it_is_empty() {
    let (mut judge, mut out) = (Judge::new(setup(1)), JudgeOutbox::new());
    judge.handle(JudgeInput::Start, at(0), &mut out);
    absent(&mut judge, 1, SeatFailure::Passing, &mut out);
    assert_eq!(out.last(), Some(&JudgeOutput::Effect(JudgeEffect::Ask { seat: 1 })));
    assert_eq!(judge.state().status(), JudgeStatus::Running);
    assert_eq!(JudgeState::of(&events(&out)), *judge.state());
    let mut other = (judge.clone(), out.clone());
    answered(&mut other.0, 1, text(&marks(0.9, 0.9, 0.9, 0.9)), &mut other.1);
    assert_eq!(other.0.state().status(), JudgeStatus::Pass);
    assert_eq!(other.0.state().seats[0].cost().unwrap().input_tokens, 200, "both attempts are paid for");
    absent(&mut judge, 1, SeatFailure::Passing, &mut out);
    assert_eq!(judge.state().status(), JudgeStatus::Inconclusive);
    let retried = events(&out).into_iter().filter(|event| matches!(event, JudgeEvent::Retried(_))).count();
    assert_eq!(retried, 1);
}

#[test]
fn a_seat_that_cannot_answer_is_not_asked_again() {
    let (mut judge, mut out) = (Judge::new(setup(1)), JudgeOutbox::new());
    judge.handle(JudgeInput::Start, at(0), &mut out);
    absent(&mut judge, 1, SeatFailure::Lasting, &mut out);
    assert_eq!(judge.state().status(), JudgeStatus::Inconclusive);
    assert!(judge.state().seats[0].retried.is_none());
}

#[test]
fn what_was_measured_cannot_pass() {
    let facts = vec![fact(Some(JudgeDimension::Completeness), Severity::Serious)];
    let mut judge = Judge::new(JudgeSetup { facts, ..setup(1) });
    let mut out = JudgeOutbox::new();
    judge.handle(JudgeInput::Start, at(0), &mut out);
    answered(&mut judge, 1, text(&marks(1.0, 1.0, 1.0, 1.0)), &mut out);
    let judgement = judge.state().judgement().unwrap();
    assert_eq!(judgement.verdict, JudgeVerdict::Partial);
    assert!((judgement.dimensions.completeness - MEASURED_CAP).abs() < 1e-9);
    assert_eq!(judgement.issues.len(), 1);
    let seat = judge.state().seats[0].judged.as_ref().unwrap();
    assert_eq!(seat.claimed, Some(marks(1.0, 1.0, 1.0, 1.0)));
}

#[test]
fn a_fact_that_the_judge_saw_is_one_issue() {
    let said =
        JudgeIssue { description: "Somebody removed a test!".to_owned(), ..fact(None, Severity::Minor) };
    let before = JudgeAnswer { issues: vec![said], ..answer(marks(0.9, 0.9, 0.9, 0.9)) };
    let after = before.with_facts(&[fact(Some(JudgeDimension::Correctness), Severity::Serious)]);
    assert_eq!(after.issues.len(), 1);
    assert_eq!(after.issues[0].severity, Severity::Serious);
    assert_eq!(after.issues[0].description, "Somebody removed a test!");
    assert_eq!(after.dimensions.verdict(), JudgeVerdict::Partial);
}

#[test]
fn who_saw_little_is_not_sure() {
    let mut judge = Judge::new(JudgeSetup { coverage: seen(40, 60), ..setup(1) });
    let mut out = JudgeOutbox::new();
    judge.handle(JudgeInput::Start, at(0), &mut out);
    answered(&mut judge, 1, text(&marks(0.9, 0.9, 0.9, 0.9)), &mut out);
    assert_eq!(judge.state().judgement().unwrap().confidence, Confidence::Low);
}

#[test]
fn a_timeout_is_skipped_unless_it_is_forced() {
    for (force, ends) in [(false, JudgeStatus::Skipped), (true, JudgeStatus::Running)] {
        let mut judge = Judge::new(JudgeSetup { signals: signals(RunOutcome::Timeout), force, ..setup(1) });
        judge.handle(JudgeInput::Start, at(0), &mut JudgeOutbox::new());
        assert_eq!(judge.state().status(), ends);
    }
}

#[test]
fn a_dispute_waits_for_a_person_over_a_restart() {
    let (mut judge, mut out) = (Judge::new(setup(3)), JudgeOutbox::new());
    judge.handle(JudgeInput::Start, at(0), &mut out);
    for (seat, mark) in [(1, 0.9), (2, 0.6), (3, 0.1)] {
        answered(&mut judge, seat, text(&marks(mark, mark, mark, mark)), &mut out);
    }
    assert_eq!(judge.state().status(), JudgeStatus::Disputed);
    let state = JudgeState::of(&events(&out));
    let mut again = Judge::resume(state, setup(3)).unwrap();
    let by = "ada".to_owned();
    again.handle(
        JudgeInput::Decided { answer: PersonsAnswer::Text("well".to_owned()), by: by.clone() },
        at(9),
        &mut out,
    );
    assert!(again.is_disputed(), "what is no verdict decides nothing");
    again.handle(JudgeInput::Decided { answer: PersonsAnswer::Option(3), by }, at(9), &mut out);
    assert_eq!(again.state().status(), JudgeStatus::Fail);
    assert!(again.state().redispatch.is_some());
    for (word, ends) in [("pass", JudgeStatus::Pass), ("defer", JudgeStatus::Partial)] {
        let mut other = judge.clone();
        let answer = PersonsAnswer::Text(word.to_owned());
        other.handle(JudgeInput::Decided { answer, by: "ada".to_owned() }, at(9), &mut JudgeOutbox::new());
        assert_eq!(other.state().status(), ends);
    }
}

#[test]
fn what_the_throttle_holds_back_is_taken_up_again() {
    let own = JudgeSetup { gated: true, ..setup(1) };
    let (mut judge, mut out) = (Judge::new(own.clone()), JudgeOutbox::new());
    judge.handle(JudgeInput::Start, at(0), &mut out);
    assert_eq!(out, [JudgeOutput::Effect(JudgeEffect::Admit)]);
    let held = Throttled { until: at(60), bound: "20 an hour".to_owned() };
    judge.handle(JudgeInput::Throttled(held), at(0), &mut out);
    assert_eq!(judge.state().status(), JudgeStatus::Throttled);
    let mut again = Judge::resume(JudgeState::of(&events(&out)), own).unwrap();
    again.handle(JudgeInput::Admitted, at(60), &mut out);
    assert_eq!(again.state().status(), JudgeStatus::Running);
    assert!(Judge::resume(again.state().clone(), setup(1)).is_none(), "seats were asked: nothing to resume");
}

/// One thing that may happen, whether or not it fits.
fn inputs(seats: u32) -> impl Strategy<Value = JudgeInput> {
    let cost = JudgeCost { input_tokens: 5, output_tokens: 5, cost_usd: None, duration_ms: 10 };
    let mark = prop_oneof![Just(0.95), Just(0.72), Just(0.6), Just(0.2)];
    let seat = 0..=seats + 1;
    let note = AgentNote {
        kind: AgentNoteKind::Usage,
        detail: String::new(),
        status: None,
        usage: Some(Usage { input_tokens: 1, output_tokens: 1, cost_usd: None }),
    };
    let good = (seat.clone(), mark)
        .prop_map(move |(seat, mark)| said(seat, text(&marks(mark, mark, mark, mark)), cost));
    let nonsense = seat.clone().prop_map(move |seat| said(seat, "{\"a\":".to_owned(), cost));
    let failure = prop_oneof![3 => Just(SeatFailure::Passing), 1 => Just(SeatFailure::Lasting)];
    let absent = (seat, failure).prop_map(move |(seat, failure)| JudgeInput::Absent {
        seat,
        failure,
        reason: "it took too long".to_owned(),
        cost,
    });
    let person = prop_oneof![
        (0..5_u32).prop_map(PersonsAnswer::Option),
        "(pass|fail|partial|defer|perhaps)".prop_map(PersonsAnswer::Text),
        Just(PersonsAnswer::Skip),
    ];
    let held = Throttled { until: at(60), bound: "20 an hour".to_owned() };
    prop_oneof![
        3 => Just(JudgeInput::Start),
        2 => Just(JudgeInput::Admitted),
        1 => Just(JudgeInput::Throttled(held)),
        12 => good,
        4 => nonsense,
        3 => absent,
        2 => Just(JudgeInput::Note(note)),
        2 => person.prop_map(|answer| JudgeInput::Decided { answer, by: "ada".to_owned() }),
        1 => Just(JudgeInput::Refused("too dear".to_owned())),
        1 => Just(JudgeInput::Interrupt),
    ]
}

proptest! {
    #[test]
    fn every_life_ends_once_and_is_its_log(
        (seats, life) in (1..=5_u32).prop_flat_map(|seats| (Just(seats), prop::collection::vec(inputs(seats), 0..40))),
        gated in any::<bool>(),
        grave in any::<bool>(),
    ) {
        let facts = if grave { vec![fact(None, Severity::Serious)] } else { Vec::new() };
        let (mut judge, mut out) = (Judge::new(JudgeSetup { gated, facts, ..setup(seats) }), JudgeOutbox::new());
        for input in life {
            judge.handle(input, at(1), &mut out);
            prop_assert_eq!(&JudgeState::of(&events(&out)), judge.state());
        }
        judge.handle(JudgeInput::Interrupt, at(2), &mut out);
        let log = events(&out);
        let ends = log.iter().filter(|event| event.terminal().is_some()).count();
        prop_assert_eq!(ends, 1);
        prop_assert!(log.last().unwrap().terminal().is_some());
        prop_assert_eq!(&JudgeState::of(&log), judge.state());
        let state = judge.state();
        if state.status() == JudgeStatus::Pass {
            let passed = state.seats.iter().filter(|seat| {
                seat.judged.as_ref().is_some_and(|judged| judged.verdict == JudgeVerdict::Pass)
            });
            let by_person = state.settled.as_ref().is_some_and(|settled| settled.verdict == JudgeVerdict::Pass);
            prop_assert!(passed.count() * 2 > state.seats.len() || by_person);
            prop_assert!(!grave || by_person, "what was measured does not pass by itself");
        }
        // Every seat is asked once, once more if it fails, and once to repair an answer.
        let asked = out.iter().filter(|output| {
            matches!(output, JudgeOutput::Effect(JudgeEffect::Ask { .. } | JudgeEffect::Repair { .. }))
        });
        prop_assert!(asked.count() <= 3 * state.seats.len());
    }
}
