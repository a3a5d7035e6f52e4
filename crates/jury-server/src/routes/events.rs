//! The live stream of a project.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;

use super::runs::{after_of, stream_of};
use crate::body::{Asked, Named};
use crate::error::{ApiError, ErrorBody};
use crate::feed::Scope;
use crate::server::Shared;
use crate::stream;

/// Which part of the stream.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Part {
    /// Only the events of this run, from its first.
    run: Option<String>,
    /// Only what comes after this id. 0 is the beginning of everything.
    after: Option<String>,
}

/// The events of a project as they happen, as `text/event-stream`. The id of an event is its position in the
/// store: with `Last-Event-ID` or `after` the stream goes on behind it. Without one, a stream of a run begins
/// with the run, and the stream of a project with the first event of what is still going on.
#[utoipa::path(
    get, path = "/api/projects/{id}/events", operation_id = "streamEvents", tag = "critique",
    params(("id" = String, Path), Part, ("Last-Event-ID" = Option<String>, Header)),
    responses(
        (status = 200, body = String, content_type = "text/event-stream"),
        (status = 400, body = ErrorBody, description = "The query does not fit"),
        (status = 404, body = ErrorBody),
        (status = 503, body = ErrorBody, description = "Too many look on already")
    )
)]
pub(crate) async fn events(
    State(shared): State<Shared>,
    Named(id): Named<String>,
    Asked(part): Asked<Part>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let project = super::project(&shared, &id).await?;
    let run = match &part.run {
        Some(run) => Some(super::run(&shared, &id, run).await?),
        None => None,
    };
    let after = after_of(&headers, part.after.as_deref())?;
    if let Some(row) = run {
        return stream_of(&shared, row, after).await;
    }
    let after = match after {
        // A position of a store that was thrown away lies beyond everything that will come for a long time.
        Some(after) => after.min(shared.store.head().await?),
        None => shared.store.before_unfinished(&project.id).await?,
    };
    stream::open(&shared, Scope { project: project.id, run: None }, after).ok_or_else(ApiError::busy)
}
