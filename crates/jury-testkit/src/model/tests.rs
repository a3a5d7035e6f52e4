//! The scripted model, asked over its socket by hand.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use serde_json::{Value, json};

use super::{BreakKind, ModelServer, Script, ScriptedAnswer};
use crate::fixtures::{Fixture, transcript_shipped};

/// The answer to one request, as it comes.
fn ask(server: &ModelServer, path: &str, body: &Value) -> String {
    let mut stream = TcpStream::connect(server.address()).unwrap();
    let body = body.to_string();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Api-Key: hidden\r\nContent-Length: {}",
        body.len()
    );
    write!(stream, "{head}\r\n\r\n{body}").unwrap();
    let mut answer = Vec::new();
    // A connection that breaks ends in an error, and what came before it counts.
    stream.read_to_end(&mut answer).unwrap_or_default();
    String::from_utf8(answer).unwrap()
}

/// The values of an answer's events.
fn events(answer: &str) -> Vec<Value> {
    answer.lines().filter_map(|line| serde_json::from_str(line.strip_prefix("data: ")?).ok()).collect()
}

const PATHS: [(&str, &str, &str); 4] = [
    ("/v1/messages", "/delta/text", "/content/0/text"),
    ("/v1/chat/completions", "/choices/0/delta/content", "/choices/0/message/content"),
    ("/v1/responses", "/delta", "/output/0/content/0/text"),
    (
        "/v1beta/models/m:streamGenerateContent",
        "/candidates/0/content/parts/0/text",
        "/candidates/0/content/parts/0/text",
    ),
];

#[test]
fn every_format_carries_the_text_byte_for_byte() {
    let server =
        ModelServer::start(Script::new([ScriptedAnswer::fixture(Fixture::Shipped).chunk(7)])).unwrap();
    for (path, delta, whole) in PATHS {
        let answer = ask(&server, path, &json!({"stream": true}));
        let texts = events(&answer);
        let text: String = texts.iter().filter_map(|event| event.pointer(delta)?.as_str()).collect();
        assert_eq!(text, transcript_shipped(), "{path}");
        let path = path.replace("streamGenerate", "generate");
        let answer = ask(&server, &path, &json!({}));
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        let value: Value = serde_json::from_str(body).unwrap();
        assert_eq!(value.pointer(whole), Some(&json!(transcript_shipped())), "{path}");
    }
}

#[test]
fn side_calls_use_up_no_answer() {
    let script = Script::new([ScriptedAnswer::text("one"), ScriptedAnswer::text("two")])
        .only("CRITIQUE_RUN")
        .skip("title");
    let server = ModelServer::start(script).unwrap();
    let says = |prompt: &str| {
        let answer = ask(&server, "/v1/chat/completions", &json!({"messages": prompt}));
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        let value: Value = serde_json::from_str(body).unwrap();
        value["choices"][0]["message"]["content"].as_str().unwrap().to_owned()
    };
    let prompts = ["hello", "CRITIQUE_RUN", "a title for CRITIQUE_RUN", "CRITIQUE_RUN", "CRITIQUE_RUN"];
    assert_eq!(prompts.map(says), ["ok", "one", "ok", "two", "two"]);
    assert_eq!((server.requests().len(), server.calls().len()), (5, 3));
}

#[test]
fn an_answer_may_wait_for_its_request() {
    let server =
        ModelServer::start(Script::new([ScriptedAnswer::text("a").when("brand"), ScriptedAnswer::text("b")]))
            .unwrap();
    let body = |prompt: &str| ask(&server, "/v1/messages", &json!({"prompt": prompt}));
    assert!(body("copy").contains("\"text\":\"b\""));
    assert!(body("brand").contains("\"text\":\"a\""));
}

#[test]
fn streams_break_as_the_script_says() {
    for (kind, ends, has_error) in
        [(BreakKind::Close, false, false), (BreakKind::Truncate, true, false), (BreakKind::Error, true, true)]
    {
        for (path, delta, _) in PATHS {
            let server =
                ModelServer::start(Script::new([ScriptedAnswer::text("abcdef").chunk(1).breaks(kind, 3)]))
                    .unwrap();
            let answer = ask(&server, path, &json!({"stream": true}));
            let texts: String =
                events(&answer).iter().filter_map(|event| event.pointer(delta)?.as_str()).collect();
            assert_eq!(texts, "abc", "{path} {kind:?}");
            assert_eq!(answer.ends_with("\r\n0\r\n\r\n"), ends, "{path} {kind:?}");
            assert_eq!(answer.contains("the script says 529"), has_error, "{path} {kind:?}");
        }
    }
    let server =
        ModelServer::start(Script::new([ScriptedAnswer::default().breaks(BreakKind::Hangup, 0)])).unwrap();
    assert_eq!(ask(&server, "/v1/messages", &json!({})), "");
}

#[test]
fn requests_are_recorded_without_secrets() {
    let server = ModelServer::start(Script::default()).unwrap();
    ask(&server, "/v1beta/models/m:generateContent?key=hidden&alt=sse", &json!({"a": 1}));
    let [request] = server.requests().try_into().unwrap();
    assert!(!format!("{request:?}").contains("hidden"));
    assert!(request.has_credential("hidden") && !request.has_credential("other"));
    assert_eq!((request.query.as_str(), &request.body), ("key=(secret)&alt=sse", &json!({"a": 1})));
}

#[test]
fn a_script_is_read_from_json() {
    let text = r#"{"match": "CRITIQUE_RUN", "answers": [
        {"status": 429, "headers": {"retry-after": "2"}},
        {"text": "x", "chunk": 1, "delayMs": 5, "thinking": "hm", "stopReason": "max_tokens",
         "toolCalls": [{"name": "t", "input": {}}], "usage": {"inputTokens": 1, "outputTokens": 2},
         "break": {"kind": "truncate", "after": 3}},
        {"fixture": "shipped"}]}"#;
    let tool = ScriptedAnswer::text("x")
        .chunk(1)
        .delay_ms(5)
        .thinking("hm")
        .stop_reason("max_tokens")
        .tool("t", json!({}));
    let answers = [
        ScriptedAnswer::status(429).header("retry-after", "2"),
        tool.usage(1, 2).breaks(BreakKind::Truncate, 3),
        ScriptedAnswer::fixture(Fixture::Shipped),
    ];
    let script: Script = serde_json::from_str(text).unwrap();
    assert_eq!(script, Script::new(answers).only("CRITIQUE_RUN"));
}
