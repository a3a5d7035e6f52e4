//! Whoever does steps of a run: its log and state, what was asked for, and who is there to do it.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures_util::FutureExt as _;
use jiff::Timestamp;
use jury_core::artifact::{Blob, Digest};
use jury_core::content::event::{Halted, PauseReason, Paused};
use jury_core::content::{ContentEvent, ContentRequest, ContentState, Draft, Standing, Step, Tool};
use jury_core::event::Event;
use jury_core::id::{ArtifactId, RunId};
use jury_core::outcome::FailedCause;
use jury_core::record::Record;
use jury_core::unit::{Millis, Round, Seq};
use jury_store::{Owner, RunRow, Store, StoreError};
use tokio_util::sync::CancellationToken;

use super::desk::ContentDesk;
use super::line::{Line, Purse};
use super::refusal::NotResumed;
use crate::EngineError;
use crate::log::Observer;

/// Does steps of a run that is its owner's.
pub(super) struct Worker<'a> {
    pub(super) store: &'a Store,
    pub(super) owner: &'a Owner,
    pub(super) run: RunId,
    pub(super) artifact: ArtifactId,
    pub(super) head: Seq,
    /// Whether the claim is still ours: an event that says that the run waits gives it back.
    held: bool,
    pub(super) began: Timestamp,
    pub(super) studio: ContentState,
    pub(super) request: ContentRequest,
    pub(super) desk: &'a ContentDesk,
    pub(super) observer: Observer<'a>,
    pub(super) interrupt: CancellationToken,
}

/// Why a step could not be done. It is written down, and the run can be taken up there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Trouble {
    pub(super) cause: FailedCause,
    pub(super) detail: String,
}

impl Trouble {
    pub(super) fn new(cause: FailedCause, detail: impl Into<String>) -> Self {
        Self { cause, detail: detail.into() }
    }
}

/// What came of a step.
#[derive(Debug)]
pub(super) enum Stuck {
    /// It could not be done.
    Trouble(Trouble),
    /// It was stopped. What had arrived is in the log.
    Interrupted,
    /// It could not be written down.
    Store(StoreError),
}

impl From<StoreError> for Stuck {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<Trouble> for Stuck {
    fn from(trouble: Trouble) -> Self {
        Self::Trouble(trouble)
    }
}

impl<'a> Worker<'a> {
    /// Reads a run that its owner has claimed.
    pub(super) async fn load(
        store: &'a Store,
        owner: &'a Owner,
        run: RunId,
        desk: &'a ContentDesk,
        observer: Observer<'a>,
        interrupt: CancellationToken,
    ) -> Result<Self, EngineError> {
        let row = store.run(run).await?.ok_or_else(|| StoreError::NoSuchRun(run.to_string()))?;
        let request = store.request::<ContentState>(run).await?.ok_or(NotResumed::NotContent(run))?;
        let studio = store.state::<ContentState>(run).await?;
        let RunRow { artifact, head, started_at, created_at, .. } = row;
        let began = started_at.unwrap_or(created_at);
        let held = true;
        Ok(Self {
            store,
            owner,
            run,
            artifact,
            head,
            held,
            began,
            studio,
            request,
            desk,
            observer,
            interrupt,
        })
    }

    fn now(&self) -> Millis {
        let passed = Timestamp::now().as_millisecond().saturating_sub(self.began.as_millisecond());
        Millis(u64::try_from(passed).unwrap_or(0))
    }

    /// Writes events down, all or none, and takes them in.
    pub(super) async fn append(&mut self, events: Vec<ContentEvent>) -> Result<(), StoreError> {
        let at = self.now();
        let events: Vec<(Millis, Event)> =
            events.into_iter().map(|event| (at, Event::Content(event))).collect();
        let mut seq = self.head;
        self.head = self.store.append(self.run, self.owner.id(), seq, &events).await?.head;
        let mut records = Vec::with_capacity(events.len());
        for (at, event) in events {
            seq = seq.next();
            if let Event::Content(event) = &event {
                self.studio.apply(event);
            }
            records.push(Record { seq, at, run_id: self.run, event });
        }
        self.held = self.studio.standing() == Standing::Running;
        (self.observer)(&records);
        Ok(())
    }

    /// Does steps until the run has ended or waits for somebody.
    pub(super) async fn drive(&mut self) -> Result<(), StoreError> {
        loop {
            let next = self.studio.next();
            if matches!(next, Step::AwaitPerson | Step::AwaitResume | Step::Done) {
                return Ok(());
            }
            self.once(next).await?;
        }
    }

