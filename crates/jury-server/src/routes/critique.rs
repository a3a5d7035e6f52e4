//! Runs: their history, one of them, its transcript, stopping it and asking for it again.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use jiff::Timestamp;
use jury_core::id::{AgentId, ArtifactId, ProjectId, RunId};
use jury_core::outcome::TheaterStatus;
use jury_core::role::Role;
use jury_core::run::{Outcome, RunState};
use jury_core::score::{Composite, Score};
use jury_core::theater::Board;
use jury_core::unit::{Round, Seq};
use jury_core::workflow::WorkflowState as _;
use jury_store::{RunFilter, RunRow};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::runs::{Accepted, Interrupted, again, page, stop, transcript_of};
use crate::answer::json;
use crate::body::{Asked, Named, word};
use crate::error::{ApiError, ErrorBody};
use crate::server::Shared;

/// A run in a list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RunSummary {
    /// The id of the run.
    run_id: RunId,
    /// The project that the run belongs to.
    project_id: ProjectId,
    /// The page that is reviewed.
    artifact_id: ArtifactId,
    /// Who plays the panel.
    agent: AgentId,
    /// What the work is called.
    title: String,
    /// Where the run is in the queue.
    state: RunState,
    /// How it ended, if it has.
    status: Option<TheaterStatus>,
    /// The composite of the round it ended with.
    composite: Option<Composite>,
    /// The round it ended with.
    round: Option<Round>,
    /// How many rounds are closed.
    rounds: u32,
    /// What each panelist gave in the last closed round. Who gave none is not here.
    #[schema(value_type = BTreeMap<String, f64>)]
    scores: BTreeMap<Role, Score>,
    /// The number of its last event.
    head: Seq,
    /// When it was asked for.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When a place was free for it.
    #[schema(value_type = Option<String>, format = DateTime)]
    started_at: Option<Timestamp>,
    /// When it ended, once it has.
    #[schema(value_type = Option<String>, format = DateTime)]
    ended_at: Option<Timestamp>,
}

impl From<RunRow> for RunSummary {
    fn from(row: RunRow) -> Self {
        let status = row.summary.status.and_then(Outcome::status);
        Self {
            run_id: row.run,
            project_id: row.project,
            artifact_id: row.artifact,
            agent: row.agent,
            title: row.title,
            state: row.state,
            status,
            composite: row.summary.score,
            round: row.summary.round,
            rounds: row.summary.rounds,
            scores: row.summary.scores,
            head: row.head,
            created_at: row.created_at,
            started_at: row.started_at,
            ended_at: row.ended_at,
        }
    }
}

/// A page of the history.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct History {
    /// The runs, the newest first.
    runs: Vec<RunSummary>,
    /// What to give as `before` for the next page; none on the last one.
    next: Option<RunId>,
}

/// A run and its state.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RunView {
    /// The row of the run.
    run: RunSummary,
    /// The fold of its events.
    state: Board,
}

/// Which runs are wanted, and which page of them.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Which {
    /// Only those that ended like this.
    #[param(value_type = Option<TheaterStatus>)]
    status: Option<String>,
    /// Only those that stand like this.
    #[param(value_type = Option<RunState>)]
    state: Option<String>,
    /// Only those of this agent.
    agent: Option<String>,
    /// Only those with this in their title.
    q: Option<String>,
    /// Only those older than this run.
    before: Option<String>,
    /// At most so many, up to 200.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    limit: Option<String>,
}

/// The runs of a project, the newest first.
#[utoipa::path(
    get, path = "/api/projects/{id}/critique", operation_id = "listRuns", tag = "critique", params(("id" = String, Path), Which),
    responses(
        (status = 200, body = History),
        (status = 400, body = ErrorBody, description = "The query does not fit"), (status = 404, body = ErrorBody)
    )
)]
pub(crate) async fn history(
    State(shared): State<Shared>,
    Named(id): Named<String>,
    Asked(which): Asked<Which>,
) -> Result<Response, ApiError> {
    let project = super::project(&shared, &id).await?;
    let filter = RunFilter {
        workflow: Some(Board::WORKFLOW),
        status: word::<TheaterStatus>("status", which.status.as_deref())?.map(Outcome::from),
        state: word("state", which.state.as_deref())?,
        agent: word("agent", which.agent.as_deref())?,
        project: Some(project.id),
        text: which.q.filter(|text| !text.is_empty()),
        ..RunFilter::default()
    };
    let (rows, next) = page(&shared, filter, which.before.as_deref(), which.limit.as_deref()).await?;
    Ok(json(StatusCode::OK, &History { runs: rows.into_iter().map(RunSummary::from).collect(), next }))
}

/// A run, and the state that its events add up to.
#[utoipa::path(
    get, path = "/api/projects/{id}/critique/{runId}", operation_id = "getRun", tag = "critique",
    params(("id" = String, Path), ("runId" = String, Path)),
    responses((status = 200, body = RunView), (status = 404, body = ErrorBody))
)]
pub(crate) async fn state(
    State(shared): State<Shared>,
    Named((id, run)): Named<(String, String)>,
) -> Result<Response, ApiError> {
    let row = super::run(&shared, &id, &run).await?;
    let state = shared.store.state::<Board>(row.run).await?;
    Ok(json(StatusCode::OK, &RunView { run: row.into(), state }))
}

/// The events of a run, one per line, in order: all of them if it has ended, those so far if not.
#[utoipa::path(
    get, path = "/api/projects/{id}/critique/{runId}/transcript", operation_id = "getTranscript", tag = "critique",
    params(("id" = String, Path), ("runId" = String, Path)),
    responses(
        (status = 200, body = String, content_type = "application/x-ndjson"), (status = 404, body = ErrorBody)
    )
)]
pub(crate) async fn transcript(
    State(shared): State<Shared>,
    Named((id, run)): Named<(String, String)>,
) -> Result<Response, ApiError> {
    let row = super::run(&shared, &id, &run).await?;
    Ok(transcript_of(shared, row.run))
}

/// Stops a run. It ends with the best of its closed rounds, or with nothing if none closed. Doing it again
/// changes nothing.
#[utoipa::path(
    post, path = "/api/projects/{id}/critique/{runId}/interrupt", operation_id = "interruptRun", tag = "critique",
    params(("id" = String, Path), ("runId" = String, Path)),
    responses(
        (status = 202, body = Interrupted), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "It has ended by itself, or another process has it")
    )
)]
pub(crate) async fn interrupt(
    State(shared): State<Shared>,
    Named((id, run)): Named<(String, String)>,
) -> Result<Response, ApiError> {
    stop(&shared, &super::run(&shared, &id, &run).await?).await
}

/// Asks for the same again, as a new run.
#[utoipa::path(
    post, path = "/api/projects/{id}/critique/{runId}/rerun", operation_id = "rerunRun", tag = "critique",
    params(("id" = String, Path), ("runId" = String, Path)),
    responses(
        (status = 202, body = Accepted), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "What was asked for was not kept"),
        (status = 422, body = ErrorBody, description = "It cannot be carried out any more"),
        (status = 503, body = ErrorBody, description = "The daemon is about to end")
    )
)]
pub(crate) async fn rerun(
    State(shared): State<Shared>,
    Named((id, run)): Named<(String, String)>,
) -> Result<Response, ApiError> {
    again(&shared, &super::run(&shared, &id, &run).await?).await
}
