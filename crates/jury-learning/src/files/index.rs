//! An index of the judgement files: the newest first, by template and verdict, and what each day cost.
//!
//! `<bead>.json` is the newest judgement of a run, and `history/<bead>.ndjson` has all of them, the oldest first. There may
//! be many thousand files, and few of them change between two looks. What was read is kept by the name, the size and the
//! time of its file, and read again only when one of them is another. Whoever is asked often looks at them less often than
//! that: within a moment only the folders themselves are looked at.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jury_core::event::Usage;
use jury_core::judge::{Bead, Confidence, JudgeIssue, JudgeVerdict, Judgement, WorkCoverage};
use jury_core::severity::Severity;
use serde_json::Value;

use super::LearningPaths;
use super::read::{Problems, ReadResult, bounded};

mod record;

pub use record::RunLine;
use record::{Record, feedback, history, record};

/// How many judgements of one run are shown.
const HISTORY: usize = 100;
/// The most judgements that are known at once.
const MOST_JUDGEMENTS: usize = 200_000;
/// How many issues of a judgement a line has.
const ISSUES: usize = 3;
/// How many days are counted.
const DAYS: usize = 366;

/// A judgement in a line.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgementRow {
    /// The run that is judged.
    pub bead: Bead,
    /// The verdict on the run.
    pub verdict: JudgeVerdict,
    /// The score of the run.
    pub score: f64,
    /// How much weight it has.
    pub confidence: Confidence,
    /// When it was judged, if that is known.
    pub judged_at: Option<Timestamp>,
    /// Who judged; empty if nobody is named.
    pub judge: String,
    /// How many major issues it has.
    pub majors: u64,
    /// How many minor ones.
    pub minors: u64,
    /// The first of them, the major ones in front.
    pub issues: Vec<JudgeIssue>,
    /// How many seats the panel had; none without one.
    pub seats: Option<u64>,
    /// What the feedback of the run says, if there is one.
    pub run: Option<RunLine>,
}

/// Which judgements are wanted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Wanted {
    /// Only those of this template.
    pub template: Option<String>,
    /// Only those with this verdict.
    pub verdict: Option<JudgeVerdict>,
    /// Only those behind this place.
    pub after: Option<Cursor>,
    /// At most so many.
    pub limit: usize,
}

/// A place among the judgements. Those that come in front of it do not move it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    at: Option<Timestamp>,
    bead: Bead,
}

impl Cursor {
    fn of(row: &JudgementRow) -> Self {
        Self { at: row.judged_at, bead: row.bead.clone() }
    }

    /// Whether something stands behind it: older, or as old and later by name. What has no time is the oldest.
    fn precedes(&self, row: &JudgementRow) -> bool {
        (std::cmp::Reverse(self.at), &self.bead) < (std::cmp::Reverse(row.judged_at), &row.bead)
    }
}

impl std::fmt::Display for Cursor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let at = self.at.map(|at| at.to_string()).unwrap_or_default();
        write!(f, "{at}~{}", self.bead)
    }
}

impl std::str::FromStr for Cursor {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "it is not one that an answer gave".to_owned();
        let (at, bead) = text.split_once('~').ok_or_else(wrong)?;
        let at = if at.is_empty() { None } else { Some(at.parse().map_err(|_| wrong())?) };
        Ok(Self { at, bead: bead.parse().map_err(|_| wrong())? })
    }
}

/// Everything about one run.
#[derive(Debug, Clone, PartialEq)]
pub struct RunCase {
    /// The newest judgement of the run.
    pub judgement: Option<Judgement>,
    /// What it cost, as far as that is known.
    pub usage: Option<Usage>,
    /// How much of the work the judge got to see, as far as that is known.
    pub coverage: Option<WorkCoverage>,
    /// The judgements before it, the newest first.
    pub history: Vec<Judgement>,
    /// What the feedback of the run says.
    pub run: Option<RunLine>,
    /// What the run was worth mechanically and otherwise, word for word.
    pub feedback: Option<Value>,
}

/// What a day cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DayCost {
    /// The day, in UTC.
    pub date: Date,
    /// The judgements of that day.
    pub judgements: u64,
    /// How many of them do not say what they cost.
    pub unpriced: u64,
    /// Tokens that the judges read.
    pub input_tokens: u64,
    /// Tokens that they wrote.
    pub output_tokens: u64,
    /// Dollars, of those that say so.
    pub dollars: f64,
}

