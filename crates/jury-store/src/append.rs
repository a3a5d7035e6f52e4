//! Writing: a run is asked for, taken by one owner, and grows by appending. There is no other write to the
//! log, and rows change in the transaction that appends.

use std::path::Path;

use jiff::Timestamp;
use jury_core::content::event::ContentQueued;
use jury_core::content::{ContentEvent, ContentRequest, Studio};
use jury_core::critic::{CriticEvent, CriticQueued, CriticRequest, Docket, Standing};
use jury_core::event::{Event, Queued};
use jury_core::id::{AgentId, ArtifactId, ProjectId, RunId, SkillId};
use jury_core::judge::{JudgeEvent, JudgeQueued, JudgeRequest, Sitting, Standing as JudgeStanding};
use jury_core::outcome::RunState;
use jury_core::request::RunRequest;
use jury_core::theater::Board;
use jury_core::unit::{Millis, Pos, Seq};
use jury_core::workflow::Workflow;
use sqlx::SqliteConnection;

use crate::artifact;
use crate::content;
use crate::decision;
use crate::error::{Conflict, StoreError, sql};
use crate::owner::OwnerId;
use crate::project;
use crate::read;
use crate::request;
use crate::row::{RunRow, integer};
use crate::store::Store;

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
        let queued = Queued {
            project_id: new.project,
            artifact_id: new.artifact,
            agent: new.agent,
            title: new.title,
            skill: new.skill,
        };
        let request = new.request.as_ref().map(serde_json::to_string).transpose();
        let request = request.map_err(|error| self.unwritable(error))?;
        self.enqueue_as(new.run, Event::Queued(queued), request, owner, created_at).await
    }

    /// Puts a run of the critic into the queue, with what was asked for.
    pub async fn enqueue_critic(
        &self,
        run: RunId,
        queued: CriticQueued,
        request: &CriticRequest,
        owner: Option<OwnerId>,
        created_at: Timestamp,
    ) -> Result<Appended, StoreError> {
        let request = serde_json::to_string(request).map_err(|error| self.unwritable(error))?;
        let first = Event::Critic(CriticEvent::Queued(queued));
        self.enqueue_as(run, first, Some(request), owner, created_at).await
    }

    /// Puts a run of the judge into the queue, with what was asked for.
    pub async fn enqueue_judge(
        &self,
        run: RunId,
        queued: JudgeQueued,
        request: &JudgeRequest,
        owner: Option<OwnerId>,
        created_at: Timestamp,
    ) -> Result<Appended, StoreError> {
        let request = serde_json::to_string(request).map_err(|error| self.unwritable(error))?;
        let first = Event::Judge(JudgeEvent::Queued(queued));
        self.enqueue_as(run, first, Some(request), owner, created_at).await
    }

    /// Puts a run of the content pipeline into the queue, with what was asked for. Of the same idea and kind of content one
    /// goes on at a time: as long as there is one, this is a conflict with it ([`Conflict::Active`]).
    pub async fn enqueue_content(
        &self,
        run: RunId,
        queued: ContentQueued,
        request: &ContentRequest,
        owner: Option<OwnerId>,
        created_at: Timestamp,
    ) -> Result<Appended, StoreError> {
        let request = serde_json::to_string(request).map_err(|error| self.unwritable(error))?;
        let first = Event::Content(ContentEvent::Queued(queued));
        self.enqueue_as(run, first, Some(request), owner, created_at).await
    }

    fn unwritable(&self, error: serde_json::Error) -> StoreError {
        sql(self.layout().database())(sqlx::Error::Encode(error.into()))
    }

    async fn enqueue_as(
        &self,
        run: RunId,
        first: Event,
        request: Option<String>,
        owner: Option<OwnerId>,
        created_at: Timestamp,
    ) -> Result<Appended, StoreError> {
        let database = self.layout().database().to_owned();
        let new = Newcomer { run, first, request, owner, created_at };
        let pos = self
            .write(move |connection| Box::pin(async move { enqueue(connection, &database, new).await }))
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
        let database = self.layout().database().to_owned();
        // What is in the log does not change, so what rows need of it is prepared before anybody waits for it.
        let before = match events.iter().find(|(_, event)| matters(event)) {
            Some((_, Event::Critic(_))) => Some(Before::Docket(self.docket(run).await?)),
            Some((_, Event::Judge(_))) => Some(Before::Sitting(Box::new(self.sitting(run).await?))),
            Some((_, Event::Content(_))) => Some(Before::Studio(Box::new(self.studio(run).await?))),
            Some(_) => Some(Before::Board(self.board(run).await?)),
            None => None,
        };
        let batch = Batch { run, owner, expected, events: events.to_vec(), before };
        let appended = self
            .write(move |connection| Box::pin(async move { append(connection, &database, batch).await }))
            .await?;
        self.announce(appended.pos);
        Ok(appended)
    }
}

