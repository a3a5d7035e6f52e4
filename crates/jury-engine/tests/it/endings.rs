//! How runs end: by the rule, by the clock, by the user, by a fault.

use jury_core::event::{Event, TheaterEvent};
use jury_core::outcome::{DegradedReason, FailedCause, FallbackPolicy, TheaterStatus, TimeoutCause};
use jury_core::settings::CritiqueConfig;
use jury_core::unit::{Bytes, Millis, Round};
use tokio_util::sync::CancellationToken;

use crate::bench_of_agents::{PAGE, Ran, answer, patient, prints, round, run, run_with, shell, ship};

fn degraded(ran: &Ran) -> DegradedReason {
    match &ran.board.ended {
        Some(TheaterEvent::Degraded(degraded)) => degraded.reason,
        other => panic!("{other:?}"),
    }
}

fn failed(ran: &Ran) -> (FailedCause, String) {
    match &ran.board.ended {
        Some(TheaterEvent::Failed(failed)) => (failed.cause, failed.detail.clone()),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_round_that_clears_the_bar_ships_and_its_page_is_kept() {
    let text = answer(
        &[round(1, "6.0", Some("<p>draft</p>"), &["Do it."]), round(2, "9.0", Some(PAGE), &[])],
        &ship(2, PAGE),
    );
    let ran = run(patient(), |dir| prints(dir, &text, "exit 0")).await;
    assert_eq!(ran.board.status(), Some(TheaterStatus::Shipped));
    assert_eq!(ran.final_page().await.as_deref(), Some(PAGE));
    let first = ran.store.read_round(ran.artifact, Round(1)).await.unwrap();
    assert_eq!(first.as_deref(), Some(&b"<p>draft</p>"[..]));
    assert_eq!(ran.kinds().first(), Some(&"critique.queued"));
    assert_eq!(&ran.kinds()[ran.kinds().len() - 2..], ["critique.lint", "critique.ship"]);
    assert_eq!(ran.seen.len(), ran.log.len());
}

#[tokio::test]
async fn below_the_bar_the_best_page_is_handed_over_and_nothing_is_called_shipped() {
    let text = answer(
        &[round(1, "7.0", Some(PAGE), &["Do it."]), round(2, "6.0", Some("<p>worse</p>"), &["Do it."])],
        "",
    );
    let ran = run(patient(), |dir| prints(dir, &text, "exit 0")).await;
    assert_eq!(ran.board.status(), Some(TheaterStatus::BelowThreshold));
    assert_eq!(ran.final_page().await.as_deref(), Some(PAGE));
    let fail = CritiqueConfig { fallback_policy: FallbackPolicy::Fail, ..patient() };
    let ran = run(fail, |dir| prints(dir, &text, "exit 0")).await;
    assert_eq!(ran.board.status(), Some(TheaterStatus::BelowThreshold));
    assert_eq!(ran.final_page().await, None);
}

#[tokio::test]
async fn an_unfinished_page_is_not_shipped_whatever_its_scores() {
    let unfinished = "<!doctype html><html lang=en><title>t</title><h1>Hi</h1><!-- TODO: prices --><p>Lorem ipsum dolor sit amet</p></html>";
    let text = answer(&[round(1, "9.5", Some(unfinished), &[])], &ship(1, unfinished));
    let ran = run(patient(), |dir| prints(dir, &text, "exit 0")).await;
    assert_eq!(ran.board.status(), Some(TheaterStatus::BelowThreshold));
    assert!(ran.board.lint.as_ref().is_some_and(|lint| lint.findings.len() >= 2), "{:?}", ran.board.lint);
}

#[tokio::test]
async fn what_the_agent_does_after_a_ship_cannot_undo_it() {
    let text = answer(&[round(1, "9.0", Some(PAGE), &[])], &ship(1, PAGE));
    for then in
        ["exit 1", "kill -9 $$", "sleep 1000", "trap '' TERM; while :; do sleep 1; done", "yes '<SHIP>'"]
    {
        let ran = run(patient(), |dir| prints(dir, &text, then)).await;
        assert_eq!(ran.board.status(), Some(TheaterStatus::Shipped), "{then}");
        assert_eq!(ran.final_page().await.as_deref(), Some(PAGE), "{then}");
    }
}

#[tokio::test]
async fn a_crash_is_a_failure_and_keeps_what_was_closed() {
    let text = answer(&[round(1, "7.0", Some(PAGE), &["Do it."])], "");
    let cut = text.replace("</CRITIQUE_RUN>", "<ROUND n=\"2\">");
    let ran = run(patient(), |dir| prints(dir, &cut, "echo 'boom' >&2; exit 9")).await;
    let (cause, detail) = failed(&ran);
    assert_eq!(cause, FailedCause::CliExitNonzero);
    assert!(detail.contains("code 9") && detail.contains("boom"), "{detail}");
    assert_eq!(ran.final_page().await.as_deref(), Some(PAGE));
    let ran = run(patient(), |dir| prints(dir, &cut, "kill -9 $$")).await;
    assert_eq!(failed(&ran).0, FailedCause::CliSignal);
}

#[tokio::test]
async fn an_answer_that_is_cut_off_with_exit_code_zero_is_degraded() {
    let text = answer(&[round(1, "7.0", Some(PAGE), &["One"])], "").replace("</CRITIQUE_RUN>", "");
    let ran = run(patient(), |dir| prints(dir, &text, "exit 0")).await;
    assert_eq!(degraded(&ran), DegradedReason::MalformedBlock);
    assert_eq!(ran.final_page().await.as_deref(), Some(PAGE));
    // A round that met the rule ships all the same: only the agent's word for it is missing.
    let text = answer(&[round(1, "9.0", Some(PAGE), &[])], "").replace("</CRITIQUE_RUN>", "");
    for end in ["exit 0", "exit 1", "kill -9 $$"] {
        let ran = run(patient(), |dir| prints(dir, &text, end)).await;
        assert_eq!(ran.board.status(), Some(TheaterStatus::Shipped), "{end}");
        assert_eq!(ran.final_page().await.as_deref(), Some(PAGE), "{end}");
    }
    for (empty, reason) in
        [("", DegradedReason::MalformedBlock), ("Sorry, I cannot.", DegradedReason::MalformedBlock)]
    {
        let ran = run(patient(), |dir| prints(dir, empty, "exit 0")).await;
        assert_eq!(degraded(&ran), reason);
        assert_eq!(ran.final_page().await, None);
    }
}

#[tokio::test]
async fn an_agent_that_does_not_exist_is_a_failure_of_the_run() {
    let ran = run(patient(), |_| jury_agents::Invocation::new("no-such-agent")).await;
    let (cause, detail) = failed(&ran);
    assert_eq!(cause, FailedCause::SpawnFailed);
    assert!(detail.contains("no-such-agent"), "{detail}");
}

#[tokio::test]
async fn a_hang_before_the_first_round_ends_with_the_total_timeout() {
    let config = CritiqueConfig { total_timeout_ms: Millis(200), ..patient() };
    let ran = run(config, |_| shell("echo thinking; sleep 1000")).await;
    assert_eq!(ran.board.status(), Some(TheaterStatus::TimedOut));
    assert_eq!(ran.final_page().await, None);
}

#[tokio::test]
async fn a_hang_in_a_round_ends_with_the_round_timeout_and_the_best_page() {
    let text =
        answer(&[round(1, "7.0", Some(PAGE), &["Do it."])], "<ROUND n=\"2\">").replace("</CRITIQUE_RUN>", "");
    let config = CritiqueConfig { per_round_timeout_ms: Millis(300), ..patient() };
    let ran = run(config, |dir| prints(dir, &text, "sleep 1000")).await;
    match &ran.board.ended {
        Some(TheaterEvent::Ship(ship)) => {
            assert_eq!(ship.cause, Some(TimeoutCause::RoundTimeout));
            assert_eq!(ship.round, Some(Round(1)));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(ran.board.status(), Some(TheaterStatus::TimedOut));
    assert_eq!(ran.final_page().await.as_deref(), Some(PAGE));
}

#[tokio::test]
async fn the_transcript_of_a_total_timeout_is_marked_as_partial() {
    let text =
        answer(&[round(1, "7.0", Some(PAGE), &["Do it."])], "<ROUND n=\"2\">").replace("</CRITIQUE_RUN>", "");
    let config = CritiqueConfig { total_timeout_ms: Millis(300), ..patient() };
    let ran = run(config, |dir| prints(dir, &text, "sleep 1000")).await;
    match &ran.board.ended {
        Some(event @ TheaterEvent::Ship(ship)) => {
            assert_eq!(ship.cause, Some(TimeoutCause::TotalTimeout));
            assert_eq!(serde_json::to_value(event).unwrap()["partial"], true);
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_interrupt_keeps_the_best_round_and_ends_the_agent() {
    let text =
        answer(&[round(1, "7.0", Some(PAGE), &["Do it."])], "<ROUND n=\"2\">").replace("</CRITIQUE_RUN>", "");
    let interrupt = CancellationToken::new();
    let stop = interrupt.clone();
    let watch = move |record: &jury_core::record::Record| {
        if matches!(record.event, Event::Theater(TheaterEvent::RoundEnd(_))) {
            stop.cancel();
        }
    };
    let ran = run_with(patient(), |dir| prints(dir, &text, "sleep 1000"), watch, interrupt).await;
    match &ran.board.ended {
        Some(TheaterEvent::Interrupted(interrupted)) => {
            assert_eq!(interrupted.best.best_round, Some(Round(1)));
            assert!(interrupted.best.artifact_ref.is_some());
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(ran.final_page().await.as_deref(), Some(PAGE));
}

#[tokio::test]
async fn an_interrupt_before_any_round_ships_nothing() {
    let interrupt = CancellationToken::new();
    let stop = interrupt.clone();
    let watch = move |record: &jury_core::record::Record| {
        if matches!(record.event, Event::Theater(TheaterEvent::RunStarted(_))) {
            stop.cancel();
        }
    };
    let ran = run_with(patient(), |_| shell("sleep 1000"), watch, interrupt).await;
    assert_eq!(ran.board.status(), Some(TheaterStatus::Interrupted));
    assert_eq!(ran.final_page().await, None);
}

#[tokio::test]
async fn a_flood_is_degraded_oversize() {
    let config = CritiqueConfig { spool_max_bytes: Bytes(1 << 20), ..patient() };
    let ran = run(config, |_| shell("yes")).await;
    assert_eq!(degraded(&ran), DegradedReason::OversizeBlock);
    let ran = run(patient(), |_| {
        shell("printf '<CRITIQUE_RUN version=\"1\"><ROUND n=\"1\"><PANELIST role=\"designer\"><NOTES>'; yes")
    })
    .await;
    assert_eq!(degraded(&ran), DegradedReason::OversizeBlock);
}
