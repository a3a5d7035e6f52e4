//! `claude-stream-json`: Claude Code, Qwen Code, Cursor Agent.
//!
//! Text comes as deltas inside `stream_event`, and again as the block of an `assistant` event: before the block
//! ends in Claude Code, after it in Qwen Code, and there sometimes under another name. So while a message is
//! open, an `assistant` event is about its current block, whatever it is called. The last attempt after a broken
//! stream, and everything where deltas are off, comes as an `assistant` event alone.

use jury_core::event::Usage;

use super::DecodeError;
use super::answer::{Key, Out};
use super::json::{Json, Text};
use super::table::{prose, texts};
use super::trouble::{Trouble, split_error};

#[derive(Debug, Clone, Default)]
pub(super) struct Claude {
    /// Between `message_start` and `message_stop`.
    open: bool,
    /// The message that came without deltas last.
    undivided: Option<Key>,
}

impl Claude {
    pub(super) fn line(&mut self, line: Json<'_>, out: &mut Out<'_>) -> Result<(), DecodeError> {
        let Some(kind) = line.get("type").and_then(Json::str) else { return Ok(()) };
        match &*kind {
            "stream_event" if !is_helper(line) => self.event(line, out),
            "assistant" => {
                tools(line, out);
                if is_helper(line) { Ok(()) } else { self.assistant(line, out) }
            }
            // The next turn: what the last message said stands.
            "user" => {
                out.settle();
                Ok(())
            }
            "tool_call" => {
                if line.get("subtype").is_some_and(|kind| kind.is("started")) {
                    // Cursor Agent names the tool by the member that holds its call.
                    out.tool("tool", line.get("tool_call"));
                }
                out.settle();
                Ok(())
            }
            "system" => system(line, out),
            "result" => {
                result(line, out);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn event(&mut self, line: Json<'_>, out: &mut Out<'_>) -> Result<(), DecodeError> {
        let Some(event) = line.get("event") else { return Ok(()) };
        let Some(kind) = event.get("type").and_then(Json::str) else { return Ok(()) };
        match &*kind {
            "content_block_delta" => {
                let Some(delta) = event.get("delta") else { return Ok(()) };
                if delta.get("type").is_some_and(|kind| kind.is("text_delta"))
                    && let Some(text) = delta.get("text").and_then(Json::text)
                {
                    more(text, out);
                }
            }
            "content_block_start" => {
                let Some(block) = event.get("content_block") else { return Ok(()) };
                if block.get("type").is_some_and(|kind| kind.is("text")) {
                    out.part(None);
                    if let Some(text) = block.get("text").and_then(Json::text) {
                        more(text, out);
                    }
                }
            }
            "message_start" => {
                out.begin(Key::at(event.at("message.id")));
                self.open = true;
                self.undivided = None;
                out.step()?;
            }
            "message_stop" => {
                self.open = false;
                if line.get("abandoned_blocks").is_none_or(Json::is_null) {
                    out.end();
                } else {
                    out.break_off();
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn assistant(&mut self, line: Json<'_>, out: &mut Out<'_>) -> Result<(), DecodeError> {
        let Some(message) = line.get("message") else { return Ok(()) };
        let Some(content) = message.get("content") else { return Ok(()) };
        if line.get("error").is_some_and(|error| !error.is_null()) {
            let Trouble { status, detail } = told(line.get("api_error_status"), line.get("error"));
            let described = Trouble::described(&prose(content));
            out.trouble(Trouble {
                status: status.or(described.status),
                ..described.or(Trouble { status, detail })
            });
            return Ok(());
        }
        if texts(content).next().is_none() {
            return Ok(());
        }
        if self.open {
            whole(None, &prose(content), out);
            return Ok(());
        }
        let key = Key::at(message.get("id"));
        if key.is_some() {
            if key != self.undivided {
                self.undivided = key;
                out.step()?;
                out.begin(key);
            }
            // Blocks of one message come one by one.
            out.part(None);
            whole(key, &prose(content), out);
            out.pause();
        } else if line.get("model_call_id").is_some() {
            // Cursor Agent repeats what it said before a tool is called.
        } else if line.get("timestamp_ms").is_some() {
            texts(content).for_each(|text| more(text, out));
        } else {
            whole(None, &prose(content), out);
            out.end();
        }
        Ok(())
    }
}

/// The tools that a message calls, a helper's as well.
fn tools(line: Json<'_>, out: &mut Out<'_>) {
    let blocks = line.at("message.content").into_iter().flat_map(Json::elements);
    let calls = |block: &Json<'_>| {
        block.get("type").is_some_and(|kind| kind.is("tool_use") || kind.is("server_tool_use"))
    };
    for call in blocks.filter(calls) {
        out.tool(&call.get("name").and_then(Json::str).unwrap_or_default(), call.get("input"));
    }
}

/// Whether a helper of the agent speaks, and not the agent.
fn is_helper(line: Json<'_>) -> bool {
    line.get("parent_tool_use_id").is_some_and(|parent| !parent.is_null())
}

fn more(text: Text<'_>, out: &mut Out<'_>) {
    match split_error(&text.body) {
        (_, None) => out.more(None, text),
        (answer, Some(error)) => {
            out.more(None, Text::plain(answer));
            out.trouble(Trouble::described(error));
        }
    }
}

fn whole(key: Option<Key>, text: &str, out: &mut Out<'_>) {
    let (answer, error) = split_error(text);
    out.whole(key, answer);
    if let Some(error) = error {
        out.trouble(Trouble::described(error));
    }
}

fn system(line: Json<'_>, out: &mut Out<'_>) -> Result<(), DecodeError> {
    let Some(kind) = line.get("subtype").and_then(Json::str) else { return Ok(()) };
    match &*kind {
        "init" => {
            out.session(&line.get("session_id").and_then(Json::str).unwrap_or_default());
            Ok(())
        }
        "api_retry" => out.retry(told(line.get("error_status"), line.get("error"))),
        "retry" => {
            // Qwen Code says it after the message seemed to have ended.
            if !line.at("data.preserveText").is_some_and(Json::is_true) {
                out.take_back();
            }
            out.retry(Trouble::told(line.at("data.status"), line.at("data.reason")))
        }
        _ => Ok(()),
    }
}

/// What Claude Code says of a failed request: a status, which may be null, and a kind.
fn told(status: Option<Json<'_>>, kind: Option<Json<'_>>) -> Trouble {
    let mut trouble = Trouble::told(status, kind);
    if trouble.detail == "authentication_failed" {
        trouble.status = trouble.status.or(Some(401));
    }
    trouble
}

fn result(line: Json<'_>, out: &mut Out<'_>) {
    if let Some(usage) = line.get("usage") {
        let count = |name| usage.get(name).and_then(Json::count).unwrap_or(0);
        let mut input_tokens = count("input_tokens");
        // Claude Code counts what came from the cache apart, Qwen Code does not, and gives a total.
        if usage.get("total_tokens").is_none() {
            let cached = [count("cache_creation_input_tokens"), count("cache_read_input_tokens")];
            input_tokens = cached.into_iter().fold(input_tokens, u64::saturating_add);
        }
        let cost_usd = line.get("total_cost_usd").and_then(Json::number).filter(|cost| *cost > 0.0);
        out.usage(Usage { input_tokens, output_tokens: count("output_tokens"), cost_usd });
    }
    let text = line.get("result").and_then(Json::str).unwrap_or_default();
    if line.get("is_error").is_some_and(Json::is_true) {
        let first = line.get("errors").and_then(|errors| errors.elements().next());
        let told = Trouble::told(line.get("api_error_status"), line.at("error.message").or(first));
        out.failed(told.or(Trouble::described(&text)));
        return;
    }
    if out.is_silent() {
        whole(None, &text, out);
    }
    out.fine();
}
