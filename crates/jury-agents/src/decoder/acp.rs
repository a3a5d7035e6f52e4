//! `acp`: the Agent Client Protocol, spoken by many programs.
//!
//! `initialize`, `session/new`, `session/prompt`; the answer comes in `session/update` notices and is over when
//! the prompt is answered. Most programs name no messages, and none says how a message ended: here a new name is
//! no restart, since it may as well be a continuation. A second run inside the first is for the parser.

use jury_core::event::Usage;
use serde_json::json;

use super::DecodeError;
use super::answer::{Key, Out};
use super::dialogue::{Incoming, Stage, answer, ask, client, decline};
use super::json::Json;
use super::trouble::{Trouble, split_error};

#[derive(Debug, Clone)]
pub(super) struct Acp {
    stage: Stage,
    prompt: String,
    cwd: String,
    session: Option<Key>,
    message: Option<Key>,
}

/// What programs say about themselves as if it were the answer, by how it begins.
const NOTICES: [(&str, AgentNotice); 10] = [
    ("Model metadata for `", AgentNotice::Warning),
    ("Codex is ignoring ", AgentNotice::Warning),
    ("Info: Request failed due to ", AgentNotice::Retry),
    ("Info: Response was interrupted ", AgentNotice::Retry),
    ("Error: Authentication failed with provider", AgentNotice::Trouble),
    ("Error: Failed to get response from the AI model", AgentNotice::Trouble),
    ("API Error: ", AgentNotice::Trouble),
    ("Failed to authenticate. API Error: ", AgentNotice::Trouble),
    ("Ran into this error: ", AgentNotice::Trouble),
    ("Network error: ", AgentNotice::Trouble),
];

#[derive(Debug, Clone, Copy)]
enum AgentNotice {
    /// A warning that changes nothing.
    Warning,
    /// It tries again: what the current message said is void.
    Retry,
    /// The agent reports a failure.
    Trouble,
}

impl Acp {
    pub(super) fn new() -> Self {
        Self {
            stage: Stage::Greeting,
            prompt: String::new(),
            cwd: String::new(),
            session: None,
            message: None,
        }
    }

    pub(super) fn start(&mut self, prompt: &str, cwd: &str, out: &mut Out<'_>) {
        prompt.clone_into(&mut self.prompt);
        cwd.clone_into(&mut self.cwd);
        let params = json!({
            "protocolVersion": 1,
            "clientCapabilities": { "fs": { "readTextFile": false, "writeTextFile": false }, "terminal": false },
            "clientInfo": client(),
        });
        ask(Stage::Greeting, "initialize", &params, out);
    }

    pub(super) fn line(&mut self, line: Json<'_>, out: &mut Out<'_>) -> Result<(), DecodeError> {
        match Incoming::read(line, self.stage) {
            Incoming::Answer(result) => self.answered(result, out),
            Incoming::Refusal(trouble) => out.failed(trouble),
            Incoming::Request(id, method, params) => {
                if method.is("session/request_permission") {
                    answer(id, &rejection(params), out);
                } else {
                    decline(id, out);
                }
            }
            Incoming::Notice(method, params) if method.is("session/update") => self.update(params, out)?,
            Incoming::Notice(..) | Incoming::Nothing => {}
        }
        Ok(())
    }

    fn answered(&mut self, result: Json<'_>, out: &mut Out<'_>) {
        match self.stage {
            Stage::Greeting => {
                self.stage = Stage::Opening;
                ask(self.stage, "session/new", &session(&self.cwd), out);
            }
            Stage::Opening => {
                let session = result.get("sessionId").and_then(Json::str).unwrap_or_default();
                out.session(&session);
                self.session = Some(Key::of(&session));
                self.stage = Stage::Asking;
                // It is not needed any more.
                let prompt = json!([{ "type": "text", "text": std::mem::take(&mut self.prompt) }]);
                ask(self.stage, "session/prompt", &json!({ "sessionId": session, "prompt": prompt }), out);
            }
            Stage::Asking => {
                let count = |name| result.at(name).and_then(Json::count).unwrap_or(0);
                out.usage(Usage {
                    input_tokens: count("usage.inputTokens"),
                    output_tokens: count("usage.outputTokens"),
                    cost_usd: None,
                });
                let reason = result.get("stopReason").and_then(Json::str).unwrap_or_default();
                if reason == "end_turn" && out.is_troubled() {
                    out.failed(Trouble::default());
                } else if reason == "end_turn" {
                    out.fine();
                } else {
                    out.failed(Trouble::described(&format!("stopped: {reason}")));
                }
            }
        }
    }

    fn update(&mut self, params: Json<'_>, out: &mut Out<'_>) -> Result<(), DecodeError> {
        let ours = self.stage == Stage::Asking && Key::at(params.get("sessionId")) == self.session;
        let Some(update) = params.get("update").filter(|_| ours) else { return Ok(()) };
        let Some(kind) = update.get("sessionUpdate").and_then(Json::str) else { return Ok(()) };
        if kind == "tool_call" {
            let name = update.get("title").or(update.get("kind")).and_then(Json::str).unwrap_or_default();
            out.tool(&name, update.get("rawInput"));
            return out.step();
        }
        if kind != "agent_message_chunk" {
            return Ok(());
        }
        let name = Key::at(update.get("messageId"));
        if name.is_some() && name != self.message {
            self.message = name;
            out.step()?;
        }
        let Some(text) = update.at("content.text").and_then(Json::text) else { return Ok(()) };
        if let Some((_, notice)) = NOTICES.iter().find(|(beginning, _)| text.body.starts_with(beginning)) {
            match notice {
                AgentNotice::Warning => out.warn(&text.body),
                AgentNotice::Trouble => out.trouble(Trouble::described(&text.body)),
                AgentNotice::Retry => {
                    out.break_off();
                    return out.retry(Trouble::described(&text.body));
                }
            }
            return Ok(());
        }
        let (said, error) = split_error(&text.body);
        if let Some(error) = error {
            out.more(None, super::json::Text::plain(said));
            out.trouble(Trouble::described(error));
        } else {
            out.more(None, text);
        }
        Ok(())
    }
}

/// A session without MCP servers. `_meta` is for the bridge to Claude Code, which takes from there what its program takes
/// as arguments: no tools, no settings of its user, no MCP servers of theirs. Others leave it alone.
fn session(cwd: &str) -> serde_json::Value {
    let options = json!({ "tools": [], "settingSources": [], "strictMcpConfig": true });
    json!({ "cwd": cwd, "mcpServers": [], "_meta": { "claudeCode": { "options": options } } })
}

/// No to whatever the agent asks to be allowed: it is asked for an answer, not for work.
fn rejection(params: Option<Json<'_>>) -> serde_json::Value {
    let options = params.and_then(|params| params.get("options"));
    let reject = options
        .into_iter()
        .flat_map(Json::elements)
        .find(|option| option.get("kind").and_then(Json::str).is_some_and(|kind| kind.starts_with("reject")));
    let outcome = reject.and_then(|option| option.get("optionId")?.str()).map_or_else(
        || json!({ "outcome": "cancelled" }),
        |option| json!({ "outcome": "selected", "optionId": option }),
    );
    json!({ "outcome": outcome })
}
