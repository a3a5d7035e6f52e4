//! Runs that were judged so low that they should be dispatched again: `.redispatch.json` in the folder of judgements, under
//! its lock. It is a note to whoever dispatches, and nothing here acts on it.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jury_core::judge::{Bead, JudgeVerdict, Redispatch};
use jury_store::StoreError;
use jury_store::file;
use serde::{Deserialize, Serialize};

use super::judgement::{JudgementsRead, KeptJudgement, keep, locked};
use super::quarantine::quarantine;

/// The most entries that are kept: the newest.
const MOST_ENTRIES: usize = 10_000;

/// The file of runs to be done again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Queue {
    schema_version: String,
    entries: Vec<Again>,
}

/// One run that should be dispatched again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Again {
    /// The run to be done again.
    pub bead: Bead,
    /// What was said of it.
    pub verdict: JudgeVerdict,
    /// The score that it had.
    pub score: f64,
    /// In a few words.
    pub reason: String,
    /// The template it was made from.
    pub template: String,
    /// The run of jury in which it was judged.
    pub run: String,
    /// When it was put into the queue.
    pub queued_at: Timestamp,
}

/// Keeps a judgement, and what follows from it: with a note its run is put into the queue as of this moment, without one
/// it is taken out.
pub fn keep_judgement(
    folder: &Path,
    kept: &KeptJudgement,
    note: Option<&Redispatch>,
    at: Timestamp,
) -> Result<(), StoreError> {
    keep(folder, kept)?;
    let Some(note) = note else { return remove(folder, &kept.judgement.bead) };
    let again = Again {
        bead: note.bead.clone(),
        verdict: kept.judgement.verdict,
        score: kept.judgement.score,
        reason: note.reason.clone(),
        template: kept.template.clone(),
        run: kept.run.clone().unwrap_or_default(),
        queued_at: at,
    };
    push(folder, again).map(drop)
}

/// Puts a run into the queue, in place of what the queue had of it.
fn push(folder: &Path, again: Again) -> Result<Vec<String>, StoreError> {
    let _lock = locked(folder)?;
    let JudgementsRead { value: mut entries, warnings } = read(folder)?;
    entries.retain(|entry| entry.bead != again.bead);
    entries.push(again);
    let surplus = entries.len().saturating_sub(MOST_ENTRIES);
    entries.drain(..surplus);
    write(folder, entries)?;
    Ok(warnings)
}

/// Takes a run out of the queue: it was judged again, and better.
fn remove(folder: &Path, bead: &Bead) -> Result<(), StoreError> {
    if !place(folder).exists() {
        return Ok(());
    }
    let _lock = locked(folder)?;
    let mut entries = read(folder)?.value;
    let before = entries.len();
    entries.retain(|entry| entry.bead != *bead);
    if entries.len() == before { Ok(()) } else { write(folder, entries) }
}

/// What is in the queue, the oldest first.
pub fn list(folder: &Path) -> Result<JudgementsRead<Vec<Again>>, StoreError> {
    if !place(folder).exists() {
        return Ok(JudgementsRead { value: Vec::new(), warnings: Vec::new() });
    }
    let _lock = locked(folder)?;
    read(folder)
}

fn place(folder: &Path) -> PathBuf {
    folder.join(".redispatch.json")
}

fn read(folder: &Path) -> Result<JudgementsRead<Vec<Again>>, StoreError> {
    let place = place(folder);
    let Some(body) = file::read_whole(&place)? else {
        return Ok(JudgementsRead { value: Vec::new(), warnings: Vec::new() });
    };
    match serde_json::from_slice::<Queue>(&body) {
        Ok(queue) => Ok(JudgementsRead { value: queue.entries, warnings: Vec::new() }),
        Err(error) => {
            let warning = quarantine(folder, &place, &error.to_string())?;
            Ok(JudgementsRead { value: Vec::new(), warnings: vec![warning] })
        }
    }
}

fn write(folder: &Path, entries: Vec<Again>) -> Result<(), StoreError> {
    let queue = Queue { schema_version: "1.0.0".to_owned(), entries };
    let mut body = serde_json::to_vec_pretty(&queue).map_err(|error| StoreError::Corrupt {
        path: place(folder),
        what: format!("it cannot be written: {error}"),
    })?;
    body.push(b'\n');
    file::write_whole(&place(folder), &body)
}
