//! Where things are in a data directory. The only place that builds a path, and it builds them from typed
//! ids and numbers alone.

use std::path::{Path, PathBuf};

use jury_core::id::ArtifactId;
use jury_core::unit::Round;

use crate::owner::OwnerId;

/// The longest transcript that is kept as plain text.
pub(crate) const PLAIN_TRANSCRIPT_MAX: usize = 256 * 1024;

/// The paths in a data directory.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    dir: PathBuf,
    database: PathBuf,
}

/// How a transcript is kept. Its name is what the `artifacts` table stores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TranscriptForm {
    Plain,
    Gzip,
}

impl TranscriptForm {
    pub(crate) fn file_name(self) -> &'static str {
        match self {
            Self::Plain => "transcript.ndjson",
            Self::Gzip => "transcript.ndjson.gz",
        }
    }

    pub(crate) fn other(self) -> Self {
        match self {
            Self::Plain => Self::Gzip,
            Self::Gzip => Self::Plain,
        }
    }

    /// The form of a file with this name. A name in the database is compared, never resolved.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        [Self::Plain, Self::Gzip].into_iter().find(|form| form.file_name() == name)
    }
}

impl Layout {
    pub(crate) fn new(dir: &Path) -> Self {
        Self { dir: dir.to_owned(), database: dir.join("jury.sqlite") }
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    pub(crate) fn database(&self) -> &Path {
        &self.database
    }

    pub(crate) fn owners(&self) -> PathBuf {
        self.dir.join("owners")
    }

    pub(crate) fn owner_lock(&self, owner: OwnerId) -> PathBuf {
        self.owners().join(format!("{owner}.lock"))
    }

    pub(crate) fn artifacts(&self) -> PathBuf {
        self.dir.join("artifacts")
    }

    pub(crate) fn artifact(&self, artifact: ArtifactId) -> PathBuf {
        self.artifacts().join(artifact.to_string())
    }

    pub(crate) fn rounds(&self, artifact: ArtifactId) -> PathBuf {
        self.artifact(artifact).join("rounds")
    }

    pub(crate) fn round(&self, artifact: ArtifactId, round: Round) -> PathBuf {
        self.rounds(artifact).join(format!("{}.html", round.0))
    }

    pub(crate) fn final_body(&self, artifact: ArtifactId) -> PathBuf {
        self.artifact(artifact).join("final.html")
    }

    pub(crate) fn transcript(&self, artifact: ArtifactId, form: TranscriptForm) -> PathBuf {
        self.artifact(artifact).join(form.file_name())
    }
}
