//! Requests: what was asked of a run, kept beside its log.

use jury_core::content::ContentRequest;
use jury_core::critic::CriticRequest;
use jury_core::id::RunId;
use jury_core::judge::JudgeRequest;
use jury_core::request::RunRequest;
use serde::de::DeserializeOwned;
use sqlx::SqliteConnection;

use crate::error::{StoreError, sql};
use crate::store::Store;

impl Store {
    /// What was asked of a run. None if the run is not there, or was made without being asked for like this.
    pub async fn request(&self, run: RunId) -> Result<Option<RunRequest>, StoreError> {
        self.request_as(run).await
    }

    /// What was asked of a run of the critic.
    pub async fn critic_request(&self, run: RunId) -> Result<Option<CriticRequest>, StoreError> {
        self.request_as(run).await
    }

    /// What was asked of a run of the judge.
    pub async fn judge_request(&self, run: RunId) -> Result<Option<JudgeRequest>, StoreError> {
        self.request_as(run).await
    }

    /// What was asked of a run of the content pipeline.
    pub async fn content_request(&self, run: RunId) -> Result<Option<ContentRequest>, StoreError> {
        self.request_as(run).await
    }

    async fn request_as<T: DeserializeOwned>(&self, run: RunId) -> Result<Option<T>, StoreError> {
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
