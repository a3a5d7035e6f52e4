//! What can go wrong with a data directory, told apart by what a person can do about it.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use jury_core::id::RunId;
use jury_core::unit::Seq;
use thiserror::Error;

use crate::migrate::SchemaLoss;
use crate::owner::OwnerId;

/// Why the store could not do it.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// There is no data directory, or nothing was ever kept in it.
    #[error("no runs here: {dir} does not exist; start one with 'jury run', or name another --data-dir", dir = .0.display())]
    NoRuns(PathBuf),
    /// Something that should be a directory is not one.
    #[error("{path} is not a directory; remove it or name another --data-dir", path = .0.display())]
    NotADirectory(PathBuf),
    /// We may not write there.
    #[error("{path} cannot be written; allow it or name another --data-dir", path = .0.display())]
    ReadOnly(PathBuf),
    /// There is no room left.
    #[error("the disk of {path} is full; free some space and try again", path = .0.display())]
    DiskFull(PathBuf),
    /// Somebody else has held the lock for longer than we wait.
    #[error("{path} is locked by another process for too long; stop it or try again", path = .0.display())]
    Locked(PathBuf),
    /// The file is something else.
    #[error("{path} is not a jury database; move it away or name another --data-dir", path = .0.display())]
    NotADatabase(PathBuf),
    /// The file was a database and is damaged, or an event in it cannot be read.
    #[error("{path} is damaged ({what}); restore it from a backup or move it away", path = path.display())]
    Corrupt {
        /// The path of the file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The file is no transcript, or not a whole one.
    #[error("{path} is not a transcript ({what}); name a run, or a transcript.ndjson that jury wrote", path = path.display())]
    NotATranscript {
        /// The path of the file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A later version of the program was here.
    #[error("{path} has schema {found}, this jury knows {known}; update jury", path = path.display())]
    NewerSchema {
        /// The path of the database.
        path: PathBuf,
        /// The version of its schema.
        found: i64,
        /// The newest one that this build knows.
        known: i64,
    },
    /// Another daemon has this data directory.
    #[error("{dir} is served by {by} already; stop that one, or name another --data-dir", dir = dir.display())]
    Served {
        /// The path of the data directory.
        dir: PathBuf,
        /// The process that serves it.
        by: String,
    },
    /// Another process drives runs in this data directory.
    #[error("a run is going on in {dir}; stop it or wait for its end", dir = dir.display())]
    InUse {
        /// The path of the data directory.
        dir: PathBuf,
        /// One of the processes.
        owner: OwnerId,
    },
    /// An older schema has no place for this.
    #[error("schema {schema} has no place for {what}; copy the data directory first, and give --force to drop it", what = listed(losses))]
    WouldLose {
        /// The schema that was asked for.
        schema: i64,
        /// What would be dropped.
        losses: Vec<SchemaLoss>,
    },
    /// There is no such run.
    #[error("no run '{0}'; list them with 'jury runs'")]
    NoSuchRun(String),
    /// There is no such decision.
    #[error("no decision '{0}'; list them with 'jury decisions list'")]
    NoSuchDecision(String),
    /// The beginning of an id fits several runs.
    #[error("'{given}' could be {fits}; give more of the id", fits = .fits.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or "))]
    Ambiguous {
        /// The beginning of an id that was given.
        given: String,
        /// Some of the runs that it fits.
        fits: Vec<RunId>,
    },
    /// The run is not as the caller believes.
    #[error("run {run} {conflict}")]
    Conflict {
        /// The run that both have.
        run: RunId,
        /// How the two logs differ.
        conflict: Conflict,
    },
    /// Any other trouble with a file.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The path of the file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Any other trouble with the database.
    #[error("{path}: {source}", path = path.display())]
    Database {
        /// The path of the database.
        path: PathBuf,
        /// The error of the database.
        source: Box<dyn Error + Send + Sync>,
    },
}

/// How a run differs from what a writer believes about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Conflict {
    /// Somebody else owns it.
    #[error("belongs to another process; leave it alone")]
    Owner,
    /// Somebody else appended to it.
    #[error("is at event {head}, not {expected}; read it again before appending")]
    Head {
        /// The number of the last event in the log.
        head: Seq,
        /// Where the writer believes it is.
        expected: Seq,
    },
    /// What it asked has an answer.
    #[error("has its answer already; see 'jury decisions list --all'")]
    Answered,
    /// What it asked has other options.
    #[error("has no such option; see 'jury decisions list'")]
    NoSuchOption,
    /// It asks for a verdict, and this is none.
    #[error("asks for a verdict: pass, partial, fail, or defer to leave it as the panel did")]
    NoVerdict,
    /// It has its terminal event, or the events go on after it.
    #[error("has ended; nothing can follow its last event")]
    Ended,
    /// It is still going on.
    #[error("has not ended; its transcript is written when it has")]
    NotEnded,
    /// It was taken by a worker already.
    #[error("is not waiting in the queue; somebody took it")]
    NotQueued,
    /// It is at work on what somebody else asks for as well.
    #[error("is at work on the same idea and kind of content; take it up or give it up first")]
    Active,
    /// It, or its artifact, exists already, or it is asked for a second time in its log.
    #[error("exists already, or its artifact belongs to another run; mint new ids")]
    Exists,
}

