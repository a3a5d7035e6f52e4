//! What holds for every run, whatever the agent, the clock and the user do.

use std::collections::BTreeSet;

use jury_core::artifact::Digest;
use jury_core::event::{RunStarted, ShipStatus, TheaterEvent};
use jury_core::evidence::EvidenceMode;
use jury_core::id::RunId;
use jury_core::lint::LintFinding;
use jury_core::outcome::{Decision, DegradedReason, FailedCause, FallbackPolicy};
use jury_core::process::Exit;
use jury_core::protocol::{Body, Declared, Fault, Part, RoundClaim, Signal};
use jury_core::record::Record;
use jury_core::role::Role;
use jury_core::score::{Composite, Score, Weights};
use jury_core::settings::CritiqueConfig;
use jury_core::theater::{
    Board, ClaimReader, Doubts, Evaluation, Ledger, Opening, Plan, Theater, TheaterEffect, TheaterInput,
    TheaterOutbox, TheaterOutput, Witness,
};
use jury_core::unit::{Bytes, Millis, Offset, Round, Seq};
use jury_core::warning::WarningKind;
use jury_core::workflow::WorkflowEvent as _;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

use super::generate::{Step, run};
use super::stage::{Printer, Stage, sample, subject};

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

fn config() -> impl Strategy<Value = CritiqueConfig> {
    let weights = select(vec![
        Weights { designer: 0.0, critic: 0.4, brand: 0.2, a11y: 0.2, copy: 0.2 },
        Weights { designer: 0.1, critic: 0.3, brand: 0.1, a11y: 0.2, copy: 0.0 },
        Weights { designer: 0.0, critic: 1.0, brand: 1.0, a11y: 3.0, copy: 0.07 },
    ]);
    let evidence = prop_oneof![2 => Just(EvidenceMode::Off), 3 => Just(EvidenceMode::Warn), 2 => Just(EvidenceMode::Gate)];
    (weights, 1_u32..5, select(FallbackPolicy::ALL.to_vec()), evidence).prop_map(
        |(weights, max_rounds, fallback_policy, evidence)| CritiqueConfig {
            evidence,
            weights,
            max_rounds,
            fallback_policy,
            ..CritiqueConfig::default()
        },
    )
}

/// Every way to begin, most of the time with a panel.
fn plan() -> impl Strategy<Value = Plan> {
    let opening = prop_oneof![
        6 => Just(Opening::Panel),
        1 => Just(Opening::Refused("it is marked".to_owned())),
        1 => Just(Opening::Off("nobody wants it".to_owned())),
    ];
    let driver = Witness::Driver(ClaimReader(jury_text::claim::claims));
    let witness = select(vec![Witness::Nobody, driver, driver, Witness::Panel]);
    let given = select(vec![None, Some(Digest::of(b"the page that was handed in"))]);
    (opening, any::<bool>(), witness, given).prop_map(|(opening, generates, witness, given)| Plan {
        opening,
        generates,
        witness,
        given,
        budget: jury_core::theater::RunBudget::default(),
    })
}

/// Lives through a run as the engine does: the final pass and the measuring are made as soon as they are asked for.
fn live(config: CritiqueConfig, plan: Plan, steps: &[Step], clean: bool) -> Stage {
    let mut stage = Stage::new(config).by(plan);
    stage.handle(TheaterInput::Start);
    for step in steps {
        let before = stage.out.len();
        match step {
            Step::Say(bytes) => stage.feed(bytes),
            Step::Wait(millis) => stage.now = stage.now.after(Millis(*millis)),
            Step::Line(line) => stage.play(line),
        }
        if matches!(step, Step::Line("deadline")) {
            let deadline = stage.theater.deadline();
            assert!(deadline.is_none_or(|deadline| deadline > stage.now), "a deadline that has passed");
        }
        answer(&mut stage, before, clean);
    }
    if !stage.theater.has_ended() {
        let before = stage.out.len();
        stage.ended(Exit::Code(0));
        answer(&mut stage, before, clean);
    }
    if !stage.theater.has_ended() {
        stage.play(if clean { "legacy <p>made</p>" } else { "legacy -" });
    }
    stage
}

