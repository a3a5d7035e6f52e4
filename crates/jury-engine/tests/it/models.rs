//! Whole runs on a model's service, over a real socket.

use std::time::Duration;

use jury_agents::api::{Budget, Client, ModelPrompt, Retries, Secret, Settings, Vendor};
use jury_core::event::{AgentNoteKind, Event, TheaterEvent};
use jury_core::outcome::{DegradedReason, FailedCause, TheaterStatus};
use jury_engine::{Agent, Panel};
use jury_testkit::fixtures::Fixture;
use jury_testkit::model::{BreakKind, ModelServer, Script, ScriptedAnswer};
use tokio_util::sync::CancellationToken;

use crate::bench_of_agents::{Cast, PAGE, Ran, patient, run_agent, run_cast};

const FORMATS: [&str; 2] = ["anthropic", "openai"];

/// A model of this vendor that is played by the server.
fn played(server: &ModelServer, vendor: &str, budget: Option<Budget>) -> Agent {
    let vendor = Vendor::find(vendor).unwrap();
    let settings = Settings {
        base_url: Some(format!("{}/v1", server.url())),
        allow_hosts: vec!["127.0.0.1".to_owned()],
        retries: Retries { first: Duration::from_millis(1), ..Retries::default() },
        budget,
        ..Settings::default()
    };
    let client = Client::with_key(vendor, settings, Some(Secret::new("sk-very-secret-0123456789"))).unwrap();
    Agent::Model {
        client: Box::new(client),
        prompt: ModelPrompt::new("Play the jury: <CRITIQUE_RUN").max_tokens(4_000),
    }
}

async fn ran(answers: Vec<ScriptedAnswer>, vendor: &str) -> Ran {
    let server = ModelServer::start(Script::new(answers)).unwrap();
    let agent = played(&server, vendor, None);
    let ran = run_agent(patient(), |_| agent, |_| {}, CancellationToken::new()).await;
    // Whatever happened, the key is in nothing that was kept.
    for record in &ran.log {
        assert!(!record.to_line().unwrap().contains("very-secret"), "{record:?}");
    }
    ran
}

fn notes(ran: &Ran, kind: AgentNoteKind) -> usize {
    ran.log
        .iter()
        .filter(
            |record| matches!(&record.event, Event::Theater(TheaterEvent::Agent(note)) if note.kind == kind),
        )
        .count()
}

#[tokio::test]
async fn both_services_ship_whatever_the_pieces() {
    for vendor in FORMATS {
        for chunk in [1, 7, 4096] {
            let ran = ran(vec![ScriptedAnswer::fixture(Fixture::Shipped).chunk(chunk)], vendor).await;
            assert_eq!(ran.board.status(), Some(TheaterStatus::Shipped), "{vendor} {chunk}");
            assert!(ran.final_page().await.is_some());
        }
    }
}

#[tokio::test]
async fn below_the_bar_and_malformed_are_what_they_are_elsewhere() {
    for vendor in FORMATS {
        let below = ran(vec![ScriptedAnswer::fixture(Fixture::Below)], vendor).await;
        assert_eq!(below.board.status(), Some(TheaterStatus::BelowThreshold), "{vendor}");
        let malformed = ran(vec![ScriptedAnswer::fixture(Fixture::Malformed)], vendor).await;
        assert_eq!(malformed.board.status(), Some(TheaterStatus::Degraded), "{vendor}");
    }
}

#[tokio::test]
async fn what_a_run_has_cost_is_in_its_log_before_the_verdict() {
    for vendor in [FORMATS[0], FORMATS[1], "llama.cpp"] {
        for (fixture, chunk) in [(Fixture::Shipped, 64), (Fixture::Below, 4096), (Fixture::Malformed, 64)] {
            let ran = ran(vec![ScriptedAnswer::fixture(fixture).chunk(chunk)], vendor).await;
            let used = ran.board.usage;
            assert!(used.input_tokens > 0 && used.output_tokens > 0, "{vendor} {fixture:?}: {used:?}");
            let length = u64::try_from(fixture.text().len()).unwrap();
            assert!(used.output_tokens < length, "{vendor} {fixture:?}: counted twice: {used:?}");
            assert!(notes(&ran, AgentNoteKind::Usage) <= 5, "{vendor}: once a round is enough");
        }
    }
}

