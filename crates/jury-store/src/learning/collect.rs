//! Collecting: a run record becomes a feedback record, once, however often and by however many at a time.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jury_core::judge::{
    Dimension, Feedback, FeedbackLine, Judged, Judgement, LARGEST_RECORD, OpusJudgement, Reading,
    RecordError, RunRecord, moment,
};

use super::aside::set_aside;
use super::error::LearningError;
use super::folder::{Content, Lasting, Locked, folder_of, lock, read};
use super::journal::{Step, recover, steps};
use super::judgement;
use super::places::Places;
use super::records::{Found, LARGEST_FEEDBACK, place_of, understand};
use super::registry::{Made, pretty, rebuilt, registry_or_rebuilt, take_in, text};

/// Where a run record, or a folder of them, is: as it is called, else in the workspace. None if it is nowhere.
pub fn find_record(places: &Places, name: &Path) -> Option<PathBuf> {
    [name.to_owned(), places.workspace.join(name)].into_iter().find(|place| place.exists())
}

/// Reads a run record. Nothing in it is believed, and no more of it is read than a record can have.
pub fn read_record(place: &Path) -> Result<Reading, LearningError> {
    read_with(place, RunRecord::read)
}

/// Reads a run record that may have no name: it is then called `unknown`, and cannot be collected under it.
pub fn read_record_of_anybody(place: &Path) -> Result<Reading, LearningError> {
    read_with(place, |bytes| match RunRecord::read(bytes) {
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
    understood: impl FnOnce(&[u8]) -> Result<Reading, RecordError>,
) -> Result<Reading, LearningError> {
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
pub(super) fn enter(places: &Places, warnings: &mut Vec<String>) -> Result<Locked, LearningError> {
    let registry = folder_of(&places.registry);
    // Who only looks after patterns needs no feedback folder.
    if !places.feedback.exists() {
        return lock(&[&registry]);
    }
    let locked = lock(&[&places.feedback, &registry])?;
    recover(places, warnings)?;
    Ok(locked)
}

/// Collects a run. `judged` is what a judge said just now; what was said before is kept.
pub fn collect(
    places: &Places,
    run: &RunRecord,
    judged: &Judged<'_>,
    now: Timestamp,
) -> Result<Collected, LearningError> {
    std::fs::create_dir_all(&places.feedback).map_err(super::error::trouble(&places.feedback))?;
    let place = place_of(places, &run.bead)?;
    let mut warnings = Vec::new();
    let _lock = enter(places, &mut warnings)?;
    let (feedback, steps) = prepare(places, run, judged, now, &place, &mut warnings)?;
    for step in &steps {
        step.take()?;
    }
    Ok(Collected { feedback, warnings })
}

/// Everything up to the first write, except for putting aside what cannot be read.
pub(super) fn prepare(
    places: &Places,
    run: &RunRecord,
    judged: &Judged<'_>,
    now: Timestamp,
    place: &Path,
    warnings: &mut Vec<String>,
) -> Result<(Feedback, Vec<Step>), LearningError> {
    let (old_bytes, before, lost) = earlier(run, place, warnings)?;
    let stored = stored(places, run, now, warnings);
    let fresh = !matches!(judged, Judged::Not);
    let judged = if fresh { judged.clone() } else { newer(stored.as_ref(), before.as_ref()) };
    let feedback = Feedback::collect(run, &judged, before.as_ref(), now);
    let line = FeedbackLine::from(&feedback);
    let (mut registry, made) = registry_or_rebuilt(places, Some(&line), warnings)?;
    let changed = match made {
        Made::Now => true,
        // What the lost record had counted is not known, so that all are counted again.
        Made::Before if lost => {
            registry = rebuilt(places, &registry, Some(&line), warnings)?;
            warnings.push(format!("{} was made again from the feedback records", places.registry.display()));
            true
        }
        Made::Before => take_in(places, &mut registry, &run.bead, before.as_ref(), &line, warnings)?,
    };
    let bytes = pretty(&feedback)?;
    // What a judge said cannot be had again for nothing.
    let lasting = if fresh { Lasting::Yes } else { Lasting::No };
    let steps = if changed {
        steps(places, &run.bead, bytes, text(&registry)?, lasting)?
    } else if old_bytes.as_ref() == Some(&bytes) {
        Vec::new()
    } else {
        vec![Step::Put(place.to_owned(), bytes, lasting)]
    };
    Ok((feedback, steps))
}

/// The feedback that was there, as bytes and as read; and whether there was one that is lost.
fn earlier(
    run: &RunRecord,
    place: &Path,
    warnings: &mut Vec<String>,
) -> Result<(Option<Vec<u8>>, Option<FeedbackLine>, bool), LearningError> {
    let (bytes, why) = match read(place, LARGEST_FEEDBACK)? {
        // Somebody else may have put it aside; the registry still counts it then.
        Content::Missing => {
            let aside = place.file_name().map(|name| folder_of(place).join("quarantine").join(name));
            return Ok((None, None, aside.is_some_and(|aside| aside.exists())));
        }
        Content::TooLarge => (Vec::new(), format!("more than {LARGEST_FEEDBACK} bytes")),
        Content::Bytes(bytes) => match understand(&bytes) {
            Found::Line(line) if line.bead == run.bead.as_str() => {
                return Ok((Some(bytes), Some(*line), false));
            }
            Found::Line(_) => (bytes, "it is about another run".to_owned()),
            Found::Other => (bytes, "no bead in it".to_owned()),
            Found::Broken(why) => (bytes, why),
        },
    };
    drop(bytes);
    warnings.push(set_aside(&folder_of(place), place, &why)?);
    Ok((None, None, true))
}

/// A judgement that has its own file.
enum Stored {
    Native(Box<Judgement>),
    Opus(Box<OpusJudgement>),
}

/// The newest valid judgement of `judgments/`, in either shape. Trouble with it is said and stops nothing.
fn stored(places: &Places, run: &RunRecord, now: Timestamp, warnings: &mut Vec<String>) -> Option<Stored> {
    let place = places.judgements.join(format!("{}.json", run.bead));
    if let Ok(Content::Bytes(bytes)) = read(&place, LARGEST_FEEDBACK) {
        let native = serde_json::from_slice(&bytes).ok().and_then(|judgement| believed(judgement, run));
        if let Some(judgement) = native {
            return Some(Stored::Native(Box::new(judgement)));
        }
        if let Ok(opus) = OpusJudgement::read(&bytes, &run.bead, now) {
            return Some(Stored::Opus(Box::new(opus)));
        }
    }
    match judgement::newest(&places.judgements, &run.bead) {
        Ok(found) => {
            warnings.extend(found.warnings);
            let kept = found.value?.judgement;
            let judgement = believed(kept, run);
            if judgement.is_none() {
                warnings.push(format!("{}: a mark is not between 0 and 1, left out", place.display()));
            }
            judgement.map(|judgement| Stored::Native(Box::new(judgement)))
        }
        Err(error) => {
            warnings.push(format!("{error}; the judgement is left out"));
            None
        }
    }
}

/// The judgement as its marks make it: nothing else that it says of itself is believed.
fn believed(mut judgement: Judgement, run: &RunRecord) -> Option<Judgement> {
    let marks = judgement.dimensions;
    let fits = Dimension::ALL.iter().all(|one| (0.0..=1.0).contains(&marks.of(*one)));
    if !fits || judgement.bead != run.bead {
        return None;
    }
    (judgement.score, judgement.verdict) = (marks.score(), marks.verdict());
    Some(judgement)
}

/// The stored judgement, unless the feedback has one that is newer.
fn newer<'a>(stored: Option<&'a Stored>, before: Option<&FeedbackLine>) -> Judged<'a> {
    let (judged, at) = match stored {
        None => return Judged::Not,
        Some(Stored::Native(judgement)) => (Judged::Native(judgement), judgement.judged_at),
        Some(Stored::Opus(opus)) => (Judged::Opus(opus), moment(&opus.judged_at)),
    };
    let kept = before.and_then(|before| before.opus_judge.as_ref());
    match (kept.and_then(|kept| moment(&kept.judged_at)), at) {
        (Some(kept), Some(at)) if kept > at => Judged::Not,
        _ => judged,
    }
}
