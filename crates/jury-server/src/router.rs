//! Which address leads where. The router and the OpenAPI document are made from the same list.

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::any;
use tower_http::catch_panic::CatchPanicLayer;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::access;
use crate::error::ApiError;
use crate::page;
use crate::routes::{
    artifact, compare, conformance, content, context, critic, critique, decisions, events, health, judge,
    metrics, openapi, projects, report, runs,
};
use crate::server::Shared;
use crate::site;
use crate::unread_body;

/// Every address of the API.
pub(crate) fn api() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(health::health))
        .routes(routes!(metrics::metrics))
        .routes(routes!(openapi::document))
        .routes(routes!(projects::list, projects::create))
        .routes(routes!(projects::one, projects::change))
        .routes(routes!(runs::list, runs::start))
        .routes(routes!(runs::state))
        .routes(routes!(runs::transcript))
        .routes(routes!(runs::events))
        .routes(routes!(runs::interrupt))
        .routes(routes!(runs::rerun))
        .routes(routes!(compare::compare))
        .routes(routes!(runs::create))
        .routes(routes!(events::events))
        .routes(routes!(critique::history))
        .routes(routes!(critique::state))
        .routes(routes!(critique::transcript))
        .routes(routes!(report::report))
        .routes(routes!(critique::interrupt))
        .routes(routes!(critique::rerun))
        .routes(routes!(artifact::last))
        .routes(routes!(artifact::of_round))
        .routes(routes!(critic::history))
        .routes(routes!(critic::state))
        .routes(routes!(critic::document))
        .routes(routes!(critic::interrupt))
        .routes(routes!(decisions::list))
        .routes(routes!(decisions::answer))
        .routes(routes!(judge::templates))
        .routes(routes!(judge::judgements))
        .routes(routes!(judge::judgement))
        .routes(routes!(judge::patterns))
        .routes(routes!(judge::cost))
        .routes(routes!(judge::tests))
        .routes(routes!(content::ideas::ideas))
        .routes(routes!(content::start::progress, content::start::start))
        .routes(routes!(content::run::run))
        .routes(routes!(content::draft::draft))
        .routes(routes!(content::draft::diff))
        .routes(routes!(content::run::events))
        .routes(routes!(content::steer::resume))
        .routes(routes!(content::steer::pause))
        .routes(routes!(content::steer::abandon))
        .routes(routes!(content::steer::tool))
        .routes(routes!(content::ideas::advisors))
        .routes(routes!(content::ideas::recipes))
        .routes(routes!(conformance::conformance))
        .routes(routes!(context::settings))
        .routes(routes!(context::agents))
        .routes(routes!(context::skills))
}

/// The whole of it, behind its door.
pub(crate) fn router(shared: &Shared) -> Router {
    let (router, _) = api().split_for_parts();
    router
        .route("/s/{*path}", any(site::site))
        .fallback(page::page)
        .method_not_allowed_fallback(another_method)
        .layer(from_fn_with_state(Shared::clone(shared), crowd))
        .layer(from_fn_with_state(Shared::clone(shared), access::check))
        .layer(from_fn_with_state(Shared::clone(shared), unread_body::hear_out))
        .layer(axum::middleware::map_response(harden))
        .layer(CatchPanicLayer::custom(|_| broke()))
        .with_state(Shared::clone(shared))
}

async fn another_method() -> ApiError {
    ApiError::method()
}

/// Bounds how many requests are worked on at once. A live stream is counted by itself, and whoever asks how the
/// daemon is must hear that it lives, above all when it is busy.
async fn crowd(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    if request.uri().path() == "/api/health" {
        return next.run(request).await;
    }
    let Ok(_slot) = shared.slots.try_acquire() else { return ApiError::busy().into_response() };
    next.run(request).await
}

/// What every answer says to a browser.
async fn harden(mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        headers.entry(HeaderName::from_static(name)).or_insert(HeaderValue::from_static(value));
    }
    headers
        .entry(HeaderName::from_static("content-security-policy"))
        .or_insert(HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'"));
    response
}

fn broke() -> Response {
    tracing::error!("a request broke the program");
    ApiError::internal().into_response()
}
