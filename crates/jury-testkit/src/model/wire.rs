//! What an answer looks like in each of the four formats. Values and texts only; [`super::server`] sends them.

mod anthropic;
mod chat;
mod gemini;
mod responses;

use serde_json::{Value, json};

use super::http::Request;
use super::script::{ScriptedAnswer, ScriptedUsage, ToolCall};

/// A format, and how it is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Anthropic,
    Chat,
    Responses,
    Gemini,
}

/// An event of a stream. A break counts deltas.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) text: String,
    pub(super) is_delta: bool,
}

/// An answer as it is to be said to this request.
#[derive(Debug)]
pub(super) struct Turn {
    /// Which answer it is; makes ids unique.
    number: usize,
    model: String,
    text: String,
    thinking: String,
    tools: Vec<ToolCall>,
    stop: String,
    usage: ScriptedUsage,
    chunk: usize,
    /// `OpenAI` sends usage in a stream only when asked to.
    stream_usage: bool,
}

impl Turn {
    pub(super) fn new(answer: &ScriptedAnswer, number: usize, asked: &Value, format: Format) -> Self {
        let canned = answer.fixture.map(|fixture| fixture.text().to_owned());
        let mut text = answer.text.clone().or(canned).unwrap_or_default();
        let mut tools = answer.tool_calls.clone();
        if let Some(value) = &answer.json {
            match format.forced_tool(asked) {
                Some(name) => tools.push(ToolCall { name, input: value.clone() }),
                None => text.push_str(&value.to_string()),
            }
        }
        let natural = if tools.is_empty() { "end_turn" } else { "tool_use" };
        Self {
            number,
            model: asked["model"].as_str().unwrap_or("scripted").to_owned(),
            text,
            thinking: answer.thinking.clone().unwrap_or_default(),
            tools,
            stop: answer.stop_reason.clone().unwrap_or_else(|| natural.to_owned()),
            usage: answer.usage,
            chunk: answer.chunk.unwrap_or(24),
            stream_usage: asked["stream_options"]["include_usage"] == true,
        }
    }

    fn total_tokens(&self) -> u64 {
        self.usage.input_tokens + self.usage.output_tokens
    }
}

impl Format {
    /// The format that a path belongs to, and whether it is asked to stream.
    pub(super) fn of(request: &Request, asked: &Value) -> Option<(Self, bool)> {
        let path = request.path.trim_end_matches('/');
        let streams = asked["stream"] == true;
        if path.ends_with("/messages") {
            Some((Self::Anthropic, streams))
        } else if path.ends_with("/chat/completions") {
            Some((Self::Chat, streams))
        } else if path.ends_with("/responses") {
            Some((Self::Responses, streams))
        } else if path.ends_with(":streamGenerateContent") {
            Some((Self::Gemini, true))
        } else if path.ends_with(":generateContent") {
            Some((Self::Gemini, false))
        } else {
            None
        }
    }

    /// The whole answer as one body.
    pub(super) fn whole(self, turn: &Turn) -> Value {
        match self {
            Self::Anthropic => anthropic::whole(turn),
            Self::Chat => chat::whole(turn),
            Self::Responses => responses::whole(turn),
            Self::Gemini => gemini::whole(turn),
        }
    }

    /// The answer as a stream of events.
    pub(super) fn frames(self, turn: &Turn) -> Vec<Frame> {
        match self {
            Self::Anthropic => anthropic::frames(turn),
            Self::Chat => chat::frames(turn),
            Self::Responses => responses::frames(turn),
            Self::Gemini => gemini::frames(turn),
        }
    }

    /// An error in the middle of a stream.
    pub(super) fn error_frame(self) -> Frame {
        let message = says(529);
        let body = self.error(529, &message);
        match self {
            Self::Anthropic => named("error", &body, false),
            Self::Chat | Self::Gemini => data(&body, false),
            Self::Responses => named(
                "response.failed",
                &json!({"type": "response.failed", "response": {"id": "resp_failed", "status": "failed",
                    "error": {"code": "server_is_overloaded", "message": message}}}),
                false,
            ),
        }
    }

    /// The body of an answer with this status.
    pub(super) fn error(self, status: u16, message: &str) -> Value {
        let kind = match status {
            400 => "invalid_request_error",
            401 => "authentication_error",
            403 => "permission_error",
            404 => "not_found_error",
            413 => "request_too_large",
            429 => "rate_limit_error",
            529 => "overloaded_error",
            _ => "api_error",
        };
        match self {
            Self::Anthropic => json!({"type": "error", "error": {"type": kind, "message": message}}),
            Self::Chat | Self::Responses => {
                json!({"error": {"message": message, "type": kind, "param": null, "code": kind}})
            }
            Self::Gemini => {
                json!({"error": {"code": status, "message": message, "status": kind.to_uppercase()}})
            }
        }
    }

    fn forced_tool(self, asked: &Value) -> Option<String> {
        let choice = &asked["tool_choice"];
        let name = match self {
            Self::Anthropic => &choice["name"],
            Self::Chat => &choice["function"]["name"],
            Self::Responses => &choice["name"],
            Self::Gemini => &asked["toolConfig"]["functionCallingConfig"]["allowedFunctionNames"][0],
        };
        name.as_str().map(str::to_owned)
    }
}

/// What an error says when the script gives it no text.
pub(super) fn says(status: u16) -> String {
    format!("the script says {status}")
}

/// An event with a name.
fn named(name: &str, value: &Value, is_delta: bool) -> Frame {
    Frame { text: format!("event: {name}\ndata: {value}\n\n"), is_delta }
}

/// An event without one.
fn data(value: &Value, is_delta: bool) -> Frame {
    Frame { text: format!("data: {value}\n\n"), is_delta }
}

/// A text in pieces of at most so many bytes; a character is never cut.
fn pieces(text: &str, bytes: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let mut end = bytes.max(first).min(rest.len());
        while !rest.is_char_boundary(end) {
            end -= 1;
        }
        let (piece, after) = rest.split_at(end);
        pieces.push(piece);
        rest = after;
    }
    pieces
}

#[test]
fn a_text_is_cut_between_characters() {
    assert_eq!(pieces("a☃bc", 1), ["a", "☃", "b", "c"]);
    assert_eq!(pieces("a☃bc", 3), ["a", "☃", "bc"]);
    assert_eq!(pieces("", 3), [""; 0]);
}
