//! The way into the log: a bounded mailbox, and the one who empties it.

use jury_core::event::Event;
use jury_core::id::{ArtifactId, RunId};
use jury_core::record::Record;
use jury_core::settings::MAILBOX;
use jury_core::unit::{Millis, Round, Seq};
use jury_store::{OwnerId, Store, StoreError};
use tokio::sync::mpsc;
use tracing::Instrument as _;

use crate::trace;

/// Sees records once they are in the log.
pub type Observer<'a> = &'a mut (dyn FnMut(&[Record]) + Send);

/// Something to be written down, in order.
#[derive(Debug)]
pub(crate) enum Letter {
    /// An event and its time.
    Event(Millis, Event),
    /// The draft of a round. Comes before the event that refers to it.
    KeepRound(Round, Vec<u8>),
    /// The artifact that is handed over. Comes before the event that refers to it.
    KeepFinal(Vec<u8>),
}

pub(crate) fn mailbox() -> (mpsc::Sender<Letter>, mpsc::Receiver<Letter>) {
    mpsc::channel(MAILBOX)
}

/// Where a run is written down.
#[derive(Debug)]
pub(crate) struct Log<'a> {
    pub(crate) store: &'a Store,
    pub(crate) owner: OwnerId,
    pub(crate) run: RunId,
    pub(crate) artifact: ArtifactId,
    pub(crate) head: Seq,
}

impl Log<'_> {
    /// Empties the mailbox until it is closed. Everything that waits is one transaction.
    pub(crate) async fn keep(
        &mut self,
        mut mailbox: mpsc::Receiver<Letter>,
        observer: Observer<'_>,
    ) -> Result<(), StoreError> {
        let mut letters = Vec::with_capacity(MAILBOX);
        while mailbox.recv_many(&mut letters, MAILBOX).await > 0 {
            let mut events = Vec::with_capacity(letters.len());
            let mut ship = None;
            for letter in letters.drain(..) {
                match letter {
                    Letter::Event(at, event) => events.push((at, event)),
                    // Bytes first: the event that refers to them is appended afterwards.
                    Letter::KeepRound(round, body) => {
                        let span = trace::persist_round(round, "draft");
                        self.store.keep_round(self.artifact, round, &body).instrument(span).await?;
                    }
                    Letter::KeepFinal(body) => {
                        let span = ship.insert(trace::ship_persist()).clone();
                        self.store.keep_final(self.artifact, &body).instrument(span).await?;
                    }
                }
            }
            let span = ship.unwrap_or_else(|| trace::append(&events));
            self.append(events, observer).instrument(span).await?;
        }
        Ok(())
    }

    async fn append(
        &mut self,
        events: Vec<(Millis, Event)>,
        observer: &mut (dyn FnMut(&[Record]) + Send),
    ) -> Result<(), StoreError> {
        if events.is_empty() {
            return Ok(());
        }
        let before = self.head;
        self.head = self.store.append(self.run, self.owner, before, &events).await?.head;
        let mut seq = before;
        let records: Vec<Record> = events
            .into_iter()
            .map(|(at, event)| {
                seq = seq.next();
                Record { seq, at, run_id: self.run, event }
            })
            .collect();
        observer(&records);
        Ok(())
    }
}
