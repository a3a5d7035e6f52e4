//! The memory of jury: a data directory that keeps the log of every run, finds runs, and keeps artifacts.
//!
//! ```text
//! jury.sqlite                                     the log, and rows computed from it
//! artifacts/<artifactId>/rounds/<n>.html          every round's artifact
//! artifacts/<artifactId>/final.html               the one that the run ended with
//! artifacts/<artifactId>/transcript.ndjson[.gz]   the log of the run, once it has ended
//! owners/<uuid>.lock                              locked by a process for as long as it drives runs
//! ```
//!
//! The log is the truth. [`Store::append`] is the only write to it, with the number of the last event that
//! the writer knows, so a second writer of a run fails at once. The rows of `run` and `artifacts` are a fold
//! of the log, made in the same transaction, and [`Store::reindex`] makes them again. What is known about agents
//! (conformance cycles, and who is marked as degraded) is kept beside it. Several processes may
//! share a directory. A run belongs to one [`Owner`]; what a dead owner left is ended by [`Store::recover`].
//!
//! The crate decides nothing about reviews and reads no clock: times arrive as arguments. It starts nothing, but for
//! [`Mirror`], which follows the log with a task of its own.
//!
//! ```
//! # use jury_core::{event::*, id::*, theater::Board, unit::*};
//! # use jury_store::{NewRun, Owner, RunFilter, Store};
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let dir = tempfile::tempdir()?;
//! # let now = jiff::Timestamp::UNIX_EPOCH;
//! let store = Store::open(dir.path().join(".od")).await?;
//! store.recover().await?;
//!
//! let owner = Owner::register(&store)?;
//! let run = RunId(uuid::Uuid::now_v7());
//! let queued = TheaterEvent::Queued(Queued {
//!     project_id: ProjectId::default_project(),
//!     artifact_id: ArtifactId(uuid::Uuid::now_v7()),
//!     agent: AgentId::house(),
//!     title: "page.html".to_owned(),
//!     skill: None,
//! });
//! let new = NewRun::<Board> { run, queued, request: None };
//! let queued = store.enqueue(new, Some(owner.id()), now).await?;
//! store.claim(run, owner.id(), now).await?;
//!
//! let stopped = TheaterEvent::Interrupted(Interrupted { best: BestSoFar::default(), recovery_reason: None }).into();
//! store.append(run, owner.id(), queued.head, &[(Millis(40), stopped)]).await?;
//! store.export(run).await?;
//!
//! assert_eq!(store.find_run("last").await?, run);
//! assert_eq!(store.transcript(run).await?.len(), 2);
//! # Ok(())
//! # }
//! ```

mod agent;
mod append;
mod artifact;
mod blob;
mod daemon;
mod decision;
mod error;
mod feed;
pub mod file;
mod group;
mod history;
mod layout;
mod migrate;
mod mirror;
mod owner;
mod project;
mod queue;
mod read;
mod recover;
mod reindex;
mod request;
mod row;
mod schema;
mod store;
mod transcript;

pub use agent::{DegradedMark, Honesty, PastCycle};
pub use append::{Appended, NewRun};
pub use daemon::Daemon;
pub use decision::SettledDecision;
pub use error::{Conflict, StoreError};
pub use feed::FeedEntry;
pub use migrate::{SchemaLoss, SchemaMigration};
pub use mirror::{Claim, Herald, KEPT_FOR, Mirror, MirrorAddress, MirrorAddressError, MirrorState};
pub use owner::{Owner, OwnerId};
pub use project::{ProjectChange, ProjectRow};
pub use read::RunFilter;
pub use recover::Recovery;
pub use row::{ArtifactRow, RunRow};
pub use store::Store;
pub use transcript::read_transcript;