    /// Does one step, whatever happens in it, and writes down what came of it: the result, that it was stopped, or what
    /// keeps it from being done.
    pub(super) async fn once(&mut self, step: Step) -> Result<(), StoreError> {
        if self.interrupt.is_cancelled() {
            return self.pause().await;
        }
        let (tool, before) = (step.tool().unwrap_or(Tool::GenerateDraft), self.head);
        let done = AssertUnwindSafe(self.step(step)).catch_unwind().await;
        match done {
            Ok(Ok(())) if self.head > before => Ok(()),
            // A step that changes nothing would be done for ever.
            Ok(Ok(())) => {
                self.halt(tool, Trouble::new(FailedCause::OrchestratorInternal, "the step changed nothing"))
                    .await
            }
            Ok(Err(Stuck::Interrupted)) => self.pause().await,
            Ok(Err(Stuck::Trouble(trouble))) => self.halt(tool, trouble).await,
            Ok(Err(Stuck::Store(error))) => Err(error),
            Err(panic) => {
                let what = panic
                    .downcast_ref::<&str>()
                    .map(|text| (*text).to_owned())
                    .or_else(|| panic.downcast_ref::<String>().cloned())
                    .unwrap_or_default();
                let detail = format!("the program broke: {what}");
                self.halt(tool, Trouble::new(FailedCause::OrchestratorInternal, detail)).await
            }
        }
    }

    async fn pause(&mut self) -> Result<(), StoreError> {
        self.append(vec![ContentEvent::Paused(Paused { reason: PauseReason::Asked })]).await
    }

    async fn halt(&mut self, tool: Tool, trouble: Trouble) -> Result<(), StoreError> {
        // It may have been written down as stuck by the step itself.
        if self.studio.standing() != Standing::Running {
            return Ok(());
        }
        let Trouble { cause, detail } = trouble;
        self.append(vec![ContentEvent::Halted(Halted { tool, cause, detail })]).await
    }

    /// Lets the run go, as far as it is still held, and writes the transcript of one that has ended. An event that says
    /// that the run waits has let it go already, and by now it may be claimed anew in the same name.
    pub(super) async fn release(&mut self) -> Result<(), StoreError> {
        if self.studio.ended.is_some() {
            return self.store.export(self.run).await.map(drop);
        }
        if !self.held {
            return Ok(());
        }
        self.store.release(self.run, self.owner.id(), self.head).await
    }

    /// The line to the agent of the run.
    pub(super) fn line(&self) -> Result<Line, Trouble> {
        let ask = self.desk.agent.clone().ok_or_else(|| {
            let detail = "nobody is there to be asked; take the run up with its agent";
            Trouble::new(FailedCause::SpawnFailed, detail)
        })?;
        Ok(Line {
            ask,
            purse: Purse::new(&self.request, self.studio.usage),
            spool: self.store.dir().to_owned(),
            patience: Duration::from_secs(self.request.call_seconds.max(1)),
            stop: self.interrupt.clone(),
        })
    }

    /// The number of the next draft.
    pub(super) fn next_round(&self) -> Round {
        self.studio.rounds.last().map_or(Round(1), |round| round.round.next())
    }

    /// Keeps the body of a draft; the event that speaks of it comes afterwards.
    pub(super) async fn keep(&mut self, round: Round, draft: &Draft) -> Result<Blob, StoreError> {
        let bytes = draft.bytes();
        self.store.keep_round(self.artifact, round, &bytes).await?;
        Ok(Blob::of(&bytes, draft.mime()))
    }

    /// The draft of a round. A body that is not the log's is nobody's draft.
    pub(super) async fn draft(&mut self, round: Round) -> Result<Draft, Stuck> {
        let gone = |why: &str| {
            let detail = format!("the draft of round {round} {why}; restore it or give the run up");
            Trouble::new(FailedCause::OrchestratorInternal, detail)
        };
        let blob = self.studio.round(round).map(|state| state.draft.clone());
        let blob = blob.ok_or_else(|| gone("is not in the log"))?;
        let body = self.store.read_round(self.artifact, round).await?.ok_or_else(|| gone("is gone"))?;
        if Digest::of(&body) != blob.sha256 {
            return Err(gone("was changed in its file").into());
        }
        Ok(Draft::read(&body, &blob.mime).ok_or_else(|| gone("cannot be read"))?)
    }
}

/// How many words a draft has.
pub(super) fn words(draft: &Draft) -> u64 {
    draft.markdown().split_whitespace().count() as u64
}
