//! The contract itself.

use axum::http::StatusCode;
use axum::response::Response;

use crate::answer::with_type;
use crate::error::ApiError;

/// This document: the API as OpenAPI.
#[utoipa::path(
    get, path = "/api/openapi.json", operation_id = "getOpenapi", tag = "daemon",
    responses((status = 200, body = Object, content_type = "application/json"))
)]
pub(crate) async fn document() -> Result<Response, ApiError> {
    match crate::openapi() {
        Ok(text) => Ok(with_type(StatusCode::OK, "application/json", text)),
        Err(error) => Err(ApiError::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            format!("the document cannot be written: {error}"),
            "report it",
        )),
    }
}
