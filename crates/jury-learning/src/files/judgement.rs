//! The judgements of a folder: everything that was ever said about a run, and the newest of it where everybody looks.
//!
//! ```text
//! state/judgments/<bead>.json             the newest judgement, whole: the native shape and where it comes from
//! state/judgments/history/<bead>.ndjson   every judgement of the run, oldest first, only ever appended to
//! state/judgments/templates/<hash>.ndjson what was found in the runs of a template, in short
//! state/judgments/quarantine/             files that cannot be read, moved out of the way
//! ```
//!
//! Whatever else is in the folder begins with a dot, which no bead does: no run can have the name of it.
//!
//! Whoever writes holds `state/judgments/.lock`. A line is appended and synced before the newest file is replaced, so that
//! a crash between the two loses nothing. A line that a crash cut off is passed over with a warning.

use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jury_core::artifact::Digest;
use jury_core::judge::{Bead, JudgeVerdict, Judgement, WorkCoverage};
use jury_core::severity::TWO;
use jury_store::StoreError;
use jury_store::file::{self, io_error as io};
use serde::{Deserialize, Serialize};

use super::quarantine::quarantine;

/// A judgement as it is kept: the native shape first, then what is known about how it came to be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KeptJudgement {
    /// The judgement as it was kept.
    #[serde(flatten)]
    pub judgement: Judgement,
    /// The template of the run.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub template: String,
    /// Who judged: `heuristic`, `command` or `model`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub mode: String,
    /// The run of jury in which it was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// How much of the work was shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<WorkCoverage>,
    /// What it cost, as far as that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
}

/// What a judgement cost.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Cost {
    /// Tokens that went in.
    #[serde(default)]
    pub input_tokens: u64,
    /// Tokens that came out.
    #[serde(default)]
    pub output_tokens: u64,
    /// Dollars, if the service says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dollars: Option<f64>,
    /// How long it took, in milliseconds.
    #[serde(default)]
    pub milliseconds: u64,
}

/// What was found in an earlier run of a template, without a word about who did it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PastFinding {
    /// The run that it was found in.
    pub bead: Bead,
    /// When it was judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
    /// What came of it.
    pub verdict: JudgeVerdict,
    /// What was wrong, the gravest first, in a few words each.
    pub issues: Vec<String>,
}

/// What was read, and what had to be passed over to read it.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgementsRead<T> {
    /// What could be read.
    pub value: T,
    /// What could not be, one line each.
    pub warnings: Vec<String>,
}

/// The largest file that is read as one judgement, and the longest line.
const LARGEST_JUDGEMENT_BYTES: u64 = 8 << 20;
/// The most of a history that is read: its end.
const LARGEST_HISTORY: u64 = 64 << 20;
/// How much of the end of a template's findings is looked at.
const TAIL: u64 = 64 << 10;
/// The most issues of one run that are kept for the template.
const MOST_ISSUES: usize = 5;
/// The longest of them.
const LONGEST_ISSUE: usize = 300;

/// Keeps a judgement: nothing that was said before is lost.
pub fn keep(folder: &Path, kept: &KeptJudgement) -> Result<(), StoreError> {
    let _lock = locked(folder)?;
    let bead = &kept.judgement.bead;
    let line = serde_json::to_vec(kept).map_err(unwritable(folder))?;
    append(&history_file(folder, bead), &line)?;
    if !kept.template.is_empty() {
        let line = serde_json::to_vec(&past(kept)).map_err(unwritable(folder))?;
        append(&template_file(folder, &kept.template), &line)?;
    }
    // An older judgement that arrives late is history and not the newest.
    let place = newest_file(folder, bead);
    let newer = read_one(&place)
        .ok()
        .flatten()
        .is_some_and(|there| there.judgement.judged_at > kept.judgement.judged_at);
    if newer {
        return Ok(());
    }
    let mut body = serde_json::to_vec_pretty(kept).map_err(unwritable(folder))?;
    body.push(b'\n');
    file::write_whole(&place, &body)
}

