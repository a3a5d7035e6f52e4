//! The single pass: asks the agent for the page alone and takes the page out of what it says.
//!
//! It has no panel and no protocol. What is heard is decoded, bounded, and kept until the agent is done; whether there
//! is a page in it is for [`page_of`] to say.

use std::path::Path;

use jury_agents::decoder::{DecodeLimits, Decoded, Decoder, Verdict};
use jury_core::event::{AgentNote, Usage};
use jury_core::legacy::page_of;
use jury_core::outcome::FailedCause;
use jury_core::process::Exit;
use jury_core::theater::Input;
use jury_core::unit::Bytes;
use tokio::time::Duration;
use tokio_util::sync::CancellationToken;

use super::note::{hopeless, one_line, restart_note};
use super::{Driver, LogClosed, closed, crashed, greeting, until};
use crate::voice::{Heard, Voice};

/// What was heard so far.
struct Answer {
    text: String,
    most: Bytes,
}

/// How an answer came to its end.
enum Ended {
    /// By itself; what the program says of itself, if it says something.
    Said(Option<Verdict>),
    /// By the end of the program.
    Exited { exit: Exit, complaints: String },
    /// It is too long.
    Oversize,
    /// There is no point in going on.
    Failed(FailedCause, String),
    /// It cannot be heard any more, and it is our fault.
    Broken(String),
}

/// What was heard, for the driver.
#[derive(Default)]
struct Take {
    notes: Vec<AgentNote>,
    reply: Vec<u8>,
    ended: Option<Ended>,
}

impl Driver {
    /// Asks once and tells the machine what came of it. The agent is given back to be ended.
    pub(super) async fn make_page(
        &mut self,
        spool_dir: &Path,
        interrupt: &CancellationToken,
    ) -> Option<Voice> {
        let Some(agent) = self.job.legacy.clone() else {
            let detail = "there is nobody to ask".to_owned();
            self.handle(Input::Legacy { body: None, detail }).await.ok();
            return None;
        };
        // It may have come while the panel was being ended.
        if interrupt.is_cancelled() {
            self.handle(Input::Interrupt).await.ok();
            return None;
        }
        let mut decoder = Decoder::new(agent.format(), DecodeLimits::default());
        let hello = greeting(&agent, &mut decoder);
        let mut voice = self.begin(agent, spool_dir).await?;
        // Another call, of which nothing is in the log.
        self.booked = Usage::default();
        let mut answer = Answer { text: String::new(), most: self.job.config.parser_max_block_bytes };
        if self.answer(&voice, &hello).await.is_err() {
            return Some(voice);
        }
        while !self.theater.has_ended() {
            if self.pass_step(&mut voice, &mut decoder, &mut answer, interrupt).await.is_err() {
                break;
            }
        }
        Some(voice)
    }

    async fn pass_step(
        &mut self,
        voice: &mut Voice,
        decoder: &mut Decoder,
        answer: &mut Answer,
        interrupt: &CancellationToken,
    ) -> Result<(), LogClosed> {
        let deadline = self.theater.deadline().map(|at| self.began + Duration::from_millis(at.0));
        let mut take = Take::default();
        let mail = self.mail.clone();
        tokio::select! {
            biased;
            () = interrupt.cancelled() => {
                self.book(voice.under_way()).await?;
                return self.handle(Input::Interrupt).await;
            }
            () = closed(mail.as_ref()) => return Err(LogClosed),
            () = until(deadline), if deadline.is_some() => {
                self.book(voice.under_way()).await?;
                return self.handle(Input::Deadline).await;
            }
            heard = voice.next() => match heard {
                Heard::Output(bytes) => answer.hear(bytes, decoder, &mut take),
                Heard::Text { text, .. } => answer.add(text, &mut take),
                Heard::Note(note) => take.notes.push(note),
                Heard::Oversize => take.ended = Some(Ended::Oversize),
                Heard::Silence => {
                    let detail = "the agent said nothing for too long".to_owned();
                    take.ended = Some(Ended::Failed(FailedCause::Silent, detail));
                }
                Heard::TooDear(detail) => {
                    take.ended = Some(Ended::Failed(FailedCause::BudgetExceeded, detail));
                }
                Heard::Exited(exit) => {
                    take.ended = Some(Ended::Exited { exit, complaints: voice.complaints() });
                }
                Heard::Over(verdict) => take.ended = Some(Ended::Said(Some(verdict))),
                Heard::Broken(detail) => take.ended = Some(Ended::Broken(detail)),
            },
        }
        if let Some(Ended::Exited { .. }) = take.ended {
            answer.finish(decoder, &mut take);
        }
        for note in std::mem::take(&mut take.notes) {
            self.noted(note).await?;
        }
        self.answer(voice, &take.reply).await?;
        match take.ended {
            Some(ended) => {
                // An answer that is given up in the middle was paid for.
                self.book(voice.under_way()).await?;
                self.pass_ended(ended, answer).await
            }
            None => Ok(()),
        }
    }

