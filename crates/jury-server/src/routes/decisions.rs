//! The inbox: what runs ask people, and the answers.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use jiff::Timestamp;
use jury_core::critic::Answer;
use jury_core::decision::{DecisionId, DecisionState, Given, InboxDecision};
use jury_core::judge::JudgeVerdict;
use jury_core::judge::machine::verdict_of;
use jury_core::line;
use jury_store::SettledDecision;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::answer::json;
use crate::body::{Asked, Named, Sent, word};
use crate::error::{ApiError, ErrorBody};
use crate::server::Shared;

/// The longest answer in words.
const LONGEST_ANSWER_BYTES: usize = 16 * 1024;

/// The longest name of somebody who answers.
const LONGEST_NAME: usize = 80;

/// Which decisions are wanted.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Which {
    /// Only those that stand like this; those that are open if nothing is given, all of them for `all`.
    #[param(value_type = Option<String>, pattern = "^(open|answered|closed|all)$")]
    state: Option<String>,
}

/// What people are asked, the oldest first.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Inbox {
    decisions: Vec<InboxDecision>,
}

/// What people are asked.
#[utoipa::path(
    get, path = "/api/decisions", operation_id = "listDecisions", tag = "decisions", params(Which),
    responses((status = 200, body = Inbox), (status = 400, body = ErrorBody, description = "The query does not fit"))
)]
pub(crate) async fn list(
    State(shared): State<Shared>,
    Asked(which): Asked<Which>,
) -> Result<Response, ApiError> {
    let state = match which.state.as_deref() {
        None | Some("") => Some(DecisionState::Open),
        Some("all") => None,
        Some(text) => word("state", Some(text))?,
    };
    let decisions = shared.store.decisions(state, None).await?;
    Ok(json(StatusCode::OK, &Inbox { decisions }))
}

/// The answer to a question of the inbox.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct AnswerRequest {
    /// The number of an option, `skip`, or words of one's own.
    #[schema(min_length = 1, max_length = 16384)]
    answer: String,
    /// Who answers; `somebody` if nobody is named.
    #[serde(default)]
    #[schema(required = false, nullable = false, max_length = 80)]
    by: Option<String>,
}

/// What became of an answer.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Outcome {
    /// The decision with its answer.
    decision: InboxDecision,
    /// How many questions of the run are still open. None left: it goes on.
    left: u32,
}

/// Answers. The first answer counts. With the last one that a run waits for it goes on where it was.
#[utoipa::path(
    post, path = "/api/decisions/{id}", operation_id = "answerDecision", tag = "decisions", params(("id" = String, Path)),
    request_body = AnswerRequest,
    responses(
        (status = 200, body = Outcome),
        (status = 400, body = ErrorBody, description = "The body does not fit"),
        (status = 404, body = ErrorBody), (status = 408, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "It has its answer already"),
        (status = 413, body = ErrorBody), (status = 415, body = ErrorBody),
        (status = 422, body = ErrorBody, description = "It is none of the options")
    )
)]
pub(crate) async fn answer(
    State(shared): State<Shared>,
    Named(id): Named<String>,
    Sent(request): Sent<AnswerRequest>,
) -> Result<Response, ApiError> {
    let unknown = || {
        ApiError::not_found(
            "no_such_decision",
            format!("there is no decision '{id}'"),
            "GET /api/decisions lists them",
        )
    };
    let id: DecisionId = id.parse().map_err(|_| unknown())?;
    let decision = shared.store.decision(&id).await?.ok_or_else(unknown)?;
    let options = &decision.question.options;
    let judged = decision.workflow.asks_for_verdict();
    // A judge is told a verdict; words that are none would settle nothing.
    let settles = |answer: &Answer| !judged || verdict_of(answer, options, JudgeVerdict::Partial).is_some();
    let answer = Some(request.answer.as_str())
        .filter(|text| text.len() <= LONGEST_ANSWER_BYTES)
        .and_then(|text| Answer::from_typed(text, options.len()))
        .filter(settles)
        .ok_or_else(|| {
            let words = if judged { "pass, partial or fail" } else { "words" };
            ApiError::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "not_an_option",
                format!("'{}' is none of the options", shortened(&request.answer)),
                &format!("give a number from 1 to {}, skip, or {words}", options.len() + 1),
            )
        })?;
    let by = request.by.as_deref().map(name).filter(|by| !by.is_empty());
    let given = Given { answer, by: by.unwrap_or_else(|| "somebody".to_owned()), at: Timestamp::now() };
    let SettledDecision { decision, left } = shared.store.answer(&id, given).await.map_err(|error| {
        if error.is_conflict() {
            ApiError::new(
                StatusCode::CONFLICT,
                "already_answered",
                error.to_string(),
                "the first answer counts",
            )
        } else {
            error.into()
        }
    })?;
    if left == 0 {
        shared.scheduler.look();
    }
    Ok(json(StatusCode::OK, &Outcome { decision, left }))
}

/// One line of bounded length.
fn name(text: &str) -> String {
    line::cut(text, LONGEST_NAME).trim().to_owned()
}

fn shortened(text: &str) -> String {
    line::cut(text, 40)
}
