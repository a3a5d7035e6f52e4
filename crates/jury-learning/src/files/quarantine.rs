//! Files that cannot be read are moved out of the way, never removed: a person may want to look at them.

use std::fs;
use std::path::{Path, PathBuf};

use jury_core::line;
use jury_store::StoreError;
use jury_store::file::io_error as io;

/// Moves a file into the folder's `quarantine/`, and says so on one line. Of the same name there may be many.
pub(super) fn quarantine(folder: &Path, path: &Path, why: &str) -> Result<String, StoreError> {
    let aside = move_to_quarantine(folder, path)?;
    let why = line::cut(&line::spaced(why), 200);
    Ok(format!("{} cannot be read ({why}); it was moved to {}", path.display(), aside.display()))
}

/// The same without the words: where it is now.
pub(super) fn move_to_quarantine(folder: &Path, path: &Path) -> Result<PathBuf, StoreError> {
    let quarantine = folder.join("quarantine");
    fs::create_dir_all(&quarantine).map_err(io(&quarantine))?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut aside = quarantine.join(&name);
    let mut count = 1_u32;
    while aside.symlink_metadata().is_ok() {
        aside = quarantine.join(format!("{name}.{count}"));
        count += 1;
    }
    fs::rename(path, &aside).map_err(io(path))?;
    Ok(aside)
}
