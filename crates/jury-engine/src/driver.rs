//! The loop: bytes, deadlines and the user's will in; events and effects out.

pub(crate) mod measuring;
pub(crate) mod note;
mod single_pass;

use std::collections::BTreeMap;
use std::path::Path;

use jury_agents::decoder::{DecodeError, DecodeLimits, Decoded, Decoder, Format, Verdict};
use jury_core::event::{AgentNote, Queued, TheaterEvent, Usage};
use jury_core::evidence::EvidenceMode;
use jury_core::id::AgentId;
use jury_core::outcome::{DegradedReason, FailedCause};
use jury_core::process::Exit;
use jury_core::protocol::{Fault, Limits, Parser, Signal};
use jury_core::theater::{Board, Effect, Input, Opening, Outbox, Output, Plan, Source, Theater, Witness};
use jury_core::unit::{Millis, Offset, Round, Seq};
use jury_store::{NewRun, Owner, Store};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Duration, Instant, sleep_until};
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

use measuring::Measurer;
use note::{hopeless, one_line, restart_note, usage_note};

use crate::log::{Letter, Log, Observer, mailbox};
use crate::mark::refusal;
use crate::trace::{self, Traced};
use crate::voice::{Agent, Heard, Voice};
use crate::{EngineError, Job, Panel};

/// Drives a theater run to its end and returns its board.
///
/// The observer sees every record after it was appended. Cancelling the token interrupts the run; it ends
/// with its best round kept. When this returns, the transcript is written and no process of the agent is
/// left.
///
/// An agent that is marked as degraded is not asked to play the panel. Without a review, and with something to make
/// ([`Job::legacy`]), the agent is asked once for the page alone.
pub async fn run(
    store: &Store,
    owner: &Owner,
    job: Job,
    observer: Observer<'_>,
    interrupt: CancellationToken,
) -> Result<Board, EngineError> {
    let queued = TheaterEvent::Queued(Queued {
        project_id: job.subject.project.clone(),
        artifact_id: job.subject.artifact,
        agent: job.subject.agent.clone(),
        title: job.title.clone(),
        skill: job.request.as_ref().and_then(|request| request.skill.clone()),
    });
    let new = NewRun::<Board> { run: job.run, queued, request: job.request.clone() };
    let queued = store.enqueue(new, Some(owner.id()), jiff::Timestamp::now()).await?;
    observer(&store.records(job.run).await?);
    store.claim(job.run, owner.id(), jiff::Timestamp::now()).await?;
    let run = job.run;
    carry_out(store, owner, job, queued.head, observer, interrupt).await?;
    Ok(store.state::<Board>(run).await?)
}

/// Drives a run that its owner has claimed. `head` is the last event of its log so far.
pub(crate) async fn carry_out(
    store: &Store,
    owner: &Owner,
    job: Job,
    head: Seq,
    observer: Observer<'_>,
    interrupt: CancellationToken,
) -> Result<(), EngineError> {
    let span = trace::run(&job);
    let run = job.run;
    play(store, owner, job, head, observer, interrupt).instrument(span.clone()).await?;
    if !span.is_disabled() {
        trace::ended(&span, &store.state::<Board>(run).await?);
    }
    Ok(())
}

async fn play(
    store: &Store,
    owner: &Owner,
    job: Job,
    head: Seq,
    observer: Observer<'_>,
    interrupt: CancellationToken,
) -> Result<(), EngineError> {
    let mut log = Log { store, owner: owner.id(), run: job.run, artifact: job.subject.artifact, head };
    let (sender, receiver) = mailbox();
    let spool_dir = store.dir().to_owned();
    let run = job.run;
    let opening = match &job.panel {
        Panel::Off(why) => Opening::Off(why.clone()),
        Panel::Sits => refusal(store, &job.subject.agent).await?.map_or(Opening::Panel, Opening::Refused),
        Panel::SitsRegardless => Opening::Panel,
    };
    let mut driver = Driver::new(job, opening, sender);
    // A task of its own, because it is busy for as long as the agent is faster: the log does not wait for it to
    // pause. It ends when this does.
    let mut driving = JoinSet::new();
    let drive = async move {
        // The mailbox goes with the driver, and so the log knows that everything is said.
        driver.drive(&spool_dir, interrupt).await
    };
    driving.spawn(drive.in_current_span());
    let (driven, kept) = tokio::join!(driving.join_next(), log.keep(receiver, observer));
    let mut voice = match driven {
        Some(Ok(voice)) => voice,
        Some(Err(broken)) if broken.is_panic() => std::panic::resume_unwind(broken.into_panic()),
        Some(Err(_)) | None => None,
    };
    // The verdict is in the log by now; what the agent still does cannot change it.
    if let Some(voice) = &mut voice {
        voice.stop().await;
    }
    kept?;
    store.export(run).await?;
    Ok(())
}

