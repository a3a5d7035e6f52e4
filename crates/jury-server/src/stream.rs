//! A live stream: a cursor on the log, and whoever reads it at their own pace.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;
use bytes::{Bytes, BytesMut};
use futures_util::stream;
use jury_core::unit::{Millis, Pos};
use tokio::sync::watch;

use crate::feed::{Scope, Taken, frame};
use crate::metrics;
use crate::server::Shared;

/// How many events one who is behind reads at once. An event can be as large as a block.
const BEHIND: u32 = 64;

/// How soon a browser comes back after it lost the stream.
const RETRY: &[u8] = b"retry: 1000\n\n";

/// One who looks on. Counted for as long as the value lives.
#[derive(Debug)]
struct Seat(Arc<AtomicUsize>);

impl Seat {
    fn take(viewers: &Arc<AtomicUsize>, most: usize) -> Option<Self> {
        viewers
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |taken| (taken < most).then_some(taken + 1))
            .ok()
            .map(|_| Self(Arc::clone(viewers)))
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A viewer: where it stands, and what it wants.
struct Viewer {
    shared: Shared,
    scope: Scope,
    cursor: Pos,
    head: watch::Receiver<Pos>,
    greeted: bool,
    /// Counts it, and what it waits.
    counted: metrics::Viewer,
    _seat: Seat,
}

/// The stream of a scope after a position. None when there are too many viewers already.
pub(crate) fn open(shared: &Shared, scope: Scope, after: Pos) -> Option<Response> {
    let seat = Seat::take(&shared.viewers, shared.limits.viewers)?;
    let viewer = Viewer {
        head: shared.feed.head(),
        shared: shared.clone(),
        scope,
        cursor: after,
        greeted: false,
        counted: shared.metrics.viewer(),
        _seat: seat,
    };
    let pieces = stream::unfold(viewer, |mut viewer| async move {
        let piece = viewer.next().await?;
        Some((Ok::<_, Infallible>(piece), viewer))
    });
    let mut response = Response::new(Body::from_stream(pieces));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // A proxy that collects a stream before it passes it on makes it no stream.
    headers.insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    Some(response)
}

impl Viewer {
    /// The next piece of output. None when the daemon ends.
    async fn next(&mut self) -> Option<Bytes> {
        if !self.greeted {
            // Something at once: whoever waits for the first byte knows that the stream is open.
            self.greeted = true;
            return Some(Bytes::from_static(RETRY));
        }
        let mut last = false;
        loop {
            // Marked as seen before looking: what comes in between wakes us again.
            self.head.borrow_and_update();
            let (piece, at) = match self.shared.feed.take(self.cursor, &self.scope) {
                Taken::Piece { piece, at, oldest } => {
                    if let Some(oldest) = oldest {
                        let lag = u64::try_from(oldest.elapsed().as_millis()).unwrap_or(u64::MAX);
                        self.counted.saw(Millis(lag));
                    }
                    (piece, at)
                }
                Taken::Behind => self.read_log().await?,
            };
            let moved = at > self.cursor;
            self.cursor = self.cursor.max(at);
            if !piece.is_empty() {
                return Some(piece);
            }
            if moved {
                continue;
            }
            if last {
                return None;
            }
            tokio::select! {
                () = self.shared.feed.over() => last = true,
                changed = self.head.changed() => changed.ok()?,
                () = tokio::time::sleep(self.shared.limits.heartbeat) => return Some(Bytes::from_static(b": alive\n\n")),
            }
        }
    }

    /// A piece from the log itself, for one who is behind the feed.
    async fn read_log(&self) -> Option<(Bytes, Pos)> {
        // What the feed had when we looked is what we may jump to if the scope has nothing more before it.
        let known = *self.shared.feed.head().borrow();
        let entries =
            self.shared.store.project_feed(&self.scope.project, self.scope.run, self.cursor, BEHIND).await;
        let entries = match entries {
            Ok(entries) => entries,
            Err(error) => {
                // The viewer comes back with its position and loses nothing.
                tracing::error!(target: "jury::feed", kind = error.kind(), error = %error, "a stream cannot read the log");
                return None;
            }
        };
        let mut piece = BytesMut::new();
        for entry in &entries {
            piece.extend_from_slice(&frame(entry));
        }
        let at = match entries.last() {
            Some(last) if entries.len() >= BEHIND as usize => last.pos,
            Some(last) => last.pos.max(known),
            None => known,
        };
        Some((piece.freeze(), at))
    }
}
