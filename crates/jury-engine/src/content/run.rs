//! Taking runs up again, stopping them, and giving them up.

use jiff::Timestamp;
use jury_core::content::event::{Abandoned, Resumed};
use jury_core::content::{ContentEvent, ContentState, ContentStatus, Step, Tool};
use jury_core::id::RunId;
use jury_core::run::OutcomeWord as _;
use jury_core::run::Wait;
use jury_core::workflow::WorkflowState as _;
use jury_store::{Owner, Store, StoreError};
use tokio_util::sync::CancellationToken;

use super::begin::PersonsDraft;
use super::cast::ContentCast;
use super::effects::Claimed;
use super::refusal::NotResumed;
use crate::EngineError;
use crate::log::Observer;
use crate::stop::stop_claimed;

/// Takes up a run that was paused, could not go on, waits for a person or is between two tools, and drives it until it has
/// ended or waits again. A draft is a person's: it is reviewed by the panel that was chosen. One that waits for a person
/// cannot go on without.
pub async fn resume_content(
    store: &Store,
    owner: &Owner,
    run: RunId,
    draft: Option<PersonsDraft>,
    cast: ContentCast,
    observer: Observer<'_>,
    interrupt: CancellationToken,
) -> Result<ContentState, EngineError> {
    let mut claimed = take_up(store, owner, run, draft, &cast, observer, interrupt).await?;
    let driven = claimed.drive(None).await;
    let released = claimed.release().await;
    driven?;
    Ok(released?)
}

/// Takes a run up and writes that down.
async fn take_up<'a>(
    store: &'a Store,
    owner: &'a Owner,
    run: RunId,
    draft: Option<PersonsDraft>,
    cast: &'a ContentCast,
    observer: Observer<'a>,
    interrupt: CancellationToken,
) -> Result<Claimed<'a>, EngineError> {
    allowed(store, run, draft.is_some()).await?;
    store.claim(run, owner.id(), Timestamp::now()).await?;
    let taken = async {
        let mut claimed = Claimed::load(store, owner, run, cast, observer, interrupt).await?;
        claimed.go_on(draft).await?;
        Ok(claimed)
    }
    .await;
    if taken.is_err() {
        store.let_go(run, Some(owner.id()), Wait::Resume).await.ok();
    }
    taken
}

/// Whether a run may be taken up, with a draft or without.
async fn allowed(store: &Store, run: RunId, with_draft: bool) -> Result<(), EngineError> {
    let row = store.run(run).await?.ok_or_else(|| StoreError::NoSuchRun(run.to_string()))?;
    if row.workflow != ContentState::WORKFLOW {
        return Err(NotResumed::NotContent(run).into());
    }
    let state = store.state::<ContentState>(run).await?;
    may_go_on(run, &state, with_draft).map_err(EngineError::from)
}

fn may_go_on(run: RunId, state: &ContentState, with_draft: bool) -> Result<(), NotResumed> {
    if let Some(standing) = state.ended {
        return Err(NotResumed::Ended { run, standing });
    }
    if with_draft && state.site.deployed.is_some() {
        return Err(NotResumed::Saved(run));
    }
    if state.needs.is_some() && !with_draft {
        return Err(NotResumed::NeedsDraft(run));
    }
    Ok(())
}

impl Claimed<'_> {
    /// Writes down that the run is taken up: with a person's draft, or where it was.
    async fn go_on(&mut self, draft: Option<PersonsDraft>) -> Result<(), EngineError> {
        // Somebody may have been faster between the look and the claim.
        may_go_on(self.log.run, self.state(), draft.is_some())?;
        if self.state().started.is_none() {
            let resumed = ContentEvent::Resumed(Resumed { tool: Some(Tool::GenerateDraft) });
            self.append(vec![resumed]).await?;
            let begun = self.worker()?.begun(draft).await?;
            return Ok(self.append(begun).await?);
        }
        let event = if let Some(draft) = draft {
            let worker = self.worker()?;
            let round = worker.next_round();
            worker.handed_in(round, draft).await?
        } else {
            let mut after = self.state().clone();
            after.apply(&ContentEvent::Resumed(Resumed { tool: None }));
            ContentEvent::Resumed(Resumed { tool: after.next().tool() })
        };
        Ok(self.append(vec![event]).await?)
    }
}

