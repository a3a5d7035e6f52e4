//! Adapters: how each agent program is found, called, pointed at a service and understood, as data.
//!
//! An adapter is a TOML file. The ones that come with jury are part of the program; files of the same shape in
//! a folder of the user's add to them or replace them. Nothing here knows any program by name.
//!
//! - [`Adapters`]: all that there are, and [`Adapters::load`];
//! - [`Adapter`]: one of them, with [`Adapter::invocation`] and [`Adapter::detect`];
//! - [`Call`], [`Endpoint`]: what an agent is asked, of which model, at which service;
//! - [`AdapterError`].
//!
//! What a program prints is not understood here: that is [`crate::decoder`].

mod call;
mod detect;
mod error;
mod file;
mod folder;
mod lock;
mod set;
mod template;

use std::collections::BTreeMap;

use serde::Deserialize;

pub use call::{Call, Endpoint};
pub use detect::Detected;
pub use error::AdapterError;
pub use folder::{Folder, remove_all_of};
pub use lock::Lock;
pub use set::Adapters;

use crate::decoder::Format;

/// How one agent program is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adapter {
    /// What it is called here.
    pub id: String,
    /// What its makers call it.
    pub title: String,
    /// The version that the tests run, or nothing: then it was written from documentation alone.
    pub tested: Option<String>,
    /// The program, and how it tells its version.
    pub detect: Detect,
    /// The arguments behind the program.
    pub args: Vec<String>,
    /// Arguments of a command of somebody's own, in which braces mean nothing.
    pub literal_args: Vec<String>,
    /// More arguments when a model is asked for.
    pub model_args: Vec<String>,
    /// More arguments when rules stand apart from the material, with `{system}` for them. Empty: it takes both as one prompt.
    pub system_args: Vec<String>,
    /// Variables that it always gets.
    pub env: BTreeMap<String, String>,
    /// Variables of ours that it may see, beside the safe ones, when it uses its own service.
    pub env_pass: Vec<String>,
    /// Whose home it sees when it uses its own service.
    pub home: Home,
    /// How it takes its prompt.
    pub prompt: PromptDelivery,
    /// The format of what it prints.
    pub decoder: Format,
    /// What its output can tell.
    pub capabilities: Capabilities,
    /// How it is pointed at another service, where that is possible.
    pub endpoint: Option<Redirect>,
    /// How it is kept from tools; when absent, nobody knows.
    pub lock: Option<Lock>,
    /// What surprised somebody, for people.
    pub traps: Vec<String>,
}

/// Where a program is and how it tells its version.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Detect {
    /// The program that is looked for.
    pub command: String,
    /// Its arguments when it is asked for its version.
    #[serde(default = "detect_args")]
    pub args: Vec<String>,
    /// The line it prints then, with `{version}` where the version stands; empty when it does not tell.
    #[serde(default = "detect_line")]
    pub version: String,
}

fn detect_args() -> Vec<String> {
    vec!["--version".to_owned()]
}

fn detect_line() -> String {
    "{version}".to_owned()
}

/// Whose home an agent sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Home {
    /// The user's: its login and settings are there.
    #[default]
    User,
    /// An empty one, which goes away after the call.
    Private,
}

/// How an agent takes its prompt, and the most bytes it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PromptDelivery {
    /// The way the prompt is passed.
    pub by: By,
    /// The most bytes of a prompt.
    #[serde(default = "prompt_limit")]
    pub limit: usize,
}

fn prompt_limit() -> usize {
    8 << 20
}

/// The way of a prompt to its agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// On its stdin, which is closed then.
    Stdin,
    /// As an argument of the program.
    Argv,
    /// In a file that an argument names.
    File,
    /// The decoder says it on the agent's stdin when its turn comes.
    Dialogue,
}

/// What the output of a program can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Capabilities {
    /// The answer comes in small pieces as it is written.
    #[serde(default)]
    pub deltas: bool,
    /// Whether it counts tokens.
    #[serde(default)]
    pub usage: bool,
}

/// How an agent is pointed at a service other than its own. Its home is a private one then, and of our
/// environment it sees the safe part alone: a key for one service is never shown to another.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Redirect {
    /// The language of the service.
    pub api: Api,
    /// The model when none is asked for.
    #[serde(default)]
    pub model: Option<String>,
    /// The arguments that are added.
    #[serde(default)]
    pub args: Vec<String>,
    /// The arguments for the model, where they differ from those for the agent's own service.
    #[serde(default)]
    pub model_args: Option<Vec<String>>,
    /// The variables that are added.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Files that must be there.
    #[serde(default)]
    pub files: Vec<ConfigFile>,
}

/// The language that a model's service speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Api {
    /// Anthropic's Messages. The base URL is what comes before `/v1`.
    Anthropic,
    /// `OpenAI`'s chat completions. The base URL includes `/v1`.
    Openai,
    /// `OpenAI`'s responses. The base URL includes `/v1`.
    Responses,
    /// Google's Gemini. The base URL is what comes before `/v1beta`.
    Gemini,
}

/// A file that an agent reads its settings from.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConfigFile {
    /// Where, in the private home.
    pub path: String,
    /// What. Placeholders stand inside double quotes, and are escaped for them.
    pub text: String,
}
