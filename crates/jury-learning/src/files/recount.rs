//! A record that is put aside was counted, and nobody knows as what. So whoever puts one aside leaves a note first, and the
//! next collector counts all records again: once, however many were put aside.
//!
//! ```text
//! .recount          the registry is to be made again
//! .recount-<hash>   the registry with this path is
//! ```

use std::fs::File;
use std::path::{Path, PathBuf};

use super::error::{LearningError, trouble};
use super::journal::Step;
use super::paths::LearningPaths;

const NOTE: &str = ".recount";

/// Notes that the registry has to be made again. The caller holds the lock of the feedback folder.
pub(super) fn recount_due(paths: &LearningPaths) -> Result<(), LearningError> {
    note(&paths.feedback)
}

/// The same in a folder.
pub(super) fn note(folder: &Path) -> Result<(), LearningError> {
    leave(&folder.join(NOTE))
}

/// Notes the same for a registry that lies elsewhere, and that somebody else keeps.
pub(super) fn note_elsewhere(paths: &LearningPaths, registry: &Path) -> Result<(), LearningError> {
    leave(&elsewhere(paths, registry))
}

/// Whether the registry has to be made again.
pub(super) fn is_due(paths: &LearningPaths) -> bool {
    notes(paths).iter().any(|note| note.symlink_metadata().is_ok())
}

/// What is left to do when it was.
pub(super) fn settled(paths: &LearningPaths) -> [Step; 2] {
    notes(paths).map(Step::Remove)
}

fn notes(paths: &LearningPaths) -> [PathBuf; 2] {
    [paths.feedback.join(NOTE), elsewhere(paths, &paths.registry)]
}

fn elsewhere(paths: &LearningPaths, registry: &Path) -> PathBuf {
    // FNV-1a: the same in every build.
    let hash =
        registry.as_os_str().as_encoded_bytes().iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
    paths.feedback.join(format!("{NOTE}-{hash:016x}"))
}

fn leave(path: &Path) -> Result<(), LearningError> {
    match File::create_new(path) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(trouble(path)(error)),
        _ => Ok(()),
    }
}