    /// A whole page counts however its agent ends, as a whole transcript does.
    async fn pass_ended(&mut self, ended: Ended, answer: &Answer) -> Result<(), LogClosed> {
        let none = |detail: String| Input::Legacy { body: None, detail };
        let page = page_of(&answer.text).map(|page| page.as_bytes().to_vec());
        let input = match (ended, page) {
            (Ended::Broken(detail), _) => Input::Broken(detail),
            (Ended::Oversize, _) => none(format!("oversize: the answer is larger than {}", answer.most)),
            (Ended::Failed(cause, detail), _) => Input::AgentFailed { cause, detail },
            (Ended::Said(_) | Ended::Exited { .. }, Some(page)) => {
                Input::Legacy { body: Some(page), detail: String::new() }
            }
            (Ended::Said(Some(Verdict::Failed { detail, .. })), None) => {
                Input::AgentFailed { cause: FailedCause::AgentError, detail: one_line(&detail) }
            }
            (Ended::Exited { exit: exit @ Exit::Code(code), complaints }, None) if crashed(exit) => {
                let detail = with_complaint(format!("the agent exited with code {code}"), &complaints);
                Input::AgentFailed { cause: FailedCause::CliExitNonzero, detail }
            }
            (Ended::Exited { exit: Exit::Signal(signal), complaints }, None) => {
                let detail = with_complaint(format!("the agent was killed by signal {signal}"), &complaints);
                Input::AgentFailed { cause: FailedCause::CliSignal, detail }
            }
            (Ended::Exited { complaints, .. }, None) => {
                none(with_complaint("there is no whole page in the answer".to_owned(), &complaints))
            }
            (Ended::Said(_), None) => none("there is no whole page in the answer".to_owned()),
        };
        self.handle(input).await
    }
}

impl Answer {
    /// Decodes a piece of a program's output.
    fn hear(&mut self, bytes: &[u8], decoder: &mut Decoder, take: &mut Take) {
        let decoded = decoder.feed(bytes, &mut |decoded| match decoded {
            Decoded::Text(text) => self.add(text, take),
            Decoded::Restart => {
                self.text.clear();
                take.notes.push(restart_note());
            }
            Decoded::Note(note) => {
                if let Some(detail) = hopeless(&note) {
                    take.end(Ended::Failed(FailedCause::AgentError, detail));
                }
                take.notes.push(note);
            }
            Decoded::Reply(reply) => take.reply.extend_from_slice(reply),
            // A program that says it is done may linger for as long as it likes; nobody waits for it.
            Decoded::Over(verdict) => take.end(Ended::Said(Some(verdict))),
        });
        if let Err(error) = decoded {
            take.end(Ended::Failed(FailedCause::AgentError, error.to_string()));
        }
    }

    /// The last line may have no end. What the program only seems to mean by ending counts for nothing here: the page
    /// is there or it is not.
    fn finish(&mut self, decoder: &mut Decoder, take: &mut Take) {
        decoder
            .finish(&mut |decoded| match decoded {
                Decoded::Text(text) => self.add(text, take),
                Decoded::Note(note) => take.notes.push(note),
                Decoded::Restart | Decoded::Reply(_) | Decoded::Over(_) => {}
            })
            .ok();
    }

    fn add(&mut self, text: &str, take: &mut Take) {
        if (self.text.len() + text.len()) as u64 > self.most.0 {
            take.ended = Some(Ended::Oversize);
        } else {
            self.text.push_str(text);
        }
    }
}

impl Take {
    /// The first end counts.
    fn end(&mut self, ended: Ended) {
        self.ended.get_or_insert(ended);
    }
}

fn with_complaint(what: String, complaints: &str) -> String {
    match complaints.lines().rev().find(|line| !line.trim().is_empty()) {
        Some(line) => format!("{what} (the agent says: {})", one_line(line)),
        None => what,
    }
}
