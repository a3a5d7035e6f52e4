//! What can be wrong with an adapter, or with what is asked of it.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::AgentError;

/// An adapter that cannot be read, or a call that it cannot make.
#[derive(Debug, Error)]
pub enum AdapterError {
    /// The folder or file cannot be read.
    #[error("cannot read {}: {source}", .path.display())]
    Read {
        /// The path of the file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The file is not an adapter.
    #[error("{file}:{line}: {problem}")]
    File {
        /// The name of the file.
        file: String,
        /// The line of the mistake.
        line: usize,
        /// What is wrong there.
        problem: String,
    },
    /// There is no such adapter.
    #[error("there is no agent '{id}'; there are: {known}")]
    Unknown {
        /// What was asked for.
        id: String,
        /// The names that are known.
        known: String,
    },
    /// The prompt is longer than the agent takes.
    #[error(
        "the prompt has {size} bytes and {id} takes {limit}; shorten it, or use an agent that takes more"
    )]
    PromptTooLong {
        /// The id of the agent.
        id: String,
        /// The bytes of the prompt.
        size: usize,
        /// The bytes it takes.
        limit: usize,
    },
    /// The agent cannot be pointed at another service.
    #[error("{id} cannot be pointed at another service")]
    NoEndpoint {
        /// The id of the agent.
        id: String,
    },
    /// The agent must be told which model.
    #[error("{id} needs the name of a model")]
    NoModel {
        /// The id of the agent.
        id: String,
    },
    /// The agent cannot be kept from tools, and nobody has allowed them.
    #[error(
        "{id} cannot be kept from tools: {why}; what it reviews could make it act with your rights; \
         'allow_tools = true' in [agents.{id}] of jury.toml permits it"
    )]
    Unlocked {
        /// The id of the agent.
        id: String,
        /// Why there is no lock.
        why: String,
    },
    /// The private folder of the call cannot be made or filled.
    #[error("cannot write {}: {source}; check that the folder can be written to", .path.display())]
    Folder {
        /// The path that could not be written.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The program does not start, or does not tell its version.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The program does not tell its version in time.
    #[error("'{command}' did not tell its version within {seconds} s")]
    NoVersion {
        /// The command that was asked.
        command: String,
        /// How long it had.
        seconds: u64,
    },
    /// The program tells something else than its version.
    #[error("'{command}' is another program: it answers '{said}' when asked for its version")]
    OtherProgram {
        /// The command that was asked.
        command: String,
        /// What it printed instead.
        said: String,
    },
}

impl AdapterError {
    /// The label of this error in logs and metrics.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Read { .. } => "adapter_read",
            Self::File { .. } => "adapter_file",
            Self::Unknown { .. } => "adapter_unknown",
            Self::PromptTooLong { .. } => "prompt_too_long",
            Self::NoEndpoint { .. } => "no_endpoint",
            Self::NoModel { .. } => "no_model",
            Self::Unlocked { .. } => "unlocked",
            Self::Folder { .. } => "folder",
            Self::Agent(error) => error.kind(),
            Self::NoVersion { .. } => "no_version",
            Self::OtherProgram { .. } => "other_program",
        }
    }
}
