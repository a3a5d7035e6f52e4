//! Runs of every workflow: asking for one, their history, one of them, its transcript and events, stopping it, and asking
//! for it again. Addresses of one workflow lead here too.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use bytes::Bytes;
use futures_util::stream;
use jiff::Timestamp;
use jury_core::content::ContentState;
use jury_core::critic::CriticState;
use jury_core::id::{AgentId, ArtifactId, ProjectId, RunId};
use jury_core::judge::JudgeState;
use jury_core::request::{BadRequest, RunRequest};
use jury_core::role::Role;
use jury_core::run::{Outcome, OutcomeKind, RunState};
use jury_core::score::{Composite, Score};
use jury_core::theater::Board;
use jury_core::unit::{Pos, Round, Seq};
use jury_core::workflow::{Workflow, WorkflowState as _, dispatch};
use jury_engine::{Interrupting, SchedulerError, Ticket};
use jury_store::{RunFilter, RunRow};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::content;
use crate::answer::{json, with_type};
use crate::body::{Asked, Named, Sent, word};
use crate::error::{ApiError, ErrorBody};
use crate::feed::{PAGE, Scope};
use crate::intake::{Intake, StartRun};
use crate::server::Shared;
use crate::stream as live;

/// The most runs in one answer.
const MOST_RUNS: u32 = 200;

/// How many runs there are in an answer if nobody says.
const USUAL_RUNS: u32 = 50;

/// A run that was taken on.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Accepted {
    /// The run.
    pub(super) run_id: RunId,
    /// What it will review.
    pub(super) artifact_id: ArtifactId,
    /// How it stands.
    pub(super) status: RunState,
}

impl From<Ticket> for Accepted {
    fn from(ticket: Ticket) -> Self {
        Self { run_id: ticket.run, artifact_id: ticket.artifact, status: RunState::Queued }
    }
}

/// A run of any workflow in a line.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RunLine {
    /// Its id.
    run_id: RunId,
    /// Its workflow.
    workflow: Workflow,
    /// Whose it is.
    project_id: ProjectId,
    /// What it reviews.
    artifact_id: ArtifactId,
    /// Who reviews.
    agent: AgentId,
    /// What the work is called.
    title: String,
    /// How it stands in the queue.
    state: RunState,
    /// How it ended, in the word of its workflow, if it has.
    #[schema(value_type = Option<String>, required)]
    status: Option<Outcome>,
    /// What that means for a gate.
    #[schema(required)]
    outcome: Option<OutcomeKind>,
    /// The composite of the round it ended with, in workflows that have one.
    #[schema(required)]
    composite: Option<Composite>,
    /// The round it ended with.
    #[schema(required)]
    round: Option<Round>,
    /// How many rounds are closed.
    rounds: u32,
    /// What each panelist gave in the last closed round. Who gave none is not here.
    #[schema(value_type = BTreeMap<String, f64>)]
    scores: BTreeMap<Role, Score>,
    /// The number of its last event.
    head: Seq,
    /// When it was asked for.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When a place was free for it.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    started_at: Option<Timestamp>,
    /// When it ended.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    ended_at: Option<Timestamp>,
}

impl From<RunRow> for RunLine {
    fn from(row: RunRow) -> Self {
        Self {
            run_id: row.run,
            workflow: row.workflow,
            project_id: row.project,
            artifact_id: row.artifact,
            agent: row.agent,
            title: row.title,
            state: row.state,
            status: row.summary.status,
            outcome: row.summary.status.map(Outcome::kind),
            composite: row.summary.score,
            round: row.summary.round,
            rounds: row.summary.rounds,
            scores: row.summary.scores,
            head: row.head,
            created_at: row.created_at,
            started_at: row.started_at,
            ended_at: row.ended_at,
        }
    }
}

/// A page of runs.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RunPage {
    /// The newest first.
    runs: Vec<RunLine>,
    /// What to give as `before` for the next page; none on the last one.
    #[schema(required)]
    next: Option<RunId>,
}

