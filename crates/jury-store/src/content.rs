//! Runs of the content pipeline beside their logs: which one is at work on what, and who takes it up.

use jury_core::id::RunId;
use jury_core::unit::Seq;
use sqlx::SqliteConnection;

use crate::error::{Conflict, StoreError, sql};
use crate::owner::OwnerId;
use crate::row::{RunRow, integer, run_columns};
use crate::store::Store;

impl Store {
    /// The run that is at work on an idea and a kind of content, or waits to be taken up; see
    /// [`ContentRequest::subject`](jury_core::content::ContentRequest::subject).
    pub async fn active_content(&self, subject: &str) -> Result<Option<RunRow>, StoreError> {
        let mut reader = self.reader().await?;
        let row = active(&mut reader, subject).await.map_err(sql(self.layout().database()))?;
        reader.keep();
        Ok(row)
    }

    /// Lets a run go that its owner drives and knows up to its last event. One that has gone on since, has ended or is
    /// another's stays as it is.
    pub async fn release_content(&self, run: RunId, owner: OwnerId, head: Seq) -> Result<(), StoreError> {
        let database = self.layout().database().to_owned();
        self.write(move |connection| {
            Box::pin(async move {
                sqlx::query(
                    "UPDATE run SET state = 'waiting', owner = NULL WHERE id = ?1 AND owner = ?2 \
                     AND head_seq = ?3 AND state = 'running' AND workflow = 'content'",
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

    /// Puts a run that waits into the queue, where whoever has a free place finds it.
    pub async fn requeue_content(&self, run: RunId) -> Result<(), StoreError> {
        let database = self.layout().database().to_owned();
        self.write(move |connection| {
            Box::pin(async move {
                let done = sqlx::query(
                    "UPDATE run SET state = 'queued' WHERE id = ?1 AND state = 'waiting' AND workflow = 'content'",
                )
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

pub(crate) async fn active(connection: &mut SqliteConnection, subject: &str) -> sqlx::Result<Option<RunRow>> {
    sqlx::query(concat!(
        "SELECT ",
        run_columns!(),
        " FROM run WHERE title = ?1 AND workflow = 'content' AND state <> 'ended'"
    ))
    .bind(subject)
    .fetch_optional(connection)
    .await?
    .map(|row| RunRow::read(&row))
    .transpose()
}