impl StoreError {
    /// The label for metrics and logs.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::NoRuns(_) => "no_runs",
            Self::NotADirectory(_) => "not_a_directory",
            Self::ReadOnly(_) => "read_only",
            Self::DiskFull(_) => "disk_full",
            Self::Locked(_) => "locked",
            Self::NotADatabase(_) => "not_a_database",
            Self::Corrupt { .. } => "corrupt",
            Self::NotATranscript { .. } => "not_a_transcript",
            Self::NewerSchema { .. } => "newer_schema",
            Self::Served { .. } => "served",
            Self::InUse { .. } => "in_use",
            Self::WouldLose { .. } => "would_lose",
            Self::NoSuchRun(_) => "no_such_run",
            Self::NoSuchDecision(_) => "no_such_decision",
            Self::Ambiguous { .. } => "ambiguous",
            Self::Conflict { .. } => "conflict",
            Self::Io { .. } => "io",
            Self::Database { .. } => "database",
        }
    }

    /// The same once more, for another who waited for the same thing.
    pub(crate) fn again(&self) -> Self {
        match self {
            Self::ReadOnly(path) => Self::ReadOnly(path.clone()),
            Self::DiskFull(path) => Self::DiskFull(path.clone()),
            Self::Locked(path) => Self::Locked(path.clone()),
            Self::NotADatabase(path) => Self::NotADatabase(path.clone()),
            Self::Corrupt { path, what } => Self::Corrupt { path: path.clone(), what: what.clone() },
            Self::Io { path, source } => {
                let source = io::Error::new(source.kind(), source.to_string());
                Self::Io { path: path.clone(), source }
            }
            Self::Database { path, source } => {
                Self::Database { path: path.clone(), source: source.to_string().into() }
            }
            Self::Conflict { run, conflict } => Self::conflict(*run, *conflict),
            Self::NoSuchRun(run) => Self::NoSuchRun(run.clone()),
            Self::NoSuchDecision(id) => Self::NoSuchDecision(id.clone()),
            // None of these comes from a transaction that several share.
            Self::NoRuns(_)
            | Self::NotADirectory(_)
            | Self::NotATranscript { .. }
            | Self::NewerSchema { .. }
            | Self::Served { .. }
            | Self::InUse { .. }
            | Self::WouldLose { .. }
            | Self::Ambiguous { .. } => {
                Self::Database { path: PathBuf::new(), source: self.to_string().into() }
            }
        }
    }

    pub(crate) fn conflict(run: RunId, conflict: Conflict) -> Self {
        Self::Conflict { run, conflict }
    }

    /// Whether somebody else was faster: the caller believes something that is no longer so.
    pub fn is_conflict(&self) -> bool {
        matches!(self, Self::Conflict { .. })
    }
}

fn listed(losses: &[SchemaLoss]) -> String {
    losses.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// Tells the troubles of a file apart: for `map_err`.
pub fn io(path: &Path) -> impl Fn(io::Error) -> StoreError + Copy + '_ {
    move |source| {
        let path = path.to_owned();
        let kind = source.kind();
        if matches!(kind, io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) {
            StoreError::DiskFull(path)
        } else if matches!(kind, io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem) {
            StoreError::ReadOnly(path)
        } else if kind == io::ErrorKind::NotADirectory {
            StoreError::NotADirectory(path)
        } else {
            StoreError::Io { path, source }
        }
    }
}

