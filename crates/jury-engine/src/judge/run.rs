//! A run of the judge: the throttle, the seats and a person's word in; events and judgements out.
//!
//! The machine of `jury-core` decides. A run that waits, for the throttle or for a person, is driven by nobody: it is a log
//! in the queue, and [`resume_judge`] or [`settle_judge`] takes it up.

use std::path::PathBuf;

use jiff::Timestamp;
use jury_core::id::{ArtifactId, ProjectId, RunId};
use jury_core::judge::machine::{Judge, JudgeInput, JudgeSetup};
use jury_core::judge::settings::JudgeMode;
use jury_core::judge::{
    JudgeEvent, JudgeInconclusive, JudgeQueued, JudgeRequest, JudgeSignals, JudgeState, RunOutcome, Signals,
};
use jury_core::run::{RunState, Wait};
use jury_core::unit::{Millis, Seq};
use jury_learning::Pattern;
use jury_store::{NewRun, Owner, RunRow, Store, StoreError};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::cast::{Clock, JudgeCast};
use super::context::GatheredCase;
use super::effects::JudgePlay;
use super::judgement_writer::JudgementWriter;
use crate::EngineError;
use crate::drive::{drive, instant};
use crate::log::{Log, Observer, RunClock};

/// A run of the judge to be driven.
#[derive(Debug, Clone)]
pub struct JudgeJob {
    /// The id of the run.
    pub run: RunId,
    /// The project that the run belongs to.
    pub project: ProjectId,
    /// Where its transcript is kept.
    pub artifact: ArtifactId,
    /// What was asked for, so that it can be taken up later.
    pub request: JudgeRequest,
    /// How it is judged.
    pub task: JudgeTask,
}

/// How a run is judged.
#[derive(Debug, Clone)]
pub struct JudgeTask {
    /// What the judges get to see.
    pub case: GatheredCase,
    /// The judges and what they may cost.
    pub cast: JudgeCast,
    /// Whether it is waited for the throttle. Otherwise the run goes back into the queue.
    pub wait: bool,
    /// Whether a run without anything to judge is judged all the same.
    pub force: bool,
    /// What time it is.
    pub clock: Clock,
}

/// Drives a new run until it has ended or waits, and returns its state.
///
/// The observer sees every record after it was appended. Cancelling the token interrupts the run. When this returns, no
/// process of an agent is left.
pub async fn run_judge(
    store: &Store,
    owner: &Owner,
    job: JudgeJob,
    observer: Observer<'_>,
    interrupt: CancellationToken,
) -> Result<JudgeState, EngineError> {
    let JudgeJob { run, project, artifact, request, task } = job;
    let queued = JudgeQueued {
        project_id: project.clone(),
        artifact_id: artifact,
        agent: task.cast.jurors.first().map(|juror| juror.agent.clone()),
        bead: task.case.record.bead.clone(),
    };
    let now = Timestamp::now();
    let queued = JudgeEvent::Queued(queued);
    let new = NewRun::<JudgeState> { run, queued, request: Some(request) };
    let head = store.enqueue(new, Some(owner.id()), now).await?.head;
    observer(&store.records(run).await?);
    store.claim(run, owner.id(), now).await?;
    let machine = Judge::new(setup(&task, project, artifact));
    let writer = JudgementWriter::new(&task.cast.judgements, run);
    let play = JudgePlay::new(store, machine, writer, Some(&task));
    let log =
        Log { store, owner: owner.id(), run, artifact, head, clock: RunClock(Instant::now()), observer };
    perform(log, play, JudgeInput::Start, interrupt).await
}

/// Takes up a run that was put back into the queue before anybody was asked. A conflict when somebody else was faster.
pub async fn resume_judge(
    store: &Store,
    owner: &Owner,
    run: RunId,
    task: JudgeTask,
    observer: Observer<'_>,
    interrupt: CancellationToken,
) -> Result<JudgeState, EngineError> {
    let row = store.claim(run, owner.id(), Timestamp::now()).await?;
    resume_claimed(store, owner, &row, task, observer, interrupt).await
}

/// The same of a run that its owner has claimed.
pub(crate) async fn resume_claimed(
    store: &Store,
    owner: &Owner,
    row: &RunRow,
    task: JudgeTask,
    observer: Observer<'_>,
    interrupt: CancellationToken,
) -> Result<JudgeState, EngineError> {
    let state = store.state::<JudgeState>(row.run).await?;
    let setup = setup(&task, row.project.clone(), row.artifact);
    let Some(machine) = Judge::resume(state.clone(), setup).filter(|judge| !judge.is_disputed()) else {
        store.let_go(row.run, Some(owner.id()), Wait::Answer).await?;
        return Ok(state);
    };
    let writer = JudgementWriter::new(&task.cast.judgements, row.run);
    let play = JudgePlay::new(store, machine, writer, Some(&task));
    perform(taken_up(store, owner, row, row.head, observer), play, JudgeInput::Start, interrupt).await
}

