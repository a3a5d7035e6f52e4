//! Rebuilding: every row of `run` and `artifacts` computed anew from the log.
//!
//! What the log does not say is taken over from the old rows (owner, times, place in the queue, name of the transcript), and if
//! there are none, from what is known otherwise: an id carries the time at which it was minted.

use std::path::Path;

use jiff::Timestamp;
use jury_core::event::Event;
use jury_core::id::RunId;
use jury_core::run::{RunPhase, RunState, Subject, Wait};
use jury_core::unit::Millis;
use jury_core::workflow::{Workflow, WorkflowEvent as _, WorkflowState, dispatch};
use sqlx::sqlite::SqliteRow;
use sqlx::{Row as _, SqliteConnection};

use crate::append::follow;
use crate::artifact;
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
    let mut events = Vec::new();
    read::walk(connection, database, run, |_, record| events.push((record.at, record.event))).await?;
    let workflow = events.first().map(|(_, first)| first.workflow());
    let row = match workflow {
        Some(workflow) => {
            dispatch!(workflow, State => rows_of::<State>(connection, database, run, &events, old.as_ref()).await)?
        }
        None => return Ok(()),
    };
    if row.state != RunState::Ended {
        return Ok(());
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

/// Makes the rows that follow from a log.
async fn rows_of<W: WorkflowState>(
    connection: &mut SqliteConnection,
    database: &Path,
    run: RunId,
    events: &[(Millis, Event)],
    old: Option<&SqliteRow>,
) -> Result<RunRow, StoreError> {
    let events: Vec<(Millis, &Event, &W::Event)> =
        events.iter().filter_map(|(at, event)| Some((*at, event, W::Event::of(event)?))).collect();
    let subject = events.first().and_then(|(_, _, first)| W::queued(first));
    let subject = subject.ok_or_else(|| StoreError::Corrupt {
        path: database.to_owned(),
        what: format!("the log of run {run} does not begin with the event of a queue"),
    })?;
    let mut row = first(run, W::WORKFLOW, subject, old);
    for (at, event, fact) in events.iter().skip(1) {
        if row.started_at.is_none() && W::starts(fact) {
            row.claim(row.owner, row.created_at);
        }
        row.apply(*at, event);
    }
    let state = W::folded(events.iter().map(|(_, event, _)| *event));
    match state.phase() {
        // It was put back into the queue, which is where it was begun.
        RunPhase::Waiting(Wait::RateLimit) if row.owner.is_none() => row.state = RunState::Queued,
        RunPhase::Running if W::RESUMABLE && row.state == RunState::Running && row.owner.is_none() => {
            let queued = old.and_then(|old| old.try_get::<&str, _>("state").ok());
            if queued == Some(RunState::Queued.as_str()) {
                // It was resumed and waits for a worker, which the log does not say.
                row.state = RunState::Queued;
            } else {
                // Between two steps nobody drives it.
                row.pause();
            }
        }
        RunPhase::Running | RunPhase::Waiting(_) | RunPhase::Ended(_) => {}
    }
    artifact::begin(connection, &row).await.map_err(sql(database))?;
    let events: Vec<(Millis, &W::Event)> = events.iter().map(|(at, _, event)| (*at, *event)).collect();
    follow(connection, &mut row, W::default(), &events).await.map_err(sql(database))?;
    Ok(row)
}

fn first(run: RunId, workflow: Workflow, subject: Subject, old: Option<&SqliteRow>) -> RunRow {
    let moment = |column| {
        old.and_then(|old| old.try_get::<Option<i64>, _>(column).ok().flatten())
            .and_then(|millis| Timestamp::from_millisecond(millis).ok())
    };
    let owner = old
        .and_then(|old| old.try_get::<Option<&str>, _>("owner").ok().flatten())
        .and_then(|owner| owner.parse().ok());
    let created_at = moment("created_at").unwrap_or_else(|| minted_at(run));
    let mut row = RunRow::new(run, workflow, subject, owner, created_at);
    if let Some(started_at) = moment("started_at") {
        row.claim(owner, started_at);
    }
    row
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
