//! The feed: one task reads what is new in the log and keeps the last of it ready to be sent. Viewers take from
//! it by position. It is a cache of the log and nothing else: what is not in it is in the log.

use std::collections::VecDeque;
use std::sync::{PoisonError, RwLock};
use std::time::{Duration, Instant};

use bytes::{Bytes, BytesMut};
use jury_core::id::{ProjectId, RunId};
use jury_core::record::Record;
use jury_core::unit::Pos;
use jury_store::{FeedEntry, Store, StoreError};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// How much of the log is kept ready.
const KEPT: usize = 2 * 1024 * 1024;

/// How many events are read at once.
pub(crate) const PAGE: u32 = 256;

/// How much a viewer takes at once.
const PIECE: usize = 64 * 1024;

/// How often the log is looked at for what other processes appended.
const LOOK: Duration = Duration::from_millis(500);

/// Which events a viewer wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Scope {
    /// Those of this project.
    pub(crate) project: ProjectId,
    /// Of one run only.
    pub(crate) run: Option<RunId>,
}

impl Scope {
    fn holds(&self, project: &ProjectId, run: RunId) -> bool {
        self.run.is_none_or(|wanted| wanted == run) && self.project == *project
    }
}

/// What there is for a viewer at a position.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    /// The next frames, perhaps none yet.
    Piece {
        /// Frames, ready to be sent.
        piece: Bytes,
        /// The position they lead to.
        at: Pos,
        /// When the first of them was read from the log.
        oldest: Option<Instant>,
    },
    /// The position is older than what is kept: read the log.
    Behind,
}

/// An event as it is sent.
#[derive(Debug)]
struct Frame {
    pos: Pos,
    project: ProjectId,
    run: RunId,
    bytes: Bytes,
    read: Instant,
}

/// The last of the log: everything after `after` up to `head`.
#[derive(Debug, Default)]
struct Ring {
    after: Pos,
    head: Pos,
    frames: VecDeque<Frame>,
    bytes: usize,
}

/// The newest part of the log, ready to be sent.
#[derive(Debug)]
pub(crate) struct Feed {
    ring: RwLock<Ring>,
    head: watch::Sender<Pos>,
    /// Cancelled when nothing more comes.
    over: CancellationToken,
}

impl Feed {
    /// A feed that begins after a position.
    pub(crate) fn new(after: Pos) -> Self {
        let ring = Ring { after, head: after, ..Ring::default() };
        Self { ring: RwLock::new(ring), head: watch::Sender::new(after), over: CancellationToken::new() }
    }

    /// Tells how far the feed is, and when it gets further.
    pub(crate) fn head(&self) -> watch::Receiver<Pos> {
        self.head.subscribe()
    }

    /// Waits until nothing more comes. Everything that was read is there to be taken by then.
    pub(crate) async fn over(&self) {
        self.over.cancelled().await;
    }

    /// Reads what is new until it is told to stop. Everybody who wants to know about events looks on.
    pub(crate) async fn run(
        &self,
        store: &Store,
        stop: CancellationToken,
        mut look_on: impl FnMut(&Record) + Send,
    ) {
        let mut appended = store.appended();
        let mut last = false;
        loop {
            if let Err(error) = self.catch_up(store, &mut look_on).await {
                tracing::error!(target: "jury::feed", kind = error.kind(), error = %error, "the log cannot be read");
            }
            if last {
                self.over.cancel();
                return;
            }
            tokio::select! {
                () = stop.cancelled() => last = true,
                _ = appended.changed() => {}
                () = tokio::time::sleep(LOOK) => {}
            }
        }
    }

    async fn catch_up(
        &self,
        store: &Store,
        look_on: &mut (impl FnMut(&Record) + Send),
    ) -> Result<(), StoreError> {
        loop {
            let after = self.ring.read().unwrap_or_else(PoisonError::into_inner).head;
            let entries = store.feed(after, PAGE).await?;
            let full = entries.len() >= PAGE as usize;
            for entry in &entries {
                look_on(&entry.record);
            }
            if let Some(last) = entries.last() {
                let head = last.pos;
                self.ring.write().unwrap_or_else(PoisonError::into_inner).extend(entries, Instant::now());
                self.head.send_replace(head);
            }
            if !full {
                return Ok(());
            }
        }
    }

    /// What there is for a viewer after a position.
    pub(crate) fn take(&self, after: Pos, scope: &Scope) -> Taken {
        self.ring.read().unwrap_or_else(PoisonError::into_inner).take(after, scope)
    }
}

