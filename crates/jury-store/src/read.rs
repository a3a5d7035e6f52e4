//! Reading: the log by cursor, runs by filter, a run by the beginning of its id.

use std::path::Path;

use jury_core::event::Event;
use jury_core::id::{AgentId, ArtifactId, ProjectId, RunId};
use jury_core::record::Record;
use jury_core::run::{Outcome, RunState};
use jury_core::unit::{Millis, Pos, Seq};
use jury_core::workflow::{Workflow, WorkflowEvent as _, WorkflowState};
use sqlx::sqlite::SqliteRow;
use sqlx::{Row as _, SqliteConnection};

use crate::error::{StoreError, sql};
use crate::row::{ArtifactRow, RunRow, integer, natural, run_columns};
use crate::store::Store;

/// How many events are in memory at once where a log is walked.
pub(crate) const PAGE: u32 = 256;

/// How many of the runs that a beginning fits are named.
const NAMED: i64 = 3;

/// Which runs are wanted. The default is all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunFilter {
    /// Only those of this way of reviewing.
    pub workflow: Option<Workflow>,
    /// Only those that ended like this.
    pub status: Option<Outcome>,
    /// Only those that stand like this.
    pub state: Option<RunState>,
    /// Only those of this agent.
    pub agent: Option<AgentId>,
    /// Only those of this project.
    pub project: Option<ProjectId>,
    /// Only those with this in their title, whatever its case.
    pub text: Option<String>,
    /// Only those that were asked for before this one.
    pub before: Option<RunId>,
    /// At most so many.
    pub limit: Option<u32>,
}

impl Store {
    /// The events of a run after a number, at most so many, with their positions in the store. Empty at
    /// the end of the log, and for a run that is not there.
    pub async fn events(&self, run: RunId, after: Seq, limit: u32) -> Result<Vec<(Pos, Record)>, StoreError> {
        let mut reader = self.reader().await?;
        let events = page(&mut reader, self.layout().database(), run, after, limit).await?;
        reader.keep();
        Ok(events)
    }

    /// The whole log of a run.
    pub async fn records(&self, run: RunId) -> Result<Vec<Record>, StoreError> {
        let mut reader = self.reader().await?;
        let mut records = Vec::new();
        let database = self.layout().database();
        walk(&mut reader, database, run, |_, record| records.push(record)).await?;
        reader.keep();
        Ok(records)
    }

    /// The state of a run, folded from its log.
    pub async fn state<W: WorkflowState>(&self, run: RunId) -> Result<W, StoreError> {
        let mut reader = self.reader().await?;
        let mut state = W::default();
        walk(&mut reader, self.layout().database(), run, |_, record| {
            if let Some(event) = W::Event::of(&record.event) {
                state.apply(event);
            }
        })
        .await?;
        reader.keep();
        Ok(state)
    }

    /// A run and its state as they stood after so many of its events: the same folds over the beginning of its log.
    pub async fn run_at<W: WorkflowState>(
        &self,
        now: &RunRow,
        events: Seq,
    ) -> Result<(RunRow, W), StoreError> {
        let mut reader = self.reader().await?;
        let mut state = W::default();
        let mut row = now.before_its_log();
        let database = self.layout().database();
        while row.head < events {
            let left = u32::try_from(events.0 - row.head.0).unwrap_or(PAGE).min(PAGE);
            let records = page(&mut reader, database, now.run, row.head, left).await?;
            if records.is_empty() {
                break;
            }
            for (_, record) in records {
                row.apply(record.at, &record.event);
                if let Some(event) = W::Event::of(&record.event) {
                    state.apply(event);
                }
            }
        }
        reader.keep();
        row.follow(&state);
        if row.state == RunState::Queued {
            row.started_at = None;
        }
        Ok((row, state))
    }

    /// A run, if there is one with this id.
    pub async fn run(&self, run: RunId) -> Result<Option<RunRow>, StoreError> {
        let mut reader = self.reader().await?;
        let row = RunRow::load(&mut reader, run).await.map_err(sql(self.layout().database()))?;
        reader.keep();
        Ok(row)
    }

    /// An artifact, if there is one with this id.
    pub async fn artifact(&self, artifact: ArtifactId) -> Result<Option<ArtifactRow>, StoreError> {
        let fail = sql(self.layout().database());
        let mut reader = self.reader().await?;
        let row = sqlx::query("SELECT * FROM artifacts WHERE id = ?1")
            .bind(artifact.to_string())
            .fetch_optional(&mut *reader)
            .await
            .map_err(fail)?;
        reader.keep();
        row.map(|row| ArtifactRow::read(&row)).transpose().map_err(fail)
    }