/// A run and its state.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RunAndState {
    /// The run in a line.
    run: RunLine,
    /// What its events add up to, in the shape of its workflow.
    #[schema(value_type = Object)]
    state: Value,
}

/// What became of the wish to stop a run.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Interrupted {
    /// The run.
    run_id: RunId,
    /// `interrupting` while it is being stopped, `interrupted` when it was.
    status: &'static str,
}

/// Whose the new run is.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Whose {
    /// Its project; `default` if nobody says. Content has no other.
    project: Option<String>,
}

/// Which runs.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Which {
    /// Only those of this workflow.
    #[param(value_type = Option<Workflow>)]
    workflow: Option<String>,
    /// Only those of this project.
    project: Option<String>,
    /// Only those that ended like this. Needs a workflow, whose word it is.
    status: Option<String>,
    /// Only those that stand like this.
    #[param(value_type = Option<RunState>)]
    state: Option<String>,
    /// Only those of this agent.
    agent: Option<String>,
    /// Only those with this in their title.
    q: Option<String>,
    /// Only those older than this run.
    before: Option<String>,
    /// At most so many, up to 200.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    limit: Option<String>,
}

/// At which place of its log.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Place {
    /// As it stood after the event of this number. 0 is before the first; a number beyond the last is the last.
    #[param(value_type = Option<u64>)]
    at: Option<String>,
}

/// From where a stream goes on.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct After {
    /// Only what comes after this id. 0 is the beginning of everything.
    after: Option<String>,
}

impl After {
    pub(super) fn given(&self) -> Option<&str> {
        self.after.as_deref()
    }
}

/// Asks for a run of any workflow. It waits in the queue of its project until there is a place for it.
#[utoipa::path(
    post, path = "/api/runs", operation_id = "startRun", tag = "runs", params(Whose), request_body = StartRun,
    responses(
        (status = 202, body = Accepted),
        (status = 200, body = Accepted, description = "There is one already, of the same idea and kind of content"),
        (status = 400, body = ErrorBody, description = "The body does not fit"),
        (status = 404, body = ErrorBody), (status = 408, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "Another machine has one"),
        (status = 413, body = ErrorBody), (status = 415, body = ErrorBody),
        (status = 422, body = ErrorBody, description = "It cannot be carried out as it is"),
        (status = 500, body = ErrorBody, description = "A file of the daemon's cannot be used"),
        (status = 503, body = ErrorBody, description = "The daemon is about to end")
    )
)]
pub(crate) async fn start(
    State(shared): State<Shared>,
    Asked(whose): Asked<Whose>,
    Sent(start): Sent<StartRun>,
) -> Result<Response, ApiError> {
    let project = super::project(&shared, whose.project.as_deref().unwrap_or("default")).await?.id;
    let ticket = match start {
        StartRun::Theater(request) => shared.scheduler.submit::<Board>(project, request, None).await?,
        StartRun::Critic(start) => {
            let document = start.document.clone().into_bytes();
            let request = take_in(&shared, |intake| intake.critic(start)).await?;
            shared.scheduler.submit::<CriticState>(project, request, Some(document)).await?
        }
        StartRun::Judge(start) => {
            let request = take_in(&shared, |intake| intake.judge(start)).await?;
            shared.scheduler.submit::<JudgeState>(project, request, None).await?
        }
        StartRun::Content(start) => return content::start::begin(&shared, &start.idea_id, start.ask).await,
    };
    Ok(json(StatusCode::ACCEPTED, &Accepted::from(ticket)))
}

/// What is asked for, looked up without making others wait.
async fn take_in<T: Send + 'static>(
    shared: &Shared,
    take: impl FnOnce(&dyn Intake) -> Result<T, BadRequest> + Send + 'static,
) -> Result<T, ApiError> {
    let intake = Arc::clone(&shared.context.intake);
    let taken = tokio::task::spawn_blocking(move || take(intake.as_ref())).await;
    taken.map_err(|_| ApiError::busy())?.map_err(|bad| SchedulerError::from(bad).into())
}

