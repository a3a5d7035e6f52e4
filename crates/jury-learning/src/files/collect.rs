//! Collecting: a run record becomes a feedback record, once, however often and by however many at a time.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jury_core::judge::{
    Bead, Judgement, LARGEST_RECORD, OpusJudgement, RecordError, RecordReading, RunRecord, moment,
};

use super::error::{LearningError, trouble};
use super::folder::{Content, FolderLock, Lasting, folder_of, lock, read};
use super::journal::{Step, recover, steps};
use super::judgement;
use super::paths::LearningPaths;
use super::quarantine::quarantine;
use super::records::{Found, LARGEST_FEEDBACK, place_of, understand};
use super::recount::{is_due, recount_due, settled};
use super::registry::{
    Made, Pending, made_again, pretty, rebuilt, registry_or_rebuilt, sightings, take_in, text,
};
use crate::{Feedback, FeedbackLine, JudgingResult, PatternRegistry, RecordPart};

/// Where a run record, or a folder of them, is: as it is called, else in the workspace. None if it is nowhere.
pub fn find_record(paths: &LearningPaths, name: &Path) -> Option<PathBuf> {
    [name.to_owned(), paths.workspace.join(name)].into_iter().find(|place| place.exists())
}

/// Reads a run record. Nothing in it is believed, and no more of it is read than a record can have.
pub fn read_record(path: &Path) -> Result<RecordReading, LearningError> {
    read_with(path, RunRecord::read_last)
}

/// Reads a run record that may have no name: it is then called `unknown`, and cannot be collected under it.
pub fn read_record_of_anybody(path: &Path) -> Result<RecordReading, LearningError> {
    read_with(path, |bytes| match RunRecord::read_last(bytes) {
        Err(RecordError::NoBead) => {
            let mut value: serde_json::Value =
                serde_json::from_slice(bytes).map_err(|error| RecordError::NotJson(error.to_string()))?;
            if let Some(record) = value.as_object_mut() {
                record.insert("bead".to_owned(), "unknown".into());
            }
            RunRecord::of(&value)
        }
        result => result,
    })
}

fn read_with(
    place: &Path,
    understood: impl FnOnce(&[u8]) -> Result<RecordReading, RecordError>,
) -> Result<RecordReading, LearningError> {
    let wrong = |error| LearningError::Record { path: place.to_owned(), error };
    match read(place, LARGEST_RECORD)? {
        Content::Missing => Err(LearningError::NoRecord(place.to_owned())),
        Content::Bytes(bytes) => understood(&bytes).map_err(wrong),
        Content::TooLarge => {
            let size = place.metadata().map_or(0, |about| about.len());
            Err(wrong(RecordError::Oversize(usize::try_from(size).unwrap_or(usize::MAX))))
        }
    }
}

/// What came of collecting a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Collected {
    /// The feedback, as it is in its file now.
    pub feedback: Feedback,
    /// What was found broken, and what was done about it.
    pub warnings: Vec<String>,
}

/// Takes the locks and ends what somebody who died had under way.
pub(super) fn enter(paths: &LearningPaths, warnings: &mut Vec<String>) -> Result<FolderLock, LearningError> {
    let registry = folder_of(&paths.registry);
    // Who only looks after patterns needs no feedback folder.
    if !paths.feedback.exists() {
        return lock(&[&registry]);
    }
    let locked = lock(&[&paths.feedback, &registry])?;
    recover(paths, warnings)?;
    Ok(locked)
}

/// Collects a run. `judged` is what a judge said just now; what was said before is kept.
pub fn collect(
    paths: &LearningPaths,
    run: &RunRecord,
    judged: &JudgingResult<'_>,
    now: Timestamp,
) -> Result<Collected, LearningError> {
    let (mut results, warnings) = collect_many(paths, &[(run, judged.clone())], now)?;
    let feedback = results.pop().unwrap_or_else(|| Err(LearningError::Reserved(run.bead.clone())))?;
    Ok(Collected { feedback, warnings })
}

