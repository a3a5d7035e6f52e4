//! A panel's run: bytes of an agent in; reviews, rounds and a verdict out.

mod effects;
pub(crate) mod measuring;
mod queue;
mod single_pass;
mod stage;

use jury_core::event::{Queued, TheaterEvent};
use jury_core::theater::{Board, Opening};
use jury_core::unit::Seq;
use jury_store::{NewRun, Owner, Store};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::degraded_mark::refusal;
use crate::drive::drive;
use crate::log::{Log, Observer, RunClock};
use crate::{EngineError, Panel, TheaterJob};
use effects::{Happened, TheaterPlay};
pub(crate) use stage::{crashed, greeting};

/// Drives a theater run to its end and returns its board.
///
/// The observer sees every record after it was appended. Cancelling the token interrupts the run; it ends
/// with its best round kept. When this returns, the transcript is written and no process of the agent is
/// left.
///
/// An agent that is marked as degraded is not asked to play the panel. Without a review, and with something to make
/// ([`TheaterJob::legacy`]), the agent is asked once for the page alone.
pub async fn run(
    store: &Store,
    owner: &Owner,
    job: TheaterJob,
    observer: Observer<'_>,
    interrupt: CancellationToken,
) -> Result<Board, EngineError> {
    let queued = TheaterEvent::Queued(Queued {
        project_id: job.subject.project.clone(),
        artifact_id: job.subject.artifact,
        agent: job.subject.agent.clone(),
        title: job.title.clone(),
        skill: job.request.as_ref().and_then(|request| request.skill.clone()),
    });
    let new = NewRun::<Board> { run: job.run, queued, request: job.request.clone() };
    let queued = store.enqueue(new, Some(owner.id()), jiff::Timestamp::now()).await?;
    observer(&store.records(job.run).await?);
    store.claim(job.run, owner.id(), jiff::Timestamp::now()).await?;
    let run = job.run;
    carry_out(store, owner, job, queued.head, observer, interrupt).await?;
    Ok(store.state::<Board>(run).await?)
}

/// Drives a run that its owner has claimed. `head` is the last event of its log so far.
pub(crate) async fn carry_out(
    store: &Store,
    owner: &Owner,
    job: TheaterJob,
    head: Seq,
    observer: Observer<'_>,
    interrupt: CancellationToken,
) -> Result<(), EngineError> {
    let (run, artifact, clock) = (job.run, job.subject.artifact, RunClock(Instant::now()));
    let opening = match &job.panel {
        Panel::Off(why) => Opening::Off(why.clone()),
        Panel::Sits => refusal(store, &job.subject.agent).await?.map_or(Opening::Panel, Opening::Refused),
        Panel::SitsRegardless => Opening::Panel,
    };
    let mut log = Log { store, owner: owner.id(), run, artifact, head, clock, observer };
    let mut play = TheaterPlay::new(job, opening, store.dir(), clock);
    // The verdict is in the log when this returns; what the agent still does cannot change it.
    drive(&mut log, &mut play, vec![Happened::Start], &interrupt).await?;
    store.export(run).await?;
    Ok(())
}