#[tokio::test]
async fn a_refused_key_fails_at_once_and_a_busy_service_is_asked_again() {
    for vendor in FORMATS {
        let refused = ran(vec![ScriptedAnswer::status(401)], vendor).await;
        match &refused.board.ended {
            Some(TheaterEvent::Failed(failed)) => {
                assert_eq!(failed.cause, FailedCause::AgentError, "{failed:?}");
            }
            other => panic!("{vendor}: {other:?}"),
        }
        for status in [429, 500, 529] {
            let busy =
                ran(vec![ScriptedAnswer::status(status), ScriptedAnswer::fixture(Fixture::Shipped)], vendor)
                    .await;
            assert_eq!(busy.board.status(), Some(TheaterStatus::Shipped), "{vendor} {status}");
            assert!(notes(&busy, AgentNoteKind::Retry) >= 1, "{vendor} {status}");
        }
    }
}

#[tokio::test]
async fn a_stream_that_breaks_is_not_passed() {
    for vendor in FORMATS {
        for kind in [BreakKind::Close, BreakKind::Truncate, BreakKind::Error] {
            let broken =
                ran(vec![ScriptedAnswer::fixture(Fixture::Shipped).chunk(64).breaks(kind, 5)], vendor).await;
            let status = broken.board.status();
            assert!(
                matches!(status, Some(TheaterStatus::Failed | TheaterStatus::Degraded)),
                "{vendor} {kind:?}: {status:?}"
            );
        }
    }
}

#[tokio::test]
async fn a_budget_that_does_not_suffice_stops_the_run_before_it_is_spent() {
    let server = ModelServer::start(Script::new([ScriptedAnswer::fixture(Fixture::Shipped)])).unwrap();
    let agent = played(&server, "anthropic", Some(Budget::new(None, Some(10))));
    let ran = run_agent(patient(), |_| agent, |_| {}, CancellationToken::new()).await;
    match &ran.board.ended {
        Some(TheaterEvent::Failed(failed)) => {
            assert_eq!(failed.cause, FailedCause::BudgetExceeded, "{failed:?}");
        }
        other => panic!("{other:?}"),
    }
    assert!(server.calls().is_empty(), "nobody was asked");
}

#[tokio::test]
async fn an_interrupt_ends_the_call() {
    let server = ModelServer::start(Script::new([ScriptedAnswer::fixture(Fixture::Shipped)
        .chunk(64)
        .breaks(BreakKind::Close, 5)
        .held()]))
    .unwrap();
    let agent = played(&server, "anthropic", None);
    let interrupt = CancellationToken::new();
    let stop = interrupt.clone();
    let watch = move |record: &jury_core::record::Record| {
        if matches!(record.event, Event::Theater(TheaterEvent::PanelistOpen(_))) {
            stop.cancel();
        }
    };
    let ran = run_agent(patient(), |_| agent, watch, interrupt).await;
    assert_eq!(ran.board.status(), Some(TheaterStatus::Interrupted));
}

#[tokio::test]
async fn prose_instead_of_a_transcript_is_degraded() {
    let ran = ran(vec![ScriptedAnswer::text("I would rather not.")], "openai").await;
    match &ran.board.ended {
        Some(TheaterEvent::Degraded(degraded)) => assert_eq!(degraded.reason, DegradedReason::MalformedBlock),
        other => panic!("{other:?}"),
    }
}

