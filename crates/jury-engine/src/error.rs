//! What keeps a run from being driven to its end.

use jury_store::StoreError;
use thiserror::Error;

use crate::content::NotResumed;

/// A run that has no end of its own, because it could not be written down.
///
/// Whatever else goes wrong (an agent that does not start, a transcript that breaks off) is an event of the
/// run and not an error.
#[derive(Debug, Error)]
pub enum EngineError {
    /// The log did not take it. The run is ended by the next start.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It is not taken up as it is wanted. Nothing has changed.
    #[error(transparent)]
    NotResumed(#[from] NotResumed),
}

impl EngineError {
    /// The label of this error in logs and metrics.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Store(error) => error.kind(),
            Self::NotResumed(_) => "not_resumed",
        }
    }
}
