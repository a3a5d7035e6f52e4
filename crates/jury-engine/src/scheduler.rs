//! The scheduler: runs that wait, runs that go on, and a bounded number of places for them. The queue itself is
//! in the store, so it outlives the process; here is who gets the next free place, and how runs are stopped.

mod content;
pub(crate) mod scheduled;
mod tools;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use jury_core::id::{ArtifactId, ProjectId, RunId};
use jury_core::request::BadRequest;
use jury_core::rota::Rota;
use jury_core::run::{Outcome, OutcomeKind, RunState};
use jury_core::unit::Round;
use jury_core::workflow::{WorkflowState as _, dispatch};
use jury_store::{NewRun, Owner, RunRow, Store, StoreError};
use serde_json::{Map, Value};
use thiserror::Error;
use tokio::runtime::Handle;
use tokio::sync::{Notify, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::content::NotResumed;
use crate::stop::{fail_claimed, stop_claimed};
use crate::{Casting, EngineError};

use scheduled::Conducted as _;
pub use scheduled::Scheduled;
pub use tools::Driving;
use tools::{GLANCE, LETTING_GO};

/// How often the queue is looked at for runs that other processes put there, and how soon something that
/// failed is tried again.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long an agent that was started keeps others from being started, unless its run ends before. Programs need
/// the machine most when they start, and one that says everything at once fills the log with it: overload then
/// shows as a later start of the next one, and not as late streams of all.
pub(crate) const HEAD_START: Duration = Duration::from_millis(100);

/// A place in the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticket {
    /// The id of the run.
    pub run: RunId,
    /// What it will review.
    pub artifact: ArtifactId,
}

/// What became of the wish to stop a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interrupting {
    /// It is being stopped, or was stopped before it began.
    Accepted,
    /// It had been stopped already.
    Already,
    /// It has ended by itself.
    Ended(Outcome),
    /// Another process carries it out.
    Elsewhere,
}

/// Why a request has no place in the queue.
#[derive(Debug, Error)]
pub enum SchedulerError {
    /// It cannot be carried out as it is.
    #[error(transparent)]
    Request(#[from] BadRequest),
    /// There is no such run in this project.
    #[error("there is no run {0} in this project")]
    NoSuchRun(RunId),
    /// The run was not asked for in a way that can be repeated.
    #[error("run {0} was not kept with what was asked for; ask for a new one")]
    NotKept(RunId),
    /// The program is about to end and takes nothing on any more.
    #[error("the daemon is shutting down; try again in a moment")]
    Closing,
    /// The run is not taken up as it is wanted.
    #[error(transparent)]
    NotResumed(#[from] NotResumed),
    /// The program itself broke on it.
    #[error("the program broke: {0}")]
    Broke(String),
    /// The store did not take it.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<EngineError> for SchedulerError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Store(error) => Self::Store(error),
            EngineError::NotResumed(why) => Self::NotResumed(why),
        }
    }
}

/// Carries out runs, so many at a time. Cheap to clone.
#[derive(Clone)]
pub struct Scheduler {
    shared: Arc<Shared>,
}

pub(crate) struct Shared {
    pub(crate) store: Store,
    pub(crate) owner: Owner,
    pub(crate) casting: Arc<dyn Casting>,
    /// How many may go on at once.
    slots: AtomicU32,
    /// What goes on, each with the means to stop it.
    running: Mutex<BTreeMap<RunId, Arc<CancellationToken>>>,
    /// The right to start an agent, for a few at a time: see [`HEAD_START`].
    pub(crate) turns: Semaphore,
    /// There may be a free place, or somebody who waits for one.
    wake: Notify,
    closing: CancellationToken,
    tasks: TaskTracker,
}

impl std::fmt::Debug for Scheduler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scheduler").field("running", &self.running()).finish_non_exhaustive()
    }
}

impl Scheduler {
    /// Begins to carry out what waits in the store, in the name of this owner.
    pub fn open(store: Store, owner: Owner, slots: u32, casting: Arc<dyn Casting>) -> Self {
        Self::open_on(&Handle::current(), store, owner, slots, casting)
    }

    /// Does so on a runtime of its own: what runs cost then keeps nobody waiting who only looks on.
    pub fn open_on(
        runtime: &Handle,
        store: Store,
        owner: Owner,
        slots: u32,
        casting: Arc<dyn Casting>,
    ) -> Self {
        let shared = Arc::new(Shared {
            store,
            owner,
            casting,
            slots: AtomicU32::new(slots.max(1)),
            running: Mutex::default(),
            turns: Semaphore::new(turns()),
            wake: Notify::new(),
            closing: CancellationToken::new(),
            tasks: TaskTracker::new(),
        });
        shared.tasks.spawn_on(serve(Arc::clone(&shared)), runtime);
        Self { shared }
    }

