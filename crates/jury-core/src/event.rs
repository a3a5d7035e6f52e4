//! Events: the facts a run consists of. Everything else (rows, streams, pages, reports, metrics) is a fold
//! over them.
//!
//! Names and fields are those of the SSE protocol. Fields beyond it are additions that a reader may ignore.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::artifact::{ArtifactRef, Blob};
use crate::content::ContentEvent;
use crate::critic::CriticEvent;
use crate::evidence::{Evidence, EvidenceMode};
use crate::finding::{FindingId, FindingState};
use crate::id::{AgentId, ArtifactId, ProjectId, SkillId};
use crate::judge::JudgeEvent;
use crate::lint::LintFinding;
use crate::outcome::{
    Decision, DegradedReason, FailedCause, FallbackPolicy, FallbackReason, RecoveryReason, Status,
    TimeoutCause,
};
use crate::role::Role;
use crate::score::{Composite, Scale, Score, Threshold, Weights};
use crate::unit::{Bytes, Offset, Round};
use crate::warning::WarningKind;
use crate::workflow::Ending;

/// A fact appended to the log of a run. Those of the panel are named here; the critic's, the judge's and the content
/// pipeline's are families of their own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "event")]
pub enum Event {
    /// Somebody asked for a run.
    #[serde(rename = "critique.queued")]
    Queued(Queued),
    /// A worker took it.
    #[serde(rename = "critique.run_started")]
    RunStarted(RunStarted),
    /// A panelist began to speak.
    #[serde(rename = "critique.panelist_open")]
    PanelistOpen(PanelistOpen),
    /// A panelist scored one dimension.
    #[serde(rename = "critique.panelist_dim")]
    PanelistDim(PanelistDim),
    /// A panelist asked for a fix.
    #[serde(rename = "critique.panelist_must_fix")]
    PanelistMustFix(PanelistMustFix),
    /// A panelist is done.
    #[serde(rename = "critique.panelist_close")]
    PanelistClose(PanelistClose),
    /// A measured fact beside a claimed one. Comes before the end of its round in a gate, and
    /// before the end of the run otherwise.
    #[serde(rename = "critique.evidence")]
    Evidence(Evidence),
    /// A round is done, and the rule has decided.
    #[serde(rename = "critique.round_end")]
    RoundEnd(RoundEnd),
    /// The agent's program said something about itself: its session, its usage, a retry, an error.
    #[serde(rename = "critique.agent")]
    Agent(AgentNote),
    /// The final pass over the artifact that is about to ship.
    #[serde(rename = "critique.lint")]
    Lint(Lint),
    /// No panel sits, or no more: the agent is asked once, for a page that nobody reviews.
    #[serde(rename = "critique.fallback")]
    Fallback(Fallback),
    /// The run ended with a verdict, or ran out of time. Terminal.
    #[serde(rename = "critique.ship")]
    Ship(Ship),
    /// The review did not take place as promised. Terminal.
    #[serde(rename = "critique.degraded")]
    Degraded(Degraded),
    /// Somebody stopped it, or the program went away. Terminal.
    #[serde(rename = "critique.interrupted")]
    Interrupted(Interrupted),
    /// Something broke. Terminal.
    #[serde(rename = "critique.failed")]
    Failed(Failed),
    /// Something was wrong and was recovered from.
    #[serde(rename = "critique.parser_warning")]
    ParserWarning(ParserWarning),
    /// A fact of a run of the critic, which has names of its own.
    #[serde(untagged)]
    Critic(CriticEvent),
    /// A fact of a run of the judge, which has names of its own.
    #[serde(untagged)]
    Judge(JudgeEvent),
    /// A fact of a run of the content pipeline, which has names of its own.
    #[serde(untagged)]
    Content(ContentEvent),
}

