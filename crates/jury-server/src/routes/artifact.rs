//! Artifacts: pages that somebody else wrote. They are served so that a browser does nothing with them but show
//! them.

use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use jury_core::theater::Board;
use jury_core::unit::Round;

use crate::answer::with_type;
use crate::body::Named;
use crate::error::{ApiError, ErrorBody};
use crate::server::Shared;

/// Forbids everything but the artifact's own inline styles, and makes it a stranger to this site.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'self'; sandbox";

/// The artifact that a run ended with: what shipped, or what was kept.
#[utoipa::path(
    get, path = "/api/projects/{id}/critique/{runId}/artifact", operation_id = "getArtifact", tag = "critique",
    params(("id" = String, Path), ("runId" = String, Path)),
    responses(
        (status = 200, body = String, content_type = "text/html"),
        (status = 404, body = ErrorBody, description = "No such run, or it kept no artifact")
    )
)]
pub(crate) async fn last(
    State(shared): State<Shared>,
    Named((id, run)): Named<(String, String)>,
) -> Result<Response, ApiError> {
    let row = super::run(&shared, &id, &run).await?;
    match shared.store.read_final(row.artifact).await? {
        Some(body) => Ok(page(body)),
        None => Err(ApiError::not_found(
            "no_artifact",
            "this run has kept no artifact",
            "look at its rounds, or at why it ended",
        )),
    }
}

/// The artifact of one round. A round without a draft of its own has the one before.
#[utoipa::path(
    get, path = "/api/projects/{id}/critique/{runId}/rounds/{n}/artifact", operation_id = "getRoundArtifact", tag = "critique",
    params(("id" = String, Path), ("runId" = String, Path), ("n" = u32, Path)),
    responses(
        (status = 200, body = String, content_type = "text/html"),
        (status = 404, body = ErrorBody, description = "No such run, or the round has no artifact")
    )
)]
pub(crate) async fn of_round(
    State(shared): State<Shared>,
    Named((id, run, round)): Named<(String, String, String)>,
) -> Result<Response, ApiError> {
    let row = super::run(&shared, &id, &run).await?;
    let none = || {
        ApiError::not_found(
            "no_artifact",
            format!("round '{round}' has no artifact"),
            "look at the run's rounds",
        )
    };
    let number: u32 = round.parse().map_err(|_| none())?;
    // Rounds are few; a number beyond them is answered without looking for it.
    let board = shared.store.state::<Board>(row.run).await?;
    let digest = board.round(Round(number)).and_then(|round| round.artifact.as_ref()).map(|blob| blob.sha256);
    let digest = digest.ok_or_else(none)?;
    for number in (1..=number).rev() {
        if let Some(body) = shared.store.read_round(row.artifact, Round(number)).await?
            && jury_core::artifact::Digest::of(&body) == digest
        {
            return Ok(page(body));
        }
    }
    Err(none())
}

fn page(body: Vec<u8>) -> Response {
    let mut response = with_type(StatusCode::OK, "text/html; charset=utf-8", body);
    let headers = response.headers_mut();
    headers.insert(HeaderName::from_static("content-security-policy"), HeaderValue::from_static(POLICY));
    response
}