/// Tells the troubles of the database apart, by the primary part of SQLite's result codes.
pub(crate) fn sql(database: &Path) -> impl Fn(sqlx::Error) -> StoreError + Copy + '_ {
    move |source| {
        let path = database.to_owned();
        if let sqlx::Error::Io(source) = source {
            return io(database)(source);
        }
        if let sqlx::Error::Decode(what) | sqlx::Error::ColumnDecode { source: what, .. } = source {
            let what = what.to_string();
            return StoreError::Corrupt { path, what };
        }
        let code = source
            .as_database_error()
            .and_then(sqlx::error::DatabaseError::code)
            .and_then(|code| code.parse::<u32>().ok())
            .map(|code| code & 0xff);
        match code {
            Some(5 | 6) => StoreError::Locked(path),
            Some(8 | 14) => StoreError::ReadOnly(path),
            Some(11) => StoreError::Corrupt { path, what: "sqlite finds it malformed".to_owned() },
            Some(13) => StoreError::DiskFull(path),
            Some(26) => StoreError::NotADatabase(path),
            _ => StoreError::Database { path, source: Box::new(source) },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use sqlx::sqlite::SqliteConnectOptions;
    use sqlx::{Connection as _, SqliteConnection};

    use super::*;

    #[test]
    fn troubles_of_files_are_told_apart() {
        let kinds: Vec<_> = [
            io::ErrorKind::StorageFull,
            io::ErrorKind::QuotaExceeded,
            io::ErrorKind::ReadOnlyFilesystem,
            io::ErrorKind::PermissionDenied,
            io::ErrorKind::NotADirectory,
            io::ErrorKind::BrokenPipe,
        ]
        .map(|kind| io(Path::new("/data"))(kind.into()).kind())
        .into();
        assert_eq!(kinds, ["disk_full", "disk_full", "read_only", "read_only", "not_a_directory", "io"]);
    }

    /// What SQLite itself says, told apart.
    async fn kind_of(connection: &mut SqliteConnection, statement: &'static str) -> &'static str {
        let error = sqlx::raw_sql(statement).execute(connection).await.unwrap_err();
        sql(Path::new("/data/jury.sqlite"))(error).kind()
    }

    #[tokio::test]
    async fn troubles_of_the_database_are_told_apart() {
        let dir = tempfile::tempdir().unwrap();
        let options = SqliteConnectOptions::new()
            .filename(dir.path().join("x"))
            .create_if_missing(true)
            .busy_timeout(Duration::ZERO);
        let mut one = SqliteConnection::connect_with(&options).await.unwrap();
        let mut two = SqliteConnection::connect_with(&options).await.unwrap();
        sqlx::raw_sql("CREATE TABLE t (x); BEGIN IMMEDIATE").execute(&mut one).await.unwrap();
        assert_eq!(kind_of(&mut two, "BEGIN IMMEDIATE").await, "locked");
        sqlx::raw_sql("COMMIT; PRAGMA max_page_count = 2").execute(&mut one).await.unwrap();
        let large = "INSERT INTO t VALUES (randomblob(100000))";
        assert_eq!(kind_of(&mut one, large).await, "disk_full");
        let forbidden = "PRAGMA query_only = ON; INSERT INTO t VALUES (1)";
        assert_eq!(kind_of(&mut one, forbidden).await, "read_only");
        assert_eq!(kind_of(&mut one, "SELECT nothing").await, "database");

        let nowhere = options.filename(dir.path().join("no/where"));
        let error = SqliteConnection::connect_with(&nowhere).await.unwrap_err();
        assert_eq!(sql(dir.path())(error).kind(), "read_only");
    }

    #[test]
    fn messages_say_what_where_and_what_to_do() {
        let path = PathBuf::from("/data/.od");
        assert_eq!(
            StoreError::NoRuns(path.clone()).to_string(),
            "no runs here: /data/.od does not exist; start one with 'jury run', or name another --data-dir"
        );
        assert_eq!(
            StoreError::DiskFull(path.clone()).to_string(),
            "the disk of /data/.od is full; free some space and try again"
        );
        assert_eq!(
            StoreError::NewerSchema { path, found: 9, known: 2 }.to_string(),
            "/data/.od has schema 9, this jury knows 2; update jury"
        );
    }
}
