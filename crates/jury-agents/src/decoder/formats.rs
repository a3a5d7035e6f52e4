//! The tables of the simple formats, as the programs print them.

use super::table::Then::{
    Begin, BreakOff, End, Failed, Fine, More, MoreUnless, Over, OverUnlessTroubled, Part, Remember, Retry,
    Session, Step, Tool, Tools, Trouble, Usage, Whole,
};
use super::table::When::{Begins, False, Is, Nothing, True, Zero};
use super::table::{Rule, Table, Then, When};

/// A path that leads nowhere: messages without names, errors without a status.
const NONE: &str = "";

const fn on(kind: &'static str, when: &'static [When], then: &'static [Then]) -> Rule {
    Rule { kind, when, then }
}

/// `codex exec --json`. Items of the kind `error` are warnings; a whole message comes at once.
pub(super) static CODEX_EXEC: Table = Table {
    kind: "type",
    rules: &[
        on("thread.started", &[], &[Session("thread_id")]),
        on(
            "item.completed",
            &[Is("item.type", "agent_message")],
            &[Step, Whole("item.id", "item.text"), End],
        ),
        on("item.started", &[Is("item.type", "command_execution")], &[Tool("item.type", "item.command")]),
        on("item.started", &[Is("item.type", "mcp_tool_call")], &[Tool("item.tool", "item.arguments")]),
        on("item.completed", &[Is("item.type", "file_change")], &[Tool("item.type", "item.changes")]),
        on("item.completed", &[Is("item.type", "web_search")], &[Tool("item.type", "item.query")]),
        on("error", &[Begins("message", "Reconnecting")], &[Retry(NONE, "message")]),
        on("error", &[], &[Trouble(NONE, "message")]),
        on("turn.completed", &[], &[Usage(&["usage.input_tokens"], &["usage.output_tokens"], NONE), Fine]),
        on("turn.failed", &[], &[Failed(NONE, "error.message")]),
    ],
};

/// `gemini -o stream-json`. It echoes the prompt, names no messages, and begins again without a word.
pub(super) static GEMINI: Table = Table {
    kind: "type",
    rules: &[
        on("init", &[], &[Session("session_id")]),
        on("message", &[Is("role", "assistant"), True("delta")], &[More(NONE, "content")]),
        on("message", &[Is("role", "assistant")], &[Whole(NONE, "content"), End]),
        on("tool_use", &[], &[Tool("tool_name", "parameters")]),
        on("tool_result", &[], &[Step, End]),
        on("error", &[], &[Trouble(NONE, "message")]),
        on("result", &[Is("status", "success")], &[GEMINI_USAGE, Fine]),
        on("result", &[], &[GEMINI_USAGE, Failed(NONE, "error.message")]),
    ],
};

const GEMINI_USAGE: Then = Usage(&["stats.input_tokens"], &["stats.output_tokens"], NONE);

/// `goose run --output-format stream-json`. An error is a message of the assistant: without a name in older
/// versions, known by its beginning in newer ones. Its names say nothing about restarts.
pub(super) static GOOSE: Table = Table {
    kind: "type",
    rules: &[
        on("message", &[GOOSE_SPEAKS, Nothing("message.id")], &[Trouble(NONE, GOOSE_TEXT)]),
        on(
            "message",
            &[GOOSE_SPEAKS],
            &[
                MoreUnless(GOOSE_TEXT, &["Ran into this error: ", "Network error: "]),
                Tools(GOOSE_TEXT, "toolRequest", "toolCall.value.name", "toolCall.value.arguments"),
            ],
        ),
        // What a tool says: the message before it is complete.
        on("message", &[], &[Step, End]),
        on("error", &[], &[Trouble(NONE, "error")]),
        on("complete", &[], &[Usage(&["input_tokens"], &["output_tokens"], NONE), Over]),
    ],
};

const GOOSE_SPEAKS: When = Is("message.role", "assistant");
const GOOSE_TEXT: &str = "message.content";

/// `copilot --output-format json --stream on`.
pub(super) static COPILOT: Table = Table {
    kind: "type",
    rules: &[
        on("assistant.message_start", &[Nothing(COPILOT_PARENT)], &[Begin("data.messageId")]),
        on(
            "assistant.message_delta",
            &[Nothing(COPILOT_PARENT)],
            &[More("data.messageId", "data.deltaContent")],
        ),
        on("assistant.message", &[Nothing(COPILOT_PARENT)], &[Whole("data.messageId", "data.content"), End]),
        // A helper's as well.
        on("tool.execution_start", &[], &[Tool("data.toolName", "data.arguments")]),
        on("model.call_start", &[], &[Step]),
        on("model.call_failure", &[], &[Remember("data.statusCode", "data.errorMessage")]),
        on("assistant.turn_retry", &[], &[BreakOff, Retry(NONE, "data.reason")]),
        on("session.error", &[], &[Trouble("data.statusCode", "data.message")]),
        on("result", &[Zero("exitCode")], &[Session("sessionId"), Fine]),
        on("result", &[], &[Session("sessionId"), Failed(NONE, NONE)]),
    ],
};