/// An index of the judgement files, kept up with them at each look.
#[derive(Debug)]
pub struct JudgementIndex {
    paths: LearningPaths,
    /// For how long a look is good enough, unless a file came, went or was replaced.
    reuse: Duration,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    judgements: BTreeMap<Bead, Kept<Result<Line, String>>>,
    histories: BTreeMap<Bead, Kept<Result<Vec<Spending>, String>>>,
    runs: BTreeMap<Bead, Kept<Result<RunLine, String>>>,
    looked: Option<Looked>,
    /// How many looks there were. What was compared with its file in an earlier one is compared again.
    looks: u64,
}

/// A look at all files.
#[derive(Debug)]
struct Looked {
    at: Instant,
    /// When something was last put into each folder, or taken out of it.
    folders: [Option<SystemTime>; 3],
    problems: Problems,
}

/// When a judgement was made, and what it cost.
type Spending = (Option<Timestamp>, Option<Usage>);

/// What was read, and of which state of its file.
#[derive(Debug)]
struct Kept<T> {
    state: FileState,
    /// In which look it was last compared with its file.
    look: u64,
    read: T,
}

/// What tells a file from the one that takes its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileState {
    size: u64,
    modified: Option<SystemTime>,
    /// Its number on the disk. A file that is replaced within the same moment has another.
    number: u64,
}

impl FileState {
    fn of(path: &Path) -> Option<Self> {
        let meta = path.metadata().ok()?;
        #[cfg(unix)]
        let number = std::os::unix::fs::MetadataExt::ino(&meta);
        #[cfg(not(unix))]
        let number = 0;
        Some(Self { size: meta.len(), modified: meta.modified().ok(), number })
    }
}

#[derive(Debug)]
struct Line {
    row: JudgementRow,
    usage: Option<Usage>,
}

impl JudgementIndex {
    /// The judgements under these paths.
    pub fn new(paths: LearningPaths) -> Self {
        Self { paths, reuse: Duration::ZERO, known: Mutex::default() }
    }

    /// The same for whoever is asked often: files that were changed in their place are noticed after this time at the
    /// latest, those that came, went or were replaced at once.
    #[must_use]
    pub fn reusing(self, reuse: Duration) -> Self {
        Self { reuse, ..self }
    }

    /// Where the files are.
    pub fn paths(&self) -> &LearningPaths {
        &self.paths
    }

