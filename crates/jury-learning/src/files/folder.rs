//! Folders that several processes write to: one of them at a time, and every file whole or not at all.
//!
//! Files are renamed into place and not synced, unless somebody asks for it: everything here can be made again from run
//! records, except what a judge or a person said. See `docs/judge.md` for what a power cut can cost.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::error::{LearningError, trouble};

/// The name of the file whose lock is that of the folder.
const LOCK: &str = ".lock";
/// The name of a file in the making. Whoever makes one holds the lock, so that there is one at a time.
const DRAFT: &str = ".draft.tmp";
/// How long anybody waits for a lock, in all.
const PATIENCE: Duration = Duration::from_mins(1);
/// How long the first pause is; each is longer than the one before, up to the last.
const PAUSES: (Duration, Duration) = (Duration::from_micros(200), Duration::from_millis(5));

/// The locks of some folders. They are released when the value is dropped, and by the system when the process dies.
#[derive(Debug)]
pub struct FolderLock {
    /// Hold the locks. Never read.
    _files: Vec<File>,
}

/// Waits until this process holds the locks of these folders, and makes those that are not there. Everybody takes them
/// in the same order, so that no two wait for each other.
pub fn lock(folders: &[&Path]) -> Result<FolderLock, LearningError> {
    let mut paths = BTreeSet::new();
    for folder in folders {
        fs::create_dir_all(folder).map_err(trouble(folder))?;
        paths.insert(folder.canonicalize().map_err(trouble(folder))?);
    }
    let files = paths.iter().map(|folder| lock_file(&folder.join(LOCK)));
    Ok(FolderLock { _files: files.collect::<Result<_, _>>()? })
}

fn lock_file(path: &Path) -> Result<File, LearningError> {
    let file = File::options().create(true).truncate(false).write(true).open(path).map_err(trouble(path))?;
    let (mut pause, longest) = PAUSES;
    let mut waited = Duration::ZERO;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(fs::TryLockError::WouldBlock) if waited < PATIENCE => {
                thread::sleep(pause);
                waited += pause;
                pause = (pause * 2).min(longest);
            }
            Err(fs::TryLockError::WouldBlock) => return Err(LearningError::Locked(path.to_owned())),
            Err(fs::TryLockError::Error(error)) => return Err(trouble(path)(error)),
        }
    }
}

/// Whether a file has to outlive a power cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lasting {
    /// It can be made again.
    No,
    /// It cannot: it is synced, and so is its entry in the folder.
    Yes,
}

/// Writes a file whole. The caller holds the lock of its folder.
pub fn put(path: &Path, body: &[u8], lasting: Lasting) -> Result<(), LearningError> {
    let folder = folder_of(path);
    let draft = folder.join(DRAFT);
    let written = begin(&draft).and_then(|mut file| {
        file.write_all(body)?;
        if lasting == Lasting::Yes { file.sync_all() } else { Ok(()) }
    });
    written.map_err(trouble(&draft))?;
    fs::rename(&draft, path).map_err(trouble(path))?;
    if lasting == Lasting::Yes {
        File::open(&folder).and_then(|folder| folder.sync_all()).map_err(trouble(&folder))?;
    }
    Ok(())
}

/// A new file; what a writer that died left under its name is gone. Never through a link.
fn begin(draft: &Path) -> io::Result<File> {
    match File::create_new(draft) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            fs::remove_file(draft)?;
            File::create_new(draft)
        }
        result => result,
    }
}

/// Removes a file, if it is there.
pub(super) fn remove(path: &Path) -> Result<(), LearningError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(trouble(path)(error)),
        _ => Ok(()),
    }
}

/// What is in a file.
#[derive(Debug, PartialEq, Eq)]
pub enum Content {
    /// There is no such file.
    Missing,
    /// The bytes of the whole file.
    Bytes(Vec<u8>),
    /// More than anybody reads.
    TooLarge,
}

/// Reads a file of at most so many bytes. Only a plain file has content: a pipe would have us wait for ever.
pub fn read(path: &Path, most: usize) -> Result<Content, LearningError> {
    let about = match fs::metadata(path) {
        Ok(about) => about,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Content::Missing),
        Err(error) => return Err(trouble(path)(error)),
    };
    if !about.is_file() {
        return Err(trouble(path)(io::Error::other("not a plain file")));
    }
    let file = File::open(path).map_err(trouble(path))?;
    let most = u64::try_from(most).unwrap_or(u64::MAX);
    if about.len() > most {
        return Ok(Content::TooLarge);
    }
    let mut bytes = Vec::with_capacity(usize::try_from(about.len()).unwrap_or_default() + 1);
    // It may have grown since.
    file.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(trouble(path))?;
    Ok(if bytes.len() as u64 > most { Content::TooLarge } else { Content::Bytes(bytes) })
}

/// The folder that a file is in.
pub(super) fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}
