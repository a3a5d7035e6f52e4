//! Requests: what was asked of a run, kept beside its log.

use jury_core::id::RunId;
use jury_core::workflow::WorkflowState;
use sqlx::SqliteConnection;

use crate::error::{StoreError, sql};
use crate::store::Store;

impl Store {
    /// What was asked of a run. None if the run is not there, or was made without being asked for like this.
    pub async fn request<W: WorkflowState>(&self, run: RunId) -> Result<Option<W::Request>, StoreError> {
        let fail = sql(self.layout().database());
        let mut reader = self.reader().await?;
        let body: Option<String> = sqlx::query_scalar("SELECT body FROM run_request WHERE run = ?1")
            .bind(run.to_string())
            .fetch_optional(&mut *reader)
            .await
            .map_err(fail)?;
        reader.keep();
        body.map(|body| {
            serde_json::from_str(&body).map_err(|error| StoreError::Corrupt {
                path: self.layout().database().to_owned(),
                what: format!("the request of run {run}: {error}"),
            })
        })
        .transpose()
    }
}

pub(crate) async fn save(connection: &mut SqliteConnection, run: RunId, body: &str) -> sqlx::Result<()> {
    sqlx::query("INSERT INTO run_request (run, body) VALUES (?1, ?2)")
        .bind(run.to_string())
        .bind(body)
        .execute(connection)
        .await
        .map(drop)
}
