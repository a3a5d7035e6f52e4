//! The server: what all requests share, and its life from the first connection to the last.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use jury_core::record::Record;
use jury_core::unit::{Pos, Seq};
use jury_engine::Scheduler;
use jury_learning::files::JudgementIndex;
use jury_store::{Store, StoreError};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::access::AccessRules;
use crate::context::ServerContext;
use crate::feed::{Feed, PAGE};
use crate::metrics::Metrics;
use crate::{connection, journal, router};

/// For how long a look at the files of the judge is good enough: a page asks several times within it.
const LOOK: Duration = Duration::from_secs(1);

/// What is too much.
#[derive(Debug, Clone)]
pub struct ServerLimits {
    /// Bytes of a request's body.
    pub body: usize,
    /// The connections that may be open at once.
    pub connections: usize,
    /// Live streams at once.
    pub viewers: usize,
    /// Requests that are worked on at once, live streams aside.
    pub requests: usize,
    /// How long a client may take to send the head of a request, and to ask again on a connection.
    pub head: Duration,
    /// How long a client may take to send the body of a request.
    pub body_time: Duration,
    /// How long a live stream is silent before it shows that it is alive.
    pub heartbeat: Duration,
    /// How long clients have to take what is left for them when the server ends.
    pub linger: Duration,
}

impl Default for ServerLimits {
    fn default() -> Self {
        Self {
            body: 2 * 1024 * 1024,
            connections: 4096,
            viewers: 3072,
            requests: 64,
            head: Duration::from_secs(10),
            body_time: Duration::from_secs(30),
            heartbeat: Duration::from_secs(15),
            linger: Duration::from_secs(2),
        }
    }
}

/// What all requests share.
pub(crate) type Shared = Arc<State>;

/// What all requests share; see [`Shared`].
pub(crate) struct State {
    pub(crate) store: Store,
    pub(crate) scheduler: Scheduler,
    pub(crate) access: AccessRules,
    pub(crate) context: ServerContext,
    /// The judgements in the files of the learning loop.
    pub(crate) judgements: Arc<JudgementIndex>,
    pub(crate) limits: ServerLimits,
    pub(crate) feed: Feed,
    pub(crate) metrics: Metrics,
    pub(crate) viewers: Arc<AtomicUsize>,
    pub(crate) slots: Semaphore,
    /// Nothing new is taken on.
    pub(crate) closing: CancellationToken,
}

/// Tells a server to end.
#[derive(Debug, Clone)]
pub struct Shutdown(CancellationToken);

impl Shutdown {
    /// From now on nothing new is taken on, and streams end.
    pub fn now(&self) {
        self.0.cancel();
    }
}

/// The HTTP server of the daemon.
pub struct Server {
    state: Shared,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").finish_non_exhaustive()
    }
}

impl Server {
    /// A server over a store and a scheduler. What was appended after `since` is news: the runs that were found cut
    /// off when the store was opened are counted and logged like those that end later.
    pub async fn new(
        store: Store,
        scheduler: Scheduler,
        access: AccessRules,
        context: ServerContext,
        limits: ServerLimits,
        since: Pos,
    ) -> Result<Self, StoreError> {
        let feed = Feed::new(since);
        let metrics = Metrics::new();
        catch_up(&store, since, &metrics).await?;
        let slots = Semaphore::new(limits.requests);
        let judgements = Arc::new(JudgementIndex::new(context.learning.clone()).reusing(LOOK));
        let state = State {
            store,
            scheduler,
            access,
            context,
            judgements,
            feed,
            metrics,
            viewers: Arc::default(),
            slots,
            closing: CancellationToken::new(),
            limits,
        };
        Ok(Self { state: Arc::new(state) })
    }

    /// The means to end it.
    pub fn shutdown(&self) -> Shutdown {
        Shutdown(self.state.closing.clone())
    }

    /// Answers on a listener until it is told to end, and then until the requests that were let in are
    /// answered, or their clients had long enough to take the answer.
    pub async fn serve(self, listener: TcpListener) {
        let tasks = TaskTracker::new();
        let state = Arc::clone(&self.state);
        tasks.spawn(async move {
            let look_on = |record: &Record| {
                state.metrics.observe(record);
                journal::write(record);
            };
            state.feed.run(&state.store, state.closing.clone(), look_on).await;
        });
        connection::accept(&self.state, listener, router::router(&self.state), &tasks).await;
        tasks.close();
        tasks.wait().await;
    }
}

/// Lets the metrics see how the runs began that there is news about: who plays them is said at the beginning.
async fn catch_up(store: &Store, since: Pos, metrics: &Metrics) -> Result<(), StoreError> {
    let mut seen = BTreeSet::new();
    let mut after = since;
    loop {
        let entries = store.feed(after, PAGE).await?;
        let Some(last) = entries.last() else { return Ok(()) };
        after = last.pos;
        for entry in &entries {
            let Record { run_id, seq, .. } = entry.record;
            if seen.insert(run_id) && seq > Seq(1) {
                let records = store.records(run_id).await?;
                records
                    .iter()
                    .take_while(|record| record.seq < seq)
                    .for_each(|record| metrics.observe(record));
            }
        }
    }
}
