//! What can go wrong with an agent before and beside its answer.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// An agent that could not be started or read.
#[derive(Debug, Error)]
pub enum AgentError {
    /// There is no such program.
    #[error("cannot find the program '{}'; install it or give its path", .program.display())]
    NotFound {
        /// What was looked for.
        program: PathBuf,
    },
    /// The program is there and did not start.
    #[error("cannot start '{}': {source}", .program.display())]
    Spawn {
        /// The program that was to be started.
        program: PathBuf,
        /// Why it did not.
        source: io::Error,
    },
    /// The system takes no argument of this length.
    #[error(
        "argument {position} of '{}' has {size} bytes, more than the {limit} that the system allows; shorten the prompt, or use an agent that reads it from its stdin or a file",
        .program.display()
    )]
    ArgumentTooLong {
        /// What was to be started.
        program: PathBuf,
        /// Which argument, counted from 1.
        position: usize,
        /// The size of the argument in bytes.
        size: usize,
        /// The bytes that are allowed.
        limit: usize,
    },
    /// The agent does not read its side of the dialogue.
    #[error("the agent does not read what it is told")]
    Deaf,
    /// The spool cannot be made.
    #[error("cannot make a spool in {}: {source}; check that the folder can be written to", .dir.display())]
    SpoolDir {
        /// The folder of the spool.
        dir: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The spool cannot be written or read.
    #[error("cannot spool the agent's output: {0}; check the free space on the disk")]
    Spool(io::Error),
}

impl AgentError {
    /// The label of this error in logs and metrics.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::NotFound { .. } => "not_found",
            Self::Spawn { .. } => "spawn",
            Self::ArgumentTooLong { .. } => "argument_too_long",
            Self::Deaf => "deaf",
            Self::SpoolDir { .. } => "spool_dir",
            Self::Spool(_) => "spool",
        }
    }
}

/// Why a program could not be run, in the words of the system where it gave any.
impl From<AgentError> for io::Error {
    fn from(error: AgentError) -> Self {
        match error {
            AgentError::NotFound { .. } => rustix::io::Errno::NOENT.into(),
            AgentError::Spawn { source, .. }
            | AgentError::SpoolDir { source, .. }
            | AgentError::Spool(source) => source,
            error @ (AgentError::ArgumentTooLong { .. } | AgentError::Deaf) => Self::other(error),
        }
    }
}
