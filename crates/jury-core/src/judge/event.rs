//! Events of the judge: the facts a run of it consists of. Files, rows, streams and reports are folds over them.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::bead::Bead;
use super::coverage::WorkCoverage;
use super::judgement::{Confidence, Dimensions, JudgeCost, JudgeIssue, JudgeStamp, JudgeVerdict, Judgement};
use super::panel::{Dispute, Spread};
use super::settings::JudgeMode;
use super::signal::{RunOutcome, Signals};
use super::status::JudgeStatus;
use crate::critic::Answer as PersonsAnswer;
use crate::event::{AgentNote, events};
use crate::id::{AgentId, ArtifactId, ProjectId};
use crate::outcome::{FailedCause, RecoveryReason};

events! {
    /// A fact appended to the log of a run of the judge.
    JudgeEvent {
        /// Somebody asked for a run.
        Queued(JudgeQueued) = "judge.queued",
        /// A worker took it.
        RunStarted(JudgeStarted) = "judge.run_started",
        /// The mechanical signals of the judged run.
        Signals(JudgeSignals) = "judge.signals",
        /// It waits for the throttle or the budget.
        Throttled(Throttled) = "judge.throttled",
        /// The agent's program said something about itself.
        Agent(AgentNote) = "judge.agent",
        /// An answer was sent back, once.
        Rejected(AnswerRejected) = "judge.rejected",
        /// A seat failed, and is asked once more.
        Retried(SeatRetried) = "judge.retried",
        /// A seat has judged.
        SeatJudged(SeatJudged) = "judge.seat_judged",
        /// A seat stays empty.
        SeatAbsent(SeatAbsent) = "judge.seat_absent",
        /// The panel cannot agree, and a person is asked.
        Disputed(Disputed) = "judge.disputed",
        /// A person has decided.
        Settled(Settled) = "judge.settled",
        /// The run that was judged should be dispatched again.
        Redispatch(Redispatch) = "judge.redispatch",
        /// There is a judgement. Terminal; green only when its verdict is a pass.
        Judged(RunJudged) = "judge.judged",
        /// There was nothing to judge. Terminal.
        Skipped(Skipped) = "judge.skipped",
        /// The review did not take place as promised. Terminal.
        Inconclusive(JudgeInconclusive) = "judge.inconclusive",
        /// Somebody stopped it, or the program went away. Terminal.
        Interrupted(JudgeInterrupted) = "judge.interrupted",
        /// The agents, the store or jury failed. Terminal.
        Failed(JudgeFailed) = "judge.failed",
    }
}

impl JudgeEvent {
    /// How the run ended, if this is its end.
    pub fn terminal(&self) -> Option<JudgeStatus> {
        match self {
            Self::Judged(judged) => Some(judged.judgement.verdict.into()),
            Self::Skipped(_) => Some(JudgeStatus::Skipped),
            Self::Inconclusive(_) => Some(JudgeStatus::Inconclusive),
            Self::Failed(_) => Some(JudgeStatus::Failed),
            Self::Interrupted(_) => Some(JudgeStatus::Interrupted),
            Self::Queued(_)
            | Self::RunStarted(_)
            | Self::Signals(_)
            | Self::Throttled(_)
            | Self::Agent(_)
            | Self::Rejected(_)
            | Self::Retried(_)
            | Self::SeatJudged(_)
            | Self::SeatAbsent(_)
            | Self::Disputed(_)
            | Self::Settled(_)
            | Self::Redispatch(_) => None,
        }
    }
}

/// A run was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JudgeQueued {
    /// Whose run it is.
    pub project_id: ProjectId,
    /// What it will judge.
    pub artifact_id: ArtifactId,
    /// Who will judge; none for the heuristic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub agent: Option<AgentId>,
    /// The run to be judged.
    pub bead: Bead,
}

/// The handshake: who sits, and about what.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JudgeStarted {
    /// Whose run it is.
    pub project_id: ProjectId,
    /// The finished run that is judged.
    pub artifact_id: ArtifactId,
    /// The run to be judged.
    pub bead: Bead,
    /// The template it was made from.
    pub template: String,
    /// Which way of judging it is.
    pub mode: JudgeMode,
    /// The seats of the panel, in order.
    pub seats: Vec<SeatName>,
    /// How much of the work they get to see.
    pub coverage: WorkCoverage,
    /// When the run began.
    #[schema(value_type = String, format = DateTime)]
    pub started_at: Timestamp,
}

