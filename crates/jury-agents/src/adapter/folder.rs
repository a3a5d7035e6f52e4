//! A folder that belongs to one call of an agent: its home, its prompt, its working folder.

use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// Removes the folders that a program left in `parent`: one that was killed could not do it itself.
///
/// A number can be given to another program. What that one makes, it makes later than now.
pub fn remove_all_of(program: u32, parent: &Path) {
    let now = since_the_epoch();
    let Ok(entries) = std::fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        let made = entry.file_name().to_str().and_then(|name| maker(name).filter(|made| made.0 == program));
        if made.is_some_and(|(_, since)| since <= now) {
            // Whoever may not remove it did not make it.
            std::fs::remove_dir_all(entry.path()).ok();
        }
    }
}

/// Who made a folder of this name, and when.
fn maker(name: &str) -> Option<(u32, u128)> {
    let mut parts = name.strip_prefix("jury-")?.split('-');
    let (program, count, since) = (parts.next()?, parts.next()?, parts.next()?);
    count.parse::<u64>().ok()?;
    let since = u128::from_str_radix(since, 16).ok()?;
    parts.next().is_none().then_some((program.parse().ok()?, since))
}

fn since_the_epoch() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos()
}

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
            let since = since_the_epoch();
            let path = parent.join(format!("jury-{}-{count}-{since:x}", std::process::id()));
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Self { path: std::path::absolute(path)? }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// The path of the folder.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_program_left_goes_and_what_others_have_stays() {
        let parent = tempfile::tempdir().unwrap();
        let left = std::mem::ManuallyDrop::new(Folder::new(parent.path()).unwrap());
        left.write(Path::new("home/prompt.txt"), b"secret").unwrap();
        let own = std::process::id();
        let later = since_the_epoch() + 3_600_000_000_000;
        let others = [
            format!("jury-{}-0-1", own + 1),
            format!("jury-{own}-0-{later:x}"),
            format!("jury-{own}-notes"),
            format!("jury-{own}-0-1-mine"),
        ];
        for name in &others {
            std::fs::create_dir(parent.path().join(name)).unwrap();
        }
        // A link of that name goes; what it leads to stays.
        let elsewhere = tempfile::tempdir().unwrap();
        std::fs::write(elsewhere.path().join("kept"), "").unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), parent.path().join(format!("jury-{own}-7-1"))).unwrap();

        remove_all_of(own, parent.path());

        let mut names: Vec<String> = std::fs::read_dir(parent.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| *name != format!("jury-{own}-7-1"))
            .collect();
        names.sort();
        let mut expected = others.to_vec();
        expected.sort();
        assert_eq!(names, expected);
        assert!(elsewhere.path().join("kept").exists());
    }
}
