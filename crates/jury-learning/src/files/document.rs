//! The small files of the learning loop: read whole, written whole, changed under the lock of the folder of scores.

use std::fs::{self, File};
use std::path::Path;

use jury_store::StoreError;
use jury_store::file::{io_error, lock, read_whole, write_whole};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::paths::LearningPaths;

/// The lock of the folder of scores: whoever changes scores, tests, the log, the queue, labels, anchors or templates holds
/// it. Released when it is dropped.
#[derive(Debug)]
pub struct ScoresLock(File);

impl ScoresLock {
    pub(super) fn file(&self) -> &File {
        &self.0
    }
}

/// Waits for the lock of the folder of scores, and makes the folder if need be.
pub fn lock_scores(paths: &LearningPaths) -> Result<ScoresLock, StoreError> {
    fs::create_dir_all(&paths.scores).map_err(io_error(&paths.scores))?;
    lock(&paths.scores.join(".lock")).map(ScoresLock)
}

/// Reads a file. One that is not there, or empty, is none; one that is something else is an error, and is not written over.
pub fn load<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, StoreError> {
    let Some(bytes) = read_whole(path)?.filter(|bytes| !bytes.trim_ascii().is_empty()) else {
        return Ok(None);
    };
    serde_json::from_slice(&bytes).map(Some).map_err(|error| damaged(path, &error))
}

/// Writes a file as people and scripts read it.
pub fn save(path: &Path, value: &impl Serialize) -> Result<(), StoreError> {
    let mut bytes = serde_json::to_vec_pretty(value).map_err(|error| damaged(path, &error))?;
    bytes.push(b'\n');
    write_whole(path, &bytes)
}

/// Writes a file that can be made again from others: whole, and not synced.
pub(super) fn save_made(path: &Path, mut bytes: Vec<u8>) -> Result<(), StoreError> {
    bytes.push(b'\n');
    let draft = path.with_extension("tmp");
    fs::write(&draft, bytes).and_then(|()| fs::rename(&draft, path)).map_err(io_error(path))
}

pub(super) fn damaged(place: &Path, error: &serde_json::Error) -> StoreError {
    StoreError::Corrupt { path: place.to_owned(), what: error.to_string() }
}
