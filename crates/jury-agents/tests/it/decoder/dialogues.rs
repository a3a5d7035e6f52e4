//! The dialogues: what we say, what the program says, and when it is over.

use jury_agents::decoder::Format;

use super::check;

const CLIENT: &str =
    concat!(r#"{"name":"jury","title":"jury","version":""#, env!("CARGO_PKG_VERSION"), r#""}"#);

fn acp_opening() -> [String; 3] {
    [
        format!(
            r#"reply {{"id":1,"jsonrpc":"2.0","method":"initialize","params":{{"clientCapabilities":{{"fs":{{"readTextFile":false,"writeTextFile":false}},"terminal":false}},"clientInfo":{CLIENT},"protocolVersion":1}}}}"#
        ),
        r#"reply {"id":2,"jsonrpc":"2.0","method":"session/new","params":{"_meta":{"claudeCode":{"options":{"settingSources":[],"strictMcpConfig":true,"tools":[]}}},"cwd":"/work","mcpServers":[]}}"#.to_owned(),
        r#"reply {"id":3,"jsonrpc":"2.0","method":"session/prompt","params":{"prompt":[{"text":"Judge \"it\".","type":"text"}],"sessionId":"s-1"}}"#.to_owned(),
    ]
}

fn acp(lines: &[&str], expected: &[&str]) {
    let greeting = [
        r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"authMethods":[]}}"#,
        r#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s-0","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"an older session"}}}}"#,
        r#"{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s-1"}}"#,
    ];
    let [first, second, third] = acp_opening();
    let opening = [first.as_str(), &second, "session s-1", &third];
    check(Format::Acp, &[&greeting, lines].concat(), &[&opening, expected].concat());
}

fn chunk(more: &str, text: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"session/update","params":{{"sessionId":"s-1","update":{{"sessionUpdate":"agent_message_chunk","content":{{"type":"text","text":"{text}"}}{more}}}}}}}"#
    )
}

#[test]
fn acp_greets_opens_asks_and_listens() {
    acp(
        &[
            r#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s-1","update":{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"hm"}}}}"#,
            r#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s-1","update":{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"Judge it."}}}}"#,
            &chunk("", "One, "),
            &chunk("", "two."),
            r#"{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn","usage":{"inputTokens":7,"outputTokens":2}}}"#,
        ],
        &["text One, two.", "usage 7 2", "fine"],
    );
}

#[test]
fn acp_refuses_what_the_agent_asks_for() {
    acp(
        &[
            r#"{"jsonrpc":"2.0","id":"p-1","method":"session/request_permission","params":{"sessionId":"s-1","options":[{"optionId":"yes","kind":"allow_once"},{"optionId":"no","kind":"reject_once"}]}}"#,
            r#"{"jsonrpc":"2.0","id":0,"method":"session/request_permission","params":{"sessionId":"s-1","options":[{"optionId":"yes","kind":"allow_once"}]}}"#,
            r#"{"jsonrpc":"2.0","id":8,"method":"fs/read_text_file","params":{"path":"/etc/passwd"}}"#,
            r#"{"jsonrpc":"2.0","id":3,"result":{"stopReason":"refusal"}}"#,
        ],
        &[
            r#"reply {"jsonrpc":"2.0","id":"p-1","result":{"outcome":{"optionId":"no","outcome":"selected"}}}"#,
            r#"reply {"jsonrpc":"2.0","id":0,"result":{"outcome":{"outcome":"cancelled"}}}"#,
            r#"reply {"jsonrpc":"2.0","id":8,"error":{"code":-32601,"message":"not supported"}}"#,
            "failed stopped: refusal",
        ],
    );
}

#[test]
fn acp_fails_when_its_prompt_is_refused() {
    acp(
        &[
            &chunk("", "One"),
            r#"{"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"Internal error","data":{"details":"500 Internal server error"}}}"#,
        ],
        &["text One", "failed 500 Internal error"],
    );
    let [first, second, _] = acp_opening();
    check(
        Format::Acp,
        &[
            r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}"#,
            r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"Authentication required"}}"#,
        ],
        &[&first, &second, "failed 401 Authentication required"],
    );
}

