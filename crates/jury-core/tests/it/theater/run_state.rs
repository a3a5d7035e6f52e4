//! What everything around a run asks of its state: what holds it back, what is kept of it, how it stands in a row of a table.

use jury_core::event::{Queued, RunStarted, TheaterEvent};
use jury_core::evidence::EvidenceMode;
use jury_core::finding::Finding;
use jury_core::held_back::HeldBack;
use jury_core::id::AgentId;
use jury_core::lint::LintFinding;
use jury_core::outcome::{FailedCause, FallbackPolicy, TheaterStatus};
use jury_core::role::Role;
use jury_core::run::{RunPhase, RunSummary, Subject};
use jury_core::score::{Composite, Score, Threshold};
use jury_core::settings::CritiqueConfig;
use jury_core::theater::{Board, TheaterInput};
use jury_core::unit::Round;
use jury_core::workflow::WorkflowState as _;

use super::stage::{Stage, subject};

fn played(config: CritiqueConfig, script: &str) -> Stage {
    let mut stage = Stage::new(config);
    stage.play("start\n run");
    stage.play(script);
    stage
}

fn board(script: &str) -> Board {
    played(CritiqueConfig::default(), script).theater.board().clone()
}

fn summary(script: &str) -> RunSummary {
    let mut summary = RunSummary::default();
    for event in played(CritiqueConfig::default(), script).events() {
        Board::summarise(&mut summary, event);
    }
    summary
}

/// The value of the column `critique_rounds_json`.
fn rounds_json(board: &Board) -> String {
    board.artifact_columns().expect("every state can be written").rounds_json
}

const POOR: &str = "round 1\n designer A\n panel 6.0\n end 1";
const GOOD: &str = "round 1\n designer A\n panel 9.0\n end 1 ship\n ship 1 A";

/// What holds a run back, in short: the texts of its findings, and what is beyond them.
fn held(held: HeldBack) -> (Vec<String>, Option<String>) {
    (held.findings.into_iter().map(|finding: Finding| finding.text).collect(), held.beyond)
}

#[test]
fn a_run_is_held_back_by_what_was_written_down_or_by_more_than_that() {
    let none = board(&format!("{POOR}\n interrupt"));
    assert_eq!(held(none.held_back()), (Vec::new(), Some("no round was closed".to_owned())));
    let low = board(&format!("{POOR}\n close"));
    assert_eq!(held(low.held_back()), (Vec::new(), Some("the composite is below the bar".to_owned())));
    let asked = "round 1\n designer A\n critic 9 ! Darken it\n brand 9\n a11y 9\n copy 9\n end 1";
    let written = board(&format!("{asked}\n close"));
    assert_eq!(held(written.held_back()), (vec!["Darken it".to_owned()], None));
    // Who asked gives no review this time, so that it is still open, and this round does not say it.
    let config = CritiqueConfig { fallback_policy: FallbackPolicy::ShipLast, ..CritiqueConfig::default() };
    let silent =
        format!("{asked}\n round 2\n designer B\n critic -\n brand 9\n a11y 9\n copy 9\n end 2\n close");
    let silent = played(config, &silent).theater.board().clone();
    assert_eq!(silent.status(), Some(TheaterStatus::BelowThreshold));
    let beyond = "a must-fix is open that is not written down".to_owned();
    assert_eq!(held(silent.held_back()), (Vec::new(), Some(beyond)));
}

#[test]
fn what_the_last_look_found_holds_a_run_back_and_is_counted() {
    let mut stage = played(CritiqueConfig::default(), GOOD);
    let finding = |line| LintFinding { rule: "a".to_owned(), line, message: "left over".to_owned() };
    stage.handle(TheaterInput::Linted(vec![finding(3), finding(9)]));
    let board = stage.theater.board();
    let (findings, beyond) = held(board.held_back());
    assert_eq!((findings.len(), beyond), (2, None));
    let Some(TheaterEvent::Ship(ship)) = &board.ended else { panic!("{board:?}") };
    assert_eq!(ship.summary, "round 1 met the bar, but its artifact is not finished: 2 lint findings");
}

#[test]
fn a_run_has_the_subject_of_the_event_that_queued_it() {
    let setup = subject();
    let queued = TheaterEvent::Queued(Queued {
        project_id: setup.project.clone(),
        artifact_id: setup.artifact,
        agent: setup.agent.clone(),
        title: "landing.html".to_owned(),
        skill: None,
    });
    let subject = Subject {
        project: setup.project,
        artifact: setup.artifact,
        agent: setup.agent,
        title: "landing.html".to_owned(),
    };
    assert_eq!(Board::queued(&queued), Some(subject));
    let stage = played(CritiqueConfig::default(), "");
    let started = stage.events().next().unwrap();
    assert_eq!((Board::queued(started), Board::starts(started), Board::starts(&queued)), (None, true, false));
}