/// Takes a run up and puts it into the queue for whoever has a free place.
pub(crate) async fn hand_over(
    store: &Store,
    owner: &Owner,
    run: RunId,
    draft: Option<PersonsDraft>,
    cast: &ContentCast,
) -> Result<(), EngineError> {
    let nobody = &mut |_: &[jury_core::record::Record]| {};
    let claimed = take_up(store, owner, run, draft, cast, nobody, CancellationToken::new()).await?;
    claimed.release().await?;
    Ok(store.requeue(run).await?)
}

/// Drives a run that its owner has claimed out of the queue. After an error it is still its owner's, who writes down that
/// it cannot go on.
pub(crate) async fn carry_on(
    store: &Store,
    owner: &Owner,
    run: RunId,
    cast: &ContentCast,
    observer: Observer<'_>,
    interrupt: CancellationToken,
) -> Result<ContentState, EngineError> {
    let mut claimed = Claimed::load(store, owner, run, cast, observer, interrupt).await?;
    if claimed.state().next() == Step::AwaitResume {
        claimed.go_on(None).await?;
    }
    claimed.drive(None).await?;
    Ok(claimed.release().await?)
}

/// Pauses a run that nobody drives.
pub async fn pause_content(store: &Store, owner: &Owner, run: RunId) -> Result<ContentState, EngineError> {
    allowed(store, run, true).await?;
    let row = store.claim(run, owner.id(), Timestamp::now()).await?;
    let paused = stop_claimed(store, owner, &row).await;
    if paused.is_err() {
        store.release(run, owner.id(), row.head).await.ok();
    }
    paused?;
    Ok(store.state::<ContentState>(run).await?)
}

/// Gives a run up that nobody drives.
pub async fn abandon_content(
    store: &Store,
    owner: &Owner,
    run: RunId,
    reason: &str,
    observer: Observer<'_>,
) -> Result<ContentState, EngineError> {
    allowed(store, run, false).await.or_else(|error| match error {
        EngineError::NotResumed(NotResumed::NeedsDraft(_)) => Ok(()),
        other @ (EngineError::Store(_) | EngineError::NotResumed(_)) => Err(other),
    })?;
    let row = store.claim(run, owner.id(), Timestamp::now()).await?;
    let abandoned = ContentEvent::Abandoned(Abandoned { reason: reason.to_owned() });
    let noted = note(store, owner, run, |standing| (!standing.is_end()).then_some(abandoned)).await;
    if noted.is_err() {
        store.release(run, owner.id(), row.head).await.ok();
    }
    noted?;
    store.export(run).await?;
    let records = store.records(run).await?;
    let new = records.iter().position(|record| record.seq > row.head).unwrap_or(records.len());
    observer(records.get(new..).unwrap_or_default());
    Ok(store.state::<ContentState>(run).await?)
}

/// Appends an event to a run that is claimed, if it still makes sense; lets it go otherwise. After an error it is still
/// claimed: the scheduler tries again, and others let go.
async fn note(
    store: &Store,
    owner: &Owner,
    run: RunId,
    event: impl FnOnce(ContentStatus) -> Option<ContentEvent>,
) -> Result<(), StoreError> {
    let row = store.run(run).await?.ok_or_else(|| StoreError::NoSuchRun(run.to_string()))?;
    let standing = store.state::<ContentState>(run).await?.status();
    let Some(event) = event(standing) else {
        return store.release(run, owner.id(), row.head).await;
    };
    let records = store.records(run).await?;
    let at = records.last().map_or(jury_core::unit::Millis(0), |record| record.at);
    store.append(run, owner.id(), row.head, &[(at, event.into())]).await.map(drop)
}
