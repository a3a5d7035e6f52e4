//! The way into the log of one run: a bounded mailbox, and the task that empties it.

use std::collections::BTreeMap;

use jury_core::event::Event;
use jury_core::id::{ArtifactId, RunId};
use jury_core::record::Record;
use jury_core::settings::MAILBOX;
use jury_core::unit::{Millis, Round, Seq};
use jury_store::{OwnerId, Store, StoreError};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Duration, Instant};
use tracing::{Instrument as _, Span};

use crate::trace::Spans;

/// Sees records once they are in the log.
pub type Observer<'a> = &'a mut (dyn FnMut(&[Record]) + Send);

/// Something to be written down, in order.
#[derive(Debug)]
pub(crate) enum LogMessage {
    /// An event and its time.
    Event(Millis, Box<Event>),
    /// The draft of a round. Comes before the event that refers to it.
    KeepRound(Round, Vec<u8>),
    /// The artifact that is handed over. Comes before the event that refers to it.
    KeepFinal(Vec<u8>),
    /// Tells that everything before it is on disk.
    Barrier(oneshot::Sender<()>),
}

/// The mailbox of a run. Whoever posts waits while it is full, so a slow log slows the parser and never the agent.
#[derive(Debug)]
pub(crate) struct Mailbox(mpsc::Sender<LogMessage>);

/// The log takes nothing any more; the reason is with the task that writes it.
#[derive(Debug)]
pub(crate) struct LogClosed;

pub(crate) fn mailbox() -> (Mailbox, mpsc::Receiver<LogMessage>) {
    let (sender, receiver) = mpsc::channel(MAILBOX);
    (Mailbox(sender), receiver)
}

impl Mailbox {
    pub(crate) async fn post(&self, message: LogMessage) -> Result<(), LogClosed> {
        self.0.send(message).await.map_err(|_| LogClosed)
    }

    /// Waits until everything that was posted is on disk.
    pub(crate) async fn barrier(&self) -> Result<(), LogClosed> {
        let (tell, told) = oneshot::channel();
        self.post(LogMessage::Barrier(tell)).await?;
        told.await.map_err(|_| LogClosed)
    }

    /// Waits until the log takes nothing any more. While nothing happens in a run, nobody else would notice.
    pub(crate) async fn closed(&self) {
        self.0.closed().await;
    }
}

/// When a run began, and so what time it is in it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RunClock(pub(crate) Instant);

impl RunClock {
    /// How long the run has gone on.
    pub(crate) fn now(self) -> Millis {
        Millis(u64::try_from(self.0.elapsed().as_millis()).unwrap_or(u64::MAX))
    }

    /// The instant of a moment of the run.
    pub(crate) fn moment(self, at: Millis) -> Instant {
        self.0 + Duration::from_millis(at.0)
    }
}

/// Where a run is written down.
pub(crate) struct Log<'a> {
    pub(crate) store: &'a Store,
    pub(crate) owner: OwnerId,
    pub(crate) run: RunId,
    pub(crate) artifact: ArtifactId,
    pub(crate) head: Seq,
    pub(crate) clock: RunClock,
    pub(crate) observer: Observer<'a>,
}

impl Log<'_> {
    /// Empties the mailbox until it is closed. Everything that waits is one transaction.
    pub(crate) async fn keep(
        &mut self,
        mut mailbox: mpsc::Receiver<LogMessage>,
        spans: Spans,
    ) -> Result<(), StoreError> {
        let mut messages = Vec::with_capacity(MAILBOX);
        while mailbox.recv_many(&mut messages, MAILBOX).await > 0 {
            let (mut first, mut rest, mut waiting) = (Vec::new(), Vec::new(), Vec::new());
            // One body for each place: an agent that begins again writes the same rounds once more.
            let mut bodies: BTreeMap<Option<Round>, Vec<u8>> = BTreeMap::new();
            for message in messages.drain(..) {
                match message {
                    LogMessage::Event(at, event) if bodies.is_empty() => first.push((at, *event)),
                    LogMessage::Event(at, event) => rest.push((at, *event)),
                    LogMessage::KeepRound(round, body) => drop(bodies.insert(Some(round), body)),
                    LogMessage::KeepFinal(body) => drop(bodies.insert(None, body)),
                    LogMessage::Barrier(tell) => waiting.push(tell),
                }
            }
            // Bytes first: the events that refer to them are appended afterwards. All bodies go to the disk at
            // once, and what was said before the first of them does not wait for it.
            let ship = bodies.contains_key(&None).then(|| spans.ship_persist());
            let (store, artifact, shipping) = (self.store, self.artifact, ship.as_ref());
            let kept = bodies.iter().map(|(round, body)| async move {
                if let Some(round) = round {
                    let span = spans.persist_round(*round, "draft");
                    store.keep_round(artifact, *round, body).instrument(span).await
                } else {
                    let span = shipping.cloned().unwrap_or_else(Span::none);
                    store.keep_final(artifact, body).instrument(span).await
                }
            });
            let span = spans.append(&first);
            let told = self.append(first).instrument(span);
            let (kept, told) = tokio::join!(futures_util::future::try_join_all(kept), told);
            told?;
            kept?;
            let span = ship.unwrap_or_else(|| spans.append(&rest));
            self.append(rest).instrument(span).await?;
            for tell in waiting {
                tell.send(()).ok();
            }
        }
        Ok(())
    }

    /// Appends events, all or none, and shows them.
    pub(crate) async fn append(&mut self, events: Vec<(Millis, Event)>) -> Result<(), StoreError> {
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
        (self.observer)(&records);
        Ok(())
    }
}
