//! Services that fail.

use std::time::Duration;

use jury_agents::api::{ApiPiece, Retries, Settings, Timeouts};
use jury_agents::decoder::SelfReport;
use jury_core::event::AgentNoteKind::{Error, Retry, Session, Usage};
use jury_testkit::model::{BreakKind, ScriptedAnswer};

use super::{FORMATS, client, client_with, failed, listen, prompt, say, serve, settings};

#[tokio::test]
async fn what_cannot_pass_is_not_tried_again() {
    for vendor in FORMATS {
        for status in [400, 401, 403, 404, 413, 422] {
            let server = serve([ScriptedAnswer::status(status), ScriptedAnswer::text("never")]);
            let said = say(&client(&server, vendor)).await;
            assert_eq!(failed(&said.verdict), (Some(status), &*format!("the script says {status}")));
            assert_eq!(said.kinds(), [Error]);
            assert_eq!(said.notes[0].status, Some(status));
            assert_eq!(server.requests().len(), 1, "{vendor} {status}");
        }
    }
}

#[tokio::test]
async fn what_may_pass_is_tried_again() {
    for vendor in FORMATS {
        for status in [408, 409, 429, 500, 502, 503, 504, 529] {
            let server = serve([ScriptedAnswer::status(status), ScriptedAnswer::text("Snow.")]);
            let said = say(&client(&server, vendor)).await;
            assert_eq!((said.text().as_str(), &said.verdict), ("Snow.", &SelfReport::Fine));
            assert_eq!(said.kinds(), [Retry, Session, Usage], "{vendor} {status}");
            assert_eq!(said.notes[0].status, Some(status));
        }
    }
}

#[tokio::test]
async fn there_is_an_end_to_trying() {
    for vendor in FORMATS {
        let server = serve([ScriptedAnswer::status(529)]);
        let retries = Retries { most: 2, first: Duration::from_millis(1), ..Retries::default() };
        let said = say(&client_with(vendor, Settings { retries, ..settings(&server) })).await;
        assert_eq!(failed(&said.verdict), (Some(529), "the script says 529; gave up after 3 attempts"));
        assert_eq!(said.kinds(), [Retry, Retry, Error]);
        assert_eq!(server.requests().len(), 3);
    }
}

#[tokio::test]
async fn a_service_says_when_to_come_back() {
    for (header, tried) in [
        ("0", 2),
        ("0.03", 2),
        ("Sun, 06 Nov 1994 08:49:37 GMT", 2),
        // Not in our time.
        ("3600", 1),
        ("Sun, 06 Nov 2094 08:49:37 GMT", 1),
    ] {
        let server =
            serve([ScriptedAnswer::status(429).header("retry-after", header), ScriptedAnswer::text("Snow.")]);
        // A delay of our own would not end within the test.
        let retries = Retries { first: Duration::from_secs(50), ..Retries::default() };
        let said = say(&client_with("anthropic", Settings { retries, ..settings(&server) })).await;
        assert_eq!(server.requests().len(), tried, "{header}: {said:?}");
        assert_eq!(said.verdict == SelfReport::Fine, tried == 2);
    }
}

#[tokio::test]
async fn a_stream_that_breaks_before_any_text_is_tried_again() {
    for vendor in FORMATS {
        for kind in [BreakKind::Close, BreakKind::Truncate, BreakKind::Error, BreakKind::Hangup] {
            let server = serve([ScriptedAnswer::text("lost").breaks(kind, 0), ScriptedAnswer::text("Snow.")]);
            let said = say(&client(&server, vendor)).await;
            assert_eq!(
                (said.text().as_str(), &said.verdict),
                ("Snow.", &SelfReport::Fine),
                "{vendor} {kind:?}"
            );
            assert!(said.kinds().contains(&Retry));
            assert_eq!(server.requests().len(), 2);
        }
    }
}

#[tokio::test]
async fn a_stream_that_breaks_after_text_is_cut_and_says_so() {
    for vendor in FORMATS {
        for kind in [BreakKind::Close, BreakKind::Truncate, BreakKind::Error] {
            let server = serve([ScriptedAnswer::text("Snow is water.").chunk(4).breaks(kind, 2).held()]);
            let client = client(&server, vendor);
            let mut session = client.session(&prompt()).unwrap();
            let mut had = 0;
            while had < 8 {
                if let ApiPiece::Text(text) = session.next().await.unwrap() {
                    had += text.len();
                }
            }
            server.release();
            let said = listen(&mut session).await.unwrap();
            let (status, detail) = failed(&said.verdict);
            assert_eq!(status, (kind == BreakKind::Error).then_some(529), "{vendor} {kind:?}");
            assert!(detail.ends_with("the answer is cut after 8 bytes"), "{vendor} {kind:?}: {detail}");
            assert_eq!(said.kinds(), [Usage, Error], "{vendor} {kind:?}");
            assert_eq!(server.requests().len(), 1);
        }
    }
}

