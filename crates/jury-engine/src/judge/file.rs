//! Files that a case is made of: regular ones, read within a bound, and for those that a run record names, only inside
//! the folder that records may speak about.

use std::fs::{self, File};
use std::io::{self, Read, Seek as _, SeekFrom};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// The most of a log that is read: its beginning and its end.
const LOG_HEAD: u64 = 2 << 20;
const LOG_TAIL: u64 = 6 << 20;

/// The most of a prompt that is read.
const LARGEST_PROMPT: u64 = 4 << 20;

/// The place that a record names, if it lies in this folder once every link on the way to it is followed. Neither a link
/// at its end nor anything but a file or a folder is taken.
pub(super) fn inside(root: &Path, named: &str) -> Result<PathBuf, String> {
    if named.contains('\0') {
        return Err("it has a NUL in it".to_owned());
    }
    let root = root.canonicalize().map_err(|error| format!("{}: {error}", root.display()))?;
    let path = root.join(named);
    let kind = path.symlink_metadata().map_err(|error| error.to_string())?.file_type();
    if kind.is_symlink() {
        return Err("it is a link".to_owned());
    }
    let path = path.canonicalize().map_err(|error| error.to_string())?;
    if !path.starts_with(&root) {
        return Err(format!("it lies outside of {}", root.display()));
    }
    Ok(path)
}

/// Opens a regular file: nothing that waits, and no link that was put there meanwhile.
pub(super) fn open(path: &Path, links: bool) -> Result<(File, u64), String> {
    let look = |path: &Path| if links { fs::metadata(path) } else { path.symlink_metadata() };
    let before = look(path).map_err(|error| error.to_string())?;
    if !before.is_file() {
        return Err("it is not a regular file".to_owned());
    }
    let file = File::open(path).map_err(|error| error.to_string())?;
    let after = file.metadata().map_err(|error| error.to_string())?;
    if (before.dev(), before.ino()) != (after.dev(), after.ino()) {
        return Err("it was replaced while it was opened".to_owned());
    }
    Ok((file, after.len()))
}

/// The text of a prompt, and how many bytes of it are not read.
pub(super) fn prompt(path: &Path, links: bool) -> Result<(String, u64), String> {
    let (file, size) = open(path, links)?;
    let body = some(file, LARGEST_PROMPT).map_err(|error| error.to_string())?;
    let left = size.saturating_sub(body.len() as u64);
    Ok((String::from_utf8_lossy(&body).into_owned(), left))
}

/// A log: all of it, or its beginning and its end with a line between them.
pub(super) fn log(path: &Path, links: bool) -> Result<Vec<u8>, String> {
    let (mut file, size) = open(path, links)?;
    let failed = |error: io::Error| error.to_string();
    if size <= LOG_HEAD + LOG_TAIL {
        return some(file, LOG_HEAD + LOG_TAIL).map_err(failed);
    }
    let mut body = some(&mut file, LOG_HEAD).map_err(failed)?;
    let left = size - LOG_HEAD - LOG_TAIL;
    body.extend_from_slice(format!("\n[{left} bytes left out]\n").as_bytes());
    file.seek(SeekFrom::Start(size - LOG_TAIL)).map_err(failed)?;
    body.extend(some(file, LOG_TAIL).map_err(failed)?);
    Ok(body)
}

fn some(source: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    source.take(most).read_to_end(&mut body)?;
    Ok(body)
}
