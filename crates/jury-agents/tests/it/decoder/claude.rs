//! `claude-stream-json`: Claude Code, Qwen Code, Cursor Agent.

use jury_agents::decoder::Format;

use super::check;

const CLAUDE: Format = Format::ClaudeStreamJson;
const INIT: &str = r#"{"type":"system","subtype":"init","session_id":"s-1","tools":["Task"]}"#;
const TEXT: &str = r#"{"type":"stream_event","event":{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}}"#;
const STOP: &str = r#"{"type":"stream_event","event":{"type":"message_stop"},"parent_tool_use_id":null}"#;
const RESULT: &str = r#"{"stop_reason":"end_turn","total_cost_usd":0.5,"usage":{"input_tokens":2,"cache_read_input_tokens":1,"output_tokens":3},"is_error":false,"subtype":"success","result":"whatever","type":"result"}"#;

fn start(id: &str) -> String {
    format!(
        r#"{{"type":"stream_event","event":{{"type":"message_start","message":{{"id":"{id}","content":[]}}}}}}"#
    )
}

fn delta(text: &str) -> String {
    format!(
        r#"{{"type":"stream_event","event":{{"type":"content_block_delta","index":0,"delta":{{"type":"text_delta","text":"{text}"}}}},"parent_tool_use_id":null}}"#
    )
}

fn assistant(id: &str, text: &str) -> String {
    format!(
        r#"{{"type":"assistant","message":{{"id":"{id}","role":"assistant","content":[{{"type":"text","text":"{text}"}}],"stop_reason":null}},"parent_tool_use_id":null}}"#
    )
}

#[test]
fn deltas_are_said_and_their_summary_is_not() {
    check(
        CLAUDE,
        &[
            r#"{"type":"system","subtype":"ui_invalidate","event":"ui.render"}"#,
            INIT,
            &start("m1"),
            r#"{"type":"stream_event","event":{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}}"#,
            r#"{"type":"stream_event","event":{"type":"content_block_delta","delta":{"type":"thinking_delta","thinking":"plan <CRITIQUE_RUN>"}}}"#,
            r#"{"type":"assistant","message":{"id":"m1","content":[{"type":"thinking","thinking":"plan <CRITIQUE_RUN>"}]}}"#,
            TEXT,
            &delta("One, "),
            &delta("two."),
            &assistant("m1", "One, two."),
            r#"{"type":"stream_event","event":{"type":"content_block_stop","index":0}}"#,
            r#"{"type":"stream_event","event":{"type":"message_delta","delta":{"stop_reason":"end_turn"}}}"#,
            STOP,
            RESULT,
        ],
        &["session s-1", "text One, two.", "usage 3 3 $0.5", "fine"],
    );
}

#[test]
fn a_summary_says_what_the_deltas_lacked() {
    check(
        CLAUDE,
        &[&start("m1"), TEXT, &delta("One, "), &assistant("m1", "One, two."), STOP, RESULT],
        &["text One, two.", "usage 3 3 $0.5", "fine"],
    );
}

#[test]
fn a_summary_that_differs_changes_nothing() {
    check(
        CLAUDE,
        &[&start("m1"), TEXT, &delta("One, two. "), &assistant("m1", "Uno, due, tre."), STOP, RESULT],
        &["text One, two. ", "usage 3 3 $0.5", "fine"],
    );
}

#[test]
fn every_block_of_a_message_is_said() {
    check(
        CLAUDE,
        &[
            &start("m1"),
            TEXT,
            &delta("Look. "),
            &assistant("m1", "Look. "),
            r#"{"type":"assistant","message":{"id":"m1","content":[{"type":"tool_use","name":"Read","input":{"text":"no"}}]}}"#,
            TEXT,
            &delta("Se"),
            &assistant("m1", "Seen."),
            STOP,
            RESULT,
        ],
        &["text Look. ", "tool Read: {\"text\":\"no\"}", "text Seen.", "usage 3 3 $0.5", "fine"],
    );
}

#[test]
fn without_deltas_the_blocks_are_said() {
    check(
        CLAUDE,
        &[
            &assistant("m1", "Look. "),
            &assistant("m1", "Seen. "),
            r#"{"type":"user","message":{"role":"user","content":[{"type":"tool_result","content":"secret"}]}}"#,
            &assistant("m2", "Done."),
            RESULT,
        ],
        &["text Look. Seen. Done.", "usage 3 3 $0.5", "fine"],
    );
}

#[test]
fn the_result_speaks_when_nothing_else_did() {
    check(CLAUDE, &[INIT, RESULT], &["session s-1", "usage 3 3 $0.5", "text whatever", "fine"]);
}

