//! Owners: the processes that drive runs. An owner is alive for as long as it holds the lock of its file
//! under `owners/`, and the system releases that lock however the process dies: there is no lease to renew
//! and no timeout to guess.

use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use uuid::Uuid;

use crate::error::{StoreError, io as io_error};
use crate::layout::Layout;
use crate::store::Store;

/// A process that drives runs, by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OwnerId(pub Uuid);

impl fmt::Display for OwnerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for OwnerId {
    type Err = uuid::Error;

    fn from_str(text: &str) -> Result<Self, uuid::Error> {
        Uuid::parse_str(text).map(Self)
    }
}

/// This process as an owner of runs. As long as the value lives, nobody recovers them.
#[derive(Debug)]
pub struct Owner {
    id: OwnerId,
    path: PathBuf,
    /// Holds the lock. Never read.
    _lock: File,
}

impl Owner {
    /// Makes this process an owner in the store's data directory.
    pub fn register(store: &Store) -> Result<Self, StoreError> {
        let layout = store.layout();
        let folder = layout.owners();
        fs::create_dir_all(&folder).map_err(io_error(&folder))?;
        loop {
            let id = OwnerId(Uuid::now_v7());
            let path = layout.owner_lock(id);
            // A file is locked before it has its name, so nobody ever sees a living owner without its lock.
            let unnamed = path.with_extension("new");
            let lock = File::create_new(&unnamed).map_err(io_error(&unnamed))?;
            match lock.try_lock() {
                Ok(()) => {}
                // A recovery looked at the file in this very moment and will remove it: take another.
                Err(TryLockError::WouldBlock) => continue,
                Err(TryLockError::Error(error)) => return Err(io_error(&unnamed)(error)),
            }
            match fs::rename(&unnamed, &path) {
                Ok(()) => {
                    return Ok(Self { id, path, _lock: lock });
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(io_error(&path)(error)),
            }
        }
    }

    /// The id that rows name it by.
    pub fn id(&self) -> OwnerId {
        self.id
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        // A file that stays is removed by the next recovery: its lock is gone either way.
        drop(fs::remove_file(&self.path));
    }
}

/// Whether the owner's process still runs. In doubt it does: a living owner's run is never touched.
pub(crate) fn is_alive(layout: &Layout, owner: OwnerId) -> bool {
    holds_lock(&layout.owner_lock(owner))
}

/// One of the owners whose process still runs.
pub(crate) fn any_alive(layout: &Layout) -> Result<Option<OwnerId>, StoreError> {
    let folder = layout.owners();
    for entry in fs::read_dir(&folder).map_err(io_error(&folder))? {
        let path = entry.map_err(io_error(&folder))?.path();
        let owner = path.file_stem().and_then(|stem| stem.to_str()).and_then(|stem| stem.parse().ok());
        if let Some(owner) = owner.filter(|_| holds_lock(&path)) {
            return Ok(Some(owner));
        }
    }
    Ok(None)
}

/// Removes the files of owners that died.
pub(crate) fn bury_the_dead(layout: &Layout) -> Result<(), StoreError> {
    let folder = layout.owners();
    for entry in fs::read_dir(&folder).map_err(io_error(&folder))? {
        let path = entry.map_err(io_error(&folder))?.path();
        let is_owner = path
            .file_stem()
            .and_then(|stem| stem.to_str())
            .is_some_and(|stem| stem.parse::<OwnerId>().is_ok());
        if is_owner && !holds_lock(&path) {
            crate::file::remove(&path)?;
        }
    }
    Ok(())
}

fn holds_lock(path: &Path) -> bool {
    match File::open(path) {
        Ok(file) => file.try_lock().is_err(),
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    }
}
