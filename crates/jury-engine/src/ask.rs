//! One question, one answer: asks an agent and waits until it has said everything.
//!
//! No protocol and no panel: what is heard is decoded, bounded and kept. Whether the answer is any good is for
//! whoever asked to say. An agent that failed has not answered, whatever it printed.

use std::path::Path;
use std::time::Duration;

use jury_agents::decoder::{DecodeLimits, Decoded, Decoder, SelfReport};
use jury_core::event::{AgentNote, Usage};
use jury_core::outcome::FailedCause;
use jury_core::process::Exit;
use jury_core::unit::Bytes;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::agent::{Agent, AgentStream, Heard};
use crate::drive::until;
use crate::note::{hopeless, one_line, restart_note};
use crate::theater::{crashed, greeting};

/// What a question may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskLimits {
    /// The longest answer that is read.
    pub answer: Bytes,
    /// The most that a program may print, with everything around its answer.
    pub output: Bytes,
    /// How long it may take.
    pub patience: Duration,
    /// How long an agent may take to end after it was asked to.
    pub grace: Duration,
}

/// What came of a question.
#[derive(Debug, Clone, PartialEq)]
pub struct AskResult {
    /// The answer, or why there is none.
    pub answer: Result<String, NoAnswer>,
    /// What was said before there was no answer. Who can tell that it is whole may use it: an exit code proves nothing.
    pub said: String,
    /// What the agent said about itself on the way.
    pub notes: Vec<AgentNote>,
    /// What a model used and has not reported in a note.
    pub unreported: Usage,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoAnswer {
    /// The agent failed to answer.
    Failed {
        /// The part that failed.
        cause: FailedCause,
        /// The reason, for a person.
        detail: String,
    },
    /// It took too long.
    TimedOut,
    /// The user or a shutdown stopped it.
    Interrupted,
}

impl AskResult {
    /// Nobody could be asked.
    pub(crate) fn none(detail: String) -> Self {
        let answer = Err(NoAnswer::Failed { cause: FailedCause::SpawnFailed, detail });
        Self { answer, said: String::new(), notes: Vec::new(), unreported: Usage::default() }
    }
}

impl NoAnswer {
    /// What broke, and the same in words.
    pub fn explained(&self) -> (FailedCause, String) {
        match self {
            Self::Failed { cause, detail } => (*cause, detail.clone()),
            Self::TimedOut => (FailedCause::Silent, "the agent took too long".to_owned()),
            Self::Interrupted => (FailedCause::AgentError, "it was stopped".to_owned()),
        }
    }
}

/// What was heard so far.
struct Answer {
    text: String,
    most: Bytes,
    notes: Vec<AgentNote>,
    reply: Vec<u8>,
    ended: Option<Result<(), NoAnswer>>,
}

/// Asks. When this returns, no process of the agent is left.
pub async fn ask(
    agent: Agent,
    spool_dir: &Path,
    limits: AskLimits,
    interrupt: &CancellationToken,
) -> AskResult {
    let mut decoder = Decoder::new(agent.format(), DecodeLimits::default());
    let hello = greeting(&agent, &mut decoder);
    let mut answer = Answer {
        text: String::new(),
        most: limits.answer,
        notes: Vec::new(),
        reply: hello,
        ended: interrupt.is_cancelled().then_some(Err(NoAnswer::Interrupted)),
    };
    let mut voice = match AgentStream::start(agent, spool_dir, limits.output, limits.grace) {
        Ok(voice) => voice,
        Err(detail) => return AskResult::none(detail),
    };
    let deadline = Instant::now() + limits.patience;
    let ended = loop {
        if let Some(ended) = answer.ended.take() {
            break ended;
        }
        let reply = std::mem::take(&mut answer.reply);
        if !reply.is_empty()
            && let Err(error) = voice.reply(&reply)
        {
            break failed(FailedCause::AgentError, error.to_string());
        }
        tokio::select! {
            biased;
            () = interrupt.cancelled() => break Err(NoAnswer::Interrupted),
            () = until(Some(deadline)) => break Err(NoAnswer::TimedOut),
            heard = voice.next() => match heard {
                Heard::Exited(exit) => answer.exited(exit, &voice.complaints(), &mut decoder),
                heard @ (Heard::Output(_)
                | Heard::Text { .. }
                | Heard::Note(_)
                | Heard::Oversize
                | Heard::Silence
                | Heard::Over(_)
                | Heard::TooDear(_)
                | Heard::Broken(_)) => answer.hear(heard, &mut decoder),
            },
        }
    };
    let unreported = voice.under_way();
    voice.stop().await;
    let Answer { text, notes, .. } = answer;
    let (answer, said) = match ended {
        Ok(()) => (Ok(text), String::new()),
        Err(why) => (Err(why), text),
    };
    AskResult { answer, said, notes, unreported }
}

fn failed(cause: FailedCause, detail: String) -> Result<(), NoAnswer> {
    Err(NoAnswer::Failed { cause, detail })
}

impl Answer {
    fn hear(&mut self, heard: Heard<'_>, decoder: &mut Decoder) {
        match heard {
            Heard::Output(bytes) => self.decode(bytes, decoder),
            Heard::Text { text, .. } => self.add(text),
            Heard::Note(note) => self.notes.push(note),
            Heard::Oversize => self.end(failed(FailedCause::AgentError, self.too_long())),
            Heard::Silence => {
                let detail = "the agent said nothing for too long".to_owned();
                self.end(failed(FailedCause::Silent, detail));
            }
            Heard::Over(verdict) => self.end(said(&verdict)),
            Heard::TooDear(detail) => self.end(failed(FailedCause::BudgetExceeded, detail)),
            Heard::Broken(detail) => self.end(failed(FailedCause::AgentError, detail)),
            // Its complaints belong to it; see `exited`.
            Heard::Exited(_) => {}
        }
    }

