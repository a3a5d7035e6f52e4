//! What a scripted model is to say: answers, one per request. As JSON, names are in camel case.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::fixtures::Fixture;

/// The answers of a scripted model, in order. The last one repeats.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Script {
    /// What it says, request by request.
    pub answers: Vec<ScriptedAnswer>,
    /// When set, only requests whose body contains this use up answers. The others are told [`other`].
    ///
    /// [`other`]: Self::other
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    pub only: Option<String>,
    /// Requests whose body contains one of these use up no answer: titles and other side calls of agent
    /// programs.
    pub skip: Vec<String>,
    /// What requests are told that use up no answer. "ok" unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<String>,
}

impl Script {
    /// A script of these answers.
    pub fn new(answers: impl IntoIterator<Item = ScriptedAnswer>) -> Self {
        Self { answers: answers.into_iter().collect(), ..Self::default() }
    }

    /// Only requests whose body contains this use up answers.
    #[must_use]
    pub fn only(mut self, part: &str) -> Self {
        self.only = Some(part.to_owned());
        self
    }

    /// Requests whose body contains this use up no answer.
    #[must_use]
    pub fn skip(mut self, part: &str) -> Self {
        self.skip.push(part.to_owned());
        self
    }
}

/// What a scripted model says to one request.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ScriptedAnswer {
    /// The text of the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// A canned text instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fixture: Option<Fixture>,
    /// A value: the input of the tool that the request forces, or the text when it forces none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub json: Option<Value>,
    /// What it thinks before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinking: Option<String>,
    /// The tools it calls after the text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
    /// Bytes per delta; a character is never cut. 24 unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunk: Option<usize>,
    /// Bytes per piece on the wire, wherever that cuts. Whole events unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub write: Option<usize>,
    /// Milliseconds before the head of the answer.
    pub first_delay_ms: u64,
    /// Milliseconds before each delta.
    pub delay_ms: u64,
    /// The HTTP status. 200 unless given; anything else is an error in the format of the service,
    /// and the text is its message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// More headers: `retry-after`, `location`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// How a streamed answer breaks.
    #[serde(rename = "break", skip_serializing_if = "Option::is_none")]
    pub breaks: Option<Break>,
    /// Why it stops, in the words of Anthropic: `end_turn` unless given, `tool_use` when it calls tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<String>,
    /// What it says it used.
    pub usage: ScriptedUsage,
    /// This answer is only for requests whose body contains this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// This answer is only for requests that hold a block of this name, which begins with `<NAME number>` and ends with
    /// `</NAME number>`. `%NUMBER%` in the text is that number: only who has read the request knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block: Option<String>,
}