    /// Runs, the newest first.
    pub async fn runs(&self, filter: &RunFilter) -> Result<Vec<RunRow>, StoreError> {
        let fail = sql(self.layout().database());
        let mut reader = self.reader().await?;
        // A project's history has an index of its own, which only a plain equality finds.
        let query = if filter.project.is_some() {
            concat!(
                "SELECT ",
                run_columns!(),
                " FROM run WHERE project = ?4 AND (?1 IS NULL OR status = ?1) \
             AND (?2 IS NULL OR state = ?2) AND (?3 IS NULL OR agent = ?3) \
             AND (?6 IS NULL OR title LIKE ?6 ESCAPE '\\') AND (?8 IS NULL OR workflow = ?8) \
             AND (?7 IS NULL OR (created_at, id) < (SELECT created_at, id FROM run WHERE id = ?7)) \
             ORDER BY created_at DESC, id DESC LIMIT ?5"
            )
        } else {
            concat!(
                "SELECT ",
                run_columns!(),
                " FROM run WHERE ?4 IS NULL AND (?1 IS NULL OR status = ?1) \
             AND (?2 IS NULL OR state = ?2) AND (?3 IS NULL OR agent = ?3) \
             AND (?6 IS NULL OR title LIKE ?6 ESCAPE '\\') AND (?8 IS NULL OR workflow = ?8) \
             AND (?7 IS NULL OR (created_at, id) < (SELECT created_at, id FROM run WHERE id = ?7)) \
             ORDER BY created_at DESC, id DESC LIMIT ?5"
            )
        };
        let rows = sqlx::query(query)
            .bind(filter.status.map(Outcome::as_str))
            .bind(filter.state.map(RunState::as_str))
            .bind(filter.agent.as_ref().map(ToString::to_string))
            .bind(filter.project.as_ref().map(ToString::to_string))
            .bind(filter.limit.map_or(-1, i64::from))
            .bind(filter.text.as_deref().map(pattern))
            .bind(filter.before.map(|run| run.to_string()))
            .bind(filter.workflow.map(Workflow::as_str))
            .fetch_all(&mut *reader)
            .await
            .map_err(fail)?;
        reader.keep();
        rows.iter().map(RunRow::read).collect::<sqlx::Result<_>>().map_err(fail)
    }

    /// The run that a person means: `last`, an id, or as much of its beginning as tells it apart.
    pub async fn find_run(&self, given: &str) -> Result<RunId, StoreError> {
        let unknown = || StoreError::NoSuchRun(given.to_owned());
        if given == "last" {
            let filter = RunFilter { limit: Some(1), ..RunFilter::default() };
            return self.runs(&filter).await?.first().map(|row| row.run).ok_or_else(unknown);
        }
        let beginning = given.to_ascii_lowercase();
        let could_be_an_id =
            !beginning.is_empty() && beginning.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f' | b'-'));
        if !could_be_an_id {
            return Err(unknown());
        }
        let fail = sql(self.layout().database());
        let mut reader = self.reader().await?;
        // 'g' follows every character of an id, so this range is the ids with the beginning.
        let ids: Vec<String> = sqlx::query_scalar(
            "SELECT id FROM run WHERE id >= ?1 AND id < ?1 || 'g' ORDER BY id DESC LIMIT ?2",
        )
        .bind(&beginning)
        .bind(NAMED)
        .fetch_all(&mut *reader)
        .await
        .map_err(fail)?;
        reader.keep();
        let fits: Vec<RunId> = ids.iter().filter_map(|id| id.parse().ok()).collect();
        match fits.as_slice() {
            [] => Err(unknown()),
            [run] => Ok(*run),
            _ => Err(StoreError::Ambiguous { given: given.to_owned(), fits }),
        }
    }
}

/// What LIKE needs to find a text anywhere.
fn pattern(text: &str) -> String {
    let mut pattern = String::from("%");
    for c in text.chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern.push('%');
    pattern
}

/// One page of a log.
pub(crate) async fn page(
    connection: &mut SqliteConnection,
    database: &Path,
    run: RunId,
    after: Seq,
    limit: u32,
) -> Result<Vec<(Pos, Record)>, StoreError> {
    let rows =
        sqlx::query("SELECT pos, seq, at, body FROM event WHERE run = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3")
            .bind(run.to_string())
            .bind(integer(after.0))
            .bind(limit)
            .fetch_all(connection)
            .await
            .map_err(sql(database))?;
    rows.iter().map(|row| read(row, database, run)).collect()
}

/// Shows every event of a log, in order, with no more than a page in memory.
pub(crate) async fn walk(
    connection: &mut SqliteConnection,
    database: &Path,
    run: RunId,
    mut each: impl FnMut(Pos, Record),
) -> Result<(), StoreError> {
    let mut after = Seq(0);
    loop {
        let events = page(connection, database, run, after, PAGE).await?;
        let Some((_, last)) = events.last() else {
            return Ok(());
        };
        after = last.seq;
        for (pos, record) in events {
            each(pos, record);
        }
    }
}

/// Where an event stands in the store.
pub(crate) async fn position(connection: &mut SqliteConnection, run: RunId, seq: Seq) -> sqlx::Result<Pos> {
    let row = sqlx::query("SELECT pos FROM event WHERE run = ?1 AND seq = ?2")
        .bind(run.to_string())
        .bind(integer(seq.0))
        .fetch_one(connection)
        .await?;
    natural(&row, "pos").map(Pos)
}

/// Bodies of older versions are brought up to date here, where they are read, and never rewritten.
pub(crate) fn read(row: &SqliteRow, database: &Path, run: RunId) -> Result<(Pos, Record), StoreError> {
    let fail = sql(database);
    let seq = Seq(natural(row, "seq").map_err(fail)?);
    let body: &str = row.try_get("body").map_err(fail)?;
    let event: Event = serde_json::from_str(body).map_err(|error| StoreError::Corrupt {
        path: database.to_owned(),
        what: format!("event {seq} of run {run}: {error}"),
    })?;
    let record = Record { seq, at: Millis(natural(row, "at").map_err(fail)?), run_id: run, event };
    Ok((Pos(natural(row, "pos").map_err(fail)?), record))
}
