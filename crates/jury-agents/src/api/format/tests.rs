//! What events mean, without a socket.

use super::*;

fn heard(format: FormatName, events: &[&str]) -> Vec<Heard> {
    let mut decoder = Decoder::new(format);
    let mut heard = Vec::new();
    for data in events {
        decoder.event(SseEvent { name: "", data: data.as_bytes() }, &mut |one| heard.push(one));
    }
    heard
}

#[test]
fn thinking_signatures_pings_and_unknown_kinds_are_no_text() {
    let events = [
        r#"{"type":"ping"}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"x"}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"<\u2603 \"\n"}}"#,
        r#"{"type":"something_new","data":[1]}"#,
        r#"{"type":"message_stop"}"#,
    ];
    let expected = [Heard::Text("<☃ \"\n".to_owned()), Heard::End];
    assert_eq!(heard(FormatName::Anthropic, &events), expected);
    let events = [
        r#"{"choices":[{"delta":{"role":"assistant","content":null}}]}"#,
        r#"{"choices":[{"delta":{"reasoning_content":"hm","content":""}}]}"#,
        r#"{"choices":[{"delta":{"content":"a\u2603"},"finish_reason":null}],"usage":null,"new":1}"#,
        r#"{"choices":null}"#,
        "[DONE]",
    ];
    assert_eq!(heard(FormatName::Openai, &events), [Heard::Text("a☃".to_owned()), Heard::End]);
}

#[test]
fn an_event_that_cannot_be_read_is_a_failure() {
    for format in [FormatName::Anthropic, FormatName::Openai] {
        for data in ["", "{", "not json", r#"{"type":"content_block_delta","delta":{"text":7}}x"#] {
            let heard = heard(format, &[data]);
            assert!(matches!(heard.as_slice(), [Heard::Failed { status: None, .. }]), "{data}: {heard:?}");
        }
    }
}

#[test]
fn tokens_are_counted_with_those_from_the_cache() {
    let start = r#"{"type":"message_start","message":{"id":"m","model":"x","usage":{"input_tokens":10,
        "cache_read_input_tokens":200,"cache_creation_input_tokens":30,"output_tokens":1}}}"#;
    let delta = r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":50}}"#;
    let tokens = Tokens { input: 10, cache_read: 200, cache_write: 30, output: 50 };
    let all = heard(FormatName::Anthropic, &[start, delta]);
    assert_eq!(all.get(2..), Some(&[Heard::Tokens(tokens), Heard::Stop(Stop::End)][..]));
    assert_eq!(tokens.read(), 240);
    let price = |cache| Price {
        model: String::new(),
        input: 3.0,
        output: 15.0,
        cache_read: cache,
        cache_write: None,
    };
    assert!((tokens.cost(&price(None)) - 1470e-6).abs() < 1e-12);
    assert!((tokens.cost(&price(Some(0.3))) - 930e-6).abs() < 1e-12);
    let chunk = r#"{"choices":[],"usage":{"prompt_tokens":240,"completion_tokens":50,
        "prompt_tokens_details":{"cached_tokens":200}}}"#;
    let tokens = Tokens { input: 40, cache_read: 200, cache_write: 0, output: 50 };
    assert_eq!(heard(FormatName::Openai, &[chunk]), [Heard::Tokens(tokens)]);
    let counting =
        r#"{"choices":[],"timings":{"cache_n":200,"prompt_n":40,"prompt_ms":1.5,"predicted_n":50}}"#;
    assert_eq!(heard(FormatName::Openai, &[counting]), [Heard::Counted(tokens)]);
}

#[test]
fn errors_inside_a_stream_have_a_status() {
    let anthropic = r#"{"type":"error","error":{"type":"overloaded_error","message":"busy"}}"#;
    let failed = |status, message: &str| [Heard::Failed { status, message: message.to_owned() }];
    assert_eq!(heard(FormatName::Anthropic, &[anthropic]), failed(Some(529), "busy"));
    for (data, status) in [
        (r#"{"error":{"message":"busy","code":502}}"#, Some(502)),
        (r#"{"error":{"message":"busy","type":"rate_limit_error"}}"#, Some(429)),
        (r#"{"error":{"message":"busy","code":"server_error"}}"#, Some(500)),
        (r#"{"error":"busy"}"#, None),
    ] {
        assert_eq!(heard(FormatName::Openai, &[data]), failed(status, "busy"), "{data}");
    }
}

#[test]
fn complaints_are_found_wherever_services_put_them() {
    for body in [
        r#"{"error":{"message":"no"}}"#,
        r#"{"type":"error","error":{"type":"x","message":"no"}}"#,
        r#"{"message":"no"}"#,
        r#"{"detail":"no"}"#,
        r#"{"error":"no"}"#,
        r#"[{"error":{"message":"no"}}]"#,
        "no",
    ] {
        assert_eq!(error_message(body.as_bytes()), "no", "{body}");
    }
}
