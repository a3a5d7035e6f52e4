//! A run: one execution of a workflow, how it stands, and what that means for the command that waits for it.
//!
//! Every workflow has its own words for how a run ends (`shipped`, `converged`, `pass`, `approved`). [`Outcome`] is any of
//! them with its meaning, and [`OutcomeKind::exit_code`] is the one place that makes an exit code of it.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize, Serializer};
use utoipa::ToSchema;

use crate::id::{AgentId, ArtifactId, ProjectId};
use crate::outcome::{UnknownWord, words};
use crate::role::Role;
use crate::score::{Composite, Score};
use crate::unit::Round;
use crate::workflow::{Workflow, WorkflowState, dispatch};

/// What a run means for a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeKind {
    /// The bar was met. The only green one.
    Passed,
    /// The review took place, and the bar was not met.
    NotPassed,
    /// The review did not take place as promised, or is not over.
    Inconclusive,
    /// A person has to do something first.
    Waiting,
    /// A person or a shutdown stopped it.
    Interrupted,
}

words!(OutcomeKind {
    Passed = "passed",
    NotPassed = "not_passed",
    Inconclusive = "inconclusive",
    Waiting = "waiting",
    Interrupted = "interrupted",
});

impl OutcomeKind {
    /// The exit code of a command that gates on it. No other function makes one.
    pub const fn exit_code(self) -> u8 {
        match self {
            Self::Passed => 0,
            Self::NotPassed => 1,
            Self::Inconclusive => 3,
            Self::Waiting => 4,
            Self::Interrupted => 130,
        }
    }

    /// The same as a person says it.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::NotPassed => "not passed",
            Self::Inconclusive => "not reviewed as promised",
            Self::Waiting => "waits for a person",
            Self::Interrupted => "interrupted",
        }
    }
}

/// How a run ended or stands, in the word of its workflow, with what the word means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Outcome {
    workflow: Workflow,
    word: &'static str,
    kind: OutcomeKind,
}

/// The words in which a workflow says how its runs stand and end.
pub trait OutcomeWord: Copy + FromStr<Err = UnknownWord> + 'static {
    /// The workflow whose words they are.
    const WORKFLOW: Workflow;

    /// The words with which a run can end.
    const ENDS: &'static [Self];

    /// The word as every format writes it.
    fn word(self) -> &'static str;

    /// What it means for a gate.
    fn kind(self) -> OutcomeKind;

    /// Whether there is nothing to come.
    fn is_end(self) -> bool {
        Self::ENDS.iter().any(|end| end.word() == self.word())
    }

    /// The exit code of a command that gates on it.
    fn exit_code(self) -> u8 {
        self.kind().exit_code()
    }
}

impl<W: OutcomeWord> From<W> for Outcome {
    fn from(word: W) -> Self {
        Self { workflow: W::WORKFLOW, word: word.word(), kind: word.kind() }
    }
}

impl Outcome {
    /// Reads the word of a workflow.
    pub fn read(workflow: Workflow, word: &str) -> Result<Self, UnknownWord> {
        dispatch!(workflow, State => word.parse::<<State as WorkflowState>::Status>().map(Self::from))
    }

    /// Every way in which a run of a workflow can end.
    pub fn ends(workflow: Workflow) -> Vec<Self> {
        dispatch!(workflow, State => {
            <State as WorkflowState>::Status::ENDS.iter().copied().map(Self::from).collect()
        })
    }

    /// The word as it is written on the wire.
    pub fn as_str(self) -> &'static str {
        self.word
    }

    /// What it means for a gate.
    pub fn kind(self) -> OutcomeKind {
        self.kind
    }

    /// The workflow whose word it is.
    pub fn workflow(self) -> Workflow {
        self.workflow
    }

    /// The exit code of a command that gates on it.
    pub fn exit_code(self) -> u8 {
        self.kind.exit_code()
    }

    /// The word as the value of its workflow; none if it is the word of another.
    pub fn status<W: OutcomeWord>(self) -> Option<W> {
        (self.workflow == W::WORKFLOW).then(|| self.word.parse().ok()).flatten()
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word)
    }
}

impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word)
    }
}

/// How a run stands, as far as everybody but its workflow needs to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunPhase {
    /// There is something to do.
    Running,
    /// Nothing can be done before this.
    Waiting(Wait),
    /// It has its terminal event.
    Ended(Outcome),
}

/// What a run waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wait {
    /// A person's answer to a question in the inbox. With the last answer the run is in the queue again.
    Answer,
    /// Somebody who resumes it.
    Resume,
    /// A rate limit or a budget. The run is in the queue.
    RateLimit,
}

/// Where a run is in the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunState {
    /// Waiting for a worker.
    Queued,
    /// A worker owns it.
    Running,
    /// Waiting for a person.
    Waiting,
    /// It has its terminal event.
    Ended,
}

words!(RunState { Queued = "queued", Running = "running", Waiting = "waiting", Ended = "ended" });

/// What the first event of a log says about its run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// The project of the run.
    pub project: ProjectId,
    /// The artifact under review. Every run has one of its own, because its folder keeps the run's transcript.
    pub artifact: ArtifactId,
    /// The agent that reviews.
    pub agent: AgentId,
    /// What the work is called. In a workflow with [one run at a time](crate::workflow::WorkflowState::EXCLUSIVE) it names
    /// what that one run is about.
    pub title: String,
}

/// What the row of a run says about its log, kept up event by event.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RunSummary {
    /// How it ended, if it has.
    pub status: Option<Outcome>,
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::ContentStatus;
    use crate::critic::CriticStatus;
    use crate::judge::JudgeStatus;
    use crate::outcome::TheaterStatus;

    fn comes_back<W: OutcomeWord + PartialEq + fmt::Debug>(all: &[W], green: W) {
        for word in all {
            let outcome = Outcome::from(*word);
            assert_eq!(Outcome::read(W::WORKFLOW, outcome.as_str()), Ok(outcome));
            assert_eq!(outcome.status::<W>(), Some(*word));
            assert_eq!(outcome.exit_code() == 0, *word == green, "{word:?}");
        }
    }

    #[test]
    fn a_word_is_read_in_its_workflow_and_one_of_each_is_green() {
        comes_back(TheaterStatus::ALL, TheaterStatus::Shipped);
        comes_back(CriticStatus::ALL, CriticStatus::Converged);
        comes_back(JudgeStatus::ALL, JudgeStatus::Pass);
        comes_back(ContentStatus::ALL, ContentStatus::Approved);
        assert!(Outcome::read(CriticStatus::WORKFLOW, "shipped").is_err());
        assert!(Outcome::read(JudgeStatus::WORKFLOW, "converged").is_err());
        assert_eq!(Outcome::from(CriticStatus::Failed).status::<JudgeStatus>(), None);
    }

    #[test]
    fn exit_codes_are_what_the_reference_says() {
        let codes: Vec<u8> = OutcomeKind::ALL.iter().map(|kind| kind.exit_code()).collect();
        assert_eq!(codes, [0, 1, 3, 4, 130]);
    }
}
