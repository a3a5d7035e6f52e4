//! The handlers, one file per thing that they are about.

pub(crate) mod artifact;
pub(crate) mod compare;
pub(crate) mod conformance;
pub(crate) mod content;
pub(crate) mod context;
pub(crate) mod critic;
pub(crate) mod critique;
pub(crate) mod decisions;
pub(crate) mod events;
pub(crate) mod health;
pub(crate) mod judge;
pub(crate) mod metrics;
pub(crate) mod openapi;
pub(crate) mod projects;
pub(crate) mod report;
pub(crate) mod runs;

use jury_core::id::{ProjectId, RunId};
use jury_core::theater::Board;
use jury_core::workflow::{Workflow, WorkflowState as _};
use jury_store::{ProjectRow, RunRow};

use crate::error::ApiError;
use crate::server::Shared;

/// The project of an address. What cannot be a name is the name of nothing.
async fn project(shared: &Shared, id: &str) -> Result<ProjectRow, ApiError> {
    let unknown = || ApiError::no_such_project(id);
    let name: ProjectId = id.parse().map_err(|_| unknown())?;
    shared.store.project(&name).await?.ok_or_else(unknown)
}

/// The panel's run of an address.
async fn run(shared: &Shared, project: &str, run: &str) -> Result<RunRow, ApiError> {
    run_of(shared, project, run, Board::WORKFLOW).await
}

/// The run of an address. One of another workflow is at another address.
async fn run_of(shared: &Shared, project: &str, run: &str, workflow: Workflow) -> Result<RunRow, ApiError> {
    let row = self::project(shared, project).await?;
    let unknown = || ApiError::no_such_run(run);
    let id: RunId = run.parse().map_err(|_| unknown())?;
    let theirs = |run: &RunRow| run.project == row.id && run.workflow == workflow;
    shared.store.run(id).await?.filter(theirs).ok_or_else(unknown)
}
