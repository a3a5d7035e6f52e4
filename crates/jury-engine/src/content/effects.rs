//! What the machine of the content pipeline wants done: steps, one at a time.

use std::panic::AssertUnwindSafe;
use std::pin::Pin;

use futures_util::FutureExt as _;
use jury_core::content::machine::{ContentEffect, ContentInput, ContentOutbox, Pipeline, Stuck as NotDone};
use jury_core::content::{ContentEvent, ContentState, ContentStatus, Step, Tool};
use jury_core::id::RunId;
use jury_core::outcome::FailedCause;
use jury_core::unit::Millis;
use jury_store::{Owner, RunRow, Store, StoreError};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

use super::cast::ContentCast;
use super::refusal::NotResumed;
use super::worker::{Mail, Stuck, Worker};
use crate::EngineError;
use crate::drive::{Begun, Halt, Play, drive, instant, post_events};
use crate::log::{Log, Mailbox, Observer, RunClock};
use crate::trace::Spans;

/// A step that is being done, and the worker that comes back from it; none when it broke.
type Doing<'a> = Pin<Box<dyn Future<Output = (Option<Worker<'a>>, Result<(), Stuck>)> + Send + 'a>>;

/// A run of the content pipeline that its owner has claimed, with everything that its machine needs done.
pub(super) struct ContentPlay<'a> {
    machine: Pipeline,
    worker: Option<Worker<'a>>,
    doing: Option<Doing<'a>>,
    inbox: mpsc::Receiver<Mail>,
    /// Who waits until the last facts are in the log.
    handed_over: Option<oneshot::Sender<()>>,
}

/// A run that its owner has claimed.
pub(super) struct Claimed<'a> {
    pub(super) log: Log<'a>,
    pub(super) owner: &'a Owner,
    /// On the heap: it is large, and many layers carry it.
    pub(super) play: Box<ContentPlay<'a>>,
    pub(super) interrupt: CancellationToken,
}

impl<'a> Claimed<'a> {
    /// Reads a run that its owner has claimed.
    pub(super) async fn load(
        store: &'a Store,
        owner: &'a Owner,
        run: RunId,
        cast: &'a ContentCast,
        observer: Observer<'a>,
        interrupt: CancellationToken,
    ) -> Result<Self, EngineError> {
        let row = store.run(run).await?.ok_or_else(|| StoreError::NoSuchRun(run.to_string()))?;
        let request = store.request::<ContentState>(run).await?.ok_or(NotResumed::NotContent(run))?;
        let state = store.state::<ContentState>(run).await?;
        let RunRow { artifact, head, started_at, created_at, .. } = row;
        let clock = RunClock(instant(started_at.unwrap_or(created_at)));
        let log = Log { store, owner: owner.id(), run, artifact, head, clock, observer };
        let (mail, inbox) = mpsc::channel(1);
        let (machine, stop) = (Pipeline::new(state.clone()), interrupt.clone());
        let worker = Worker { store, run, artifact, state, request, cast, interrupt: stop, mail };
        let play =
            Box::new(ContentPlay { machine, worker: Some(worker), doing: None, inbox, handed_over: None });
        Ok(Self { log, owner, play, interrupt })
    }

    /// The state so far.
    pub(super) fn state(&self) -> &ContentState {
        self.play.machine.state()
    }

    /// What was asked for, and who does it.
    pub(super) fn worker(&mut self) -> Result<&mut Worker<'a>, StoreError> {
        let gone = || StoreError::NoSuchRun(self.log.run.to_string());
        self.play.worker.as_mut().ok_or_else(gone)
    }

    /// Appends facts, and nothing else is done.
    pub(super) async fn append(&mut self, events: Vec<ContentEvent>) -> Result<(), StoreError> {
        let now = self.log.clock.now();
        self.log.append(events.iter().map(|event| (now, event.clone().into())).collect()).await?;
        self.play.take_in(&events);
        Ok(())
    }

    /// Does steps until the run has ended or waits, or all steps of one tool.
    pub(super) async fn drive(&mut self, only: Option<Tool>) -> Result<(), StoreError> {
        self.play.machine.restrict(only);
        let first = if self.interrupt.is_cancelled() { ContentInput::Interrupt } else { ContentInput::Start };
        drive(&mut self.log, &mut *self.play, vec![first], &self.interrupt).await
    }

    /// Lets the run go, as far as it is still held, and writes the transcript of one that has ended. An event that says
    /// that the run waits has let it go already, and by now it may be claimed again in the same name.
    pub(super) async fn release(self) -> Result<ContentState, StoreError> {
        let Self { log, play, owner, .. } = self;
        let state = play.machine.state().clone();
        if state.ended.is_some() {
            log.store.export(log.run).await?;
        } else if state.status() == ContentStatus::Running {
            log.store.release(log.run, owner.id(), log.head).await?;
        }
        Ok(state)
    }
}

