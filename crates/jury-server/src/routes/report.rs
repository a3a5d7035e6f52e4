//! A run as a document: for programs, for people, and as a file that plays the run again.

use axum::extract::State;
use axum::http::header::{ACCEPT, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, VARY};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;
use jury_core::record::Record;
use jury_core::report::{self, ReportCase, html};
use jury_store::RunRow;
use serde::Deserialize;

use crate::answer::with_type;
use crate::body::{Asked, Named};
use crate::error::{ApiError, ErrorBody};
use crate::page::report_bundle;
use crate::server::Shared;

/// Here a report is a stranger to the site that serves it, too: it plays and prints, and nothing else.
const STRANGER: &str = "; frame-ancestors 'none'; sandbox allow-scripts allow-modals";

/// The format of the report.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Form {
    /// `json`, `markdown` or `html`. Without it, the first of their types that `Accept` names, else `json`.
    #[param(pattern = "^(json|markdown|html)$")]
    format: Option<String>,
}

/// A run as a document: verdict, scores, findings, reviews.
///
/// As HTML it is one file that carries its pages, needs nothing else, and plays the run again.
#[utoipa::path(
    get, path = "/api/projects/{id}/critique/{runId}/report", tag = "critique",
    params(("id" = String, Path), ("runId" = String, Path), Form),
    responses(
        (
            status = 200, description = "The report",
            content((Object = "application/json"), (String = "text/markdown"), (String = "text/html"))
        ),
        (status = 400, body = ErrorBody, description = "The query does not fit"), (status = 404, body = ErrorBody)
    )
)]
pub(crate) async fn report(
    State(shared): State<Shared>,
    Named((id, run)): Named<(String, String)>,
    Asked(form): Asked<Form>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let row = super::run(&shared, &id, &run).await?;
    let format = form.format.as_deref().unwrap_or_else(|| accepted(&headers));
    let records = shared.store.records(row.run).await?;
    let mut case = ReportCase::new(&records);
    if case.hands_over() {
        case.artifact = Some(format!("/api/projects/{}/critique/{}/artifact", row.project, row.run));
    }
    let mut response = match format {
        "json" => with_type(StatusCode::OK, "application/json", report::json::document(&case)),
        "markdown" => {
            with_type(StatusCode::OK, "text/markdown; charset=utf-8", report::markdown::document(&case))
        }
        "html" => as_html(&shared, &row, case, records).await?,
        other => {
            return Err(ApiError::bad_request(
                format!("format: '{other}' is none of json, markdown, html"),
                "leave it out, or use one of those",
            ));
        }
    };
    response.headers_mut().insert(VARY, HeaderValue::from_static("accept"));
    Ok(response)
}

/// The first type that is asked for and can be given.
fn accepted(headers: &HeaderMap) -> &'static str {
    let asked = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    asked
        .flat_map(|value| value.split(','))
        .find_map(|kind| match kind.split(';').next().unwrap_or_default().trim() {
            "text/html" => Some("html"),
            "text/markdown" => Some("markdown"),
            "application/json" | "*/*" => Some("json"),
            _ => None,
        })
        .unwrap_or("json")
}

async fn as_html(
    shared: &Shared,
    row: &RunRow,
    case: ReportCase,
    records: Vec<Record>,
) -> Result<Response, ApiError> {
    let bundle = report_bundle().ok_or_else(|| broken("this daemon was built without its page"))?;
    let pages = shared.store.read_bodies(row.artifact, &case.board, &html::named_in(&records)).await?;
    let policy = HeaderValue::from_str(&(bundle.policy() + STRANGER));
    // Long pages take their time to be escaped.
    let made = tokio::task::spawn_blocking(move || html::document(&case, &records, &pages, &bundle)).await;
    let text =
        made.map_err(|error| broken(&error.to_string()))?.map_err(|error| broken(&error.to_string()))?;
    let mut response = with_type(StatusCode::OK, "text/html; charset=utf-8", text);
    let headers = response.headers_mut();
    headers.insert(
        CONTENT_SECURITY_POLICY,
        policy.unwrap_or(HeaderValue::from_static("default-src 'none'; sandbox")),
    );
    let name = format!("inline; filename=\"jury-{}.html\"", row.run);
    if let Ok(name) = HeaderValue::from_str(&name) {
        headers.insert(CONTENT_DISPOSITION, name);
    }
    Ok(response)
}

fn broken(why: &str) -> ApiError {
    tracing::error!(error = why, "a report could not be made");
    let hint = "ask for another format, and see the log of the daemon";
    ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "the report could not be made", hint)
}
