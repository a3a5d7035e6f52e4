//! Two files change together: the feedback of a run, and the registry that counted it. A process can die between the
//! two, and then nobody could tell whether the run was counted. So both are written down first.
//!
//! ```text
//! .collecting      both files as they will be
//! <bead>.json      the first
//! pattern-registry.json
//! .collecting      removed
//! ```
//!
//! Whoever comes next and finds `.collecting` writes both again. If it cannot be read, nothing behind it was begun, or a
//! power cut took it: the registry is made again from all records.

use std::path::PathBuf;

use jury_core::judge::{Bead, FeedbackLine, Registry};
use serde::{Deserialize, Serialize};

use super::aside::set_aside;
use super::error::LearningError;
use super::folder::{Content, Lasting, put, read, remove};
use super::places::Places;
use super::records::{LARGEST_FEEDBACK, place_of};
use super::registry::{RegistryFile, pretty, read_registry, rebuilt, text};

/// The name of the file.
const JOURNAL: &str = ".collecting";

/// What is under way.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Journal {
    bead: Bead,
    feedback: String,
    /// The registry may lie anywhere: whoever goes on has to mean the same one.
    registry_file: PathBuf,
    registry: String,
}

/// One write of a change, so that a test can stop before any of them.
#[derive(Debug)]
pub(super) enum Step {
    Put(PathBuf, Vec<u8>, Lasting),
    Remove(PathBuf),
}

impl Step {
    pub(super) fn take(&self) -> Result<(), LearningError> {
        match self {
            Self::Put(place, body, lasting) => put(place, body, *lasting),
            Self::Remove(place) => remove(place),
        }
    }
}

/// The writes that change both files, in their order. `lasting` is for the feedback; the registry can be made again.
pub(super) fn steps(
    places: &Places,
    bead: &Bead,
    feedback: Vec<u8>,
    registry: Vec<u8>,
    lasting: Lasting,
) -> Result<Vec<Step>, LearningError> {
    let journal = Journal {
        bead: bead.clone(),
        feedback: String::from_utf8_lossy(&feedback).into_owned(),
        registry_file: places.registry.clone(),
        registry: String::from_utf8_lossy(&registry).into_owned(),
    };
    let under_way = places.feedback.join(JOURNAL);
    Ok(vec![
        Step::Put(under_way.clone(), pretty(&journal)?, Lasting::No),
        Step::Put(place_of(places, bead)?, feedback, lasting),
        Step::Put(places.registry.clone(), registry, Lasting::No),
        Step::Remove(under_way),
    ])
}

/// Ends what a process that died had under way. The caller holds the lock.
pub(super) fn recover(places: &Places, warnings: &mut Vec<String>) -> Result<(), LearningError> {
    let under_way = places.feedback.join(JOURNAL);
    let bytes = match read(&under_way, 4 * LARGEST_FEEDBACK)? {
        Content::Missing => return Ok(()),
        Content::Bytes(bytes) => bytes,
        Content::TooLarge => Vec::new(),
    };
    match whole(&bytes, places) {
        Some(journal) => {
            put(&place_of(places, &journal.bead)?, journal.feedback.as_bytes(), Lasting::Yes)?;
            put(&places.registry, journal.registry.as_bytes(), Lasting::No)?;
            remove(&under_way)
        }
        None => {
            warnings.push(set_aside(&places.feedback, &under_way, "not whole")?);
            let before = match read_registry(&places.registry)? {
                RegistryFile::Read(registry) => registry,
                // The next reader puts it aside.
                RegistryFile::Missing | RegistryFile::Broken(_) => return Ok(()),
            };
            let registry = rebuilt(places, &before, None, warnings)?;
            warnings.push(format!("{} was made again from the feedback records", places.registry.display()));
            put(&places.registry, &text(&registry)?, Lasting::No)
        }
    }
}

/// The journal, if it says what it must. It lies among files that other programs write to.
fn whole(bytes: &[u8], places: &Places) -> Option<Journal> {
    let journal: Journal = serde_json::from_slice(bytes).ok()?;
    let line = FeedbackLine::read(journal.feedback.as_bytes()).ok()?;
    serde_json::from_str::<Registry>(&journal.registry).ok()?;
    (line.bead == journal.bead.as_str() && journal.registry_file == places.registry).then_some(journal)
}
