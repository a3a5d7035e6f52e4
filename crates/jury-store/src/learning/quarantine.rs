//! Files that cannot be read are put aside, never deleted: somebody may want to know what was in them.

use std::fs;
use std::path::{Path, PathBuf};

use super::error::{LearningError, trouble};
use super::folder::folder_of;

/// The folder for them, in the folder where they were found.
pub const QUARANTINE: &str = "quarantine";

/// Puts a file aside. What comes back is the warning, in one line. The caller holds the lock of its folder.
pub fn put_aside(place: &Path, why: &str) -> Result<String, LearningError> {
    let folder = folder_of(place).join(QUARANTINE);
    fs::create_dir_all(&folder).map_err(trouble(&folder))?;
    let aside = free(&folder, place);
    fs::rename(place, &aside).map_err(trouble(place))?;
    Ok(format!("{} cannot be read ({why}); it was moved to {}", place.display(), aside.display()))
}

/// A name that nothing has yet.
fn free(folder: &Path, place: &Path) -> PathBuf {
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    let mut aside = folder.join(name.trim_start_matches('.'));
    let mut number = 1_u64;
    while aside.symlink_metadata().is_ok() {
        number += 1;
        aside = folder.join(format!("{}.{number}", name.trim_start_matches('.')));
    }
    aside
}
