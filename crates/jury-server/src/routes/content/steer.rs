//! Going on, stopping, giving up, and doing a run tool by tool.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use jury_core::content::{ContentState, ContentStatus, Tool};
use jury_core::id::RunId;
use jury_engine::Interrupting;
use jury_engine::content::tools::ToolError;
use jury_store::StoreError;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{found, from_scheduler, look_up};
use crate::answer::json;
use crate::body::{Named, Sent, SentIfAny};
use crate::error::{ApiError, ErrorBody, ErrorDetail};
use crate::server::Shared;

/// How to go on.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ResumeAsk {
    /// A person's draft, which the same panel reviews: Markdown, or the JSON of a page. A run that waits for a person needs
    /// one.
    #[serde(default)]
    draft: Option<String>,
}

/// How a run stands after it was steered.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Steered {
    /// The id of the run.
    run_id: RunId,
    /// The status word of the run.
    status: ContentStatus,
}

/// Takes a run up that was paused, could not go on, or waits for a person.
#[utoipa::path(
    post, path = "/api/content-pipeline/{ideaId}/runs/{runId}/resume", operation_id = "resumeContentRun", tag = "content",
    params(("ideaId" = String, Path), ("runId" = String, Path)), request_body = ResumeAsk,
    responses(
        (status = 202, body = Steered),
        (status = 400, body = ErrorBody, description = "The body does not fit, or the draft is none"),
        (status = 404, body = ErrorBody), (status = 408, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "It goes on already, needs a draft, or has ended"),
        (status = 413, body = ErrorBody), (status = 415, body = ErrorBody),
        (status = 503, body = ErrorBody, description = "The daemon is about to end")
    )
)]
pub(crate) async fn resume(
    State(shared): State<Shared>,
    Named((idea, run)): Named<(String, String)>,
    Sent(ask): Sent<ResumeAsk>,
) -> Result<Response, ApiError> {
    let (row, _) = found(&shared, &idea, &run).await?;
    let draft = match &ask.draft {
        Some(text) => {
            let text = text.clone();
            let request = shared
                .store
                .request::<ContentState>(row.run)
                .await?
                .ok_or_else(|| ApiError::no_content_run(&run))?;
            let form = request.recipe.form;
            Some(look_up(&shared, move |library| library.draft(&text, form)).await?)
        }
        None => None,
    };
    shared.scheduler.resume_content(row.run, draft).await.map_err(from_scheduler)?;
    let status = shared.store.state::<ContentState>(row.run).await?.status();
    Ok(json(StatusCode::ACCEPTED, &Steered { run_id: row.run, status }))
}

/// Stops a run, where it can be taken up again. Doing it twice is doing it once.
#[utoipa::path(
    post, path = "/api/content-pipeline/{ideaId}/runs/{runId}/pause", operation_id = "pauseContentRun", tag = "content",
    params(("ideaId" = String, Path), ("runId" = String, Path)),
    responses(
        (status = 202, body = Steered), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "It has ended, or another process has it")
    )
)]
pub(crate) async fn pause(
    State(shared): State<Shared>,
    Named((idea, run)): Named<(String, String)>,
) -> Result<Response, ApiError> {
    let (row, _) = found(&shared, &idea, &run).await?;
    match shared.scheduler.pause_content(&row.project, row.run).await.map_err(from_scheduler)? {
        Interrupting::Accepted | Interrupting::Already => {}
        Interrupting::Ended(ending) => {
            let message = format!("the run has ended: {ending}");
            return Err(ApiError::conflict("already_ended", message, "there is nothing to stop"));
        }
        Interrupting::Elsewhere => {
            let message = "another process carries this run out";
            return Err(ApiError::conflict("not_ours", message, "stop it where it was started"));
        }
    }
    let status = shared.store.state::<ContentState>(row.run).await?.status();
    Ok(json(StatusCode::ACCEPTED, &Steered { run_id: row.run, status }))
}

/// Why a run is given up.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct AbandonAsk {
    /// For whoever looks at it later.
    #[serde(default)]
    reason: String,
}

/// The longest reason that is kept, in characters.
const LONGEST_REASON: usize = 1000;

