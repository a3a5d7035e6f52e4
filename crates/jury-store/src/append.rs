//! Writing: a run is asked for, taken by one owner, and grows by appending. There is no other write to the
//! log, and rows change in the transaction that appends.

use jiff::Timestamp;
use jury_core::event::{Event, Queued};
use jury_core::id::{AgentId, ArtifactId, ProjectId, RunId, SkillId};
use jury_core::outcome::RunState;
use jury_core::request::RunRequest;
use jury_core::unit::{Millis, Pos, Seq};
use sqlx::SqliteConnection;

use crate::artifact;
use crate::error::{Conflict, StoreError, sql};
use crate::owner::OwnerId;
use crate::project;
use crate::read;
use crate::request;
use crate::row::{RunRow, integer};
use crate::store::{Store, begin};

/// A run to be.
#[derive(Debug, Clone, PartialEq)]
pub struct NewRun {
    /// Its id.
    pub run: RunId,
    /// Whose it is.
    pub project: ProjectId,
    /// What it will review. Every run has an artifact of its own, because the artifact's folder keeps the
    /// run's transcript.
    pub artifact: ArtifactId,
    /// Who will play the panel.
    pub agent: AgentId,
    /// What the work is called: the name of its file, or its brief.
    pub title: String,
    /// The skill that it is made with, if any.
    pub skill: Option<SkillId>,
    /// What was asked for, so that it can begin later or be asked for again.
    pub request: Option<RunRequest>,
}

/// Where the log stands after an append.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Appended {
    /// The number of the run's last event: what the next append expects.
    pub head: Seq,
    /// Its position in the store.
    pub pos: Pos,
}

impl Store {
    /// Puts a run into the queue: its row and its first event, `critique.queued`. With an owner it is
    /// spoken for: only that owner can claim it, and it is interrupted if the owner dies first.
    pub async fn enqueue(
        &self,
        new: NewRun,
        owner: Option<OwnerId>,
        created_at: Timestamp,
    ) -> Result<Appended, StoreError> {
        let fail = sql(self.layout().database());
        let queued = Queued {
            project_id: new.project,
            artifact_id: new.artifact,
            agent: new.agent,
            title: new.title,
            skill: new.skill,
        };
        let row = RunRow::queued(new.run, &queued, owner, created_at);
        let mut writer = self.writer().await?;
        let mut transaction = begin(&mut writer).await.map_err(fail)?;
        let taken = |error: sqlx::Error| {
            if error.as_database_error().is_some_and(sqlx::error::DatabaseError::is_unique_violation) {
                StoreError::conflict(new.run, Conflict::Exists)
            } else {
                fail(error)
            }
        };
        if RunRow::load(&mut transaction, new.run).await.map_err(fail)?.is_some() {
            return Err(StoreError::conflict(new.run, Conflict::Exists));
        }
        let first = Event::Queued(queued);
        let pos = insert(&mut transaction, new.run, Seq(1), Millis(0), &first).await.map_err(taken)?;
        row.save(&mut transaction).await.map_err(taken)?;
        artifact::begin(&mut transaction, &row).await.map_err(taken)?;
        project::ensure(&mut transaction, &row.project, created_at).await.map_err(fail)?;
        if let Some(request) = &new.request {
            request::save(&mut transaction, new.run, request).await.map_err(fail)?;
        }
        transaction.commit().await.map_err(fail)?;
        writer.keep();
        self.announce(pos);
        Ok(Appended { head: Seq(1), pos })
    }

    /// Takes a run out of the queue. Of all who try, one succeeds.
    pub async fn claim(
        &self,
        run: RunId,
        owner: OwnerId,
        started_at: Timestamp,
    ) -> Result<RunRow, StoreError> {
        let fail = sql(self.layout().database());
        let mut writer = self.writer().await?;
        let mut transaction = begin(&mut writer).await.map_err(fail)?;
        let mut row = load(&mut transaction, run, fail).await?;
        if row.state != RunState::Queued {
            return Err(StoreError::conflict(run, Conflict::NotQueued));
        }
        if row.owner.is_some_and(|reserved| reserved != owner) {
            return Err(StoreError::conflict(run, Conflict::Owner));
        }
        row.claim(Some(owner), started_at);
        row.save(&mut transaction).await.map_err(fail)?;
        transaction.commit().await.map_err(fail)?;
        writer.keep();
        Ok(row)
    }

    /// Appends events to a run, all or none. `expected` is the number of the last event the caller knows:
    /// another owner, or another writer in between, is a [`Conflict`]. The run's rows follow in the same
    /// transaction. When it returns, the events will be read by whoever reads, whatever happens.
    pub async fn append(
        &self,
        run: RunId,
        owner: OwnerId,
        expected: Seq,
        events: &[(Millis, Event)],
    ) -> Result<Appended, StoreError> {
        self.append_as(run, Some(owner), expected, events).await
    }

    /// Appends in the name of an owner: its own, or that of one that died.
    pub(crate) async fn append_as(
        &self,
        run: RunId,
        owner: Option<OwnerId>,
        expected: Seq,
        events: &[(Millis, Event)],
    ) -> Result<Appended, StoreError> {
        let fail = sql(self.layout().database());
        let mut writer = self.writer().await?;
        let mut transaction = begin(&mut writer).await.map_err(fail)?;
        let mut row = load(&mut transaction, run, fail).await?;
        if row.owner != owner {
            return Err(StoreError::conflict(run, Conflict::Owner));
        }
        if row.head != expected {
            let head = row.head;
            return Err(StoreError::conflict(run, Conflict::Head { head, expected }));
        }
        let mut pos = None;
        for (at, event) in events {
            if row.state == RunState::Ended {
                return Err(StoreError::conflict(run, Conflict::Ended));
            }
            if matches!(event, Event::Queued(_)) {
                return Err(StoreError::conflict(run, Conflict::Exists));
            }
            row.apply(*at, event);
            let at = insert(&mut transaction, run, row.head, *at, event);
            pos = Some(at.await.map_err(fail)?);
        }
        let pos = match pos {
            Some(pos) => pos,
            None => read::position(&mut transaction, run, row.head).await.map_err(fail)?,
        };
        if !events.is_empty() {
            row.save(&mut transaction).await.map_err(fail)?;
            if row.state == RunState::Ended {
                let board = read::board(&mut transaction, self.layout().database(), run).await?;
                artifact::fill(&mut transaction, &row, &board).await.map_err(fail)?;
            }
        }
        transaction.commit().await.map_err(fail)?;
        writer.keep();
        self.announce(pos);
        Ok(Appended { head: row.head, pos })
    }
}

async fn load(
    connection: &mut SqliteConnection,
    run: RunId,
    fail: impl Fn(sqlx::Error) -> StoreError,
) -> Result<RunRow, StoreError> {
    RunRow::load(connection, run).await.map_err(fail)?.ok_or_else(|| StoreError::NoSuchRun(run.to_string()))
}

async fn insert(
    connection: &mut SqliteConnection,
    run: RunId,
    seq: Seq,
    at: Millis,
    event: &Event,
) -> sqlx::Result<Pos> {
    let body = serde_json::to_string(event).map_err(|error| sqlx::Error::Encode(error.into()))?;
    sqlx::query("INSERT INTO event (run, seq, at, kind, body) VALUES (?1, ?2, ?3, ?4, ?5)")
        .bind(run.to_string())
        .bind(integer(seq.0))
        .bind(integer(at.0))
        .bind(event.kind())
        .bind(body)
        .execute(connection)
        .await
        .map(|done| Pos(u64::try_from(done.last_insert_rowid()).unwrap_or_default()))
}
