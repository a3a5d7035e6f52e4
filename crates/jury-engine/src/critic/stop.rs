//! The end of a run that waits for a person, without an answer.

use jiff::Timestamp;
use jury_core::critic::{CriticEvent, CriticInterrupted};
use jury_core::event::Event;
use jury_core::id::RunId;
use jury_core::unit::Millis;
use jury_store::{Owner, Store, StoreError};

/// Takes a run that nobody drives and ends it as interrupted. A conflict when somebody drives it.
pub async fn stop_critic(store: &Store, owner: &Owner, run: RunId) -> Result<(), StoreError> {
    let row = store.claim(run, owner.id(), Timestamp::now()).await?;
    let tally = store.docket(run).await?.tally();
    let at = store.records(run).await?.last().map_or(Millis(0), |record| record.at);
    let end = CriticEvent::Interrupted(CriticInterrupted { tally, recovery_reason: None });
    store.append(run, owner.id(), row.head, &[(at, Event::Critic(end))]).await?;
    store.export(run).await.map(drop)
}
