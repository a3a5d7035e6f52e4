//! Asking for a run of the content pipeline, and how far the newest one is.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use jury_core::content::{ContentState, ContentType, IdeaId, PipelineProgress};
use jury_core::id::{AgentId, ProjectId, RunId};
use jury_core::run::RunState;
use jury_engine::{Driving, SchedulerError, Ticket};
use jury_store::{Claim, Conflict, RunRow, StoreError};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{ContentSummary, from_scheduler, look_up, named, progress as progress_of};
use crate::answer::json;
use crate::body::{Asked, Named, Sent, word};
use crate::error::{ApiError, ErrorBody};
use crate::library::{ContentStartRequest, ResolvedContentRequest};
use crate::routes::runs::Accepted;
use crate::server::Shared;

/// What is made if nobody says.
const USUAL: &str = "website";

/// What somebody asks for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ContentAsk {
    /// What to make: the name of a recipe. `website` if nobody says.
    #[serde(default)]
    content_type: Option<String>,
    /// A person's draft, to be reviewed instead of one that is written: Markdown, or the JSON of a page.
    #[serde(default)]
    draft: Option<String>,
    /// What this piece is about: a subject, keywords, what somebody has found out. For agents, at most 20000 bytes.
    #[serde(default)]
    topic: Option<String>,
    /// Who writes and reviews. Without one, drafts come from the documents and critics measure.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    agent: Option<AgentId>,
    /// The model, where the agent has several.
    #[serde(default)]
    model: Option<String>,
    /// Whether an approved draft becomes a site. What the recipe says if nobody does.
    #[serde(default)]
    publish: Option<bool>,
    /// Whether nobody drives it: its tools are called one by one.
    #[serde(default)]
    stepwise: bool,
    /// The most it may cost, in US dollars.
    #[serde(default)]
    max_cost_usd: Option<f64>,
    /// The most tokens it may use.
    #[serde(default)]
    max_tokens: Option<u64>,
}

/// Asks for a run. While there is one of the same idea and kind of content, that one is the answer.
#[utoipa::path(
    post, path = "/api/content-pipeline/{ideaId}", operation_id = "startContentRun", tag = "content",
    params(("ideaId" = String, Path)), request_body = ContentAsk,
    responses(
        (status = 202, body = Accepted),
        (status = 200, body = Accepted, description = "There is one already, which goes on or waits"),
        (status = 400, body = ErrorBody, description = "The body does not fit, documents are missing, or the draft is none"),
        (status = 404, body = ErrorBody), (status = 408, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "Another machine has one"),
        (status = 413, body = ErrorBody), (status = 415, body = ErrorBody),
        (status = 500, body = ErrorBody, description = "A file of the daemon's cannot be used"),
        (status = 503, body = ErrorBody, description = "The daemon is about to end")
    )
)]
pub(crate) async fn start(
    State(shared): State<Shared>,
    Named(id): Named<String>,
    Sent(ask): Sent<ContentAsk>,
) -> Result<Response, ApiError> {
    begin(&shared, &id, ask).await
}

/// Begins a run of an idea, or answers with the one that there is.
pub(crate) async fn begin(shared: &Shared, id: &str, ask: ContentAsk) -> Result<Response, ApiError> {
    let idea = named(id)?;
    let of = idea.clone();
    if look_up(shared, move |library| library.documents(&of)).await?.is_none() {
        return Err(ApiError::no_such_idea(id));
    }
    let content_type = ask.content_type.as_deref().filter(|name| !name.is_empty()).unwrap_or(USUAL);
    let content_type: ContentType = content_type.parse().map_err(|_| {
        ApiError::bad_request(
            format!("contentType: '{content_type}' is no name"),
            "GET /api/content/recipes lists the kinds of content",
        )
    })?;
    if let Some(row) = shared.store.active::<ContentState>(&format!("{idea}/{content_type}")).await? {
        return Ok(already(&row));
    }
    let start = ContentStartRequest {
        idea: idea.clone(),
        content_type: content_type.clone(),
        draft: ask.draft,
        topic: ask.topic,
        agent: ask.agent,
        model: ask.model,
        publish: ask.publish,
        max_cost_usd: ask.max_cost_usd,
        max_tokens: ask.max_tokens,
    };
    let resolved = look_up(shared, |library| library.resolve(start)).await?;
    let driving = if ask.stepwise { Driving::Tools } else { Driving::Scheduler };
    carry_out(shared, ProjectId::default_project(), resolved, driving).await
}

