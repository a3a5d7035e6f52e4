//! Whether the daemon lives, and whether it takes work on.

use std::sync::atomic::Ordering;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use jury_core::settings::PROTOCOL_VERSION;
use jury_store::MirrorState;
use serde::Serialize;
use utoipa::ToSchema;

use crate::answer::json;
use crate::error::ApiError;
use crate::server::Shared;

/// How the daemon is.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Health {
    /// Always true: the daemon answers.
    live: bool,
    /// It takes work on. Not while it ends, and not without its store.
    ready: bool,
    /// The version of the program.
    version: &'static str,
    /// The version of the wire protocol that it asks agents for.
    protocol_version: u32,
    /// How many runs go on.
    running: usize,
    /// The runs in the queue.
    waiting: u64,
    /// How many look on.
    viewers: usize,
    /// The Redis that content runs are mirrored to, if there is to be one.
    #[serde(rename = "redis", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    mirror: Option<RedisHealth>,
}

/// How the Redis is. Runs go on without it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RedisHealth {
    /// Whether it is there and has what the log says.
    reachable: bool,
    /// `connecting`, `reachable` or `gone`.
    state: &'static str,
}

/// Tells how the daemon is: 200 when it takes work on, 503 when it lives and does not. Needs no token.
#[utoipa::path(
    get, path = "/api/health", operation_id = "getHealth", tag = "daemon",
    responses((status = 200, body = Health), (status = 503, body = Health, description = "Lives, but takes nothing on"))
)]
pub(crate) async fn health(State(shared): State<Shared>) -> Result<Response, ApiError> {
    let waiting = shared.store.waiting_count().await;
    let ready = waiting.is_ok() && !shared.scheduler.is_closing();
    let health = Health {
        live: true,
        ready,
        version: env!("CARGO_PKG_VERSION"),
        protocol_version: PROTOCOL_VERSION,
        running: shared.scheduler.running(),
        waiting: waiting.unwrap_or_default(),
        viewers: shared.viewers.load(Ordering::Relaxed),
        mirror: shared.context.mirror.as_ref().map(|mirror| {
            let state = mirror.state();
            RedisHealth { reachable: state == MirrorState::Reachable, state: state.as_str() }
        }),
    };
    Ok(json(if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE }, &health))
}