/// Gives a run up, for good. One that goes on is stopped first.
#[utoipa::path(
    post, path = "/api/content-pipeline/{ideaId}/runs/{runId}/abandon", operation_id = "abandonContentRun", tag = "content",
    params(("ideaId" = String, Path), ("runId" = String, Path)), request_body = AbandonAsk,
    responses(
        (status = 202, body = Steered),
        (status = 400, body = ErrorBody, description = "The body does not fit"),
        (status = 404, body = ErrorBody), (status = 408, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "It has ended, or another process has it"),
        (status = 413, body = ErrorBody), (status = 415, body = ErrorBody)
    )
)]
pub(crate) async fn abandon(
    State(shared): State<Shared>,
    Named((idea, run)): Named<(String, String)>,
    Sent(ask): Sent<AbandonAsk>,
) -> Result<Response, ApiError> {
    let (row, _) = found(&shared, &idea, &run).await?;
    let reason: String = ask.reason.chars().take(LONGEST_REASON).collect();
    let state =
        shared.scheduler.abandon_content(&row.project, row.run, &reason).await.map_err(from_scheduler)?;
    Ok(json(StatusCode::ACCEPTED, &Steered { run_id: row.run, status: state.status() }))
}

/// What a tool is given: nothing. All that it needs is in the run, so that a field here would be a wish that nobody obeys.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ToolAsk {}

/// Why a tool has done nothing.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NotDone {
    /// What is in the way.
    error: ErrorDetail,
    /// The tool whose turn it is; null when the run waits for a person or has ended.
    #[schema(required)]
    next: Option<Tool>,
}

/// Does what a tool does, and answers with what came of it. Each can be called in another process than the one before.
#[utoipa::path(
    post, path = "/api/content-pipeline/{ideaId}/runs/{runId}/tools/{tool}", operation_id = "callContentTool",
    tag = "content", params(("ideaId" = String, Path), ("runId" = String, Path), ("tool" = String, Path)),
    request_body = Option<ToolAsk>,
    responses(
        (status = 200, body = Object, description = "What the tool has done, in the words of the tool"),
        (status = 400, body = ErrorBody, description = "The body has a field: a tool takes none"),
        (status = 404, body = ErrorBody), (status = 408, body = ErrorBody),
        (status = 409, body = NotDone, description = "It is another one's turn, somebody works on the run, or the step could not be done"),
        (status = 413, body = ErrorBody), (status = 415, body = ErrorBody),
        (status = 503, body = ErrorBody)
    )
)]
pub(crate) async fn tool(
    State(shared): State<Shared>,
    Named((idea, run, tool)): Named<(String, String, String)>,
    SentIfAny(ToolAsk {}): SentIfAny<ToolAsk>,
) -> Result<Response, ApiError> {
    let (row, _) = found(&shared, &idea, &run).await?;
    let tool: Tool = tool.parse().map_err(|_| {
        let known: Vec<&str> = Tool::ALL.iter().map(|tool| tool.as_str()).collect();
        ApiError::not_found(
            "no_such_tool",
            format!("there is no tool '{tool}'"),
            &format!("use {}", known.join(", ")),
        )
    })?;
    match shared.scheduler.call_tool(row.run, tool).await {
        Ok(answer) => Ok(json(StatusCode::OK, &answer)),
        Err(error) => not_done(&shared, row.run, error).await,
    }
}

async fn not_done(shared: &Shared, run: RunId, error: ToolError) -> Result<Response, ApiError> {
    let message = error.to_string();
    let (code, hint) = match &error {
        ToolError::NotNow { next: Some(next), .. } => ("not_now", format!("call {next}")),
        ToolError::NotNow { next: None, .. } => ("not_now", "look at how the run stands".to_owned()),
        ToolError::NotResumed(_) => ("not_resumed", "look at how the run stands".to_owned()),
        ToolError::Halted(_) => ("halted", "mend what it says, and call it again".to_owned()),
        ToolError::NeedsHuman(_) => ("needs_human", "resume the run with a person's draft".to_owned()),
        ToolError::Busy(_) => ("busy_run", "try again when nobody works on it".to_owned()),
        ToolError::Paused => ("paused", "call it again".to_owned()),
        ToolError::Store(StoreError::Conflict { .. }) => {
            ("busy_run", "try again when nobody works on it".to_owned())
        }
        ToolError::Store(_) => {
            let ToolError::Store(error) = error else { return Err(ApiError::busy()) };
            return Err(error.into());
        }
    };
    let next = jury_engine::content::tools::turn_of(&shared.store.state::<ContentState>(run).await?);
    let error = ErrorDetail { code: code.to_owned(), message, hint };
    Ok(json(StatusCode::CONFLICT, &NotDone { error, next }).into_response())
}
