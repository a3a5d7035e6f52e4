//! Drafts are measured while the panel of somebody else speaks, and what it says is held against that.

use std::path::Path;

use jury_agents::decoder::Format;
use jury_core::event::TheaterEvent;
use jury_core::evidence::{ClaimVerdict, EvidenceKind, EvidenceMode};
use jury_core::outcome::{DegradedReason, TheaterStatus};
use jury_core::settings::CritiqueConfig;
use jury_engine::{Agent, Panel};
use tokio_util::sync::CancellationToken;

use crate::bench_of_agents::{Cast, PAGE, Ran, answer, patient, prints, round, run_as, ship};

/// A page with text that can hardly be read, and no language.
const POOR: &str = "<!doctype html><html><title>A page</title><main><h1>A page</h1><p style=\"color:#bbb\">Words that \
                    nobody can read on white, and there are many of them.</p></main></html>";

/// A transcript by somebody who is not the house.
async fn run(evidence: EvidenceMode, text: &str) -> Ran {
    let config = CritiqueConfig { evidence, ..patient() };
    let cast = |dir: &Path| Cast {
        panel: Panel::Sits,
        agent: Agent::Program {
            invocation: prints(dir, text, "exit 0"),
            format: Format::Plain,
            silence: None,
        },
        legacy: None,
    };
    run_as("scripted".parse().unwrap(), config, cast, |_| {}, CancellationToken::new()).await
}

fn shipping(page: &str) -> String {
    answer(&[round(1, "9.0", Some(page), &[])], &ship(1, page))
}

#[tokio::test]
async fn a_flattering_panel_is_found_out_and_a_warning_lets_it_ship() {
    let ran = run(EvidenceMode::Warn, &shipping(POOR)).await;
    assert_eq!(ran.board.status(), Some(TheaterStatus::Shipped));
    let evidence = &ran.board.rounds[0].evidence;
    let failures: Vec<&str> = evidence
        .iter()
        .filter(|item| item.kind == EvidenceKind::Failure && item.standing == ClaimVerdict::Overrated)
        .filter_map(|item| item.criterion.as_deref())
        .collect();
    assert_eq!(failures, ["WCAG 1.4.3 AA", "WCAG 3.1.1 A"]);
    assert!(
        evidence
            .iter()
            .any(|item| item.kind == EvidenceKind::Score && item.standing == ClaimVerdict::Overrated)
    );
    // Evidence stands together, and the verdict waits for it.
    let kinds = ran.kinds();
    let end = kinds.iter().position(|kind| *kind == "critique.ship").unwrap();
    let first = kinds.iter().position(|kind| *kind == "critique.evidence").unwrap();
    assert!(first + evidence.len() <= end);
    assert!(kinds[first..first + evidence.len()].iter().all(|kind| *kind == "critique.evidence"));
}

#[tokio::test]
async fn a_gate_holds_it() {
    let ran = run(EvidenceMode::Gate, &shipping(POOR)).await;
    assert_eq!(ran.board.status(), Some(TheaterStatus::BelowThreshold));
    let end = ran.board.rounds[0].end.as_ref().unwrap();
    assert!(end.must_fix >= 2 && end.composite.0 < 9.0, "{end:?}");
}

#[tokio::test]
async fn a_gate_lets_a_page_through_that_is_what_the_panel_says() {
    let ran = run(EvidenceMode::Gate, &shipping(PAGE)).await;
    assert_eq!(ran.board.status(), Some(TheaterStatus::Shipped), "{:?}", ran.board);
}

#[tokio::test]
async fn a_page_that_cannot_be_measured_is_inconclusive_at_the_gate() {
    let deep = format!("{}deep</body>", "<div>".repeat(5000));
    let ran = run(EvidenceMode::Gate, &shipping(&deep)).await;
    match &ran.board.ended {
        Some(TheaterEvent::Degraded(degraded)) => {
            assert_eq!(degraded.reason, DegradedReason::Unmeasured);
            assert!(degraded.detail.contains("elements are nested"), "{degraded:?}");
        }
        other => panic!("{other:?}"),
    }
    let ran = run(EvidenceMode::Warn, &shipping(&deep)).await;
    assert_eq!(ran.board.status(), Some(TheaterStatus::Shipped));
    assert_eq!(ran.board.rounds[0].evidence.len(), 1);
}

#[tokio::test]
async fn every_way_to_end_waits_for_the_measurement_of_a_closed_round() {
    let rounds = [round(1, "7.0", Some(POOR), &["One"]), round(2, "7.5", Some(PAGE), &["Two"])];
    // Whole, and cut off right behind the second round, in one piece of output.
    let whole = answer(&rounds, "");
    let cut = whole.replace("</CRITIQUE_RUN>\n", "<ROUND n=\"3\"><PANELIST role=\"critic\">");
    for (text, status) in [(whole, TheaterStatus::BelowThreshold), (cut, TheaterStatus::Degraded)] {
        let ran = run(EvidenceMode::Warn, &text).await;
        assert_eq!(ran.board.status(), Some(status));
        assert_eq!(ran.board.closed_rounds().count(), 2);
        assert!(ran.board.rounds.iter().take(2).all(|round| !round.evidence.is_empty()));
    }
}

#[tokio::test]
async fn nothing_is_measured_when_it_is_off() {
    let ran = run(EvidenceMode::Off, &shipping(POOR)).await;
    assert_eq!(ran.board.status(), Some(TheaterStatus::Shipped));
    assert!(!ran.kinds().contains(&"critique.evidence"));
}
