//! Files that are there whole or not at all: written beside their place, synced, renamed, synced.
//!
//! Everything here blocks; the store goes through [`blocking`].

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use uuid::Uuid;

use crate::error::StoreError;
pub use crate::error::io as io_error;

/// How long anybody waits for a lock: longer than any transaction or recovery takes, shorter than a
/// person's patience.
pub(crate) const LOCK_PATIENCE: Duration = Duration::from_secs(30);

/// How often a held file lock is tried again.
pub(crate) const LOCK_PAUSE: Duration = Duration::from_millis(5);

/// How the names of files in the making end.
const DRAFT: &str = "tmp";

/// Runs work that blocks on a thread made for it.
pub(crate) async fn blocking<T: Send + 'static>(
    place: &Path,
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|gone| Err(StoreError::Io { path: place.to_owned(), source: io::Error::other(gone) }))
}

/// A file in the making. Dropped without [`Draft::commit`], it is removed.
#[derive(Debug)]
pub(crate) struct Draft {
    path: PathBuf,
    committed: bool,
}

impl Draft {
    /// Begins a file in this folder, and makes the folder if need be.
    pub(crate) fn begin(folder: &Path) -> Result<(Self, File), StoreError> {
        fs::create_dir_all(folder).map_err(io_error(folder))?;
        let path = folder.join(format!(".{}.{DRAFT}", Uuid::now_v7()));
        let file = File::create_new(&path).map_err(io_error(&path))?;
        let draft = Self { path, committed: false };
        Ok((draft, file))
    }

    /// Puts the file in its place, durably. The place is in the folder in which the draft was begun.
    pub(crate) fn commit(mut self, file: &File, place: &Path) -> Result<(), StoreError> {
        file.sync_all().map_err(io_error(&self.path))?;
        fs::rename(&self.path, place).map_err(io_error(place))?;
        self.committed = true;
        place.parent().map_or(Ok(()), sync_folder)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.committed {
            // What cannot be removed now is removed by the next recovery.
            drop(fs::remove_file(&self.path));
        }
    }
}

/// Writes a file whole.
pub fn write_whole(path: &Path, body: &[u8]) -> Result<(), StoreError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let (draft, mut file) = Draft::begin(folder)?;
    file.write_all(body).map_err(io_error(path))?;
    draft.commit(&file, path)
}

/// Reads a file, if it is there.
pub fn read_whole(path: &Path) -> Result<Option<Vec<u8>>, StoreError> {
    if_there(fs::read(path)).map_err(io_error(path))
}

/// Removes a file, if it is there.
pub fn remove(path: &Path) -> Result<(), StoreError> {
    if_there(fs::remove_file(path)).map(drop).map_err(io_error(path))
}

/// Removes what writers that died left in this folder.
pub(crate) fn remove_drafts(folder: &Path) -> Result<(), StoreError> {
    let Some(entries) = if_there(fs::read_dir(folder)).map_err(io_error(folder))? else {
        return Ok(());
    };
    for entry in entries {
        let path = entry.map_err(io_error(folder))?.path();
        if path.extension().is_some_and(|extension| extension == DRAFT) {
            remove(&path)?;
        }
    }
    Ok(())
}

/// Waits until this process holds the lock of a file. It is released when the file is dropped, and by the
/// system when the process dies.
pub fn lock(path: &Path) -> Result<File, StoreError> {
    let file = File::options().create(true).truncate(false).write(true).open(path).map_err(io_error(path))?;
    for _ in 0..LOCK_PATIENCE.as_millis() / LOCK_PAUSE.as_millis() {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(fs::TryLockError::WouldBlock) => thread::sleep(LOCK_PAUSE),
            Err(fs::TryLockError::Error(error)) => return Err(io_error(path)(error)),
        }
    }
    Err(StoreError::Locked(path.to_owned()))
}

fn if_there<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Makes a rename last: the entry lives in the folder.
fn sync_folder(folder: &Path) -> Result<(), StoreError> {
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(io_error(folder))
}