impl ScriptedAnswer {
    /// An answer with this text.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), ..Self::default() }
    }

    /// An answer with a canned text.
    pub fn fixture(fixture: Fixture) -> Self {
        Self { fixture: Some(fixture), ..Self::default() }
    }

    /// A value, as the request asks for it.
    pub fn json(value: Value) -> Self {
        Self { json: Some(value), ..Self::default() }
    }

    /// An error with this HTTP status.
    pub fn status(status: u16) -> Self {
        Self { status: Some(status), ..Self::default() }
    }

    /// A call of a tool.
    #[must_use]
    pub fn tool(mut self, name: &str, input: Value) -> Self {
        self.tool_calls.push(ToolCall { name: name.to_owned(), input });
        self
    }

    /// What it thinks before.
    #[must_use]
    pub fn thinking(mut self, text: &str) -> Self {
        self.thinking = Some(text.to_owned());
        self
    }

    /// Sets the bytes per delta.
    #[must_use]
    pub fn chunk(mut self, bytes: usize) -> Self {
        self.chunk = Some(bytes);
        self
    }

    /// Bytes per piece on the wire.
    #[must_use]
    pub fn write(mut self, bytes: usize) -> Self {
        self.write = Some(bytes);
        self
    }

    /// Milliseconds before each delta.
    #[must_use]
    pub fn delay_ms(mut self, milliseconds: u64) -> Self {
        self.delay_ms = milliseconds;
        self
    }

    /// Adds a header to the answer.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.insert(name.to_owned(), value.to_owned());
        self
    }

    /// The stream breaks after so many deltas.
    #[must_use]
    pub fn breaks(mut self, kind: BreakKind, after: usize) -> Self {
        self.breaks = Some(Break { kind, after, held: false });
        self
    }

    /// The stream waits before it breaks until [`ModelServer::release`](super::ModelServer::release) lets it.
    #[must_use]
    pub fn held(mut self) -> Self {
        self.breaks = self.breaks.map(|breaks| Break { held: true, ..breaks });
        self
    }

    /// Sets why the model stops.
    #[must_use]
    pub fn stop_reason(mut self, reason: &str) -> Self {
        self.stop_reason = Some(reason.to_owned());
        self
    }

    /// What it says it used.
    #[must_use]
    pub fn usage(mut self, input_tokens: u64, output_tokens: u64) -> Self {
        self.usage = ScriptedUsage { input_tokens, output_tokens };
        self
    }

    /// Whether this answer is for a request with this body.
    pub(super) fn fits(&self, body: &str) -> bool {
        self.when.as_ref().is_none_or(|part| body.contains(part))
            && self.block.as_ref().is_none_or(|name| block_number(body, name).is_some())
    }

    /// The answer to a request with this body.
    pub(super) fn to(mut self, body: &str) -> Self {
        let number = self.block.as_ref().and_then(|name| block_number(body, name));
        if let (Some(text), Some(number)) = (&mut self.text, number) {
            *text = text.replace("%NUMBER%", number);
        }
        self
    }

    /// Only for requests that hold a block of this name.
    #[must_use]
    pub fn block(mut self, name: &str) -> Self {
        self.block = Some(name.to_owned());
        self
    }

    /// Only for requests whose body contains this.
    #[must_use]
    pub fn when(mut self, part: &str) -> Self {
        self.when = Some(part.to_owned());
        self
    }
}

/// The number of a block that is begun and ended with it, and that has it nowhere inside.
fn block_number<'b>(body: &'b str, name: &str) -> Option<&'b str> {
    let (open, close) = (format!("<{name} "), format!("</{name} "));
    body.match_indices(&open).find_map(|(at, _)| {
        let rest = body.get(at + open.len()..)?;
        let (number, inside) = rest.split_once('>')?;
        let is_number = number.len() >= 8 && number.bytes().all(|byte| byte.is_ascii_hexdigit());
        let (inside, _) = inside.split_once(&format!("{close}{number}>"))?;
        (is_number && !inside.contains(number)).then_some(number)
    })
}

/// A tool that the model calls.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ToolCall {
    /// The name of the tool.
    pub name: String,
    /// The input of the tool.
    pub input: Value,
}

/// How a streamed answer breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Break {
    /// The way it breaks off.
    pub kind: BreakKind,
    /// After how many deltas.
    #[serde(default)]
    pub after: usize,
    /// Only when [`ModelServer::release`](super::ModelServer::release) says so.
    #[serde(default)]
    pub held: bool,
}

/// In which way an answer breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum BreakKind {
    /// The connection closes in the middle of the body.
    Close,
    /// The body ends as if nothing were wrong, without the events that end an answer.
    Truncate,
    /// An error event, and the body ends.
    Error,
    /// Nothing more comes, until the client goes.
    Stall,
    /// The connection closes before the head of the answer.
    Hangup,
}

/// What the model says it used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScriptedUsage {
    /// The tokens that were read.
    pub input_tokens: u64,
    /// The tokens that were written.
    pub output_tokens: u64,
}

impl Default for ScriptedUsage {
    fn default() -> Self {
        Self { input_tokens: 100, output_tokens: 40 }
    }
}
