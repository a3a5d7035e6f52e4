//! Where a document is worked on: its folder, and a copy in it once it differs from the file that was given. The file
//! itself is never written.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jury_core::id::RunId;

/// A document and its place.
#[derive(Debug)]
pub(super) struct Workplace {
    original: PathBuf,
    copy: PathBuf,
    /// How many checks were given a copy.
    lent: u32,
    document: Arc<[u8]>,
}

/// A file that a check looks at.
#[derive(Debug)]
pub(super) enum CheckedFile {
    /// The one that was given.
    Original(PathBuf),
    /// A copy for this check alone: it goes with it.
    Copy(PathBuf),
}

impl CheckedFile {
    pub(super) fn path(&self) -> &Path {
        match self {
            Self::Original(path) | Self::Copy(path) => path,
        }
    }
}

impl Drop for CheckedFile {
    fn drop(&mut self) {
        if let Self::Copy(path) = self {
            clear(path);
        }
    }
}

impl Workplace {
    pub(super) fn new(file: &str, run: RunId, document: Vec<u8>) -> Self {
        let original = PathBuf::from(file);
        let name = original.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let id = run.0.simple().to_string();
        let id: String = id.chars().skip(id.len() - 8).collect();
        // Beside the file, so that what it refers to is where it was; hidden, and with its extension, which checks go by.
        let copy = folder(&original).join(format!(".jury-{id}-{name}"));
        Self { original, copy, lent: 0, document: document.into() }
    }

    /// The document as it is now.
    pub(super) fn document(&self) -> &[u8] {
        &self.document
    }

    pub(super) fn shared(&self) -> Arc<[u8]> {
        Arc::clone(&self.document)
    }

    /// The folder in which commands run.
    pub(super) fn dir(&self) -> PathBuf {
        folder(&self.original).to_owned()
    }

    /// The name of the file that was given.
    pub(super) fn name(&self) -> String {
        self.original.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// The path of the copy, whether it is there or not.
    pub(super) fn copy(&self) -> PathBuf {
        self.copy.clone()
    }

    /// A file that holds the document: the one that was given, as long as it does. After that every check has a copy of
    /// its own: in a shared one, the check that writes and the one that comes next and finds it changed would undo each
    /// other's traces.
    pub(super) fn file(&mut self) -> Result<CheckedFile, String> {
        if fs::read(&self.original).is_ok_and(|bytes| bytes == *self.document) {
            return Ok(CheckedFile::Original(self.original.clone()));
        }
        self.lent += 1;
        let name = self.copy.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let path = self.copy.with_file_name(name.replacen('-', &format!("-{}-", self.lent), 1));
        let copy = CheckedFile::Copy(path);
        write(copy.path(), &self.document)?;
        Ok(copy)
    }

    /// The document was changed.
    pub(super) fn change(&mut self, document: Vec<u8>) {
        self.document = document.into();
    }
}

impl Drop for Workplace {
    fn drop(&mut self) {
        clear(&self.copy);
    }
}

/// Writes a file, whole or not at all. Whatever a command has put in its place goes.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let draft = path.with_extension("draft");
    if !fs::symlink_metadata(path).is_ok_and(|there| there.is_file()) {
        clear(path);
    }
    fs::write(&draft, bytes)
        .and_then(|()| fs::rename(&draft, path))
        .map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Removes what is there, whatever it is. Of a link, the link.
fn clear(path: &Path) {
    match fs::symlink_metadata(path) {
        Ok(there) if there.is_dir() => fs::remove_dir_all(path).ok(),
        Ok(_) => fs::remove_file(path).ok(),
        Err(_) => None,
    };
}

fn folder(file: &Path) -> &Path {
    match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_used_until_the_document_differs_and_is_never_written() {
        let dir = tempfile::tempdir().unwrap();
        let original = dir.path().join("plan.md");
        fs::write(&original, "one").unwrap();
        let run = RunId(uuid::Uuid::from_u128(7));
        let mut place = Workplace::new(original.to_str().unwrap(), run, b"one".to_vec());
        assert_eq!(place.file().unwrap().path(), original);
        place.change(b"two".to_vec());
        let copy = place.file().unwrap();
        assert_eq!(copy.path().file_name().unwrap(), ".jury-1-00000007-plan.md");
        assert_eq!(fs::read(copy.path()).unwrap(), b"two");
        assert_eq!(fs::read(&original).unwrap(), b"one");
        drop((copy, place));
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_one_check_writes_no_other_check_takes_back() {
        let dir = tempfile::tempdir().unwrap();
        let original = dir.path().join("plan.md");
        fs::write(&original, "one").unwrap();
        let run = RunId(uuid::Uuid::from_u128(7));
        let mut place = Workplace::new(original.to_str().unwrap(), run, b"two".to_vec());
        let first = place.file().unwrap();
        fs::write(first.path(), "two, and more").unwrap();
        let second = place.file().unwrap();
        assert_eq!(fs::read(first.path()).unwrap(), b"two, and more");
        assert_eq!(fs::read(second.path()).unwrap(), b"two");
    }
}