    /// Puts a run into the queue, with the document that it is about where the request has none.
    pub async fn submit<W: Scheduled>(
        &self,
        project: ProjectId,
        request: W::Request,
        document: Option<Vec<u8>>,
    ) -> Result<Ticket, SchedulerError> {
        let shared = &self.shared;
        if shared.closing.is_cancelled() {
            return Err(SchedulerError::Closing);
        }
        W::check(&*shared.casting, &request, &shared.metadata(&project).await?)?;
        let ticket = Ticket::mint();
        if let Some(document) = document {
            shared.store.keep_round(ticket.artifact, Round(1), &document).await?;
        }
        let queued = W::first(project, ticket.artifact, &request)?;
        let new = NewRun::<W> { run: ticket.run, queued, request: Some(request) };
        shared.store.enqueue(new, None, Timestamp::now()).await?;
        shared.wake.notify_one();
        Ok(ticket)
    }

    /// Asks for a run again, with what was asked for the first time.
    pub async fn rerun(&self, project: &ProjectId, run: RunId) -> Result<Ticket, SchedulerError> {
        let row = self.shared.row(project, run).await?;
        dispatch!(row.workflow, State => self.again::<State>(&row).await)
    }

    async fn again<W: Scheduled>(&self, row: &RunRow) -> Result<Ticket, SchedulerError> {
        let store = &self.shared.store;
        let gone = || SchedulerError::NotKept(row.run);
        let request = store.request::<W>(row.run).await?.ok_or_else(gone)?;
        let document = if W::HAS_DOCUMENT {
            Some(store.read_round(row.artifact, Round(1)).await?.ok_or_else(gone)?)
        } else {
            None
        };
        self.submit::<W>(row.project.clone(), request, document).await
    }

    /// Stops a run. One that waits is taken out of the queue; one that goes on ends with what it has. Doing
    /// it twice is doing it once.
    pub async fn interrupt(&self, project: &ProjectId, run: RunId) -> Result<Interrupting, SchedulerError> {
        let shared = &self.shared;
        let (mut looked, deadline) = (false, Instant::now() + LETTING_GO);
        loop {
            let row = shared.row(project, run).await?;
            if row.state == RunState::Ended {
                return Ok(match row.summary.status {
                    Some(outcome) if outcome.kind() != OutcomeKind::Interrupted => {
                        Interrupting::Ended(outcome)
                    }
                    Some(_) | None => Interrupting::Already,
                });
            }
            // It was stopped already, or waits for somebody all the same.
            let resumable = dispatch!(row.workflow, State => State::RESUMABLE);
            if resumable && row.state == RunState::Waiting {
                return Ok(Interrupting::Already);
            }
            if let Some(token) = shared.running().get(&run) {
                token.cancel();
                return Ok(Interrupting::Accepted);
            }
            if row.state == RunState::Running || row.owner.is_some() {
                // Between the end of its task and here it may have ended: look again before blaming others.
                if row.owner != Some(shared.owner.id()) {
                    if looked {
                        return Ok(Interrupting::Elsewhere);
                    }
                    // Whoever had it may have died. Then its runs are ended here and now.
                    looked = true;
                    shared.store.recover().await?;
                    continue;
                }
                if Instant::now() >= deadline {
                    return Err(NotResumed::Busy(run).into());
                }
                tokio::time::sleep(GLANCE).await;
                continue;
            }
            match shared.withdraw(&row).await {
                Ok(()) => return Ok(Interrupting::Accepted),
                // Somebody took it in the meantime: then it is stopped like one that goes on.
                Err(error) if error.is_conflict() => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Looks at the queue now: somebody put a run there.
    pub fn look(&self) {
        self.shared.wake.notify_one();
    }

    /// How many runs go on.
    pub fn running(&self) -> usize {
        self.shared.running().len()
    }

    /// Whether nothing is taken on any more.
    pub fn is_closing(&self) -> bool {
        self.shared.closing.is_cancelled()
    }

    /// Changes the number of places. Runs that go on are not touched.
    pub fn set_slots(&self, slots: u32) {
        self.shared.slots.store(slots.max(1), Ordering::Relaxed);
        self.shared.wake.notify_one();
    }

    /// Takes nothing on any more, stops what goes on, and waits until it has ended. What waits stays in the
    /// queue for the next start.
    pub async fn close(&self) {
        self.shared.closing.cancel();
        for token in self.shared.running().values() {
            token.cancel();
        }
        self.shared.tasks.close();
        self.shared.tasks.wait().await;
    }
}

impl Shared {
    fn running(&self) -> std::sync::MutexGuard<'_, BTreeMap<RunId, Arc<CancellationToken>>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_place(&self) -> bool {
        self.running().len() < self.slots.load(Ordering::Relaxed) as usize
    }

    pub(crate) async fn metadata(&self, project: &ProjectId) -> Result<Map<String, Value>, StoreError> {
        Ok(self.store.project(project).await?.map(|row| row.metadata).unwrap_or_default())
    }

    async fn row(&self, project: &ProjectId, run: RunId) -> Result<RunRow, SchedulerError> {
        let row = self.store.run(run).await?.filter(|row| row.project == *project);
        row.ok_or(SchedulerError::NoSuchRun(run))
    }

    /// Takes the next run out of the queue. Its token is in place before it is ours, so that nobody who wants
    /// to stop it comes between.
    async fn next(&self, rota: &mut Rota) -> Result<Option<(RunRow, Arc<CancellationToken>)>, StoreError> {
        loop {
            let Some((_, run)) = rota.pick(self.store.waiting(Timestamp::now()).await?) else {
                return Ok(None);
            };
            if self.closing.is_cancelled() {
                return Ok(None);
            }
            let token = Arc::new(self.closing.child_token());
            self.running().insert(run, Arc::clone(&token));
            match self.store.claim(run, self.owner.id(), Timestamp::now()).await {
                Ok(row) => return Ok(Some((row, token))),
                Err(error) => {
                    self.forget(run, &token);
                    if !error.is_conflict() {
                        return Err(error);
                    }
                }
            }
        }
    }

    /// Carries out a run that is ours.
    async fn conduct(&self, row: &RunRow, token: CancellationToken) -> Result<(), EngineError> {
        dispatch!(row.workflow, State => Box::pin(State::conduct(self, row, token)).await)
    }

    /// Ends a run that waits.
    async fn withdraw(self: &Arc<Self>, row: &RunRow) -> Result<(), StoreError> {
        let row = self.store.claim(row.run, self.owner.id(), Timestamp::now()).await?;
        let ended = stop_claimed(&self.store, &self.owner, &row).await;
        if let Err(error) = &ended {
            // It is ours by now, so nobody else gives it an end.
            let token = Arc::new(self.closing.child_token());
            self.running().insert(row.run, Arc::clone(&token));
            let (shared, detail, run) = (Arc::clone(self), error.to_string(), row.run);
            self.tasks.spawn(async move { shared.give_back(run, &token, Some(&detail)).await });
        }
        ended
    }

    /// Frees the place of a run, after giving it an end if there was trouble.
    async fn give_back(&self, run: RunId, token: &Arc<CancellationToken>, trouble: Option<&str>) {
        if let Some(detail) = trouble {
            self.rescue(run, detail).await;
        }
        self.forget(run, token);
        self.wake.notify_one();
    }

    /// Gives a run an end that could not get to its own, because we broke or the log did not take it. Tries
    /// until the log takes it or the program ends; then the next start does it.
    async fn rescue(&self, run: RunId, detail: &str) {
        loop {
            match self.fail(run, detail).await {
                Ok(()) => return,
                Err(error) if error.is_conflict() => return,
                Err(_) if self.closing.is_cancelled() => return,
                Err(_) => tokio::time::sleep(PATIENCE).await,
            }
        }
    }

    pub(crate) async fn fail(&self, run: RunId, detail: &str) -> Result<(), StoreError> {
        let Some(row) = self.store.run(run).await? else { return Ok(()) };
        if row.state != RunState::Ended {
            return fail_claimed(&self.store, &self.owner, &row, detail).await;
        }
        // It has its end. A transcript that cannot be written now is written by the next start.
        self.store.export(run).await.ok();
        Ok(())
    }
}

/// How many agents may be started at once: one for two cores, because what it says needs the other one.
fn turns() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| (cores.get() / 2).max(1))
}

