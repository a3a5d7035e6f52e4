//! Events: the facts a run consists of. Everything else (rows, streams, pages, reports, metrics) is a fold
//! over them.
//!
//! Each workflow has its own events, beside its state: [`TheaterEvent`], [`CriticEvent`], [`JudgeEvent`],
//! [`ContentEvent`]. [`Event`] is any of them, as the log keeps it.
//!
//! [`CriticEvent`]: crate::critic::CriticEvent
//! [`JudgeEvent`]: crate::judge::JudgeEvent
//! [`ContentEvent`]: crate::content::ContentEvent

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use crate::theater::event::*;
pub use crate::workflow::Event;

/// The events of a workflow: the enum, and the name of each on the wire.
macro_rules! events {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident($body:ty) = $wire:tt,)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
        #[serde(tag = "event")]
        pub enum $name {
            $($(#[$doc])* #[serde(rename = $wire)] $variant($body),)+
        }

        impl $name {
            /// The name on the wire.
            pub fn kind(&self) -> &'static str {
                match self { $(Self::$variant(_) => $wire),+ }
            }
        }
    };
}
pub(crate) use events;

/// What an agent's program says about itself, beside its answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentNote {
    /// What it is about.
    pub kind: AgentNoteKind,
    /// In a few words, for a person; never a secret, never a part of the answer.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// The status of the model's service, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub status: Option<u16>,
    /// What was used since the last note of this kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub usage: Option<Usage>,
}

impl AgentNote {
    /// The name of the tool that it calls, fit to be shown: a model may call tools by any name.
    pub fn tool(&self) -> Option<String> {
        let name = self.detail.split(':').next().unwrap_or_default();
        let plain = |letter: char| {
            if letter.is_ascii_alphanumeric() || "._-/".contains(letter) { letter } else { '_' }
        };
        (self.kind == AgentNoteKind::Tool).then(|| name.chars().take(60).map(plain).collect())
    }
}

/// The tools that an agent has called, in a line; none where it called none.
pub fn called_tools(tools: &BTreeMap<String, u32>) -> Option<String> {
    let all: u32 = tools.values().fold(0_u32, |sum, count| sum.saturating_add(*count));
    let names: Vec<String> = tools
        .iter()
        .map(|(name, count)| if *count == 1 { name.clone() } else { format!("{name} ({count} times)") })
        .collect();
    let what = crate::line::counted(all, "tool", "tools");
    (all > 0).then(|| format!("the agent called {what}: {}", crate::line::cut(&names.join(", "), 300)))
}

/// What a note of an agent is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AgentNoteKind {
    /// Which session it is, for whoever wants to look there.
    Session,
    /// Tokens and money that the agent used.
    Usage,
    /// The agent tries a request again.
    Retry,
    /// It abandoned what it had said and says it again.
    Restart,
    /// It, or the model's service, reports an error.
    Error,
    /// It calls a tool: the name, and behind a colon what the tool is to do.
    Tool,
}

/// Tokens and money that an agent used.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Read by the model.
    pub input_tokens: u64,
    /// Written by the model.
    pub output_tokens: u64,
    /// In US dollars, when it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub cost_usd: Option<f64>,
}

impl Usage {
    /// Both together. A cost that is known for one part only is the cost of that part.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            input_tokens: self.input_tokens.saturating_add(other.input_tokens),
            output_tokens: self.output_tokens.saturating_add(other.output_tokens),
            cost_usd: match (self.cost_usd, other.cost_usd) {
                (None, None) => None,
                (one, two) => Some(one.unwrap_or(0.0) + two.unwrap_or(0.0)),
            },
        }
    }

    /// What is left of this when the other is taken away; nothing is below zero.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self {
            input_tokens: self.input_tokens.saturating_sub(other.input_tokens),
            output_tokens: self.output_tokens.saturating_sub(other.output_tokens),
            cost_usd: self.cost_usd.map(|cost| (cost - other.cost_usd.unwrap_or(0.0)).max(0.0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_that_were_called_are_told_in_a_line() {
        let called = |tools: &[(&str, u32)]| {
            called_tools(&tools.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect())
        };
        assert_eq!(called(&[]), None);
        assert_eq!(called(&[("Bash", 1)]).unwrap(), "the agent called 1 tool: Bash");
        assert_eq!(
            called(&[("Bash", 3), ("Write", 1)]).unwrap(),
            "the agent called 4 tools: Bash (3 times), Write"
        );
    }

    #[test]
    fn name_of_a_tool_is_fit_to_be_shown() {
        let note =
            |kind, detail: &str| AgentNote { kind, detail: detail.to_owned(), status: None, usage: None };
        assert_eq!(note(AgentNoteKind::Tool, "mcp__x__y: {\"a\":1}").tool().unwrap(), "mcp__x__y");
        assert_eq!(note(AgentNoteKind::Tool, "**a**\n::error: b").tool().unwrap(), "__a___");
        assert_eq!(note(AgentNoteKind::Error, "Bash: id").tool(), None);
        let written = serde_json::to_string(&note(AgentNoteKind::Tool, "Bash: id")).unwrap();
        assert_eq!(written, r#"{"kind":"tool","detail":"Bash: id"}"#);
    }
}