fn answer(stage: &mut Stage, mut from: usize, clean: bool) {
    let lint_from = from;
    // What was held back may ask for more.
    while from < stage.out.len() {
        let asked: Vec<Digest> = stage.out[from..]
            .iter()
            .filter_map(|output| match output {
                TheaterOutput::Effect(TheaterEffect::Measure { digest, .. }) => Some(*digest),
                TheaterOutput::Event(_) | TheaterOutput::Effect(_) => None,
            })
            .collect();
        from = stage.out.len();
        for digest in asked {
            // The same draft measures the same, and drafts differ.
            let first = digest.to_string().chars().next().unwrap();
            let how = match first {
                '0'..='9' => "fine",
                'a' | 'b' => "poor",
                'c' | 'd' => "partial",
                _ => "broken",
            };
            stage.handle(TheaterInput::Measured { digest, result: Box::new(sample(how)) });
        }
    }
    answer_lint(stage, lint_from, clean);
}

fn answer_lint(stage: &mut Stage, before: usize, clean: bool) {
    let asked = stage.out[before..]
        .iter()
        .any(|output| matches!(output, TheaterOutput::Effect(TheaterEffect::Lint(_))));
    if asked {
        let finding = LintFinding { rule: "todo".to_owned(), line: 1, message: "TODO".to_owned() };
        stage.handle(TheaterInput::Linted(if clean { Vec::new() } else { vec![finding] }));
    }
}

/// The invariants of a log.
fn hold(stage: &Stage) {
    let events: Vec<&TheaterEvent> = stage.events().collect();
    ends_once(&stage.out);
    live_is_replay(&events, stage.theater.board());
    rounds_and_verdicts(&events);

    // Whatever an event refers to was kept before it, byte for byte.
    let mut printer = Printer::default();
    for output in &stage.out {
        printer.line(output);
    }
}

fn ends_once(out: &[TheaterOutput]) {
    let terminal =
        |output: &TheaterOutput| matches!(output, TheaterOutput::Event(event) if event.terminal().is_some());
    assert_eq!(out.iter().filter(|output| terminal(output)).count(), 1, "one terminal event");
    let end = out.iter().position(terminal).unwrap();
    assert!(
        matches!(out[end + 1..], [] | [TheaterOutput::Effect(TheaterEffect::StopAgent)]),
        "and nothing to follow but the end of the agent"
    );
    // There is never more than one agent, and none is left.
    let (mut speaking, mut asked) = (0, 0);
    for output in out {
        match output {
            TheaterOutput::Effect(TheaterEffect::StartAgent) => speaking += 1,
            TheaterOutput::Effect(TheaterEffect::AskOnce) => {
                speaking += 1;
                asked += 1;
            }
            TheaterOutput::Effect(TheaterEffect::StopAgent) => speaking -= 1,
            TheaterOutput::Event(_) | TheaterOutput::Effect(_) => {}
        }
        assert!((0..=1).contains(&speaking));
    }
    assert_eq!(speaking, 0);
    assert!(asked <= 1, "the single pass is single");
}

fn live_is_replay(events: &[&TheaterEvent], lived: &Board) {
    assert_eq!(&Board::of(events.iter().copied()), lived, "a replay ends elsewhere");
    let run_id: RunId = "0198c0de-0000-7000-8000-000000000002".parse().unwrap();
    let reread: Vec<TheaterEvent> = events
        .iter()
        .zip(1..)
        .map(|(event, seq)| {
            let record = Record { seq: Seq(seq), at: Millis(seq), run_id, event: (*event).clone().into() };
            let line = record.to_line().unwrap();
            assert!(!line.contains('\n'));
            let again = Record::from_line(&line).unwrap();
            assert_eq!(again, record, "a line does not come back as it was");
            TheaterEvent::of(&again.event).unwrap().clone()
        })
        .collect();
    assert_eq!(&Board::of(&reread), lived, "a replay of the transcript ends elsewhere");
    let board = serde_json::to_string(lived).unwrap();
    assert_eq!(&serde_json::from_str::<Board>(&board).unwrap(), lived, "the board itself does not come back");
}

