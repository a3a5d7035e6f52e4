//! Reading requests: bodies with a bound, ids and queries with errors that say what is wrong.

use std::str::FromStr;

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use serde::de::DeserializeOwned;

use crate::error::ApiError;
use crate::server::Shared;

/// A body of JSON.
#[derive(Debug)]
pub(crate) struct Sent<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Shared> for Sent<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, shared: &Shared) -> Result<Self, ApiError> {
        if !is_json(request.headers()) {
            return Err(not_json());
        }
        let bytes = bytes_of(request, shared).await?;
        fitting(&bytes).map(Self)
    }
}

/// A body of JSON that may be left out.
#[derive(Debug)]
pub(crate) struct SentIfAny<T>(pub(crate) T);

impl<T: DeserializeOwned + Default> FromRequest<Shared> for SentIfAny<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, shared: &Shared) -> Result<Self, ApiError> {
        let json = is_json(request.headers());
        let bytes = bytes_of(request, shared).await?;
        if bytes.is_empty() {
            return Ok(Self(T::default()));
        }
        if json { fitting(&bytes).map(Self) } else { Err(not_json()) }
    }
}

async fn bytes_of(request: Request, shared: &Shared) -> Result<Bytes, ApiError> {
    let limit = shared.limits.body;
    let too_large = || {
        ApiError::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "too_large",
            format!("the body is larger than {limit} bytes"),
            "shorten it",
        )
    };
    if announced(request.headers()).is_some_and(|length| length > limit as u64) {
        return Err(too_large());
    }
    // A body that trickles would hold its place among the requests for as long as it likes.
    let body = axum::body::to_bytes(request.into_body(), limit);
    tokio::time::timeout(shared.limits.body_time, body)
        .await
        .map_err(|_| ApiError::slow())?
        .map_err(|_| too_large())
}

fn fitting<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    serde_json::from_slice(bytes).map_err(|error| {
        ApiError::bad_request(
            format!("the body does not fit: {error}"),
            "GET /api/openapi.json describes what does",
        )
    })
}

fn not_json() -> ApiError {
    ApiError::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "not_json",
        "the body must be JSON",
        "send it with content-type: application/json",
    )
}

fn announced(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

fn is_json(headers: &HeaderMap) -> bool {
    headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).is_some_and(|value| {
        let mime = value.split(';').next().unwrap_or_default().trim();
        mime.eq_ignore_ascii_case("application/json")
            || mime.eq_ignore_ascii_case("application/merge-patch+json")
    })
}

/// What stands behind the question mark.
#[derive(Debug)]
pub(crate) struct Asked<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequestParts<Shared> for Asked<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, shared: &Shared) -> Result<Self, ApiError> {
        axum::extract::Query::<T>::from_request_parts(parts, shared).await.map(|query| Self(query.0)).map_err(
            |error| {
                ApiError::bad_request(
                    format!("the query does not fit: {}", error.body_text()),
                    "GET /api/openapi.json describes what does",
                )
            },
        )
    }
}

/// The parts of an address that are names, as text. What is no text names nothing.
#[derive(Debug)]
pub(crate) struct Named<T>(pub(crate) T);

impl<T: DeserializeOwned + Send> FromRequestParts<Shared> for Named<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, shared: &Shared) -> Result<Self, ApiError> {
        axum::extract::Path::<T>::from_request_parts(parts, shared).await.map(|path| Self(path.0)).map_err(
            |_| {
                ApiError::not_found(
                    "not_found",
                    "there is nothing at this address",
                    "see GET /api/openapi.json",
                )
            },
        )
    }
}

/// A word of the domain in a query.
pub(crate) fn word<T: FromStr<Err: std::fmt::Display>>(
    field: &str,
    text: Option<&str>,
) -> Result<Option<T>, ApiError> {
    text.filter(|text| !text.is_empty())
        .map(|text| {
            text.parse().map_err(|error: T::Err| {
                ApiError::bad_request(format!("{field}: {error}"), "leave it out, or use one of those")
            })
        })
        .transpose()
}
