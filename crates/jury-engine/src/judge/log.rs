//! The output of tests and linter: what a person names, what the record has, or what the record names.

use std::path::Path;

use jury_text::diff::pack_log;

use super::context::{CaseError, brief, unreadable};
use super::file;

/// The most lines of an output that are shown.
const LOG_LINES: usize = 2000;

/// Where an output may be.
pub(super) struct LogPaths<'a> {
    /// What the output is called in notes.
    pub(super) what: &'static str,
    /// What a person names.
    pub(super) file: Option<&'a Path>,
    /// What the record has.
    pub(super) text: Option<&'a str>,
    /// What the record names.
    pub(super) named: Option<&'a str>,
}

/// Reads an output: as it is, and packed.
pub(super) fn log(
    places: &LogPaths<'_>,
    root: &Path,
    notes: &mut Vec<String>,
) -> Result<Option<(Vec<u8>, String)>, CaseError> {
    let bytes = if let Some(place) = places.file {
        file::log(place, true).map_err(|why| unreadable(place, &why))?
    } else if let Some(text) = places.text {
        text.as_bytes().to_vec()
    } else if let Some(named) = places.named {
        match file::inside(root, named).and_then(|place| file::log(&place, false)) {
            Ok(bytes) => bytes,
            Err(why) => {
                notes.push(format!("no {}: {:?} is not read: {why}", places.what, brief(named)));
                return Ok(None);
            }
        }
    } else {
        return Ok(None);
    };
    let packed = pack_log(&bytes, LOG_LINES).text;
    Ok(Some((bytes, packed)))
}
