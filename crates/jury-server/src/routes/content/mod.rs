//! The content pipeline over HTTP: ideas, runs and their progress, drafts and what changed in them, and the means to go on,
//! to stop, to give up, or to do a run tool by tool.

pub(crate) mod draft;
pub(crate) mod ideas;
pub(crate) mod run;
pub(crate) mod start;
pub(crate) mod steer;

use std::sync::Arc;

use jiff::Timestamp;
use jury_core::artifact::Digest;
use jury_core::content::event::ContentStarted;
use jury_core::content::{
    ContentEvent, ContentState, ContentStatus, ContentType, Draft, IdeaId, PipelineProgress,
};
use jury_core::id::{AgentId, ArtifactId, ProjectId, RunId};
use jury_core::run::{Outcome, RunState};
use jury_core::unit::{Round, Seq};
use jury_core::workflow::WorkflowState as _;
use jury_engine::SchedulerError;
use jury_store::{RunRow, StoreError};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::library::{Library, LibraryError};
use crate::server::Shared;

/// A run of the content pipeline in a line.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ContentSummary {
    /// The id of the run.
    run_id: RunId,
    /// The idea that the content is about.
    idea_id: IdeaId,
    /// The kind of content it makes.
    content_type: ContentType,
    /// The project that the run belongs to.
    project_id: ProjectId,
    /// Where its drafts are kept.
    artifact_id: ArtifactId,
    /// Who writes and reviews; the house when nobody does.
    agent: AgentId,
    /// How it stands in the queue.
    state: RunState,
    /// How it ended, if it has.
    #[schema(required)]
    outcome: Option<ContentStatus>,
    /// How many rounds are decided.
    rounds: u32,
    /// The mean that the kept draft has.
    #[schema(required)]
    score: Option<f64>,
    /// The number of its last event.
    head: Seq,
    /// When it was asked for.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When it ended, once it has.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    ended_at: Option<Timestamp>,
}

impl ContentSummary {
    /// None for what is no run of the content pipeline.
    fn of(row: &RunRow) -> Option<Self> {
        let (idea, content_type) = row.title.split_once('/')?;
        let outcome = row.summary.status.and_then(Outcome::status);
        Some(Self {
            run_id: row.run,
            idea_id: idea.parse().ok()?,
            content_type: content_type.parse().ok()?,
            project_id: row.project.clone(),
            artifact_id: row.artifact,
            agent: row.agent.clone(),
            state: row.state,
            outcome,
            rounds: row.summary.rounds,
            score: row.summary.score.map(|score| score.0),
            head: row.head,
            created_at: row.created_at,
            ended_at: row.ended_at,
        })
    }
}

/// Looks something up in files, on a thread that may wait for them.
async fn look_up<T: Send + 'static>(
    shared: &Shared,
    look: impl FnOnce(&dyn Library) -> Result<T, LibraryError> + Send + 'static,
) -> Result<T, ApiError> {
    let library = Arc::clone(&shared.context.library);
    let found = tokio::task::spawn_blocking(move || look(library.as_ref())).await;
    found.map_err(|_| ApiError::busy())?.map_err(ApiError::from)
}

/// The idea of an address. What cannot be a name is the name of nothing, and no part of a path either.
fn named(idea: &str) -> Result<IdeaId, ApiError> {
    idea.parse().map_err(|_| ApiError::no_such_idea(idea))
}

/// The run of an address.
async fn found(shared: &Shared, idea: &str, run: &str) -> Result<(RunRow, ContentSummary), ApiError> {
    let idea = named(idea)?;
    let unknown = || ApiError::no_content_run(run);
    let id: RunId = run.parse().map_err(|_| unknown())?;
    let row = shared
        .store
        .run(id)
        .await?
        .filter(|row| row.workflow == ContentState::WORKFLOW)
        .ok_or_else(unknown)?;
    let summary = ContentSummary::of(&row).filter(|summary| summary.idea_id == idea).ok_or_else(unknown)?;
    Ok((row, summary))
}

/// The state of a run. One that waits for its place has what was asked for.
async fn state(shared: &Shared, row: &RunRow) -> Result<ContentState, ApiError> {
    let state = shared.store.state::<ContentState>(row.run).await?;
    if state.started.is_some() {
        return Ok(state);
    }
    let Some(request) = shared.store.request::<ContentState>(row.run).await? else { return Ok(state) };
    let author = &request.recipe.author_advisor;
    let name =
        request.advisor(author.as_str()).map_or_else(|| author.to_string(), |advisor| advisor.name.clone());
    let mut begun = ContentState::of([&ContentEvent::RunStarted(ContentStarted {
        idea_id: request.idea.clone(),
        author: name,
        agent: request.agent.clone(),
        docs: request.foundation.listed(),
        publish: request.publish,
        evidence: Some(request.evidence),
        started_at: row.created_at,
        recipe: request.recipe,
    })]);
    begun.paused = state.paused;
    begun.halted = state.halted;
    begun.ended = state.ended;
    Ok(begun)
}

/// How far a run is.
async fn progress(shared: &Shared, row: &RunRow) -> Result<PipelineProgress, ApiError> {
    PipelineProgress::of(&state(shared, row).await?)
        .ok_or_else(|| ApiError::no_content_run(&row.run.to_string()))
}

/// The draft of a round. A body that is not the log's is nobody's draft.
async fn kept(shared: &Shared, row: &RunRow, number: &str) -> Result<Draft, ApiError> {
    let unknown = || {
        ApiError::not_found(
            "no_such_round",
            format!("there is no draft of round '{number}'"),
            "look at the rounds of the run",
        )
    };
    let round = Round(number.parse().map_err(|_| unknown())?);
    let state = shared.store.state::<ContentState>(row.run).await?;
    let blob = state.round(round).map(|round| round.draft.clone()).ok_or_else(unknown)?;
    let body = shared.store.read_round(row.artifact, round).await?.ok_or_else(unknown)?;
    if Digest::of(&body) != blob.sha256 {
        return Err(ApiError::conflict(
            "changed_draft",
            format!("the draft of round {round} was changed in its file"),
            "restore it from a backup, or give the run up",
        ));
    }
    Draft::read(&body, &blob.mime).ok_or_else(unknown)
}

/// What the scheduler says about a run of the content pipeline: somebody who was faster is no trouble of the store.
fn from_scheduler(error: SchedulerError) -> ApiError {
    match error {
        SchedulerError::Store(StoreError::Conflict { run, conflict }) => ApiError::conflict(
            "busy_run",
            format!("run {run} {conflict}"),
            "look at how it stands, and try again when nobody works on it",
        ),
        SchedulerError::Request(bad) => ApiError::bad_request(bad.problem, "change that and send it again"),
        other @ (SchedulerError::NoSuchRun(_)
        | SchedulerError::NotKept(_)
        | SchedulerError::Closing
        | SchedulerError::NotResumed(_)
        | SchedulerError::Broke(_)
        | SchedulerError::Store(_)) => other.into(),
    }
}
