//! A folder that belongs to one call of an agent: its home, its prompt, its working folder.

use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// A folder that nobody else can look into, and that goes away when this is dropped.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// A new one inside `parent`.
    pub(super) fn new(parent: &Path) -> io::Result<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        loop {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
            let path = parent.join(format!("jury-{}-{count}-{since:x}", std::process::id()));
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Self { path: std::path::absolute(path)? }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A folder in it.
    pub(super) fn make(&self, name: &Path) -> io::Result<PathBuf> {
        let path = self.path.join(name);
        DirBuilder::new().mode(0o700).recursive(true).create(&path)?;
        Ok(path)
    }

    /// A new file in it that only we can read.
    pub(super) fn write(&self, name: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
        if let Some(parent) = name.parent() {
            self.make(parent)?;
        }
        let path = self.path.join(name);
        OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?.write_all(bytes)?;
        Ok(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // An agent that is still being taken down can put a file back; a second try comes after it.
        for _ in 0..3 {
            match std::fs::remove_dir_all(&self.path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    std::thread::sleep(std::time::Duration::from_millis(10));
                }
                Ok(()) | Err(_) => return,
            }
        }
    }
}
