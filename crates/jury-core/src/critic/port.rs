//! What goes into the machine and what comes out of it: the whole of its interface but for the machine itself.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::criterion::{Check, Command, CriteriaSet, CriterionId, Measure};
use super::event::{CriticEvent, Spot};
use super::place::Change;
use super::reading::Reading;
use super::verdict::{Answer, Deferral, Gap};
use crate::artifact::Blob;
use crate::event::AgentNote;
use crate::finding::FindingId;
use crate::id::{AgentId, ArtifactId, ProjectId};
use crate::machine;
use crate::outcome::FailedCause;
use crate::unit::{Millis, Round};

/// Who changes the document between passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fixer {
    /// Nobody: a review and nothing else.
    Nobody,
    /// The fix commands of the criteria.
    Commands,
    /// The fix commands, and an agent for everything else.
    Agent,
}

/// What a run is about, who takes part, and where it ends.
#[derive(Debug, Clone, PartialEq)]
pub struct Setup {
    /// Whose run it is.
    pub project: ProjectId,
    /// What it reviews.
    pub artifact: ArtifactId,
    /// Who the critic is. Without one, criteria that take an opinion have no verdict.
    pub agent: Option<AgentId>,
    /// Who changes the document.
    pub fixer: Fixer,
    /// What is asked.
    pub set: CriteriaSet,
    /// The document as it is given.
    pub document: Blob,
    /// Whether clear cases are decided without asking: a question with one way out beside the skip, or one whose
    /// criterion has a default.
    pub auto: bool,
    /// The release that the document belongs to.
    pub release: Option<String>,
    /// What earlier runs have put off.
    pub deferrals: Vec<Deferral>,
    /// When the run begins.
    pub started_at: Timestamp,
    /// How long things may take.
    pub limits: Limits,
}

/// How long things may take, and how often they are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The whole run. The time in which a person thinks does not count.
    pub total: Millis,
    /// One step: all checks of a pass, one attempt of the critic, one attempt of a fix.
    pub step: Millis,
    /// How often a critic, a check or a fix that failed is tried again.
    pub retries: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { total: Millis(30 * 60_000), step: Millis(5 * 60_000), retries: 1 }
    }
}

/// What can happen to a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// A worker took it.
    Start,
    /// A check command has ended, or could not be run.
    Checked {
        /// Of which criterion.
        criterion: CriterionId,
        /// How.
        result: CheckResult,
    },
    /// Something was measured, or could not be, as these words say.
    Measured {
        /// For which criterion.
        criterion: CriterionId,
        /// What.
        result: Result<Measurement, String>,
    },
    /// The critic has spoken.
    Reviewed(Reading),
    /// The critic gave up, or had to be given up on.
    CriticFailed {
        /// Why.
        cause: FailedCause,
        /// Why, for a person.
        detail: String,
    },
    /// The agent's program said something about itself.
    Note(AgentNote),
    /// The document was changed. Its bytes are kept before this is said.
    Fixed(FixReport),
    /// It could not be changed, as these words say.
    FixFailed(String),
    /// A person has answered.
    Answered {
        /// The number of the question.
        question: u32,
        /// The answer.
        answer: Answer,
        /// Who.
        by: String,
    },
    /// A deadline may have passed.
    Deadline,
    /// The user wants it to stop.
    Interrupt,
    /// The program cannot go on.
    Broken(String),
}

/// How a check command ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckResult {
    /// By itself.
    Ran {
        /// With this code.
        exit: i32,
        /// What it printed on both streams. The end of it is kept.
        output: Vec<u8>,
    },
    /// It was not run to its end, as these words say.
    NotRun(String),
}

/// What was measured in the document.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Measurement {
    /// How many things were looked at.
    pub checked: u32,
    /// How many of them are not as they should be.
    pub affected: u32,
    /// What was looked at, in the plural: `links`.
    pub what: String,
    /// Figures beside these two.
    pub figures: BTreeMap<String, f64>,
    /// What is affected.
    pub places: Vec<Spot>,
}

/// What was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FixReport {
    /// The document as it is now.
    pub document: Blob,
    /// The orders that were carried out, by criterion.
    pub applied: Vec<CriterionId>,
    /// The places that changed; [`changes`](super::place::changes) finds them.
    pub changes: Vec<Change>,
    /// What was done, in the fixer's words.
    pub summary: String,
}

/// What the machine wants.
pub type Output = machine::Output<CriticEvent, Effect>;

/// Something to be done by whoever drives the machine.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Run this check on the document and come back with [`Input::Checked`]. Several may run at once.
    RunCheck {
        /// For which criterion.
        criterion: CriterionId,
        /// What.
        check: Check,
    },
    /// Measure this in the document and come back with [`Input::Measured`].
    Measure {
        /// For which criterion.
        criterion: CriterionId,
        /// What.
        measure: Measure,
    },
    /// Ask the critic and come back with [`Input::Reviewed`] or [`Input::CriticFailed`].
    AskCritic(Ask),
    /// Change a copy of the document, order by order, and come back with [`Input::Fixed`] or [`Input::FixFailed`].
    Fix(Vec<FixOrder>),
    /// End whatever is being done; its result is not wanted any more.
    Stop,
}

/// What the critic is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// Which pass.
    pub pass: Round,
    /// Which attempt of this pass, from 1.
    pub attempt: u32,
    /// What must be added to the answer before; empty when there is none.
    pub rejected: Vec<Rejection>,
}

/// What an answer must add.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// On which criterion.
    pub criterion: CriterionId,
    /// What is missing.
    pub gap: Gap,
    /// What is missing, for the critic.
    pub reason: String,
}

/// One thing to be done to the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FixOrder {
    /// For which criterion.
    pub criterion: CriterionId,
    /// By what; none: by the agent.
    pub command: Option<Command>,
    /// What is the matter and what is to be done.
    pub text: String,
    /// What a person has decided about it.
    pub decision: Option<String>,
    /// The findings that it is about.
    pub findings: Vec<FindingId>,
}

/// Collects what the machine wants.
pub type Outbox = Vec<Output>;
