//! Anthropic Messages.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Heard, ModelPrompt, Shape, Speaker, Stop, Tokens, unreadable};
use crate::api::sse::SseEvent;
use crate::api::vendor::Structure;

pub(super) fn body(model: &str, prompt: &ModelPrompt, shape: Option<&Shape>) -> Value {
    let messages: Vec<Value> = prompt
        .messages
        .iter()
        .map(|message| {
            let role = match message.speaker {
                Speaker::User => "user",
                Speaker::Assistant => "assistant",
            };
            json!({"role": role, "content": message.text})
        })
        .collect();
    let mut body =
        json!({"model": model, "max_tokens": prompt.max_tokens, "messages": messages, "stream": true});
    if !prompt.system.is_empty() {
        body["system"] = prompt.system.as_str().into();
    }
    if let Some(temperature) = prompt.temperature {
        body["temperature"] = temperature.into();
    }
    // There is one way to force a shape here.
    if let Some(shape) = shape.filter(|shape| shape.structure != Structure::Text) {
        body["tools"] =
            json!([{"name": shape.name, "description": shape.description, "input_schema": shape.schema}]);
        body["tool_choice"] = json!({"type": "tool", "name": shape.name});
    }
    body
}

/// Understands the events of one answer. Thinking is not part of it.
#[derive(Debug, Default)]
pub(in crate::api) struct Decoder {
    tokens: Tokens,
}

#[derive(Deserialize)]
struct Event<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    message: Option<Message<'a>>,
    #[serde(borrow)]
    content_block: Option<Block<'a>>,
    #[serde(borrow)]
    delta: Option<Delta<'a>>,
    usage: Option<Usage>,
    #[serde(borrow)]
    error: Option<Failure<'a>>,
}

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow, default)]
    id: Cow<'a, str>,
    #[serde(borrow, default)]
    model: Cow<'a, str>,
    usage: Option<Usage>,
}

/// What a block is, when it begins.
#[derive(Deserialize)]
struct Block<'a> {
    #[serde(rename = "type", borrow, default)]
    kind: Cow<'a, str>,
    #[serde(borrow, default)]
    name: Cow<'a, str>,
}

#[derive(Deserialize)]
struct Delta<'a> {
    #[serde(borrow)]
    text: Option<Cow<'a, str>>,
    #[serde(borrow)]
    partial_json: Option<Cow<'a, str>>,
    #[serde(borrow)]
    stop_reason: Option<Cow<'a, str>>,
}

/// Counts so far, not since the last event. A field that is absent has not changed.
#[derive(Deserialize)]
struct Usage {
    #[serde(rename = "input_tokens")]
    input: Option<u64>,
    #[serde(rename = "cache_read_input_tokens")]
    cache_read: Option<u64>,
    #[serde(rename = "cache_creation_input_tokens")]
    cache_write: Option<u64>,
    #[serde(rename = "output_tokens")]
    output: Option<u64>,
}

#[derive(Deserialize)]
struct Failure<'a> {
    #[serde(rename = "type", borrow, default)]
    kind: Cow<'a, str>,
    #[serde(borrow, default)]
    message: Cow<'a, str>,
}

impl Decoder {
    pub(super) fn event(&mut self, event: SseEvent<'_>, sink: &mut impl FnMut(Heard)) {
        let Ok(event) = serde_json::from_slice::<Event<'_>>(event.data) else { return sink(unreadable()) };
        match &*event.kind {
            "message_start" => {
                let Some(message) = event.message else { return };
                sink(Heard::Session { id: message.id.into_owned(), model: message.model.into_owned() });
                self.count(message.usage, sink);
            }
            "content_block_start" => {
                let block = event.content_block.filter(|block| block.kind == "tool_use");
                if let Some(block) = block {
                    sink(Heard::Tool(block.name.into_owned()));
                }
            }
            "content_block_delta" => {
                let Some(delta) = event.delta else { return };
                if let Some(text) = delta.text.filter(|text| !text.is_empty()) {
                    sink(Heard::Text(text.into_owned()));
                }
                if let Some(input) = delta.partial_json.filter(|input| !input.is_empty()) {
                    sink(Heard::ToolInput(input.into_owned()));
                }
            }
            "message_delta" => {
                self.count(event.usage, sink);
                if let Some(reason) = event.delta.and_then(|delta| delta.stop_reason) {
                    sink(Heard::Stop(match &*reason {
                        "max_tokens" | "model_context_window_exceeded" => Stop::Length,
                        "refusal" => Stop::Refusal,
                        _ => Stop::End,
                    }));
                }
            }
            "message_stop" => sink(Heard::End),
            "error" => {
                let Some(Failure { kind, message }) = event.error else { return };
                sink(Heard::Failed { status: status(&kind), message: message.into_owned() });
            }
            _ => {}
        }
    }

    fn count(&mut self, usage: Option<Usage>, sink: &mut impl FnMut(Heard)) {
        let Some(usage) = usage else { return };
        let tokens = &mut self.tokens;
        tokens.input = usage.input.unwrap_or(tokens.input);
        tokens.cache_read = usage.cache_read.unwrap_or(tokens.cache_read);
        tokens.cache_write = usage.cache_write.unwrap_or(tokens.cache_write);
        tokens.output = usage.output.unwrap_or(tokens.output);
        sink(Heard::Tokens(*tokens));
    }
}

/// The status that an error has when it comes before the stream.
fn status(kind: &str) -> Option<u16> {
    Some(match kind {
        "invalid_request_error" => 400,
        "authentication_error" => 401,
        "permission_error" => 403,
        "not_found_error" => 404,
        "request_too_large" => 413,
        "rate_limit_error" => 429,
        "api_error" => 500,
        "timeout_error" => 504,
        "overloaded_error" => 529,
        _ => return None,
    })
}
