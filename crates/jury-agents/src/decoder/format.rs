//! The formats by name.

use std::fmt;
use std::str::FromStr;

/// How a program prints its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Text, and nothing else: llm, aider, anything unknown.
    Plain,
    /// Claude Code, Qwen Code, Cursor Agent.
    ClaudeStreamJson,
    /// The events of `codex exec --json`.
    CodexExec,
    /// `codex app-server`: a dialogue.
    CodexAppServer,
    /// The JSON stream of Gemini CLI.
    Gemini,
    /// The JSON stream of goose.
    Goose,
    /// The JSON stream of Copilot CLI.
    Copilot,
    /// The JSON stream of `opencode`.
    Opencode,
    /// The JSON stream of Kimi Code.
    Kimi,
    /// The JSON stream of pi.
    Pi,
    /// The JSON stream of Cline.
    Cline,
    /// The Agent Client Protocol: a dialogue.
    Acp,
}

/// There is no format of this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown format {name:?}; known are {}", Format::ALL.map(Format::as_str).join(", "))]
pub struct UnknownFormat {
    /// What was asked for.
    pub name: String,
}

impl Format {
    /// Every format, in the order of the variants.
    pub const ALL: [Self; 12] = [
        Self::Plain,
        Self::ClaudeStreamJson,
        Self::CodexExec,
        Self::CodexAppServer,
        Self::Gemini,
        Self::Goose,
        Self::Copilot,
        Self::Opencode,
        Self::Kimi,
        Self::Pi,
        Self::Cline,
        Self::Acp,
    ];

    /// Its name in adapter files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::ClaudeStreamJson => "claude-stream-json",
            Self::CodexExec => "codex-exec",
            Self::CodexAppServer => "codex-app-server",
            Self::Gemini => "gemini",
            Self::Goose => "goose",
            Self::Copilot => "copilot",
            Self::Opencode => "opencode",
            Self::Kimi => "kimi",
            Self::Pi => "pi",
            Self::Cline => "cline",
            Self::Acp => "acp",
        }
    }

    /// Whether the program waits for replies on its stdin, which must stay open until the answer is over.
    pub fn is_dialogue(self) -> bool {
        matches!(self, Self::CodexAppServer | Self::Acp)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let known = Self::ALL.into_iter().find(|format| format.as_str() == name);
        known.ok_or_else(|| UnknownFormat { name: name.to_owned() })
    }
}
