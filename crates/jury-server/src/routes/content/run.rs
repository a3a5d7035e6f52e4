//! One run of the content pipeline: everything that it has come to, and its events as they happen.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use jury_core::content::{ContentView, PipelineProgress};
use serde::Serialize;
use utoipa::ToSchema;

use super::{ContentSummary, found, state as state_of};
use crate::answer::json;
use crate::body::{Asked, Named};
use crate::error::{ApiError, ErrorBody};
use crate::routes::runs::{After, after_of, stream_of};
use crate::server::Shared;

/// A run and everything that it has come to.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ContentRun {
    /// The run in a line.
    run: ContentSummary,
    /// How far it has come.
    progress: PipelineProgress,
    /// Its panel, rounds, issues, briefs and lost passages.
    #[serde(rename = "studio")]
    state: ContentView,
}

/// A run: its progress, and what its events add up to.
#[utoipa::path(
    get, path = "/api/content-pipeline/{ideaId}/runs/{runId}", operation_id = "getContentRun", tag = "content",
    params(("ideaId" = String, Path), ("runId" = String, Path)),
    responses((status = 200, body = ContentRun), (status = 404, body = ErrorBody))
)]
pub(crate) async fn run(
    State(shared): State<Shared>,
    Named((idea, run)): Named<(String, String)>,
) -> Result<Response, ApiError> {
    let (row, summary) = found(&shared, &idea, &run).await?;
    let state = state_of(&shared, &row).await?;
    let progress = PipelineProgress::of(&state).ok_or_else(|| ApiError::no_content_run(&run))?;
    Ok(json(StatusCode::OK, &ContentRun { run: summary, progress, state: ContentView::of(&state) }))
}

/// The events of a run as they happen, as `text/event-stream`, from its first. The id of an event is its position in the
/// store: with `Last-Event-ID` or `after` the stream goes on behind it.
#[utoipa::path(
    get, path = "/api/content-pipeline/{ideaId}/runs/{runId}/events", operation_id = "streamContentEvents", tag = "content",
    params(("ideaId" = String, Path), ("runId" = String, Path), After, ("Last-Event-ID" = Option<String>, Header)),
    responses(
        (status = 200, body = String, content_type = "text/event-stream"),
        (status = 400, body = ErrorBody, description = "The query does not fit"),
        (status = 404, body = ErrorBody),
        (status = 503, body = ErrorBody, description = "Too many look on already")
    )
)]
pub(crate) async fn events(
    State(shared): State<Shared>,
    Named((idea, run)): Named<(String, String)>,
    Asked(part): Asked<After>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let (row, _) = found(&shared, &idea, &run).await?;
    let after = after_of(&headers, part.given())?;
    stream_of(&shared, row, after).await
}
