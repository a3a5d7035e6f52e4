//! Projects: listed, made, looked at, changed.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use jiff::Timestamp;
use jury_core::enablement::{Enablement, EnablementInputs};
use jury_core::id::ProjectId;
use jury_store::{ProjectChange, ProjectRow};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::answer::json;
use crate::body::{Named, Sent};
use crate::context::Setting;
use crate::error::{ApiError, ErrorBody};
use crate::server::Shared;

/// The longest name, and the most metadata.
const LONGEST_NAME: usize = 200;
const MOST_METADATA: usize = 64 * 1024;

/// A project, as it is listed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Project {
    /// The id of the project.
    id: ProjectId,
    /// What people call it.
    name: String,
    /// Whatever its users keep with it. `critiqueTheaterEnabled` switches the panel on or off for it.
    #[schema(value_type = HashMap<String, Value>)]
    metadata: Map<String, Value>,
    /// When it was made.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When it was last changed.
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
    /// Whether the panel sits over what is made in this project, as long as no skill decides it.
    critique: Enablement,
}

impl Project {
    fn of(row: ProjectRow, setting: &Setting) -> Self {
        let ProjectRow { id, name, metadata, created_at, updated_at } = row;
        let question = EnablementInputs {
            skill: None,
            project: metadata.get("critiqueTheaterEnabled").and_then(Value::as_bool),
            setting: setting.enabled_given,
            phase: setting.critique.rollout_phase,
        };
        Self { id, name, metadata, created_at, updated_at, critique: question.answer() }
    }
}

/// All projects of the daemon.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Projects {
    /// The projects, in the order of ids.
    projects: Vec<Project>,
}

/// A project to be made.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct NewProject {
    /// Its id: letters, digits, '.', '_' and '-', at most 64.
    #[schema(pattern = "^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$")]
    id: ProjectId,
    /// What people call it; its id if nothing is given.
    #[serde(default)]
    #[schema(nullable = false, max_length = 200)]
    name: Option<String>,
    /// Whatever its users keep with it.
    #[serde(default)]
    #[schema(value_type = HashMap<String, Value>)]
    metadata: Map<String, Value>,
}

/// A change of a project.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ChangedProject {
    /// The new name, if it changes.
    #[serde(default)]
    #[schema(nullable = false, max_length = 200)]
    name: Option<String>,
    /// Merged into what is there, key by key (RFC 7396): null removes a key, keys that are not named stay.
    #[serde(default)]
    #[schema(value_type = HashMap<String, Value>)]
    metadata: Map<String, Value>,
}

/// Lists all projects of the daemon.
#[utoipa::path(get, path = "/api/projects", operation_id = "listProjects", tag = "projects", responses((status = 200, body = Projects)))]
pub(crate) async fn list(State(shared): State<Shared>) -> Result<Response, ApiError> {
    let setting = (shared.context.setting)();
    let rows = shared.store.projects().await?;
    let projects = rows.into_iter().map(|row| Project::of(row, &setting)).collect();
    Ok(json(StatusCode::OK, &Projects { projects }))
}

/// Makes a project; its id must be new.
#[utoipa::path(
    post, path = "/api/projects", operation_id = "createProject", tag = "projects", request_body = NewProject,
    responses(
        (status = 201, body = Project),
        (status = 400, body = ErrorBody, description = "The body does not fit"),
        (status = 409, body = ErrorBody, description = "There is one of this id"),
        (status = 408, body = ErrorBody), (status = 413, body = ErrorBody), (status = 415, body = ErrorBody)
    )
)]
pub(crate) async fn create(
    State(shared): State<Shared>,
    Sent(new): Sent<NewProject>,
) -> Result<Response, ApiError> {
    let name = new.name.unwrap_or_else(|| new.id.to_string());
    check(Some(&name), &new.metadata)?;
    let (row, fresh) = shared.store.create_project(&new.id, &name, &new.metadata, Timestamp::now()).await?;
    if !fresh {
        return Err(ApiError::new(
            StatusCode::CONFLICT,
            "exists",
            format!("there is a project '{}' already", row.id),
            "take another id, or PATCH that one",
        ));
    }
    Ok(json(StatusCode::CREATED, &Project::of(row, &(shared.context.setting)())))
}

/// Gives one project with its settings.
#[utoipa::path(
    get, path = "/api/projects/{id}", operation_id = "getProject", tag = "projects", params(("id" = String, Path)),
    responses((status = 200, body = Project), (status = 404, body = ErrorBody))
)]
pub(crate) async fn one(
    State(shared): State<Shared>,
    Named(id): Named<String>,
) -> Result<Response, ApiError> {
    let row = super::project(&shared, &id).await?;
    Ok(json(StatusCode::OK, &Project::of(row, &(shared.context.setting)())))
}

/// Changes a project. What is not named stays.
#[utoipa::path(
    patch, path = "/api/projects/{id}", operation_id = "changeProject", tag = "projects", params(("id" = String, Path)),
    request_body = ChangedProject,
    responses(
        (status = 200, body = Project),
        (status = 400, body = ErrorBody, description = "The body does not fit"),
        (status = 404, body = ErrorBody), (status = 408, body = ErrorBody), (status = 413, body = ErrorBody), (status = 415, body = ErrorBody)
    )
)]
pub(crate) async fn change(
    State(shared): State<Shared>,
    Named(id): Named<String>,
    Sent(changed): Sent<ChangedProject>,
) -> Result<Response, ApiError> {
    let row = super::project(&shared, &id).await?;
    check(changed.name.as_deref(), &changed.metadata)?;
    let change = ProjectChange { name: changed.name, metadata: changed.metadata };
    let row = shared.store.change_project(&row.id, &change, Timestamp::now()).await?;
    let row = row.ok_or_else(|| ApiError::no_such_project(&id))?;
    Ok(json(StatusCode::OK, &Project::of(row, &(shared.context.setting)())))
}

fn check(name: Option<&str>, metadata: &Map<String, Value>) -> Result<(), ApiError> {
    let bad = |message: String| Err(ApiError::bad_request(message, "shorten it"));
    if name.is_some_and(|name| name.trim().is_empty() || name.chars().count() > LONGEST_NAME) {
        return bad(format!("name: must have from 1 to {LONGEST_NAME} characters"));
    }
    if serde_json::to_vec(metadata).map_or(0, |text| text.len()) > MOST_METADATA {
        return bad(format!("metadata: must be at most {MOST_METADATA} bytes of JSON"));
    }
    if let Some(value) = metadata.get("critiqueTheaterEnabled")
        && !(value.is_boolean() || value.is_null())
    {
        return bad("metadata.critiqueTheaterEnabled: must be true, false or null".to_owned());
    }
    Ok(())
}
