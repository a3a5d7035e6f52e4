//! Does the steps of a run: its state, what was asked for, and everybody who is asked.
//!
//! A worker does not write to the log. It hands what came of a step to whoever drives the run, and goes on when that is in
//! the log.

use std::time::Duration;

use jury_core::artifact::{Blob, Digest};
use jury_core::content::machine::Stuck as NotDone;
use jury_core::content::{ContentEvent, ContentRequest, ContentState, Draft};
use jury_core::id::{ArtifactId, RunId};
use jury_core::outcome::FailedCause;
use jury_core::unit::Round;
use jury_store::{Store, StoreError};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::agent_line::{AgentLine, RunBudget};
use super::cast::ContentCast;

/// Facts that came of a step, and who is told when they are in the log.
pub(super) type Mail = (Vec<ContentEvent>, oneshot::Sender<()>);

/// Does steps of a run.
pub(super) struct Worker<'a> {
    pub(super) store: &'a Store,
    pub(super) run: RunId,
    pub(super) artifact: ArtifactId,
    pub(super) state: ContentState,
    pub(super) request: ContentRequest,
    pub(super) cast: &'a ContentCast,
    pub(super) interrupt: CancellationToken,
    pub(super) mail: mpsc::Sender<Mail>,
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
    /// Something could not be kept.
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

impl From<Trouble> for NotDone {
    fn from(trouble: Trouble) -> Self {
        Self::Trouble { cause: trouble.cause, detail: trouble.detail }
    }
}

impl Worker<'_> {
    /// Hands facts over, and waits until they are in the log.
    pub(super) async fn append(&mut self, events: Vec<ContentEvent>) -> Result<(), Stuck> {
        for event in &events {
            self.state.apply(event);
        }
        let (kept, in_the_log) = oneshot::channel();
        // A log that takes nothing any more says so to whoever drives the run, and ends this as well.
        self.mail.send((events, kept)).await.map_err(|_| Stuck::Interrupted)?;
        in_the_log.await.map_err(|_| Stuck::Interrupted)
    }

    /// The line to the agent of the run.
    pub(super) fn line(&self) -> Result<AgentLine, Trouble> {
        let ask = self.cast.agent.clone().ok_or_else(|| {
            let detail = "nobody is there to be asked; take the run up with its agent";
            Trouble::new(FailedCause::SpawnFailed, detail)
        })?;
        Ok(AgentLine {
            ask,
            budget: RunBudget::new(&self.request, self.state.usage),
            spool: self.store.dir().to_owned(),
            patience: Duration::from_secs(self.request.call_seconds.max(1)),
            stop: self.interrupt.clone(),
        })
    }

    /// The number of the next draft.
    pub(super) fn next_round(&self) -> Round {
        self.state.rounds.last().map_or(Round(1), |round| round.round.next())
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
        let blob = self.state.round(round).map(|state| state.draft.clone());
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
