//! Decisions: what people are asked by runs that wait for them, and their answers until the run takes them up.
//!
//! A question comes out of the log. An answer is kept here first, so that nobody needs to drive the run in order to
//! answer; when the last one is there the run is in the queue again, and whoever claims it puts the answers into the log.

use std::path::Path;

use jiff::Timestamp;
use jury_core::critic::{Answer, DefaultAnswer, Question};
use jury_core::decision::{DecisionId, DecisionState, Given, InboxDecision, NOBODY};
use jury_core::id::RunId;
use jury_core::run::Wait;
use jury_core::unit::{Millis, Round};
use jury_core::workflow::{AnsweredQuestion, AskedQuestion, WorkflowState, dispatch};
use serde::de::DeserializeOwned;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row as _, SqliteConnection};

use crate::error::{Conflict, StoreError, sql};
use crate::owner::OwnerId;
use crate::row::{RunRow, moment, parsed};
use crate::store::Store;

/// What became of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct SettledDecision {
    /// The decision, with its answer.
    pub decision: InboxDecision,
    /// How many questions of the run are still open. None left: it is in the queue again.
    pub left: u32,
}

impl Store {
    /// What people are asked, the oldest first: all of it, or what is in this state, or of this run.
    pub async fn decisions(
        &self,
        state: Option<DecisionState>,
        run: Option<RunId>,
    ) -> Result<Vec<InboxDecision>, StoreError> {
        let fail = sql(self.layout().database());
        let mut reader = self.reader().await?;
        let query = "SELECT decision.*, run.workflow, run.project, run.title FROM decision \
                     JOIN run ON run.id = decision.run \
                     WHERE (?1 IS NULL OR decision.state = ?1) AND (?2 IS NULL OR decision.run = ?2) \
                     ORDER BY decision.asked_at, decision.run, decision.number";
        let rows = sqlx::query(query)
            .bind(state.map(DecisionState::as_str))
            .bind(run.map(|run| run.to_string()))
            .fetch_all(&mut *reader)
            .await
            .map_err(fail)?;
        reader.keep();
        rows.iter().map(decision).collect::<sqlx::Result<_>>().map_err(fail)
    }

    /// The question with this id.
    pub async fn decision(&self, id: &DecisionId) -> Result<Option<InboxDecision>, StoreError> {
        let fail = sql(self.layout().database());
        let mut reader = self.reader().await?;
        let found = find(&mut reader, id).await.map_err(fail)?;
        reader.keep();
        Ok(found)
    }

    /// Keeps an answer. The first one counts: a second is a conflict. With the last one its run is in the queue again.
    pub async fn answer(&self, id: &DecisionId, given: Given) -> Result<SettledDecision, StoreError> {
        let database = self.layout().database().to_owned();
        let id = id.clone();
        self.write(move |connection| Box::pin(async move { answer(connection, &database, &id, given).await }))
            .await
    }

    /// Sets the moment at which the questions of a run that are open now get their defaults.
    pub async fn answer_until(&self, run: RunId, moment: Timestamp) -> Result<(), StoreError> {
        let database = self.layout().database().to_owned();
        self.write(move |connection| {
            Box::pin(async move {
                sqlx::query("UPDATE decision SET answer_by = ?2 WHERE run = ?1 AND state = 'open'")
                    .bind(run.to_string())
                    .bind(moment.as_millisecond())
                    .execute(connection)
                    .await
                    .map(drop)
                    .map_err(sql(&database))
            })
        })
        .await
    }

