//! The row that is left of a run: what the `artifacts` table says about it once it has ended.

use jury_core::event::Event;
use jury_core::outcome::{DegradedReason, FailedCause, RecoveryReason, Status, TimeoutCause};
use jury_core::theater::Board;
use serde::Serialize;
use sqlx::SqliteConnection;

use crate::row::RunRow;

/// `critique_rounds_json`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Summary {
    rounds: Vec<RoundSummary>,
    /// What broke, took too long or kept the review from taking place.
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recovery_reason: Option<&'static str>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct RoundSummary {
    n: u32,
    composite: f64,
    must_fix: u32,
    decision: &'static str,
}

impl Summary {
    fn of(board: &Board) -> Self {
        let mut summary = Self {
            rounds: board
                .closed_rounds()
                .map(|(round, end)| RoundSummary {
                    n: round.round.0,
                    composite: end.composite.stored().0,
                    must_fix: end.must_fix,
                    decision: end.decision.as_str(),
                })
                .collect(),
            cause: None,
            recovery_reason: None,
        };
        match &board.ended {
            Some(Event::Ship(ship)) => summary.cause = ship.cause.map(TimeoutCause::as_str),
            Some(Event::Degraded(degraded)) => {
                summary.cause = Some(DegradedReason::as_str(degraded.reason));
            }
            Some(Event::Failed(failed)) => summary.cause = Some(FailedCause::as_str(failed.cause)),
            Some(Event::Interrupted(interrupted)) => {
                summary.recovery_reason = interrupted.recovery_reason.map(RecoveryReason::as_str);
            }
            _ => {}
        }
        summary
    }
}

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
pub(crate) async fn fill(connection: &mut SqliteConnection, row: &RunRow, board: &Board) -> sqlx::Result<()> {
    let summary =
        serde_json::to_string(&Summary::of(board)).map_err(|error| sqlx::Error::Encode(error.into()))?;
    sqlx::query(
        "UPDATE artifacts SET critique_score = ?2, critique_rounds_json = ?3, critique_status = ?4, \
         critique_protocol_version = ?5 WHERE id = ?1",
    )
    .bind(row.artifact.to_string())
    .bind(row.score.map(|score| score.0))
    .bind(summary)
    .bind(row.verdict().map(Status::as_str))
    .bind(board.started.as_ref().map(|started| started.protocol_version))
    .execute(connection)
    .await
    .map(drop)
}