/// Follows the log event by event.
fn rounds_and_verdicts(events: &[&TheaterEvent]) {
    let mut board = Board::default();
    let mut closed = 0;
    for event in events {
        board.apply(event);
        match event {
            TheaterEvent::ParserWarning(warning) if warning.kind == WarningKind::Restarted => closed = 0,
            TheaterEvent::PanelistOpen(open) => assert_eq!(open.round.0, closed + 1),
            TheaterEvent::PanelistDim(dim) => assert_eq!(dim.round.0, closed + 1),
            TheaterEvent::PanelistMustFix(must_fix) => assert_eq!(must_fix.round.0, closed + 1),
            TheaterEvent::PanelistClose(close) => assert_eq!(close.round.0, closed + 1),
            TheaterEvent::RoundEnd(end) => {
                assert_eq!(end.round.0, closed + 1, "rounds rise by one");
                closed += 1;
                let started = board.started.as_ref().unwrap();
                assert!(closed <= started.max_rounds);
                let rule = by_hand(&board, end.round, started);
                assert_eq!(end.composite, rule.stored(started), "the composite is that of the reviews");
                if end.decision == Decision::Ship {
                    assert!(rule.composite.reaches(started.threshold));
                    assert_eq!((rule.must_fix, end.must_fix, rule.quorum), (0, 0, true));
                }
                assert!(end.must_fix >= rule.must_fix);
            }
            TheaterEvent::Fallback(_) => {
                assert_eq!(closed, 0, "what a closed round brought is kept instead");
                assert!(board.ended.is_none() && !board.unreviewed());
            }
            TheaterEvent::Ship(ship) => {
                is_the_rounds(&board, ship.round, ship.composite);
                if board.fallback.is_some() {
                    assert!(matches!(ship.status, ShipStatus::Legacy | ShipStatus::TimedOut));
                    assert_eq!((ship.round, ship.composite), (None, None));
                }
                assert_eq!(board.unreviewed(), board.fallback.is_some() && ship.artifact.is_some());
                if ship.status == ShipStatus::Shipped {
                    let end = board.round(ship.round.unwrap()).unwrap().end.as_ref().unwrap();
                    assert_eq!(end.decision, Decision::Ship, "the shipped round cleared the bar");
                    let lint = board.lint.as_ref().unwrap();
                    assert_eq!((lint.round, lint.findings.as_slice()), (end.round, [].as_slice()));
                    assert!(ship.artifact.is_some());
                }
            }
            TheaterEvent::Degraded(degraded) => {
                is_the_rounds(&board, degraded.best.best_round, degraded.best.composite);
                assert_eq!(board.unreviewed(), board.fallback.is_some() && degraded.best.artifact.is_some());
                assert!(degraded.best.artifact.is_none() || board.unreviewed() || closed > 0);
                if let Some(fallback) = &board.fallback {
                    assert_eq!(fallback.reason, degraded.reason.into());
                }
            }
            TheaterEvent::Interrupted(interrupted) => {
                is_the_rounds(&board, interrupted.best.best_round, interrupted.best.composite);
            }
            TheaterEvent::Failed(failed) => {
                is_the_rounds(&board, failed.best.best_round, failed.best.composite);
            }
            TheaterEvent::Evidence(evidence) => {
                let gated = board.started.as_ref().unwrap().evidence == EvidenceMode::Gate;
                assert!(evidence.round.0 <= closed + 1);
                assert!(
                    !gated || evidence.round.0 == closed + 1,
                    "a gate decides by it: it comes before the end"
                );
                assert!(board.round(evidence.round).unwrap().artifact.is_some());
            }
            TheaterEvent::Queued(_)
            | TheaterEvent::RunStarted(_)
            | TheaterEvent::Agent(_)
            | TheaterEvent::Lint(_)
            | TheaterEvent::ParserWarning(_) => {}
        }
    }
}

/// The rule without what only the machine knows.
fn by_hand(board: &Board, round: Round, started: &RunStarted) -> Evaluation {
    Evaluation::of(board.round(round).unwrap(), started, &Ledger::default(), Doubts::default())
}

