//! Chat completions, as `OpenAI` defined them and everybody else copied them, more or less.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Heard, ModelPrompt, Shape, Speaker, Stop, Tokens, unreadable};
use crate::api::schema;
use crate::api::sse::SseEvent;
use crate::api::vendor::{Constraint, Structure, Vendor};

pub(super) fn body(vendor: &Vendor, model: &str, prompt: &ModelPrompt, shape: Option<&Shape>) -> Value {
    let mut messages = Vec::new();
    if !prompt.system.is_empty() {
        messages.push(json!({"role": "system", "content": prompt.system}));
    }
    messages.extend(prompt.messages.iter().map(|message| {
        let role = match message.speaker {
            Speaker::User => "user",
            Speaker::Assistant => "assistant",
        };
        json!({"role": role, "content": message.text})
    }));
    let mut body = json!({"model": model, "messages": messages, "stream": true});
    body[vendor.max_tokens_field.as_str()] = prompt.max_tokens.into();
    if vendor.stream_usage {
        body["stream_options"] = json!({"include_usage": true});
    }
    if vendor.token_timings {
        body["timings_per_token"] = true.into();
    }
    if let Some(temperature) = prompt.temperature {
        body["temperature"] = temperature.into();
    }
    match (shape, &prompt.grammar, vendor.constraint) {
        // A shape is a grammar of its own, and services refuse two.
        (Some(shape), ..) => force(&mut body, shape),
        (None, Some(grammar), Some(Constraint::Gbnf)) => body["grammar"] = grammar.as_str().into(),
        (None, None, _) | (None, _, None) => {}
    }
    body
}

fn force(body: &mut Value, shape: &Shape) {
    match shape.structure {
        Structure::Tool => {
            body["tools"] = json!([{"type": "function", "function": {"name": shape.name,
                "description": shape.description, "parameters": shape.schema}}]);
            body["tool_choice"] = json!({"type": "function", "function": {"name": shape.name}});
        }
        Structure::JsonSchema => {
            body["response_format"] = json!({"type": "json_schema", "json_schema": {"name": shape.name,
                "strict": true, "schema": schema::strict(&shape.schema)}});
        }
        Structure::Text => {}
    }
}

/// Understands the events of one answer. Reasoning is not part of it.
#[derive(Debug, Default)]
pub(in crate::api) struct Decoder {
    begun: bool,
}

#[derive(Deserialize)]
struct Chunk<'a> {
    #[serde(borrow, default)]
    id: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    model: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    choices: Option<Vec<Choice<'a>>>,
    usage: Option<Usage>,
    timings: Option<Timings>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Choice<'a> {
    #[serde(borrow)]
    delta: Option<Delta<'a>>,
    #[serde(borrow)]
    finish_reason: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Delta<'a> {
    #[serde(borrow)]
    content: Option<Cow<'a, str>>,
    #[serde(borrow)]
    tool_calls: Option<Vec<Call<'a>>>,
}

#[derive(Deserialize)]
struct Call<'a> {
    #[serde(borrow)]
    function: Option<Function<'a>>,
}

#[derive(Deserialize)]
struct Function<'a> {
    #[serde(borrow)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    arguments: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Usage {
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
    prompt_tokens_details: Option<Details>,
}

/// How far llama.cpp has come. Only the counts are read.
#[derive(Deserialize)]
struct Timings {
    #[serde(rename = "cache_n")]
    cached: Option<u64>,
    #[serde(rename = "prompt_n")]
    read: Option<u64>,
    #[serde(rename = "predicted_n")]
    written: Option<u64>,
}

#[derive(Deserialize)]
struct Details {
    cached_tokens: Option<u64>,
}

impl Decoder {
    pub(super) fn event(&mut self, event: SseEvent<'_>, sink: &mut impl FnMut(Heard)) {
        if event.data == b"[DONE]" {
            sink(Heard::End);
            return;
        }
        let Ok(chunk) = serde_json::from_slice::<Chunk<'_>>(event.data) else { return sink(unreadable()) };
        if let Some(error) = chunk.error.filter(|error| !error.is_null()) {
            sink(failed(&error));
            return;
        }
        if let Some(id) = chunk.id.filter(|_| !self.begun) {
            self.begun = true;
            let model = chunk.model.unwrap_or_default().into_owned();
            sink(Heard::Session { id: id.into_owned(), model });
        }
        // One answer is asked for.
        if let Some(Choice { delta, finish_reason }) = chunk.choices.into_iter().flatten().next() {
            if let Some(Delta { content, tool_calls }) = delta {
                if let Some(text) = content.filter(|text| !text.is_empty()) {
                    sink(Heard::Text(text.into_owned()));
                }
                let functions = tool_calls.into_iter().flatten().filter_map(|call| call.function);
                for Function { name, arguments } in functions {
                    // The name comes with the first piece of a call; some services repeat it, empty.
                    if let Some(name) = name.filter(|name| !name.is_empty()) {
                        sink(Heard::Tool(name.into_owned()));
                    }
                    if let Some(input) = arguments {
                        sink(Heard::ToolInput(input.into_owned()));
                    }
                }
            }
            if let Some(reason) = finish_reason {
                sink(match &*reason {
                    "length" | "model_length" => Heard::Stop(Stop::Length),
                    "content_filter" => Heard::Stop(Stop::Refusal),
                    "error" => Heard::Failed { status: None, message: "finish_reason is error".to_owned() },
                    _ => Heard::Stop(Stop::End),
                });
            }
        }
        if let Some(Timings { cached, read: Some(input), written: Some(output) }) = chunk.timings {
            let cache_read = cached.unwrap_or(0);
            sink(Heard::Counted(Tokens { input, cache_read, cache_write: 0, output }));
        }
        if let Some(usage) = chunk.usage {
            let cache_read = usage.prompt_tokens_details.and_then(|details| details.cached_tokens);
            let read = usage.prompt_tokens.unwrap_or(0);
            let cache_read = cache_read.unwrap_or(0).min(read);
            sink(Heard::Tokens(Tokens {
                input: read - cache_read,
                cache_read,
                cache_write: 0,
                output: usage.completion_tokens.unwrap_or(0),
            }));
        }
    }
}

/// The code is the status as a number, or a word.
fn failed(error: &Value) -> Heard {
    let code = error.get("code").or_else(|| error.get("status"));
    let status = code.and_then(Value::as_u64).and_then(|code| u16::try_from(code).ok());
    let word = |name: &str| error.get(name).and_then(Value::as_str).unwrap_or_default();
    let status = status.or(match (word("code"), word("type")) {
        ("rate_limit_exceeded", _) | (_, "rate_limit_error") => Some(429),
        ("overloaded_error", _) | (_, "overloaded_error") => Some(529),
        ("server_error", _) | (_, "server_error" | "api_error") => Some(500),
        _ => None,
    });
    let message = error.get("message").and_then(Value::as_str).or(error.as_str());
    Heard::Failed { status, message: message.unwrap_or("an error without a message").to_owned() }
}