struct Driver {
    job: Job,
    theater: Traced,
    decoder: Decoder,
    parser: Parser,
    began: Instant,
    /// None once everything is said.
    mail: Option<mpsc::Sender<Letter>>,
    outbox: Outbox,
    /// The drafts so far, for the final pass and for the one that is handed over. At most one block each.
    drafts: BTreeMap<Round, Vec<u8>>,
    /// Measures the drafts while the panel speaks.
    measurer: Measurer,
    /// What the agent's program believes of its own answer, once it has said so.
    over: Option<Verdict>,
    /// How the agent ended, while the machine waits for a measurement.
    farewell: Option<Farewell>,
    /// What of the model's call under way is in the log. A run often ends before the service reports what it
    /// used, so it is put down at the end of every round.
    booked: Usage,
}

/// What a piece of output asks of the driver beside the machine.
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
    inferred: Option<Verdict>,
}

impl Driver {
    fn new(job: Job, opening: Opening, mail: mpsc::Sender<Letter>) -> Self {
        let witness = if job.config.evidence == EvidenceMode::Off {
            Witness::Nobody
        } else if job.subject.agent == AgentId::house() {
            // The house measures and does nothing else: its review is the measurement.
            Witness::Panel
        } else {
            Witness::Driver
        };
        let plan = Plan { opening, generates: job.legacy.is_some(), witness };
        let design = job.request.as_ref().and_then(|request| request.design.clone());
        let theater = Traced::new(Theater::new(job.config.clone(), job.subject.clone()).by(plan));
        let parser = Parser::new(Limits::of(&job.config));
        let format = job.agent.format();
        let measurer = Measurer::new(job.measuring.clone(), design);
        Self {
            job,
            theater,
            decoder: Decoder::new(format, DecodeLimits::default()),
            parser,
            began: Instant::now(),
            mail: Some(mail),
            outbox: Outbox::new(),
            drafts: BTreeMap::new(),
            measurer,
            over: None,
            farewell: None,
            booked: Usage::default(),
        }
    }

