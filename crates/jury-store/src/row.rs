//! Rows: what the tables say about a run and its artifact. A run's row is a fold of its log, and
//! [`RunRow::apply`] is that fold, live and when the rows are rebuilt.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jury_core::content::{ContentEvent, Standing, Studio};
use jury_core::critic::CriticEvent;
use jury_core::event::{BestSoFar, Event};
use jury_core::id::{AgentId, ArtifactId, ProjectId, RunId};
use jury_core::judge::JudgeEvent;
use jury_core::outcome::{RunState, Status};
use jury_core::role::Role;
use jury_core::score::{Composite, Score};
use jury_core::unit::{Millis, Round, Seq};
use jury_core::warning::WarningKind;
use jury_core::workflow::{Ending, Workflow};
use serde::Serialize;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row as _, SqliteConnection};

use crate::owner::OwnerId;

/// The columns of a run. They are named one by one: a connection that was open while another changed the schema would
/// count those that it knew, and get those that there are.
macro_rules! run_columns {
    () => {
        "run.id, run.workflow, run.project, run.artifact, run.agent, run.title, run.state, run.status, run.score, run.round, \
         run.rounds, run.scores, run.scores_open, run.claims_checked, run.claims_wrong, run.head_seq, run.owner, \
         run.created_at, run.started_at, run.ended_at"
    };
}
pub(crate) use run_columns;

/// A run, as the table of runs has it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RunRow {
    /// Its id.
    pub run: RunId,
    /// Which way of reviewing it is.
    pub workflow: Workflow,
    /// Whose it is.
    pub project: ProjectId,
    /// What it reviews.
    pub artifact: ArtifactId,
    /// Who plays the panel, or the critic.
    pub agent: AgentId,
    /// What the work is called.
    pub title: String,
    /// How it stands in the queue.
    pub state: RunState,
    /// How it ended, if it has.
    pub status: Option<Ending>,
    /// The composite of the round it ended with.
    pub score: Option<Composite>,
    /// The round it ended with.
    pub round: Option<Round>,
    /// How many rounds are closed.
    pub rounds: u32,
    /// What each panelist gave in the last closed round.
    pub scores: BTreeMap<Role, Score>,
    /// The same of the round that is open.
    #[serde(skip)]
    pub scores_open: BTreeMap<Role, Score>,
    /// How many claims of the panel were held against a measurement.
    #[serde(skip)]
    pub claims_checked: u32,
    /// How many of them did not stand.
    #[serde(skip)]
    pub claims_wrong: u32,
    /// The number of its last event.
    pub head: Seq,
    /// The process that drives it, or drove it to its end.
    #[serde(skip)]
    pub owner: Option<OwnerId>,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When a worker took it.
    pub started_at: Option<Timestamp>,
    /// When its last event happened, if it has ended.
    pub ended_at: Option<Timestamp>,
}

/// An artifact, as the table of artifacts has it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ArtifactRow {
    /// Its id.
    pub artifact: ArtifactId,
    /// Whose it is.
    pub project: ProjectId,
    /// The run that reviewed it.
    pub run: Option<RunId>,
    /// What it is called.
    pub title: String,
    /// When its run was asked for.
    pub created_at: Timestamp,
    /// `critique_score`.
    pub score: Option<Composite>,
    /// `critique_rounds_json`: `{"rounds":[{n, composite, mustFix, decision}], "cause"?, "recoveryReason"?}`.
    pub rounds_json: Option<String>,
    /// `critique_transcript_path`, relative to the artifact's folder; none before the export.
    pub transcript_path: Option<String>,
    /// `critique_status`.
    pub status: Option<Status>,
    /// `critique_protocol_version`.
    pub protocol_version: Option<u32>,
}

