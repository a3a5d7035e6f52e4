//! Scores of all feedback, kept up with what is new.
//!
//! Records are dealt to shards by their names. Of each shard the index keeps the tallies of its records, how many there
//! are, a sum over the names, sizes, times and inodes of their files, and the time at which the newest of them changed. A
//! later scoring looks at all files and opens few: if the files of a shard that are not newer than that time still make
//! the same sum, none of them has changed or gone, and only the newer ones are read. Otherwise the shard is read again, whole.
//! Tallies are sums of whole numbers, so that it does not matter in which order they were made.
//!
//! A file that changed within the last moments could change once more without a trace in its times. It is counted, and not
//! put into the index.
//!
//! What is held depends on the number of templates, agents and patterns, and not on the number of records.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata};
use std::io::Write as _;
use std::num::NonZero;
use std::os::unix::fs::MetadataExt as _;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use jiff::Timestamp;
use jury_store::StoreError;
use jury_store::file::{io_error, read_whole};
use serde::{Deserialize, Serialize};

use super::document::{damaged, lock_scores, save_made};
use super::paths::LearningPaths;
use super::scan::{Folder, Found, LeftOuts, Reader, changed};
use crate::{Book, TemplateScores, scores};

/// How many parts the records are dealt to: as much is read again when a record was changed or removed.
const SHARDS: usize = 256;
/// How many new files are remembered from the first look; with more there is a second.
const MOST_REMEMBERED: usize = 4096;
/// How many threads read at most: the disk has no use for more.
const MOST_READERS: usize = 8;
/// How many names are dealt at once.
const BATCH: usize = 64;
/// The shape of the index and the rules of the tallies in it. Another number makes everything be read again.
const FORMAT: u32 = 1;
/// Long enough for the coarsest clocks of file systems.
const SETTLED: Duration = Duration::from_secs(2);

/// How records are read for scoring.
#[derive(Debug, Clone)]
pub struct Scoring {
    /// Read every record again, whatever the index says.
    pub full: bool,
    /// How long a file must have been as it is before the index trusts it.
    pub settled: Duration,
}

impl Default for Scoring {
    fn default() -> Self {
        Self { full: false, settled: SETTLED }
    }
}

/// What came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoringResult {
    /// What `template-scores.json` says now.
    pub templates: TemplateScores,
    /// What it said before, if it could be read.
    pub before: Option<TemplateScores>,
    /// All records that were read.
    pub records: u64,
    /// How many files were opened for it.
    pub opened: u64,
    /// Files that are no feedback.
    pub left_out: LeftOuts,
}

/// The sum over the files of a shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Print {
    files: u64,
    sum: [u64; 2],
}

impl Print {
    fn merge(&mut self, other: Self) {
        self.files += other.files;
        for (sum, theirs) in self.sum.iter_mut().zip(other.sum) {
            *sum = sum.wrapping_add(theirs);
        }
    }

    fn add(&mut self, name: &OsStr, metadata: &Metadata) {
        self.files += 1;
        for (sum, seed) in self.sum.iter_mut().zip([0x243F_6A88_85A3_08D3, 0x1319_8A2E_0370_7344]) {
            let mut hash = hash(seed, name.as_encoded_bytes());
            let times = [
                metadata.len(),
                metadata.ino(),
                metadata.mtime().cast_unsigned(),
                metadata.mtime_nsec().cast_unsigned(),
                changed(metadata).cast_unsigned(),
            ];
            for word in times {
                hash = mixed(hash ^ word);
            }
            *sum = sum.wrapping_add(hash);
        }
    }
}

fn hash(seed: u64, bytes: &[u8]) -> u64 {
    let mut hash = mixed(seed ^ bytes.len() as u64);
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word.iter_mut().zip(chunk).for_each(|(place, byte)| *place = *byte);
        hash = mixed(hash ^ u64::from_le_bytes(word));
    }
    hash
}

/// The last step of `SplitMix64`: every bit of the input moves every bit of the output.
fn mixed(word: u64) -> u64 {
    let word = word.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}

fn shard_of(name: &OsStr) -> usize {
    usize::try_from(hash(0, name.as_encoded_bytes()) % SHARDS as u64).unwrap_or(0)
}

/// What is known of one shard.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Shard {
    print: Print,
    /// When the newest of its files changed.
    until: i64,
    book: Book,
}

