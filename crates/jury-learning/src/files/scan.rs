//! Feedback files one after the other: a folder of any size is streamed, never held.

use std::ffi::{OsStr, OsString};
use std::fs::{self, DirEntry, File, Metadata};
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use jury_core::judge::Bead;
use jury_core::line;
use jury_store::StoreError;
use jury_store::file::io_error;

use super::folder::lock;
use super::paths::LearningPaths;
use super::quarantine::move_to_quarantine;
use super::records::{Found as Looked, look};
use super::recount::note;
use crate::{FeedbackLine, NotFeedback};

/// The largest feedback file that is read. Ours are below a hundredth of it.
const LARGEST_FEEDBACK: u64 = super::records::LARGEST_FEEDBACK as u64;

/// The most files that are named when they cannot be read; the rest is counted.
const MOST_NAMED: usize = 100;

/// A file that was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// The name of the file.
    pub name: String,
    /// Why it was left out.
    pub why: String,
    /// Where it is now, when it was moved out of the way.
    pub moved: Option<PathBuf>,
}

impl std::fmt::Display for LeftOut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} is left out: {}", self.name, self.why)?;
        match &self.moved {
            Some(place) => write!(f, "; it is now {}", place.display()),
            None => Ok(()),
        }
    }
}

/// All files that were left out: the first of them by name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LeftOuts {
    /// The first of them.
    pub named: Vec<LeftOut>,
    /// How many there are.
    pub count: u64,
}

impl LeftOuts {
    pub(super) fn merge(&mut self, other: Self) {
        self.count += other.count;
        self.named.extend(other.named);
        self.named.truncate(MOST_NAMED);
    }

    fn push(&mut self, left_out: LeftOut) {
        self.count += 1;
        if self.named.len() < MOST_NAMED {
            self.named.push(left_out);
        }
    }
}

/// The files of a feedback folder that can hold feedback.
pub(super) struct Folder {
    path: PathBuf,
    registry: Option<OsString>,
}

impl Folder {
    pub(super) fn new(paths: &LearningPaths) -> Self {
        let inside = paths.registry.parent() == Some(paths.feedback.as_path());
        let registry = inside.then(|| paths.registry.file_name().map(OsStr::to_owned)).flatten();
        Self { path: paths.feedback.clone(), registry }
    }

    /// Each file, in no order.
    pub(super) fn entries(&self) -> Result<impl Iterator<Item = Result<DirEntry, StoreError>>, StoreError> {
        let entries = fs::read_dir(&self.path).map_err(io_error(&self.path))?;
        Ok(entries.filter_map(|entry| match entry {
            Ok(entry) => self.may_hold_feedback(&entry).then_some(Ok(entry)),
            Err(error) => Some(Err(io_error(&self.path)(error))),
        }))
    }

    fn may_hold_feedback(&self, entry: &DirEntry) -> bool {
        let name = entry.file_name();
        let bytes = name.as_encoded_bytes();
        bytes.ends_with(b".json")
            && !bytes.starts_with(b".")
            && self.registry.as_ref() != Some(&name)
            // A pipe would be waited for, and a link leads to places that nobody checked.
            && entry.file_type().is_ok_and(|kind| kind.is_file())
    }
}

/// What a file turned out to be.
pub(super) enum Found {
    /// A file with feedback.
    Feedback(Box<FeedbackLine>),
    /// JSON of another kind.
    Other,
    /// Nothing that can be read.
    Broken(String),
    /// It went away meanwhile.
    Gone,
}

/// Reads files, with one buffer for all of them.
#[derive(Default)]
pub(super) struct Reader {
    buffer: Vec<u8>,
    pub(super) left_out: LeftOuts,
}

impl Reader {
    /// Reads a file. The metadata is that of what was read.
    pub(super) fn read(
        &mut self,
        folder: &Folder,
        name: &OsStr,
    ) -> Result<(Found, Option<Metadata>), StoreError> {
        let path = folder.path.join(name);
        let opened = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((Found::Gone, None)),
            // A file that we may not read is one file.
            Err(error) => return Ok((Found::Broken(error.to_string()), None)),
        };
        let metadata = opened.metadata().map_err(io_error(&path))?;
        if metadata.len() > LARGEST_FEEDBACK {
            let what = format!("it has {} bytes, and {LARGEST_FEEDBACK} are the most", metadata.len());
            return Ok((Found::Broken(what), Some(metadata)));
        }
        self.buffer.clear();
        let read = opened.take(LARGEST_FEEDBACK).read_to_end(&mut self.buffer);
        let found = match read {
            Err(error) => Found::Broken(error.to_string()),
            Ok(_) => match FeedbackLine::read(&self.buffer) {
                Ok(line) => Found::Feedback(Box::new(line)),
                Err(NotFeedback::NoBead) => Found::Other,
                Err(error @ NotFeedback::NotJson(_)) => Found::Broken(error.to_string()),
            },
        };
        Ok((found, Some(metadata)))
    }

    /// Moves a broken file out of the way, and notes it. A file that was written a moment ago may still be in the making:
    /// it stays.
    pub(super) fn leave_out(&mut self, folder: &Folder, name: &OsStr, why: String, settled: bool) {
        let moved = if settled { quarantine(&folder.path, name) } else { None };
        let shown = line::cut(&name.to_string_lossy(), 200);
        self.left_out.push(LeftOut { name: shown, why, moved });
    }
}

/// Moves a file out of the way, and never over another. None where that is not possible: the file is in nobody's way there.
/// A collector may have put a good one into its place since it was read, so that it is looked at again under the lock.
fn quarantine(folder: &Path, name: &OsStr) -> Option<PathBuf> {
    let path = folder.join(name);
    let _lock = lock(&[folder]).ok()?;
    if !matches!(look(&path), Looked::Broken(_)) {
        return None;
    }
    // The registry still counts it.
    note(folder).ok()?;
    move_to_quarantine(folder, &path).ok()
}

/// When a file last changed, in nanoseconds.
pub(super) fn changed(metadata: &Metadata) -> i64 {
    metadata.ctime().saturating_mul(1_000_000_000).saturating_add(metadata.ctime_nsec())
}

/// Reads every feedback record once. What cannot be read is left out and noted; nothing is moved.
pub fn each_feedback(
    paths: &LearningPaths,
    mut see: impl FnMut(&FeedbackLine),
) -> Result<LeftOuts, StoreError> {
    let folder = Folder::new(paths);
    let mut reader = Reader::default();
    if !paths.feedback.is_dir() {
        return Ok(reader.left_out);
    }
    for entry in folder.entries()? {
        let name = entry?.file_name();
        match reader.read(&folder, &name)?.0 {
            Found::Feedback(line) => see(&line),
            Found::Broken(why) => reader.leave_out(&folder, &name, why, false),
            Found::Other | Found::Gone => {}
        }
    }
    Ok(reader.left_out)
}

/// The feedback of one run, if it is there and can be read.
pub fn feedback_of(paths: &LearningPaths, bead: &Bead) -> Result<Option<FeedbackLine>, StoreError> {
    let name = OsString::from(format!("{bead}.json"));
    match Reader::default().read(&Folder::new(paths), &name)?.0 {
        Found::Feedback(line) if line.bead == bead.as_str() => Ok(Some(*line)),
        Found::Feedback(_) | Found::Other | Found::Broken(_) | Found::Gone => Ok(None),
    }
}