#[tokio::test]
async fn a_silent_service_is_given_up() {
    let (first, idle) = (Duration::from_millis(500), Duration::from_millis(200));
    let timeouts = Timeouts { first, idle, ..Timeouts::default() };
    for vendor in FORMATS {
        let stalled = ScriptedAnswer::text("Snow is water.").chunk(4);
        let server =
            serve([stalled.clone().breaks(BreakKind::Stall, 0), stalled.clone().breaks(BreakKind::Stall, 1)]);
        let said = say(&client_with(vendor, Settings { timeouts, ..settings(&server) })).await;
        assert_eq!(said.text(), "Snow");
        assert_eq!(failed(&said.verdict).1, "nothing came for 0.2 s; the answer is cut after 4 bytes");
        assert_eq!(said.notes[1].detail, "estimated");
        assert!(said.notes[2].detail.starts_with("nothing came for 0.5 s; again in"), "{said:?}");
        assert_eq!(server.requests().len(), 2, "the first silence came before any text");
    }
}

#[tokio::test]
async fn a_service_that_never_begins_is_given_up() {
    let mut late = ScriptedAnswer::text("too late");
    late.first_delay_ms = 60_000;
    let timeouts = Timeouts { first: Duration::from_millis(100), ..Timeouts::default() };
    for vendor in FORMATS {
        let server = serve([late.clone(), ScriptedAnswer::text("Snow.")]);
        let said = say(&client_with(vendor, Settings { timeouts, ..settings(&server) })).await;
        assert_eq!((said.text().as_str(), said.verdict), ("Snow.", SelfReport::Fine));
    }
}

#[tokio::test]
async fn a_call_that_takes_too_long_ends() {
    let timeouts = Timeouts { total: Duration::from_millis(200), ..Timeouts::default() };
    for vendor in FORMATS {
        let server = serve([ScriptedAnswer::text("x".repeat(10_000)).chunk(1).delay_ms(10)]);
        let said = say(&client_with(vendor, Settings { timeouts, ..settings(&server) })).await;
        assert!(failed(&said.verdict).1.starts_with("the call took longer than 0.2 s"), "{said:?}");
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn nobody_there_is_said_after_a_few_attempts() {
    let server = serve([]);
    let settings = Settings {
        retries: Retries { most: 1, first: Duration::from_millis(1), ..Retries::default() },
        ..settings(&server)
    };
    drop(server);
    let said = say(&client_with("openai", settings)).await;
    let (status, detail) = failed(&said.verdict);
    assert_eq!(status, None);
    assert!(detail.contains("refused") && detail.ends_with("gave up after 2 attempts"), "{detail}");
}

#[tokio::test]
async fn an_answer_that_is_no_stream_is_no_answer() {
    let server = serve([]);
    let base_url = Some(format!("{}/count_tokens?", server.url()));
    let said = say(&client_with("anthropic", Settings { base_url, ..settings(&server) })).await;
    let detail = "it answers with 'application/json' and not with a stream of events";
    assert_eq!((said.text().as_str(), failed(&said.verdict)), ("", (Some(200), detail)));
}

#[tokio::test]
async fn a_service_that_does_not_speak_tls_is_said_so() {
    let server = serve([]);
    let settings = Settings {
        base_url: Some(format!("https://127.0.0.1:{}/v1", server.address().port())),
        timeouts: Timeouts { first: Duration::from_millis(300), ..Timeouts::default() },
        retries: Retries::NONE,
        ..settings(&server)
    };
    let said = say(&client_with("anthropic", settings)).await;
    assert_eq!((failed(&said.verdict).0, server.requests().len()), (None, 0), "{said:?}");
}

/// What a service says that takes no temperature, or none but its own.
fn no_temperature(status: u16) -> ScriptedAnswer {
    let text = "Unsupported value: 'temperature' does not support 0 with this model.";
    ScriptedAnswer { text: Some(text.to_owned()), ..ScriptedAnswer::status(status) }
}

#[tokio::test]
async fn a_model_that_takes_no_temperature_is_asked_without_one() {
    for vendor in FORMATS {
        for status in [400, 422] {
            let server = serve([no_temperature(status), ScriptedAnswer::text("Snow.")]);
            let client = client(&server, vendor);
            let mut session = client.session(&prompt().temperature(Some(0.0))).unwrap();
            let said = listen(&mut session).await.unwrap();
            assert_eq!(
                (said.text().as_str(), &said.verdict),
                ("Snow.", &SelfReport::Fine),
                "{vendor} {status}"
            );
            assert_eq!(said.kinds(), [Retry, Session, Usage], "{vendor} {status}");
            let asked: Vec<_> = server.calls().iter().map(|call| call.body["temperature"].clone()).collect();
            assert_eq!(asked, [0.0.into(), serde_json::Value::Null], "{vendor} {status}");
        }
    }
}

#[tokio::test]
async fn a_refusal_of_something_else_is_not_taken_for_one_of_the_temperature() {
    for vendor in FORMATS {
        // Asked without a temperature, or refused again without one, it stays refused.
        for (temperature, requests) in [(None, 1), (Some(0.0), 2)] {
            let server = serve([no_temperature(400)]);
            let client = client(&server, vendor);
            let said =
                listen(&mut client.session(&prompt().temperature(temperature)).unwrap()).await.unwrap();
            assert_eq!(failed(&said.verdict).0, Some(400), "{vendor}");
            assert_eq!(server.requests().len(), requests, "{vendor}");
        }
        let server = serve([ScriptedAnswer::status(401), ScriptedAnswer::text("never")]);
        let client = client(&server, vendor);
        let said = listen(&mut client.session(&prompt().temperature(Some(0.0))).unwrap()).await.unwrap();
        assert_eq!((failed(&said.verdict).0, server.requests().len()), (Some(401), 1), "{vendor}");
    }
}