impl Ring {
    fn extend(&mut self, entries: Vec<FeedEntry>, read: Instant) {
        for entry in entries {
            self.head = entry.pos;
            let bytes = frame(&entry);
            self.bytes += bytes.len();
            let FeedEntry { pos, project, record } = entry;
            self.frames.push_back(Frame { pos, project, run: record.run_id, bytes, read });
        }
        while self.bytes > KEPT
            && let Some(frame) = self.frames.pop_front()
        {
            self.bytes -= frame.bytes.len();
            self.after = frame.pos;
        }
    }

    fn take(&self, after: Pos, scope: &Scope) -> Taken {
        if after < self.after {
            return Taken::Behind;
        }
        let start = self.frames.partition_point(|frame| frame.pos <= after);
        let mut piece = BytesMut::new();
        let mut at = after.max(self.head);
        let mut oldest = None;
        for frame in self.frames.range(start..) {
            if piece.len() >= PIECE {
                break;
            }
            at = frame.pos;
            if scope.holds(&frame.project, frame.run) {
                piece.extend_from_slice(&frame.bytes);
                oldest = oldest.or(Some(frame.read));
            }
        }
        Taken::Piece { piece: piece.freeze(), at, oldest }
    }
}

/// An event as the stream has it. A record is one line of JSON, so it is one line of data.
pub(crate) fn frame(entry: &FeedEntry) -> Bytes {
    let line = entry.record.to_line().unwrap_or_default();
    let kind = entry.record.event.kind();
    Bytes::from(format!("id: {}\nevent: {kind}\ndata: {line}\n\n", entry.pos.0))
}

#[cfg(test)]
mod tests {
    use jury_core::event::{PanelistOpen, TheaterEvent};
    use jury_core::role::Role;
    use jury_core::unit::{Millis, Round, Seq};
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    fn entry(pos: u64, run: u128) -> FeedEntry {
        let event = TheaterEvent::PanelistOpen(PanelistOpen { round: Round(1), role: Role::Critic }).into();
        FeedEntry {
            pos: Pos(pos),
            project: format!("p{}", run % 2).parse().unwrap(),
            record: Record { seq: Seq(pos), at: Millis(pos), run_id: RunId(Uuid::from_u128(run)), event },
        }
    }

    fn scope(run: Option<u128>, project: u8) -> Scope {
        Scope {
            project: format!("p{project}").parse().unwrap(),
            run: run.map(|run| RunId(Uuid::from_u128(run))),
        }
    }

    fn ids(bytes: &[u8]) -> Vec<u64> {
        let text = std::str::from_utf8(bytes).unwrap();
        text.lines().filter_map(|line| line.strip_prefix("id: ")).map(|id| id.parse().unwrap()).collect()
    }

    #[test]
    fn a_frame_is_what_a_browser_reads() {
        let text = String::from_utf8(frame(&entry(7, 1)).to_vec()).unwrap();
        let line = entry(7, 1).record.to_line().unwrap();
        assert_eq!(text, format!("id: 7\nevent: critique.panelist_open\ndata: {line}\n\n"));
    }

    #[test]
    fn what_is_no_longer_kept_must_be_read_from_the_log() {
        let mut ring = Ring::default();
        ring.extend((1..=80_000).map(|pos| entry(pos, 1)).collect(), Instant::now());
        assert!(ring.bytes <= KEPT);
        assert_eq!(ring.take(Pos(0), &scope(None, 1)), Taken::Behind);
        assert!(matches!(ring.take(ring.after, &scope(None, 1)), Taken::Piece { .. }));
    }

    proptest! {
        /// However a viewer comes and goes, it gets every event of its scope once and in order.
        #[test]
        fn a_cursor_misses_nothing_and_repeats_nothing(
            runs in prop::collection::vec(0_u128..4, 1..400),
            batches in prop::collection::vec(1_usize..20, 1..60),
            wanted in prop::option::of(0_u128..4),
        ) {
            let entries: Vec<FeedEntry> = runs.iter().zip(1..).map(|(run, pos)| entry(pos, *run)).collect();
            let scope = scope(wanted, u8::try_from(wanted.unwrap_or(0) % 2).unwrap());
            let expected: Vec<u64> = entries
                .iter()
                .filter(|entry| scope.holds(&entry.project, entry.record.run_id))
                .map(|entry| entry.pos.0)
                .collect();
            let mut ring = Ring::default();
            let (mut rest, mut got, mut cursor) = (entries.as_slice(), Vec::new(), Pos(0));
            for size in batches.into_iter().chain([usize::MAX]) {
                let (now, later) = rest.split_at(size.min(rest.len()));
                rest = later;
                ring.extend(now.to_vec(), Instant::now());
                loop {
                    let Taken::Piece { piece, at, .. } = ring.take(cursor, &scope) else { panic!("nothing was dropped") };
                    got.extend(ids(&piece));
                    prop_assert!(at >= cursor);
                    if at == cursor { break; }
                    cursor = at;
                }
            }
            prop_assert_eq!(got, expected);
        }
    }
}
