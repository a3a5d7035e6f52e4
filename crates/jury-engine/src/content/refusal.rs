//! Why a run of the content pipeline is not taken up.

use jury_core::content::ContentStatus;
use jury_core::id::RunId;
use thiserror::Error;

/// Why a run is not taken up.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NotResumed {
    /// It is no run of the content pipeline, or was made without being asked for.
    #[error("run {0} is none of the content pipeline")]
    NotContent(RunId),
    /// The run has ended already.
    #[error("run {run} has ended ({standing}); start another")]
    Ended {
        /// The id of the run.
        run: RunId,
        /// The status word that it ended with.
        standing: ContentStatus,
    },
    /// It waits for a person's draft.
    #[error("run {0} waits for a person's draft; hand one in")]
    NeedsDraft(RunId),
    /// Somebody else works on it.
    #[error("run {0} is being worked on; wait until that is done, or pause it")]
    Busy(RunId),
    /// Its content is served: another draft comes too late.
    #[error(
        "the content of run {0} is published already; go on without a draft, and start another run with it"
    )]
    Saved(RunId),
}
