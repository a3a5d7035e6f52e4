//! The file of patterns: read, made again from all records when it cannot be, changed by one run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use jiff::Timestamp;
use jury_core::judge::Bead;

use super::collect::enter;
use super::error::LearningError;
use super::folder::{Content, Lasting, folder_of, put, read};
use super::paths::LearningPaths;
use super::quarantine::quarantine;
use super::records::{Found, LARGEST_FEEDBACK, files, look, place_of};
use super::recount::recount_due;
use crate::{FeedbackLine, PatternRegistry, Shown, Sightings};

/// What a look at the file found.
#[derive(Debug, PartialEq)]
pub enum PatternRegistryFile {
    /// There is no such file.
    Missing,
    /// The registry that was read.
    Read(PatternRegistry),
    /// Nothing that can be read, and why. An empty file counts: the scripts left such files behind.
    Broken(String),
}

/// Reads the file and changes nothing.
pub fn read_registry(path: &Path) -> Result<PatternRegistryFile, LearningError> {
    Ok(match read(path, LARGEST_FEEDBACK)? {
        Content::Missing => PatternRegistryFile::Missing,
        Content::TooLarge => PatternRegistryFile::Broken(format!("more than {LARGEST_FEEDBACK} bytes")),
        Content::Bytes(bytes) if bytes.iter().all(u8::is_ascii_whitespace) => {
            PatternRegistryFile::Broken("empty".to_owned())
        }
        Content::Bytes(bytes) => match serde_json::from_slice(&bytes) {
            Ok(registry) => PatternRegistryFile::Read(registry),
            Err(error) => PatternRegistryFile::Broken(error.to_string()),
        },
    })
}

/// The file as text.
pub(super) fn text(registry: &PatternRegistry) -> Result<Vec<u8>, LearningError> {
    pretty(registry)
}

/// JSON as the files have it.
pub(super) fn pretty(value: &impl serde::Serialize) -> Result<Vec<u8>, LearningError> {
    let mut text = serde_json::to_vec_pretty(value)
        .map_err(|error| super::error::trouble(Path::new("JSON"))(error.into()))?;
    text.push(b'\n');
    Ok(text)
}

/// The registry to go on with. One that cannot be read is put aside and made again, and so is one that is missing. The
/// caller holds the lock.
pub(super) fn registry_or_rebuilt(
    paths: &LearningPaths,
    warnings: &mut Vec<String>,
) -> Result<(PatternRegistry, Made), LearningError> {
    let none = (PatternRegistry::default(), Pending::new());
    match read_registry(&paths.registry)? {
        PatternRegistryFile::Read(registry) => Ok((registry, Made::Before)),
        PatternRegistryFile::Missing => Ok((rebuilt(paths, &none.0, &none.1, warnings)?, Made::Now)),
        PatternRegistryFile::Broken(why) => {
            warnings.push(quarantine(&folder_of(&paths.registry), &paths.registry, &why)?);
            let registry = rebuilt(paths, &none.0, &none.1, warnings)?;
            warnings.push(made_again(paths));
            Ok((registry, Made::Now))
        }
    }
}

/// The line that says so.
pub(super) fn made_again(paths: &LearningPaths) -> String {
    format!("{} was made again from the feedback records", paths.registry.display())
}

/// Records that are not in their files yet, by bead: they count instead of what is there.
pub(super) type Pending = BTreeMap<String, FeedbackLine>;

/// Where a registry comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Made {
    /// It was read from its file.
    Before,
    /// From all records, a moment ago.
    Now,
}

/// The registry that all records make; what people wrote into `before` stays.
pub(super) fn rebuilt(
    paths: &LearningPaths,
    before: &PatternRegistry,
    pending: &Pending,
    warnings: &mut Vec<String>,
) -> Result<PatternRegistry, LearningError> {
    Ok(sightings(paths, pending, warnings)?.registry(before))
}

