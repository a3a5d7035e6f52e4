//! The feedback records of a folder.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use jury_core::judge::Bead;

use super::error::{LearningError, trouble};
use super::folder::{Content, read};
use super::paths::LearningPaths;
use crate::{FeedbackLine, NotFeedback};

/// The largest feedback record, or registry, that is read.
pub(super) const LARGEST_FEEDBACK: usize = 16 << 20;

/// What a file among the records is.
#[derive(Debug)]
pub(super) enum Found {
    /// A line that is a record.
    Line(Box<FeedbackLine>),
    /// Something else that is JSON: the registry is, for one.
    Other,
    /// Nothing that can be read, and why.
    Broken(String),
}

/// Where the feedback of a run is.
pub(super) fn place_of(paths: &LearningPaths, bead: &Bead) -> Result<PathBuf, LearningError> {
    let place = paths.feedback.join(format!("{bead}.json"));
    let name = |path: &Path| path.file_name().map(OsStr::to_ascii_lowercase);
    // Names differ by more than case: some file systems see none.
    let is_ours = name(&place) == name(Path::new("pattern-registry.json"))
        || (paths.registry.parent() == place.parent() && name(&place) == name(&paths.registry));
    if is_ours { Err(LearningError::Reserved(bead.clone())) } else { Ok(place) }
}

/// All files that may be feedback, in the order of their names. None when there is no such folder.
pub(super) fn files(paths: &LearningPaths) -> Result<Option<Vec<PathBuf>>, LearningError> {
    let folder = &paths.feedback;
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(trouble(folder)(error)),
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(trouble(folder))?.path();
        let hidden = path.file_name().is_none_or(|name| name.as_encoded_bytes().starts_with(b"."));
        let json = path.extension().is_some_and(|extension| extension == "json");
        if json && !hidden && path != paths.registry {
            files.push(path);
        }
    }
    files.sort();
    Ok(Some(files))
}

/// Looks into a file among the records. One that cannot be read stops nothing.
pub(super) fn look(path: &Path) -> Found {
    let bytes = match read(path, LARGEST_FEEDBACK) {
        Ok(Content::Bytes(bytes)) => bytes,
        // Somebody removed it in this moment.
        Ok(Content::Missing) => return Found::Other,
        Ok(Content::TooLarge) => return Found::Broken(format!("more than {LARGEST_FEEDBACK} bytes")),
        // A folder that is called like a record, or a file that we may not read: nothing that can be moved and mended.
        Err(_) => return Found::Other,
    };
    understand(&bytes)
}

/// What these bytes are.
pub(super) fn understand(bytes: &[u8]) -> Found {
    match FeedbackLine::read(bytes) {
        Ok(line) => Found::Line(Box::new(line)),
        Err(NotFeedback::NoBead) => Found::Other,
        Err(NotFeedback::NotJson(_)) if bytes.is_empty() => Found::Broken("empty".to_owned()),
        Err(error) => Found::Broken(error.to_string()),
    }
}
