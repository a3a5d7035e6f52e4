//! What goes into the machine and what comes out of it: the whole of its interface but for the machine itself.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::criterion::{Check, Command, CriteriaSet, CriterionId, Measure};
use super::document_change::DocumentChange;
use super::event::{CriticEvent, Spot};
use super::reading::CriticAnswer;
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
pub struct CriticSetup {
    /// Whose run it is.
    pub project: ProjectId,
    /// The document that is reviewed.
    pub artifact: ArtifactId,
    /// Who the critic is. Without one, criteria that take an opinion have no verdict.
    pub agent: Option<AgentId>,
    /// Who changes the document.
    pub fixer: Fixer,
    /// The criteria and their bounds.
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
    pub limits: CriticLimits,
}

/// How long things may take, and how often they are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CriticLimits {
    /// The whole run. The time in which a person thinks does not count.
    pub total: Millis,
    /// One step: all checks of a pass, one attempt of the critic, one attempt of a fix.
    pub step: Millis,
    /// How often a critic, a check or a fix that failed is tried again.
    pub retries: u32,
}

impl Default for CriticLimits {
    fn default() -> Self {
        Self { total: Millis(30 * 60_000), step: Millis(5 * 60_000), retries: 1 }
    }
}

/// What can happen to a run.
#[derive(Debug, Clone, PartialEq)]
pub enum CriticInput {
    /// A worker took it.
    Start,
    /// A check command has ended, or could not be run.
    Checked {
        /// The criterion that was checked.
        criterion: CriterionId,
        /// What the command did.
        result: CheckResult,
    },
    /// Something was measured, or could not be, as these words say.
    Measured {
        /// The criterion that it was measured for.
        criterion: CriterionId,
        /// The measurement, or why there is none.
        result: Result<DocumentMeasurement, String>,
    },
    /// The critic has spoken.
    Reviewed(CriticAnswer),
    /// The critic gave up, or had to be given up on.
    CriticFailed {
        /// The part that failed.
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
        /// The answer that was given.
        answer: Answer,
        /// The person or program that gave it.
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
    /// The command ended by itself.
    Ran {
        /// The exit code of the command.
        exit: i32,
        /// What it printed on both streams. The end of it is kept.
        output: Vec<u8>,
    },
    /// It was not run to its end, as these words say.
    NotRun(String),
}

/// What was measured in the document.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DocumentMeasurement {
    /// How many things were looked at.
    pub checked: u32,
    /// How many of them are not as they should be.
    pub affected: u32,
    /// What was looked at, in the plural: `links`.
    pub what: String,
    /// Figures beside these two.
    pub figures: BTreeMap<String, f64>,
    /// The places that are affected.
    pub places: Vec<Spot>,
}

/// What a fix changed in the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FixReport {
    /// The document as it is now.
    pub document: Blob,
    /// The orders that were carried out, by criterion.
    pub applied: Vec<CriterionId>,
    /// The places that changed; [`changes`](super::document_change::changes) finds them.
    pub changes: Vec<DocumentChange>,
    /// What was done, in the fixer's words.
    pub summary: String,
}

/// What the machine wants.
pub type CriticOutput = machine::Output<CriticEvent, CriticEffect>;

/// Something to be done by whoever drives the machine.
#[derive(Debug, Clone, PartialEq)]
pub enum CriticEffect {
    /// Run this check on the document and come back with [`CriticInput::Checked`]. Several may run at once.
    RunCheck {
        /// The criterion that is checked.
        criterion: CriterionId,
        /// The command and what it must do.
        check: Check,
    },
    /// Measure this in the document and come back with [`CriticInput::Measured`].
    Measure {
        /// The criterion that it is measured for.
        criterion: CriterionId,
        /// What is to be measured.
        measure: Measure,
    },
    /// Ask the critic and come back with [`CriticInput::Reviewed`] or [`CriticInput::CriticFailed`].
    AskCritic(CriticAsk),
    /// Change a copy of the document, order by order, and come back with [`CriticInput::Fixed`] or [`CriticInput::FixFailed`].
    Fix(Vec<FixOrder>),
    /// End whatever is being done; its result is not wanted any more.
    Stop,
}

/// What the critic is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CriticAsk {
    /// The pass that it is asked in.
    pub pass: Round,
    /// Which attempt of this pass, from 1.
    pub attempt: u32,
    /// What must be added to the answer before; empty when there is none.
    pub rejected: Vec<Rejection>,
}

/// What an answer must add.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// The criterion that is not answered.
    pub criterion: CriterionId,
    /// What is missing in the answer.
    pub gap: Gap,
    /// What is missing, for the critic.
    pub reason: String,
}

/// One thing to be done to the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FixOrder {
    /// The criterion that is repaired.
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
pub type CriticOutbox = Vec<CriticOutput>;
