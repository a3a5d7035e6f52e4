//! Events of the critic: the facts a loop consists of. Everything else (rows, streams, pages, reports) is a fold over
//! them.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::criterion::{Adversary, Criterion, CriterionId};
use super::document_change::DocumentChange;
use super::outcome::{Churn, CriticStatus, PassResult, StopReason};
use super::port::Fixer;
use super::verdict::{Answer, Basis, CriterionVerdict, Deferral, Gap, Question};
use crate::artifact::Blob;
use crate::event::{AgentNote, events};
use crate::finding::{Figure, FindingId, FindingState};
use crate::id::{AgentId, ArtifactId, ProjectId};
use crate::outcome::{FailedCause, RecoveryReason};
use crate::unit::Round;

events! {
    /// A fact appended to the log of a run of the critic.
    CriticEvent {
        /// Somebody asked for a run.
        Queued(CriticQueued) = "critic.queued",
        /// A worker took it.
        RunStarted(CriticStarted) = "critic.run_started",
        /// Something that had been put off is open again.
        Reopened(Reopened) = "critic.reopened",
        /// A pass over the document begins.
        PassStarted(PassStarted) = "critic.pass_started",
        /// Something was measured in the document.
        Evidence(CriticEvidence) = "critic.evidence",
        /// The agent's program said something about itself.
        Agent(AgentNote) = "critic.agent",
        /// The critic failed in this attempt.
        Absent(Absent) = "critic.absent",
        /// An answer of the critic was sent back.
        Rejected(Rejected) = "critic.rejected",
        /// A criterion has its verdict in this pass, or none.
        Verdict(CriterionJudged) = "critic.verdict",
        /// The failure scenario of this pass.
        Adversarial(Adversarial) = "critic.adversarial",
        /// The document was changed.
        Fixed(Fixed) = "critic.fixed",
        /// It could not be changed in this attempt.
        FixFailed(FixFailed) = "critic.fix_failed",
        /// A pass is done, and the rule has decided.
        PassEnded(PassEnded) = "critic.pass_ended",
        /// A person is asked. The run waits, however long, and over restarts.
        Escalated(Escalated) = "critic.escalated",
        /// A question has its answer.
        Answered(Answered) = "critic.answered",
        /// All four conditions hold. Terminal, and the only green one.
        Converged(Converged) = "critic.converged",
        /// The most passes were made. Terminal.
        SafetyCap(SafetyCap) = "critic.safety_cap",
        /// Going on would change nothing. Terminal.
        Stopped(Stopped) = "critic.stopped",
        /// The review did not take place as promised. Terminal.
        Inconclusive(Inconclusive) = "critic.inconclusive",
        /// Somebody stopped it, or the program went away. Terminal.
        Interrupted(CriticInterrupted) = "critic.interrupted",
        /// The agent, the store or jury failed. Terminal.
        Failed(CriticFailed) = "critic.failed",
    }
}

impl CriticEvent {
    /// How the run ended, if this is its end.
    pub fn terminal(&self) -> Option<CriticStatus> {
        match self {
            Self::Converged(_) => Some(CriticStatus::Converged),
            Self::SafetyCap(_) => Some(CriticStatus::SafetyCap),
            Self::Stopped(_) => Some(CriticStatus::Stopped),
            Self::Inconclusive(_) => Some(CriticStatus::Inconclusive),
            Self::Interrupted(_) => Some(CriticStatus::Interrupted),
            Self::Failed(_) => Some(CriticStatus::Failed),
            Self::Queued(_)
            | Self::RunStarted(_)
            | Self::Reopened(_)
            | Self::PassStarted(_)
            | Self::Evidence(_)
            | Self::Agent(_)
            | Self::Absent(_)
            | Self::Rejected(_)
            | Self::Verdict(_)
            | Self::Adversarial(_)
            | Self::Fixed(_)
            | Self::FixFailed(_)
            | Self::PassEnded(_)
            | Self::Escalated(_)
            | Self::Answered(_) => None,
        }
    }
}

/// A run was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CriticQueued {
    /// Whose run it is.
    pub project_id: ProjectId,
    /// What it will review.
    pub artifact_id: ArtifactId,
    /// Who will be the critic; none when only what can be measured is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub agent: Option<AgentId>,
    /// What the document is called.
    pub title: String,
    /// The name of the set of criteria.
    pub criteria: String,
}

