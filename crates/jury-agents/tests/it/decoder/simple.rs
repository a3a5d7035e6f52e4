//! The simple formats: one JSON object a line.

use jury_agents::decoder::Format;

use super::{check, decoded};

#[test]
fn plain_is_text_and_nothing_else() {
    assert_eq!(decoded(Format::Plain, "Grüße, ☃ and 🦀!\n".as_bytes()), ["text Grüße, ☃ and 🦀!\n", "fine"]);
    assert_eq!(decoded(Format::Plain, b""), ["failed the agent said nothing"]);
}

#[test]
fn plain_bytes_that_are_no_text_are_replaced() {
    assert_eq!(
        decoded(Format::Plain, b"a\xFFb\xE2\x98c\xF0\x9F\xA6"),
        ["text a\u{FFFD}b\u{FFFD}c\u{FFFD}", "fine"]
    );
    assert_eq!(
        decoded(Format::Plain, b"\xE2\x98\xE2\x98\x83\xC0\xAF"),
        ["text \u{FFFD}\u{2603}\u{FFFD}\u{FFFD}", "fine"]
    );
}

#[test]
fn codex_exec_says_whole_messages() {
    check(
        Format::CodexExec,
        &[
            r#"{"type":"thread.started","thread_id":"th-1"}"#,
            r#"{"type":"item.completed","item":{"id":"item_0","type":"error","message":"Model metadata not found"}}"#,
            r#"{"type":"turn.started"}"#,
            r#"{"type":"item.completed","item":{"id":"item_1","type":"reasoning","text":"hm"}}"#,
            r#"{"type":"item.completed","item":{"id":"item_2","type":"agent_message","text":"One \u2603,\n"}}"#,
            r#"{"type":"item.completed","item":{"id":"item_2","type":"agent_message","text":"One \u2603,\n"}}"#,
            r#"{"type":"item.completed","item":{"id":"item_3","type":"agent_message","text":"two."}}"#,
            r#"{"type":"turn.completed","usage":{"input_tokens":70,"cached_input_tokens":30,"output_tokens":9}}"#,
        ],
        &["session th-1", "text One ☃,\ntwo.", "usage 70 9", "fine"],
    );
}

#[test]
fn codex_exec_reconnects_and_gives_up() {
    check(
        Format::CodexExec,
        &[
            r#"{"type":"error","message":"Reconnecting... 1/5 (unexpected status 401 Unauthorized: bad key, url: http://127.0.0.1:8399/v1)"}"#,
            r#"{"type":"error","message":"unexpected status 401 Unauthorized: bad key"}"#,
            r#"{"type":"turn.failed","error":{"message":"unexpected status 401 Unauthorized: bad key"}}"#,
            r#"{"type":"item.completed","item":{"id":"item_9","type":"agent_message","text":"too late"}}"#,
        ],
        &[
            "retry 401 Reconnecting... 1/5 (unexpected status 401 Unauthorized: bad key, url: http://127.0.0.1:8399/v1)",
            "trouble 401 unexpected status 401 Unauthorized: bad key",
            "failed 401 unexpected status 401 Unauthorized: bad key",
        ],
    );
}

#[test]
fn gemini_says_what_the_assistant_says() {
    check(
        Format::Gemini,
        &[
            r#"{"type":"init","timestamp":"t","session_id":"s-1","model":"m"}"#,
            r#"{"type":"message","role":"user","content":"Judge <CRITIQUE_RUN> it."}"#,
            r#"{"type":"message","role":"assistant","content":"One, ","delta":true}"#,
            r#"{"type":"message","role":"assistant","content":"two.","delta":true}"#,
            r#"{"type":"result","status":"success","stats":{"total_tokens":30,"input_tokens":20,"output_tokens":10}}"#,
        ],
        &["session s-1", "text One, two.", "usage 20 10", "fine"],
    );
}

#[test]
fn goose_says_deltas_and_no_thoughts() {
    check(
        Format::Goose,
        &[
            r#"{"type":"message","message":{"id":"c-1","role":"assistant","content":[{"type":"thinking","thinking":"plan","signature":""}]}}"#,
            r#"{"type":"message","message":{"id":"c-1","role":"assistant","content":[{"type":"text","text":"One, "}]}}"#,
            r#"{"type":"message","message":{"id":"c-1","role":"assistant","content":[{"type":"text","text":"two"},{"type":"text","text":"."}]}}"#,
            r#"{"type":"message","message":{"id":null,"role":"user","content":[{"type":"text","text":"tool result"}]}}"#,
            r#"{"type":"complete","total_tokens":33,"input_tokens":22,"output_tokens":11}"#,
        ],
        &["text One, two.", "usage 22 11", "fine"],
    );
}