/// Asks for the same again. What another machine does is theirs here too.
pub(crate) async fn again(shared: &Shared, row: &RunRow) -> Result<Response, ApiError> {
    let request = shared.store.request::<ContentState>(row.run).await?;
    let request = request.ok_or(SchedulerError::NotKept(row.run))?;
    if let Some(active) = shared.store.active::<ContentState>(&row.title).await? {
        return Ok(already(&active));
    }
    let resolved = ResolvedContentRequest { request, draft: None };
    carry_out(shared, row.project.clone(), resolved, Driving::Scheduler).await
}

async fn carry_out(
    shared: &Shared,
    project: ProjectId,
    ResolvedContentRequest { request, draft }: ResolvedContentRequest,
    driving: Driving,
) -> Result<Response, ApiError> {
    let (idea, content_type) = (request.idea.clone(), request.recipe.content_type.clone());
    let ticket = Ticket::mint();
    claim(shared, &idea, &content_type, ticket.run).await?;
    let begun = shared.scheduler.begin_content(ticket, project, request, draft, driving).await;
    let Err(error) = begun else {
        let status = if driving == Driving::Tools { RunState::Waiting } else { RunState::Queued };
        let accepted = Accepted { run_id: ticket.run, artifact_id: ticket.artifact, status };
        return Ok(json(StatusCode::ACCEPTED, &accepted));
    };
    if let Some(mirror) = &shared.context.mirror {
        mirror.release(&idea, &content_type, ticket.run).await;
    }
    // Somebody asked for the same at the same moment.
    if let SchedulerError::Store(StoreError::Conflict { run, conflict: Conflict::Active }) = &error
        && let Some(row) = shared.store.run(*run).await?
    {
        return Ok(already(&row));
    }
    Err(from_scheduler(error))
}

/// The run that there is.
fn already(row: &RunRow) -> Response {
    json(StatusCode::OK, &Accepted { run_id: row.run, artifact_id: row.artifact, status: row.state })
}

/// Whether another machine with the same Redis has one. Without an answer nobody is kept from working.
async fn claim(shared: &Shared, idea: &IdeaId, kind: &ContentType, run: RunId) -> Result<(), ApiError> {
    let Some(mirror) = &shared.context.mirror else { return Ok(()) };
    match mirror.claim(idea, kind, run).await {
        Claim::Ours | Claim::Unknown => Ok(()),
        Claim::Theirs(other) => Err(ApiError::conflict(
            "elsewhere",
            format!("run {other} of {idea}/{kind} goes on on another machine"),
            "ask that one, or wait until it has ended",
        )),
    }
}

/// Which kind of content.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub(crate) struct Kind {
    /// Only runs that make this.
    content_type: Option<String>,
}

/// How far a run is.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ContentProgress {
    /// The id of the run.
    run_id: RunId,
    /// The idea that the content is about.
    idea_id: IdeaId,
    /// The run in a line.
    run: ContentSummary,
    /// How far it has come.
    #[serde(flatten)]
    progress: PipelineProgress,
}

/// How far the newest run of an idea is.
#[utoipa::path(
    get, path = "/api/content-pipeline/{ideaId}", operation_id = "getContentProgress", tag = "content",
    params(("ideaId" = String, Path), Kind),
    responses(
        (status = 200, body = ContentProgress),
        (status = 400, body = ErrorBody, description = "The query does not fit"),
        (status = 404, body = ErrorBody, description = "There is none")
    )
)]
pub(crate) async fn progress(
    State(shared): State<Shared>,
    Named(id): Named<String>,
    Asked(kind): Asked<Kind>,
) -> Result<Response, ApiError> {
    let idea = named(&id)?;
    let content_type: Option<ContentType> = word("contentType", kind.content_type.as_deref())?;
    let newest = shared.store.content_runs(Some(&idea), content_type.as_ref(), 1).await?;
    let none = || {
        ApiError::not_found(
            "no_such_run",
            format!("there is no run of the idea '{idea}'"),
            "POST to this address asks for one",
        )
    };
    let row = newest.first().ok_or_else(none)?;
    let run = ContentSummary::of(row).ok_or_else(none)?;
    let progress = progress_of(&shared, row).await?;
    Ok(json(StatusCode::OK, &ContentProgress { run_id: row.run, idea_id: idea, run, progress }))
}