#[test]
fn a_summary_has_the_scores_of_the_last_closed_round_and_what_the_run_ended_with() {
    let nine: Vec<(Role, Score)> =
        [Role::Critic, Role::Brand, Role::A11y, Role::Copy].map(|role| (role, Score(9.0))).to_vec();
    let shipped = summary(&format!("{GOOD}\n linted"));
    assert_eq!((shipped.rounds, shipped.round, shipped.score), (1, Some(Round(1)), Some(Composite(9.0))));
    assert_eq!(shipped.scores.into_iter().collect::<Vec<_>>(), nine);
    let again = summary(&format!("{POOR}\n run\n round 1\n designer B\n panel 9.0\n interrupt"));
    assert_eq!((again.rounds, again.round, again.scores.len()), (0, None, 0), "what was taken back is gone");
    assert_eq!(again.scores_open.len(), 4);
    for (end, round) in [
        ("interrupt", Some(Round(1))),
        ("killed 9", Some(Round(1))),
        ("fault malformed_block", Some(Round(1))),
    ] {
        let early = summary(&format!("{POOR}\n {end}"));
        assert_eq!((early.rounds, early.round, early.score), (1, round, Some(Composite(6.0))), "{end}");
    }
    let stray = summary(&format!("{POOR}\n <SUMMARY>so far</SUMMARY>\n interrupt"));
    assert_eq!(stray.rounds, 1, "another warning takes nothing back");
}

#[test]
fn a_summary_counts_the_claims_that_were_checked_and_those_that_do_not_stand() {
    let config = CritiqueConfig { evidence: EvidenceMode::Warn, ..CritiqueConfig::default() };
    let mut stage = Stage::new(config);
    stage.play("witness\n start\n run\n round 1\n designer A");
    stage.play("critic 9 ! p.lead is 3.9:1 ! H1 is 48px ! span.over is 7.7:1");
    stage.play("measured A poor\n end 1\n interrupt");
    let mut summary = RunSummary::default();
    for event in stage.events() {
        Board::summarise(&mut summary, event);
    }
    // The score, the lead and the heading; of the other text the contrast is not known.
    assert_eq!((summary.claims_checked, summary.claims_wrong), (3, 1));
}

#[test]
fn the_rounds_of_a_run_are_written_with_what_ended_it() {
    let round = r#"{"n":1,"composite":6.0,"mustFix":0,"decision":"continue"}"#;
    for (end, more) in [
        ("", ""),
        ("close", ""),
        ("interrupt", ""),
        ("killed 9", r#","cause":"cli_signal""#),
        ("fault malformed_block", r#","cause":"malformed_block""#),
        ("@999999999 deadline", r#","cause":"total_timeout","partial":true"#),
    ] {
        let board = board(&format!("{POOR}\n {end}"));
        assert_eq!(rounds_json(&board), format!(r#"{{"rounds":[{round}]{more}}}"#), "{end}");
    }
    let version = board("").artifact_columns().unwrap().protocol_version;
    assert_eq!((version, Board::default().artifact_columns().unwrap().protocol_version), (Some(1), None));
}

#[test]
fn a_run_that_was_cut_off_keeps_what_its_policy_keeps() {
    let rounds = "round 1\n designer A\n panel 7.0\n end 1\n round 2\n designer B\n panel 6.0\n end 2";
    for (policy, kept) in [
        (FallbackPolicy::ShipBest, Some(Round(1))),
        (FallbackPolicy::ShipLast, Some(Round(2))),
        (FallbackPolicy::Fail, None),
    ] {
        let config = CritiqueConfig { fallback_policy: policy, ..CritiqueConfig::default() };
        let mut board = played(config, rounds).theater.board().clone();
        assert_eq!(board.phase(), RunPhase::Running);
        assert_eq!(board.kept().map(|(round, _)| round), kept, "{policy}");
        let end = board.cut_off(None).unwrap();
        assert_eq!(end.best().unwrap().best_round, kept.or(Some(Round(1))), "{policy}");
        let before = board.clone();
        board.apply(&end);
        assert_eq!(board.phase(), RunPhase::Ended(TheaterStatus::Interrupted.into()));
        assert!(rounds_json(&board).ends_with(r#""recoveryReason":"daemon_restart"}"#), "{policy}");
        for (end, status) in [
            (before.withdrawn(), TheaterStatus::Interrupted),
            (before.failed(FailedCause::AgentError, "gone".to_owned()), TheaterStatus::Failed),
        ] {
            let end = end.unwrap();
            assert_eq!((end.terminal(), end.composite()), (Some(status), Some(Composite(7.0))));
        }
    }
    assert_eq!(Board::default().kept(), None);
}

#[test]
fn a_composite_is_that_of_the_end_and_no_other_event_has_one() {
    let stage = played(CritiqueConfig::default(), &format!("{GOOD}\n linted"));
    let composites: Vec<(&str, Composite)> =
        stage.events().filter_map(|event| Some((event.kind(), event.composite()?))).collect();
    assert_eq!(composites, [("critique.ship", Composite(9.0))]);
}

#[test]
fn a_run_without_a_closed_round_says_so_under_every_policy() {
    for policy in FallbackPolicy::ALL {
        assert_eq!(Board::default().missed(*policy), "no round was closed");
    }
}

#[test]
fn a_verdict_names_the_settings_that_made_it_easier() {
    let started = |threshold, evidence, agent: AgentId| RunStarted {
        threshold: Threshold(threshold),
        evidence,
        agent,
        ..board("").started.unwrap()
    };
    let agent = subject().agent;
    let strict = started(8.0, EvidenceMode::Gate, agent.clone());
    assert_eq!(strict.conditions(), [] as [&str; 0]);
    let lax = started(4.0, EvidenceMode::Off, agent.clone());
    assert_eq!(
        lax.conditions(),
        ["bar 4.0 of 10, below half of the scale", "evidence: off (nothing was measured)"]
    );
    let warned = started(8.0, EvidenceMode::Warn, agent);
    assert_eq!(warned.conditions(), ["evidence: warn (measured failures do not hold a ship)"]);
    // The house does nothing but measure.
    assert_eq!(started(8.0, EvidenceMode::Off, AgentId::house()).conditions(), [] as [&str; 0]);
}