    /// Decodes a piece of a program's output.
    fn decode(&mut self, bytes: &[u8], decoder: &mut Decoder) {
        let decoded = decoder.feed(bytes, &mut |decoded| match decoded {
            Decoded::Text(text) => self.add(text),
            Decoded::Restart => {
                self.text.clear();
                self.notes.push(restart_note());
            }
            Decoded::Note(note) => {
                if let Some(detail) = hopeless(&note) {
                    self.end(failed(FailedCause::AgentError, detail));
                }
                self.notes.push(note);
            }
            Decoded::Reply(reply) => self.reply.extend_from_slice(reply),
            // A program that says it is done may linger for as long as it likes; nobody waits for it.
            Decoded::Over(verdict) => self.end(said(&verdict)),
        });
        if let Err(error) = decoded {
            self.end(failed(FailedCause::AgentError, error.to_string()));
        }
    }

    /// The program has ended. The last line may have no end.
    fn exited(&mut self, exit: Exit, complaints: &str, decoder: &mut Decoder) {
        let mut inferred = None;
        decoder
            .finish(&mut |decoded| match decoded {
                Decoded::Text(text) => self.add(text),
                Decoded::Note(note) => self.notes.push(note),
                Decoded::Over(verdict) => inferred = Some(verdict),
                Decoded::Restart | Decoded::Reply(_) => {}
            })
            .ok();
        let ended = match exit {
            Exit::Code(code) if crashed(exit) => failed(
                FailedCause::CliExitNonzero,
                with_complaint(format!("the agent exited with code {code}"), complaints),
            ),
            Exit::Signal(signal) => failed(
                FailedCause::CliSignal,
                with_complaint(format!("the agent was killed by signal {signal}"), complaints),
            ),
            Exit::Code(_) | Exit::Unknown => inferred.as_ref().map_or(Ok(()), said),
        };
        self.end(ended);
    }

    fn add(&mut self, text: &str) {
        if (self.text.len() + text.len()) as u64 > self.most.0 {
            self.end(failed(FailedCause::AgentError, self.too_long()));
        } else {
            self.text.push_str(text);
        }
    }

    fn too_long(&self) -> String {
        format!("the answer is larger than {}", self.most)
    }

    /// The first end counts.
    fn end(&mut self, ended: Result<(), NoAnswer>) {
        self.ended.get_or_insert(ended);
    }
}

/// What the agent believes of its own answer.
fn said(verdict: &SelfReport) -> Result<(), NoAnswer> {
    match verdict {
        SelfReport::Failed { detail, .. } => failed(FailedCause::AgentError, one_line(detail)),
        SelfReport::Fine => Ok(()),
    }
}

pub(crate) fn with_complaint(what: String, complaints: &str) -> String {
    match complaints.lines().rev().find(|line| !line.trim().is_empty()) {
        Some(line) => format!("{what} (the agent says: {})", one_line(line)),
        None => what,
    }
}