#[test]
fn helpers_of_the_agent_are_not_heard() {
    check(
        CLAUDE,
        &[
            &start("m1"),
            TEXT,
            &delta("Mine."),
            r#"{"type":"stream_event","event":{"type":"message_start","message":{"id":"h1"}},"parent_tool_use_id":"toolu_1"}"#,
            r#"{"type":"stream_event","event":{"type":"content_block_delta","delta":{"type":"text_delta","text":"theirs"}},"parent_tool_use_id":"toolu_1"}"#,
            r#"{"type":"assistant","message":{"id":"h1","content":[{"type":"text","text":"theirs"}]},"parent_tool_use_id":"toolu_1"}"#,
            STOP,
            RESULT,
        ],
        &["text Mine.", "usage 3 3 $0.5", "fine"],
    );
}

#[test]
fn a_message_that_never_stopped_is_taken_back() {
    check(
        CLAUDE,
        &[
            &start("m1"),
            TEXT,
            &delta("One, "),
            r#"{"type":"system","subtype":"api_retry","attempt":1,"error_status":529,"error":"overloaded"}"#,
            &start("m2"),
            TEXT,
            &delta("Uno."),
            STOP,
            RESULT,
        ],
        &["text One, ", "retry 529 overloaded", "restart", "text Uno.", "usage 3 3 $0.5", "fine"],
    );
}

#[test]
fn qwen_names_a_text_after_thinking_differently() {
    check(
        CLAUDE,
        &[&start("m1"), TEXT, &delta("One."), &assistant("m7", "One."), STOP, RESULT],
        &["text One.", "usage 3 3 $0.5", "fine"],
    );
}

#[test]
fn qwen_discards_or_preserves() {
    let retry = |preserve: bool| {
        format!(
            r#"{{"type":"system","subtype":"retry","data":{{"reason":"retry","preserveText":{preserve}}}}}"#
        )
    };
    check(
        CLAUDE,
        &[
            &start("m1"),
            TEXT,
            &delta("One, "),
            &assistant("m1", "One, "),
            STOP,
            &retry(false),
            &retry(false),
            &start("m2"),
            TEXT,
            &delta("Uno, "),
            &retry(true),
            &delta("due."),
            &assistant("m2", "Uno, due."),
            STOP,
            r#"{"type":"result","subtype":"success","is_error":false,"usage":{"input_tokens":9,"cache_read_input_tokens":4,"output_tokens":3,"total_tokens":12}}"#,
        ],
        &[
            "text One, ",
            "retry retry",
            "retry retry",
            "restart",
            "text Uno, ",
            "retry retry",
            "text due.",
            "usage 9 3",
            "fine",
        ],
    );
}

#[test]
fn a_retry_of_the_next_turn_takes_nothing_back() {
    check(
        CLAUDE,
        &[
            &start("m1"),
            TEXT,
            &delta("One, "),
            STOP,
            r#"{"type":"user","message":{"role":"user","content":[{"type":"tool_result"}]}}"#,
            r#"{"type":"system","subtype":"retry","data":{"preserveText":false}}"#,
            &start("m2"),
            TEXT,
            &delta("two."),
            STOP,
            RESULT,
        ],
        &["text One, ", "retry", "text two.", "usage 3 3 $0.5", "fine"],
    );
}

#[test]
fn cursor_says_deltas_and_repeats_them() {
    let say = |more: &str, text: &str| {
        format!(
            r#"{{"type":"assistant","message":{{"role":"assistant","content":[{{"type":"text","text":"{text}"}}]}},"session_id":"s"{more}}}"#
        )
    };
    check(
        CLAUDE,
        &[
            r#"{"type":"user","message":{"role":"user","content":[{"type":"text","text":"Judge it."}]}}"#,
            &say(r#","timestamp_ms":1"#, "One, "),
            &say(r#","timestamp_ms":2"#, "two. "),
            &say(r#","timestamp_ms":3,"model_call_id":"c""#, "One, two. "),
            r#"{"type":"tool_call","subtype":"started","call_id":"t"}"#,
            &say(r#","timestamp_ms":4"#, "Three."),
            &say("", "One, two. Three."),
            RESULT,
        ],
        &["text One, two. ", "tool tool", "text Three.", "usage 3 3 $0.5", "fine"],
    );
    check(
        CLAUDE,
        &[&say("", "One, "), &say("", "two."), RESULT],
        &["text One, two.", "usage 3 3 $0.5", "fine"],
    );
}

#[test]
fn a_result_that_is_an_error_fails_whatever_it_is_called() {
    check(
        CLAUDE,
        &[
            r#"{"type":"result","subtype":"success","is_error":true,"api_error_status":403,"result":"No entry"}"#,
        ],
        &["failed 403 No entry"],
    );
    check(
        CLAUDE,
        &[r#"{"type":"result","subtype":"error_during_execution","is_error":true,"errors":["aborted"]}"#],
        &["failed aborted"],
    );
}