/// A round that an ending names is a closed one, with its own composite; none is named only when none closed.
fn is_the_rounds(board: &Board, round: Option<Round>, composite: Option<Composite>) {
    assert_eq!(round.is_none(), board.closed_rounds().next().is_none());
    let end = round.map(|round| board.round(round).unwrap().end.as_ref().unwrap());
    assert_eq!(end.map(|end| end.composite), composite);
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn every_run_keeps_its_promises(
        config in config(), plan in plan(), steps in run(), clean in prop::bool::weighted(0.8),
    ) {
        hold(&live(config, plan, &steps, clean));
    }

    #[test]
    fn how_the_answer_is_cut_changes_nothing(config in config(), plan in plan(), steps in run()) {
        let said: Vec<u8> = steps.iter().flat_map(|step| match step {
            Step::Say(bytes) => bytes.clone(),
            Step::Wait(_) | Step::Line(_) => Vec::new(),
        }).collect();
        let bytewise: Vec<Step> = said.iter().map(|byte| Step::Say(vec![*byte])).collect();
        let held = config.evidence == EvidenceMode::Gate;
        let whole = live(config.clone(), plan.clone(), &[Step::Say(said)], true).out;
        let cut = live(config, plan, &bytewise, true).out;
        if held {
            prop_assert_eq!(cut, whole);
        } else {
            prop_assert_eq!(apart(cut), apart(whole));
        }
    }

    #[test]
    fn no_input_in_any_order_breaks_the_machine(
        config in config(), plan in plan(), inputs in vec((input(), 0_u64..30_000), 0..60),
    ) {
        let mut theater = Theater::new(config, subject()).by(plan);
        let mut out = TheaterOutbox::new();
        let mut now = Millis(0);
        for (input, wait) in inputs {
            now = now.after(Millis(wait));
            let (ended, before) = (theater.has_ended(), out.len());
            theater.handle(input, now, &mut out);
            prop_assert!(!ended || out.len() == before, "something came after the end");
        }
        let events: Vec<&TheaterEvent> = out.iter().filter_map(|output| match output {
            TheaterOutput::Event(event) => Some(event),
            TheaterOutput::Effect(_) => None,
        }).collect();
        let terminals = events.iter().filter(|event| event.terminal().is_some()).count();
        prop_assert_eq!(terminals, usize::from(theater.has_ended()));
        live_is_replay(&events, theater.board());
    }
}

/// What was said without its evidence, and the evidence by rounds: where nobody waits for it, it comes when it comes,
/// the agent is ended before or after it, and an answer that is begun anew may come first.
fn apart(out: Vec<TheaterOutput>) -> (Vec<TheaterOutput>, Vec<TheaterOutput>) {
    let restarted = |output: &TheaterOutput| matches!(output, TheaterOutput::Event(TheaterEvent::ParserWarning(warning)) if warning.kind == WarningKind::Restarted);
    let round = |output: &TheaterOutput| match output {
        TheaterOutput::Event(TheaterEvent::Evidence(evidence)) => Some(evidence.round),
        TheaterOutput::Event(_) | TheaterOutput::Effect(_) => None,
    };
    let last = out.iter().rposition(restarted).unwrap_or_default();
    let (evidence, rest): (Vec<_>, Vec<_>) =
        out.into_iter().enumerate().partition(|(_, output)| round(output).is_some());
    let mut evidence: Vec<_> =
        evidence.into_iter().filter(|(at, _)| *at > last).map(|(_, output)| output).collect();
    evidence.sort_by_key(round);
    let rest = rest.into_iter().map(|(_, output)| output);
    (rest.filter(|output| *output != TheaterOutput::Effect(TheaterEffect::StopAgent)).collect(), evidence)
}

/// Any input, whether or not it makes sense here.
fn input() -> impl Strategy<Value = TheaterInput<'static>> {
    let fault =
        || Fault { reason: "malformed_block".parse().unwrap(), detail: String::new(), position: Offset(1) };
    prop_oneof![
        40 => signal().prop_map(TheaterInput::Signal),
        4 => Just(TheaterInput::Start),
        4 => select(vec![Part::Page, Part::Review]).prop_map(TheaterInput::Arrived),
        1 => Just(TheaterInput::Deadline),
        1 => select(vec![
            TheaterInput::Interrupt,
            TheaterInput::Fault(fault()),
            TheaterInput::Ended { exit: Exit::Code(0), fault: fault() },
            TheaterInput::Ended { exit: Exit::Signal(9), fault: fault() },
            TheaterInput::NotStarted(String::new()),
            TheaterInput::Broken(String::new()),
            TheaterInput::AgentFailed { cause: FailedCause::AgentError, detail: String::new() },
        ]),
        1 => select(vec![Some(b"<p>".to_vec()), None])
            .prop_map(|body| TheaterInput::Legacy { body, detail: String::new() }),
        2 => Just(TheaterInput::Linted(Vec::new())),
        3 => select(vec!["fine", "poor", "broken"]).prop_map(|how| TheaterInput::Measured {
            digest: Digest::of(b"<p>"),
            result: Box::new(sample(how)),
        }),
    ]
}

