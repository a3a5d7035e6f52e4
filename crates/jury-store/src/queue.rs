//! The queue: runs that wait for whoever has a free place. It is the table of runs, seen through an index.

use jury_core::id::{ProjectId, RunId};
use jury_core::unit::Seq;
use jury_core::workflow::{Workflow, WorkflowState};
use sqlx::SqliteConnection;

use crate::error::{Conflict, StoreError, sql};
use crate::owner::OwnerId;
use crate::row::{RunRow, integer, parsed, run_columns};
use crate::store::Store;

impl Store {
    /// The run that waits longest in each project, by project. A run of the judge is among them once a person has settled
    /// it; one that waits for the throttle has a moment of its own, and those who drain them know it. It costs a step per project, however long the
    /// queues are: SQLite has no skip scan, so the walk over the index is written out.
    pub async fn waiting(&self) -> Result<Vec<(ProjectId, RunId)>, StoreError> {
        let fail = sql(self.layout().database());
        let mut reader = self.reader().await?;
        let rows = sqlx::query(
            "WITH RECURSIVE line (project) AS ( \
                 SELECT min(project) FROM run WHERE state = 'queued' AND owner IS NULL \
                     AND (workflow <> 'judge' OR EXISTS (SELECT 1 FROM decision WHERE decision.run = run.id)) \
                 UNION ALL \
                 SELECT (SELECT min(project) FROM run \
                         WHERE state = 'queued' AND owner IS NULL AND run.project > line.project \
                         AND (workflow <> 'judge' OR EXISTS (SELECT 1 FROM decision WHERE decision.run = run.id))) \
                 FROM line WHERE line.project IS NOT NULL \
             ) \
             SELECT project, (SELECT id FROM run \
                 WHERE state = 'queued' AND owner IS NULL AND run.project = line.project \
                 AND (workflow <> 'judge' OR EXISTS (SELECT 1 FROM decision WHERE decision.run = run.id)) \
                 ORDER BY created_at, id LIMIT 1) AS id \
             FROM line WHERE project IS NOT NULL",
        )
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

    /// Puts a run that waits into the queue.
    pub async fn requeue(&self, run: RunId) -> Result<(), StoreError> {
        let database = self.layout().database().to_owned();
        self.write(move |connection| {
            Box::pin(async move {
                let done = sqlx::query("UPDATE run SET state = 'queued' WHERE id = ?1 AND state = 'waiting'")
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
