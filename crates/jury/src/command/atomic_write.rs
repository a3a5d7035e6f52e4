//! A file of the user's that is written whole or not at all, and replaced in one step.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use uuid::Uuid;

/// Writes it beside its place and puts it there. What leads elsewhere is followed, and what is no file (a pipe,
/// a terminal) is written to and not replaced.
pub(super) fn write(path: &Path, body: &[u8]) -> io::Result<()> {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let before = fs::metadata(&path).ok();
    if before.as_ref().is_some_and(fs::Metadata::is_dir) {
        return Err(io::Error::other("it is a folder"));
    }
    if before.as_ref().is_some_and(|before| !before.is_file()) {
        return File::options().write(true).open(&path)?.write_all(body);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return Err(io::Error::other(format!("the folder {} does not exist", folder.display())));
    }
    let draft = Draft(folder.join(format!(".{}.tmp", Uuid::now_v7())));
    let mut file = File::create_new(&draft.0)?;
    file.write_all(body)?;
    if let Some(before) = before {
        file.set_permissions(before.permissions())?;
    }
    file.sync_all()?;
    fs::rename(&draft.0, &path)
}

/// A file in the making. It is removed, unless it has been renamed by then.
struct Draft(PathBuf);

impl Drop for Draft {
    fn drop(&mut self) {
        drop(fs::remove_file(&self.0));
    }
}
