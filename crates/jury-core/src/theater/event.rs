//! Events of the theater: the facts a panel's run consists of.
//!
//! Names and fields are those of the SSE protocol. Fields beyond it are additions that a reader may ignore.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::artifact::{ArtifactRef, Blob};
use crate::event::{AgentNote, events};
use crate::evidence::{Evidence, EvidenceMode};
use crate::finding::{FindingId, FindingState};
use crate::id::{AgentId, ArtifactId, ProjectId, SkillId};
use crate::lint::LintFinding;
use crate::outcome::{
    Decision, DegradedReason, FailedCause, FallbackPolicy, FallbackReason, RecoveryReason, TheaterStatus,
    TimeoutCause,
};
use crate::role::Role;
use crate::score::{Composite, Scale, Score, Threshold, Weights};
use crate::seat::{MeasuredSeat, PlayedBy, Seat, weight};
use crate::unit::{Bytes, Offset, Round};
use crate::warning::WarningKind;

events! {
    /// A fact appended to the log of a panel's run.
    TheaterEvent {
        /// Somebody asked for a run.
        Queued(Queued) = "critique.queued",
        /// A worker took it.
        RunStarted(RunStarted) = "critique.run_started",
        /// A panelist began to speak.
        PanelistOpen(PanelistOpen) = "critique.panelist_open",
        /// A panelist scored one dimension.
        PanelistDim(PanelistDim) = "critique.panelist_dim",
        /// A panelist asked for a fix.
        PanelistMustFix(PanelistMustFix) = "critique.panelist_must_fix",
        /// A panelist is done.
        PanelistClose(PanelistClose) = "critique.panelist_close",
        /// A measured fact beside a claimed one. Comes before the end of its round in a gate, and
        /// before the end of the run otherwise.
        Evidence(Evidence) = "critique.evidence",
        /// A round is done, and the rule has decided.
        RoundEnd(RoundEnd) = "critique.round_end",
        /// The agent's program said something about itself: its session, its usage, a retry, an error.
        Agent(AgentNote) = "critique.agent",
        /// The final pass over the artifact that is about to ship.
        Lint(Lint) = "critique.lint",
        /// No panel sits, or no more: the agent is asked once, for a page that nobody reviews.
        Fallback(Fallback) = "critique.fallback",
        /// The run ended with a verdict, or ran out of time. Terminal.
        Ship(Ship) = "critique.ship",
        /// The review did not take place as promised. Terminal.
        Degraded(Degraded) = "critique.degraded",
        /// Somebody stopped it, or the program went away. Terminal.
        Interrupted(Interrupted) = "critique.interrupted",
        /// The agent, the store or jury failed. Terminal.
        Failed(Failed) = "critique.failed",
        /// Something was wrong and was recovered from.
        ParserWarning(ParserWarning) = "critique.parser_warning",
    }
}

impl TheaterEvent {
    /// The body that it speaks of: a draft, or what the run ended with.
    pub fn artifact(&self) -> Option<&Blob> {
        if let Self::PanelistClose(close) = self {
            close.artifact.as_ref()
        } else if let Self::Ship(ship) = self {
            ship.artifact.as_ref()
        } else {
            self.best()?.artifact.as_ref()
        }
    }

    /// The composite that the run ended with, if this is its end and it has one.
    pub fn composite(&self) -> Option<Composite> {
        if let Self::Ship(ship) = self { ship.composite } else { self.best()?.composite }
    }

    /// What had been reached, if it ends the run early.
    pub fn best(&self) -> Option<&BestSoFar> {
        if let Self::Degraded(Degraded { best, .. })
        | Self::Interrupted(Interrupted { best, .. })
        | Self::Failed(Failed { best, .. }) = self
        {
            Some(best)
        } else {
            None
        }
    }

