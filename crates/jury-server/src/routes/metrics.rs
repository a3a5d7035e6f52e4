//! The metrics, for Prometheus.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::answer::with_type;
use crate::error::ApiError;
use crate::metrics::CONTENT_TYPE;
use crate::server::Shared;

/// What was counted since the daemon began, as OpenMetrics text.
#[utoipa::path(
    get, path = "/metrics", operation_id = "getMetrics", tag = "daemon",
    responses((status = 200, body = String, content_type = "application/openmetrics-text"))
)]
pub(crate) async fn metrics(State(shared): State<Shared>) -> Result<Response, ApiError> {
    let waiting = shared.store.waiting_count().await?;
    shared.metrics.set_queue(usize::try_from(waiting).unwrap_or(usize::MAX), shared.scheduler.running());
    Ok(with_type(StatusCode::OK, CONTENT_TYPE, shared.metrics.render()))
}