/// Asks for a panel's run. It waits in the queue of its project until there is a place for it.
#[utoipa::path(
    post, path = "/api/projects/{id}/runs", operation_id = "createRun", tag = "critique", params(("id" = String, Path)),
    request_body = RunRequest,
    responses(
        (status = 202, body = Accepted),
        (status = 400, body = ErrorBody, description = "The body does not fit"),
        (status = 404, body = ErrorBody), (status = 408, body = ErrorBody), (status = 413, body = ErrorBody), (status = 415, body = ErrorBody),
        (status = 422, body = ErrorBody, description = "It cannot be carried out as it is"),
        (status = 503, body = ErrorBody, description = "The daemon is about to end")
    )
)]
pub(crate) async fn create(
    State(shared): State<Shared>,
    Named(id): Named<String>,
    Sent(request): Sent<RunRequest>,
) -> Result<Response, ApiError> {
    let project = super::project(&shared, &id).await?;
    let ticket = shared.scheduler.submit::<Board>(project.id, request, None).await?;
    Ok(json(StatusCode::ACCEPTED, &Accepted::from(ticket)))
}

/// Runs, the newest first.
#[utoipa::path(
    get, path = "/api/runs", operation_id = "listAllRuns", tag = "runs", params(Which),
    responses(
        (status = 200, body = RunPage),
        (status = 400, body = ErrorBody, description = "The query does not fit"), (status = 404, body = ErrorBody)
    )
)]
pub(crate) async fn list(
    State(shared): State<Shared>,
    Asked(which): Asked<Which>,
) -> Result<Response, ApiError> {
    let workflow: Option<Workflow> = word("workflow", which.workflow.as_deref())?;
    let project = match &which.project {
        Some(id) => Some(super::project(&shared, id).await?.id),
        None => None,
    };
    let status = which.status.as_deref().filter(|word| !word.is_empty());
    let status = match (status, workflow) {
        (Some(status), Some(workflow)) => Some(Outcome::read(workflow, status).map_err(|error| {
            ApiError::bad_request(format!("status: {error}"), "use a word of the workflow")
        })?),
        (Some(_), None) => {
            return Err(ApiError::bad_request("status: needs a workflow", "say whose word it is"));
        }
        (None, _) => None,
    };
    let filter = RunFilter {
        workflow,
        project,
        status,
        state: word("state", which.state.as_deref())?,
        agent: word("agent", which.agent.as_deref())?,
        text: which.q.filter(|text| !text.is_empty()),
        ..RunFilter::default()
    };
    let (rows, next) = page(&shared, filter, which.before.as_deref(), which.limit.as_deref()).await?;
    Ok(json(StatusCode::OK, &RunPage { runs: rows.into_iter().map(RunLine::from).collect(), next }))
}

/// A page of runs, and where the next one begins.
pub(super) async fn page(
    shared: &Shared,
    filter: RunFilter,
    before: Option<&str>,
    limit: Option<&str>,
) -> Result<(Vec<RunRow>, Option<RunId>), ApiError> {
    let limit: u32 = word("limit", limit)?.unwrap_or(USUAL_RUNS);
    if !(1..=MOST_RUNS).contains(&limit) {
        return Err(ApiError::bad_request(format!("limit: must be from 1 to {MOST_RUNS}"), "leave it out"));
    }
    // One more tells whether there is a next page.
    let filter = RunFilter { before: word("before", before)?, limit: Some(limit + 1), ..filter };
    let mut rows = shared.store.runs(&filter).await?;
    let more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    let next = rows.last().filter(|_| more).map(|row| row.run);
    Ok((rows, next))
}

