//! The queue: runs that wait for whoever has a free place. It is the table of runs, seen through an index.

use jiff::Timestamp;
use jury_core::id::{ProjectId, RunId};
use jury_core::unit::Seq;
use jury_core::workflow::{Workflow, WorkflowState};
use sqlx::SqliteConnection;

use crate::error::{Conflict, StoreError, sql};
use crate::owner::OwnerId;
use crate::row::{RunRow, integer, parsed, run_columns};
use crate::store::Store;

impl Store {
    /// The run that waits longest in each project, by project, of those that nothing holds back at this moment. It costs a
    /// step per project, however long the queues are: SQLite has no skip scan, so the walk over the index is written out.
    pub async fn waiting(&self, now: Timestamp) -> Result<Vec<(ProjectId, RunId)>, StoreError> {
        let fail = sql(self.layout().database());
        let mut reader = self.reader().await?;
        let rows = sqlx::query(
            "WITH RECURSIVE line (project) AS ( \
                 SELECT min(project) FROM run WHERE state = 'queued' AND owner IS NULL \
                     AND ifnull(not_before, 0) <= ?1 \
                 UNION ALL \
                 SELECT (SELECT min(project) FROM run \
                         WHERE state = 'queued' AND owner IS NULL AND run.project > line.project \
                         AND ifnull(not_before, 0) <= ?1) \
                 FROM line WHERE line.project IS NOT NULL \
             ) \
             SELECT project, (SELECT id FROM run \
                 WHERE state = 'queued' AND owner IS NULL AND run.project = line.project \
                 AND ifnull(not_before, 0) <= ?1 \
                 ORDER BY created_at, id LIMIT 1) AS id \
             FROM line WHERE project IS NOT NULL",
        )
        .bind(now.as_millisecond())
        .fetch_all(&mut *reader)
        .await
        .map_err(fail)?;
        reader.keep();
        rows.iter()
            .map(|row| Ok((parsed(row, "project")?, parsed(row, "id")?)))
            .collect::<sqlx::Result<_>>()
            .map_err(fail)
    }

    /// How many runs wait for a free place.
    pub async fn waiting_count(&self) -> Result<u64, StoreError> {
        let fail = sql(self.layout().database());
        let mut reader = self.reader().await?;
        let count: i64 =
            sqlx::query_scalar("SELECT count(*) FROM run WHERE state = 'queued' AND owner IS NULL")
                .fetch_one(&mut *reader)
                .await
                .map_err(fail)?;
        reader.keep();
        Ok(u64::try_from(count).unwrap_or_default())
    }

    /// The run with this title that has not ended, in a workflow with [one at a time](WorkflowState::EXCLUSIVE).
    pub async fn active<W: WorkflowState>(&self, title: &str) -> Result<Option<RunRow>, StoreError> {
        let mut reader = self.reader().await?;
        let row = active(&mut reader, W::WORKFLOW, title).await.map_err(sql(self.layout().database()))?;
        reader.keep();
        Ok(row)
    }

    /// Lets a run go that its owner drives and knows up to its last event. One that has gone on since, has ended or is
    /// another's stays as it is.
    pub async fn release(&self, run: RunId, owner: OwnerId, head: Seq) -> Result<(), StoreError> {
        let database = self.layout().database().to_owned();
        self.write(move |connection| {
            Box::pin(async move {
                sqlx::query(
                    "UPDATE run SET state = 'waiting', owner = NULL WHERE id = ?1 AND owner = ?2 \
                     AND head_seq = ?3 AND state = 'running'",
                )
                .bind(run.to_string())
                .bind(owner.to_string())
                .bind(integer(head.0))
                .execute(connection)
                .await
                .map(drop)
                .map_err(sql(&database))
            })
        })
        .await
    }

    /// Puts a run back into the queue in the name of whoever drives it, or of nobody, where it is held back until a moment.
    pub async fn put_back(
        &self,
        run: RunId,
        owner: Option<OwnerId>,
        not_before: Option<Timestamp>,
    ) -> Result<(), StoreError> {
        let database = self.layout().database().to_owned();
        self.write(move |connection| {
            Box::pin(async move {
                sqlx::query(
                    "UPDATE run SET state = 'queued', owner = NULL, not_before = ?3 \
                     WHERE id = ?1 AND owner IS ?2 AND state <> 'ended'",
                )
                .bind(run.to_string())
                .bind(owner.map(|owner| owner.to_string()))
                .bind(not_before.map(Timestamp::as_millisecond))
                .execute(connection)
                .await
                .map(drop)
                .map_err(sql(&database))
            })
        })
        .await
    }

    /// Puts a run that waits into the queue.
    pub async fn requeue(&self, run: RunId) -> Result<(), StoreError> {
        let database = self.layout().database().to_owned();
        self.write(move |connection| {
            Box::pin(async move {
                let query =
                    "UPDATE run SET state = 'queued', not_before = NULL WHERE id = ?1 AND state = 'waiting'";
                let done = sqlx::query(query)
                    .bind(run.to_string())
                    .execute(connection)
                    .await
                    .map_err(sql(&database))?;
                if done.rows_affected() == 0 {
                    return Err(StoreError::conflict(run, Conflict::NotQueued));
                }
                Ok(())
            })
        })
        .await
    }
}

pub(crate) async fn active(
    connection: &mut SqliteConnection,
    workflow: Workflow,
    title: &str,
) -> sqlx::Result<Option<RunRow>> {
    sqlx::query(concat!(
        "SELECT ",
        run_columns!(),
        " FROM run WHERE title = ?1 AND workflow = ?2 AND state <> 'ended'"
    ))
    .bind(title)
    .bind(workflow.as_str())
    .fetch_optional(connection)
    .await?
    .map(|row| RunRow::read(&row))
    .transpose()
}