impl Event {
    /// The name on the wire.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Queued(_) => "critique.queued",
            Self::RunStarted(_) => "critique.run_started",
            Self::PanelistOpen(_) => "critique.panelist_open",
            Self::PanelistDim(_) => "critique.panelist_dim",
            Self::PanelistMustFix(_) => "critique.panelist_must_fix",
            Self::PanelistClose(_) => "critique.panelist_close",
            Self::Evidence(_) => "critique.evidence",
            Self::RoundEnd(_) => "critique.round_end",
            Self::Agent(_) => "critique.agent",
            Self::Lint(_) => "critique.lint",
            Self::Fallback(_) => "critique.fallback",
            Self::Ship(_) => "critique.ship",
            Self::Degraded(_) => "critique.degraded",
            Self::Interrupted(_) => "critique.interrupted",
            Self::Failed(_) => "critique.failed",
            Self::ParserWarning(_) => "critique.parser_warning",
            Self::Critic(event) => event.kind(),
            Self::Judge(event) => event.kind(),
            Self::Content(event) => event.kind(),
        }
    }

    /// How the run ended, if this is its end.
    pub fn terminal(&self) -> Option<Ending> {
        match self {
            Self::Ship(ship) => Some(Ending::Theater(ship.status.into())),
            Self::Degraded(_) => Some(Ending::Theater(Status::Degraded)),
            Self::Interrupted(_) => Some(Ending::Theater(Status::Interrupted)),
            Self::Failed(_) => Some(Ending::Theater(Status::Failed)),
            Self::Critic(event) => event.terminal().map(Ending::Critic),
            Self::Judge(event) => event.terminal().map(Ending::Judge),
            Self::Content(event) => event.terminal().map(Ending::Content),
            Self::Queued(_)
            | Self::RunStarted(_)
            | Self::PanelistOpen(_)
            | Self::PanelistDim(_)
            | Self::PanelistMustFix(_)
            | Self::PanelistClose(_)
            | Self::Evidence(_)
            | Self::RoundEnd(_)
            | Self::Agent(_)
            | Self::Lint(_)
            | Self::Fallback(_)
            | Self::ParserWarning(_) => None,
        }
    }
}

/// A run was asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Queued {
    /// Whose run it is.
    pub project_id: ProjectId,
    /// What it will review.
    pub artifact_id: ArtifactId,
    /// Who will play the panel.
    pub agent: AgentId,
    /// What the work is called: the name of its file, or its brief.
    pub title: String,
    /// The skill that it is made with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub skill: Option<SkillId>,
}

/// The handshake: who sits on the panel and where the bar is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunStarted {
    /// The version of the wire protocol.
    pub protocol_version: u32,
    /// The roles, in the order of the lanes.
    pub cast: Vec<Role>,
    /// How many rounds there can be.
    pub max_rounds: u32,
    /// The bar.
    pub threshold: Threshold,
    /// The upper end of the scores.
    pub scale: Scale,
    /// How much each role counts.
    pub weights: Weights,
    /// What is kept when no round meets the bar.
    pub fallback_policy: FallbackPolicy,
    /// What is made of measured facts; left out when nothing is measured.
    #[serde(default, skip_serializing_if = "EvidenceMode::is_off")]
    #[schema(required = false)]
    pub evidence: EvidenceMode,
    /// Whose run it is.
    pub project_id: ProjectId,
    /// What it reviews.
    pub artifact_id: ArtifactId,
    /// Who plays the panel.
    pub agent: AgentId,
}

/// A panelist began to speak.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PanelistOpen {
    /// In which round.
    pub round: Round,
    /// Who.
    pub role: Role,
}

/// One dimension of a review.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PanelistDim {
    /// In which round.
    pub round: Round,
    /// Who.
    pub role: Role,
    /// Which dimension.
    pub dim_name: String,
    /// Its score, if it has a usable one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub dim_score: Option<Score>,
    /// The sentence to it.
    pub dim_note: String,
}

/// A directive that holds a ship back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PanelistMustFix {
    /// In which round.
    pub round: Round,
    /// Who.
    pub role: Role,
    /// What is to be done.
    pub text: String,
    /// Who the finding is, across rounds.
    pub finding: FindingId,
    /// Open, or back again.
    pub state: FindingState,
}

/// A panelist is done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PanelistClose {
    /// In which round.
    pub round: Round,
    /// Who.
    pub role: Role,
    /// The score, if it has a usable one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub score: Option<Score>,
    /// What the panelist said beside its dimensions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub notes: String,
    /// The designer's draft.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub artifact: Option<Blob>,
}

/// A round is done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoundEnd {
    /// Which round.
    pub round: Round,
    /// Computed from its reviews.
    pub composite: Composite,
    /// How many must-fixes are open.
    pub must_fix: u32,
    /// Whether at least half of the weighted panel gave a usable score. A round without it cannot ship.
    pub quorum: bool,
    /// What the rule says.
    pub decision: Decision,
    /// Why the rule says it.
    pub reason: String,
    /// What the agent said about it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// How much the agent wrote in this round.
    pub bytes: Bytes,
}

/// What an agent's program says about itself, beside its answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentNote {
    /// What it is about.
    pub kind: AgentNoteKind,
    /// In a few words, for a person; never a secret, never a part of the answer.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// The status of the model's service, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub status: Option<u16>,
    /// What was used since the last note of this kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub usage: Option<Usage>,
}