/// All sightings. Records that cannot be read are put aside, each with a warning.
pub(super) fn sightings(
    paths: &LearningPaths,
    pending: &Pending,
    warnings: &mut Vec<String>,
) -> Result<Sightings, LearningError> {
    let mut all = Sightings::default();
    for file in files(paths)?.unwrap_or_default() {
        match look(&file) {
            Found::Line(line) if pending.contains_key(&line.bead) => {}
            Found::Line(line) => all.of(&line),
            Found::Other => {}
            Found::Broken(why) => {
                recount_due(paths)?;
                warnings.push(quarantine(&paths.feedback, &file, &why)?);
            }
        }
    }
    for line in pending.values() {
        all.of(line);
    }
    Ok(all)
}

/// Takes in what a run said before and says now. True if that changed anything. Entries that can only be had from all
/// records are added to `unsure`.
pub(super) fn take_in(
    registry: &mut PatternRegistry,
    (bead, before, now): (&Bead, Option<&FeedbackLine>, &FeedbackLine),
    unsure: &mut BTreeSet<String>,
) -> bool {
    let same =
        |before: &FeedbackLine| (before.at, &before.failure_patterns) == (now.at, &now.failure_patterns);
    // Most runs show nothing, or what they showed before.
    if before.map_or(now.failure_patterns.is_empty() && !registry.mentions(bead), same) {
        return false;
    }
    let old = registry.clone();
    unsure.append(&mut registry.change(bead, before.map(shown), shown(now)));
    *registry != old
}

fn shown(line: &FeedbackLine) -> Shown<'_> {
    Shown { at: line.at, patterns: &line.failure_patterns }
}

/// What came of noting a mitigation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mitigated {
    /// Whether the pattern is known; nothing was written otherwise.
    pub known: bool,
    /// What was found broken, and what was done about it.
    pub warnings: Vec<String>,
}

/// Notes what is done against a pattern.
pub fn mitigate(
    paths: &LearningPaths,
    pattern: &str,
    what: &str,
    now: Timestamp,
) -> Result<Mitigated, LearningError> {
    let mut warnings = Vec::new();
    let _lock = enter(paths, &mut warnings)?;
    let (mut registry, made) = registry_or_rebuilt(paths, &mut warnings)?;
    let known = registry.mitigate(pattern, what, now);
    if known || made == Made::Now {
        // What a person wrote cannot be made again.
        put(&paths.registry, &text(&registry)?, Lasting::Yes)?;
    }
    Ok(Mitigated { known, warnings })
}

/// Counts what a run shows without keeping its feedback: for whoever only detects. A run that was counted (its feedback
/// says so, or it is among the last of the pattern) is not counted again. What comes back are warnings.
pub fn count(paths: &LearningPaths, bead: &Bead, now: &FeedbackLine) -> Result<Vec<String>, LearningError> {
    let mut warnings = Vec::new();
    let _lock = enter(paths, &mut warnings)?;
    let (mut registry, made) = match read_registry(&paths.registry)? {
        PatternRegistryFile::Missing => (PatternRegistry::default(), Made::Now),
        PatternRegistryFile::Read(_) | PatternRegistryFile::Broken(_) => {
            registry_or_rebuilt(paths, &mut warnings)?
        }
    };
    let collected = match look(&place_of(paths, bead)?) {
        Found::Line(line) => line.bead == now.bead,
        Found::Other | Found::Broken(_) => false,
    };
    let mut news = now.clone();
    if collected {
        // The next collecting has the last word; only what this registry has never heard of is new.
        news.failure_patterns.retain(|pattern| !registry.0.contains_key(pattern));
    }
    let mut unsure = BTreeSet::new();
    let changed = (!collected || !news.failure_patterns.is_empty())
        && take_in(&mut registry, (bead, None, &news), &mut unsure);
    if !unsure.is_empty() {
        registry.settle(&unsure, &sightings(paths, &Pending::new(), &mut warnings)?);
    }
    if changed || made == Made::Now {
        put(&paths.registry, &text(&registry)?, Lasting::No)?;
    }
    Ok(warnings)
}
