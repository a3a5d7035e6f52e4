//! Answers that arrive.

use std::time::Duration;

use jury_agents::api::{ApiPiece, Settings, Stop};
use jury_agents::decoder::SelfReport;
use jury_core::event::AgentNoteKind::{Error, Session, Usage};
use jury_testkit::fixtures::{Fixture, transcript_shipped};
use jury_testkit::model::{BreakKind, ScriptedAnswer};
use serde_json::json;

use super::{FORMATS, KEY, PATIENCE, client, client_with, failed, listen, prompt, say, serve, settings};

#[tokio::test]
async fn text_arrives_byte_for_byte_however_it_is_cut() {
    for vendor in FORMATS {
        for (chunk, write) in
            [(1, None), (7, None), (100_000, None), (7, Some(1)), (1, Some(7)), (64, Some(1000))]
        {
            let mut answer =
                ScriptedAnswer::fixture(Fixture::Shipped).thinking("not a part of it").chunk(chunk);
            answer.write = write;
            let server = serve([answer]);
            let said = say(&client(&server, vendor)).await;
            assert_eq!(said.text(), transcript_shipped(), "{vendor} {chunk} {write:?}");
            assert_eq!(said.verdict, SelfReport::Fine);
            assert_eq!(said.kinds(), [Session, Usage]);
        }
    }
}

#[tokio::test]
async fn the_request_is_what_the_service_documents() {
    let server = serve([ScriptedAnswer::text("ok")]);
    say(&client(&server, "anthropic")).await;
    say(&client(&server, "openai")).await;
    say(&client(&server, "mistral")).await;
    let [anthropic, openai, mistral] = server.calls().try_into().unwrap();
    assert_eq!(anthropic.path, "/v1/messages");
    assert_eq!(anthropic.headers["anthropic-version"], "2023-06-01");
    assert_eq!(anthropic.headers["x-api-key"], "(secret)");
    assert!(anthropic.has_credential(KEY) && openai.has_credential(KEY));
    let question = json!({"role": "user", "content": "What is snow?"});
    assert_eq!(
        anthropic.body,
        json!({"model": "claude-sonnet-5", "max_tokens": 1000, "stream": true, "system": "Be brief.",
            "messages": [question]})
    );
    assert_eq!(openai.path, "/v1/chat/completions");
    let messages = json!([{"role": "system", "content": "Be brief."}, question]);
    assert_eq!(
        openai.body,
        json!({"model": "gpt-5-mini", "max_completion_tokens": 1000, "stream": true, "messages": messages,
            "stream_options": {"include_usage": true}})
    );
    assert_eq!(
        mistral.body,
        json!({"model": "mistral-large-latest", "max_tokens": 1000, "stream": true, "messages": messages})
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_piece_comes_before_the_next_is_sent() {
    for vendor in FORMATS {
        let server = serve([ScriptedAnswer::text("abcdef").chunk(3).breaks(BreakKind::Stall, 1)]);
        let client = client(&server, vendor);
        let mut session = client.session(&prompt()).unwrap();
        assert!(matches!(session.next().await.unwrap(), ApiPiece::Note(note) if note.kind == Session));
        assert_eq!(session.next().await.unwrap(), ApiPiece::Text("abc"));
        drop(session);
        assert!(server.wait_for_abandoned(1, PATIENCE), "dropping a session ends its call");
    }
}

#[tokio::test]
async fn losing_the_future_loses_nothing() {
    for vendor in FORMATS {
        let server = serve([
            ScriptedAnswer::status(500),
            ScriptedAnswer::fixture(Fixture::Shipped).chunk(9).delay_ms(1),
        ]);
        let client = client(&server, vendor);
        let mut session = client.session(&prompt()).unwrap();
        let mut text = String::new();
        loop {
            tokio::select! {
                biased;
                () = tokio::task::yield_now() => {}
                piece = session.next() => match piece.unwrap() {
                    ApiPiece::Text(part) => text.push_str(part),
                    ApiPiece::Note(_) => {}
                    ApiPiece::End(verdict) => {
                        assert_eq!(verdict, SelfReport::Fine);
                        break;
                    }
                },
            }
            // Lost in the middle, again and again.
            tokio::time::timeout(Duration::ZERO, std::future::pending::<()>()).await.unwrap_err();
        }
        assert_eq!(text, transcript_shipped());
        assert_eq!(server.requests().len(), 2);
    }
}

#[tokio::test]
async fn an_answer_cut_by_its_limit_is_not_fine() {
    for vendor in FORMATS {
        for (reason, stop, word) in
            [("max_tokens", Stop::Length, "1000 tokens"), ("refusal", Stop::Refusal, "declined")]
        {
            let server = serve([ScriptedAnswer::text("Snow is").stop_reason(reason)]);
            let mut session = client(&server, vendor).session(&prompt()).unwrap();
            let said = listen(&mut session).await.unwrap();
            assert_eq!(said.text(), "Snow is");
            assert!(failed(&said.verdict).1.contains(word), "{said:?}");
            assert_eq!(said.kinds(), [Session, Usage, Error]);
            assert_eq!(session.stop(), Some(&stop));
            assert_eq!(server.requests().len(), 1);
        }
    }
}

#[tokio::test]
async fn an_answer_longer_than_allowed_ends() {
    for vendor in FORMATS {
        let server = serve([ScriptedAnswer::text("x".repeat(500)).chunk(50)]);
        let client = client_with(vendor, Settings { max_bytes: 100, ..settings(&server) });
        let said = say(&client).await;
        assert!(failed(&said.verdict).1.contains("longer than 100 bytes"), "{said:?}");
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn calls_share_a_connection() {
    for vendor in FORMATS {
        let server = serve([ScriptedAnswer::text("Snow.")]);
        let client = client(&server, vendor);
        for _ in 0..3 {
            assert_eq!(say(&client).await.text(), "Snow.");
        }
        assert_eq!((server.requests().len(), server.connections()), (3, 1));
    }
}

#[test]
fn sessions_and_clients_go_between_threads() {
    fn goes<T: Send + Sync>() {}
    goes::<jury_agents::api::ApiSession>();
    goes::<jury_agents::api::Client>();
}

#[tokio::test]
async fn an_ended_session_stays_ended() {
    let server = serve([ScriptedAnswer::text("ok")]);
    let mut session = client(&server, "openai").session(&prompt()).unwrap();
    listen(&mut session).await.unwrap();
    assert_eq!(session.next().await.unwrap(), ApiPiece::End(SelfReport::Fine));
    assert_eq!(server.requests().len(), 1);
}