/// Events to be appended.
struct Batch {
    run: RunId,
    owner: Option<OwnerId>,
    expected: Seq,
    events: Vec<(Millis, Event)>,
    /// The state before them, if rows beside the run's own follow from them.
    before: Option<Before>,
}

/// A run before events.
enum Before {
    Board(Board),
    Docket(Docket),
    Sitting(Box<Sitting>),
    Studio(Box<Studio>),
}

/// Whether rows beside the run's own follow from an event: it ends the run, or a person is asked.
fn matters(event: &Event) -> bool {
    event.terminal().is_some()
        || matches!(
            event,
            Event::Critic(CriticEvent::Escalated(_) | CriticEvent::Answered(_))
                | Event::Judge(JudgeEvent::Disputed(_) | JudgeEvent::Settled(_))
                | Event::Content(
                    ContentEvent::NeedsHuman(_) | ContentEvent::Halted(_) | ContentEvent::Paused(_)
                )
        )
}

/// A run to be, as it is written down.
struct Newcomer {
    run: RunId,
    first: Event,
    request: Option<String>,
    owner: Option<OwnerId>,
    created_at: Timestamp,
}

async fn enqueue(
    connection: &mut SqliteConnection,
    database: &Path,
    new: Newcomer,
) -> Result<Pos, StoreError> {
    let fail = sql(database);
    let taken = |error: sqlx::Error| {
        if error.as_database_error().is_some_and(sqlx::error::DatabaseError::is_unique_violation) {
            StoreError::conflict(new.run, Conflict::Exists)
        } else {
            fail(error)
        }
    };
    let Some(row) = RunRow::asked_for(new.run, &new.first, new.owner, new.created_at) else {
        return Err(StoreError::conflict(new.run, Conflict::Exists));
    };
    if RunRow::load(connection, new.run).await.map_err(fail)?.is_some() {
        return Err(StoreError::conflict(new.run, Conflict::Exists));
    }
    if row.workflow == Workflow::Content
        && let Some(active) = content::active(connection, &row.title).await.map_err(fail)?
    {
        return Err(StoreError::conflict(active.run, Conflict::Active));
    }
    let first = [(Millis(0), new.first)];
    let pos = insert(connection, new.run, Seq(0), &first).await.map_err(taken)?;
    row.save(connection).await.map_err(taken)?;
    artifact::begin(connection, &row).await.map_err(taken)?;
    project::ensure(connection, &row.project, new.created_at).await.map_err(fail)?;
    if let Some(request) = &new.request {
        request::save(connection, new.run, request).await.map_err(fail)?;
    }
    Ok(pos)
}

async fn append(
    connection: &mut SqliteConnection,
    database: &Path,
    batch: Batch,
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
        if matches!(
            event,
            Event::Queued(_)
                | Event::Critic(CriticEvent::Queued(_))
                | Event::Judge(JudgeEvent::Queued(_))
                | Event::Content(ContentEvent::Queued(_))
        ) {
            return Err(StoreError::conflict(run, Conflict::Exists));
        }
        row.apply(*at, event);
    }
    if events.is_empty() {
        let pos = read::position(connection, run, row.head).await.map_err(fail)?;
        return Ok(Appended { head: row.head, pos });
    }
    let pos = insert(connection, run, expected, &events).await.map_err(fail)?;
    match before {
        None => row.save(connection).await.map_err(fail)?,
        Some(Before::Board(mut board)) => {
            row.save(connection).await.map_err(fail)?;
            for (_, event) in &events {
                board.apply(event);
            }
            artifact::fill(connection, &row, &board).await.map_err(fail)?;
        }
        Some(Before::Docket(before)) => {
            let docket = events.iter().fold(before.clone(), |mut docket, (_, event)| {
                if let Event::Critic(event) = event {
                    docket.apply(event);
                }
                docket
            });
            if docket.standing() == Standing::Escalated {
                row.pause();
            }
            row.save(connection).await.map_err(fail)?;
            decision::follow(connection, &row, &before, &events).await.map_err(fail)?;
            if row.state == RunState::Waiting {
                decision::requeue(connection, run).await.map_err(fail)?;
            }
        }
        Some(Before::Sitting(before)) => {
            let sitting = events.iter().fold(before.clone(), |mut sitting, (_, event)| {
                if let Event::Judge(event) = event {
                    sitting.apply(event);
                }
                sitting
            });
            if sitting.standing() == JudgeStanding::Disputed {
                row.pause();
            }
            row.save(connection).await.map_err(fail)?;
            decision::follow_judge(connection, &row, *before, &events).await.map_err(fail)?;
            if row.state == RunState::Waiting {
                decision::requeue(connection, run).await.map_err(fail)?;
            }
        }
        Some(Before::Studio(mut studio)) => {
            for (_, event) in &events {
                if let Event::Content(event) = event {
                    studio.apply(event);
                }
            }
            row.follow(&studio);
            row.save(connection).await.map_err(fail)?;
        }
    }
    Ok(Appended { head: row.head, pos })
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