impl RunRow {
    /// The row of a run that was asked for: this event is the first in its log. None if no log begins like that.
    pub(crate) fn asked_for(
        run: RunId,
        first: &Event,
        owner: Option<OwnerId>,
        created_at: Timestamp,
    ) -> Option<Self> {
        let (workflow, project, artifact, agent, title) = if let Event::Queued(asked) = first {
            (
                Workflow::Theater,
                &asked.project_id,
                asked.artifact_id,
                asked.agent.clone(),
                asked.title.clone(),
            )
        } else if let Event::Critic(CriticEvent::Queued(asked)) = first {
            let agent = asked.agent.clone().unwrap_or_else(AgentId::house);
            (Workflow::Critic, &asked.project_id, asked.artifact_id, agent, asked.title.clone())
        } else if let Event::Judge(JudgeEvent::Queued(asked)) = first {
            let agent = asked.agent.clone().unwrap_or_else(AgentId::house);
            (Workflow::Judge, &asked.project_id, asked.artifact_id, agent, asked.bead.to_string())
        } else if let Event::Content(ContentEvent::Queued(asked)) = first {
            let agent = asked.agent.clone().unwrap_or_else(AgentId::house);
            let title = format!("{}/{}", asked.idea_id, asked.content_type);
            (Workflow::Content, &asked.project_id, asked.artifact_id, agent, title)
        } else {
            return None;
        };
        Some(Self {
            run,
            workflow,
            project: project.clone(),
            artifact,
            agent,
            title,
            state: RunState::Queued,
            status: None,
            score: None,
            round: None,
            rounds: 0,
            scores: BTreeMap::new(),
            scores_open: BTreeMap::new(),
            claims_checked: 0,
            claims_wrong: 0,
            head: Seq(1),
            owner,
            created_at: whole_millis(created_at),
            started_at: None,
            ended_at: None,
        })
    }

    /// A worker took it.
    pub(crate) fn claim(&mut self, owner: Option<OwnerId>, started_at: Timestamp) {
        self.state = RunState::Running;
        self.owner = owner;
        // A run that waited for a person is taken up again, and began when it began.
        self.started_at.get_or_insert(whole_millis(started_at));
    }

    /// Takes the next event over.
    pub(crate) fn apply(&mut self, at: Millis, event: &Event) {
        self.head = self.head.next();
        match event {
            Event::RunStarted(_) => self.state = RunState::Running,
            Event::PanelistClose(close) => {
                if let Some(score) = close.score {
                    self.scores_open.insert(close.role, score);
                }
            }
            Event::Evidence(evidence) if evidence.is_claim() => {
                self.claims_checked += u32::from(evidence.standing.is_checked());
                self.claims_wrong += u32::from(evidence.standing.is_wrong());
            }
            Event::RoundEnd(end) => {
                self.rounds = end.round.0;
                self.scores = std::mem::take(&mut self.scores_open);
            }
            Event::ParserWarning(warning) if warning.kind == WarningKind::Restarted => {
                self.rounds = 0;
                self.scores.clear();
                self.scores_open.clear();
                self.claims_checked = 0;
                self.claims_wrong = 0;
            }
            Event::Ship(ship) => self.end(at, event, ship.round, ship.composite),
            Event::Degraded(degraded) => self.end_early(at, event, &degraded.best),
            Event::Interrupted(interrupted) => self.end_early(at, event, &interrupted.best),
            Event::Failed(failed) => self.end_early(at, event, &failed.best),
            Event::Queued(_)
            | Event::PanelistOpen(_)
            | Event::PanelistDim(_)
            | Event::PanelistMustFix(_)
            | Event::Evidence(_)
            | Event::Agent(_)
            | Event::Lint(_)
            | Event::Fallback(_)
            | Event::ParserWarning(_) => {}
            Event::Critic(fact) => self.apply_critic(at, event, fact),
            Event::Judge(fact) => self.apply_judge(at, event, fact),
            Event::Content(fact) => self.apply_content(at, event, fact),
        }
    }

    fn apply_judge(&mut self, at: Millis, event: &Event, fact: &JudgeEvent) {
        match fact {
            JudgeEvent::RunStarted(_) => self.state = RunState::Running,
            JudgeEvent::Judged(_)
            | JudgeEvent::Skipped(_)
            | JudgeEvent::Inconclusive(_)
            | JudgeEvent::Interrupted(_)
            | JudgeEvent::Failed(_) => self.end(at, event, None, None),
            JudgeEvent::Queued(_)
            | JudgeEvent::Throttled(_)
            | JudgeEvent::Signals(_)
            | JudgeEvent::Agent(_)
            | JudgeEvent::Rejected(_)
            | JudgeEvent::SeatJudged(_)
            | JudgeEvent::SeatAbsent(_)
            | JudgeEvent::Disputed(_)
            | JudgeEvent::Settled(_)
            | JudgeEvent::Redispatch(_) => {}
        }
    }

    fn apply_content(&mut self, at: Millis, event: &Event, fact: &ContentEvent) {
        if let ContentEvent::RunStarted(_) = fact {
            self.state = RunState::Running;
        } else if let ContentEvent::Decided(decided) = fact {
            self.rounds = decided.round.0;
        } else if fact.terminal().is_some() {
            self.end(at, event, None, None);
        }
    }

