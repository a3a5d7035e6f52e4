//! The queue: runs that wait for whoever has a free place. It is the table of runs, seen through an index.

use jury_core::id::{ProjectId, RunId};

use crate::error::{StoreError, sql};
use crate::row::parsed;
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
}
