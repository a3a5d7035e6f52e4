//! Files that are there whole or not at all, and folders that hold no surprise.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use uuid::Uuid;

use super::SiteError;

/// An error of the file system with its place.
pub(super) fn failed(path: &Path) -> impl Fn(io::Error) -> SiteError + use<> {
    let path = path.to_owned();
    move |source| SiteError::Io { path: path.clone(), source }
}

pub(super) fn make_folder(folder: &Path) -> Result<(), SiteError> {
    fs::create_dir_all(folder).map_err(failed(folder))
}

/// Makes what was renamed in a folder last.
pub(super) fn sync_folder(folder: &Path) -> Result<(), SiteError> {
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed(folder))
}

/// A name that nobody else uses, in a folder on the same file system.
pub(super) fn draft(folder: &Path) -> PathBuf {
    folder.join(format!(".new-{}", Uuid::now_v7()))
}

/// Writes a file and makes it last. The name must be free.
pub(super) fn write_new(path: &Path, bytes: &[u8]) -> Result<(), SiteError> {
    let mut file = File::create_new(path).map_err(failed(path))?;
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(failed(path))
}

/// Puts a file in its place whole: written beside it in `drafts`, then renamed.
pub(super) fn put(drafts: &Path, path: &Path, bytes: &[u8]) -> Result<(), SiteError> {
    make_folder(drafts)?;
    let draft = draft(drafts);
    write_new(&draft, bytes)?;
    fs::rename(&draft, path).map_err(failed(path))?;
    path.parent().map_or(Ok(()), sync_folder)
}

/// The bytes of a file, if it is one. A link is none: it may lead anywhere.
pub(super) fn read(path: &Path) -> Result<Option<Vec<u8>>, SiteError> {
    match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_file() => fs::read(path).map(Some).map_err(failed(path)),
        Ok(_) => Ok(None),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(error) => Err(failed(path)(error)),
    }
}

/// Whether anything is there, a link that leads nowhere included.
pub(super) fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Makes the folders of a path below a root, none of which may be a link or a file.
pub(super) fn make_folders_below(root: &Path, path: &str) -> Result<(), SiteError> {
    let mut folder = root.to_owned();
    let folders = path.split('/').collect::<Vec<_>>();
    for part in folders.iter().take(folders.len().saturating_sub(1)) {
        folder.push(part);
        match fs::symlink_metadata(&folder) {
            Ok(meta) if meta.is_dir() => {}
            Ok(_) => {
                return Err(failed(&folder)(io::Error::other("is there and is no folder; move it away")));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::create_dir(&folder).map_err(failed(&folder))?;
            }
            Err(error) => return Err(failed(&folder)(error)),
        }
    }
    Ok(())
}

/// The names in a folder; none when it is not there.
pub(super) fn names(folder: &Path) -> Result<Vec<String>, SiteError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(folder)(error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        names.extend(entry.map_err(failed(folder))?.file_name().into_string());
    }
    names.sort();
    Ok(names)
}
