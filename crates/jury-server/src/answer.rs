//! How answers are written.

use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use serde::Serialize;

/// A JSON answer. Nobody keeps it: the next one may differ.
pub(crate) fn json(status: StatusCode, value: &impl Serialize) -> Response {
    match serde_json::to_vec(value) {
        Ok(body) => with_type(status, "application/json", body),
        Err(error) => {
            tracing::error!(error = %error, "an answer could not be written");
            with_type(StatusCode::INTERNAL_SERVER_ERROR, "application/json", br#"{"error":{"code":"internal","message":"the answer could not be written","hint":"see the log of the daemon"}}"#.to_vec())
        }
    }
}

/// An answer of a type.
pub(crate) fn with_type(status: StatusCode, mime: &'static str, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(mime));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
