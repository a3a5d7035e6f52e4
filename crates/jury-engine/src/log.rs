//! The way into the log: a bounded mailbox, and the one who empties it.

use std::collections::BTreeMap;

use jury_core::event::Event;
use jury_core::id::{ArtifactId, RunId};
use jury_core::record::Record;
use jury_core::settings::MAILBOX;
use jury_core::unit::{Millis, Round, Seq};
use jury_store::{OwnerId, Store, StoreError};
use tokio::sync::mpsc;
use tracing::{Instrument as _, Span};

use crate::trace;

/// Sees records once they are in the log.
pub type Observer<'a> = &'a mut (dyn FnMut(&[Record]) + Send);

/// Something to be written down, in order.
#[derive(Debug)]
pub(crate) enum Letter {
    /// An event and its time.
    Event(Millis, Box<Event>),
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
            let (mut first, mut rest) = (Vec::new(), Vec::new());
            // One body for each place: an agent that begins again writes the same rounds once more.
            let mut bodies: BTreeMap<Option<Round>, Vec<u8>> = BTreeMap::new();
            for letter in letters.drain(..) {
                match letter {
                    Letter::Event(at, event) if bodies.is_empty() => first.push((at, *event)),
                    Letter::Event(at, event) => rest.push((at, *event)),
                    Letter::KeepRound(round, body) => drop(bodies.insert(Some(round), body)),
                    Letter::KeepFinal(body) => drop(bodies.insert(None, body)),
                }
            }
            // Bytes first: the events that refer to them are appended afterwards. All bodies go to the disk at
            // once, and what was said before the first of them does not wait for it.
            let ship = bodies.contains_key(&None).then(trace::ship_persist);
            let (store, artifact, shipping) = (self.store, self.artifact, ship.as_ref());
            let kept = bodies.iter().map(|(round, body)| async move {
                if let Some(round) = round {
                    let span = trace::persist_round(*round, "draft");
                    store.keep_round(artifact, *round, body).instrument(span).await
                } else {
                    let span = shipping.cloned().unwrap_or_else(Span::none);
                    store.keep_final(artifact, body).instrument(span).await
                }
            });
            let span = trace::append(&first);
            let told = self.append(first, &mut *observer).instrument(span);
            let (kept, told) = tokio::join!(futures_util::future::try_join_all(kept), told);
            told?;
            kept?;
            let span = ship.unwrap_or_else(|| trace::append(&rest));
            self.append(rest, observer).instrument(span).await?;
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
