//! The stage: what an agent says is decoded, parsed and given to the machine, and drafts are measured meanwhile.
//!
//! Nothing here waits. What the machine wants stays in the outbox until somebody takes it.

use std::collections::BTreeMap;
use std::path::Path;

use jury_agents::decoder::{DecodeError, DecodeLimits, Decoded, Decoder, Format, SelfReport};
use jury_core::artifact::Digest;
use jury_core::event::{AgentNote, Usage};
use jury_core::evidence::{EvidenceMode, Measurement};
use jury_core::id::AgentId;
use jury_core::outcome::{DegradedReason, FailedCause};
use jury_core::process::Exit;
use jury_core::protocol::{Fault, Parser, ParserLimits, Signal};
use jury_core::settings::named;
use jury_core::theater::{
    ArtifactSource, ClaimReader, Opening, Plan, RunBudget, Theater, TheaterEffect, TheaterInput,
    TheaterOutbox, TheaterOutput, Witness,
};
use jury_core::unit::{Millis, Offset, Round};

use super::measuring::{Given, Measurer, Scope};
use super::single_pass::SinglePass;
use crate::TheaterJob;
use crate::agent::{Agent, Heard};
use crate::log::RunClock;
use crate::note::{hopeless, one_line, restart_note, usage_note};
use crate::trace::{self, Traced};

/// Everything that is said in a run, on its way to the machine.
pub(super) struct Stage {
    pub(super) job: TheaterJob,
    pub(super) theater: Traced,
    pub(super) outbox: TheaterOutbox,
    /// The drafts so far, for the final pass and for the one that is handed over. At most one block each.
    pub(super) drafts: BTreeMap<Round, Vec<u8>>,
    /// Measures the drafts while the panel speaks.
    pub(super) measurer: Measurer,
    decoder: Decoder,
    parser: Parser,
    clock: RunClock,
    /// What the agent's program believes of its own answer, once it has said so.
    over: Option<SelfReport>,
    /// How the agent ended, while the machine waits for a measurement.
    farewell: Option<Farewell>,
    /// How the agent's program ended, until it is known what it complained about.
    exited: Option<Exit>,
    /// What of the model's call under way is in the log. A run often ends before the service reports what it
    /// used, so it is put down at the end of every round.
    pub(super) booked: Usage,
    /// The page alone, once the agent is asked for it.
    pub(super) pass: Option<SinglePass>,
}

/// What a piece of output asks for beside the machine.
#[derive(Default)]
struct Asked {
    /// To be written to the agent's stdin.
    reply: Vec<u8>,
    /// Why there is no point in going on.
    hopeless: Option<String>,
}

/// How an agent ended.
struct Farewell {
    exit: Exit,
    complaints: String,
    /// What follows from its output alone.
    inferred: Option<SelfReport>,
}

impl Stage {
    pub(super) fn new(job: TheaterJob, opening: Opening, clock: RunClock) -> Self {
        let witness = if job.config.evidence == EvidenceMode::Off {
            Witness::Nobody
        } else if job.subject.agent == AgentId::house() {
            // The house measures and does nothing else: its review is the measurement.
            Witness::Panel
        } else {
            Witness::Driver(ClaimReader(jury_text::claim::claims))
        };
        let given = Given::of(job.request.as_ref());
        let digest = given.as_ref().map(Given::digest);
        let budget = job
            .request
            .as_ref()
            .map(|request| RunBudget { usd: request.max_cost_usd, tokens: request.max_tokens });
        let budget = budget.unwrap_or_default();
        let plan = Plan { opening, generates: job.legacy.is_some(), witness, given: digest, budget };
        let design = job.request.as_ref().and_then(|request| request.design.clone());
        let theater = Traced::new(Theater::new(job.config.clone(), job.subject.clone()).by(plan));
        let (parser, format) = (Parser::new(ParserLimits::of(&job.config)), job.agent.format());
        let scope =
            Scope { figures: matches!(witness, Witness::Driver(_)), seats: job.config.measures_page() };
        let measurer = Measurer::new(job.measuring.clone(), design, given, scope);
        Self {
            job,
            theater,
            outbox: TheaterOutbox::new(),
            drafts: BTreeMap::new(),
            measurer,
            decoder: Decoder::new(format, DecodeLimits::default()),
            parser,
            clock,
            over: None,
            farewell: None,
            exited: None,
            booked: Usage::default(),
            pass: None,
        }
    }

