//! Runs of the content pipeline in the hands of whoever asks: begun under a ticket of their own, done tool by tool, given
//! up.

use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use jury_core::content::event::Halted;
use jury_core::content::{ContentRequest, ContentState, ContentStatus, Tool};
use jury_core::id::{ArtifactId, ProjectId, RunId};
use jury_core::outcome::FailedCause;
use jury_core::record::Record;
use jury_core::request::BadRequest;
use jury_store::NewRun;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{Interrupting, Scheduled as _, Scheduler, SchedulerError, Shared, Ticket};
use crate::content::tools::{self, ToolAnswer, ToolError};
use crate::content::{self, ContentJob, NotResumed, PersonsDraft};

/// How long a run that was stopped may take to let go before somebody is told to come back.
pub(super) const LETTING_GO: Duration = Duration::from_secs(10);
/// How often it is looked whether it has.
pub(super) const GLANCE: Duration = Duration::from_millis(10);

impl Ticket {
    /// A place that nobody has.
    pub fn mint() -> Self {
        Self { run: RunId(Uuid::now_v7()), artifact: ArtifactId(Uuid::now_v7()) }
    }
}

/// Who does the steps of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Driving {
    /// The scheduler, as soon as there is a place.
    Scheduler,
    /// Nobody: its tools are called one by one.
    Tools,
}

impl Shared {
    /// Frees the place of a run, unless somebody has taken it up again in the meantime: then the place is theirs.
    pub(super) fn forget(&self, run: RunId, token: &Arc<CancellationToken>) {
        let mut running = self.running();
        if running.get(&run).is_some_and(|held| Arc::ptr_eq(held, token)) {
            running.remove(&run);
        }
    }
}

impl Scheduler {
    /// Begins a run of the content pipeline under a ticket, with a person's draft if there is one. While one of the same
    /// idea and kind goes on or waits, this is a conflict that names it.
    pub async fn begin_content(
        &self,
        ticket: Ticket,
        project: ProjectId,
        request: ContentRequest,
        draft: Option<PersonsDraft>,
        driving: Driving,
    ) -> Result<(), SchedulerError> {
        if self.is_closing() {
            return Err(SchedulerError::Closing);
        }
        let shared = Arc::clone(&self.shared);
        ContentState::check(&*shared.casting, &request, &shared.metadata(&project).await?)?;
        let refused = |problem| BadRequest { field: "content", problem };
        let cast = shared.casting.content(&request).map_err(refused)?;
        let Ticket { run, artifact } = ticket;
        self.apart(async move {
            if driving == Driving::Scheduler && draft.is_none() {
                let queued = ContentState::first(project, artifact, &request)?;
                let new = NewRun::<ContentState> { run, queued, request: Some(request) };
                shared.store.enqueue(new, None, Timestamp::now()).await?;
            } else {
                let job = ContentJob { run, project, artifact, request, draft, cast };
                let nobody = &mut |_: &[Record]| {};
                content::begin_content(&shared.store, &shared.owner, job, nobody).await?;
                if driving == Driving::Scheduler {
                    shared.store.requeue(run).await?;
                }
            }
            shared.wake.notify_one();
            Ok(())
        })
        .await
    }