    /// A page, the newest first, and the place to go on from.
    pub fn page(&self, wanted: &Wanted) -> ReadResult<(Vec<JudgementRow>, Option<Cursor>)> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut problems = self.look(&mut known);
        let Known { judgements, runs, looks, .. } = &mut *known;
        let mut lines: Vec<&JudgementRow> = judgements
            .values()
            .filter_map(|kept| kept.read.as_ref().ok())
            .map(|line| &line.row)
            .filter(|row| wanted.verdict.is_none_or(|verdict| row.verdict == verdict))
            .filter(|row| wanted.after.as_ref().is_none_or(|after| after.precedes(row)))
            .collect();
        lines.sort_by(|one, two| two.judged_at.cmp(&one.judged_at).then_with(|| one.bead.cmp(&two.bead)));
        let mut page: Vec<JudgementRow> = Vec::new();
        let mut next = None;
        for row in lines {
            let run = self.run(runs, &row.bead, *looks, &mut problems);
            let run = run.or_else(|| row.run.clone());
            let of = |template: &String| run.as_ref().is_some_and(|run| run.template == *template);
            if !wanted.template.as_ref().is_none_or(of) {
                continue;
            }
            if page.len() >= wanted.limit {
                next = page.last().map(Cursor::of);
                break;
            }
            page.push(JudgementRow { run, ..row.clone() });
        }
        ReadResult { value: (page, next), problems }
    }

    /// Everything about one run: its judgements and its feedback.
    pub fn case(&self, bead: &Bead) -> ReadResult<RunCase> {
        let mut problems = Problems::default();
        let path = self.judgement_file(bead);
        let newest = record(&path, bead).unwrap_or_else(|problem| {
            problems.add(&path, problem);
            None
        });
        let path = self.history_file(bead);
        let mut said = match history(&path, bead) {
            Ok((said, 0)) => said,
            Ok((said, broken)) => {
                problems.add(
                    &path,
                    format!(
                        "has {} no judgement of this run",
                        jury_core::line::counted(broken, "line that is", "lines that are")
                    ),
                );
                said
            }
            Err(problem) => {
                problems.add(&path, problem);
                Vec::new()
            }
        };
        said.sort_by_key(|record| std::cmp::Reverse(record.judgement.judged_at));
        // The history has the newest too. Where the two disagree, the file that everybody reads is right.
        let newest = match newest {
            Some(newest) => {
                let own = said.iter().position(|record| record.judgement == newest.judgement);
                if let Some(own) = own {
                    said.remove(own);
                }
                Some(newest)
            }
            None if said.is_empty() => None,
            None => Some(said.remove(0)),
        };
        said.truncate(HISTORY);
        let (usage, coverage) =
            newest.as_ref().map_or((None, None), |newest| (newest.usage, newest.coverage));
        let (judgement, noted) = newest.map_or((None, None), |newest| (Some(newest.judgement), newest.run));
        let path = self.feedback_file(bead);
        let feedback = feedback(&path, bead).unwrap_or_else(|problem| {
            problems.add(&path, problem);
            None
        });
        let (run, feedback) = feedback.map_or((noted, None), |(run, value)| (Some(run), Some(value)));
        let history = said.into_iter().map(|record| record.judgement).collect();
        let case = RunCase { judgement, usage, coverage, history, run, feedback };
        ReadResult { value: case, problems }
    }

    /// What each day cost, the oldest first; days without a judgement are left out.
    pub fn days(&self) -> ReadResult<Vec<DayCost>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut problems = self.look(&mut known);
        self.look_back(&mut known, &mut problems);
        let mut days: BTreeMap<Date, DayCost> = BTreeMap::new();
        let mut all: Vec<Spending> = Vec::new();
        for (bead, kept) in &known.judgements {
            let said = known.histories.get(bead).and_then(|kept| kept.read.as_ref().ok());
            match (said, &kept.read) {
                (Some(said), _) if !said.is_empty() => all.extend(said),
                (_, Ok(line)) => all.push((line.row.judged_at, line.usage)),
                (_, Err(_)) => {}
            }
        }
        for (at, usage) in all {
            let Some(at) = at else { continue };
            let date = at.to_zoned(TimeZone::UTC).date();
            let empty =
                DayCost { date, judgements: 0, unpriced: 0, input_tokens: 0, output_tokens: 0, dollars: 0.0 };
            let day = days.entry(date).or_insert(empty);
            let usage = usage.unwrap_or_default();
            day.judgements += 1;
            day.unpriced += u64::from(usage.cost_usd.is_none());
            day.input_tokens = day.input_tokens.saturating_add(usage.input_tokens);
            day.output_tokens = day.output_tokens.saturating_add(usage.output_tokens);
            day.dollars += usage.cost_usd.unwrap_or(0.0);
        }
        let surplus = days.len().saturating_sub(DAYS);
        ReadResult { value: days.into_values().skip(surplus).collect(), problems }
    }

    fn judgement_file(&self, bead: &Bead) -> PathBuf {
        self.paths.judgements.join(format!("{bead}.json"))
    }

    fn history_file(&self, bead: &Bead) -> PathBuf {
        self.paths.judgements.join("history").join(format!("{bead}.ndjson"))
    }

    fn feedback_file(&self, bead: &Bead) -> PathBuf {
        self.paths.feedback.join(format!("{bead}.json"))
    }

    /// Looks at the files, unless that was done a moment ago.
    fn look(&self, known: &mut Known) -> Problems {
        let at = Instant::now();
        // Before the files: what comes meanwhile is noticed next time.
        let history = self.paths.judgements.join("history");
        let folders = [&self.paths.judgements, &history, &self.paths.feedback]
            .map(|folder| folder.metadata().and_then(|about| about.modified()).ok());
        if let Some(looked) = &known.looked
            && at.saturating_duration_since(looked.at) < self.reuse
            && looked.folders == folders
        {
            return looked.problems.clone();
        }
        known.looks += 1;
        let problems = self.look_at_all(known);
        // As of its end: a look can take longer than it is good for.
        known.looked = Some(Looked { at: Instant::now(), folders, problems: problems.clone() });
        problems
    }

    /// Reads what is new in the folder, and forgets what is gone.
    fn look_at_all(&self, known: &mut Known) -> Problems {
        let mut problems = Problems::default();
        let folder = &self.paths.judgements;
        let mut there = BTreeMap::new();
        match fs::read_dir(folder) {
            Ok(entries) => {
                for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
                    match bead_of(&path) {
                        Some(_) if there.len() >= MOST_JUDGEMENTS => {
                            problems.add(
                                folder,
                                format!("has more than {MOST_JUDGEMENTS} judgements; the rest is left out"),
                            );
                            break;
                        }
                        Some(Ok(bead)) => drop(there.insert(bead, path)),
                        Some(Err(problem)) => problems.add(&path, problem),
                        None => {}
                    }
                }
            }
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
            Err(error) => problems.add(folder, format!("cannot be read: {error}")),
        }
        known.judgements.retain(|bead, _| there.contains_key(bead));
        known.histories.retain(|bead, _| there.contains_key(bead));
        known.runs.retain(|bead, _| there.contains_key(bead));
        for (bead, path) in there {
            let kept = fresh(&mut known.judgements, &bead, &path, known.looks, || {
                record(&path, &bead).and_then(|read| read.map(line).ok_or_else(|| "went away".to_owned()))
            });
            if let Err(problem) = kept {
                problems.add(&path, problem);
            }
        }
        problems
    }

    /// Reads what is new in the histories of the runs that are known.
    fn look_back(&self, known: &mut Known, problems: &mut Problems) {
        for bead in known.judgements.keys() {
            if compared(&known.histories, bead, known.looks).is_some() {
                continue;
            }
            let path = self.history_file(bead);
            if !path.exists() {
                continue;
            }
            let kept = fresh(&mut known.histories, bead, &path, known.looks, || {
                let (said, _) = history(&path, bead)?;
                Ok(said.into_iter().map(|record| (record.judgement.judged_at, record.usage)).collect())
            });
            if let Err(problem) = kept {
                problems.add(&path, problem);
            }
        }
    }

    /// What the feedback of a run says.
    fn run(
        &self,
        runs: &mut BTreeMap<Bead, Kept<Result<RunLine, String>>>,
        bead: &Bead,
        look: u64,
        problems: &mut Problems,
    ) -> Option<RunLine> {
        if let Some(run) = compared(runs, bead, look) {
            return Some(run.clone());
        }
        let path = self.feedback_file(bead);
        if !path.exists() {
            return None;
        }
        let read = || feedback(&path, bead).and_then(|read| Ok(read.ok_or("went away")?.0));
        match fresh(runs, bead, &path, look, read) {
            Ok(run) => Some(run.clone()),
            Err(problem) => {
                problems.add(&path, problem);
                None
            }
        }
    }
}