impl ContentPlay<'_> {
    /// Takes facts in that are in the log already.
    fn take_in(&mut self, events: &[ContentEvent]) {
        self.machine.take_in(events);
        if let Some(worker) = &mut self.worker {
            for event in events {
                worker.state.apply(event);
            }
        }
    }
}

impl Play for ContentPlay<'_> {
    type Event = ContentEvent;
    type Input = ContentInput;
    type Effect = ContentEffect;

    fn handle(&mut self, input: ContentInput, _: Millis, out: &mut ContentOutbox) {
        self.machine.handle(input, out);
    }

    fn interrupt() -> ContentInput {
        ContentInput::Interrupt
    }

    fn deadline_passed() -> ContentInput {
        ContentInput::Start
    }

    fn deadline(&self) -> Option<Millis> {
        None
    }

    fn is_idle(&self) -> bool {
        self.machine.is_idle()
    }

    async fn post(
        &mut self,
        mailbox: &Mailbox,
        now: Millis,
        out: ContentOutbox,
    ) -> Result<Vec<ContentEffect>, Halt> {
        let effects = post_events(mailbox, now, out).await?;
        if let Some(waiting) = self.handed_over.take() {
            mailbox.barrier().await?;
            waiting.send(()).ok();
        }
        Ok(effects)
    }

    async fn begin(
        &mut self,
        ContentEffect::Do(step): ContentEffect,
        _: &CancellationToken,
    ) -> Result<Begun<ContentInput>, StoreError> {
        let Some(mut worker) = self.worker.take() else {
            return Ok(Begun::Now(ContentInput::Done(Err(broke("the step before this one broke")))));
        };
        // What only the machine has computed since.
        worker.state = self.machine.state().clone();
        self.doing =
            Some(Box::pin(does(worker, step).instrument(Spans::of::<ContentEvent>().effect("step"))));
        Ok(Begun::Later)
    }

    async fn next(&mut self) -> Result<Vec<ContentInput>, StoreError> {
        let Some(doing) = &mut self.doing else { return std::future::pending().await };
        let (worker, result) = tokio::select! {
            biased;
            Some((events, kept)) = self.inbox.recv() => {
                self.handed_over = Some(kept);
                return Ok(vec![ContentInput::Did(events)]);
            }
            done = doing => done,
        };
        self.doing = None;
        self.worker = worker;
        match result {
            Ok(()) => Ok(vec![ContentInput::Done(Ok(()))]),
            Err(Stuck::Trouble(trouble)) => Ok(vec![ContentInput::Done(Err(trouble.into()))]),
            Err(Stuck::Interrupted) => Ok(vec![ContentInput::Done(Err(NotDone::Stopped))]),
            Err(Stuck::Store(error)) => Err(error),
        }
    }

    async fn end(&mut self) {
        self.doing = None;
    }
}

/// Does a step, whatever happens in it.
async fn does(mut worker: Worker<'_>, step: Step) -> (Option<Worker<'_>>, Result<(), Stuck>) {
    let done = AssertUnwindSafe(worker.step(step)).catch_unwind().await;
    match done {
        Ok(result) => (Some(worker), result),
        Err(panic) => {
            let what = panic
                .downcast_ref::<&str>()
                .map(|text| (*text).to_owned())
                .or_else(|| panic.downcast_ref::<String>().cloned())
                .unwrap_or_default();
            let detail = format!("the program broke: {what}");
            let cause = FailedCause::OrchestratorInternal;
            (None, Err(Stuck::Trouble(super::worker::Trouble::new(cause, detail))))
        }
    }
}

fn broke(detail: &str) -> NotDone {
    NotDone::Trouble { cause: FailedCause::OrchestratorInternal, detail: detail.to_owned() }
}