#[derive(Debug, Serialize, Deserialize)]
struct Index {
    format: u32,
    program: String,
    /// The folder that it describes.
    folder: String,
    shards: Vec<Shard>,
}

impl Index {
    fn empty(folder: &Path) -> Self {
        Self {
            format: FORMAT,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            folder: fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned()).display().to_string(),
            shards: vec![Shard::default(); SHARDS],
        }
    }

    /// The one in the file, if it is about the same folder and was made by the same rules.
    fn load(path: &Path, folder: &Path) -> Result<Self, StoreError> {
        let empty = Self::empty(folder);
        let known = read_whole(path)?.and_then(|bytes| serde_json::from_slice::<Self>(&bytes).ok());
        Ok(known
            .filter(|known| {
                let same = |index: &Self| (index.format, index.program.clone(), index.folder.clone());
                same(known) == same(&empty) && known.shards.len() == SHARDS
            })
            .unwrap_or(empty))
    }
}

/// Scores all feedback and writes both files of scores, whole, while nobody else does.
pub fn score(paths: &LearningPaths, now: Timestamp, how: &Scoring) -> Result<ScoringResult, StoreError> {
    let lock = lock_scores(paths)?;
    let index_file = paths.scores.join(".score-index.json");
    let index =
        if how.full { Index::empty(&paths.feedback) } else { Index::load(&index_file, &paths.feedback)? };
    let folder = Folder::new(paths);
    let settled = i64::try_from(how.settled.as_nanos()).unwrap_or(i64::MAX);
    let trusted = clock(lock.file(), &paths.scores)?.saturating_sub(settled);
    let mut work = Work::new(index.shards, trusted);
    work.bring_up_to_date(&folder)?;
    let mut book = work.fresh;
    for shard in &work.shards {
        book.merge(&shard.book);
    }
    let index = Index { shards: work.shards, ..index };
    let (templates, agents) = scores(&book, now);
    let template_file = paths.scores.join("template-scores.json");
    let before = read_whole(&template_file)?.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let agent_file = paths.scores.join("agent-scores.json");
    save_made(
        &template_file,
        serde_json::to_vec_pretty(&templates).map_err(|e| damaged(&template_file, &e))?,
    )?;
    save_made(&agent_file, serde_json::to_vec_pretty(&agents).map_err(|e| damaged(&agent_file, &e))?)?;
    save_made(&index_file, serde_json::to_vec(&index).map_err(|e| damaged(&index_file, &e))?)?;
    Ok(ScoringResult {
        records: book.templates.values().map(|tally| tally.counts.total).sum(),
        templates,
        before,
        opened: work.opened,
        left_out: work.reader.left_out,
    })
}

/// What time it is by the clock that stamps files.
fn clock(mut file: &File, path: &Path) -> Result<i64, StoreError> {
    file.set_len(0).and_then(|()| file.write_all(b"\n")).map_err(io_error(path))?;
    file.metadata().map(|metadata| changed(&metadata)).map_err(io_error(path))
}

/// What one reader has read, and at last all of them.
struct Work {
    shards: Vec<Shard>,
    /// The records that the index does not keep yet.
    fresh: Book,
    reader: Reader,
    opened: u64,
    /// Files that changed before this are as they will stay, or will show that they changed.
    trusted: i64,
}

impl Work {
    fn new(shards: Vec<Shard>, trusted: i64) -> Self {
        Self { shards, fresh: Book::default(), reader: Reader::default(), opened: 0, trusted }
    }

    fn bring_up_to_date(&mut self, folder: &Folder) -> Result<(), StoreError> {
        if self.shards.iter().all(|shard| shard.print.files == 0) {
            return self.read_all(folder, |_, _| true);
        }
        let mut seen = vec![Print::default(); SHARDS];
        let mut newer: Vec<OsString> = Vec::new();
        let mut too_many = false;
        for entry in folder.entries()? {
            let entry = entry?;
            // It may have gone since it was listed.
            let Ok(metadata) = entry.metadata() else { continue };
            let name = entry.file_name();
            let shard = shard_of(&name);
            if changed(&metadata) <= self.shards[shard].until {
                seen[shard].add(&name, &metadata);
            } else if newer.len() < MOST_REMEMBERED {
                newer.push(name);
            } else {
                too_many = true;
            }
        }
        let stale: Vec<bool> =
            self.shards.iter().zip(&seen).map(|(shard, seen)| shard.print != *seen).collect();
        let until: Vec<i64> = self.shards.iter().map(|shard| shard.until).collect();
        for (shard, _) in self.shards.iter_mut().zip(&stale).filter(|(_, stale)| **stale) {
            *shard = Shard::default();
        }
        if too_many {
            return self.read_all(folder, |entry, shard| {
                stale[shard] || entry.metadata().is_ok_and(|metadata| changed(&metadata) > until[shard])
            });
        }
        if stale.contains(&true) {
            self.read_all(folder, |_, shard| stale[shard])?;
        }
        for name in newer.iter().filter(|name| !stale[shard_of(name)]) {
            self.take(folder, name)?;
        }
        Ok(())
    }