/// The newest judgement of a run. A file that cannot be read is set aside, and the history is asked.
pub fn newest(folder: &Path, bead: &Bead) -> Result<JudgementsRead<Option<KeptJudgement>>, StoreError> {
    let place = newest_file(folder, bead);
    let mut warnings = Vec::new();
    match checked(&place, bead) {
        Ok(Some(kept)) => return Ok(JudgementsRead { value: Some(kept), warnings }),
        Ok(None) => {}
        Err(Unreadable::Io(error)) => return Err(error),
        Err(Unreadable::Wrong(_)) => {
            // Somebody may be about to put it right: what is moved away is looked at once more, and alone.
            let lock = locked(folder);
            match checked(&place, bead) {
                Ok(Some(kept)) => return Ok(JudgementsRead { value: Some(kept), warnings }),
                Ok(None) => {}
                Err(Unreadable::Io(error)) => return Err(error),
                Err(Unreadable::Wrong(why)) => {
                    let aside = lock.and_then(|_lock| quarantine(folder, &place, &why));
                    // One that cannot be moved is passed over all the same.
                    warnings.push(aside.unwrap_or_else(|error| {
                        format!("{} cannot be read ({why}), nor moved: {error}", place.display())
                    }));
                }
            }
        }
    }
    let all = all(folder, bead)?;
    warnings.extend(all.warnings);
    let value = all.value.into_iter().max_by_key(|kept| kept.judgement.judged_at);
    Ok(JudgementsRead { value, warnings })
}

/// Every judgement of a run, oldest first.
pub fn all(folder: &Path, bead: &Bead) -> Result<JudgementsRead<Vec<KeptJudgement>>, StoreError> {
    let place = history_file(folder, bead);
    let mut found = lines::<KeptJudgement>(&place, LARGEST_HISTORY)?;
    found.value.retain(|kept| kept.judgement.bead == *bead);
    Ok(found)
}

/// What was found in the last runs of a template, newest first, each run once.
pub fn of_template(
    folder: &Path,
    template: &str,
    most: usize,
) -> Result<JudgementsRead<Vec<PastFinding>>, StoreError> {
    let mut found = lines::<PastFinding>(&template_file(folder, template), TAIL)?;
    found.value.reverse();
    let mut seen: Vec<Bead> = Vec::new();
    found.value.retain(|past| {
        let fresh = !seen.contains(&past.bead);
        seen.push(past.bead.clone());
        fresh
    });
    found.value.truncate(most);
    Ok(found)
}

/// The beads that have a judgement, in the order of their names.
pub fn beads(folder: &Path) -> Result<Vec<Bead>, StoreError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(io(folder)(error)),
    };
    let mut beads: Vec<Bead> = Vec::new();
    for entry in entries {
        let name = entry.map_err(io(folder))?.file_name();
        let bead =
            name.to_str().and_then(|name| name.strip_suffix(".json")).and_then(|name| name.parse().ok());
        beads.extend(bead);
    }
    beads.sort();
    Ok(beads)
}

fn past(kept: &KeptJudgement) -> PastFinding {
    let mut issues: Vec<_> = kept.judgement.issues.iter().collect();
    issues.sort_by_key(|issue| std::cmp::Reverse(issue.severity));
    let short = |text: &str| -> String {
        text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(LONGEST_ISSUE).collect()
    };
    PastFinding {
        bead: kept.judgement.bead.clone(),
        at: kept.judgement.judged_at,
        verdict: kept.judgement.verdict,
        issues: issues
            .iter()
            .take(MOST_ISSUES)
            .map(|issue| format!("{}: {}", TWO.word(issue.severity), short(&issue.description)))
            .collect(),
    }
}

enum Unreadable {
    Io(StoreError),
    Wrong(String),
}

/// The judgement in a file, if it is one and about this run.
fn checked(path: &Path, bead: &Bead) -> Result<Option<KeptJudgement>, Unreadable> {
    match read_one(path)? {
        Some(other) if other.judgement.bead != *bead => {
            Err(Unreadable::Wrong(format!("it is about {}", other.judgement.bead)))
        }
        found => Ok(found),
    }
}

