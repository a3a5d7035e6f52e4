//! The draft of a round, and what changed from one to another.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use jury_core::content::{ComparedBlock, Draft, compare};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{found, kept};
use crate::answer::{json, with_type};
use crate::body::{Asked, Named};
use crate::error::{ApiError, ErrorBody};
use crate::server::Shared;

/// How it is wanted.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Wanted {
    /// `markdown`, or `json` for a page in its parts. Markdown if nobody says.
    format: Option<String>,
}

/// A draft that is text.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TextDraft {
    /// The draft as Markdown.
    text: String,
}

/// The draft of a round.
#[utoipa::path(
    get, path = "/api/content-pipeline/{ideaId}/runs/{runId}/rounds/{n}/draft", operation_id = "getDraft", tag = "content",
    params(("ideaId" = String, Path), ("runId" = String, Path), ("n" = String, Path), Wanted),
    responses(
        (status = 200, description = "Markdown; or the page as JSON, or `{text}` for a draft that is no page", content(
            (String = "text/markdown"), (Object = "application/json")
        )),
        (status = 400, body = ErrorBody, description = "The query does not fit"),
        (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "The file is not the one of the log")
    )
)]
pub(crate) async fn draft(
    State(shared): State<Shared>,
    Named((idea, run, number)): Named<(String, String, String)>,
    Asked(wanted): Asked<Wanted>,
) -> Result<Response, ApiError> {
    let (row, _) = found(&shared, &idea, &run).await?;
    let draft = kept(&shared, &row, &number).await?;
    match wanted.format.as_deref().unwrap_or("markdown") {
        "markdown" | "" => Ok(with_type(StatusCode::OK, "text/markdown; charset=utf-8", draft.markdown())),
        "json" => Ok(match draft {
            Draft::Page(page) => json(StatusCode::OK, &page),
            Draft::Text(text) => json(StatusCode::OK, &TextDraft { text }),
        }),
        other => Err(ApiError::bad_request(format!("format: '{other}' is none"), "use markdown or json")),
    }
}

/// The rounds that are compared.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Between {
    /// The number of the earlier round.
    #[param(value_type = u32)]
    from: String,
    /// The number of the later round.
    #[param(value_type = u32)]
    to: String,
}

/// What changed from one draft to another.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DraftDiff {
    /// The number of the earlier round.
    from: u32,
    /// The number of the later round.
    to: u32,
    /// Block by block, in the order of the later one.
    blocks: Vec<ComparedBlock>,
}

/// What changed from the draft of one round to that of another, block by block.
#[utoipa::path(
    get, path = "/api/content-pipeline/{ideaId}/runs/{runId}/diff", operation_id = "compareDrafts", tag = "content",
    params(("ideaId" = String, Path), ("runId" = String, Path), Between),
    responses(
        (status = 200, body = DraftDiff),
        (status = 400, body = ErrorBody, description = "The query does not fit"),
        (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "A file is not the one of the log")
    )
)]
pub(crate) async fn diff(
    State(shared): State<Shared>,
    Named((idea, run)): Named<(String, String)>,
    Asked(between): Asked<Between>,
) -> Result<Response, ApiError> {
    let (row, _) = found(&shared, &idea, &run).await?;
    let number = |field: &str, text: &str| -> Result<u32, ApiError> {
        text.parse().map_err(|_| {
            ApiError::bad_request(format!("{field}: '{text}' is no round"), "use a number from 1")
        })
    };
    let (from, to) = (number("from", &between.from)?, number("to", &between.to)?);
    let earlier = kept(&shared, &row, &between.from).await?.markdown();
    let later = kept(&shared, &row, &between.to).await?.markdown();
    Ok(json(StatusCode::OK, &DraftDiff { from, to, blocks: compare(&earlier, &later) }))
}