    /// Reads every file that is wanted, on all cores.
    fn read_all(
        &mut self,
        folder: &Folder,
        wanted: impl Fn(&fs::DirEntry, usize) -> bool,
    ) -> Result<(), StoreError> {
        let readers = thread::available_parallelism().map_or(1, NonZero::get).min(MOST_READERS);
        let (send, receive) = sync_channel::<Vec<OsString>>(2 * readers);
        let receive = Mutex::new(receive);
        let trusted = self.trusted;
        let (listed, parts) = thread::scope(|scope| {
            let started: Vec<_> =
                (0..readers).map(|_| scope.spawn(|| Self::read_batches(folder, trusted, &receive))).collect();
            let listed = deal(folder, wanted, &send);
            drop(send);
            let parts: Vec<_> = started
                .into_iter()
                .map(|reader| reader.join().unwrap_or_else(|panic| resume_unwind(panic)))
                .collect();
            (listed, parts)
        });
        for part in parts {
            self.merge(part?);
        }
        listed
    }

    fn read_batches(
        folder: &Folder,
        trusted: i64,
        batches: &Mutex<Receiver<Vec<OsString>>>,
    ) -> Result<Self, StoreError> {
        let mut work = Self::new(vec![Shard::default(); SHARDS], trusted);
        let mut result = Ok(());
        loop {
            let batch = batches.lock().map_or(None, |batches| batches.recv().ok());
            let Some(batch) = batch else { return result.map(|()| work) };
            // After trouble the rest is taken and dropped, so that whoever deals is not left waiting.
            for name in &batch {
                result = result.and_then(|()| work.take(folder, name));
            }
        }
    }

    fn merge(&mut self, part: Self) {
        for (ours, theirs) in self.shards.iter_mut().zip(part.shards) {
            ours.print.merge(theirs.print);
            ours.until = ours.until.max(theirs.until);
            ours.book.merge(&theirs.book);
        }
        self.fresh.merge(&part.fresh);
        self.reader.left_out.merge(part.reader.left_out);
        self.opened += part.opened;
    }

    fn take(&mut self, folder: &Folder, name: &OsStr) -> Result<(), StoreError> {
        self.opened += 1;
        let (found, metadata) = self.reader.read(folder, name)?;
        let settled = metadata.filter(|metadata| changed(metadata) < self.trusted);
        let line = match found {
            Found::Gone => return Ok(()),
            // It is in no sum, so that it is looked at again and told again.
            Found::Broken(why) => {
                self.reader.leave_out(folder, name, why, settled.is_some());
                return Ok(());
            }
            Found::Other => None,
            Found::Feedback(line) => Some(line),
        };
        let book = match &settled {
            None => &mut self.fresh,
            Some(metadata) => {
                let shard = &mut self.shards[shard_of(name)];
                shard.print.add(name, metadata);
                shard.until = shard.until.max(changed(metadata));
                &mut shard.book
            }
        };
        if let Some(line) = line {
            book.add(&line);
        }
        Ok(())
    }
}

/// Deals the names of files that are wanted to whoever takes them.
fn deal(
    folder: &Folder,
    wanted: impl Fn(&fs::DirEntry, usize) -> bool,
    readers: &SyncSender<Vec<OsString>>,
) -> Result<(), StoreError> {
    let mut batch = Vec::new();
    for entry in folder.entries()? {
        let entry = entry?;
        let name = entry.file_name();
        if wanted(&entry, shard_of(&name)) {
            batch.push(name);
        }
        if batch.len() == BATCH {
            // Nobody takes it only when all are gone, and then they say why.
            readers.send(std::mem::take(&mut batch)).ok();
        }
    }
    readers.send(batch).ok();
    Ok(())
}