/// Ends a dispute with the answer of a person, which has to be there. Nobody else is asked.
pub async fn settle_judge(
    store: &Store,
    owner: &Owner,
    run: RunId,
    observer: Observer<'_>,
) -> Result<JudgeState, EngineError> {
    let row = store.claim(run, owner.id(), Timestamp::now()).await?;
    settle_claimed(store, owner, run, row.head, observer).await
}

/// The same of a run that its owner has claimed.
pub(crate) async fn settle_claimed(
    store: &Store,
    owner: &Owner,
    run: RunId,
    head: Seq,
    observer: Observer<'_>,
) -> Result<JudgeState, EngineError> {
    let row = store.run(run).await?.ok_or_else(|| StoreError::NoSuchRun(run.to_string()))?;
    let state = store.state::<JudgeState>(run).await?;
    let request = store.request::<JudgeState>(run).await?.unwrap_or_default();
    let given = store.answers(run).await?.into_iter().next();
    let (Some(machine), Some((_, given))) = (Judge::disputed(state.clone()), given) else {
        store.let_go(run, Some(owner.id()), Wait::Answer).await?;
        return Ok(state);
    };
    let writer = JudgementWriter::new(&PathBuf::from(request.judgements), run);
    let decided = JudgeInput::Decided { answer: given.answer, by: given.by };
    let play = JudgePlay::new(store, machine, writer, None);
    let log = taken_up(store, owner, &row, head, observer);
    perform(log, play, decided, CancellationToken::new()).await
}

/// Takes a run that waits and cannot be judged any more, and ends it as inconclusive. A conflict when somebody drives it.
pub async fn give_up_judge(store: &Store, owner: &Owner, run: RunId, why: String) -> Result<(), StoreError> {
    let row = store.claim(run, owner.id(), Timestamp::now()).await?;
    end_inconclusive(store, owner, &row, why).await
}

/// The same of a run that its owner has claimed.
pub(crate) async fn end_inconclusive(
    store: &Store,
    owner: &Owner,
    row: &RunRow,
    why: String,
) -> Result<(), StoreError> {
    let run = row.run;
    let at = store.records(run).await?.last().map_or(Millis(0), |record| record.at);
    let end = JudgeInconclusive { answered: 0, seats: 0, reasons: vec![why] };
    store.append(run, owner.id(), row.head, &[(at, JudgeEvent::Inconclusive(end).into())]).await?;
    store.export(run).await.map(drop)
}

fn setup(task: &JudgeTask, project: ProjectId, artifact: ArtifactId) -> JudgeSetup {
    let record = &task.case.record;
    let patterns = Pattern::detect(record);
    JudgeSetup {
        project,
        artifact,
        bead: record.bead.clone(),
        template: record.template.clone(),
        signals: JudgeSignals {
            outcome: RunOutcome::of(record),
            signals: Signals::of(record),
            failure_patterns: patterns.iter().map(ToString::to_string).collect(),
        },
        mode: task.cast.mode,
        seats: task.cast.seats(&task.case),
        facts: task.case.bounds(task.cast.mode),
        // Who counts has looked at more than who can only read so much.
        coverage: match task.cast.mode {
            JudgeMode::Heuristic => task.case.searched.unwrap_or_default(),
            JudgeMode::Command | JudgeMode::Model => task.case.coverage,
        },
        force: task.force,
        gated: match task.cast.mode {
            JudgeMode::Heuristic => false,
            // Nobody is asked about nothing.
            JudgeMode::Command | JudgeMode::Model => task.case.nothing_for(task.cast.mode).is_none(),
        },
    }
}

/// The log of a run that began earlier.
fn taken_up<'a>(store: &'a Store, owner: &Owner, row: &RunRow, head: Seq, observer: Observer<'a>) -> Log<'a> {
    let clock = RunClock(instant(row.started_at.unwrap_or(row.created_at)));
    Log { store, owner: owner.id(), run: row.run, artifact: row.artifact, head, clock, observer }
}

/// Drives a run until it has ended, waits for a person, or goes back into the queue.
async fn perform(
    mut log: Log<'_>,
    mut play: JudgePlay<'_>,
    first: JudgeInput,
    interrupt: CancellationToken,
) -> Result<JudgeState, EngineError> {
    drive(&mut log, &mut play, vec![first], &interrupt).await?;
    play.pay().await?;
    let (store, run) = (log.store, log.run);
    if play.machine.has_ended() {
        store.export(run).await?;
    } else if store.run(run).await?.is_some_and(|row| row.state == RunState::Running) {
        let until = play.machine.state().throttled.as_ref().map(|held| held.until);
        store.put_back(run, Some(log.owner), until).await?;
    }
    Ok(store.state::<JudgeState>(run).await?)
}
