//! Runs without a review: the agent is asked once for the page alone, and nothing of it is called shipped.

use std::path::Path;

use jury_agents::Invocation;
use jury_agents::decoder::Format;
use jury_core::event::{Event, TheaterEvent};
use jury_core::outcome::{DegradedReason, FailedCause, FallbackReason, TheaterStatus};
use jury_core::run::OutcomeWord as _;
use jury_core::settings::CritiqueConfig;
use jury_core::unit::{Bytes, Millis};
use jury_engine::{Agent, Panel};
use tokio_util::sync::CancellationToken;

use crate::bench_of_agents::{
    Cast, MARKED, PAGE, Ran, answer, patient, prints, round, run_cast, shell, ship,
};

fn program(invocation: Invocation) -> Agent {
    Agent::Program { invocation, format: Format::Plain, silence: None }
}

/// A panel that says this, and whoever is asked without it.
async fn run(config: CritiqueConfig, panel: Panel, says: &str, alone: &str) -> Ran {
    let cast = |dir: &Path| Cast {
        panel,
        agent: program(prints(dir, says, "exit 0")),
        legacy: Some(program(shell(alone))),
    };
    run_cast(config, cast, |_| {}, CancellationToken::new()).await
}

fn says_page() -> String {
    format!("echo 'Here you go:'; echo '```html'; echo '{PAGE}'; echo '```'; echo 'Enjoy!'")
}

