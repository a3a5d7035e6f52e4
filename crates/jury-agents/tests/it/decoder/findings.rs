//! What was learnt from running the real programs, finding by finding. The first and the eighth are about
//! processes and pipes.

use jury_agents::decoder::{DecodeLimits, Format};
use jury_testkit::cut::Cut;

use super::{check, decoded, words};

#[test]
fn finding_2_success_is_decided_by_the_stream() {
    // All of these programs exit with code 0.
    check(
        Format::Pi,
        &[
            r#"{"type":"message_end","message":{"role":"assistant","content":[],"stopReason":"error","errorMessage":"401 invalid key"}}"#,
            r#"{"type":"agent_end","messages":[]}"#,
        ],
        &["trouble 401 401 invalid key", "failed 401 401 invalid key"],
    );
    check(
        Format::Goose,
        &[
            r#"{"type":"message","message":{"id":null,"role":"assistant","content":[{"type":"text","text":"Ran into this error: Status: 401 Unauthorized."}]}}"#,
            r#"{"type":"complete","total_tokens":null}"#,
        ],
        &[
            "trouble 401 Ran into this error: Status: 401 Unauthorized.",
            "failed 401 Ran into this error: Status: 401 Unauthorized.",
        ],
    );
    check(
        Format::Gemini,
        &[
            r#"{"type":"error","severity":"error","message":"Model stream ended without a finish reason."}"#,
            r#"{"type":"result","status":"error","stats":{"input_tokens":1,"output_tokens":2}}"#,
        ],
        &[
            "trouble Model stream ended without a finish reason.",
            "usage 1 2",
            "failed Model stream ended without a finish reason.",
        ],
    );
}

#[test]
fn finding_2_output_that_just_ends_has_failed() {
    for format in Format::ALL {
        let last = words(format, DecodeLimits::default(), std::iter::empty::<&[u8]>()).pop().unwrap();
        let silent = "failed the agent said nothing";
        let expected =
            if format == Format::Plain { silent } else { "failed the output ended before the answer did" };
        assert_eq!(last, expected, "{format}");
    }
}