#[test]
fn copilot_says_what_deltas_lack() {
    check(
        Format::Copilot,
        &[
            r#"{"type":"user.message","data":{"content":"Judge it.","messageId":"u"},"id":"x"}"#,
            r#"{"type":"model.call_start","data":{"turnId":"0"},"id":"x"}"#,
            r#"{"type":"assistant.message_start","data":{"messageId":"m"},"id":"x"}"#,
            r#"{"type":"assistant.message_delta","data":{"messageId":"m","deltaContent":"One, "},"id":"x"}"#,
            r#"{"type":"assistant.message_delta","data":{"messageId":"n","parentToolCallId":"p","deltaContent":"helper"},"id":"x"}"#,
            r#"{"type":"assistant.message","data":{"messageId":"m","content":"One, two."},"id":"x"}"#,
            r#"{"type":"result","sessionId":"s-1","exitCode":0,"usage":{"premiumRequests":0}}"#,
        ],
        &["text One, two.", "session s-1", "fine"],
    );
}

#[test]
fn opencode_says_parts() {
    check(
        Format::Opencode,
        &[
            r#"{"type":"step_start","sessionID":"s-1","part":{"id":"p1","messageID":"m1","type":"step-start"}}"#,
            r#"{"type":"text","sessionID":"s-1","part":{"id":"p2","messageID":"m1","type":"text","text":"One, "}}"#,
            r#"{"type":"text","sessionID":"s-1","part":{"id":"p3","messageID":"m1","type":"text","text":"two."}}"#,
            r#"{"type":"step_finish","sessionID":"s-1","part":{"id":"p4","reason":"stop","messageID":"m1","tokens":{"input":5,"output":3,"reasoning":1,"cache":{"read":2,"write":0}},"cost":0.5}}"#,
        ],
        &["session s-1", "text One, two.", "usage 7 4 $0.5", "fine"],
    );
}

#[test]
fn opencode_goes_on_after_a_tool() {
    check(
        Format::Opencode,
        &[
            r#"{"type":"text","part":{"id":"p1","messageID":"m1","text":"Look. "}}"#,
            r#"{"type":"step_finish","part":{"reason":"tool-calls","messageID":"m1"}}"#,
            r#"{"type":"text","part":{"id":"p2","messageID":"m2","text":"Seen."}}"#,
            r#"{"type":"step_finish","part":{"reason":"stop","messageID":"m2"}}"#,
        ],
        &["text Look. Seen.", "fine"],
    );
}

#[test]
fn kimi_says_whole_messages_and_how_to_resume() {
    check(
        Format::Kimi,
        &[
            r#"{"role":"meta","type":"system.version","version":"2.1.0"}"#,
            r#"{"role":"meta","type":"turn.step.retrying","failed_attempt":1,"status_code":500,"error_message":"500 Internal"}"#,
            r#"{"role":"assistant","content":"One, two."}"#,
            r#"{"role":"meta","type":"session.resume_hint","command":"kimi -r session_9","content":"To resume"}"#,
        ],
        &["retry 500 500 Internal", "text One, two.", "session session_9", "fine"],
    );
}