/// What is known of a file that was compared in this look already, and could be read.
fn compared<'a, T>(
    all: &'a BTreeMap<Bead, Kept<Result<T, String>>>,
    bead: &Bead,
    look: u64,
) -> Option<&'a T> {
    all.get(bead).filter(|kept| kept.look == look).and_then(|kept| kept.read.as_ref().ok())
}

/// What is known of a file, read anew if the file is another.
fn fresh<'a, T>(
    all: &'a mut BTreeMap<Bead, Kept<Result<T, String>>>,
    bead: &Bead,
    path: &Path,
    look: u64,
    read: impl FnOnce() -> Result<T, String>,
) -> Result<&'a T, String> {
    let Some(state) = FileState::of(path) else {
        all.remove(bead);
        return Err("went away".to_owned());
    };
    match all.get_mut(bead) {
        Some(kept) if kept.state == state => kept.look = look,
        _ => drop(all.insert(bead.clone(), Kept { state, look, read: read() })),
    }
    match all.get(bead).map(|kept| &kept.read) {
        Some(Ok(read)) => Ok(read),
        Some(Err(problem)) => Err(problem.clone()),
        None => Err("went away".to_owned()),
    }
}

/// The run that a file is about, if it is one of those that are about a run.
fn bead_of(path: &Path) -> Option<Result<Bead, String>> {
    let stem = path.file_stem()?.to_string_lossy();
    let ours = path.extension() == Some(OsStr::new("json")) && !stem.starts_with('.');
    ours.then(|| stem.parse::<Bead>().map_err(|_| "its name cannot be the bead of a run".to_owned()))
}

fn line(record: Record) -> Line {
    let Record { mut judgement, usage, run, .. } = record;
    let count = |severity| judgement.issues.iter().filter(|issue| issue.severity == severity).count() as u64;
    let (majors, minors) = (count(Severity::Serious), count(Severity::Minor));
    judgement.issues.sort_by_key(|issue| std::cmp::Reverse(issue.severity));
    judgement.issues.truncate(ISSUES);
    for issue in &mut judgement.issues {
        issue.description = bounded(&issue.description, 400);
        if let Some(evidence) = &mut issue.evidence {
            evidence.file = evidence.file.as_deref().map(|file| bounded(file, 300));
            evidence.quote = None;
        }
    }
    let row = JudgementRow {
        bead: judgement.bead,
        verdict: judgement.verdict,
        score: judgement.score,
        confidence: judgement.confidence,
        judged_at: judgement.judged_at,
        judge: judgement.judge.map(|judge| bounded(&judge.model, 200)).unwrap_or_default(),
        majors,
        minors,
        issues: judgement.issues,
        seats: judgement.panel.map(|panel| panel.seats.len() as u64),
        run,
    };
    Line { row, usage }
}