/// Collects several runs in one go: the registry is written once for all of them. An error in the list is about its run
/// alone; any other means that nothing can be written, and the next collector ends what was begun.
#[expect(clippy::type_complexity, reason = "a result for each, and warnings for all")]
pub fn collect_many(
    paths: &LearningPaths,
    runs: &[(&RunRecord, JudgingResult<'_>)],
    now: Timestamp,
) -> Result<(Vec<Result<Feedback, LearningError>>, Vec<String>), LearningError> {
    std::fs::create_dir_all(&paths.feedback).map_err(trouble(&paths.feedback))?;
    let mut warnings = Vec::new();
    let _lock = enter(paths, &mut warnings)?;
    let mut batch = Batch::begin(paths, warnings)?;
    let mut results = Vec::with_capacity(runs.len());
    for (run, judged) in runs {
        results.push(batch.add(run, judged, now));
        if batch.bytes > LARGEST_BATCH {
            batch.commit()?;
        }
    }
    batch.commit()?;
    Ok((results, batch.warnings))
}

/// How much is written in one go, in bytes; one record more may be in it.
const LARGEST_BATCH: usize = 1 << 20;

/// Records that are about to be written, and the registry that they make.
pub(super) struct Batch<'a> {
    paths: &'a LearningPaths,
    registry: PatternRegistry,
    /// The registry is not the one in the file.
    changed: bool,
    /// Patterns whose entries can only be had from all records, which are read once for all of them.
    unsure: BTreeSet<String>,
    pending: Pending,
    files: BTreeMap<Bead, (Vec<u8>, Lasting)>,
    bytes: usize,
    pub(super) warnings: Vec<String>,
}

impl<'a> Batch<'a> {
    /// The caller holds the lock.
    pub(super) fn begin(paths: &'a LearningPaths, mut warnings: Vec<String>) -> Result<Self, LearningError> {
        let (registry, made) = registry_or_rebuilt(paths, &mut warnings)?;
        let changed = made == Made::Now;
        let (pending, files) = (Pending::new(), BTreeMap::new());
        let unsure = BTreeSet::new();
        Ok(Self { paths, registry, changed, unsure, pending, files, bytes: 0, warnings })
    }

    /// Takes a run in. Nothing is written yet, except that what cannot be read is put aside.
    pub(super) fn add(
        &mut self,
        run: &RunRecord,
        judged: &JudgingResult<'_>,
        now: Timestamp,
    ) -> Result<Feedback, LearningError> {
        let place = place_of(self.paths, &run.bead)?;
        let (old_bytes, before) = match self.pending.get(run.bead.as_str()) {
            Some(line) => (None, Some(line.clone())),
            None => self.earlier(run, &place)?,
        };
        let stored = stored(self.paths, run, now, &mut self.warnings);
        let fresh = !matches!(judged, JudgingResult::Not);
        let judged = if fresh { judged.clone() } else { newer(stored.as_ref(), before.as_ref()) };
        let feedback = Feedback::collect(run, &judged, before.as_ref(), now);
        let line = FeedbackLine::from(&feedback);
        let bytes = pretty(&feedback)?;
        self.pending.insert(line.bead.clone(), line.clone());
        if old_bytes.as_ref() != Some(&bytes) {
            self.bytes += bytes.len();
            // What a judge said cannot be had again for nothing.
            let lasting = if fresh { Lasting::Yes } else { Lasting::No };
            self.files.insert(run.bead.clone(), (bytes, lasting));
        }
        let news = (&run.bead, before.as_ref(), &line);
        self.changed |= take_in(&mut self.registry, news, &mut self.unsure);
        Ok(feedback)
    }

    /// The writes that are left, in their order.
    pub(super) fn steps(&mut self) -> Result<Vec<Step>, LearningError> {
        let Self { paths, registry, pending, warnings, .. } = self;
        let unsure = std::mem::take(&mut self.unsure);
        if !unsure.is_empty() {
            let old = registry.clone();
            registry.settle(&unsure, &sightings(paths, pending, warnings)?);
            self.changed |= *registry != old;
        }
        // A record was put aside, by us or by somebody else: what it had counted is not known, so that all others are
        // counted again.
        let due = is_due(paths);
        if due {
            *registry = rebuilt(paths, registry, pending, warnings)?;
            let line = made_again(paths);
            if !warnings.contains(&line) {
                warnings.push(line);
            }
        }
        let files = std::mem::take(&mut self.files);
        self.pending.clear();
        self.bytes = 0;
        if std::mem::take(&mut self.changed) || due {
            let mut steps = steps(self.paths, files, text(&self.registry)?)?;
            if due {
                steps.extend(settled(self.paths));
            }
            return Ok(steps);
        }
        let put = |(bead, (bytes, lasting))| Ok(Step::Put(place_of(self.paths, &bead)?, bytes, lasting));
        files.into_iter().map(put).collect()
    }

    fn commit(&mut self) -> Result<(), LearningError> {
        self.steps()?.iter().try_for_each(Step::take)
    }

    /// The feedback that was there, as bytes and as read. One that cannot be read is put aside.
    fn earlier(
        &mut self,
        run: &RunRecord,
        place: &Path,
    ) -> Result<(Option<Vec<u8>>, Option<FeedbackLine>), LearningError> {
        let why = match read(place, LARGEST_FEEDBACK)? {
            Content::Missing => return Ok((None, None)),
            Content::TooLarge => format!("more than {LARGEST_FEEDBACK} bytes"),
            Content::Bytes(bytes) => match understand(&bytes) {
                Found::Line(line) if line.bead == run.bead.as_str() => return Ok((Some(bytes), Some(*line))),
                Found::Line(_) => "it is about another run".to_owned(),
                Found::Other => "no bead in it".to_owned(),
                Found::Broken(why) => why,
            },
        };
        recount_due(self.paths)?;
        self.warnings.push(quarantine(&folder_of(place), place, &why)?);
        Ok((None, None))
    }
}

/// A judgement that has its own file.
enum Stored {
    Native(Box<Judgement>),
    Opus(Box<OpusJudgement>),
}

/// The newest valid judgement of `judgments/`, in either shape. Trouble with it is said and stops nothing.
fn stored(
    paths: &LearningPaths,
    run: &RunRecord,
    now: Timestamp,
    warnings: &mut Vec<String>,
) -> Option<Stored> {
    let path = paths.judgements.join(format!("{}.json", run.bead));
    if let Ok(Content::Bytes(bytes)) = read(&path, LARGEST_FEEDBACK) {
        let native = serde_json::from_slice(&bytes).ok().and_then(|judgement| believed(judgement, run));
        if let Some(judgement) = native {
            return Some(Stored::Native(Box::new(judgement)));
        }
        if let Ok(opus) = OpusJudgement::read(&bytes, &run.bead, now) {
            return Some(Stored::Opus(Box::new(opus)));
        }
    }
    match judgement::newest(&paths.judgements, &run.bead) {
        Ok(found) => {
            warnings.extend(found.warnings);
            let kept = found.value?.judgement;
            let judgement = believed(kept, run);
            if judgement.is_none() {
                warnings.push(format!("{}: a mark is not between 0 and 1, left out", path.display()));
            }
            judgement.map(|judgement| Stored::Native(Box::new(judgement)))
        }
        Err(error) => {
            warnings.push(format!("{error}; the judgement is left out"));
            None
        }
    }
}

/// The judgement as it counts, if it is one of this run.
fn believed(judgement: Judgement, run: &RunRecord) -> Option<Judgement> {
    if judgement.bead == run.bead { judgement.counted() } else { None }
}

/// The stored judgement, unless the feedback has one that is newer.
fn newer<'a>(stored: Option<&'a Stored>, before: Option<&FeedbackLine>) -> JudgingResult<'a> {
    let (judged, at) = match stored {
        None => return JudgingResult::Not,
        Some(Stored::Native(judgement)) => (JudgingResult::Native(judgement), judgement.judged_at),
        Some(Stored::Opus(opus)) => (JudgingResult::Opus(opus), moment(&opus.judged_at)),
    };
    let kept = before.and_then(|before| before.opus_judge.as_ref());
    // What a script said in the older shape alone is kept in ours as well. It is not news.
    let same = before.is_some_and(|before| before.judgment.is_none());
    match (kept.and_then(RecordPart::judged_at), at) {
        (Some(kept), Some(at)) if kept > at || (same && kept == at) => JudgingResult::Not,
        _ => judged,
    }
}