    fn now(&self) -> Millis {
        Millis(u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX))
    }

    /// Runs until the machine has ended, or the log does not take any more. The agent, if it was started, is
    /// given back to be ended.
    async fn drive(&mut self, spool_dir: &Path, interrupt: CancellationToken) -> Option<Voice> {
        self.handle(Input::Start).await.ok()?;
        let mut voice =
            if self.theater.has_panel() { self.hear_panel(spool_dir, &interrupt).await } else { None };
        if !self.theater.has_ended() && self.mail.is_some() {
            // Nothing of the panel is left when the agent is asked again: no process, no call, no claim on the budget.
            if let Some(mut panel) = voice.take() {
                panel.stop().await;
            }
            voice = self.make_page(spool_dir, &interrupt).await;
        }
        voice
    }

    /// Lets the agent begin; a failure to is an input like any other.
    async fn begin(&mut self, agent: Agent, spool_dir: &Path) -> Option<Voice> {
        let spool = self.job.config.spool_max_bytes;
        match Voice::start(agent, spool_dir, spool, self.job.grace) {
            Ok(voice) => Some(voice),
            Err(detail) => {
                self.handle(Input::NotStarted(detail)).await.ok();
                None
            }
        }
    }

    /// Listens to the panel until there is nothing more to hear from it. The agent is given back to be ended.
    async fn hear_panel(&mut self, spool_dir: &Path, interrupt: &CancellationToken) -> Option<Voice> {
        let mut voice = self.begin(self.job.agent.clone(), spool_dir).await?;
        if self.greet(&voice).await.is_err() {
            self.mail = None;
        }
        while self.theater.has_panel() && self.mail.is_some() {
            if self.step(&mut voice, interrupt).await.is_err() {
                self.mail = None;
            }
        }
        Some(voice)
    }

    /// Opens a dialogue. An agent that has its prompt already needs no greeting.
    async fn greet(&mut self, voice: &Voice) -> Result<(), LogClosed> {
        let reply = greeting(&self.job.agent, &mut self.decoder);
        self.answer(voice, &reply).await
    }

    async fn answer(&mut self, voice: &Voice, reply: &[u8]) -> Result<(), LogClosed> {
        if reply.is_empty() {
            return Ok(());
        }
        match voice.reply(reply) {
            Ok(()) => Ok(()),
            Err(error) => self.handle(Input::Broken(error.to_string())).await,
        }
    }

    /// Waits for the next thing to happen and lets the machine decide about it.
    async fn step(&mut self, voice: &mut Voice, interrupt: &CancellationToken) -> Result<(), LogClosed> {
        let deadline = self.theater.deadline().map(|at| self.began + Duration::from_millis(at.0));
        let mail = self.mail.clone();
        tokio::select! {
            biased;
            () = closed(mail.as_ref()) => Err(LogClosed),
            () = interrupt.cancelled() => {
                self.book(voice.under_way()).await?;
                self.handle(Input::Interrupt).await
            }
            () = until(deadline), if deadline.is_some() => {
                self.book(voice.under_way()).await?;
                self.handle(Input::Deadline).await
            }
            (digest, result) = self.measurer.next(), if self.measurer.is_busy() => {
                self.handle(Input::Measured { digest, result: Box::new(result) }).await?;
                self.part().await
            }
            // What the agent says in the meantime stays in its spool.
            heard = voice.next(), if !self.theater.is_measuring() => {
                let reply = match heard {
                    Heard::Output(bytes) => self.output(bytes).await?,
                    Heard::Text { text, used } => {
                        self.text(text, used).await?;
                        Vec::new()
                    }
                    Heard::Note(note) => {
                        self.noted(note).await?;
                        Vec::new()
                    }
                    Heard::Oversize => {
                        self.oversize().await?;
                        Vec::new()
                    }
                    Heard::Silence => {
                        let detail = "the agent said nothing for too long".to_owned();
                        self.handle(Input::AgentFailed { cause: FailedCause::Silent, detail }).await?;
                        Vec::new()
                    }
                    Heard::TooDear(detail) => {
                        let cause = FailedCause::BudgetExceeded;
                        self.handle(Input::AgentFailed { cause, detail }).await?;
                        Vec::new()
                    }
                    Heard::Exited(exit) => {
                        let complaints = voice.complaints();
                        return self.agent_ended(exit, &complaints).await;
                    }
                    Heard::Over(verdict) => {
                        self.over = Some(verdict);
                        return self.agent_ended(Exit::Code(0), "").await;
                    }
                    Heard::Broken(detail) => return self.handle(Input::Broken(detail)).await,
                };
                self.answer(voice, &reply).await
            }
        }
    }

    async fn oversize(&mut self) -> Result<(), LogClosed> {
        let limit = self.job.config.spool_max_bytes.0;
        let detail = format!("the agent printed more than {limit} bytes");
        let fault = Fault { reason: DegradedReason::OversizeBlock, detail, position: Offset(limit) };
        self.handle(Input::Fault(fault)).await
    }

    /// Decodes and parses a piece of a program's output. The machine decides signal by signal; the log gets it
    /// all at once. What is to be said to the program comes back.
    async fn output(&mut self, bytes: &[u8]) -> Result<Vec<u8>, LogClosed> {
        let now = self.now();
        let Self { theater, decoder, parser, outbox, drafts, measurer, over, .. } = self;
        let mut asked = Asked::default();
        let mut handle = |input: Input<'_>| settle(theater, input, now, outbox, drafts, measurer);
        let chunk = trace::parse_chunk(bytes.len()).entered();
        let decoded = decoder.feed(bytes, &mut |decoded| match decoded {
            Decoded::Text(text) => parse(parser, text, &mut handle),
            Decoded::Restart => {
                handle(Input::Note(restart_note()));
                parser.restart(&mut |signal| handle(Input::Signal(signal)));
            }
            Decoded::Note(note) => {
                asked.hopeless = asked.hopeless.take().or_else(|| hopeless(&note));
                handle(Input::Note(note));
            }
            Decoded::Reply(reply) => asked.reply.extend_from_slice(reply),
            Decoded::Over(verdict) => *over = Some(verdict),
        });
        drop(chunk);
        self.post(now).await?;
        match decoded {
            Err(DecodeError::LineTooLong(_)) => {
                self.oversize().await?;
            }
            Err(error @ DecodeError::TooManySteps(_)) => self.fail(error.to_string()).await?,
            Ok(()) => {}
        }
        if let Some(detail) = asked.hopeless {
            self.fail(detail).await?;
        }
        // A program that says it is done may linger for as long as it likes; nobody waits for it.
        if self.over.is_some() && !self.theater.has_ended() {
            self.agent_ended(Exit::Code(0), "").await?;
        }
        Ok(asked.reply)
    }

    async fn fail(&mut self, detail: String) -> Result<(), LogClosed> {
        self.handle(Input::AgentFailed { cause: FailedCause::AgentError, detail }).await
    }

    /// Parses text of the answer that needs no decoding. What it has cost so far is put down before anything
    /// that may end the run.
    async fn text(&mut self, text: &str, used: Usage) -> Result<(), LogClosed> {
        let now = self.now();
        let Self { theater, parser, outbox, drafts, measurer, booked, .. } = self;
        let chunk = trace::parse_chunk(text.len()).entered();
        parse(parser, text, &mut |input| {
            let note = if closes(&input) { usage_note(used, booked) } else { None };
            if let Some(note) = note {
                settle(theater, Input::Note(note), now, outbox, drafts, measurer);
            }
            settle(theater, input, now, outbox, drafts, measurer);
        });
        drop(chunk);
        self.post(now).await
    }

    /// Puts down what an agent says about itself. Of what it used, only what is not in the log yet.
    async fn noted(&mut self, mut note: AgentNote) -> Result<(), LogClosed> {
        if let Some(usage) = &mut note.usage {
            *usage = usage.minus(std::mem::take(&mut self.booked));
        }
        self.handle(Input::Note(note)).await
    }

    /// Puts down what the model has used so far.
    async fn book(&mut self, used: Usage) -> Result<(), LogClosed> {
        match usage_note(used, &mut self.booked) {
            Some(note) => self.handle(Input::Note(note)).await,
            None => Ok(()),
        }
    }

    /// Nothing more comes. If the machine still waits, the transcript is not whole; what the agent says about
    /// itself tells a failure from an answer that was cut off.
    async fn agent_ended(&mut self, exit: Exit, complaints: &str) -> Result<(), LogClosed> {
        let now = self.now();
        let Self { theater, decoder, parser, outbox, drafts, measurer, .. } = self;
        let mut handle = |input: Input<'_>| settle(theater, input, now, outbox, drafts, measurer);
        let mut inferred = None;
        // The last line may have no end. What it means still counts; that it cannot be decoded does not.
        decoder
            .finish(&mut |decoded| match decoded {
                Decoded::Text(text) => parse(parser, text, &mut handle),
                Decoded::Over(verdict) => inferred = Some(verdict),
                Decoded::Note(note) => handle(Input::Note(note)),
                Decoded::Restart | Decoded::Reply(_) => {}
            })
            .ok();
        self.post(now).await?;
        self.farewell = Some(Farewell { exit, complaints: complaints.to_owned(), inferred });
        self.part().await
    }

    /// Draws the conclusion from the agent's end, if it has ended and the machine has heard all of it.
    async fn part(&mut self) -> Result<(), LogClosed> {
        if self.theater.has_ended() || self.theater.is_measuring() {
            return Ok(());
        }
        let Some(Farewell { exit, complaints, inferred }) = self.farewell.take() else { return Ok(()) };
        // What the agent says of itself counts. What only follows from its output counts if it has a format
        // in which an answer says that it is over, and if no exit code tells the same story better.
        let verdict =
            self.over.take().or_else(|| inferred.filter(|_| self.speaks_of_itself() && !crashed(exit)));
        if let Some(Verdict::Failed { detail, .. }) = verdict {
            return self.fail(one_line(&detail)).await;
        }
        let Err(mut fault) = self.parser.finish() else {
            // The transcript is whole and the machine still waits: it cannot be, but it must not hang.
            return self.handle(Input::Broken("the agent ended without a verdict".to_owned())).await;
        };
        if let Some(line) = complaints.lines().rev().find(|line| !line.trim().is_empty()) {
            fault.detail = format!("{} (the agent says: {})", fault.detail, one_line(line));
        }
        self.handle(Input::Ended { exit, fault }).await
    }

    /// Whether the agent's output says more than its answer.
    fn speaks_of_itself(&self) -> bool {
        self.job.agent.format() != Format::Plain
    }

    async fn handle(&mut self, input: Input<'_>) -> Result<(), LogClosed> {
        let now = self.now();
        let Self { theater, outbox, drafts, measurer, .. } = self;
        settle(theater, input, now, outbox, drafts, measurer);
        self.post(now).await
    }

    /// Hands what the machine wants to the log. Waits when the mailbox is full.
    async fn post(&mut self, now: Millis) -> Result<(), LogClosed> {
        let Some(mail) = &self.mail else { return Err(LogClosed) };
        for output in self.outbox.drain(..) {
            let letter = match output {
                Output::Event(event) => Letter::Event(now, Box::new(event.into())),
                Output::Effect(Effect::KeepRound { round, body }) => Letter::KeepRound(round, body),
                Output::Effect(Effect::KeepFinal(Source::Body(body))) => Letter::KeepFinal(body),
                Output::Effect(Effect::KeepFinal(Source::Round(round))) => match self.drafts.get(&round) {
                    Some(body) => Letter::KeepFinal(body.clone()),
                    None => continue,
                },
                // Starting and stopping is what the loop around this does; the final pass was made, the measuring begun.
                Output::Effect(
                    Effect::StartAgent
                    | Effect::StopAgent
                    | Effect::AskOnce
                    | Effect::Measure { .. }
                    | Effect::Lint(_),
                ) => continue,
            };
            mail.send(letter).await.map_err(|_| LogClosed)?;
        }
        Ok(())
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
fn parse(parser: &mut Parser, text: &str, handle: &mut impl FnMut(Input<'_>)) {
    if let Err(fault) = parser.feed(text.as_bytes(), &mut |signal| handle(Input::Signal(signal))) {
        handle(Input::Fault(fault));
    }
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
fn closes(input: &Input<'_>) -> bool {
    use Signal::{RoundClosed, RunClosed, Shipped};
    matches!(input, Input::Signal(RoundClosed { .. } | Shipped { .. } | RunClosed { .. }) | Input::Fault(_))
}

/// The log does not take any more; the reason is with the one who keeps it.
struct LogClosed;

/// Lets the machine decide, and does what it waits for at once: remembers drafts, has them measured, makes the
/// final pass.
fn settle(
    theater: &mut Traced,
    input: Input<'_>,
    now: Millis,
    outbox: &mut Outbox,
    drafts: &mut BTreeMap<Round, Vec<u8>>,
    measurer: &mut Measurer,
) {
    let before = outbox.len();
    theater.handle(input, now, outbox);
    let mut findings = None;
    for output in &outbox[before..] {
        match output {
            Output::Effect(Effect::KeepRound { round, body }) => {
                drafts.entry(*round).or_default().clone_from(body);
            }
            Output::Effect(Effect::Measure { round, digest }) => {
                if let Some(body) = drafts.get(round) {
                    measurer.begin(*digest, body);
                }
            }
            Output::Effect(Effect::Lint(source)) => {
                let body = match source {
                    Source::Body(body) => Some(body),
                    Source::Round(round) => drafts.get(round),
                };
                let page = body.map(|body| String::from_utf8_lossy(body)).unwrap_or_default();
                findings = Some(jury_house::lint(&page));
            }
            Output::Event(_)
            | Output::Effect(
                Effect::StartAgent | Effect::StopAgent | Effect::AskOnce | Effect::KeepFinal(_),
            ) => {}
        }
    }
    if let Some(findings) = findings {
        theater.handle(Input::Linted(findings), now, outbox);
    }
}

/// Waits until the log takes nothing any more. An agent that is silent would not let it be noticed.
async fn closed(mail: Option<&mpsc::Sender<Letter>>) {
    if let Some(mail) = mail {
        mail.closed().await;
    }
}

pub(crate) async fn until(moment: Option<Instant>) {
    if let Some(moment) = moment {
        sleep_until(moment).await;
    }
}