/// What a note of an agent is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AgentNoteKind {
    /// Which session it is, for whoever wants to look there.
    Session,
    /// What it cost.
    Usage,
    /// It tries again.
    Retry,
    /// It abandoned what it had said and says it again.
    Restart,
    /// It, or the model's service, reports an error.
    Error,
}

/// Tokens and money.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Read by the model.
    pub input_tokens: u64,
    /// Written by the model.
    pub output_tokens: u64,
    /// In US dollars, when it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub cost_usd: Option<f64>,
}

impl Usage {
    /// Both together. A cost that is known for one part only is the cost of that part.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            input_tokens: self.input_tokens.saturating_add(other.input_tokens),
            output_tokens: self.output_tokens.saturating_add(other.output_tokens),
            cost_usd: match (self.cost_usd, other.cost_usd) {
                (None, None) => None,
                (one, two) => Some(one.unwrap_or(0.0) + two.unwrap_or(0.0)),
            },
        }
    }

    /// What is left of this when the other is taken away; nothing is below zero.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self {
            input_tokens: self.input_tokens.saturating_sub(other.input_tokens),
            output_tokens: self.output_tokens.saturating_sub(other.output_tokens),
            cost_usd: self.cost_usd.map(|cost| (cost - other.cost_usd.unwrap_or(0.0)).max(0.0)),
        }
    }
}

/// What the final pass found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Lint {
    /// The round whose artifact was looked at.
    pub round: Round,
    /// What keeps it from shipping; empty when nothing does.
    pub findings: Vec<LintFinding>,
}

/// The agent is asked once, without a panel. What comes of it is never called shipped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Fallback {
    /// Why there is no panel.
    pub reason: FallbackReason,
    /// Why, for a person.
    pub detail: String,
}

/// How a run that closed rounds ended, or one that had no panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ShipStatus {
    /// The bar was met.
    Shipped,
    /// It was not.
    BelowThreshold,
    /// Time ran out.
    TimedOut,
    /// The panel was off: what is handed over was made in a single pass and nobody reviewed it.
    Legacy,
}

impl From<ShipStatus> for Status {
    fn from(status: ShipStatus) -> Self {
        match status {
            ShipStatus::Shipped => Self::Shipped,
            ShipStatus::BelowThreshold => Self::BelowThreshold,
            ShipStatus::TimedOut => Self::TimedOut,
            ShipStatus::Legacy => Self::Legacy,
        }
    }
}

/// The end of a run that has a verdict or ran out of time. The status says which: a fallback is never
/// called shipped.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Ship {
    /// The round that shipped or was kept; the best one when nothing was kept; none without a panel.
    #[schema(required)]
    pub round: Option<Round>,
    /// The composite of that round.
    #[schema(required)]
    pub composite: Option<Composite>,
    /// What happened.
    pub status: ShipStatus,
    /// Where the artifact is; absent when nothing was kept.
    #[schema(required)]
    pub artifact_ref: Option<ArtifactRef>,
    /// What changed, in the agent's words, or why it did not ship, in ours.
    pub summary: String,
    /// What took too long, when time ran out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub cause: Option<TimeoutCause>,
    /// The body.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub artifact: Option<Blob>,
}

/// The review did not take place as promised.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Degraded {
    /// Why.
    pub reason: DegradedReason,
    /// The agent it happened with.
    pub adapter: AgentId,
    /// Why, for a person.
    pub detail: String,
    /// Where in the agent's output, when it is a place.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub position: Option<Offset>,
    /// What had been reached.
    #[serde(flatten)]
    pub best: BestSoFar,
}

/// A person stopped the run, or the program went away.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Interrupted {
    /// What had been reached.
    #[serde(flatten)]
    pub best: BestSoFar,
    /// Set when the interruption was found afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub recovery_reason: Option<RecoveryReason>,
}

/// Something broke.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Failed {
    /// What.
    pub cause: FailedCause,
    /// What, for a person.
    pub detail: String,
    /// What had been reached.
    #[serde(flatten)]
    pub best: BestSoFar,
}

/// The best closed round of a run that ended early, with that round's own composite.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BestSoFar {
    /// The round; none if no round closed.
    #[schema(required)]
    pub best_round: Option<Round>,
    /// Its composite.
    #[schema(required)]
    pub composite: Option<Composite>,
    /// Where its artifact is, if the fallback policy keeps one. Without a round, it is one that nobody reviewed.
    #[schema(required)]
    pub artifact_ref: Option<ArtifactRef>,
    /// The body that was kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub artifact: Option<Blob>,
}

/// Something was wrong and was recovered from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ParserWarning {
    /// What.
    pub kind: WarningKind,
    /// Where in the agent's output.
    pub position: Offset,
    /// Of whom, when it is about a panelist.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub role: Option<Role>,
}
