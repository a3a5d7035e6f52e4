//! The loop of the critic: checks, measures, the critic's answers, fixes and a person's answers in; events and the next
//! things to do out.
//!
//! The machine of `jury-core` decides. A run that waits for a person is not driven by anybody: it is a log that ends in
//! a question, and [`resume_critic`] takes it up when the answers are there, in this process or another.

mod command;
mod effects;
mod fix;
mod measure;
mod queue;
mod workplace;

use std::sync::Arc;

use jiff::Timestamp;
use jury_agents::prompt::CriticTemplate;
use jury_core::artifact::{Blob, Digest};
use jury_core::critic::{
    Critic, CriticEvent, CriticInput, CriticQueued, CriticRequest, CriticSetup, CriticState, Deferral,
};
use jury_core::id::{ArtifactId, ProjectId, RunId};
use jury_core::run::Wait;
use jury_core::unit::Round;
use jury_core::workflow::WorkflowState as _;
use jury_store::{NewRun, Owner, RunFilter, RunRow, Store, StoreError};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::drive::{drive, instant};
use crate::log::{Log, Observer, RunClock};
use crate::split_prompt::SplitPrompt;
use crate::{Agent, EngineError};
use effects::CriticPlay;
use workplace::Workplace;

/// Gives the agent of a run what it is asked.
pub type AskWith = Arc<dyn Fn(SplitPrompt) -> Result<Agent, String> + Send + Sync>;

/// How many runs back a document is looked for.
const FAR_BACK: u32 = 500;

/// How a document is kept and named in events.
const MIME: &str = "text/plain; charset=utf-8";

/// Who is asked, and how.
#[derive(Clone)]
pub struct CriticCast {
    /// Who the critic is and who fixes; none when only what can be measured is.
    pub agent: Option<AskWith>,
    /// What they are asked.
    pub template: CriticTemplate,
}

impl std::fmt::Debug for CriticCast {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CriticCast").field("agent", &self.agent.is_some()).finish_non_exhaustive()
    }
}

/// A run of the critic to be driven.
#[derive(Debug, Clone)]
pub struct CriticJob {
    /// The id of the run.
    pub run: RunId,
    /// The project that the run belongs to.
    pub project: ProjectId,
    /// The document that is reviewed.
    pub artifact: ArtifactId,
    /// What the document is called.
    pub title: String,
    /// What is asked of it.
    pub request: CriticRequest,
    /// The bytes of the document.
    pub document: Vec<u8>,
    /// The agent and its templates.
    pub cast: CriticCast,
}

/// Drives a run of the critic until it has ended or waits for a person, and returns its state.
///
/// The observer sees every record after it was appended. Cancelling the token interrupts the run. When this returns, no
/// process of a check, a fix or an agent is left.
pub async fn run_critic(
    store: &Store,
    owner: &Owner,
    job: CriticJob,
    observer: Observer<'_>,
    interrupt: CancellationToken,
) -> Result<CriticState, EngineError> {
    let CriticJob { run, project, artifact, title, request, document, cast } = job;
    store.keep_round(artifact, Round(1), &document).await?;
    let queued = CriticEvent::Queued(CriticQueued {
        project_id: project,
        artifact_id: artifact,
        agent: request.agent.clone(),
        title,
        criteria: request.set.name.clone(),
    });
    let now = Timestamp::now();
    let new = NewRun::<CriticState> { run, queued, request: Some(request.clone()) };
    store.enqueue(new, Some(owner.id()), now).await?;
    observer(&store.records(run).await?);
    let row = store.claim(run, owner.id(), now).await?;
    start(store, owner, &row, &request, &cast, observer, interrupt).await
}

/// Begins a run that its owner has claimed. Its document is kept as that of the first pass.
async fn start(
    store: &Store,
    owner: &Owner,
    row: &RunRow,
    request: &CriticRequest,
    cast: &CriticCast,
    observer: Observer<'_>,
    interrupt: CancellationToken,
) -> Result<CriticState, EngineError> {
    let RunRow { run, artifact, head, .. } = *row;
    let document = store.read_round(artifact, Round(1)).await?.ok_or_else(|| gone(store, artifact))?;
    let setup = CriticSetup {
        project: row.project.clone(),
        artifact,
        agent: request.agent.clone(),
        fixer: request.fixer,
        set: request.set.clone(),
        document: Blob::of(&document, MIME),
        auto: request.auto,
        release: request.release.clone(),
        deferrals: put_off(store, row, &request.file).await?,
        started_at: Timestamp::now(),
        limits: request.limits(),
    };
    let workplace = Workplace::new(&request.file, run, document);
    let play = CriticPlay::new(store, Critic::new(setup), workplace, request, cast);
    let clock = RunClock(Instant::now());
    let log = Log { store, owner: owner.id(), run, artifact, head, clock, observer };
    perform(log, play, vec![CriticInput::Start], interrupt).await
}