#[test]
fn pi_tries_again_after_its_end() {
    let broken = r#"{"type":"message_end","message":{"role":"assistant","content":[],"usage":{"input":0,"output":0},"stopReason":"error","errorMessage":"500 Internal"}}"#;
    check(
        Format::Pi,
        &[
            r#"{"type":"session","version":3,"id":"s-1"}"#,
            r#"{"type":"turn_start"}"#,
            broken,
            r#"{"type":"agent_end","messages":[]}"#,
            r#"{"type":"auto_retry_start","attempt":1,"maxAttempts":3,"delayMs":2000,"errorMessage":"500 Internal"}"#,
            r#"{"type":"turn_start"}"#,
            r#"{"type":"message_start","message":{"role":"assistant","content":[]}}"#,
            r#"{"type":"message_update","assistantMessageEvent":{"type":"thinking_delta","delta":"hm"}}"#,
            r#"{"type":"message_update","assistantMessageEvent":{"type":"text_start","partial":{"content":[{"type":"text","text":"One"}]}}}"#,
            r#"{"type":"message_update","assistantMessageEvent":{"type":"text_delta","delta":"One, ","partial":{"content":[{"type":"text","text":"One, "}]}}}"#,
            r#"{"type":"message_update","assistantMessageEvent":{"type":"text_end","content":"One, two."}}"#,
            r#"{"type":"message_end","message":{"role":"assistant","content":[{"type":"text","text":"One, two."}],"usage":{"input":4,"output":2,"cacheRead":1,"cost":{"total":0.25}},"stopReason":"stop"}}"#,
            r#"{"type":"agent_end","messages":[{"role":"assistant"}]}"#,
        ],
        &[
            "session s-1",
            "trouble 500 500 Internal",
            "retry 500 500 Internal",
            "text One, two.",
            "usage 5 2 $0.25",
            "fine",
        ],
    );
}

#[test]
fn cline_says_deltas() {
    check(
        Format::Cline,
        &[
            r#"{"ts":"t","type":"hook_event","hookEventName":"agent_start","taskId":"conv_1"}"#,
            r#"{"ts":"t","type":"agent_event","event":{"type":"iteration_start","iteration":1}}"#,
            r#"{"ts":"t","type":"agent_event","event":{"type":"content_start","contentType":"reasoning","text":"hm"}}"#,
            r#"{"ts":"t","type":"agent_event","event":{"type":"content_start","contentType":"text","text":"One, ","accumulated":"One, "}}"#,
            r#"{"ts":"t","type":"agent_event","event":{"type":"content_end","contentType":"text","text":"One, two."}}"#,
            r#"{"ts":"t","type":"agent_event","event":{"type":"done","reason":"completed","text":"One, two."}}"#,
            r#"{"ts":"t","type":"run_result","finishReason":"completed","aggregateUsage":{"inputTokens":6,"outputTokens":4,"totalCost":0},"text":"One, two."}"#,
        ],
        &["session conv_1", "text One, two.", "usage 6 4", "fine"],
    );
}

#[test]
fn formats_have_the_names_of_adapter_files() {
    for format in Format::ALL {
        assert_eq!(format.as_str().parse(), Ok(format));
    }
    let unknown = "claude".parse::<Format>().unwrap_err();
    assert!(unknown.to_string().contains("claude-stream-json"), "{unknown}");
}