    fn now(&self) -> Millis {
        self.clock.now()
    }

    /// What opens the dialogue with the agent that plays the panel.
    pub(super) fn greeting(&mut self) -> Vec<u8> {
        greeting(&self.job.agent, &mut self.decoder)
    }

    /// The agent that is asked for the page alone, and what opens the dialogue with it.
    pub(super) fn ask_once(&mut self) -> Option<(Agent, Vec<u8>)> {
        let agent = self.job.legacy.clone()?;
        let mut decoder = Decoder::new(agent.format(), DecodeLimits::default());
        let greeting = greeting(&agent, &mut decoder);
        // Another call, of which nothing is in the log.
        self.booked = Usage::default();
        self.pass = Some(SinglePass::new(decoder, self.job.config.parser_max_block_bytes));
        Some((agent, greeting))
    }

    /// Takes in what was heard. What is to be said to the program comes back.
    pub(super) fn hear(&mut self, heard: Heard<'_>) -> Vec<u8> {
        if self.pass.is_some() {
            return self.hear_page(heard);
        }
        match heard {
            Heard::Output(bytes) => return self.output(bytes),
            Heard::Text { text, used } => self.text(text, used),
            Heard::Note(note) => self.noted(note),
            Heard::Oversize => self.oversize(),
            Heard::Silence => {
                let detail = "the agent said nothing for too long".to_owned();
                self.handle(TheaterInput::AgentFailed { cause: FailedCause::Silent, detail });
            }
            Heard::TooDear(detail) => {
                self.handle(TheaterInput::AgentFailed { cause: FailedCause::BudgetExceeded, detail });
            }
            Heard::Exited(exit) => self.exited = Some(exit),
            Heard::Over(verdict) => {
                self.over = Some(verdict);
                self.agent_ended(Exit::Code(0), "");
            }
            Heard::Broken(detail) => self.handle(TheaterInput::Broken(detail)),
        }
        Vec::new()
    }

    /// Whether the agent's program has ended and it is to be known what it complained about.
    pub(super) fn wants_complaints(&self) -> bool {
        self.exited.is_some()
    }

    /// The last of what the agent's program complained about.
    pub(super) fn complained(&mut self, complaints: &str) {
        let Some(exit) = self.exited.take() else { return };
        if self.pass.is_some() {
            self.page_exited(exit, complaints.to_owned());
        } else {
            self.agent_ended(exit, complaints);
        }
    }

    pub(super) fn exited(&mut self, exit: Exit) {
        self.exited = Some(exit);
    }

    /// A draft was measured, or could not be.
    pub(super) fn measured(&mut self, digest: Digest, result: Result<Measurement, String>) {
        self.handle(TheaterInput::Measured { digest, result: Box::new(result) });
        self.part();
    }

    fn oversize(&mut self) {
        let limit = self.job.config.spool_max_bytes.0;
        let detail = format!("the agent printed more than {limit} bytes {}", named("JURY_SPOOL_MAX_BYTES"));
        let fault = Fault { reason: DegradedReason::OversizeBlock, detail, position: Offset(limit) };
        self.handle(TheaterInput::Fault(fault));
    }