/// The run of an address that says neither project nor workflow.
pub(super) async fn found(shared: &Shared, run: &str) -> Result<RunRow, ApiError> {
    let unknown =
        || ApiError::not_found("no_such_run", format!("there is no run '{run}'"), "GET /api/runs lists them");
    let id: RunId = run.parse().map_err(|_| unknown())?;
    shared.store.run(id).await?.ok_or_else(unknown)
}

/// A run, and the state that its events add up to: now, or as both stood after one of its events.
#[utoipa::path(
    get, path = "/api/runs/{runId}", operation_id = "getAnyRun", tag = "runs",
    params(("runId" = String, Path), Place),
    responses(
        (status = 200, body = RunAndState),
        (status = 400, body = ErrorBody, description = "The query does not fit"), (status = 404, body = ErrorBody)
    )
)]
pub(crate) async fn state(
    State(shared): State<Shared>,
    Named(run): Named<String>,
    Asked(place): Asked<Place>,
) -> Result<Response, ApiError> {
    let mut row = found(&shared, &run).await?;
    let at = word("at", place.at.as_deref())?.map(Seq).filter(|at| *at < row.head);
    let state = dispatch!(row.workflow, State => {
        let state: State = match at {
            None => shared.store.state(row.run).await?,
            Some(at) => {
                let (then, state) = shared.store.run_at(&row, at).await?;
                row = then;
                state
            }
        };
        serde_json::to_value(state.view())
    });
    let state = state.map_err(|error| {
        tracing::error!(run = %row.run, error = %error, "the state of a run cannot be written");
        ApiError::internal()
    })?;
    Ok(json(StatusCode::OK, &RunAndState { run: row.into(), state }))
}

/// The events of a run, one per line, in order: all of them if it has ended, those so far if not.
#[utoipa::path(
    get, path = "/api/runs/{runId}/transcript", operation_id = "getAnyTranscript", tag = "runs",
    params(("runId" = String, Path)),
    responses(
        (status = 200, body = String, content_type = "application/x-ndjson"), (status = 404, body = ErrorBody)
    )
)]
pub(crate) async fn transcript(
    State(shared): State<Shared>,
    Named(run): Named<String>,
) -> Result<Response, ApiError> {
    let row = found(&shared, &run).await?;
    Ok(transcript_of(shared, row.run))
}

/// The transcript of a run: a page of the log at a time, as fast as the reader takes it.
pub(super) fn transcript_of(shared: Shared, run: RunId) -> Response {
    let pages = stream::try_unfold((shared, Seq(0)), move |(shared, after)| async move {
        let events = shared.store.events(run, after, PAGE).await.map_err(std::io::Error::other)?;
        let Some((_, last)) = events.last() else { return Ok::<_, std::io::Error>(None) };
        let after = last.seq;
        let mut text = String::new();
        for (_, record) in &events {
            text.push_str(&record.to_line().map_err(std::io::Error::other)?);
            text.push('\n');
        }
        Ok(Some((Bytes::from(text), (shared, after))))
    });
    with_type(StatusCode::OK, "application/x-ndjson", Body::from_stream(pages))
}

/// The events of a run as they happen, as `text/event-stream`. The id of an event is its position in the store: with
/// `Last-Event-ID` or `after` the stream goes on behind it; without one it begins with the run.
#[utoipa::path(
    get, path = "/api/runs/{runId}/events", operation_id = "streamAnyRun", tag = "runs",
    params(("runId" = String, Path), After, ("Last-Event-ID" = Option<String>, Header)),
    responses(
        (status = 200, body = String, content_type = "text/event-stream"),
        (status = 400, body = ErrorBody, description = "The query does not fit"),
        (status = 404, body = ErrorBody),
        (status = 503, body = ErrorBody, description = "Too many look on already")
    )
)]
pub(crate) async fn events(
    State(shared): State<Shared>,
    Named(run): Named<String>,
    Asked(after): Asked<After>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let row = found(&shared, &run).await?;
    let after = after_of(&headers, after.given())?;
    stream_of(&shared, row, after).await
}