#[test]
fn acp_may_go_on_under_another_name() {
    acp(
        &[
            &chunk(r#","messageId":"m1""#, "One, "),
            &chunk(r#","messageId":"m2""#, "two."),
            r#"{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}"#,
        ],
        &["text One, two.", "fine"],
    );
}

#[test]
fn acp_asides_are_no_answer() {
    let end = r#"{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}"#;
    acp(
        &[
            &chunk("", "One"),
            &chunk("", "Info: Response was interrupted due to a server error. Retrying..."),
            &chunk("", "Uno."),
            end,
        ],
        &[
            "text One",
            "retry Info: Response was interrupted due to a server error. Retrying...",
            "restart",
            "text Uno.",
            "fine",
        ],
    );
    acp(
        &[&chunk("", "Error: Authentication failed with provider at http://x (HTTP 401)."), end],
        &[
            "trouble 401 Error: Authentication failed with provider at http://x (HTTP 401).",
            "failed 401 Error: Authentication failed with provider at http://x (HTTP 401).",
        ],
    );
    acp(
        &[
            &chunk(r#","messageId":"m""#, "API Error: Request rejected (429)"),
            r#"{"jsonrpc":"2.0","id":3,"error":{"code":429,"message":"Rejected"}}"#,
        ],
        &["trouble 429 API Error: Request rejected (429)", "failed 429 Rejected"],
    );
}

fn codex(lines: &[&str], expected: &[&str]) {
    let greeting = [
        r#"{"id":1,"result":{"userAgent":"jury/0.166.0"}}"#,
        r#"{"method":"configWarning","params":{"summary":"no sandbox"}}"#,
        r#"{"id":2,"result":{"thread":{"id":"th-1"}}}"#,
        r#"{"id":3,"result":{"turn":{"id":"tu-1","status":"inProgress"}}}"#,
    ];
    let hello = format!(
        r#"reply {{"id":1,"jsonrpc":"2.0","method":"initialize","params":{{"clientInfo":{CLIENT}}}}}"#
    );
    let opening = [
        hello.as_str(),
        r#"reply {"jsonrpc":"2.0","method":"initialized"}"#,
        r#"reply {"id":2,"jsonrpc":"2.0","method":"thread/start","params":{"approvalPolicy":"never","cwd":"/work","ephemeral":true,"sandbox":"read-only"}}"#,
        "session th-1",
        r#"reply {"id":3,"jsonrpc":"2.0","method":"turn/start","params":{"input":[{"text":"Judge \"it\".","type":"text"}],"threadId":"th-1"}}"#,
    ];
    check(Format::CodexAppServer, &[&greeting, lines].concat(), &[&opening, expected].concat());
}

fn item(method: &str, kind: &str, id: &str, text: &str) -> String {
    format!(
        r#"{{"method":"item/{method}","params":{{"item":{{"type":"{kind}","id":"{id}","text":"{text}"}},"threadId":"th-1"}}}}"#
    )
}

fn delta(id: &str, text: &str) -> String {
    format!(
        r#"{{"method":"item/agentMessage/delta","params":{{"threadId":"th-1","itemId":"{id}","delta":"{text}"}}}}"#
    )
}

#[test]
fn codex_greets_opens_asks_and_listens() {
    codex(
        &[
            &item("started", "userMessage", "u", "Judge it."),
            &item("completed", "userMessage", "u", "Judge it."),
            &item("started", "agentMessage", "a", ""),
            &delta("a", "One, "),
            &item("completed", "agentMessage", "a", "One, two. "),
            r#"{"id":0,"method":"item/commandExecution/requestApproval","params":{"itemId":"c"}}"#,
            &item("started", "agentMessage", "b", ""),
            &delta("b", "Three."),
            &item("completed", "agentMessage", "b", "Three."),
            r#"{"method":"thread/tokenUsage/updated","params":{"tokenUsage":{"total":{"inputTokens":50},"last":{"inputTokens":5,"outputTokens":2}}}}"#,
            r#"{"method":"turn/completed","params":{"turn":{"id":"tu-1","status":"completed","error":null}}}"#,
        ],
        &[
            "text One, two. ",
            r#"reply {"jsonrpc":"2.0","id":0,"result":{"decision":"decline"}}"#,
            "text Three.",
            "usage 5 2",
            "fine",
        ],
    );
}

#[test]
fn codex_begins_again_as_another_item() {
    codex(
        &[
            &item("started", "agentMessage", "a", ""),
            &delta("a", "One, "),
            r#"{"method":"error","params":{"error":{"message":"Reconnecting... 1/5","codexErrorInfo":{"responseStreamDisconnected":{"httpStatusCode":403}},"additionalDetails":"stream closed"},"willRetry":true}}"#,
            &item("started", "agentMessage", "b", ""),
            &delta("b", "Uno"),
            r#"{"method":"error","params":{"error":{"message":"stream disconnected","codexErrorInfo":"other"},"willRetry":false}}"#,
            r#"{"method":"turn/completed","params":{"turn":{"status":"failed","error":{"message":"stream disconnected"}}}}"#,
        ],
        &[
            "text One, ",
            "retry 403 Reconnecting... 1/5",
            "restart",
            "text Uno",
            "trouble stream disconnected",
            "failed stream disconnected",
        ],
    );
}