    /// Follows a run of the content pipeline, where the row needs more of it than the last event: whether anybody has to
    /// take it up, and what was kept in the end.
    pub(crate) fn follow(&mut self, studio: &Studio) {
        if matches!(studio.standing(), Standing::NeedsHuman | Standing::Halted | Standing::Paused) {
            self.pause();
        }
        if self.state == RunState::Ended
            && let Some(saved) = &studio.saved
        {
            self.round = Some(saved.round);
            let mean = studio.round(saved.round).and_then(|round| round.ruling.as_ref()?.mean);
            self.score = mean.map(|mean| Composite(mean).stored());
        }
    }

    fn apply_critic(&mut self, at: Millis, event: &Event, fact: &CriticEvent) {
        match fact {
            CriticEvent::RunStarted(_) => self.state = RunState::Running,
            CriticEvent::PassEnded(end) => self.rounds = end.pass.0,
            CriticEvent::Converged(_)
            | CriticEvent::SafetyCap(_)
            | CriticEvent::Stopped(_)
            | CriticEvent::Inconclusive(_)
            | CriticEvent::Interrupted(_)
            | CriticEvent::Failed(_) => {
                let last = (self.rounds > 0).then_some(Round(self.rounds));
                self.end(at, event, last, None);
            }
            CriticEvent::Queued(_)
            | CriticEvent::Reopened(_)
            | CriticEvent::PassStarted(_)
            | CriticEvent::Evidence(_)
            | CriticEvent::Agent(_)
            | CriticEvent::Absent(_)
            | CriticEvent::Rejected(_)
            | CriticEvent::Verdict(_)
            | CriticEvent::Adversarial(_)
            | CriticEvent::Fixed(_)
            | CriticEvent::FixFailed(_)
            // Whether anybody must wait shows when it is known what is answered without asking.
            | CriticEvent::Escalated(_)
            | CriticEvent::Answered(_) => {}
        }
    }

    /// A person is asked. Nobody drives a run that waits; whoever has the answers may take it up.
    pub(crate) fn pause(&mut self) {
        self.state = RunState::Waiting;
        self.owner = None;
    }

    /// How a panel's run ended, if it was one and has.
    pub fn verdict(&self) -> Option<Status> {
        self.status.and_then(Ending::status)
    }

    fn end_early(&mut self, at: Millis, event: &Event, best: &BestSoFar) {
        self.end(at, event, best.best_round, best.composite);
    }

    fn end(&mut self, at: Millis, event: &Event, round: Option<Round>, composite: Option<Composite>) {
        self.state = RunState::Ended;
        self.status = event.terminal();
        self.round = round;
        self.score = composite.map(Composite::stored);
        let began = self.started_at.unwrap_or(self.created_at);
        let ended = began.as_millisecond().saturating_add(integer(at.0));
        self.ended_at = Some(Timestamp::from_millisecond(ended).unwrap_or(Timestamp::MAX));
    }

    /// Writes the row, new or not.
    pub(crate) async fn save(&self, connection: &mut SqliteConnection) -> sqlx::Result<()> {
        sqlx::query(
            "INSERT INTO run (id, workflow, project, artifact, agent, title, state, status, score, round, \
             rounds, head_seq, owner, created_at, started_at, ended_at, scores, scores_open, claims_checked, \
             claims_wrong) \
             VALUES (?1, ?20, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, \
             ?19) \
             ON CONFLICT (id) DO UPDATE SET state = ?6, status = ?7, score = ?8, round = ?9, rounds = ?10, \
             head_seq = ?11, owner = ?12, started_at = ?14, ended_at = ?15, scores = ?16, scores_open = ?17, \
             claims_checked = ?18, claims_wrong = ?19",
        )
        .bind(self.run.to_string())
        .bind(self.project.to_string())
        .bind(self.artifact.to_string())
        .bind(self.agent.to_string())
        .bind(&self.title)
        .bind(self.state.as_str())
        .bind(self.status.map(Ending::as_str))
        .bind(self.score.map(|score| score.0))
        .bind(self.round.map(|round| round.0))
        .bind(self.rounds)
        .bind(integer(self.head.0))
        .bind(self.owner.map(|owner| owner.to_string()))
        .bind(self.created_at.as_millisecond())
        .bind(self.started_at.map(Timestamp::as_millisecond))
        .bind(self.ended_at.map(Timestamp::as_millisecond))
        .bind(object(&self.scores)?)
        .bind(object(&self.scores_open)?)
        .bind(self.claims_checked)
        .bind(self.claims_wrong)
        .bind(self.workflow.as_str())
        .execute(connection)
        .await
        .map(drop)
    }

