//! The loop: bytes, deadlines and the user's will in; events and effects out.

use std::collections::BTreeMap;
use std::path::Path;

use jury_agents::{AgentError, Limits as AgentLimits, Piece, Session};
use jury_core::outcome::DegradedReason;
use jury_core::protocol::{Fault, Limits, Parser};
use jury_core::theater::{Board, Effect, Exit, Input, Outbox, Output, Source, Theater};
use jury_core::unit::{Millis, Offset, Round};
use jury_store::{NewRun, Owner, Store};
use tokio::sync::mpsc;
use tokio::time::{Duration, Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use crate::log::{Letter, Log, Observer, mailbox};
use crate::{EngineError, Job};

/// Drives a theater run to its end and returns its board.
///
/// The observer sees every record after it was appended. Cancelling the token interrupts the run; it ends
/// with its best round kept. When this returns, the transcript is written and no process of the agent is
/// left.
pub async fn run(
    store: &Store,
    owner: &Owner,
    job: Job,
    observer: Observer<'_>,
    interrupt: CancellationToken,
) -> Result<Board, EngineError> {
    let new = NewRun {
        run: job.run,
        project: job.subject.project.clone(),
        artifact: job.subject.artifact,
        agent: job.subject.agent.clone(),
        title: job.title.clone(),
    };
    let queued = store.enqueue(new, Some(owner.id()), jiff::Timestamp::now()).await?;
    observer(&store.records(job.run).await?);
    store.claim(job.run, owner.id(), jiff::Timestamp::now()).await?;

    let mut log =
        Log { store, owner: owner.id(), run: job.run, artifact: job.subject.artifact, head: queued.head };
    let (sender, receiver) = mailbox();
    let spool_dir = store.dir().to_owned();
    let run = job.run;
    let mut driver = Driver::new(job, sender);
    let (mut session, kept) = tokio::join!(
        async {
            let session = driver.drive(&spool_dir, interrupt).await;
            driver.mail = None;
            session
        },
        log.keep(receiver, observer),
    );
    // The verdict is in the log by now; what the agent still does cannot change it.
    if let Some(session) = &mut session {
        session.stop().await;
    }
    kept?;
    store.export(run).await?;
    Ok(store.board(run).await?)
}

struct Driver {
    job: Job,
    theater: Theater,
    parser: Parser,
    began: Instant,
    /// None once everything is said.
    mail: Option<mpsc::Sender<Letter>>,
    outbox: Outbox,
    /// The drafts so far, for the final pass and for the one that is handed over. At most one block each.
    drafts: BTreeMap<Round, Vec<u8>>,
}

impl Driver {
    fn new(job: Job, mail: mpsc::Sender<Letter>) -> Self {
        let theater = Theater::new(job.config.clone(), job.subject.clone());
        let parser = Parser::new(Limits::of(&job.config));
        Self {
            job,
            theater,
            parser,
            began: Instant::now(),
            mail: Some(mail),
            outbox: Outbox::new(),
            drafts: BTreeMap::new(),
        }
    }

    fn now(&self) -> Millis {
        Millis(u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX))
    }

    /// Runs until the machine has ended, or the log does not take any more. The agent, if it was started, is
    /// given back to be ended.
    async fn drive(&mut self, spool_dir: &Path, interrupt: CancellationToken) -> Option<Session> {
        self.handle(Input::Start).await.ok()?;
        let limits = AgentLimits {
            spool: self.job.config.spool_max_bytes,
            grace: self.job.grace,
            ..AgentLimits::default()
        };
        let mut session = match Session::start(self.job.invocation.clone(), spool_dir, limits) {
            Ok(session) => session,
            Err(error) => {
                self.handle(Input::NotStarted(error.to_string())).await.ok();
                return None;
            }
        };
        while !self.theater.has_ended() {
            if self.step(&mut session, &interrupt).await.is_err() {
                break;
            }
        }
        Some(session)
    }

    /// Waits for the next thing to happen and lets the machine decide about it.
    async fn step(&mut self, session: &mut Session, interrupt: &CancellationToken) -> Result<(), LogClosed> {
        let deadline = self.theater.deadline().map(|at| self.began + Duration::from_millis(at.0));
        tokio::select! {
            biased;
            () = interrupt.cancelled() => self.handle(Input::Interrupt).await,
            () = until(deadline), if deadline.is_some() => self.handle(Input::Deadline).await,
            piece = session.next() => match piece {
                Ok(Piece::Bytes(bytes)) => self.feed(bytes).await,
                Ok(Piece::Oversize) => {
                    let limit = self.job.config.spool_max_bytes.0;
                    self.handle(Input::Fault(Fault {
                        reason: DegradedReason::OversizeBlock,
                        detail: format!("the agent printed more than {limit} bytes"),
                        position: Offset(limit),
                    })).await
                }
                Ok(Piece::End(exit)) => {
                    let complaints = session.complaints();
                    self.agent_ended(exit, &complaints).await
                }
                Err(error) => self.spool_broke(&error).await,
            },
        }
    }

    async fn spool_broke(&mut self, error: &AgentError) -> Result<(), LogClosed> {
        self.handle(Input::Broken(error.to_string())).await
    }

    /// Parses a piece of the answer. The machine decides signal by signal; the log gets it all at once.
    async fn feed(&mut self, bytes: &[u8]) -> Result<(), LogClosed> {
        let now = self.now();
        let Self { theater, outbox, parser, drafts, .. } = self;
        let mut handle = |input: Input<'_>| settle(theater, input, now, outbox, drafts);
        let parsed = parser.feed(bytes, &mut |signal| handle(Input::Signal(signal)));
        if let Err(fault) = parsed {
            handle(Input::Fault(fault));
        }
        self.post(now).await
    }

    async fn agent_ended(&mut self, exit: Exit, complaints: &str) -> Result<(), LogClosed> {
        let Err(mut fault) = self.parser.finish() else {
            // The transcript is whole and the machine still waits: it cannot be, but it must not hang.
            return self.handle(Input::Broken("the agent ended without a verdict".to_owned())).await;
        };
        if let Some(line) = complaints.lines().rev().find(|line| !line.trim().is_empty()) {
            let line: String = line.chars().filter(|c| !c.is_control()).take(300).collect();
            fault.detail = format!("{} (the agent says: {})", fault.detail, line.trim());
        }
        self.handle(Input::Ended { exit, fault }).await
    }

    async fn handle(&mut self, input: Input<'_>) -> Result<(), LogClosed> {
        let now = self.now();
        settle(&mut self.theater, input, now, &mut self.outbox, &mut self.drafts);
        self.post(now).await
    }

    /// Hands what the machine wants to the log. Waits when the mailbox is full.
    async fn post(&mut self, now: Millis) -> Result<(), LogClosed> {
        let Some(mail) = &self.mail else { return Err(LogClosed) };
        for output in self.outbox.drain(..) {
            let letter = match output {
                Output::Event(event) => Letter::Event(now, event),
                Output::Effect(Effect::KeepRound { round, body }) => Letter::KeepRound(round, body),
                Output::Effect(Effect::KeepFinal(Source::Body(body))) => Letter::KeepFinal(body),
                Output::Effect(Effect::KeepFinal(Source::Round(round))) => match self.drafts.get(&round) {
                    Some(body) => Letter::KeepFinal(body.clone()),
                    None => continue,
                },
                // Starting and stopping is what the loop around this does; the final pass was made.
                Output::Effect(Effect::StartAgent | Effect::StopAgent | Effect::Lint(_)) => continue,
            };
            mail.send(letter).await.map_err(|_| LogClosed)?;
        }
        Ok(())
    }
}

/// The log does not take any more; the reason is with the one who keeps it.
struct LogClosed;

/// Lets the machine decide, and does what it waits for at once: remembers drafts, makes the final pass.
fn settle(
    theater: &mut Theater,
    input: Input<'_>,
    now: Millis,
    outbox: &mut Outbox,
    drafts: &mut BTreeMap<Round, Vec<u8>>,
) {
    let before = outbox.len();
    theater.handle(input, now, outbox);
    let mut findings = None;
    for output in &outbox[before..] {
        match output {
            Output::Effect(Effect::KeepRound { round, body }) => {
                drafts.entry(*round).or_default().clone_from(body);
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
            | Output::Effect(Effect::StartAgent | Effect::StopAgent | Effect::KeepFinal(_)) => {}
        }
    }
    if let Some(findings) = findings {
        theater.handle(Input::Linted(findings), now, outbox);
    }
}

async fn until(moment: Option<Instant>) {
    if let Some(moment) = moment {
        sleep_until(moment).await;
    }
}
