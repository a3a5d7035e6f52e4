//! What the files of the learning loop say, for whoever shows it. Other programs write them too, so that nothing is taken
//! for granted: a file that is not there says nothing, and one that cannot be read is named and left out.

use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::path::Path;

use jury_core::judge::SCHEMA_VERSION;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::LearningPaths;
use crate::ab::{AbTest, AbTests};
use crate::refine::{LogEntry, Refined};
use crate::{PatternEntry, TemplateScore, TemplateScores, Trend, is_infra};

/// The largest file that is read.
const LARGEST_FILE_BYTES: u64 = 32 * 1024 * 1024;
/// The most problems that are named; there may be one for each of many thousand files.
const MOST_PROBLEMS: usize = 20;
/// The longest name or text that is passed on, in characters.
pub(super) const LONGEST_TEXT: usize = 2_000;
/// The most entries of a list that is passed on.
const MOST_ENTRIES: usize = 1_000;

/// What was found, and what was wrong on the way.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReadResult<T> {
    /// What could be read.
    pub value: T,
    /// Which files could not be read, or not wholly.
    pub problems: Problems,
}

/// Which files could not be read, or not wholly.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Problems {
    /// The first of them.
    pub named: Vec<ReadProblem>,
    /// How many more there are.
    pub more: u64,
}

/// A file that could not be read, or not wholly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadProblem {
    /// The file in its folder.
    pub file: String,
    /// What is wrong with it.
    pub problem: String,
}

impl Problems {
    pub(super) fn add(&mut self, path: &Path, problem: impl Into<String>) {
        if self.named.len() < MOST_PROBLEMS {
            self.named.push(ReadProblem { file: shown(path), problem: bounded(&problem.into(), 300) });
        } else {
            self.more += 1;
        }
    }
}

/// A file by its name and that of its folder: enough to find it, and nothing about the machine.
fn shown(path: &Path) -> String {
    let name = |part: Option<&std::ffi::OsStr>| part.map(|part| part.to_string_lossy().into_owned());
    let file = name(path.file_name()).unwrap_or_default();
    let shown = match name(path.parent().and_then(Path::file_name)) {
        Some(folder) => format!("{folder}/{file}"),
        None => file,
    };
    bounded(&shown, 300)
}