/// What earlier runs of this document have put off, as the last of them left it. One that made no pass says nothing.
async fn put_off(store: &Store, row: &RunRow, file: &str) -> Result<Vec<Deferral>, StoreError> {
    let filter = RunFilter {
        workflow: Some(CriticState::WORKFLOW),
        project: Some(row.project.clone()),
        text: Some(row.title.clone()),
        limit: Some(FAR_BACK),
        ..RunFilter::default()
    };
    for row in store.runs(&filter).await? {
        let same = store.request::<CriticState>(row.run).await?.is_some_and(|request| request.file == file);
        if same {
            let CriticState { passes, deferrals, reopened, .. } = store.state::<CriticState>(row.run).await?;
            // What is open again stays known: nobody but a person puts it off once more.
            if !passes.is_empty() {
                return Ok(deferrals.into_iter().chain(reopened).collect());
            }
        }
    }
    Ok(Vec::new())
}

/// Takes up a run that waited for a person and has its answers. The caller says who is asked from here on.
pub async fn resume_critic(
    store: &Store,
    owner: &Owner,
    run: RunId,
    cast: CriticCast,
    observer: Observer<'_>,
    interrupt: CancellationToken,
) -> Result<CriticState, EngineError> {
    store.claim(run, owner.id(), Timestamp::now()).await?;
    carry_on(store, owner, run, &cast, observer, interrupt).await
}

/// Takes up a run that its owner has claimed: with a person's answers, where it was cut off, or from its beginning.
pub(crate) async fn carry_on(
    store: &Store,
    owner: &Owner,
    run: RunId,
    cast: &CriticCast,
    observer: Observer<'_>,
    interrupt: CancellationToken,
) -> Result<CriticState, EngineError> {
    let row = store.run(run).await?.ok_or_else(|| StoreError::NoSuchRun(run.to_string()))?;
    let request = store.request::<CriticState>(run).await?;
    let state = store.state::<CriticState>(run).await?;
    let request = request.ok_or_else(|| StoreError::NoSuchRun(run.to_string()))?;
    if state.started.is_none() {
        return start(store, owner, &row, &request, cast, observer, interrupt).await;
    }
    let document = document(store, row.artifact, &state).await?;
    let answers = store.answers(run).await?;
    let open: Vec<u32> = state.open_questions().map(|question| question.number).collect();
    let inputs = if open.is_empty() {
        // It was cut off, and goes on where it was.
        vec![CriticInput::Start]
    } else {
        let given = answers.into_iter().filter(|(number, _)| open.contains(number));
        given
            .map(|(question, given)| CriticInput::Answered { question, answer: given.answer, by: given.by })
            .collect()
    };
    let Some(machine) = Critic::resume(state, request.limits()) else {
        return Ok(store.state::<CriticState>(run).await?);
    };
    let workplace = Workplace::new(&request.file, run, document);
    let play = CriticPlay::new(store, machine, workplace, &request, cast);
    let clock = RunClock(instant(row.started_at.unwrap_or(row.created_at)));
    let (artifact, head) = (row.artifact, row.head);
    let log = Log { store, owner: owner.id(), run, artifact, head, clock, observer };
    perform(log, play, inputs, interrupt).await
}

/// Drives a run until it has ended or waits, and leaves its document and its questions where others find them.
async fn perform(
    mut log: Log<'_>,
    mut play: CriticPlay<'_>,
    inputs: Vec<CriticInput>,
    interrupt: CancellationToken,
) -> Result<CriticState, EngineError> {
    drive(&mut log, &mut play, inputs, &interrupt).await?;
    let (store, run) = (log.store, log.run);
    store.keep_final(log.artifact, play.workplace.document()).await?;
    if play.machine.has_ended() {
        store.export(run).await?;
        return Ok(store.state::<CriticState>(run).await?);
    }
    // Answers that do not fit change nothing; then no process must seem to drive it.
    store.let_go(run, Some(log.owner), Wait::Answer).await?;
    if let Some(seconds) = play.request.answer_within {
        let span = jiff::SignedDuration::from_secs(i64::try_from(seconds).unwrap_or(i64::MAX));
        let until = Timestamp::now().checked_add(span).unwrap_or(Timestamp::MAX);
        store.answer_until(run, until).await?;
    }
    Ok(store.state::<CriticState>(run).await?)
}

/// The document that a run is at. A body that is none of the log's is nobody's document.
async fn document(store: &Store, artifact: ArtifactId, state: &CriticState) -> Result<Vec<u8>, StoreError> {
    let wanted = state.document().map(|blob| blob.sha256);
    let pass = state.last_pass().map_or(Round(1), |pass| pass.pass);
    // After a pass that changed it, the next number has the changed one.
    for number in (1..=pass.0 + 1).rev() {
        if let Some(body) = store.read_round(artifact, Round(number)).await?
            && wanted == Some(Digest::of(&body))
        {
            return Ok(body);
        }
    }
    Err(gone(store, artifact))
}

fn gone(store: &Store, artifact: ArtifactId) -> StoreError {
    StoreError::Corrupt {
        path: store.dir().join("artifacts").join(artifact.to_string()),
        what: "the document of a run that waits is gone".to_owned(),
    }
}