/// Present on what a helper of the agent says.
const COPILOT_PARENT: &str = "data.parentToolCallId";

/// `opencode run --format json`. It prints whole parts. A step that ends for an unknown reason is repeated, for ever.
pub(super) static OPENCODE: Table = Table {
    kind: "type",
    rules: &[
        on("step_start", &[], &[Session("sessionID"), Step]),
        on("text", &[], &[Begin("part.messageID"), Part("part.id"), Whole("part.messageID", "part.text")]),
        on("tool_use", &[], &[Tool("part.tool", "part.state.input")]),
        on("step_finish", &[Is("part.reason", "stop")], &[OPENCODE_USAGE, End, Fine]),
        on("step_finish", &[Is("part.reason", "tool-calls")], &[OPENCODE_USAGE, End]),
        on("step_finish", &[Is("part.reason", "length")], &[OPENCODE_USAGE, End]),
        on("step_finish", &[], &[OPENCODE_USAGE, BreakOff]),
        on("error", &[], &[Session("sessionID"), Trouble("error.data.statusCode", "error.data.message")]),
    ],
};

const OPENCODE_USAGE: Then = Usage(
    &["part.tokens.input", "part.tokens.cache.read", "part.tokens.cache.write"],
    &["part.tokens.output", "part.tokens.reasoning"],
    "part.cost",
);

/// `kimi -p --output-format stream-json`. Whole messages without names; the hint how to resume is the end.
pub(super) static KIMI: Table = Table {
    kind: "role",
    rules: &[
        on(
            "assistant",
            &[],
            &[
                Step,
                Tools("tool_calls", "function", "function.name", "function.arguments"),
                Whole(NONE, "content"),
                End,
            ],
        ),
        on("meta", &[Is("type", "turn.step.retrying")], &[Retry("status_code", "error_message")]),
        on("meta", &[Is("type", "session.resume_hint")], &[Session("command"), Over]),
    ],
};

/// `pi --mode json`. Each line repeats the whole message; it may try again after it said that it ended.
pub(super) static PI: Table = Table {
    kind: "type",
    rules: &[
        on("session", &[], &[Session("id")]),
        on("turn_start", &[], &[Step]),
        on("message_update", &[Is(PI_EVENT, "text_delta")], &[More(NONE, "assistantMessageEvent.delta")]),
        on("message_update", &[Is(PI_EVENT, "text_start")], &[Part(NONE)]),
        on("message_update", &[Is(PI_EVENT, "text_end")], &[Whole(NONE, "assistantMessageEvent.content")]),
        on("message_start", &[Is("message.role", "assistant")], &[Begin(NONE)]),
        on("message_end", &[Is("message.role", "assistant"), Is(PI_STOP, "error")], PI_BROKEN),
        on("message_end", &[Is("message.role", "assistant"), Is(PI_STOP, "aborted")], PI_BROKEN),
        on(
            "message_end",
            &[Is("message.role", "assistant")],
            &[Whole(NONE, "message.content"), PI_USAGE, End],
        ),
        on("tool_execution_start", &[], &[Tool("toolName", "args")]),
        on("auto_retry_start", &[], &[Retry(NONE, "errorMessage")]),
        on("auto_retry_end", &[False("success")], &[Failed(NONE, "finalError")]),
        on("agent_end", &[], &[OverUnlessTroubled]),
    ],
};

const PI_EVENT: &str = "assistantMessageEvent.type";
const PI_STOP: &str = "message.stopReason";
const PI_BROKEN: &[Then] = &[PI_USAGE, BreakOff, Trouble(NONE, "message.errorMessage")];
const PI_USAGE: Then = Usage(
    &["message.usage.input", "message.usage.cacheRead", "message.usage.cacheWrite"],
    &["message.usage.output"],
    "message.usage.cost.total",
);

/// `cline --json`. Each line repeats what was said so far.
pub(super) static CLINE: Table = Table {
    kind: "type",
    rules: &[
        on(
            "agent_event",
            &[Is("event.type", "content_start"), Is("event.contentType", "text")],
            &[More(NONE, "event.text")],
        ),
        on(
            "agent_event",
            &[Is("event.type", "content_end"), Is("event.contentType", "text")],
            &[Whole(NONE, "event.text"), End],
        ),
        on(
            "agent_event",
            &[Is("event.type", "content_start"), Is("event.contentType", "tool")],
            &[Tool("event.toolName", "event.input")],
        ),
        on("agent_event", &[Is("event.type", "iteration_start")], &[Step, Begin(NONE)]),
        on("agent_event", &[Is("event.type", "done"), Is("event.reason", "completed")], &[]),
        on("agent_event", &[Is("event.type", "done")], &[Trouble(NONE, "event.text")]),
        on("hook_event", &[Is("hookEventName", "agent_start")], &[Session("taskId")]),
        on("run_result", &[Is("finishReason", "completed")], &[CLINE_USAGE, Fine]),
        on("run_result", &[], &[CLINE_USAGE, Failed(NONE, "text")]),
    ],
};

const CLINE_USAGE: Then =
    Usage(&["aggregateUsage.inputTokens"], &["aggregateUsage.outputTokens"], "aggregateUsage.totalCost");