    /// Decodes and parses a piece of a program's output. The machine decides signal by signal; the log gets it
    /// all at once. What is to be said to the program comes back.
    fn output(&mut self, bytes: &[u8]) -> Vec<u8> {
        let now = self.now();
        let Self { theater, decoder, parser, outbox, drafts, measurer, over, .. } = self;
        let mut asked = Asked::default();
        let mut handle = |input: TheaterInput<'_>| settle(theater, input, now, outbox, drafts, measurer);
        let chunk = trace::parse_chunk(bytes.len()).entered();
        let decoded = decoder.feed(bytes, &mut |decoded| match decoded {
            Decoded::Text(text) => parse(parser, text, &mut handle),
            Decoded::Restart => {
                handle(TheaterInput::Note(restart_note()));
                parser.restart(&mut |signal| handle(TheaterInput::Signal(signal)));
            }
            Decoded::Note(note) => {
                asked.hopeless = asked.hopeless.take().or_else(|| hopeless(&note));
                handle(TheaterInput::Note(note));
            }
            Decoded::Reply(reply) => asked.reply.extend_from_slice(reply),
            Decoded::Over(verdict) => *over = Some(verdict),
        });
        drop(chunk);
        match decoded {
            Err(DecodeError::LineTooLong(_)) => {
                self.oversize();
            }
            Err(error @ DecodeError::TooManySteps(_)) => self.fail(error.to_string()),
            Ok(()) => {}
        }
        if let Some(detail) = asked.hopeless {
            self.fail(detail);
        }
        // A program that says it is done may linger for as long as it likes; nobody waits for it.
        if self.over.is_some() && !self.theater.has_ended() {
            self.agent_ended(Exit::Code(0), "");
        }
        asked.reply
    }

    fn fail(&mut self, detail: String) {
        self.handle(TheaterInput::AgentFailed { cause: FailedCause::AgentError, detail });
    }

    /// Parses text of the answer that needs no decoding. What it has cost so far is put down before anything
    /// that may end the run.
    fn text(&mut self, text: &str, used: Usage) {
        let now = self.now();
        let Self { theater, parser, outbox, drafts, measurer, booked, .. } = self;
        let chunk = trace::parse_chunk(text.len()).entered();
        parse(parser, text, &mut |input| {
            let note = if closes(&input) { usage_note(used, booked) } else { None };
            if let Some(note) = note {
                settle(theater, TheaterInput::Note(note), now, outbox, drafts, measurer);
            }
            settle(theater, input, now, outbox, drafts, measurer);
        });
        drop(chunk);
    }

    /// Puts down what an agent says about itself. Of what it used, only what is not in the log yet.
    pub(super) fn noted(&mut self, mut note: AgentNote) {
        if let Some(usage) = &mut note.usage {
            *usage = usage.minus(std::mem::take(&mut self.booked));
        }
        self.handle(TheaterInput::Note(note));
    }

    /// Puts down what the model has used so far.
    pub(super) fn book(&mut self, used: Usage) {
        if let Some(note) = usage_note(used, &mut self.booked) {
            self.handle(TheaterInput::Note(note));
        }
    }

    /// Nothing more comes. If the machine still waits, the transcript is not whole; what the agent says about
    /// itself tells a failure from an answer that was cut off.
    fn agent_ended(&mut self, exit: Exit, complaints: &str) {
        let now = self.now();
        let Self { theater, decoder, parser, outbox, drafts, measurer, .. } = self;
        let mut handle = |input: TheaterInput<'_>| settle(theater, input, now, outbox, drafts, measurer);
        let mut inferred = None;
        // The last line may have no end. What it means still counts; that it cannot be decoded does not.
        decoder
            .finish(&mut |decoded| match decoded {
                Decoded::Text(text) => parse(parser, text, &mut handle),
                Decoded::Over(verdict) => inferred = Some(verdict),
                Decoded::Note(note) => handle(TheaterInput::Note(note)),
                Decoded::Restart | Decoded::Reply(_) => {}
            })
            .ok();
        self.farewell = Some(Farewell { exit, complaints: complaints.to_owned(), inferred });
        self.part();
    }

    /// Draws the conclusion from the agent's end, if it has ended and the machine has heard all of it.
    fn part(&mut self) {
        if self.theater.has_ended() || self.theater.is_measuring() {
            return;
        }
        let Some(Farewell { exit, complaints, inferred }) = self.farewell.take() else { return };
        // What the agent says of itself counts. What only follows from its output counts if it has a format
        // in which an answer says that it is over, or is an error in the place of one, and if no exit code tells the
        // same story better.
        let verdict = self.over.take().or_else(|| {
            inferred.filter(|_| (self.speaks_of_itself() || self.decoder.is_troubled()) && !crashed(exit))
        });
        if let Some(SelfReport::Failed { detail, .. }) = verdict {
            return self.fail(one_line(&detail));
        }
        let Err(mut fault) = self.parser.finish() else {
            // The transcript is whole and the machine still waits: it cannot be, but it must not hang.
            return self.handle(TheaterInput::Broken("the agent ended without a verdict".to_owned()));
        };
        if let Some(line) = complaints.lines().rev().find(|line| !line.trim().is_empty()) {
            fault.detail = format!("{} (the agent says: {})", fault.detail, one_line(line));
        }
        self.handle(TheaterInput::Ended { exit, fault });
    }

