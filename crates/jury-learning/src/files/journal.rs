//! Files change together: the feedback of some runs, and the registry that counted them. A process can die between two of
//! them, and then nobody could tell whether a run was counted. So all are written down first.
//!
//! ```text
//! .collecting             all files as they will be
//! <bead>.json             each record
//! pattern-registry.json   what they make together
//! .collecting             removed
//! ```
//!
//! Whoever comes next and finds `.collecting` writes all again. If it cannot be read, nothing behind it was begun, or a
//! power cut took it: the registry is made again from all records.

use std::collections::BTreeMap;
use std::path::PathBuf;

use jury_core::judge::Bead;
use serde::{Deserialize, Serialize};

use super::error::LearningError;
use super::folder::{Content, Lasting, put, read, remove};
use super::paths::LearningPaths;
use super::quarantine::quarantine;
use super::records::{LARGEST_FEEDBACK, place_of};
use super::recount::{note_elsewhere, recount_due};
use super::registry::{PatternRegistryFile, Pending, made_again, pretty, read_registry, rebuilt, text};
use crate::{FeedbackLine, PatternRegistry};

/// The name of the file.
const JOURNAL: &str = ".collecting";

/// What is under way.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Journal {
    feedback: BTreeMap<Bead, String>,
    /// The registry may lie anywhere, and whoever goes on may mean another one.
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

/// The writes that change the records and the registry, in their order. The registry can be made again.
pub(super) fn steps(
    paths: &LearningPaths,
    files: BTreeMap<Bead, (Vec<u8>, Lasting)>,
    registry: Vec<u8>,
) -> Result<Vec<Step>, LearningError> {
    let texts =
        files.iter().map(|(bead, (body, _))| (bead.clone(), String::from_utf8_lossy(body).into_owned()));
    let journal = Journal {
        feedback: texts.collect(),
        registry_file: paths.registry.clone(),
        registry: String::from_utf8_lossy(&registry).into_owned(),
    };
    let under_way = paths.feedback.join(JOURNAL);
    let mut steps = vec![Step::Put(under_way.clone(), pretty(&journal)?, Lasting::No)];
    for (bead, (body, lasting)) in files {
        steps.push(Step::Put(place_of(paths, &bead)?, body, lasting));
    }
    steps.push(Step::Put(paths.registry.clone(), registry, Lasting::No));
    steps.push(Step::Remove(under_way));
    Ok(steps)
}

/// Ends what a process that died had under way. The caller holds the lock.
pub(super) fn recover(paths: &LearningPaths, warnings: &mut Vec<String>) -> Result<(), LearningError> {
    let under_way = paths.feedback.join(JOURNAL);
    let bytes = match read(&under_way, 4 * LARGEST_FEEDBACK)? {
        Content::Missing => return Ok(()),
        Content::Bytes(bytes) => bytes,
        Content::TooLarge => Vec::new(),
    };
    if let Some(whole) = whole(&bytes, paths) {
        for (bead, text, lasting) in &whole.files {
            put(&place_of(paths, bead)?, text.as_bytes(), *lasting)?;
        }
        if whole.registry_file == paths.registry {
            put(&paths.registry, whole.registry.as_bytes(), Lasting::No)?;
        } else {
            // Whoever died kept another registry. That one is not ours to write: where it lies is the word of a file that
            // others can write. Both are made again, each by its own next collector.
            recount_due(paths)?;
            note_elsewhere(paths, &whole.registry_file)?;
        }
        return remove(&under_way);
    }
    warnings.push(quarantine(&paths.feedback, &under_way, "not whole")?);
    let before = match read_registry(&paths.registry)? {
        PatternRegistryFile::Read(registry) => registry,
        // The next reader makes it again.
        PatternRegistryFile::Missing | PatternRegistryFile::Broken(_) => return Ok(()),
    };
    let registry = rebuilt(paths, &before, &Pending::new(), warnings)?;
    warnings.push(made_again(paths));
    put(&paths.registry, &text(&registry)?, Lasting::No)
}

/// A journal that says what it must.
struct Whole {
    files: Vec<(Bead, String, Lasting)>,
    registry_file: PathBuf,
    registry: String,
}

/// What the journal says, if that is whole. It lies among files that other programs write to.
fn whole(bytes: &[u8], paths: &LearningPaths) -> Option<Whole> {
    let journal: Journal = serde_json::from_slice(bytes).ok()?;
    serde_json::from_str::<PatternRegistry>(&journal.registry).ok()?;
    let mut files = Vec::new();
    for (bead, text) in journal.feedback {
        let line = FeedbackLine::read(text.as_bytes()).ok().filter(|line| line.bead == bead.as_str())?;
        place_of(paths, &bead).ok()?;
        let lasting = if line.opus_quality_score.is_some() { Lasting::Yes } else { Lasting::No };
        files.push((bead, text, lasting));
    }
    Some(Whole { files, registry_file: journal.registry_file, registry: journal.registry })
}
