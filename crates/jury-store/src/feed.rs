//! The log across runs, by position: what live streams read.

use jury_core::id::{ProjectId, RunId};
use jury_core::record::Record;
use jury_core::unit::Pos;
use sqlx::sqlite::SqliteRow;

use crate::error::{StoreError, sql};
use crate::read;
use crate::row::{integer, parsed};
use crate::store::Store;

/// An event in its place among the events of all runs.
#[derive(Debug, Clone, PartialEq)]
pub struct FeedEntry {
    /// Where it stands in the store.
    pub pos: Pos,
    /// Whose run it belongs to.
    pub project: ProjectId,
    /// The event, in its place within its run.
    pub record: Record,
}

impl Store {
    /// The position of the last event of all.
    pub async fn head(&self) -> Result<Pos, StoreError> {
        let fail = sql(self.layout().database());
        let mut reader = self.reader().await?;
        let head: Option<i64> =
            sqlx::query_scalar("SELECT max(pos) FROM event").fetch_one(&mut *reader).await.map_err(fail)?;
        reader.keep();
        Ok(Pos(head.and_then(|head| u64::try_from(head).ok()).unwrap_or_default()))
    }

    /// The events of all runs after a position, at most so many.
    pub async fn feed(&self, after: Pos, limit: u32) -> Result<Vec<FeedEntry>, StoreError> {
        let fail = sql(self.layout().database());
        let mut reader = self.reader().await?;
        let rows = sqlx::query(
            "SELECT event.*, run.project FROM event JOIN run ON run.id = event.run \
             WHERE event.pos > ?1 ORDER BY event.pos LIMIT ?2",
        )
        .bind(integer(after.0))
        .bind(limit)
        .fetch_all(&mut *reader)
        .await
        .map_err(fail)?;
        reader.keep();
        rows.iter().map(|row| self.entry(row)).collect()
    }

    /// The events of a project, or of one run of it, after a position, at most so many. Those of a run are
    /// found by its index; those of a project by walking the log from the position.
    pub async fn project_feed(
        &self,
        project: &ProjectId,
        run: Option<RunId>,
        after: Pos,
        limit: u32,
    ) -> Result<Vec<FeedEntry>, StoreError> {
        let fail = sql(self.layout().database());
        let mut reader = self.reader().await?;
        let query = match run {
            Some(run) => sqlx::query(
                "SELECT event.*, run.project FROM event JOIN run ON run.id = event.run \
                 WHERE event.run = ?4 AND event.pos > ?1 AND run.project = ?3 ORDER BY event.seq LIMIT ?2",
            )
            .bind(integer(after.0))
            .bind(limit)
            .bind(project.as_str())
            .bind(run.to_string()),
            None => sqlx::query(
                "SELECT event.*, run.project FROM event CROSS JOIN run ON run.id = event.run \
                 WHERE event.pos > ?1 AND run.project = ?3 ORDER BY event.pos LIMIT ?2",
            )
            .bind(integer(after.0))
            .bind(limit)
            .bind(project.as_str()),
        };
        let rows = query.fetch_all(&mut *reader).await.map_err(fail)?;
        reader.keep();
        rows.iter().map(|row| self.entry(row)).collect()
    }

    /// The position before everything that is still going on in a project: a reader who begins there has
    /// the whole of every run that has not ended. The end of the log if nothing is going on.
    pub async fn before_unfinished(&self, project: &ProjectId) -> Result<Pos, StoreError> {
        let fail = sql(self.layout().database());
        let mut reader = self.reader().await?;
        let first: Option<i64> = sqlx::query_scalar(
            "SELECT min(event.pos) FROM run JOIN event ON event.run = run.id AND event.seq = 1 \
             WHERE run.state <> 'ended' AND run.project = ?1",
        )
        .bind(project.as_str())
        .fetch_one(&mut *reader)
        .await
        .map_err(fail)?;
        reader.keep();
        match first.and_then(|first| u64::try_from(first).ok()) {
            Some(first) => Ok(Pos(first.saturating_sub(1))),
            None => self.head().await,
        }
    }

    fn entry(&self, row: &SqliteRow) -> Result<FeedEntry, StoreError> {
        let database = self.layout().database();
        let fail = sql(database);
        let run: RunId = parsed(row, "run").map_err(fail)?;
        let project: ProjectId = parsed(row, "project").map_err(fail)?;
        let (pos, record) = read::read(row, database, run)?;
        Ok(FeedEntry { pos, project, record })
    }
}
