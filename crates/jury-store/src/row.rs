//! Rows: what the tables say about a run and its artifact. A run's row is a fold of its log, and
//! [`RunRow::apply`] is that fold, live and when the rows are rebuilt.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jury_core::event::Event;
use jury_core::id::{AgentId, ArtifactId, ProjectId, RunId};
use jury_core::outcome::TheaterStatus;
use jury_core::role::Role;
use jury_core::run::{Outcome, RunPhase, RunState, RunSummary, Subject, Wait};
use jury_core::score::{Composite, Score};
use jury_core::unit::{Millis, Round, Seq};
use jury_core::workflow::{Workflow, WorkflowEvent as _, WorkflowState, dispatch};
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
    /// The id of the run.
    pub run: RunId,
    /// Which way of reviewing it is.
    pub workflow: Workflow,
    /// The project that the run belongs to.
    pub project: ProjectId,
    /// The artifact that is reviewed.
    pub artifact: ArtifactId,
    /// Who plays the panel, or the critic.
    pub agent: AgentId,
    /// What the work is called.
    pub title: String,
    /// How it stands in the queue.
    pub state: RunState,
    /// What its log says.
    #[serde(flatten)]
    pub summary: RunSummary,
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
    /// The id of the artifact.
    pub artifact: ArtifactId,
    /// The project that it belongs to.
    pub project: ProjectId,
    /// The run that reviewed it.
    pub run: Option<RunId>,
    /// What it is called.
    pub title: String,
    /// When its run was asked for.
    pub created_at: Timestamp,
    /// The composite, the column `critique_score`.
    pub score: Option<Composite>,
    /// `critique_rounds_json`: `{"rounds":[{n, composite, mustFix, decision}], "cause"?, "recoveryReason"?}`.
    pub rounds_json: Option<String>,
    /// `critique_transcript_path`, relative to the artifact's folder; none before the export.
    pub transcript_path: Option<String>,
    /// The status word, the column `critique_status`.
    pub status: Option<TheaterStatus>,
    /// The version of the protocol, the column `critique_protocol_version`.
    pub protocol_version: Option<u32>,
}

impl RunRow {
    /// The row of a run that is in the queue.
    pub(crate) fn new(
        run: RunId,
        workflow: Workflow,
        subject: Subject,
        owner: Option<OwnerId>,
        created_at: Timestamp,
    ) -> Self {
        let Subject { project, artifact, agent, title } = subject;
        Self {
            run,
            workflow,
            project,
            artifact,
            agent,
            title,
            state: RunState::Queued,
            summary: RunSummary::default(),
            head: Seq(1),
            owner,
            created_at: whole_millis(created_at),
            started_at: None,
            ended_at: None,
        }
    }

    /// The same run before its first event. When it began is kept: the times of its events count from there.
    pub(crate) fn before_its_log(&self) -> Self {
        Self {
            state: RunState::Queued,
            summary: RunSummary::default(),
            head: Seq(0),
            ended_at: None,
            ..self.clone()
        }
    }

    /// A worker took it.
    pub(crate) fn claim(&mut self, owner: Option<OwnerId>, started_at: Timestamp) {
        self.state = RunState::Running;
        self.owner = owner;
        // A run that waited for a person is taken up again, and began when it began.
        self.started_at.get_or_insert(whole_millis(started_at));
    }

    /// Takes the next event in.
    pub(crate) fn apply(&mut self, at: Millis, event: &Event) {
        self.head = self.head.next();
        dispatch!(self.workflow, State => self.apply_of::<State>(at, event));
    }

    fn apply_of<W: WorkflowState>(&mut self, at: Millis, event: &Event) {
        let Some(event) = W::Event::of(event) else { return };
        W::summarise(&mut self.summary, event);
        if W::starts(event) {
            self.state = RunState::Running;
        }
        if let Some(status) = W::terminal(event) {
            self.state = RunState::Ended;
            self.summary.status = Some(status.into());
            let began = self.started_at.unwrap_or(self.created_at);
            let ended = began.as_millisecond().saturating_add(integer(at.0));
            self.ended_at = Some(Timestamp::from_millisecond(ended).unwrap_or(Timestamp::MAX));
        }
    }

    /// Takes in what only the whole state of the run can say.
    pub(crate) fn follow(&mut self, state: &impl WorkflowState) {
        state.conclude(&mut self.summary);
        match state.phase() {
            RunPhase::Waiting(Wait::Answer | Wait::Resume) => self.pause(),
            RunPhase::Waiting(Wait::RateLimit) | RunPhase::Running | RunPhase::Ended(_) => {}
        }
    }

    /// A person is asked. Nobody drives a run that waits; whoever has the answers may take it up.
    pub(crate) fn pause(&mut self) {
        self.state = RunState::Waiting;
        self.owner = None;
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
        .bind(self.summary.status.map(Outcome::as_str))
        .bind(self.summary.score.map(|score| score.0))
        .bind(self.summary.round.map(|round| round.0))
        .bind(self.summary.rounds)
        .bind(integer(self.head.0))
        .bind(self.owner.map(|owner| owner.to_string()))
        .bind(self.created_at.as_millisecond())
        .bind(self.started_at.map(Timestamp::as_millisecond))
        .bind(self.ended_at.map(Timestamp::as_millisecond))
        .bind(object(&self.summary.scores)?)
        .bind(object(&self.summary.scores_open)?)
        .bind(self.summary.claims_checked)
        .bind(self.summary.claims_wrong)
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
            .map(|word| Outcome::read(workflow, word))
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
            summary: RunSummary {
                status,
                score: row.try_get::<Option<f64>, _>("score")?.map(Composite),
                round: row.try_get::<Option<u32>, _>("round")?.map(Round),
                rounds: row.try_get("rounds")?,
                scores: from_object(row, "scores")?,
                scores_open: from_object(row, "scores_open")?,
                claims_checked: row.try_get("claims_checked")?,
                claims_wrong: row.try_get("claims_wrong")?,
            },
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
