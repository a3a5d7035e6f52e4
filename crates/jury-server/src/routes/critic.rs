//! Runs of the critic: their history, their state, the document of a pass, and how to stop one.

use axum::body::Body;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use jiff::Timestamp;
use jury_core::critic::{CriticState, CriticStatus};
use jury_core::id::{AgentId, ArtifactId, ProjectId, RunId};
use jury_core::run::{Outcome, RunState};
use jury_core::unit::{Round, Seq};
use jury_core::workflow::WorkflowState as _;
use jury_store::{RunFilter, RunRow};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::runs::{self, Interrupted, stop};
use crate::answer::{json, with_type};
use crate::body::{Asked, Named};
use crate::error::{ApiError, ErrorBody};
use crate::server::Shared;

/// A run of the critic in a line.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CriticSummary {
    /// The id of the run.
    run_id: RunId,
    /// The project that the run belongs to.
    project_id: ProjectId,
    /// The document that is reviewed.
    artifact_id: ArtifactId,
    /// Who the critic is; the house when nobody is.
    agent: AgentId,
    /// What the document is called.
    title: String,
    /// How it stands in the queue.
    state: RunState,
    /// How it ended, if it has.
    #[schema(required)]
    standing: Option<CriticStatus>,
    /// How many passes are done.
    passes: u32,
    /// The number of its last event.
    head: Seq,
    /// When it was asked for.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When it ended, once it has.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    ended_at: Option<Timestamp>,
}

impl From<RunRow> for CriticSummary {
    fn from(row: RunRow) -> Self {
        let standing = row.summary.status.and_then(Outcome::status);
        Self {
            run_id: row.run,
            project_id: row.project,
            artifact_id: row.artifact,
            agent: row.agent,
            title: row.title,
            state: row.state,
            standing,
            passes: row.summary.rounds,
            head: row.head,
            created_at: row.created_at,
            ended_at: row.ended_at,
        }
    }
}

/// A page of the critic's history.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CriticHistory {
    /// The runs, the newest first.
    runs: Vec<CriticSummary>,
    /// The run to give as `before` for the next page, if there is one.
    #[schema(required)]
    next: Option<RunId>,
}

/// Which page of results is wanted.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Page {
    /// Only those older than this run.
    before: Option<String>,
    /// At most so many, up to 200.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    limit: Option<String>,
}

/// The critic's runs of a project, the newest first.
#[utoipa::path(
    get, path = "/api/projects/{id}/critic", operation_id = "listCriticRuns", tag = "critic",
    params(("id" = String, Path), Page),
    responses(
        (status = 200, body = CriticHistory),
        (status = 400, body = ErrorBody, description = "The query does not fit"), (status = 404, body = ErrorBody)
    )
)]
pub(crate) async fn history(
    State(shared): State<Shared>,
    Named(id): Named<String>,
    Asked(page): Asked<Page>,
) -> Result<Response, ApiError> {
    let project = super::project(&shared, &id).await?;
    let filter = RunFilter {
        workflow: Some(CriticState::WORKFLOW),
        project: Some(project.id),
        ..RunFilter::default()
    };
    let (rows, next) = runs::page(&shared, filter, page.before.as_deref(), page.limit.as_deref()).await?;
    Ok(json(
        StatusCode::OK,
        &CriticHistory { runs: rows.into_iter().map(CriticSummary::from).collect(), next },
    ))
}

/// A run of the critic and its state.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CriticRun {
    /// The run in a line.
    run: CriticSummary,
    /// What its events add up to.
    #[serde(rename = "docket")]
    state: CriticState,
}

/// A run of the critic, and the state that its events add up to.
#[utoipa::path(
    get, path = "/api/projects/{id}/critic/{runId}", operation_id = "getCriticRun", tag = "critic",
    params(("id" = String, Path), ("runId" = String, Path)),
    responses((status = 200, body = CriticRun), (status = 404, body = ErrorBody))
)]
pub(crate) async fn state(
    State(shared): State<Shared>,
    Named((id, run)): Named<(String, String)>,
) -> Result<Response, ApiError> {
    let row = super::run_of(&shared, &id, &run, CriticState::WORKFLOW).await?;
    let state = shared.store.state::<CriticState>(row.run).await?;
    Ok(json(StatusCode::OK, &CriticRun { run: row.into(), state }))
}

/// The document as a pass saw it, as plain text.
#[utoipa::path(
    get, path = "/api/projects/{id}/critic/{runId}/passes/{n}/document", operation_id = "getPassDocument",
    tag = "critic", params(("id" = String, Path), ("runId" = String, Path), ("n" = String, Path)),
    responses((status = 200, content_type = "text/plain", body = String), (status = 404, body = ErrorBody))
)]
pub(crate) async fn document(
    State(shared): State<Shared>,
    Named((id, run, number)): Named<(String, String, String)>,
) -> Result<Response, ApiError> {
    let row = super::run_of(&shared, &id, &run, CriticState::WORKFLOW).await?;
    let unknown = || {
        ApiError::not_found(
            "no_such_pass",
            format!("there is no document of pass '{number}'"),
            "a pass that changed nothing has that of the pass before it",
        )
    };
    let number: u32 = number.parse().map_err(|_| unknown())?;
    let body = shared.store.read_round(row.artifact, Round(number)).await?.ok_or_else(unknown)?;
    Ok(with_type(StatusCode::OK, "text/plain; charset=utf-8", Body::from(body)))
}

/// Stops a run of the critic, whether it goes on or waits. Doing it again changes nothing.
#[utoipa::path(
    post, path = "/api/projects/{id}/critic/{runId}/interrupt", operation_id = "interruptCriticRun", tag = "critic",
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
    stop(&shared, &super::run_of(&shared, &id, &run, CriticState::WORKFLOW).await?).await
}
