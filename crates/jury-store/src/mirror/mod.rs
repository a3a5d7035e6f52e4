//! The mirror: every run of the content pipeline as keys in a Redis, for those who read it there.
//!
//! | key | value | lives |
//! |---|---|---|
//! | `draft:{runId}` | the current draft, Markdown | two hours |
//! | `critique_round:{runId}:{round}` | what was said and decided in a round, JSON | two hours |
//! | `pipeline_progress:{runId}` | how far it has come, JSON | two hours |
//! | `approved_content:{runId}` | what was kept, JSON | for good |
//! | `active_run:content-critique:{ideaId}:{contentType}` | the run that goes on | two hours, or until it ends |
//!
//! The log stays the truth. One task follows it and writes, for every run that changed, the keys that follow from the
//! run's whole log; so it does not matter how often it writes, what it missed, or whether somebody emptied the Redis.
//! Nothing is handed to the task but the news that the log has grown: whoever appends never waits for it, and a Redis
//! that is gone costs nobody anything. When it is back, all that changed meanwhile is written anew.
//!
//! No key is read to decide about a review. One is asked: whether another machine has a run of the same idea and type.

mod address;
mod claim;
mod follow;
mod link;
mod reflection;
mod state;

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use jury_core::unit::Pos;
use redis::aio::MultiplexedConnection;
use tokio::sync::watch;
use tokio_util::task::TaskTracker;

pub use address::{MirrorAddress, MirrorAddressError};
pub use claim::Claim;
pub use state::MirrorState;

use crate::store::Store;

/// How long keys live that are not for good.
pub const KEPT_FOR: Duration = Duration::from_hours(2);

/// Told when the Redis goes, and when it is back.
pub type Herald = Box<dyn Fn(&MirrorState) + Send + Sync>;

/// The mirror of a store, while it is kept.
#[derive(Debug, Clone)]
pub struct Mirror {
    inner: Arc<Inner>,
    // The last clone that goes ends the task.
    _life: Arc<watch::Sender<()>>,
    /// The task that follows the log: it ends with the last of us.
    _tasks: TaskTracker,
}

/// What the task and those who ask it share.
pub(crate) struct Inner {
    store: Store,
    address: MirrorAddress,
    state: watch::Sender<MirrorState>,
    /// How much of the log is in the Redis.
    reflected: watch::Sender<Pos>,
    /// The connection, while there is one.
    link: std::sync::Mutex<Option<MultiplexedConnection>>,
    herald: Herald,
}

impl std::fmt::Debug for Inner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inner").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Inner {
    fn link(&self) -> Option<MultiplexedConnection> {
        self.link.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set_link(&self, link: Option<MultiplexedConnection>) {
        *self.link.lock().unwrap_or_else(PoisonError::into_inner) = link;
    }

    /// Puts the state down. Whoever is to know hears once of a change.
    fn set_state(&self, new: &MirrorState) {
        let was = self.state.send_replace(new.clone());
        let worth_a_word = match (&was, new) {
            (MirrorState::Gone { .. }, MirrorState::Reachable) => true,
            (MirrorState::Connecting | MirrorState::Reachable, MirrorState::Gone { .. }) => true,
            (_, MirrorState::Connecting | MirrorState::Reachable)
            | (MirrorState::Gone { .. }, MirrorState::Gone { .. }) => false,
        };
        if worth_a_word {
            (self.herald)(new);
        }
    }
}

impl Mirror {
    /// Begins to mirror a store. The Redis need not be there yet.
    pub fn start(store: Store, address: MirrorAddress, herald: Herald) -> Self {
        let (life, ended) = watch::channel(());
        let inner = Arc::new(Inner {
            store,
            address,
            state: watch::Sender::new(MirrorState::Connecting),
            reflected: watch::Sender::new(Pos(0)),
            link: std::sync::Mutex::new(None),
            herald,
        });
        let tasks = TaskTracker::new();
        tasks.spawn(follow::follow(Arc::clone(&inner), ended));
        Self { inner, _life: Arc::new(life), _tasks: tasks }
    }

    /// Where it is, without anything that is secret.
    pub fn address(&self) -> &MirrorAddress {
        &self.inner.address
    }

    /// Whether the Redis is reachable.
    pub fn state(&self) -> MirrorState {
        self.inner.state.borrow().clone()
    }

    /// Waits until it stands like this.
    pub async fn stands(&self, wanted: impl FnMut(&MirrorState) -> bool) -> MirrorState {
        let mut state = self.inner.state.subscribe();
        let found = state.wait_for(wanted).await.map(|state| state.clone());
        // The sender lives as long as we do.
        found.unwrap_or(MirrorState::Connecting)
    }

    /// Waits until all that is in the log now is in the Redis, so long and not longer. Whether it is.
    pub async fn settle(&self, patience: Duration) -> bool {
        let Ok(head) = self.inner.store.head().await else { return false };
        let mut reflected = self.inner.reflected.subscribe();
        let mut state = self.inner.state.subscribe();
        let settled = async {
            tokio::select! {
                seen = reflected.wait_for(|pos| *pos >= head) => seen.is_ok(),
                // Nobody waits for one that is gone.
                _ = state.wait_for(|state| matches!(state, MirrorState::Gone { .. })) => false,
            }
        };
        tokio::time::timeout(patience, settled).await.unwrap_or(false)
    }
}