/// A text that is not longer than this many characters.
pub(super) fn bounded(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// The bytes of a file: none when it is not there, or what is wrong with it.
pub(super) fn bytes(path: &Path, largest: u64) -> Result<Option<Vec<u8>>, String> {
    let cannot = |error: std::io::Error| format!("cannot be read: {error}");
    let known = match path.metadata() {
        Ok(known) => known,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(cannot(error)),
    };
    // A pipe would be waited for, for ever.
    if !known.is_file() {
        return Err("is not a file".to_owned());
    }
    let too_large = || format!("is larger than {} MiB", largest / 1024 / 1024);
    if known.len() > largest {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(cannot)?;
    file.take(largest + 1).read_to_end(&mut bytes).map_err(cannot)?;
    if bytes.len() as u64 > largest { Err(too_large()) } else { Ok(Some(bytes)) }
}

/// The JSON in a file. What is wrong with it is said without repeating it.
fn json(path: &Path, problems: &mut Problems) -> Option<Value> {
    let read = bytes(path, LARGEST_FILE_BYTES).and_then(|bytes| {
        bytes
            .map(|bytes| serde_json::from_slice::<Value>(&bytes).map_err(|error| not_json(&error)))
            .transpose()
    });
    read.unwrap_or_else(|problem| {
        problems.add(path, problem);
        None
    })
}

/// Why something is not JSON.
pub(super) fn not_json(error: &serde_json::Error) -> String {
    format!("is not JSON: {error}")
}

/// The entries of a list in a file, each by itself: one that does not fit takes no other with it.
fn entries<T: DeserializeOwned>(value: &Value, path: &Path, list: &str, problems: &mut Problems) -> Vec<T> {
    let Some(Value::Array(values)) = value.get(list) else {
        problems.add(path, format!("has no list '{list}'"));
        return Vec::new();
    };
    let mut read = Vec::new();
    for (index, value) in values.iter().enumerate() {
        // A list in the place of an object would be taken for its fields, one after the other.
        if !value.is_object() {
            problems.add(path, format!("{list}[{index}] is no object"));
            continue;
        }
        match T::deserialize(value) {
            Ok(entry) => read.push(entry),
            Err(error) => problems.add(path, format!("{list}[{index}] does not fit: {error}")),
        }
    }
    read
}

fn left_out(path: &Path, list: &str, count: usize, problems: &mut Problems) {
    if count > MOST_ENTRIES {
        problems.add(path, format!("has {count} {list}; {MOST_ENTRIES} are shown"));
    }
}

/// The scores of the templates, by name. A score of the scripts before us has no interval and gets one.
pub fn template_scores(paths: &LearningPaths) -> ReadResult<TemplateScores> {
    let mut problems = Problems::default();
    let path = paths.scores.join("template-scores.json");
    let file = json(&path, &mut problems).unwrap_or_else(|| serde_json::json!({"templates": []}));
    let mut templates: Vec<TemplateScore> = entries(&file, &path, "templates", &mut problems);
    let text = |key: &str| file.get(key).and_then(Value::as_str).map(|text| bounded(text, LONGEST_TEXT));
    left_out(&path, "templates", templates.len(), &mut problems);
    templates.truncate(MOST_ENTRIES);
    for score in &mut templates {
        score.template = bounded(&score.template, LONGEST_TEXT);
        score.agents.truncate(MOST_ENTRIES);
        for agent in &mut score.agents {
            agent.agent = bounded(&agent.agent, LONGEST_TEXT);
        }
        let (mechanical, blended) = (score.effective(false), score.effective(true));
        score.mechanical.get_or_insert(mechanical);
        score.blended.get_or_insert(blended);
        if score.total_runs == 0 {
            score.trend = Trend::InsufficientData;
        }
    }
    let value = TemplateScores {
        schema_version: text("schema_version").unwrap_or_else(|| SCHEMA_VERSION.to_owned()),
        generated_at: text("generated_at").unwrap_or_default(),
        templates,
    };
    ReadResult { value, problems }
}

/// One pattern of the registry.
#[derive(Debug, Clone, PartialEq)]
pub struct PatternRow {
    /// The name of the pattern.
    pub name: String,
    /// Whether it is one of the infrastructure, which no prompt can do anything about.
    pub infra: bool,
    /// What the registry says. Keys that we do not know are left out.
    pub entry: PatternEntry,
}

/// The patterns, the commonest first.
pub fn patterns(paths: &LearningPaths) -> ReadResult<Vec<PatternRow>> {
    let mut problems = Problems::default();
    let path = &paths.registry;
    let mut rows = Vec::new();
    match json(path, &mut problems) {
        None => {}
        Some(Value::Object(registry)) => {
            for (name, value) in registry {
                match serde_json::from_value::<PatternEntry>(value) {
                    Ok(entry) => rows.push(row(&name, entry)),
                    Err(error) => {
                        problems.add(path, format!("'{}' does not fit: {error}", bounded(&name, 80)));
                    }
                }
            }
        }
        Some(_) => problems.add(path, "is not an object"),
    }
    rows.sort_by(|one, two| two.entry.count.cmp(&one.entry.count).then_with(|| one.name.cmp(&two.name)));
    left_out(path, "patterns", rows.len(), &mut problems);
    rows.truncate(MOST_ENTRIES);
    ReadResult { value: rows, problems }
}

fn row(name: &str, mut entry: PatternEntry) -> PatternRow {
    entry.rest = Map::new();
    entry.seen_at.clear();
    let surplus = entry.last_beads.len().saturating_sub(crate::KEPT_BEADS);
    entry.last_beads.drain(..surplus);
    for text in entry.last_beads.iter_mut().chain([&mut entry.first_seen, &mut entry.last_seen]) {
        *text = bounded(text, LONGEST_TEXT);
    }
    for text in [&mut entry.mitigation, &mut entry.mitigated_at].into_iter().flatten() {
        *text = bounded(text, LONGEST_TEXT);
    }
    PatternRow { name: bounded(name, LONGEST_TEXT), infra: is_infra(name), entry }
}

/// The tests of variants, what waits for a person, and what was refined.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tests {
    /// The tests, the newest first.
    pub tests: AbTests,
    /// Promotions, the newest first.
    pub queue: Vec<Promotion>,
    /// The log, the newest first.
    pub log: Vec<RefinementEntry>,
}

/// A promotion that waits, or waited, for a person.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
pub struct Promotion {
    /// The template that is tested.
    pub original: String,
    /// The variant that is to take its place.
    pub variant: String,
    /// The score of the template then.
    #[serde(default)]
    pub original_score: Option<f64>,
    /// The score of the variant then.
    #[serde(default)]
    pub variant_score: Option<f64>,
    /// `pending` or `approved`, or a word of somebody's.
    #[serde(default)]
    pub status: String,
    /// Since when it waits.
    #[serde(default)]
    pub queued_at: String,
    /// When a person decided about it.
    #[serde(default)]
    pub resolved_at: Option<String>,
}

/// An entry of the refinement log, as far as it is known.
#[derive(Debug, Clone, PartialEq)]
pub enum RefinementEntry {
    /// A variant was made.
    Refined(Refined),
    /// A test was decided.
    Decided {
        /// The template that was tested.
        original: String,
        /// The variant that was tried.
        variant: String,
        /// The decision as it was written.
        decision: String,
        /// When it was decided.
        timestamp: String,
    },
}

/// The tests of variants, what waits for a person, and what was refined.
pub fn tests(paths: &LearningPaths) -> ReadResult<Tests> {
    let mut problems = Problems::default();
    let mut tests: Vec<AbTest> = listed(&paths.ab_tests, "tests", &mut problems);
    for test in &mut tests {
        test.rest = Map::new();
        test.original = bounded(&test.original, LONGEST_TEXT);
        test.variant = bounded(&test.variant, LONGEST_TEXT);
    }
    let mut queue: Vec<Promotion> = listed(&paths.review_queue, "entries", &mut problems);
    for one in &mut queue {
        for text in [&mut one.original, &mut one.variant, &mut one.status, &mut one.queued_at] {
            *text = bounded(text, LONGEST_TEXT);
        }
    }
    let entries: Vec<LogEntry> = listed(&paths.refinement_log, "entries", &mut problems);
    let log = entries.into_iter().filter_map(known).collect();
    let tests = AbTests { schema_version: SCHEMA_VERSION.to_owned(), tests };
    ReadResult { value: Tests { tests, queue, log }, problems }
}

/// The entries of a list whose newest stand at its end, the newest first.
fn listed<T: DeserializeOwned>(path: &Path, list: &str, problems: &mut Problems) -> Vec<T> {
    let Some(file) = json(path, problems) else { return Vec::new() };
    let mut read = entries(&file, path, list, problems);
    left_out(path, list, read.len(), problems);
    read.reverse();
    read.truncate(MOST_ENTRIES);
    read
}

fn known(entry: LogEntry) -> Option<RefinementEntry> {
    let text = |text: &str| bounded(text, LONGEST_TEXT);
    match entry {
        LogEntry::Refined(refined) => Some(RefinementEntry::Refined(Refined {
            template: text(&refined.template),
            variant: text(&refined.variant),
            trigger: text(&refined.trigger),
            timestamp: text(&refined.timestamp),
            patterns_applied: refined.patterns_applied.iter().take(50).map(|name| text(name)).collect(),
            ..refined
        })),
        LogEntry::Other(value) => {
            let word = |key: &str| value.get(key).and_then(Value::as_str).map(text);
            Some(RefinementEntry::Decided {
                original: word("original")?,
                variant: word("variant")?,
                decision: word("decision")?,
                timestamp: word("timestamp").unwrap_or_default(),
            })
        }
    }
}
