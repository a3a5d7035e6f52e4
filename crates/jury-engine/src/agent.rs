//! Who speaks in a run: a program with a format of its own, or a model's service. The driver hears both alike.

use std::path::Path;
use std::time::Duration;

use jury_agents::api::{ApiError, ApiPiece, ApiSession, Client, ModelPrompt};
use jury_agents::decoder::{Format, SelfReport};
use jury_agents::{AgentError, AnswerPiece, Invocation, Session, SessionLimits};
use jury_core::event::{AgentNote, Usage};
use jury_core::process::Exit;
use jury_core::unit::Bytes;

/// The agent of a run.
#[derive(Debug, Clone)]
pub enum Agent {
    /// A program on this machine.
    Program {
        /// How it is called.
        invocation: Invocation,
        /// The format of what it prints.
        format: Format,
        /// How long it may print nothing.
        silence: Option<Duration>,
    },
    /// A model behind an API.
    Model {
        /// The service, with its key and its budget.
        client: Box<Client>,
        /// What it is asked.
        prompt: ModelPrompt,
    },
}

impl Agent {
    /// In what its answer is wrapped. A model's service is unwrapped by its client.
    pub(crate) fn format(&self) -> Format {
        match self {
            Self::Program { format, .. } => *format,
            Self::Model { .. } => Format::Plain,
        }
    }
}

/// An agent that speaks.
#[derive(Debug)]
pub(crate) enum AgentStream {
    Program(Box<Session>),
    Model(Box<ApiSession>),
}

/// What the stream of an agent gave.
#[derive(Debug)]
pub(crate) enum Heard<'a> {
    /// Output of a program, to be decoded.
    Output(&'a [u8]),
    /// Text of the answer.
    Text {
        /// The text that was decoded.
        text: &'a str,
        /// What the attempt that brought it has used so far.
        used: Usage,
    },
    /// Something the agent says about itself.
    Note(AgentNote),
    /// More than it may print.
    Oversize,
    /// Nothing for too long.
    Silence,
    /// The program has ended.
    Exited(Exit),
    /// The model has said everything, or says why not.
    Over(SelfReport),
    /// The call was not made: it might have cost more than is left.
    TooDear(String),
    /// It cannot be heard any more, and it is our fault.
    Broken(String),
}

impl AgentStream {
    /// Lets the agent begin. What it says goes to the spool in this folder.
    pub(crate) fn start(
        agent: Agent,
        spool_dir: &Path,
        spool: Bytes,
        grace: Duration,
    ) -> Result<Self, String> {
        match agent {
            Agent::Program { invocation, silence, .. } => {
                let limits = SessionLimits { spool, grace, silence, ..SessionLimits::default() };
                Session::start(invocation, spool_dir, limits)
                    .map(|session| Self::Program(Box::new(session)))
                    .map_err(|error| error.to_string())
            }
            Agent::Model { client, prompt } => client
                .session(&prompt)
                .map(|session| Self::Model(Box::new(session)))
                .map_err(|error| error.to_string()),
        }
    }

    /// Waits for the next thing to hear. Losing the future loses nothing.
    pub(crate) async fn next(&mut self) -> Heard<'_> {
        match self {
            Self::Program(session) => match session.next().await {
                Ok(AnswerPiece::Bytes(bytes)) => Heard::Output(bytes),
                Ok(AnswerPiece::Oversize) => Heard::Oversize,
                Ok(AnswerPiece::Silent) => Heard::Silence,
                Ok(AnswerPiece::End(exit)) => Heard::Exited(exit),
                Err(error) => Heard::Broken(error.to_string()),
            },
            Self::Model(session) => {
                match session.next().await {
                    Ok(ApiPiece::Text(_)) => {}
                    Ok(ApiPiece::Note(note)) => return Heard::Note(note),
                    Ok(ApiPiece::End(verdict)) => return Heard::Over(verdict),
                    Err(error @ ApiError::Budget { .. }) => return Heard::TooDear(error.to_string()),
                    Err(error) => {
                        return Heard::Over(SelfReport::Failed { status: None, detail: error.to_string() });
                    }
                }
                Heard::Text { text: session.text(), used: session.under_way() }
            }
        }
    }

    /// What a model has used and not reported yet. Programs report what they report.
    pub(crate) fn under_way(&self) -> Usage {
        match self {
            Self::Program(_) => Usage::default(),
            Self::Model(session) => session.under_way(),
        }
    }

    /// Says something in a dialogue.
    pub(crate) fn reply(&self, bytes: &[u8]) -> Result<(), AgentError> {
        match self {
            Self::Program(session) => session.reply(bytes),
            Self::Model(_) => Ok(()),
        }
    }

    /// The last of what a program complained about.
    pub(crate) fn complaints(&self) -> String {
        match self {
            Self::Program(session) => session.complaints(),
            Self::Model(_) => String::new(),
        }
    }

    /// Ends the agent, and waits until nothing of it is left.
    pub(crate) async fn stop(&mut self) {
        match self {
            Self::Program(session) => session.stop().await,
            // A call ends when it is dropped.
            Self::Model(_) => {}
        }
    }
}