    /// The row of a run, if there is one.
    pub(crate) async fn load(connection: &mut SqliteConnection, run: RunId) -> sqlx::Result<Option<Self>> {
        sqlx::query(concat!("SELECT ", run_columns!(), " FROM run WHERE id = ?1"))
            .bind(run.to_string())
            .fetch_optional(connection)
            .await?
            .map(|row| Self::read(&row))
            .transpose()
    }

    pub(crate) fn read(row: &SqliteRow) -> sqlx::Result<Self> {
        let workflow = parsed(row, "workflow")?;
        let status = row
            .try_get::<Option<&str>, _>("status")?
            .map(|word| Ending::read(workflow, word))
            .transpose()
            .map_err(|error| sqlx::Error::Decode(error.into()))?;
        Ok(Self {
            run: parsed(row, "id")?,
            workflow,
            project: parsed(row, "project")?,
            artifact: parsed(row, "artifact")?,
            agent: parsed(row, "agent")?,
            title: row.try_get("title")?,
            state: parsed(row, "state")?,
            status,
            score: row.try_get::<Option<f64>, _>("score")?.map(Composite),
            round: row.try_get::<Option<u32>, _>("round")?.map(Round),
            rounds: row.try_get("rounds")?,
            scores: from_object(row, "scores")?,
            scores_open: from_object(row, "scores_open")?,
            claims_checked: row.try_get("claims_checked")?,
            claims_wrong: row.try_get("claims_wrong")?,
            head: Seq(natural(row, "head_seq")?),
            owner: maybe_parsed(row, "owner")?,
            created_at: moment(row.try_get("created_at")?)?,
            started_at: maybe_moment(row, "started_at")?,
            ended_at: maybe_moment(row, "ended_at")?,
        })
    }
}

impl ArtifactRow {
    pub(crate) fn read(row: &SqliteRow) -> sqlx::Result<Self> {
        Ok(Self {
            artifact: parsed(row, "id")?,
            project: parsed(row, "project_id")?,
            run: maybe_parsed(row, "run_id")?,
            title: row.try_get("title")?,
            created_at: moment(row.try_get("created_at")?)?,
            score: row.try_get::<Option<f64>, _>("critique_score")?.map(Composite),
            rounds_json: row.try_get("critique_rounds_json")?,
            transcript_path: row.try_get("critique_transcript_path")?,
            status: maybe_parsed(row, "critique_status")?,
            protocol_version: row.try_get("critique_protocol_version")?,
        })
    }
}

fn object(scores: &BTreeMap<Role, Score>) -> sqlx::Result<String> {
    serde_json::to_string(scores).map_err(|error| sqlx::Error::Encode(error.into()))
}

fn from_object(row: &SqliteRow, column: &str) -> sqlx::Result<BTreeMap<Role, Score>> {
    serde_json::from_str(row.try_get(column)?).map_err(|error| sqlx::Error::Decode(error.into()))
}

/// A number for SQL, whose integers have a sign. Nothing we count gets there.
pub(crate) fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A number from SQL that cannot be negative.
pub(crate) fn natural(row: &SqliteRow, column: &str) -> sqlx::Result<u64> {
    u64::try_from(row.try_get::<i64, _>(column)?).map_err(|error| sqlx::Error::Decode(error.into()))
}

pub(crate) fn parsed<T: std::str::FromStr<Err: std::error::Error + Send + Sync + 'static>>(
    row: &SqliteRow,
    column: &str,
) -> sqlx::Result<T> {
    row.try_get::<&str, _>(column)?.parse().map_err(|error: T::Err| sqlx::Error::Decode(error.into()))
}

fn maybe_parsed<T: std::str::FromStr<Err: std::error::Error + Send + Sync + 'static>>(
    row: &SqliteRow,
    column: &str,
) -> sqlx::Result<Option<T>> {
    row.try_get::<Option<&str>, _>(column)?
        .map(str::parse)
        .transpose()
        .map_err(|error: T::Err| sqlx::Error::Decode(error.into()))
}

pub(crate) fn moment(millis: i64) -> sqlx::Result<Timestamp> {
    Timestamp::from_millisecond(millis).map_err(|error| sqlx::Error::Decode(error.into()))
}

fn maybe_moment(row: &SqliteRow, column: &str) -> sqlx::Result<Option<Timestamp>> {
    row.try_get::<Option<i64>, _>(column)?.map(moment).transpose()
}

/// What survives the way through SQL.
pub(crate) fn whole_millis(moment: Timestamp) -> Timestamp {
    Timestamp::from_millisecond(moment.as_millisecond()).unwrap_or(moment)
}
