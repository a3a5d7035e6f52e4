//! Rebuilding: every row of `run` and `artifacts` computed anew from the log.
//!
//! What the log does not say is taken over from the old rows (owner, times, place in the queue, name of the transcript), and if
//! there are none, from what is known otherwise: an id carries the time at which it was minted.

use std::path::Path;

use jiff::Timestamp;
use jury_core::content::{ContentEvent, Studio};
use jury_core::critic::{CriticEvent, Docket, Standing};
use jury_core::event::Event;
use jury_core::id::RunId;
use jury_core::judge::{JudgeEvent, Sitting, Standing as JudgeStanding};
use jury_core::outcome::RunState;
use jury_core::theater::Board;
use jury_core::workflow::Workflow;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row as _, SqliteConnection};

use crate::artifact;
use crate::decision;
use crate::error::{StoreError, sql};
use crate::layout::{Layout, TranscriptForm};
use crate::read;
use crate::row::RunRow;
use crate::store::{Store, begin};

impl Store {
    /// Rebuilds all rows from the log, in one transaction, and says how many runs there are. On a healthy
    /// store nothing changes.
    pub async fn reindex(&self) -> Result<u64, StoreError> {
        let fail = sql(self.layout().database());
        let mut writer = self.writer().await?;
        let mut transaction = begin(&mut writer).await.map_err(fail)?;
        sqlx::raw_sql(
            "CREATE TEMP TABLE old_run AS SELECT id, state, owner, created_at, started_at FROM run; \
             CREATE TEMP TABLE old_artifacts AS SELECT run_id, critique_transcript_path FROM artifacts \
             WHERE run_id IS NOT NULL; \
             DELETE FROM artifacts WHERE run_id IS NOT NULL; \
             DELETE FROM run;",
        )
        .execute(&mut *transaction)
        .await
        .map_err(fail)?;
        let runs: Vec<String> = sqlx::query_scalar("SELECT DISTINCT run FROM event")
            .fetch_all(&mut *transaction)
            .await
            .map_err(fail)?;
        for id in &runs {
            let run = id.parse().map_err(|_| StoreError::Corrupt {
                path: self.layout().database().to_owned(),
                what: format!("'{id}' is not a run id"),
            })?;
            rebuild(&mut transaction, self.layout(), run).await?;
        }
        sqlx::raw_sql("DROP TABLE temp.old_run; DROP TABLE temp.old_artifacts;")
            .execute(&mut *transaction)
            .await
            .map_err(fail)?;
        transaction.commit().await.map_err(fail)?;
        writer.keep();
        Ok(runs.len() as u64)
    }
}

async fn rebuild(connection: &mut SqliteConnection, layout: &Layout, run: RunId) -> Result<(), StoreError> {
    let database = layout.database();
    let fail = sql(database);
    let old = sqlx::query("SELECT state, owner, created_at, started_at FROM temp.old_run WHERE id = ?1")
        .bind(run.to_string())
        .fetch_optional(&mut *connection)
        .await
        .map_err(fail)?;
    let (row, board) = fold(connection, database, run, old.as_ref()).await?;
    let is_panel = row.workflow == Workflow::Theater;
    row.save(connection).await.map_err(fail)?;
    artifact::begin(connection, &row).await.map_err(fail)?;
    if matches!(row.workflow, Workflow::Critic | Workflow::Judge) {
        decision::rebuild(connection, database, &row).await?;
    }
    if row.state != RunState::Ended {
        return Ok(());
    }
    if is_panel {
        artifact::fill(connection, &row, &board).await.map_err(fail)?;
    }
    let name: Option<Option<String>> =
        sqlx::query_scalar("SELECT critique_transcript_path FROM temp.old_artifacts WHERE run_id = ?1")
            .bind(run.to_string())
            .fetch_optional(&mut *connection)
            .await
            .map_err(fail)?;
    // A transcript that is not there is written by the next recovery.
    let form = name
        .flatten()
        .and_then(|name| TranscriptForm::of_name(&name))
        .filter(|form| layout.transcript(row.artifact, *form).exists());
    sqlx::query("UPDATE artifacts SET critique_transcript_path = ?2 WHERE id = ?1")
        .bind(row.artifact.to_string())
        .bind(form.map(TranscriptForm::file_name))
        .execute(connection)
        .await
        .map(drop)
        .map_err(fail)
}

async fn fold(
    connection: &mut SqliteConnection,
    database: &Path,
    run: RunId,
    old: Option<&SqliteRow>,
) -> Result<(RunRow, Board), StoreError> {
    let mut row: Option<RunRow> = None;
    let mut board = Board::default();
    let (mut docket, mut sitting, mut studio) = (Docket::default(), Sitting::default(), Studio::default());
    read::walk(connection, database, run, |_, record| {
        board.apply(&record.event);
        if let Event::Critic(event) = &record.event {
            docket.apply(event);
        } else if let Event::Judge(event) = &record.event {
            sitting.apply(event);
        } else if let Event::Content(event) = &record.event {
            studio.apply(event);
        }
        match (&mut row, &record.event) {
            (None, event) => row = first(run, event, old),
            (Some(row), event) => {
                let starts = matches!(
                    event,
                    Event::RunStarted(_)
                        | Event::Critic(CriticEvent::RunStarted(_))
                        | Event::Judge(JudgeEvent::RunStarted(_))
                        | Event::Content(ContentEvent::RunStarted(_))
                );
                if row.started_at.is_none() && starts {
                    row.claim(row.owner, row.created_at);
                }
                row.apply(record.at, event);
            }
        }
    })
    .await?;
    let mut row = row.ok_or_else(|| StoreError::Corrupt {
        path: database.to_owned(),
        what: format!(
            "the log of run {run} does not begin with critique.queued, critic.queued, judge.queued or \
             content.queued"
        ),
    })?;
    if docket.standing() == Standing::Escalated || sitting.standing() == JudgeStanding::Disputed {
        row.pause();
    } else if sitting.standing() == JudgeStanding::Throttled && row.owner.is_none() {
        // It was put back into the queue, which is where it was begun.
        row.state = RunState::Queued;
    }
    if row.workflow == Workflow::Content {
        row.follow(&studio);
        if row.state == RunState::Running && row.owner.is_none() {
            let state = old.and_then(|old| old.try_get::<&str, _>("state").ok());
            if state == Some(RunState::Queued.as_str()) {
                // It was taken up and waits for a place, which the log does not say.
                row.state = RunState::Queued;
            } else {
                // Between two steps nobody drives it.
                row.pause();
            }
        }
    }
    Ok((row, board))
}

fn first(run: RunId, event: &Event, old: Option<&SqliteRow>) -> Option<RunRow> {
    let moment = |column| {
        old.and_then(|old| old.try_get::<Option<i64>, _>(column).ok().flatten())
            .and_then(|millis| Timestamp::from_millisecond(millis).ok())
    };
    let owner = old
        .and_then(|old| old.try_get::<Option<&str>, _>("owner").ok().flatten())
        .and_then(|owner| owner.parse().ok());
    let created_at = moment("created_at").unwrap_or_else(|| minted_at(run));
    let mut row = RunRow::asked_for(run, event, owner, created_at)?;
    if let Some(started_at) = moment("started_at") {
        row.claim(owner, started_at);
    }
    Some(row)
}

fn minted_at(run: RunId) -> Timestamp {
    run.0
        .get_timestamp()
        .and_then(|stamp| {
            let (seconds, nanos) = stamp.to_unix();
            Timestamp::new(seconds.cast_signed(), nanos.cast_signed()).ok()
        })
        .unwrap_or(Timestamp::UNIX_EPOCH)
}