/// How far somebody got. A browser that comes back says so in the header, which is later than what its address says.
pub(super) fn after_of(headers: &HeaderMap, given: Option<&str>) -> Result<Option<Pos>, ApiError> {
    let last = headers.get("last-event-id").and_then(|value| value.to_str().ok());
    match last.and_then(|last| last.parse().ok()) {
        Some(after) => Ok(Some(Pos(after))),
        None => Ok(word("after", given)?.map(Pos)),
    }
}

/// The live stream of a run.
pub(super) async fn stream_of(
    shared: &Shared,
    row: RunRow,
    after: Option<Pos>,
) -> Result<Response, ApiError> {
    let after = match after {
        // A position of a store that was thrown away lies beyond everything that will come for a long time.
        Some(after) => after.min(shared.store.head().await?),
        None => Pos(0),
    };
    let scope = Scope { project: row.project, run: Some(row.run) };
    live::open(shared, scope, after).ok_or_else(ApiError::busy)
}

/// Stops a run of any workflow, whether it goes on or waits. Doing it again changes nothing.
#[utoipa::path(
    post, path = "/api/runs/{runId}/interrupt", operation_id = "interruptAnyRun", tag = "runs",
    params(("runId" = String, Path)),
    responses(
        (status = 202, body = Interrupted), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "It has ended by itself, or another process has it")
    )
)]
pub(crate) async fn interrupt(
    State(shared): State<Shared>,
    Named(run): Named<String>,
) -> Result<Response, ApiError> {
    stop(&shared, &found(&shared, &run).await?).await
}

/// Stops a run.
pub(super) async fn stop(shared: &Shared, row: &RunRow) -> Result<Response, ApiError> {
    // A piece that waits for its next tool is stopped, too: it is paused.
    let stopping = if row.workflow == ContentState::WORKFLOW {
        shared.scheduler.pause_content(&row.project, row.run).await?
    } else {
        shared.scheduler.interrupt(&row.project, row.run).await?
    };
    let status = match stopping {
        Interrupting::Accepted => "interrupting",
        Interrupting::Already => "interrupted",
        Interrupting::Ended(status) => {
            return Err(ApiError::conflict(
                "already_ended",
                format!("the run has ended: {status}"),
                "there is nothing to stop",
            ));
        }
        Interrupting::Elsewhere => {
            return Err(ApiError::conflict(
                "not_ours",
                "another process carries this run out",
                "stop it where it was started",
            ));
        }
    };
    Ok(json(StatusCode::ACCEPTED, &Interrupted { run_id: row.run, status }))
}

/// Asks for the same again, as a new run.
#[utoipa::path(
    post, path = "/api/runs/{runId}/rerun", operation_id = "rerunAnyRun", tag = "runs",
    params(("runId" = String, Path)),
    responses(
        (status = 202, body = Accepted), (status = 404, body = ErrorBody),
        (status = 200, body = Accepted, description = "There is one already, of the same idea and kind of content"),
        (status = 409, body = ErrorBody, description = "What was asked for was not kept, or another machine has one"),
        (status = 422, body = ErrorBody, description = "It cannot be carried out any more"),
        (status = 503, body = ErrorBody, description = "The daemon is about to end")
    )
)]
pub(crate) async fn rerun(
    State(shared): State<Shared>,
    Named(run): Named<String>,
) -> Result<Response, ApiError> {
    again(&shared, &found(&shared, &run).await?).await
}

/// Asks for a run again.
pub(super) async fn again(shared: &Shared, row: &RunRow) -> Result<Response, ApiError> {
    if row.workflow == ContentState::WORKFLOW {
        return content::start::again(shared, row).await;
    }
    let ticket = shared.scheduler.rerun(&row.project, row.run).await?;
    Ok(json(StatusCode::ACCEPTED, &Accepted::from(ticket)))
}
