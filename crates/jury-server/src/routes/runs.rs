//! Asking for a run.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use jury_core::id::{ArtifactId, RunId};
use jury_core::request::RunRequest;
use jury_core::run::RunState;
use jury_engine::Ticket;
use serde::Serialize;
use utoipa::ToSchema;

use crate::answer::json;
use crate::body::{Named, Sent};
use crate::error::{ApiError, ErrorBody};
use crate::server::Shared;

/// A run that was taken on.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Accepted {
    /// The run.
    pub(super) run_id: RunId,
    /// What it will review.
    pub(super) artifact_id: ArtifactId,
    /// How it stands.
    pub(super) status: RunState,
}

impl From<Ticket> for Accepted {
    fn from(ticket: Ticket) -> Self {
        Self { run_id: ticket.run, artifact_id: ticket.artifact, status: RunState::Queued }
    }
}

/// Asks for a run. It waits in the queue of its project until there is a place for it.
#[utoipa::path(
    post, path = "/api/projects/{id}/runs", operation_id = "createRun", tag = "critique", params(("id" = String, Path)),
    request_body = RunRequest,
    responses(
        (status = 202, body = Accepted),
        (status = 400, body = ErrorBody, description = "The body does not fit"),
        (status = 404, body = ErrorBody), (status = 408, body = ErrorBody), (status = 413, body = ErrorBody), (status = 415, body = ErrorBody),
        (status = 422, body = ErrorBody, description = "It cannot be carried out as it is"),
        (status = 503, body = ErrorBody, description = "The daemon is about to end")
    )
)]
pub(crate) async fn create(
    State(shared): State<Shared>,
    Named(id): Named<String>,
    Sent(request): Sent<RunRequest>,
) -> Result<Response, ApiError> {
    let project = super::project(&shared, &id).await?;
    let ticket = shared.docket.submit(project.id, request).await?;
    Ok(json(StatusCode::ACCEPTED, &Accepted::from(ticket)))
}
