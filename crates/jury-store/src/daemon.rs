//! The daemon of a data directory: one at a time. It holds a lock for as long as it lives, and says in the
//! locked file who it is.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::PathBuf;

use crate::error::{StoreError, io as io_error};
use crate::store::Store;

/// The right to be the daemon of a data directory. As long as the value lives, no other process gets it.
#[derive(Debug)]
pub struct Daemon {
    file: File,
    path: PathBuf,
}

impl Daemon {
    /// Becomes the daemon of the store's data directory, or says who is.
    pub fn register(store: &Store) -> Result<Self, StoreError> {
        let path = store.layout().owners().join("daemon.lock");
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(io_error(&path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut by = String::new();
                file.read_to_string(&mut by).map_err(io_error(&path))?;
                let by =
                    if by.trim().is_empty() { "another process".to_owned() } else { by.trim().to_owned() };
                return Err(StoreError::Served { dir: store.dir().to_owned(), by });
            }
            Err(TryLockError::Error(error)) => return Err(io_error(&path)(error)),
        }
        let daemon = Self { file, path };
        daemon.introduce(&format!("process {}", std::process::id()))?;
        Ok(daemon)
    }

    /// Writes down who it is, for the one that comes second.
    pub fn introduce(&self, who: &str) -> Result<(), StoreError> {
        let mut file = &self.file;
        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| file.write_all(who.as_bytes()))
            .map_err(io_error(&self.path))
    }
}