fn read_one(path: &Path) -> Result<Option<KeptJudgement>, Unreadable> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Unreadable::Io(io(path)(error))),
    };
    let mut body = Vec::new();
    file.take(LARGEST_JUDGEMENT_BYTES + 1)
        .read_to_end(&mut body)
        .map_err(|error| Unreadable::Io(io(path)(error)))?;
    if body.len() as u64 > LARGEST_JUDGEMENT_BYTES {
        return Err(Unreadable::Wrong(format!("it is larger than {LARGEST_JUDGEMENT_BYTES} bytes")));
    }
    serde_json::from_slice(&body).map(Some).map_err(|error| Unreadable::Wrong(error.to_string()))
}

/// The lines at the end of a file, oldest first. What cannot be read is passed over and said.
fn lines<T: for<'a> Deserialize<'a>>(path: &Path, most: u64) -> Result<JudgementsRead<Vec<T>>, StoreError> {
    let mut found = JudgementsRead { value: Vec::new(), warnings: Vec::new() };
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(found),
        Err(error) => return Err(io(path)(error)),
    };
    let size = file.metadata().map_err(io(path))?.len();
    let skipped = size.saturating_sub(most);
    file.seek(SeekFrom::Start(skipped)).map_err(io(path))?;
    let mut body = Vec::new();
    file.take(most).read_to_end(&mut body).map_err(io(path))?;
    let mut lines = body.split(|byte| *byte == b'\n');
    if skipped > 0 {
        // The first line is the end of one.
        lines.next();
    }
    let mut broken = 0_usize;
    for line in lines.filter(|line| !line.is_empty()) {
        match serde_json::from_slice(line) {
            Ok(value) => found.value.push(value),
            Err(_) => broken += 1,
        }
    }
    if broken > 0 {
        let path = path.display();
        found.warnings.push(format!(
            "{path}: {} passed over",
            jury_core::line::counted(broken, "line cannot be read and is", "lines cannot be read and are")
        ));
    }
    Ok(found)
}

/// Appends a line. One that a crash left without its end does not take the new one along.
fn append(path: &Path, line: &[u8]) -> Result<(), StoreError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(io(folder))?;
    let mut file = File::options().create(true).read(true).append(true).open(path).map_err(io(path))?;
    let mut body = Vec::with_capacity(line.len() + 2);
    if file.metadata().map_err(io(path))?.len() > 0 {
        let mut last = [0];
        file.seek(SeekFrom::End(-1)).and_then(|_| file.read_exact(&mut last)).map_err(io(path))?;
        if last != *b"\n" {
            body.push(b'\n');
        }
    }
    body.extend_from_slice(line);
    body.push(b'\n');
    file.write_all(&body).and_then(|()| file.sync_data()).map_err(io(path))
}

/// Waits until nobody else judges this run, for as long as that takes, and keeps everybody else from it until what is
/// returned is dropped. Runs share a few locks, so that their files stay few; nobody may hold two.
pub fn judging(folder: &Path, bead: &Bead) -> Result<File, StoreError> {
    let folder = folder.join(".judging");
    fs::create_dir_all(&folder).map_err(io(&folder))?;
    let name = bead.as_str().to_ascii_lowercase();
    let share: String = Digest::of(name.as_bytes()).to_string().chars().take(2).collect();
    let path = folder.join(share);
    let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(io(&path))?;
    file.lock().map_err(io(&path))?;
    Ok(file)
}

pub(super) fn locked(folder: &Path) -> Result<File, StoreError> {
    fs::create_dir_all(folder).map_err(io(folder))?;
    file::lock(&folder.join(".lock"))
}

fn unwritable(folder: &Path) -> impl Fn(serde_json::Error) -> StoreError {
    let path = folder.to_owned();
    move |error| StoreError::Corrupt {
        path: path.clone(),
        what: format!("a judgement cannot be written: {error}"),
    }
}

fn newest_file(folder: &Path, bead: &Bead) -> PathBuf {
    folder.join(format!("{bead}.json"))
}

fn history_file(folder: &Path, bead: &Bead) -> PathBuf {
    folder.join("history").join(format!("{bead}.ndjson"))
}

/// The name of a template is anybody's text, so its file has the name of its hash.
fn template_file(folder: &Path, template: &str) -> PathBuf {
    let hash: String = Digest::of(template.as_bytes()).to_string().chars().take(32).collect();
    folder.join("templates").join(format!("{hash}.ndjson"))
}
