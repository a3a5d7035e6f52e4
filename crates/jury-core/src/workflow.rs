//! Workflows: what a way of reviewing has to say to everything around it.
//!
//! A workflow is an implementation of [`WorkflowState`], a row in the table below, and a line of [`dispatch!`]. Rows,
//! queues, recovery, routes, metrics and reports are written once, over the trait.

use std::fmt;
use std::str::FromStr;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::artifact::{ArtifactRef, Blob};
use crate::content::ContentEvent;
use crate::critic::{Answer, CriticEvent, DefaultAnswer, Question};
use crate::decision::Given;
use crate::finding::Finding;
use crate::held_back::HeldBack;
use crate::judge::JudgeEvent;
use crate::outcome::{FailedCause, UnknownWord, words};
use crate::run::{Outcome, OutcomeWord, RunPhase, RunSummary, Subject};
use crate::theater::event::TheaterEvent;
use crate::unit::Round;

/// The table of workflows: the name of each, its events, and what its spans begin with.
macro_rules! workflows {
    ($($(#[$doc:meta])* $workflow:ident = $word:literal, $events:ident, $spans:literal;)+) => {
        /// A way of reviewing.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum Workflow {
            $($(#[$doc])* $workflow,)+
        }

        words!(Workflow { $($workflow = $word),+ });

        /// A fact appended to the log of a run: an event of its workflow.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
        #[serde(untagged)]
        pub enum Event {
            $($(#[$doc])* $workflow($events),)+
        }

        impl Event {
            /// The name on the wire.
            pub fn kind(&self) -> &'static str {
                match self { $(Self::$workflow(event) => event.kind()),+ }
            }

            /// The workflow that it is an event of.
            pub fn workflow(&self) -> Workflow {
                match self { $(Self::$workflow(_) => Workflow::$workflow),+ }
            }

            /// How the run ended, if this is its end.
            pub fn terminal(&self) -> Option<Outcome> {
                match self { $(Self::$workflow(event) => event.terminal().map(Outcome::from)),+ }
            }
        }

        $(
            impl From<$events> for Event {
                fn from(event: $events) -> Self {
                    Self::$workflow(event)
                }
            }

            impl WorkflowEvent for $events {
                const WORKFLOW: Workflow = Workflow::$workflow;
                const SPANS: &'static str = $spans;

                fn of(event: &Event) -> Option<&Self> {
                    if let Event::$workflow(event) = event { Some(event) } else { None }
                }
            }
        )+
    };
}

workflows! {
    /// A panel over a page.
    Theater = "theater", TheaterEvent, "critique";
    /// Criteria over a document, pass after pass.
    Critic = "critic", CriticEvent, "critic";
    /// Judges over a finished run of a coding agent.
    Judge = "judge", JudgeEvent, "judge";
    /// A piece that is written, reviewed by chosen advisors, revised and published.
    Content = "content", ContentEvent, "content";
}

impl Workflow {
    /// Whether a person who is asked by its runs has to say a verdict.
    pub fn asks_for_verdict(self) -> bool {
        dispatch!(self, State => <State as WorkflowState>::ASKS_FOR_VERDICT)
    }
}

/// Evaluates an expression with the state of a workflow as a type: `dispatch!(row.workflow, State => fold::<State>(log))`.
#[macro_export]
macro_rules! dispatch {
    ($workflow:expr, $state:ident => $body:expr) => {
        match $workflow {
            $crate::workflow::Workflow::Theater => {
                type $state = $crate::theater::Board;
                $body
            }
            $crate::workflow::Workflow::Critic => {
                type $state = $crate::critic::CriticState;
                $body
            }
            $crate::workflow::Workflow::Judge => {
                type $state = $crate::judge::JudgeState;
                $body
            }
            $crate::workflow::Workflow::Content => {
                type $state = $crate::content::ContentState;
                $body
            }
        }
    };
}
pub use dispatch;

/// Evaluates an expression with the event of whatever workflow it is of: `with_event!(&record.event, event => event.kind())`.
#[macro_export]
macro_rules! with_event {
    ($any:expr, $event:ident => $body:expr) => {
        match $any {
            $crate::workflow::Event::Theater($event) => $body,
            $crate::workflow::Event::Critic($event) => $body,
            $crate::workflow::Event::Judge($event) => $body,
            $crate::workflow::Event::Content($event) => $body,
        }
    };
}
pub use with_event;

/// The events of one workflow among all events.
pub trait WorkflowEvent: Clone + Into<Event> + Send + Sync + 'static {
    /// The workflow that these events belong to.
    const WORKFLOW: Workflow;

    /// What the names of the spans of a run begin with.
    const SPANS: &'static str;

    /// The event, if it is of this workflow.
    fn of(event: &Event) -> Option<&Self>;
}

/// The state of a run, folded from its log, and everything that others ask of it.
///
/// Implemented by the state of each workflow. What is decided about a run is decided here and in the workflow's machine;
/// the store, the scheduler and the server only ask.
pub trait WorkflowState: Default + Clone + Send + Sync + 'static {
    /// The workflow that this is the state of.
    const WORKFLOW: Workflow = <Self::Event as WorkflowEvent>::WORKFLOW;

    /// Whether a person who is asked has to say a verdict.
    const ASKS_FOR_VERDICT: bool = false;

    /// Whether there is at most one run with the same title that has not ended.
    const EXCLUSIVE: bool = false;

    /// Whether a run that nobody drives can be resumed at any step, instead of being cut off.
    const RESUMABLE: bool = false;

    /// The events that it is folded from.
    type Event: WorkflowEvent;

    /// What is asked of a run. It is kept with the run, so that it can begin later or be asked for again.
    type Request: Serialize + DeserializeOwned + Send + Sync + 'static;

    /// Its words for how a run stands and ends.
    type Status: OutcomeWord;

    /// What is shown of a run to those who ask for its state.
    type View: Serialize;

    /// What is shown of this run.
    fn view(&self) -> Self::View;

    /// Takes one event in. Total: an event that does not fit changes nothing that matters.
    fn apply(&mut self, event: &Self::Event);

    /// How the run stands.
    fn phase(&self) -> RunPhase;

    /// What an event says about the run if it is the first of a log; none if no log begins like that.
    fn queued(event: &Self::Event) -> Option<Subject>;

    /// Whether an event says that a worker began.
    fn starts(event: &Self::Event) -> bool;

    /// How the run ended, if this event is its end.
    fn terminal(event: &Self::Event) -> Option<Self::Status>;

    /// Keeps the summary of a run up with the next event.
    fn summarise(summary: &mut RunSummary, event: &Self::Event);

    /// Whether the rows around a run change with this event, so that they need its state: it ends, or a person is asked or
    /// has answered.
    fn concerns_rows(event: &Self::Event) -> bool {
        Self::terminal(event).is_some()
    }

    /// What only the whole state can add to the summary.
    fn conclude(&self, _summary: &mut RunSummary) {}

    /// Everything that was found so far, with what became of it.
    fn findings(&self) -> Vec<Finding>;

    /// What keeps the run from passing. Only asked of a run that was reviewed and did not pass.
    fn held_back(&self) -> HeldBack;

    /// The questions that an event asks. The state is that after the event.
    fn questions(&self, _event: &Self::Event) -> Vec<AskedQuestion> {
        Vec::new()
    }

    /// The answer that an event says was given.
    fn answered(_event: &Self::Event) -> Option<AnsweredQuestion> {
        None
    }

    /// Whether an answer can be used for a question.
    fn accepts(_question: &Question, _given: &Given) -> bool {
        true
    }

    /// What the row of the artifact says beyond the run's own; none in workflows that leave it empty.
    fn artifact_columns(&self) -> Option<ArtifactColumns> {
        None
    }

    /// The round whose artifact is handed over when the run is cut off now.
    fn kept(&self) -> Option<(Round, Blob)> {
        None
    }

    /// What is appended when the program that drove the run is gone: its end, or a pause. None for a run that waits, which
    /// goes on waiting, and for one that can go on, which is in the queue again. `kept` is where the artifact of [`kept`](Self::kept) is by then.
    fn cut_off(&self, kept: Option<ArtifactRef>) -> Option<Self::Event>;

    /// What is appended when the run is stopped while nobody drives it.
    fn withdrawn(&self) -> Option<Self::Event>;

    /// What is appended when the run cannot go on, for a reason that is not its own.
    fn failed(&self, cause: FailedCause, detail: String) -> Option<Self::Event>;

    /// The state after these events.
    fn folded<'a>(events: impl IntoIterator<Item = &'a Event>) -> Self {
        let mut state = Self::default();
        for event in events.into_iter().filter_map(Self::Event::of) {
            state.apply(event);
        }
        state
    }
}

/// A question that a run asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedQuestion {
    /// The round or pass after which it is asked.
    pub round: Round,
    /// The question as it was asked.
    pub question: Question,
    /// What is answered for a person who says nothing until the deadline.
    pub default: DefaultAnswer,
}

/// An answer as the log has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnsweredQuestion {
    /// The number of the question.
    pub number: u32,
    /// The answer that was given.
    pub answer: Answer,
    /// The name of the person who gave it.
    pub by: String,
}

/// What the row of an artifact says about the run that reviewed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArtifactColumns {
    /// The rounds, as JSON.
    pub rounds_json: String,
    /// The version of the wire protocol, once it is known.
    pub protocol_version: Option<u32>,
}