#[test]
fn finding_2_who_said_nothing_has_not_answered() {
    check(Format::CodexExec, &[r#"{"type":"turn.completed"}"#], &["failed the agent said nothing"]);
}

#[test]
fn finding_3_an_abandoned_message_is_taken_back_and_the_last_attempt_has_no_deltas() {
    let message = |id: &str| {
        [
            format!(r#"{{"type":"stream_event","event":{{"type":"message_start","message":{{"id":"{id}"}}}}}}"#),
            r#"{"type":"stream_event","event":{"type":"content_block_delta","delta":{"type":"text_delta","text":"One, "}}}"#.to_owned(),
            format!(r#"{{"type":"stream_event","event":{{"type":"message_stop"}},"abandoned_blocks":{{"api_message_id":"{id}","from_block_index":0}}}}"#),
        ]
    };
    let (first, second) = (message("m1"), message("m2"));
    check(
        Format::ClaudeStreamJson,
        &[
            &first[0],
            &first[1],
            &first[2],
            r#"{"type":"system","subtype":"api_retry","attempt":1,"error_status":null,"error":"unknown"}"#,
            &second[0],
            &second[1],
            &second[2],
            r#"{"type":"assistant","message":{"id":"m3","content":[{"type":"text","text":"One, two."}],"stop_reason":"end_turn"}}"#,
            r#"{"type":"result","is_error":false,"result":"One, two."}"#,
        ],
        &["text One, ", "retry unknown", "restart", "text One, ", "restart", "text One, two.", "fine"],
    );
}

#[test]
fn finding_3_copilot_says_that_it_retries_a_turn() {
    check(
        Format::Copilot,
        &[
            r#"{"type":"assistant.message_delta","data":{"messageId":"a","deltaContent":"One, "}}"#,
            r#"{"type":"model.call_failure","data":{"statusCode":500,"errorMessage":"oops"}}"#,
            r#"{"type":"assistant.turn_retry","data":{"turnId":"0","reason":"streaming_error"}}"#,
            r#"{"type":"assistant.message_delta","data":{"messageId":"b","deltaContent":"Uno."}}"#,
            r#"{"type":"assistant.message","data":{"messageId":"b","content":"Uno."}}"#,
            r#"{"type":"assistant.turn_retry","data":{"turnId":"1","reason":"api_error"}}"#,
            r#"{"type":"assistant.message_delta","data":{"messageId":"c","deltaContent":" Due."}}"#,
            r#"{"type":"session.error","data":{"errorType":"query","message":"gave up"}}"#,
            r#"{"type":"result","exitCode":1}"#,
        ],
        &[
            "text One, ",
            "retry 500 streaming_error",
            "restart",
            "text Uno.",
            "retry api_error",
            "text  Due.",
            "trouble gave up",
            "failed gave up",
        ],
    );
}

#[test]
fn finding_3_gemini_begins_again_without_a_word_and_so_do_we() {
    let delta =
        |text: &str| format!(r#"{{"type":"message","role":"assistant","content":"{text}","delta":true}}"#);
    check(
        Format::Gemini,
        &[
            &delta("<CRITIQUE_RUN>One"),
            &delta("<CRITIQUE_RUN>One, two."),
            r#"{"type":"result","status":"success"}"#,
        ],
        &["text <CRITIQUE_RUN>One<CRITIQUE_RUN>One, two.", "fine"],
    );
}

#[test]
fn finding_4_a_continuation_is_no_restart() {
    let message = |id: &str, text: &str| {
        [
            format!(r#"{{"type":"stream_event","event":{{"type":"message_start","message":{{"id":"{id}"}}}}}}"#),
            format!(r#"{{"type":"stream_event","event":{{"type":"content_block_delta","delta":{{"type":"text_delta","text":"{text}"}}}}}}"#),
            r#"{"type":"stream_event","event":{"type":"message_delta","delta":{"stop_reason":"max_tokens"}}}"#.to_owned(),
            r#"{"type":"stream_event","event":{"type":"message_stop"}}"#.to_owned(),
        ]
    };
    let (first, second) = (message("m1", "One, "), message("m2", "two."));
    let resume = r#"{"type":"user","message":{"role":"user","content":[{"type":"text","text":"Resume directly"}]},"isSynthetic":true}"#;
    let result = r#"{"type":"result","is_error":false,"num_turns":2,"result":"two."}"#;
    let lines: Vec<&str> = first
        .iter()
        .map(String::as_str)
        .chain([resume])
        .chain(second.iter().map(String::as_str))
        .chain([result])
        .collect();
    check(Format::ClaudeStreamJson, &lines, &["text One, two.", "fine"]);
}

#[test]
fn finding_5_errors_dressed_as_answers_stay_outside() {
    check(
        Format::ClaudeStreamJson,
        &[
            r#"{"type":"assistant","message":{"id":"x","model":"<synthetic>","content":[{"type":"text","text":"Invalid API key"}]},"error":"authentication_failed","api_error_status":401}"#,
            r#"{"type":"result","is_error":true,"api_error_status":401,"result":"Invalid API key"}"#,
        ],
        &["trouble 401 Invalid API key", "failed 401 Invalid API key"],
    );
    check(
        Format::ClaudeStreamJson,
        &[
            r#"{"type":"stream_event","event":{"type":"message_start","message":{"id":"m"}}}"#,
            r#"{"type":"stream_event","event":{"type":"content_block_delta","delta":{"type":"text_delta","text":"One"}}}"#,
            r#"{"type":"stream_event","event":{"type":"content_block_delta","delta":{"type":"text_delta","text":"[API Error: 401 no key]"}}}"#,
            r#"{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"One[API Error: 401 no key]"}]}}"#,
            r#"{"type":"result","is_error":true,"error":{"message":"[API Error: 401 no key]"}}"#,
        ],
        &["text One", "trouble 401 [API Error: 401 no key]", "failed 401 [API Error: 401 no key]"],
    );
    let warning = r#"{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Model metadata for `m` not found."}}}}"#;
    let lines =
        format!("{{\"id\":1,\"result\":{{}}}}\n{{\"id\":2,\"result\":{{\"sessionId\":\"s\"}}}}\n{warning}\n");
    let acp = decoded(Format::Acp, lines.as_bytes());
    assert_eq!(
        acp[4..],
        ["trouble Model metadata for `m` not found.", "failed the output ended before the answer did"]
    );
}

#[test]
fn finding_5_newer_versions_of_goose_name_their_errors() {
    for error in ["Ran into this error: Rate limit exceeded: 429.", "Network error: Stream decode error"] {
        let line = format!(
            r#"{{"type":"message","message":{{"id":"msg_1","role":"assistant","content":[{{"type":"text","text":"{error}"}}]}}}}"#
        );
        let said = r#"{"type":"message","message":{"id":"chatcmpl-2","role":"assistant","content":[{"type":"text","text":"One, "}]}}"#;
        let status = if error.contains("429") { " 429" } else { "" };
        check(
            Format::Goose,
            &[said, &line, r#"{"type":"complete","total_tokens":0,"input_tokens":0,"output_tokens":0}"#],
            &["text One, ", &format!("trouble{status} {error}"), &format!("failed{status} {error}")],
        );
    }
}

#[test]
fn finding_5_an_artifact_may_speak_of_errors() {
    let delta =
        |text: &str| format!(r#"{{"type":"message","role":"assistant","content":"{text}","delta":true}}"#);
    check(
        Format::Gemini,
        &[&delta("<p>[API Error]</p>]]"), &delta("><b>a[0]"), r#"{"type":"result","status":"success"}"#],
        &["text <p>[API Error]</p>]]><b>a[0]", "fine"],
    );
}

#[test]
fn finding_6_a_retry_tells_its_status() {
    check(
        Format::ClaudeStreamJson,
        &[
            r#"{"type":"system","subtype":"api_retry","attempt":1,"max_retries":10,"error_status":401,"error":"authentication_failed"}"#,
        ],
        &["retry 401 authentication_failed", "failed 401 authentication_failed"],
    );
    check(
        Format::Copilot,
        &[
            r#"{"type":"model.call_failure","data":{"statusCode":401,"errorMessage":"bad key"}}"#,
            r#"{"type":"assistant.turn_retry","data":{"reason":"transient_auth_error"}}"#,
        ],
        &["retry 401 transient_auth_error", "failed 401 transient_auth_error"],
    );
}

#[test]
fn finding_7_a_loop_is_cut() {
    let step = concat!(
        r#"{"type":"step_start","part":{"messageID":"m"}}"#,
        "\n",
        r#"{"type":"step_finish","part":{"reason":"unknown"}}"#,
        "\n"
    );
    let lines = step.repeat(65);
    for cut in Cut::USUAL {
        assert_eq!(
            words(Format::Opencode, DecodeLimits::default(), cut.pieces(lines.as_bytes())),
            ["error the agent took more than 64 steps; it goes round in circles"]
        );
    }
}

#[test]
fn finding_7_each_round_of_a_loop_takes_the_last_one_back() {
    check(
        Format::Opencode,
        &[
            r#"{"type":"text","part":{"id":"p1","messageID":"m1","text":"One"}}"#,
            r#"{"type":"step_finish","part":{"reason":"unknown","messageID":"m1"}}"#,
            r#"{"type":"text","part":{"id":"p2","messageID":"m2","text":"Uno."}}"#,
            r#"{"type":"step_finish","part":{"reason":"stop","messageID":"m2"}}"#,
        ],
        &["text One", "restart", "text Uno.", "fine"],
    );
}

#[test]
fn finding_9_text_is_exact() {
    let text = "• a\\\"b\"\t☃ 🦀 ]]> <![CDATA[\u{1}\r\n/";
    let line = serde_json::json!({"role": "assistant", "content": text}).to_string();
    let escaped = text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect::<Vec<_>>().concat();
    let other = format!(r#"{{ "role" : "assistant" , "content" : "{escaped}\/" }}"#);
    check(
        Format::Kimi,
        &[&line, &other],
        &[&format!("text {text}{text}/"), "failed the output ended before the answer did"],
    );
}

#[test]
fn finding_9_a_character_cut_in_two_is_put_together() {
    let delta =
        |text: &str| format!(r#"{{"type":"message","role":"assistant","content":"{text}","delta":true}}"#);
    check(
        Format::Gemini,
        &[
            &delta(r"crab \ud83e"),
            &delta(r"\udd80!"),
            &delta(r"\ud83e"),
            &delta(r"x\udd80y"),
            r#"{"type":"result","status":"success"}"#,
        ],
        &["text crab 🦀!\u{FFFD}x\u{FFFD}y", "fine"],
    );
}

#[test]
fn finding_10_what_is_repeated_in_each_line_is_not_said_again() {
    let (mut lines, mut said) = (String::new(), String::new());
    for number in 0..200 {
        let delta = format!("{number} \"bottles\"\n");
        said.push_str(&delta);
        let message = serde_json::json!({"role": "assistant", "content": [{"type": "text", "text": said}]});
        let event = serde_json::json!({"type": "text_delta", "delta": delta, "partial": message});
        let line =
            serde_json::json!({"type": "message_update", "assistantMessageEvent": event, "message": message});
        lines.push_str(&line.to_string());
        lines.push('\n');
    }
    let out = decoded(Format::Pi, lines.as_bytes());
    assert_eq!(out, [format!("text {said}"), "failed the output ended before the answer did".to_owned()]);
}