/// The handshake: what is asked, of which document, and how long one tries. A run that waits is taken up again from
/// this alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CriticStarted {
    /// Whose run it is.
    pub project_id: ProjectId,
    /// The document that is reviewed.
    pub artifact_id: ArtifactId,
    /// Who the critic is, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub agent: Option<AgentId>,
    /// Who changes the document between passes.
    pub fixer: Fixer,
    /// The name of the set of criteria.
    pub set: String,
    /// The criteria, in the order in which they are shown.
    pub criteria: Vec<Criterion>,
    /// How the failure scenario is asked for.
    pub adversary: Adversary,
    /// The passes that are allowed.
    pub cap: u32,
    /// Whether clear cases are decided without asking.
    pub auto: bool,
    /// The document as it was given.
    pub document: Blob,
    /// When the run began.
    #[schema(value_type = String, format = DateTime)]
    pub started_at: Timestamp,
    /// The release that the document belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub release: Option<String>,
    /// What earlier runs put off and still is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deferrals: Vec<Deferral>,
}

/// Something that had been put off is open again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reopened {
    /// What had been put off.
    pub deferral: Deferral,
}

/// A pass over the document begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PassStarted {
    /// Which pass, from 1.
    pub pass: Round,
    /// The document that it is about.
    pub document: Blob,
}

/// Where evidence comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceSource {
    /// The check command of the criterion.
    Check,
    /// What is measured without a command.
    Measure,
}

/// What was measured in this pass.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CriticEvidence {
    /// The pass in which it was measured.
    pub pass: Round,
    /// The criterion that it is measured for.
    pub criterion: CriterionId,
    /// Where it comes from.
    pub source: EvidenceSource,
    /// Whether it is within its bounds; none when it could not be measured.
    #[schema(required)]
    pub passed: Option<bool>,
    /// The exit code of a check.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub exit: Option<i32>,
    /// The figures, by their names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub figures: BTreeMap<String, f64>,
    /// In one line, with the figures.
    pub summary: String,
    /// The end of what a check printed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
    /// Single places, the first of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Spot>,
}

impl CriticEvidence {
    /// The figures, as findings have them.
    pub(super) fn numbers(&self) -> Vec<Figure> {
        let all = self.figures.iter();
        all.map(|(name, value)| Figure { name: name.clone(), value: *value, unit: String::new() }).collect()
    }
}

/// A place in the document, and what is the matter with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CriticSpot)]
pub struct Spot {
    /// The line, from 1; none when it is about the whole document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub line: Option<u32>,
    /// What is the matter.
    pub text: String,
}

/// The critic failed in this attempt. It is asked again, and then it is absent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CriticAbsent)]
pub struct Absent {
    /// The pass without an answer.
    pub pass: Round,
    /// Which attempt of the pass, from 1.
    pub attempt: u32,
    /// The part that failed.
    pub cause: FailedCause,
    /// Why, for a person.
    pub detail: String,
    /// Whether it is asked again.
    pub retried: bool,
}

/// An answer of the critic was sent back, once, with what it must add.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CriticRejected)]
pub struct Rejected {
    /// The pass whose answer was sent back.
    pub pass: Round,
    /// The criterion that is not answered.
    pub criterion: CriterionId,
    /// What is missing in the answer.
    pub gap: Gap,
    /// What is missing, for the critic.
    pub reason: String,
}

/// A finding in a verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CriticNoted)]
pub struct Noted {
    /// Who it is, across passes.
    pub finding: FindingId,
    /// How it stands from now on.
    pub state: FindingState,
    /// What is the matter.
    pub text: String,
}

/// The verdict on one criterion in one pass.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Judged)]
pub struct CriterionJudged {
    /// The pass of the verdict.
    pub pass: Round,
    /// The criterion that is judged.
    pub criterion: CriterionId,
    /// The verdict; none when there is no answer that can be used.
    #[schema(required)]
    pub verdict: Option<CriterionVerdict>,
    /// What it rests on.
    pub basis: Basis,
    /// The rationale, with its figures.
    pub answer: String,
    /// What is to be done, for a FAIL.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub fix: String,
    /// What the critic said, where what was measured or decided says otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub overruled: Option<CriterionVerdict>,
    /// Why there is no verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub gap: Option<Gap>,
    /// By whom, why and until when, for a DEFER.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub deferral: Option<Deferral>,
    /// What a person will be asked, for an ESCALATE.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub question: Option<Question>,
    /// The findings under this criterion.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Noted>,
}

