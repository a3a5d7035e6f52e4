//! The end of a run that nobody drives: it is stopped, or it cannot go on. Its workflow says what is appended.

use jiff::Timestamp;
use jury_core::id::RunId;
use jury_core::outcome::FailedCause;
use jury_core::unit::Millis;
use jury_core::workflow::{WorkflowState, dispatch};
use jury_store::{Owner, RunRow, Store, StoreError};

/// Claims a run and stops it. A conflict when another process drives it.
pub async fn stop(store: &Store, owner: &Owner, run: RunId) -> Result<(), StoreError> {
    let row = store.claim(run, owner.id(), Timestamp::now()).await?;
    stop_claimed(store, owner, &row).await
}

/// Stops a run that its owner has claimed.
pub(crate) async fn stop_claimed(store: &Store, owner: &Owner, row: &RunRow) -> Result<(), StoreError> {
    dispatch!(row.workflow, State => append(store, owner, row, State::withdrawn).await)
}

/// Ends a run that its owner has claimed and that cannot go on, for a reason that is not its own.
pub(crate) async fn fail_claimed(
    store: &Store,
    owner: &Owner,
    row: &RunRow,
    detail: &str,
) -> Result<(), StoreError> {
    let cause = FailedCause::OrchestratorInternal;
    dispatch!(row.workflow, State => {
        append(store, owner, row, |state: &State| state.failed(cause, detail.to_owned())).await
    })
}

/// Appends the event that the state of a claimed run asks for. Without one the run is let go. A transcript that cannot be
/// written now is written by the next recovery.
async fn append<W: WorkflowState>(
    store: &Store,
    owner: &Owner,
    row: &RunRow,
    event: impl FnOnce(&W) -> Option<W::Event>,
) -> Result<(), StoreError> {
    let state = store.state::<W>(row.run).await?;
    let Some(event) = event(&state) else {
        return store.release(row.run, owner.id(), row.head).await;
    };
    let at = store.records(row.run).await?.last().map_or(Millis(0), |record| record.at);
    let ends = W::terminal(&event).is_some();
    store.append(row.run, owner.id(), row.head, &[(at, event.into())]).await?;
    if ends { store.export(row.run).await.map(drop) } else { Ok(()) }
}