    /// Whether the agent's output says more than its answer.
    fn speaks_of_itself(&self) -> bool {
        self.job.agent.format() != Format::Plain
    }

    pub(super) fn handle(&mut self, input: TheaterInput<'_>) {
        let now = self.now();
        let Self { theater, outbox, drafts, measurer, .. } = self;
        settle(theater, input, now, outbox, drafts, measurer);
    }
}

/// What opens a dialogue with this agent; nothing if it has its prompt already.
pub(crate) fn greeting(agent: &Agent, decoder: &mut Decoder) -> Vec<u8> {
    let mut reply = Vec::new();
    let Agent::Program { invocation, .. } = agent else { return reply };
    if invocation.dialogue {
        let prompt = String::from_utf8_lossy(&invocation.prompt).into_owned();
        let dir = invocation.dir.as_deref().unwrap_or(Path::new(".")).display().to_string();
        decoder.start(&prompt, &dir, &mut |decoded| {
            if let Decoded::Reply(bytes) = decoded {
                reply.extend_from_slice(bytes);
            }
        });
    }
    reply
}

/// Gives text of the answer to the parser, and what it sees to the machine.
fn parse(parser: &mut Parser, text: &str, handle: &mut impl FnMut(TheaterInput<'_>)) {
    if let Err(fault) = parser.feed(text.as_bytes(), &mut |signal| handle(TheaterInput::Signal(signal))) {
        handle(TheaterInput::Fault(fault));
    }
    handle(TheaterInput::Arrived(parser.amid()));
}

/// Whether a program ended by a failure of its own.
pub(crate) fn crashed(exit: Exit) -> bool {
    match exit {
        Exit::Code(code) => code != 0,
        Exit::Signal(_) => true,
        Exit::Unknown => false,
    }
}

/// Whether this may be the last that the machine wants to know.
fn closes(input: &TheaterInput<'_>) -> bool {
    use Signal::{RoundClosed, RunClosed, Shipped};
    matches!(
        input,
        TheaterInput::Signal(RoundClosed { .. } | Shipped { .. } | RunClosed { .. }) | TheaterInput::Fault(_)
    )
}

/// Lets the machine decide, and does what it waits for at once: remembers drafts, has them measured, makes the
/// final pass.
fn settle(
    theater: &mut Traced,
    input: TheaterInput<'_>,
    now: Millis,
    outbox: &mut TheaterOutbox,
    drafts: &mut BTreeMap<Round, Vec<u8>>,
    measurer: &mut Measurer,
) {
    let before = outbox.len();
    theater.handle(input, now, outbox);
    let mut findings = None;
    for output in &outbox[before..] {
        match output {
            TheaterOutput::Effect(TheaterEffect::KeepRound { round, body }) => {
                drafts.entry(*round).or_default().clone_from(body);
            }
            TheaterOutput::Effect(TheaterEffect::Measure { round, digest }) => {
                if let Some(body) = drafts.get(round) {
                    measurer.begin(*digest, body);
                }
            }
            TheaterOutput::Effect(TheaterEffect::Lint(source)) => {
                let body = match source {
                    ArtifactSource::Body(body) => Some(body),
                    ArtifactSource::Round(round) => drafts.get(round),
                };
                let page = body.map(|body| String::from_utf8_lossy(body)).unwrap_or_default();
                findings = Some(measurer.lint(&page));
            }
            TheaterOutput::Event(_)
            | TheaterOutput::Effect(
                TheaterEffect::StartAgent
                | TheaterEffect::StopAgent
                | TheaterEffect::AskOnce
                | TheaterEffect::KeepFinal(_),
            ) => {}
        }
    }
    if let Some(findings) = findings {
        theater.handle(TheaterInput::Linted(findings), now, outbox);
    }
}