fn signal() -> impl Strategy<Value = Signal<'static>> {
    let number = || select(vec![None, Some(0.0), Some(8.0), Some(f64::MAX), Some(-1.0)]);
    let score = || select(vec![None, Some(Score(0.0)), Some(Score(8.0)), Some(Score(10.0))]);
    let place = || (1_u32..6).prop_map(Round);
    let role = || select(Role::ALL.to_vec());
    let position = Offset(7);
    prop_oneof![
        1 => (number(), number(), number()).prop_map(move |(max_rounds, threshold, scale)| {
            Signal::RunOpened(Declared { version: 1, max_rounds, threshold, scale, position })
        }),
        4 => (place(), prop::option::of(0_u32..6)).prop_map(|(round, declared)| Signal::RoundOpened { round, declared }),
        4 => (place(), role()).prop_map(move |(round, role)| Signal::PanelistOpened { round, role, position }),
        2 => (place(), role(), score()).prop_map(|(round, role, score)| {
            Signal::Dimension { round, role, name: "type", score, note: "so" }
        }),
        2 => (place(), role()).prop_map(|(round, role)| Signal::MustFix { round, role, text: "Mend it." }),
        3 => place().prop_map(|round| Signal::Artifact { round, mime: "text/html", body: b"<p>" }),
        4 => (place(), role(), score()).prop_map(|(round, role, score)| {
            Signal::PanelistClosed { round, role, score, notes: "", unwritten: 0 }
        }),
        3 => (place(), number()).prop_map(move |(round, claimed)| {
            let claim = RoundClaim { composite: claimed, must_fix: claimed, decision: None };
            Signal::RoundClosed { round, claim, reason: "", bytes: Bytes(9), position }
        }),
        1 => (prop::option::of(0_u32..6), number(), any::<bool>()).prop_map(move |(round, composite, bare)| {
            let artifact = (!bare).then_some(Body { mime: "text/html", bytes: b"<b>" });
            Signal::Shipped { round, composite, artifact, summary: "", position }
        }),
        1 => Just(Signal::RunClosed { position }),
        1 => select(WarningKind::ALL.to_vec()).prop_map(move |kind| Signal::Warning { kind, position, role: None }),
    ]
}

#[test]
fn the_random_runs_reach_every_ending() {
    let mut runner = TestRunner::deterministic();
    let strategy = (config(), plan(), run(), prop::bool::weighted(0.8));
    let mut seen = BTreeSet::new();
    for _ in 0..3000 {
        let (config, plan, steps, clean) = strategy.new_tree(&mut runner).unwrap().current();
        let board = live(config, plan, &steps, clean).theater.board().clone();
        let rounds = board.closed_rounds().count().min(3);
        seen.insert(format!("{} {rounds}", board.status().unwrap()));
        if board.fallback.is_some() {
            let page = if board.unreviewed() { "a page" } else { "nothing" };
            seen.insert(format!("fallback {} {page}", board.status().unwrap()));
        }
        if board.started.as_ref().is_some_and(|started| started.evidence == EvidenceMode::Gate) {
            let unmeasured = matches!(&board.ended, Some(TheaterEvent::Degraded(end)) if end.reason == DegradedReason::Unmeasured);
            let word = board.status().unwrap().as_str();
            seen.insert(format!("gated {}", if unmeasured { "unmeasured" } else { word }));
        }
        if !board.superseded.is_empty() {
            seen.insert(format!("superseded {}", board.status().unwrap()));
        }
    }
    for wanted in [
        "shipped 1",
        "shipped 2",
        "shipped 3",
        "gated shipped",
        "gated below_threshold",
        "gated unmeasured",
        "below_threshold 1",
        "below_threshold 3",
        "timed_out 0",
        "timed_out 1",
        "degraded 0",
        "degraded 1",
        "degraded 2",
        "interrupted 1",
        "failed 0",
        "failed 1",
        "superseded shipped",
        "superseded below_threshold",
        "fallback degraded a page",
        "fallback degraded nothing",
        "fallback legacy a page",
        "fallback failed nothing",
        "fallback timed_out nothing",
        "fallback interrupted nothing",
    ] {
        assert!(seen.contains(wanted), "no random run is {wanted}: {seen:?}");
    }
}
