//! The single pass: asks the agent for the page alone and takes the page out of what it says.
//!
//! It has no panel and no protocol. What is heard is decoded, bounded, and kept until the agent is done; whether there
//! is a page in it is for [`page_of`] to say.

use jury_agents::decoder::{Decoded, Decoder, SelfReport};
use jury_core::event::{AgentNote, Usage};
use jury_core::legacy::page_of;
use jury_core::outcome::FailedCause;
use jury_core::process::Exit;
use jury_core::protocol::Part;
use jury_core::settings::named;
use jury_core::theater::TheaterInput;
use jury_core::unit::Bytes;

use super::stage::{Stage, crashed};
use crate::agent::Heard;
use crate::note::{hopeless, one_line, restart_note};

/// What an agent has said that was asked for the page alone.
pub(super) struct SinglePass {
    decoder: Decoder,
    answer: Answer,
    /// How the answer came to its end, until what it has used is put down.
    ended: Option<Ended>,
}

impl SinglePass {
    pub(super) fn new(decoder: Decoder, most: Bytes) -> Self {
        Self { decoder, answer: Answer { text: String::new(), most }, ended: None }
    }
}

/// What was heard so far.
struct Answer {
    text: String,
    most: Bytes,
}

/// How an answer came to its end.
enum Ended {
    /// By itself; what the program says of itself, if it says something.
    Said(Option<SelfReport>),
    /// By the end of the program.
    Exited { exit: Exit, complaints: String },
    /// It is too long.
    Oversize,
    /// There is no point in going on.
    Failed(FailedCause, String),
    /// It cannot be heard any more, and it is our fault.
    Broken(String),
}

/// What came of something that was heard.
#[derive(Default)]
struct Take {
    notes: Vec<AgentNote>,
    reply: Vec<u8>,
    /// Words of the answer came: it is the page.
    arrived: bool,
    ended: Option<Ended>,
}

impl Stage {
    /// Takes in what was heard. What is to be said to the program comes back.
    pub(super) fn hear_page(&mut self, heard: Heard<'_>) -> Vec<u8> {
        let Some(SinglePass { decoder, answer, .. }) = &mut self.pass else { return Vec::new() };
        let mut take = Take::default();
        match heard {
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
            Heard::Exited(exit) => self.exited(exit),
            Heard::Over(verdict) => take.ended = Some(Ended::Said(Some(verdict))),
            Heard::Broken(detail) => take.ended = Some(Ended::Broken(detail)),
        }
        self.take(take)
    }

    /// The agent's program has ended.
    pub(super) fn page_exited(&mut self, exit: Exit, complaints: String) {
        let Some(SinglePass { decoder, answer, .. }) = &mut self.pass else { return };
        let mut take = Take { ended: Some(Ended::Exited { exit, complaints }), ..Take::default() };
        answer.finish(decoder, &mut take);
        self.take(take);
    }

    fn take(&mut self, take: Take) -> Vec<u8> {
        for note in take.notes {
            self.noted(note);
        }
        if take.arrived {
            self.handle(TheaterInput::Arrived(Part::Page));
        }
        if let (Some(ended), Some(pass)) = (take.ended, &mut self.pass) {
            pass.ended = Some(ended);
        }
        take.reply
    }

    /// Whether the answer has come to its end.
    pub(super) fn has_answer(&self) -> bool {
        self.pass.as_ref().is_some_and(|pass| pass.ended.is_some())
    }

    /// Tells the machine what came of it. An answer that is given up in the middle was paid for.
    pub(super) fn answered(&mut self, used: Usage) {
        let Some(ended) = self.pass.as_mut().and_then(|pass| pass.ended.take()) else { return };
        self.book(used);
        self.page_ended(ended);
    }

    /// A whole page counts however its agent ends, as a whole transcript does.
    fn page_ended(&mut self, ended: Ended) {
        let Some(SinglePass { answer, .. }) = &self.pass else { return };
        let none = |detail: String| TheaterInput::Legacy { body: None, detail };
        let page = page_of(&answer.text).map(|page| page.as_bytes().to_vec());
        let input = match (ended, page) {
            (Ended::Broken(detail), _) => TheaterInput::Broken(detail),
            (Ended::Oversize, _) => none(format!(
                "oversize: the answer is larger than {} {}",
                answer.most,
                named("OD_CRITIQUE_PARSER_MAX_BLOCK_BYTES")
            )),
            (Ended::Failed(cause, detail), _) => TheaterInput::AgentFailed { cause, detail },
            (Ended::Said(_) | Ended::Exited { .. }, Some(page)) => {
                TheaterInput::Legacy { body: Some(page), detail: String::new() }
            }
            (Ended::Said(Some(SelfReport::Failed { detail, .. })), None) => {
                TheaterInput::AgentFailed { cause: FailedCause::AgentError, detail: one_line(&detail) }
            }
            (Ended::Exited { exit: exit @ Exit::Code(code), complaints }, None) if crashed(exit) => {
                let detail = with_complaint(format!("the agent exited with code {code}"), &complaints);
                TheaterInput::AgentFailed { cause: FailedCause::CliExitNonzero, detail }
            }
            (Ended::Exited { exit: Exit::Signal(signal), complaints }, None) => {
                let detail = with_complaint(format!("the agent was killed by signal {signal}"), &complaints);
                TheaterInput::AgentFailed { cause: FailedCause::CliSignal, detail }
            }
            (Ended::Exited { complaints, .. }, None) => {
                none(with_complaint("there is no whole page in the answer".to_owned(), &complaints))
            }
            (Ended::Said(_), None) => none("there is no whole page in the answer".to_owned()),
        };
        self.handle(input);
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
        take.arrived = true;
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
