//! `codex-app-server`: Codex as a partner in a dialogue, the one way to get its answer while it is written.
//!
//! `initialize`, `thread/start`, `turn/start`; the answer comes in `item/agentMessage/delta` notices and is over
//! with `turn/completed`. After a broken stream the answer begins again as another item.

use jury_core::event::Usage;
use serde_json::json;

use super::DecodeError;
use super::answer::{Key, Out};
use super::dialogue::{Incoming, Stage, answer, ask, client, decline, tell};
use super::json::Json;
use super::trouble::Trouble;

#[derive(Debug, Clone)]
pub(super) struct AppServer {
    stage: Stage,
    prompt: String,
    cwd: String,
}

impl AppServer {
    pub(super) fn new() -> Self {
        Self { stage: Stage::Greeting, prompt: String::new(), cwd: String::new() }
    }

    pub(super) fn start(&mut self, prompt: &str, cwd: &str, out: &mut Out<'_>) {
        prompt.clone_into(&mut self.prompt);
        cwd.clone_into(&mut self.cwd);
        ask(Stage::Greeting, "initialize", &json!({ "clientInfo": client() }), out);
    }

    pub(super) fn line(&mut self, line: Json<'_>, out: &mut Out<'_>) -> Result<(), DecodeError> {
        match Incoming::read(line, self.stage) {
            Incoming::Answer(result) => self.answered(result, out),
            Incoming::Refusal(trouble) => out.failed(trouble),
            Incoming::Request(id, method, _) => {
                // Approval of a command or a change: it is asked for an answer, not for work.
                if method.str().is_some_and(|method| method.ends_with("/requestApproval")) {
                    answer(id, &json!({ "decision": "decline" }), out);
                } else {
                    decline(id, out);
                }
            }
            Incoming::Notice(method, params) => {
                return notice(&method.str().unwrap_or_default(), params, out);
            }
            Incoming::Nothing => {}
        }
        Ok(())
    }

    fn answered(&mut self, result: Json<'_>, out: &mut Out<'_>) {
        match self.stage {
            Stage::Greeting => {
                tell("initialized", out);
                self.stage = Stage::Opening;
                let params = json!({
                    "cwd": self.cwd,
                    "approvalPolicy": "never",
                    "sandbox": "read-only",
                    "ephemeral": true,
                });
                ask(self.stage, "thread/start", &params, out);
            }
            Stage::Opening => {
                let thread = result.at("thread.id").and_then(Json::str).unwrap_or_default();
                out.session(&thread);
                self.stage = Stage::Asking;
                // It is not needed any more.
                let input = json!([{ "type": "text", "text": std::mem::take(&mut self.prompt) }]);
                ask(self.stage, "turn/start", &json!({ "threadId": thread, "input": input }), out);
            }
            // The turn has begun; `turn/completed` tells its end.
            Stage::Asking => {}
        }
    }
}

fn notice(method: &str, params: Json<'_>, out: &mut Out<'_>) -> Result<(), DecodeError> {
    match method {
        "item/agentMessage/delta" => {
            if let Some(text) = params.get("delta").and_then(Json::text) {
                out.more(Key::at(params.get("itemId")), text);
            }
        }
        "item/started" if is_message(params) => {
            out.begin(Key::at(params.at("item.id")));
            out.step()?;
        }
        "item/started" => {
            // The prompt and the thoughts of the model are items too.
            let kind = params.at("item.type").and_then(Json::str).unwrap_or_default();
            let name = match &*kind {
                "commandExecution" => "shell".to_owned(),
                "fileChange" | "webSearch" => kind.to_string(),
                "mcpToolCall" | "dynamicToolCall" => params
                    .at("item.tool")
                    .and_then(Json::str)
                    .map_or_else(|| kind.to_string(), std::borrow::Cow::into_owned),
                _ => return Ok(()),
            };
            let input = ["item.command", "item.query", "item.arguments", "item.changes"];
            out.tool(&name, input.into_iter().find_map(|path| params.at(path)));
        }
        "item/completed" if is_message(params) => {
            let text = params.at("item.text").and_then(Json::str).unwrap_or_default();
            out.whole(Key::at(params.at("item.id")), &text);
            out.end();
        }
        "error" => {
            let trouble = params.get("error").map(explained).unwrap_or_default();
            if params.get("willRetry").is_some_and(Json::is_true) {
                out.break_off();
                out.retry(trouble)?;
            } else {
                out.trouble(trouble);
            }
        }
        "thread/tokenUsage/updated" => {
            let count = |name| params.at(name).and_then(Json::count).unwrap_or(0);
            out.usage(Usage {
                input_tokens: count("tokenUsage.last.inputTokens"),
                output_tokens: count("tokenUsage.last.outputTokens"),
                cost_usd: None,
            });
        }
        "turn/completed" => {
            if params.at("turn.status").is_some_and(|status| status.is("completed")) {
                out.fine();
            } else {
                out.failed(params.at("turn.error").map(explained).unwrap_or_default());
            }
        }
        _ => {}
    }
    Ok(())
}

fn is_message(params: Json<'_>) -> bool {
    params.at("item.type").is_some_and(|kind| kind.is("agentMessage"))
}

/// What an error says: a kind that may hold a status, a message, and perhaps details.
fn explained(error: Json<'_>) -> Trouble {
    let details = Trouble::told(None, error.get("additionalDetails"));
    let status = error.get("codexErrorInfo").and_then(|info| {
        // An object with one member, named after the kind.
        let written = info.raw()?;
        let at = written.find("\"httpStatusCode\":")?;
        written.get(at + 17..)?.trim_start().get(..3)?.parse().ok()
    });
    let told = Trouble::told(None, error.get("message"));
    Trouble { status: status.or(told.status).or(details.status), detail: told.detail }.or(details)
}