/// A model whose panel is prose, asked once more for the page alone.
async fn twice(answers: Vec<ScriptedAnswer>, vendor: &str, budget: Option<Budget>) -> (Ran, ModelServer) {
    let server = ModelServer::start(Script::new(answers)).unwrap();
    let cast = |_: &std::path::Path| Cast {
        panel: Panel::Sits,
        agent: played(&server, vendor, budget.clone()),
        legacy: Some(played(&server, vendor, budget.clone())),
    };
    let ran = run_cast(patient(), cast, |_| {}, CancellationToken::new()).await;
    (ran, server)
}

#[tokio::test]
async fn a_service_is_asked_once_more_for_the_page_alone() {
    for vendor in FORMATS {
        let page = ScriptedAnswer::text(format!("Here you go:\n{PAGE}\n")).chunk(5);
        let (ran, server) =
            twice(vec![ScriptedAnswer::text("I would rather not."), page], vendor, None).await;
        assert_eq!(ran.board.status(), Some(TheaterStatus::Degraded), "{vendor}");
        assert_eq!(ran.final_page().await.as_deref(), Some(PAGE), "{vendor}");
        assert_eq!(server.calls().len(), 2);
        assert_eq!(notes(&ran, AgentNoteKind::Usage), 2, "both are counted");
        let (ran, _) =
            twice(vec![ScriptedAnswer::text("No."), ScriptedAnswer::status(401)], vendor, None).await;
        assert_eq!(ran.final_page().await, None);
    }
}

#[tokio::test]
async fn one_budget_covers_the_panel_and_the_page() {
    // Enough for what one call may use, and not for what is left after it.
    let budget = Budget::new(None, Some(4_120));
    let answers = vec![ScriptedAnswer::text("I would rather not."), ScriptedAnswer::text(PAGE)];
    let (ran, server) = twice(answers, "anthropic", Some(budget.clone())).await;
    assert_eq!(server.calls().len(), 1, "the second call is not made");
    assert_eq!(ran.final_page().await, None);
    match &ran.board.ended {
        Some(TheaterEvent::Degraded(degraded)) => assert!(degraded.detail.contains("tokens"), "{degraded:?}"),
        other => panic!("{other:?}"),
    }
    assert_eq!(budget.reserved().output_tokens, 0, "nothing is still set aside");
}

/// A model that is asked for a page alone, by an answer that breaks off and is held.
async fn alone(budget: Option<Budget>, stops: bool) -> Ran {
    let server = ModelServer::start(Script::new([ScriptedAnswer::text(PAGE.repeat(40))
        .chunk(64)
        .breaks(BreakKind::Close, 5)
        .held()]))
    .unwrap();
    let cast = |_: &std::path::Path| Cast {
        panel: Panel::Off("nobody wants it".to_owned()),
        agent: played(&server, "anthropic", budget.clone()),
        legacy: Some(played(&server, "anthropic", budget.clone())),
    };
    let interrupt = CancellationToken::new();
    let stop = interrupt.clone();
    let watch = move |record: &jury_core::record::Record| {
        if stops
            && matches!(&record.event, Event::Theater(TheaterEvent::Agent(note)) if note.kind == AgentNoteKind::Session)
        {
            stop.cancel();
        }
    };
    run_cast(patient(), cast, watch, interrupt).await
}

#[tokio::test]
async fn a_page_that_the_budget_does_not_allow_is_not_asked_for() {
    let ran = alone(Some(Budget::new(None, Some(10))), false).await;
    match &ran.board.ended {
        Some(TheaterEvent::Failed(failed)) => {
            assert_eq!(failed.cause, FailedCause::BudgetExceeded, "{failed:?}");
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn what_an_interrupted_single_pass_has_used_is_in_the_log() {
    let ran = alone(None, true).await;
    assert_eq!(ran.board.status(), Some(TheaterStatus::Interrupted));
    assert!(ran.board.usage.input_tokens > 0, "{:?}", ran.board.usage);
    assert_eq!(notes(&ran, AgentNoteKind::Usage), 1);
}
