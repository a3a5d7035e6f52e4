//! Runs of the content pipeline by what they are about, the newest first.

use jury_core::content::{ContentState, ContentType, IdeaId};
use jury_core::workflow::WorkflowState as _;

use crate::error::{StoreError, sql};
use crate::row::{RunRow, run_columns};
use crate::store::Store;

impl Store {
    /// The runs of an idea and a kind of content, the newest first; of all where one is not said.
    pub async fn content_runs(
        &self,
        idea: Option<&IdeaId>,
        content_type: Option<&ContentType>,
        limit: u32,
    ) -> Result<Vec<RunRow>, StoreError> {
        let fail = sql(self.layout().database());
        let mut reader = self.reader().await?;
        // A name has no slash in it, so the title says exactly what it is about.
        let rows = sqlx::query(concat!(
            "SELECT ",
            run_columns!(),
            " FROM run WHERE workflow = ?4 \
             AND (?1 IS NULL OR substr(title, 1, length(?1) + 1) = ?1 || '/') \
             AND (?2 IS NULL OR substr(title, -length(?2) - 1) = '/' || ?2) \
             ORDER BY created_at DESC, id DESC LIMIT ?3"
        ))
        .bind(idea.map(IdeaId::as_str))
        .bind(content_type.map(ContentType::as_str))
        .bind(limit)
        .bind(ContentState::WORKFLOW.as_str())
        .fetch_all(&mut *reader)
        .await
        .map_err(fail)?;
        reader.keep();
        rows.iter().map(RunRow::read).collect::<sqlx::Result<_>>().map_err(fail)
    }
}
