//! Two runs beside each other.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use jury_core::comparison::RunComparison;

use super::runs::found;
use crate::answer::json;
use crate::body::Named;
use crate::error::{ApiError, ErrorBody};
use crate::server::Shared;

/// Two runs of one workflow: what was fixed from the first to the second, what is new, what is still open.
#[utoipa::path(
    get, path = "/api/runs/{runId}/compare/{otherId}", operation_id = "compareRuns", tag = "runs",
    params(("runId" = String, Path), ("otherId" = String, Path)),
    responses(
        (status = 200, body = RunComparison), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "They are of different workflows")
    )
)]
pub(crate) async fn compare(
    State(shared): State<Shared>,
    Named((base, other)): Named<(String, String)>,
) -> Result<Response, ApiError> {
    let (base, other) = (found(&shared, &base).await?, found(&shared, &other).await?);
    match jury_engine::compare(&shared.store, &base, &other).await? {
        Some(both) => Ok(json(StatusCode::OK, &both)),
        None => Err(ApiError::conflict(
            "other_workflow",
            format!("one is a run of the {}, the other of the {}", base.workflow, other.workflow),
            "compare two runs of one workflow",
        )),
    }
}
