//! Wire formats: a prompt to the JSON that asks it, events of a stream to what they mean. Functions of their
//! input; no socket, no clock.

mod anthropic;
mod chat;

use serde_json::Value;

use super::sse::SseEvent;
use super::vendor::{FormatName, Price, Structure, Vendor};

/// What a model is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelPrompt {
    /// The instructions above the conversation.
    pub system: String,
    /// The conversation, in its order.
    pub messages: Vec<Message>,
    /// The most tokens of the answer.
    pub max_tokens: u32,
    /// How freely it chooses its words; as the service likes when absent.
    pub temperature: Option<f64>,
    /// A grammar that the answer has to follow, for a service that can be held to one.
    pub grammar: Option<String>,
}

impl ModelPrompt {
    /// A question without instructions.
    pub fn new(text: impl Into<String>) -> Self {
        let message = Message { speaker: Speaker::User, text: text.into() };
        Self {
            system: String::new(),
            messages: vec![message],
            max_tokens: 16_384,
            temperature: None,
            grammar: None,
        }
    }

    /// The same prompt with these instructions.
    #[must_use]
    pub fn system(mut self, text: impl Into<String>) -> Self {
        self.system = text.into();
        self
    }

    /// With an answer of at most so many tokens.
    #[must_use]
    pub fn max_tokens(mut self, most: u32) -> Self {
        self.max_tokens = most;
        self
    }

    /// The same prompt at this temperature, where the service takes one.
    #[must_use]
    pub fn temperature(mut self, temperature: Option<f64>) -> Self {
        self.temperature = temperature;
        self
    }
}

/// A turn of the conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The side that speaks.
    pub speaker: Speaker,
    /// The words of the message.
    pub text: String,
}

/// The side that a message comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    /// The side that asks.
    User,
    /// The model that answers.
    Assistant,
}

/// A shape that the answer has to have.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shape {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) schema: Value,
    pub(super) structure: Structure,
}

/// Why a model stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// It said all it wanted to.
    End,
    /// It reached the most tokens it may write.
    Length,
    /// It declined, or was made to.
    Refusal,
}

/// Tokens as services count them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Tokens {
    /// Read, without those that are counted below.
    pub(super) input: u64,
    pub(super) cache_read: u64,
    pub(super) cache_write: u64,
    pub(super) output: u64,
}

impl Tokens {
    pub(super) fn read(self) -> u64 {
        self.input + self.cache_read + self.cache_write
    }

    /// The price of these tokens, in US dollars.
    #[expect(clippy::cast_precision_loss, reason = "nobody pays for 2^52 tokens")]
    pub(super) fn cost(self, price: &Price) -> f64 {
        let part = |tokens: u64, price: f64| tokens as f64 * price / 1e6;
        part(self.input, price.input)
            + part(self.cache_read, price.cache_read.unwrap_or(price.input))
            + part(self.cache_write, price.cache_write.unwrap_or(price.input))
            + part(self.output, price.output)
    }
}

/// What an event of a stream means.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Heard {
    /// The answer has begun, and this is what the service calls it.
    Session { id: String, model: String },
    /// Text of the answer.
    Text(String),
    /// A tool is called.
    Tool(String),
    /// Input of the tool that was called last.
    ToolInput(String),
    /// What was used, as far as the service says it: in the middle of an answer that may not be all.
    Tokens(Tokens),
    /// What was used up to here, counted.
    Counted(Tokens),
    /// The model is done.
    Stop(Stop),
    /// The service gives up.
    Failed { status: Option<u16>, message: String },
    /// Nothing more will come.
    End,
}

/// The body of a request.
pub(super) fn body(vendor: &Vendor, model: &str, prompt: &ModelPrompt, shape: Option<&Shape>) -> Value {
    match vendor.format {
        FormatName::Anthropic => anthropic::body(model, prompt, shape),
        FormatName::Openai => chat::body(vendor, model, prompt, shape),
    }
}

/// The path of a request, behind the base URL.
pub(super) fn path(format: FormatName) -> &'static str {
    match format {
        FormatName::Anthropic => "/messages",
        FormatName::Openai => "/chat/completions",
    }
}

/// Understands the events of one answer.
#[derive(Debug)]
pub(super) enum Decoder {
    Anthropic(anthropic::Decoder),
    Chat(chat::Decoder),
}

impl Decoder {
    pub(super) fn new(format: FormatName) -> Self {
        match format {
            FormatName::Anthropic => Self::Anthropic(anthropic::Decoder::default()),
            FormatName::Openai => Self::Chat(chat::Decoder::default()),
        }
    }

    /// An event of an unknown kind means nothing: formats grow. One that cannot be read may have been a part of
    /// the answer: it is a failure.
    pub(super) fn event(&mut self, event: SseEvent<'_>, sink: &mut impl FnMut(Heard)) {
        match self {
            Self::Anthropic(decoder) => decoder.event(event, sink),
            Self::Chat(decoder) => decoder.event(event, sink),
        }
    }
}

/// A part that is missing would not be missed.
fn unreadable() -> Heard {
    Heard::Failed { status: None, message: "the service sent an event that cannot be read".to_owned() }
}

/// What a service says went wrong, out of the body of its answer.
pub(super) fn error_message(body: &[u8]) -> String {
    let value: Value = serde_json::from_slice(body).unwrap_or_default();
    let places = ["/error/message", "/message", "/detail", "/error", "/0/error/message"];
    let message = places.iter().find_map(|place| value.pointer(place)?.as_str());
    message.map_or_else(|| String::from_utf8_lossy(body).into_owned(), str::to_owned)
}

#[cfg(test)]
mod tests;
