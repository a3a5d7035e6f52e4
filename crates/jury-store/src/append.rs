//! Writing: a run is asked for, taken by one owner, and grows by appending. There is no other write to the
//! log, and rows change in the transaction that appends.

use std::path::Path;

use jiff::Timestamp;
use jury_core::event::Event;
use jury_core::id::RunId;
use jury_core::run::{RunPhase, RunState, Wait};
use jury_core::theater::Board;
use jury_core::unit::{Millis, Pos, Seq};
use jury_core::workflow::{WorkflowEvent as _, WorkflowState, dispatch};
use sqlx::SqliteConnection;

use crate::artifact;
use crate::decision;
use crate::error::{Conflict, StoreError, sql};
use crate::owner::OwnerId;
use crate::project;
use crate::queue;
use crate::read;
use crate::request;
use crate::row::{RunRow, integer};
use crate::store::Store;

/// A run to be.
#[derive(Debug, Clone, PartialEq)]
pub struct NewRun<W: WorkflowState> {
    /// The id of the run.
    pub run: RunId,
    /// The first event of its log.
    pub queued: W::Event,
    /// What was asked for, so that it can begin later or be asked for again.
    pub request: Option<W::Request>,
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
    /// Puts a run into the queue: its row and its first event. With an owner it is spoken for: only that owner can claim
    /// it, and it is interrupted if the owner dies first. While a run with the same title has not ended, another one of a
    /// workflow with [one at a time](WorkflowState::EXCLUSIVE) is a conflict with it ([`Conflict::Active`]).
    pub async fn enqueue<W: WorkflowState>(
        &self,
        new: NewRun<W>,
        owner: Option<OwnerId>,
        created_at: Timestamp,
    ) -> Result<Appended, StoreError> {
        let database = self.layout().database().to_owned();
        let fail = sql(&database);
        let request = new.request.as_ref().map(serde_json::to_string).transpose();
        let request = request.map_err(|error| fail(sqlx::Error::Encode(error.into())))?;
        let Some(subject) = W::queued(&new.queued) else {
            return Err(StoreError::conflict(new.run, Conflict::Exists));
        };
        let row = RunRow::new(new.run, W::WORKFLOW, subject, owner, created_at);
        let entry = QueueEntry { row, first: new.queued.into(), request, exclusive: W::EXCLUSIVE };
        let pos = self
            .write(move |connection| Box::pin(async move { enqueue(connection, &database, entry).await }))
            .await?;
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
        let database = self.layout().database().to_owned();
        self.write(move |connection| {
            Box::pin(async move {
                let fail = sql(&database);
                let mut row = load(connection, run, fail).await?;
                // One that waits for a person is nobody's either: it can be stopped.
                if !matches!(row.state, RunState::Queued | RunState::Waiting) {
                    return Err(StoreError::conflict(run, Conflict::NotQueued));
                }
                if row.owner.is_some_and(|reserved| reserved != owner) {
                    return Err(StoreError::conflict(run, Conflict::Owner));
                }
                row.claim(Some(owner), started_at);
                row.save(connection).await.map_err(fail)?;
                Ok(row)
            })
        })
        .await
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
        let workflow = events.first().map(|(_, event)| event.workflow());
        let appended = match workflow {
            Some(workflow) => {
                dispatch!(workflow, State => self.append_of::<State>(run, owner, expected, events).await)?
            }
            None => self.append_of::<Board>(run, owner, expected, events).await?,
        };
        self.announce(appended.pos);
        Ok(appended)
    }

    async fn append_of<W: WorkflowState>(
        &self,
        run: RunId,
        owner: Option<OwnerId>,
        expected: Seq,
        events: &[(Millis, Event)],
    ) -> Result<Appended, StoreError> {
        let database = self.layout().database().to_owned();
        let concerns = |event: &Event| W::Event::of(event).is_some_and(W::concerns_rows);
        // What is in the log does not change, so what rows need of it is prepared before anybody waits for it.
        let before = if events.iter().any(|(_, event)| concerns(event)) {
            Some(Box::new(self.state::<W>(run).await?))
        } else {
            None
        };
        let batch = Batch { run, owner, expected, events: events.to_vec(), before };
        self.write(move |connection| Box::pin(async move { append::<W>(connection, &database, batch).await }))
            .await
    }
}

/// Events to be appended.
struct Batch<W> {
    run: RunId,
    owner: Option<OwnerId>,
    expected: Seq,
    events: Vec<(Millis, Event)>,
    /// The state before them, if rows beside the run's own follow from them.
    before: Option<Box<W>>,
}

/// A run to be, as it is written down.
struct QueueEntry {
    row: RunRow,
    first: Event,
    request: Option<String>,
    /// Whether there is one at a time with this title.
    exclusive: bool,
}