    /// Does something in a task of its own: whoever asked may go away in the middle of it, and a run must not be left in
    /// nobody's hands.
    pub(super) async fn apart<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, SchedulerError>> + Send + 'static,
    ) -> Result<T, SchedulerError> {
        let joined = self.shared.tasks.spawn(work).await;
        joined.unwrap_or_else(|error| Err(SchedulerError::Broke(error.to_string())))
    }

    /// Does what a tool does. It goes on when whoever asked goes away, and can be stopped like a run.
    pub async fn call_tool(&self, run: RunId, tool: Tool) -> Result<ToolAnswer, ToolError> {
        let shared = Arc::clone(&self.shared);
        let broken = move |detail: String| {
            ToolError::Halted(Halted { tool, cause: FailedCause::OrchestratorInternal, detail })
        };
        if shared.closing.is_cancelled() {
            return Err(ToolError::Paused);
        }
        let request = shared.store.request::<ContentState>(run).await?.ok_or(NotResumed::NotContent(run))?;
        let cast = shared.casting.content(&request).map_err(broken)?;
        let token = Arc::new(shared.closing.child_token());
        let held = Arc::clone(&token);
        let work = async move {
            {
                let mut running = shared.running();
                // The scheduler, or another call, has it: the claim would fail, and its token must stay where it is.
                if running.contains_key(&run) {
                    return Err(ToolError::Busy(run));
                }
                running.insert(run, Arc::clone(&held));
            }
            let nobody = &mut |_: &[Record]| {};
            let stop = CancellationToken::clone(&held);
            let call = tools::call(&shared.store, &shared.owner, run, tool, &cast, nobody, stop);
            let done = Box::pin(call).await;
            shared.forget(run, &held);
            shared.wake.notify_one();
            done
        };
        let joined = self.shared.tasks.spawn(work).await;
        joined.unwrap_or_else(|error| {
            self.shared.forget(run, &token);
            Err(broken(format!("the program broke: {error}")))
        })
    }

    /// Pauses a run of the content pipeline: one that goes on is stopped, and one that goes tool by tool is paused between two
    /// of them, where nobody drives it.
    pub async fn pause_content(
        &self,
        project: &ProjectId,
        run: RunId,
    ) -> Result<Interrupting, SchedulerError> {
        let (scheduler, project) = (self.clone(), project.clone());
        self.apart(async move { scheduler.put_aside(&project, run).await }).await
    }

    async fn put_aside(&self, project: &ProjectId, run: RunId) -> Result<Interrupting, SchedulerError> {
        let shared = &self.shared;
        let deadline = Instant::now() + LETTING_GO;
        loop {
            let stopping = self.interrupt(project, run).await?;
            let goes_on = || async {
                let state = shared.store.state::<ContentState>(run).await?;
                Ok::<bool, SchedulerError>(state.status() == ContentStatus::Running)
            };
            if stopping != Interrupting::Already || !goes_on().await? {
                return Ok(stopping);
            }
            let paused = content::pause_content(&shared.store, &shared.owner, run).await;
            match paused.map_err(SchedulerError::from) {
                Ok(_) => return Ok(Interrupting::Accepted),
                // Somebody has called a tool in between: that one is stopped.
                Err(SchedulerError::Store(error)) if error.is_conflict() && Instant::now() < deadline => {}
                Err(error) => return Err(error),
            }
            tokio::time::sleep(GLANCE).await;
        }
    }

    /// Gives a run of the content pipeline up. One that goes on is stopped first.
    pub async fn abandon_content(
        &self,
        project: &ProjectId,
        run: RunId,
        reason: &str,
    ) -> Result<ContentState, SchedulerError> {
        let (scheduler, project, reason) = (self.clone(), project.clone(), reason.to_owned());
        self.apart(async move { scheduler.give_up(&project, run, &reason).await }).await
    }

    async fn give_up(
        &self,
        project: &ProjectId,
        run: RunId,
        reason: &str,
    ) -> Result<ContentState, SchedulerError> {
        let shared = &self.shared;
        let deadline = Instant::now() + LETTING_GO;
        loop {
            match self.interrupt(project, run).await? {
                Interrupting::Ended(_) => {
                    let standing = shared.store.state::<ContentState>(run).await?.status();
                    return Err(NotResumed::Ended { run, standing }.into());
                }
                Interrupting::Elsewhere => return Err(NotResumed::Busy(run).into()),
                Interrupting::Accepted | Interrupting::Already => {}
            }
            if !shared.running().contains_key(&run) {
                let given_up = content::abandon_content(
                    &shared.store,
                    &shared.owner,
                    run,
                    reason,
                    &mut |_: &[Record]| {},
                )
                .await;
                match given_up.map_err(SchedulerError::from) {
                    // Somebody took it up in between, or lets it go only now.
                    Err(SchedulerError::Store(error)) if error.is_conflict() && Instant::now() < deadline => {
                    }
                    other => return other,
                }
            }
            if Instant::now() >= deadline {
                return Err(NotResumed::Busy(run).into());
            }
            tokio::time::sleep(GLANCE).await;
        }
    }
}
