//! What can go wrong with the folders of the learning loop: one line each, with the file.

use std::io;
use std::path::{Path, PathBuf};

use jury_core::judge::{Bead, RecordError};
use jury_store::StoreError;
use thiserror::Error;

/// Why something was not collected. Nothing was written then.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LearningError {
    /// There is no such run record.
    #[error("run record not found: {path}", path = .0.display())]
    NoRecord(PathBuf),
    /// The run record says something that it cannot say.
    #[error("{path}: {error}", path = path.display())]
    Record {
        /// The file that could not be read.
        path: PathBuf,
        /// What, and where in it.
        error: RecordError,
    },
    /// A run has the name of a file that is ours.
    #[error("bead: a run cannot be called {0}: its feedback would take the place of the registry")]
    Reserved(Bead),
    /// Somebody else has held the lock for longer than we wait.
    #[error("{path} is locked by another process for too long; stop it or try again", path = .0.display())]
    Locked(PathBuf),
    /// Trouble with what is kept beside the feedback.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Trouble with a file.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file that the operation failed on.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// For `map_err`: the trouble, with the file it was with.
pub(super) fn trouble(path: &Path) -> impl FnOnce(io::Error) -> LearningError {
    let path = path.to_owned();
    move |source| LearningError::Io { path, source }
}