    /// How the run ended, if this is its end.
    pub fn terminal(&self) -> Option<TheaterStatus> {
        match self {
            Self::Ship(ship) => Some(ship.status.into()),
            Self::Degraded(_) => Some(TheaterStatus::Degraded),
            Self::Interrupted(_) => Some(TheaterStatus::Interrupted),
            Self::Failed(_) => Some(TheaterStatus::Failed),
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
    /// The composite that a round must reach.
    pub threshold: Threshold,
    /// The upper end of the scores.
    pub scale: Scale,
    /// How much each role counts.
    pub weights: Weights,
    /// The seats of the cast that were added to the fixed ones; left out when there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub seats: Vec<Seat>,
    /// What is kept when no round meets the bar.
    pub fallback_policy: FallbackPolicy,
    /// What is made of measured facts; left out when nothing is measured.
    #[serde(default, skip_serializing_if = "EvidenceMode::is_off")]
    #[schema(required = false)]
    pub evidence: EvidenceMode,
    /// Whose run it is.
    pub project_id: ProjectId,
    /// The page that is reviewed.
    pub artifact_id: ArtifactId,
    /// Who plays the panel.
    pub agent: AgentId,
}

impl RunStarted {
    /// How much a role counts.
    pub fn weight(&self, role: Role) -> f64 {
        weight(&self.weights, &self.seats, role)
    }

    /// Who plays a role.
    pub fn player(&self, role: Role) -> PlayedBy {
        self.seat(role).map_or(PlayedBy::Agent, |seat| seat.played_by)
    }

    /// Whether a role can ask for a fix that holds a ship. An added seat without a weight changes nothing.
    pub fn demands(&self, role: Role) -> bool {
        self.seat(role).is_none_or(|seat| seat.weight > 0.0)
    }

    /// The seats that jury plays by measuring, in the order of the cast.
    pub fn measured_seats(&self) -> impl Iterator<Item = (Role, MeasuredSeat)> {
        self.seats
            .iter()
            .filter(|seat| seat.played_by == PlayedBy::Jury)
            .filter_map(|seat| Some((Role::Seat(seat.name), MeasuredSeat::named(seat.name.as_str())?)))
    }

    /// The added seat that this role is, if it is one.
    pub fn seat(&self, role: Role) -> Option<&Seat> {
        self.seats.iter().find(|seat| Role::Seat(seat.name) == role)
    }
}

/// A panelist began to speak.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PanelistOpen {
    /// The round that is open.
    pub round: Round,
    /// The panelist that begins.
    pub role: Role,
}

/// One dimension of a review.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PanelistDim {
    /// The round that is open.
    pub round: Round,
    /// The panelist that speaks.
    pub role: Role,
    /// The name of the dimension.
    pub dim_name: String,
    /// Its score, if it has a usable one.
    #[serde(default)]
    #[schema(required)]
    pub dim_score: Option<Score>,
    /// The sentence to it.
    pub dim_note: String,
}

/// A directive that holds a ship back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PanelistMustFix {
    /// The round that is open.
    pub round: Round,
    /// The panelist that demands it.
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
    /// The round that is open.
    pub round: Round,
    /// The panelist that has finished.
    pub role: Role,
    /// The score, if it has a usable one.
    #[serde(default)]
    #[schema(required)]
    pub score: Option<Score>,
    /// What the panelist said beside its dimensions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub notes: String,
    /// The draft of the designer, by its digest.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub artifact: Option<Blob>,
}

/// A round is done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoundEnd {
    /// The round that has ended.
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
    /// No round reached the bar.
    BelowThreshold,
    /// The run took too long.
    TimedOut,
    /// The panel was off: what is handed over was made in a single pass and nobody reviewed it.
    Legacy,
}

impl From<ShipStatus> for TheaterStatus {
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
    /// How the run ended.
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
    /// Whether the transcript is partial: time ran out, and the agent was stopped before it had said everything.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
    /// The page that is handed over, by its digest.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub artifact: Option<Blob>,
}

/// The review did not take place as promised.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Degraded {
    /// Why the review does not count.
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

/// The agent, the store or jury failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Failed {
    /// The part that failed.
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
    /// The composite of that round.
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
    /// The kind of the oddity.
    pub kind: WarningKind,
    /// Where in the agent's output.
    pub position: Offset,
    /// Of whom, when it is about a panelist.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub role: Option<Role>,
}