/// A seat by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = JudgeSeatName)]
pub struct SeatName {
    /// The agent and model that sit there.
    pub judge: JudgeStamp,
    /// Which repeat, from 1.
    pub repeat: u32,
}

/// The signals that are computed without a judge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JudgeSignals {
    /// How the run came out.
    pub outcome: RunOutcome,
    /// What the checks said.
    pub signals: Signals,
    /// In which ways it failed.
    pub failure_patterns: Vec<String>,
}

/// The throttle holds the run back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = JudgeThrottled)]
pub struct Throttled {
    /// When it may be tried again.
    #[schema(value_type = String, format = DateTime)]
    pub until: Timestamp,
    /// What holds it back, in a few words.
    pub bound: String,
}

/// An answer was sent back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = JudgeRejected)]
pub struct AnswerRejected {
    /// Which seat, from 1.
    pub seat: u32,
    /// What is wrong with it.
    pub problems: Vec<String>,
}

/// A seat failed, and is asked once more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = JudgeSeatRetried)]
pub struct SeatRetried {
    /// Which seat, from 1.
    pub seat: u32,
    /// Why there was no answer, for a person.
    pub reason: String,
    /// Tokens and money of the attempt that failed.
    #[serde(default)]
    pub cost: JudgeCost,
}

/// A seat has judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = JudgeSeatJudged)]
pub struct SeatJudged {
    /// Which seat, from 1.
    pub seat: u32,
    /// The marks, one per dimension.
    pub dimensions: Dimensions,
    /// The marks as the judge gave them, where something measured lowered one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub claimed: Option<Dimensions>,
    /// The verdict that they make.
    pub verdict: JudgeVerdict,
    /// What is wrong: what the judge says and what was measured.
    pub issues: Vec<JudgeIssue>,
    /// One paragraph for people.
    pub summary: String,
    /// How sure the judge says it is.
    pub confidence: Confidence,
    /// Where the judge contradicts its own marks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Tokens and money of this seat.
    pub cost: JudgeCost,
}

/// A seat stays empty.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = JudgeSeatAbsent)]
pub struct SeatAbsent {
    /// Which seat, from 1.
    pub seat: u32,
    /// The reason, for a person.
    pub reason: String,
    /// Tokens and money of this seat.
    #[serde(default)]
    pub cost: JudgeCost,
}

/// A person is asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = JudgeDisputed)]
pub struct Disputed {
    /// The question to the person.
    pub dispute: Dispute,
    /// How far apart the seats are.
    pub spread: Spread,
    /// The judgement as it stands without the person.
    pub judgement: Judgement,
}

/// A person has decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = JudgeSettled)]
pub struct Settled {
    /// The answer that was given.
    pub answer: PersonsAnswer,
    /// The verdict that follows.
    pub verdict: JudgeVerdict,
    /// The person who answered.
    pub by: String,
}

/// The judged run should be dispatched again: a note, and not an action.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = JudgeRedispatch)]
pub struct Redispatch {
    /// The run that should be done again.
    pub bead: Bead,
    /// The reason, for a person.
    pub reason: String,
}

impl Redispatch {
    /// The note that follows from a judgement, if it asks for another try.
    pub fn of(judgement: &Judgement) -> Option<Self> {
        judgement.asks_for_another_try().then(|| Self {
            bead: judgement.bead.clone(),
            reason: format!("judged {} with a score of {}", judgement.verdict, judgement.score),
        })
    }
}

/// There is a judgement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = JudgeJudged)]
pub struct RunJudged {
    /// The judgement as it is kept.
    pub judgement: Judgement,
}

/// There was nothing to judge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = JudgeSkipped)]
pub struct Skipped {
    /// How the run came out.
    pub outcome: RunOutcome,
}

/// The review did not take place as promised.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JudgeInconclusive {
    /// How many seats answered.
    pub answered: u32,
    /// How many there are.
    pub seats: u32,
    /// Why the others did not.
    pub reasons: Vec<String>,
}

/// The run was stopped before its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JudgeInterrupted {
    /// Set when the program went away and the next one ended the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub recovery_reason: Option<RecoveryReason>,
}

/// The agents, the store or jury failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JudgeFailed {
    /// The part that failed.
    pub cause: FailedCause,
    /// In a few words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
}
