//! A change as a judge sees it: a unified diff is read, searched for what can be recognised without an opinion, and
//! packed to a budget. Nothing here has a file or a clock; whoever calls brings the bytes.
//!
//! Everything works on the lines that a diff shows. Each side of a hunk is parsed, or the whole file if the caller has it
//! ([`search_with`]); where there is no grammar, or it cannot place what it reads, a scanner tells code, comments and
//! literals apart and finds functions where their heads can be seen.
//!
//! ```
//! use jury_text::diff::{Detector, Diff, search};
//!
//! let text = b"--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1,2 +1,3 @@\n fn a() {\n+    todo!()\n }\n";
//! let found = search(&Diff::read(text), "");
//! assert_eq!((found[0].detector, found[0].line), (Detector::Stub, 2));
//! ```

mod left_out;
mod named;
mod path;
mod read;

mod code;
mod fragment;
mod function;
mod settings;
mod side;
mod syntax;
mod tree;

mod detect;
mod effect;
mod guards;

mod authorship;
mod log;
mod pack;
mod redact;
mod unjudged;

use serde::{Deserialize, Serialize};

pub use authorship::without_authors;
pub use detect::{DETECTORS, Detector, DiffEvidence, DiffRule, search, search_scanned, search_with};
pub use log::{PackedLog, pack_log};
pub use pack::{BYTES_PER_TOKEN, Packed, PackedFile, pack};
pub use path::FileKind;
pub use read::{DiffLimits, DiffReader};
pub use redact::without_secrets;
pub use unjudged::unjudged;

/// A change: its files, and what of it could not be kept or read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Diff {
    /// The files, in the order of the diff.
    pub files: Vec<File>,
    /// What was left out to stay within bounds.
    pub omitted: Vec<Omission>,
    /// What could not be read, on one line each.
    pub notes: Vec<String>,
    /// Where the diff is not whole, on one line each: a hunk that has other lines than its head says, a file whose lines do
    /// not come. Nothing in a diff that git has printed to its end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub torn: Vec<String>,
}

impl Diff {
    /// Whether there are lines in it, and every file has the same ones before and after.
    pub fn changes_nothing(&self) -> bool {
        let same = |file: &File| {
            let side = |change: LineChange| {
                let lines = file.hunks.iter().flat_map(|hunk| &hunk.lines);
                lines.filter(move |line| line.change == change).map(|line| (line.text.as_str(), line.unended))
            };
            let stays = file.status == FileStatus::Modified && !file.binary && !file.hunks.is_empty();
            stays && side(LineChange::Added).eq(side(LineChange::Removed))
        };
        !self.files.is_empty() && self.omitted.is_empty() && self.files.iter().all(same)
    }
}

/// What happened to a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileStatus {
    /// The lines of the file changed.
    #[default]
    Modified,
    /// The file is new.
    Added,
    /// The file was deleted.
    Deleted,
    /// It has another name.
    Renamed,
    /// It was copied from another.
    Copied,
    /// Only its mode changed.
    Mode,
}

/// One file of a change.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct File {
    /// The path before, when there was one.
    pub old_path: Option<String>,
    /// The path after, when there is one.
    pub new_path: Option<String>,
    /// What happened to it.
    pub status: FileStatus,
    /// It is not text.
    pub binary: bool,
    /// The places that changed.
    pub hunks: Vec<Hunk>,
}

impl File {
    /// The path to call it by: the one after, or before if it is gone.
    pub fn path(&self) -> &str {
        self.new_path.as_deref().or(self.old_path.as_deref()).unwrap_or("(no name)")
    }

    /// What kind of file its path says it is.
    pub fn kind(&self) -> FileKind {
        FileKind::of(self.path())
    }
}

/// A place that changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Hunk {
    /// Its first line before.
    pub old_start: u64,
    /// Its first line after.
    pub new_start: u64,
    /// What git says it stands in.
    pub section: String,
    /// The lines of the hunk, in order.
    pub lines: Vec<HunkLine>,
}

/// Which side of a change a line is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LineChange {
    /// The line is on both sides.
    Context,
    /// On the new side alone.
    Added,
    /// On the old side alone.
    Removed,
}

/// The file before or after a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// The side before the change.
    Old,
    /// The side after the change.
    New,
}

/// A line of a hunk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HunkLine {
    /// Which side it is on.
    pub change: LineChange,
    /// Its number before, from 1; zero for an added line.
    pub old: u64,
    /// Its number after, from 1; zero for a removed line.
    pub new: u64,
    /// Its text, without the mark and the line break.
    pub text: String,
    /// No line break follows it at the end of its file.
    pub unended: bool,
}

/// Something that is there and is not shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Omission {
    /// The path of the file.
    pub path: String,
    /// How many of its lines.
    pub lines: u64,
    /// How many bytes they have.
    pub bytes: u64,
    /// The reason, for a person.
    pub why: String,
}