    /// Answers for people who did not until their deadline, with the default of each question. Says whose.
    pub async fn answer_overdue(&self, now: Timestamp) -> Result<Vec<SettledDecision>, StoreError> {
        let open = self.decisions(Some(DecisionState::Open), None).await?;
        let mut settled = Vec::new();
        for decision in open.into_iter().filter(|decision| decision.answer_by.is_some_and(|by| by <= now)) {
            // A default is written down before anybody knows the options.
            let answer = match decision.default_answer {
                DefaultAnswer::Option(number) if has_option(&decision.question, number) => {
                    Answer::Option(number)
                }
                DefaultAnswer::Option(_) | DefaultAnswer::Skip => Answer::Skip,
            };
            match self.answer(&decision.id, Given { answer, by: NOBODY.to_owned(), at: now }).await {
                Ok(done) => settled.push(done),
                // Somebody was faster.
                Err(error) if error.is_conflict() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(settled)
    }

    /// Gives back a run that waits. One that waits to be resumed does so; any other is in the queue as soon as its answers
    /// are there. A caller that does not own it changes nothing.
    pub async fn let_go(&self, run: RunId, owner: Option<OwnerId>, wait: Wait) -> Result<(), StoreError> {
        let database = self.layout().database().to_owned();
        self.write(move |connection| {
            Box::pin(async move {
                let fail = sql(&database);
                sqlx::query("UPDATE run SET state = 'waiting', owner = NULL WHERE id = ?1 AND owner IS ?2")
                    .bind(run.to_string())
                    .bind(owner.map(|owner| owner.to_string()))
                    .execute(&mut *connection)
                    .await
                    .map_err(fail)?;
                if wait == Wait::Resume {
                    return Ok(());
                }
                requeue(connection, run).await.map(drop).map_err(fail)
            })
        })
        .await
    }

    /// The answers to what a run asks, by question, once all of them are there.
    pub async fn answers(&self, run: RunId) -> Result<Vec<(u32, Given)>, StoreError> {
        let all = self.decisions(Some(DecisionState::Answered), Some(run)).await?;
        Ok(all.into_iter().filter_map(|one| one.answer.map(|given| (one.question.number, given))).collect())
    }
}

async fn find(connection: &mut SqliteConnection, id: &DecisionId) -> sqlx::Result<Option<InboxDecision>> {
    let query = "SELECT decision.*, run.workflow, run.project, run.title FROM decision \
                 JOIN run ON run.id = decision.run WHERE decision.id = ?1";
    let row = sqlx::query(query).bind(id.as_str()).fetch_optional(connection).await?;
    row.as_ref().map(decision).transpose()
}

async fn answer(
    connection: &mut SqliteConnection,
    database: &Path,
    id: &DecisionId,
    given: Given,
) -> Result<SettledDecision, StoreError> {
    let fail = sql(database);
    let missing = || StoreError::NoSuchDecision(id.to_string());
    let decision = find(connection, id).await.map_err(fail)?.ok_or_else(missing)?;
    if decision.state != DecisionState::Open {
        return Err(StoreError::conflict(decision.run_id, Conflict::Answered));
    }
    if matches!(given.answer, Answer::Option(number) if !has_option(&decision.question, number)) {
        return Err(StoreError::conflict(decision.run_id, Conflict::NoSuchOption));
    }
    if !dispatch!(decision.workflow, State => State::accepts(&decision.question, &given)) {
        return Err(StoreError::conflict(decision.run_id, Conflict::NoVerdict));
    }
    let text =
        serde_json::to_string(&given.answer).map_err(|error| fail(sqlx::Error::Encode(error.into())))?;
    sqlx::query(
        "UPDATE decision SET state = 'answered', answer = ?2, answered_by = ?3, answered_at = ?4 WHERE id = ?1",
    )
    .bind(id.as_str())
    .bind(text)
    .bind(&given.by)
    .bind(given.at.as_millisecond())
    .execute(&mut *connection)
    .await
    .map_err(fail)?;
    let left = requeue(connection, decision.run_id).await.map_err(fail)?;
    let decision = InboxDecision { state: DecisionState::Answered, answer: Some(given), ..decision };
    Ok(SettledDecision { decision, left })
}

fn has_option(question: &Question, number: u32) -> bool {
    usize::try_from(number).is_ok_and(|number| (1..=question.options.len()).contains(&number))
}

/// Puts a run that waits and has all its answers into the queue. How many it lacks.
pub(crate) async fn requeue(connection: &mut SqliteConnection, run: RunId) -> sqlx::Result<u32> {
    let left: u32 = sqlx::query_scalar("SELECT count(*) FROM decision WHERE run = ?1 AND state = 'open'")
        .bind(run.to_string())
        .fetch_one(&mut *connection)
        .await?;
    if left == 0 {
        sqlx::query("UPDATE run SET state = 'queued', not_before = NULL WHERE id = ?1 AND state = 'waiting'")
            .bind(run.to_string())
            .execute(connection)
            .await?;
    }
    Ok(left)
}

/// Follows the log: what it asks, what was answered on the way, and what its end leaves unanswered.
pub(crate) async fn follow<W: WorkflowState>(
    connection: &mut SqliteConnection,
    row: &RunRow,
    before: W,
    events: &[(Millis, &W::Event)],
) -> sqlx::Result<()> {
    let mut state = before;
    for (at, event) in events {
        state.apply(event);
        for asked in state.questions(event) {
            ask(connection, row, *at, &asked).await?;
        }
        // Those that were decided without asking were never open.
        if let Some(AnsweredQuestion { number, answer, by }) = W::answered(event) {
            settle(connection, row.run, number, &Given { answer, by, at: when(row, *at) }).await?;
        }
        if W::terminal(event).is_some() {
            close(connection, row.run).await?;
        }
    }
    Ok(())
}

/// The run has ended without them.
async fn close(connection: &mut SqliteConnection, run: RunId) -> sqlx::Result<()> {
    sqlx::query("UPDATE decision SET state = 'closed' WHERE run = ?1 AND state = 'open'")
        .bind(run.to_string())
        .execute(connection)
        .await
        .map(drop)
}

fn when(row: &RunRow, at: Millis) -> Timestamp {
    let began = row.started_at.unwrap_or(row.created_at).as_millisecond();
    let millis = i64::try_from(at.0).unwrap_or(i64::MAX);
    Timestamp::from_millisecond(began.saturating_add(millis)).unwrap_or(Timestamp::MAX)
}

async fn ask(
    connection: &mut SqliteConnection,
    row: &RunRow,
    at: Millis,
    asked: &AskedQuestion,
) -> sqlx::Result<()> {
    let AskedQuestion { round, question, default } = asked;
    let encode = |error: serde_json::Error| sqlx::Error::Encode(error.into());
    let body = serde_json::json!({ "question": question, "default": default });
    sqlx::query(
        "INSERT INTO decision (id, run, number, round, question, asked_at, state) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'open') ON CONFLICT (run, number) DO NOTHING",
    )
    .bind(DecisionId::of(row.run, question.number).as_str())
    .bind(row.run.to_string())
    .bind(question.number)
    .bind(round.0)
    .bind(serde_json::to_string(&body).map_err(encode)?)
    .bind(when(row, at).as_millisecond())
    .execute(connection)
    .await
    .map(drop)
}

async fn settle(
    connection: &mut SqliteConnection,
    run: RunId,
    number: u32,
    given: &Given,
) -> sqlx::Result<()> {
    let text = serde_json::to_string(&given.answer).map_err(|error| sqlx::Error::Encode(error.into()))?;
    sqlx::query(
        "UPDATE decision SET state = 'answered', answer = ?3, answered_by = ?4, answered_at = ?5 \
         WHERE run = ?1 AND number = ?2 AND state = 'open'",
    )
    .bind(run.to_string())
    .bind(number)
    .bind(text)
    .bind(&given.by)
    .bind(given.at.as_millisecond())
    .execute(connection)
    .await
    .map(drop)
}

/// What the column `question` holds.
#[derive(serde::Deserialize)]
struct Asked {
    question: Question,
    default: DefaultAnswer,
}

fn decision(row: &SqliteRow) -> sqlx::Result<InboxDecision> {
    let asked: Asked = json(row.try_get("question")?)?;
    let answer = match row.try_get::<Option<&str>, _>("answer")? {
        Some(text) => Some(Given {
            answer: json(text)?,
            by: row.try_get("answered_by")?,
            at: moment(row.try_get("answered_at")?)?,
        }),
        None => None,
    };
    Ok(InboxDecision {
        id: parsed(row, "id")?,
        run_id: parsed(row, "run")?,
        workflow: parsed(row, "workflow")?,
        project_id: parsed(row, "project")?,
        title: row.try_get("title")?,
        round: Round(row.try_get("round")?),
        question: asked.question,
        default_answer: asked.default,
        asked_at: moment(row.try_get("asked_at")?)?,
        answer_by: row.try_get::<Option<i64>, _>("answer_by")?.map(moment).transpose()?,
        state: parsed(row, "state")?,
        answer,
    })
}

fn json<T: DeserializeOwned>(text: &str) -> sqlx::Result<T> {
    serde_json::from_str(text).map_err(|error| sqlx::Error::Decode(error.into()))
}