async fn enqueue(
    connection: &mut SqliteConnection,
    database: &Path,
    entry: QueueEntry,
) -> Result<Pos, StoreError> {
    let QueueEntry { row, first, request, exclusive } = entry;
    let fail = sql(database);
    let taken = |error: sqlx::Error| {
        if error.as_database_error().is_some_and(sqlx::error::DatabaseError::is_unique_violation) {
            StoreError::conflict(row.run, Conflict::Exists)
        } else {
            fail(error)
        }
    };
    if RunRow::load(connection, row.run).await.map_err(fail)?.is_some() {
        return Err(StoreError::conflict(row.run, Conflict::Exists));
    }
    if exclusive
        && let Some(active) = queue::active(connection, row.workflow, &row.title).await.map_err(fail)?
    {
        return Err(StoreError::conflict(active.run, Conflict::Active));
    }
    let first = [(Millis(0), first)];
    let pos = insert(connection, row.run, Seq(0), &first).await.map_err(taken)?;
    row.save(connection).await.map_err(taken)?;
    artifact::begin(connection, &row).await.map_err(taken)?;
    project::ensure(connection, &row.project, row.created_at).await.map_err(fail)?;
    if let Some(request) = &request {
        request::save(connection, row.run, request).await.map_err(fail)?;
    }
    Ok(pos)
}

async fn append<W: WorkflowState>(
    connection: &mut SqliteConnection,
    database: &Path,
    batch: Batch<W>,
) -> Result<Appended, StoreError> {
    let Batch { run, owner, expected, events, before } = batch;
    let fail = sql(database);
    let mut row = load(connection, run, fail).await?;
    if row.owner != owner {
        return Err(StoreError::conflict(run, Conflict::Owner));
    }
    if row.head != expected {
        let head = row.head;
        return Err(StoreError::conflict(run, Conflict::Head { head, expected }));
    }
    for (at, event) in &events {
        if row.state == RunState::Ended {
            return Err(StoreError::conflict(run, Conflict::Ended));
        }
        if W::Event::of(event).is_some_and(|event| W::queued(event).is_some()) {
            return Err(StoreError::conflict(run, Conflict::Exists));
        }
        row.apply(*at, event);
    }
    if events.is_empty() {
        let pos = read::position(connection, run, row.head).await.map_err(fail)?;
        return Ok(Appended { head: row.head, pos });
    }
    let pos = insert(connection, run, expected, &events).await.map_err(fail)?;
    if let Some(before) = before {
        let events: Vec<(Millis, &W::Event)> =
            events.iter().filter_map(|(at, event)| Some((*at, W::Event::of(event)?))).collect();
        follow(connection, &mut row, *before, &events).await.map_err(fail)?;
    } else {
        row.save(connection).await.map_err(fail)?;
    }
    Ok(Appended { head: row.head, pos })
}

/// Keeps the rows of a run up with events that concern more than its own row.
pub(crate) async fn follow<W: WorkflowState>(
    connection: &mut SqliteConnection,
    row: &mut RunRow,
    before: W,
    events: &[(Millis, &W::Event)],
) -> sqlx::Result<()> {
    let mut state = before.clone();
    for (_, event) in events {
        state.apply(event);
    }
    row.follow(&state);
    row.save(connection).await?;
    if row.state == RunState::Ended
        && let Some(columns) = state.artifact_columns()
    {
        artifact::fill(connection, row, &columns).await?;
    }
    decision::follow(connection, row, before, events).await?;
    if state.phase() == RunPhase::Waiting(Wait::Answer) {
        decision::requeue(connection, row.run).await?;
    }
    Ok(())
}

async fn load(
    connection: &mut SqliteConnection,
    run: RunId,
    fail: impl Fn(sqlx::Error) -> StoreError,
) -> Result<RunRow, StoreError> {
    RunRow::load(connection, run).await.map_err(fail)?.ok_or_else(|| StoreError::NoSuchRun(run.to_string()))
}

/// Inserts events behind a number, all with one statement: each statement is a way to another thread and back.
async fn insert(
    connection: &mut SqliteConnection,
    run: RunId,
    after: Seq,
    events: &[(Millis, Event)],
) -> sqlx::Result<Pos> {
    let encode = |error: serde_json::Error| sqlx::Error::Encode(error.into());
    let rows = events
        .iter()
        .map(|(at, event)| Ok((at.0, event.kind(), serde_json::to_string(event)?)))
        .collect::<serde_json::Result<Vec<_>>>()
        .and_then(|rows| serde_json::to_string(&rows))
        .map_err(encode)?;
    sqlx::query(
        "INSERT INTO event (run, seq, at, kind, body) \
         SELECT ?1, ?2 + 1 + key, value ->> 0, value ->> 1, value ->> 2 FROM json_each(?3) ORDER BY key",
    )
    .bind(run.to_string())
    .bind(integer(after.0))
    .bind(rows)
    .execute(connection)
    .await
    .map(|done| Pos(u64::try_from(done.last_insert_rowid()).unwrap_or_default()))
}
