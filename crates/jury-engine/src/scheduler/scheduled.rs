//! What the scheduler has to know of a workflow to put its runs into the queue and to take them out again.

use jury_core::id::{ArtifactId, ProjectId};
use jury_core::request::BadRequest;
use jury_core::workflow::WorkflowState;
use jury_store::RunRow;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::Shared;
use crate::{Casting, EngineError};

/// A workflow whose runs can be asked for.
pub trait Scheduled: WorkflowState {
    /// Whether the document of the first round is part of what is asked, and kept beside the request.
    const HAS_DOCUMENT: bool = false;

    /// Whether a request can be carried out as it is. Looked at when it comes, while somebody is there to be told.
    fn check(
        casting: &dyn Casting,
        request: &Self::Request,
        project: &Map<String, Value>,
    ) -> Result<(), BadRequest>;

    /// The first event of a run.
    fn first(
        project: ProjectId,
        artifact: ArtifactId,
        request: &Self::Request,
    ) -> Result<Self::Event, BadRequest>;
}

/// A workflow whose runs are carried out here.
pub(crate) trait Conducted: Scheduled {
    /// Carries out a run that was claimed, until it has ended or waits.
    fn conduct(
        shared: &Shared,
        row: &RunRow,
        token: CancellationToken,
    ) -> impl Future<Output = Result<(), EngineError>> + Send;
}

/// Why a run whose request is gone cannot begin.
pub(crate) const NOT_KEPT: &str = "what was asked for was not kept";