#[test]
fn a_tool_that_is_called_is_a_note_of_its_own() {
    let call = r#""command":"touch \u001b[31m/tmp/x","description":"d""#;
    let tool = |name: &str| format!("tool {name}: touch [31m/tmp/x");
    let cases: [(Format, String, &str); 10] = [
        (
            Format::ClaudeStreamJson,
            format!(
                r#"{{"type":"assistant","message":{{"id":"m","content":[{{"type":"tool_use","id":"t","name":"Bash","input":{{{call}}}}}]}}}}"#
            ),
            "Bash",
        ),
        (
            Format::ClaudeStreamJson,
            format!(
                r#"{{"type":"assistant","parent_tool_use_id":"p","message":{{"id":"m","content":[{{"type":"tool_use","id":"t","name":"Bash","input":{{{call}}}}}]}}}}"#
            ),
            "Bash",
        ),
        (
            Format::CodexExec,
            format!(r#"{{"type":"item.started","item":{{"id":"i","type":"command_execution",{call}}}}}"#),
            "command_execution",
        ),
        (
            Format::Gemini,
            format!(
                r#"{{"type":"tool_use","tool_name":"run_shell_command","tool_id":"t","parameters":{{{call}}}}}"#
            ),
            "run_shell_command",
        ),
        (
            Format::Goose,
            format!(
                r#"{{"type":"message","message":{{"id":"c","role":"assistant","content":[{{"type":"toolRequest","id":"t","toolCall":{{"status":"success","value":{{"name":"shell","arguments":{{{call}}}}}}}}}]}}}}"#
            ),
            "shell",
        ),
        (
            Format::Copilot,
            format!(
                r#"{{"type":"tool.execution_start","data":{{"toolCallId":"t","toolName":"bash","arguments":{{{call}}}}}}}"#
            ),
            "bash",
        ),
        (
            Format::Opencode,
            format!(
                r#"{{"type":"tool_use","part":{{"type":"tool","tool":"bash","state":{{"status":"completed","input":{{{call}}}}}}}}}"#
            ),
            "bash",
        ),
        (
            Format::Kimi,
            format!(
                r#"{{"role":"assistant","tool_calls":[{{"type":"function","id":"t","function":{{"name":"Bash","arguments":{}}}}}]}}"#,
                serde_json::Value::from(format!("{{{call}}}"))
            ),
            "Bash",
        ),
        (
            Format::Pi,
            format!(
                r#"{{"type":"tool_execution_start","toolCallId":"t","toolName":"bash","args":{{{call}}}}}"#
            ),
            "bash",
        ),
        (
            Format::Cline,
            format!(
                r#"{{"type":"agent_event","event":{{"type":"content_start","contentType":"tool","toolName":"run_commands","input":{{{call}}}}}}}"#
            ),
            "run_commands",
        ),
    ];
    for (format, line, name) in cases {
        let out = decoded(format, format!("{line}\n").as_bytes());
        assert_eq!(out.first(), Some(&tool(name)), "{format}: {out:?}");
        assert_eq!(out.len(), 2, "{format}: once, and no text of the answer: {out:?}");
    }
}

#[test]
fn a_tool_call_is_one_bounded_line_without_secrets() {
    let long = "x".repeat(400);
    let line = |name: &str, input: &str| {
        format!(r#"{{"type":"tool_use","tool_name":"{name}","parameters":{input}}}"#)
    };
    let lines = [
        line("read file\\n", r#"{"file_path":"a b"}"#),
        line("fetch", r#"{"url":"http://h/?k=1 sk-1234567890abcdef"}"#),
        line("", "{}"),
        line("odd", &format!(r#"{{"content":"{long} {long}"}}"#)),
    ]
    .join("\n");
    let out = decoded(Format::Gemini, format!("{lines}\n").as_bytes());
    assert_eq!(out[..3], ["tool read_file: a b", "tool fetch: http://h/?k=1 …", "tool unnamed"]);
    assert!(out[3].starts_with("tool odd: ") && out[3].chars().count() < 200, "{out:?}");
}

#[test]
fn an_error_that_is_printed_as_text_is_no_answer() {
    let failed = |text: &str| decoded(Format::Plain, text.as_bytes()).pop().unwrap();
    for (text, said) in [
        (
            "401 Unauthorized\n",
            "failed 401 the agent says: 401 Unauthorized; check its key or log in with it",
        ),
        (
            "401 {\"type\":\"error\"}",
            "failed 401 the agent says: 401 {\"type\":\"error\"}; check its key or log in with it",
        ),
        (
            "Error: 429 Too Many Requests\n",
            "failed 429 the agent says: Error: 429 Too Many Requests; wait, or raise the quota of its service",
        ),
        (
            "Error: Error code: 503 - {'error': 'busy'}\n",
            "failed 503 the agent says: Error: Error code: 503 - {'error': 'busy'}; the service has trouble; try again later",
        ),
        (
            "{\"status\":\"error\",\"message\":\"401 invalid x-api-key\"}\n",
            "failed 401 the agent says: {\"status\":\"error\",\"message\":\"401 invalid x-api-key\"}; check its key or log in with it",
        ),
    ] {
        assert_eq!(failed(text), said, "{text}");
    }
    // An answer may begin with a number, speak of errors, and come after one that was overcome.
    let long = "The ferry leaves at seven, and the coats are dry. ".repeat(10);
    for text in [
        "500 words on bread\n".to_owned(),
        "404 pages that help\n".to_owned(),
        "401 ways to say no.\n".to_owned(),
        "Error handling is a feature.\n".to_owned(),
        "<p>401 Unauthorized</p>\n".to_owned(),
        "Here it is:\n<CRITIQUE_RUN>\n401 Unauthorized\n".to_owned(),
        "litellm.RateLimitError: busy\nRetrying in 0.2 seconds...\n<CRITIQUE_RUN>\n".to_owned(),
        format!("litellm.RateLimitError: busy\nRetrying in 0.2 seconds...\n{long}\n"),
    ] {
        assert_eq!(failed(&text), "fine", "{text}");
    }
}