/// The failure scenario of a pass.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Adversarial {
    /// The pass that it belongs to.
    pub pass: Round,
    /// How the document fails.
    pub scenario: String,
    /// Whether that can happen; none when nobody said so in a way that can be used.
    #[schema(required)]
    pub realistic: Option<bool>,
    /// What it rests on.
    pub basis: Basis,
    /// The rationale, with its figures.
    pub rationale: String,
    /// Why there is no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub gap: Option<Gap>,
    /// The finding, for a realistic one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Noted>,
}

/// The document was changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CriticFixed)]
pub struct Fixed {
    /// The pass after which it was changed.
    pub pass: Round,
    /// The document as it is now.
    pub document: Blob,
    /// The criteria whose defects were fixed.
    pub applied: Vec<CriterionId>,
    /// The places that changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<DocumentChange>,
    /// What was done, in the fixer's words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub summary: String,
}

/// The document could not be changed in this attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FixFailed {
    /// The pass after which it was tried.
    pub pass: Round,
    /// Which attempt, from 1.
    pub attempt: u32,
    /// The reason, for a person.
    pub detail: String,
    /// Whether it is tried again.
    pub retried: bool,
}

/// A pass is done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PassEnded {
    /// The number of the pass.
    pub pass: Round,
    /// What it comes to.
    pub result: PassResult,
    /// How many criteria, the failure scenario among them, are not clean.
    pub open: u32,
    /// How many findings no pass before had.
    pub new_findings: u32,
    /// Why the rule says it.
    pub reason: String,
}

/// A person is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Escalated {
    /// The pass after which it was asked.
    pub pass: Round,
    /// At most three questions.
    pub questions: Vec<Question>,
    /// How many more will be asked once these have their answers.
    pub more: u32,
}

/// A question has its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Answered {
    /// The number of the question.
    pub question: u32,
    /// The answer that was given.
    pub answer: Answer,
    /// Who gave it; `auto` when it was clear without asking.
    pub by: String,
    /// By whom, why and until when, when it was skipped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub deferral: Option<Deferral>,
}

/// What a run came to in figures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CriticTally {
    /// How many passes were begun.
    pub passes: u32,
    /// How many fixes were applied.
    pub fixes: u32,
    /// How many questions a person was asked.
    pub escalations: u32,
    /// How many criteria, the failure scenario among them, are not clean in the last pass.
    pub open: u32,
    /// The document as it is now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub document: Option<Blob>,
}

/// All four conditions hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Converged {
    /// Counts over the whole run.
    #[serde(flatten)]
    pub tally: CriticTally,
    /// Whether the first pass was enough.
    pub fast: bool,
}

/// The most passes were made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SafetyCap {
    /// Counts over the whole run.
    #[serde(flatten)]
    pub tally: CriticTally,
    /// What is left, for a person.
    pub detail: String,
}

/// Going on would change nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CriticStopped)]
pub struct Stopped {
    /// Counts over the whole run.
    #[serde(flatten)]
    pub tally: CriticTally,
    /// Why the run was stopped.
    pub reason: StopReason,
    /// In which circle, when it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub churn: Option<Churn>,
    /// Why, for a person, and what to do.
    pub detail: String,
}

/// The review did not take place as promised.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Inconclusive {
    /// Counts over the whole run.
    #[serde(flatten)]
    pub tally: CriticTally,
    /// What is missing, first of all.
    pub gap: Gap,
    /// The criteria without a verdict.
    pub criteria: Vec<CriterionId>,
    /// Why, for a person, and what to do.
    pub detail: String,
}

/// Somebody stopped it, or the program went away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CriticInterrupted {
    /// Counts over the whole run.
    #[serde(flatten)]
    pub tally: CriticTally,
    /// Set when the interruption was found afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub recovery_reason: Option<RecoveryReason>,
}

/// The agent, the store or jury failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CriticFailed {
    /// Counts over the whole run.
    #[serde(flatten)]
    pub tally: CriticTally,
    /// The part that failed.
    pub cause: FailedCause,
    /// What, for a person.
    pub detail: String,
}
