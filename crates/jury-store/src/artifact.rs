//! The row that is left of a run: what the `artifacts` table says about it once it has ended.

use jury_core::run::Outcome;
use jury_core::workflow::ArtifactColumns;
use sqlx::SqliteConnection;

use crate::row::RunRow;

/// Writes the row of an artifact whose run was asked for.
pub(crate) async fn begin(connection: &mut SqliteConnection, row: &RunRow) -> sqlx::Result<()> {
    sqlx::query(
        "INSERT INTO artifacts (id, project_id, run_id, title, created_at) VALUES (?1, ?2, ?3, ?4, ?5)",
    )
    .bind(row.artifact.to_string())
    .bind(row.project.to_string())
    .bind(row.run.to_string())
    .bind(&row.title)
    .bind(row.created_at.as_millisecond())
    .execute(connection)
    .await
    .map(drop)
}

/// Fills the row in: its run has ended.
pub(crate) async fn fill(
    connection: &mut SqliteConnection,
    row: &RunRow,
    columns: &ArtifactColumns,
) -> sqlx::Result<()> {
    sqlx::query(
        "UPDATE artifacts SET critique_score = ?2, critique_rounds_json = ?3, critique_status = ?4, \
         critique_protocol_version = ?5 WHERE id = ?1",
    )
    .bind(row.artifact.to_string())
    .bind(row.summary.score.map(|score| score.0))
    .bind(&columns.rounds_json)
    .bind(row.summary.status.map(Outcome::as_str))
    .bind(columns.protocol_version)
    .execute(connection)
    .await
    .map(drop)
}
