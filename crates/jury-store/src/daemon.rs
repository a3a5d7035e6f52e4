//! The daemon of a data directory: one at a time. It holds a lock for as long as it lives, and says in the
//! locked file who it is.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::error::{StoreError, io as io_error};
use crate::file::LOCK_PAUSE;
use crate::store::Store;

/// How long one waits for the lock of another. A daemon that is killed while it starts a program leaves its lock to that
/// program for the moment until it has begun: whoever starts the daemon again at once must not be sent away for that.
const PATIENCE: Duration = Duration::from_secs(2);

/// The right to be the daemon of a data directory. As long as the value lives, no other process gets it.
#[derive(Debug)]
pub struct Daemon {
    file: File,
    path: PathBuf,
}

fn lock(file: &File) -> Result<(), TryLockError> {
    let end = Instant::now() + PATIENCE;
    loop {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if Instant::now() < end => std::thread::sleep(LOCK_PAUSE),
            result => return result,
        }
    }
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
        match lock(&file) {
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