/// Gives free places to whoever waits, until the scheduler is closed.
async fn serve(shared: Arc<Shared>) {
    let mut rota = Rota::default();
    let mut looked: Option<Instant> = None;
    while !shared.closing.is_cancelled() {
        if looked.is_none_or(|looked| looked.elapsed() >= PATIENCE) {
            looked = Some(Instant::now());
            // Whoever did not answer in time gets the default. A store that cannot be written now can be in a moment.
            shared.store.answer_overdue(Timestamp::now()).await.ok();
        }
        let next = if shared.has_place() { shared.next(&mut rota).await } else { Ok(None) };
        if let Ok(Some((row, token))) = next {
            let task = conduct(Arc::clone(&shared), row, token);
            shared.tasks.spawn(task);
            continue;
        }
        // A store that cannot be read now may be readable in a moment.
        tokio::select! {
            () = shared.wake.notified() => {}
            () = shared.closing.cancelled() => return,
            () = tokio::time::sleep(PATIENCE) => {}
        }
    }
}

/// Carries out one run, whatever happens, and frees its place.
async fn conduct(shared: Arc<Shared>, row: RunRow, token: Arc<CancellationToken>) {
    let run = row.run;
    let work = {
        let (shared, token) = (Arc::clone(&shared), CancellationToken::clone(&token));
        // A task of its own: if it panics, the run still gets its end.
        shared.tasks.clone().spawn(async move { Box::pin(shared.conduct(&row, token)).await })
    };
    let trouble = match work.await {
        Ok(Ok(())) => None,
        Ok(Err(error)) => Some(error.to_string()),
        Err(error) => Some(format!("the program broke: {error}")),
    };
    shared.give_back(run, &token, trouble.as_deref()).await;
}