fn degraded(ran: &Ran) -> (DegradedReason, String) {
    match &ran.board.ended {
        Some(TheaterEvent::Degraded(degraded)) => (degraded.reason, degraded.detail.clone()),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_degraded_run_hands_over_a_page_that_nobody_reviewed() {
    let ran = run(patient(), Panel::Sits, "I would rather not.", &says_page()).await;
    let (reason, detail) = degraded(&ran);
    assert_eq!(reason, DegradedReason::MalformedBlock);
    assert!(detail.ends_with("the page was made in a single pass and nobody reviewed it"), "{detail}");
    assert_eq!(ran.final_page().await.as_deref(), Some(PAGE));
    assert!(ran.board.unreviewed());
    assert_eq!(
        ran.kinds(),
        ["critique.queued", "critique.run_started", "critique.fallback", "critique.degraded"]
    );
    assert_eq!(ran.board.status().map(TheaterStatus::exit_code), Some(3));
}

#[tokio::test]
async fn a_panel_that_is_off_is_not_started_and_the_page_is_legacy() {
    let ran = run(patient(), Panel::Off("the skill opts out".to_owned()), "", &says_page()).await;
    assert_eq!(ran.board.status(), Some(TheaterStatus::Legacy));
    assert_eq!(ran.board.fallback.as_ref().map(|fallback| fallback.reason), Some(FallbackReason::Disabled));
    assert_eq!(ran.final_page().await.as_deref(), Some(PAGE));
    match &ran.board.ended {
        Some(TheaterEvent::Ship(ship)) => assert_eq!((ship.round, ship.composite), (None, None)),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_marked_agent_is_asked_for_a_page_and_not_for_a_panel() {
    let text = answer(&[round(1, "9.0", Some(PAGE), &[])], &ship(1, PAGE));
    let cast = |panel: Panel, legacy: bool| {
        let text = text.clone();
        move |dir: &Path| {
            std::fs::write(dir.join(MARKED), "").unwrap();
            let legacy = legacy.then(|| program(shell(&says_page())));
            Cast { panel, agent: program(prints(dir, &text, "exit 0")), legacy }
        }
    };
    let none = CancellationToken::new;
    let ran = run_cast(patient(), cast(Panel::Sits, true), |_| {}, none()).await;
    let (reason, detail) = degraded(&ran);
    assert_eq!(reason, DegradedReason::AdapterUnsupported);
    assert!(detail.starts_with("house is marked critique:degraded until"), "{detail}");
    assert_eq!(ran.final_page().await.as_deref(), Some(PAGE));
    // With nothing to make it ends at once.
    let ran = run_cast(patient(), cast(Panel::Sits, false), |_| {}, none()).await;
    assert_eq!(degraded(&ran).0, DegradedReason::AdapterUnsupported);
    assert_eq!(ran.final_page().await, None);
    assert_eq!(ran.kinds(), ["critique.queued", "critique.run_started", "critique.degraded"]);
    // A test asks all the same.
    let ran = run_cast(patient(), cast(Panel::SitsRegardless, false), |_| {}, none()).await;
    assert_eq!(ran.board.status(), Some(TheaterStatus::Shipped));
}

#[tokio::test]
async fn a_reviewed_run_never_asks_twice() {
    let text = answer(&[round(1, "9.0", Some(PAGE), &[])], &ship(1, PAGE));
    let ran = run(patient(), Panel::Sits, &text, "exit 1").await;
    assert_eq!(ran.board.status(), Some(TheaterStatus::Shipped));
    assert!(ran.board.fallback.is_none());
    let cut = answer(&[round(1, "7.0", Some(PAGE), &["Do it."])], "").replace("</CRITIQUE_RUN>", "");
    let ran = run(patient(), Panel::Sits, &cut, "exit 1").await;
    assert_eq!(ran.board.status(), Some(TheaterStatus::Degraded));
    assert!(ran.board.fallback.is_none() && !ran.board.unreviewed());
    assert_eq!(ran.final_page().await.as_deref(), Some(PAGE));
}

#[tokio::test]
async fn a_pass_without_a_whole_page_leaves_nothing_and_says_why() {
    let flood = "echo '<html>'; yes '<p>more</p>' | head -c 300000; echo '</html>'";
    let small = CritiqueConfig { parser_max_block_bytes: Bytes(64 * 1024), ..patient() };
    for (config, alone, why) in [
        (patient(), "echo 'Sorry.'", "there is no whole page in the answer"),
        (patient(), "echo '<!doctype html><html><p>cut'", "there is no whole page in the answer"),
        (patient(), "echo 'no key' >&2; exit 7", "the agent exited with code 7 (the agent says: no key)"),
        (patient(), "kill -9 $$", "the agent was killed by signal 9"),
        (small, flood, "oversize: the answer is larger than 65.5 KB (OD_CRITIQUE_PARSER_MAX_BLOCK_BYTES)"),
    ] {
        let ran = run(config.clone(), Panel::Sits, "No.", alone).await;
        let (reason, detail) = degraded(&ran);
        assert_eq!(reason, DegradedReason::MalformedBlock);
        assert!(detail.ends_with(&format!("failed too: {why}")), "{detail}");
        assert_eq!(ran.final_page().await, None);
        assert!(!ran.board.unreviewed());
        let ran = run(config, Panel::Off("it is off".to_owned()), "No.", alone).await;
        match &ran.board.ended {
            Some(TheaterEvent::Failed(failed)) => assert!(failed.detail.ends_with(why), "{failed:?}"),
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_whole_page_counts_however_its_agent_ends() {
    for then in ["exit 1", "kill -9 $$"] {
        let alone = format!("{}; {then}", says_page());
        let ran = run(patient(), Panel::Sits, "No.", &alone).await;
        assert_eq!(ran.final_page().await.as_deref(), Some(PAGE), "{then}");
    }
}

#[tokio::test]
async fn a_pass_that_takes_too_long_ends_with_its_own_clock() {
    let config = CritiqueConfig { per_round_timeout_ms: Millis(200), ..patient() };
    let ran = run(config.clone(), Panel::Sits, "No.", "sleep 1000").await;
    assert!(degraded(&ran).1.ends_with(
        "failed too: it took longer than 200 ms (OD_CRITIQUE_ROUND_TIMEOUT_MS, --round-timeout-ms)"
    ));
    let ran = run(config, Panel::Off("it is off".to_owned()), "", "sleep 1000").await;
    assert_eq!(ran.board.status(), Some(TheaterStatus::TimedOut));
}

#[tokio::test]
async fn an_agent_that_cannot_be_asked_again_is_said() {
    let cast = |dir: &Path| Cast {
        panel: Panel::Off("it is off".to_owned()),
        agent: program(prints(dir, "", "exit 0")),
        legacy: Some(program(Invocation::new("no-such-agent"))),
    };
    let ran = run_cast(patient(), cast, |_| {}, CancellationToken::new()).await;
    match &ran.board.ended {
        Some(TheaterEvent::Failed(failed)) => assert_eq!(failed.cause, FailedCause::SpawnFailed),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_interrupt_ends_the_pass() {
    let interrupt = CancellationToken::new();
    let stop = interrupt.clone();
    let watch = move |record: &jury_core::record::Record| {
        if matches!(record.event, Event::Theater(TheaterEvent::Fallback(_))) {
            stop.cancel();
        }
    };
    let cast = |dir: &Path| Cast {
        panel: Panel::Sits,
        agent: program(prints(dir, "No.", "exit 0")),
        legacy: Some(program(shell("sleep 1000"))),
    };
    let ran = run_cast(patient(), cast, watch, interrupt).await;
    assert_eq!(ran.board.status(), Some(TheaterStatus::Interrupted));
    assert_eq!(ran.final_page().await, None);
}

/// Whether a process is there and not merely a zombie.
fn is_alive(pid: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()))
        .is_ok_and(|stat| !stat.rsplit(')').next().unwrap_or_default().trim_start().starts_with('Z'))
}

#[tokio::test]
async fn nothing_of_either_agent_is_left() {
    let dir = tempfile::tempdir().unwrap();
    let pids = dir.path().join("pids");
    let lingers = |first: &str| {
        shell(&format!(
            "trap '' TERM; sleep 1000 & echo $! >> {0}; echo $$ >> {0}; {first}; wait; sleep 1000",
            pids.display()
        ))
    };
    // The panel is gone before the agent is asked again.
    let check =
        format!("for pid in $(cat {}); do kill -0 $pid 2>/dev/null && echo alive; done", pids.display());
    let second = format!("{check}; {}", says_page());
    let cast = |_: &Path| Cast {
        panel: Panel::Sits,
        agent: program(lingers("echo '<CRITIQUE_RUN version=\"9\">'")),
        legacy: Some(program(lingers(&second))),
    };
    let config = CritiqueConfig { per_round_timeout_ms: Millis(2_000), ..patient() };
    let ran = run_cast(config, cast, |_| {}, CancellationToken::new()).await;
    assert_eq!(degraded(&ran).0, DegradedReason::ProtocolVersionMismatch);
    let pids = std::fs::read_to_string(&pids).unwrap();
    assert_eq!(pids.lines().count(), 4);
    while pids.lines().any(is_alive) {
        tokio::task::yield_now().await;
    }
}
