//! What goes into the machine and what comes out of it: the whole of its interface but for the machine itself.

use super::claim::ClaimReader;
use crate::artifact::Digest;
use crate::event::{AgentNote, TheaterEvent};
use crate::evidence::Measurement;
use crate::id::{AgentId, ArtifactId, ProjectId};
use crate::lint::LintFinding;
use crate::machine;
use crate::outcome::FailedCause;
use crate::process::Exit;
use crate::protocol::{Fault, Part, Signal};
use crate::unit::Round;

/// What a run is about and who plays it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TheaterSetup {
    /// Whose run it is.
    pub project: ProjectId,
    /// The page that is reviewed.
    pub artifact: ArtifactId,
    /// Who plays the panel.
    pub agent: AgentId,
}

/// How a run begins, and what becomes of it without a review.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Whether there is a panel.
    pub opening: Opening,
    /// Whether there is something to make: then the agent is asked once, for the page alone, when there is no
    /// review. A run that reviews what it was given has nothing to make.
    pub generates: bool,
    /// Who measures what the panel speaks of.
    pub witness: Witness,
    /// The page that was handed in, if one was: every other draft is compared with it, whoever measures.
    pub given: Option<Digest>,
    /// What the run may use.
    pub budget: RunBudget,
}

/// What a run may use, as far as somebody said.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RunBudget {
    /// In US dollars.
    pub usd: Option<f64>,
    /// In tokens, read and written.
    pub tokens: Option<u64>,
}

/// Who measures what the panel speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Witness {
    /// Nothing is measured in this run.
    Nobody,
    /// Whoever drives the machine, when it asks for it. The figures in the words of the panel are read by this.
    Driver(ClaimReader),
    /// The panel itself: it does nothing but measure, and there is nothing to hold its words against.
    Panel,
}

/// Whether there is a panel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Opening {
    /// A panel reviews the page.
    Panel,
    /// There should be, but the agent is marked as unable to run a jury, as these words say.
    Refused(String),
    /// The panel is off, for this reason.
    Off(String),
}

/// What can happen to a run.
#[derive(Debug, Clone, PartialEq)]
pub enum TheaterInput<'a> {
    /// A worker took it.
    Start,
    /// The parser saw something.
    Signal(Signal<'a>),
    /// A piece of the answer came, and behind it the agent is in the middle of this. Comes after the signals of the piece.
    Arrived(Part),
    /// The parser, or the spool before it, gave up.
    Fault(Fault),
    /// The agent's output has ended before the transcript did.
    Ended {
        /// How the process ended.
        exit: Exit,
        /// Why the transcript is not whole.
        fault: Fault,
    },
    /// The agent's program said something about itself.
    Note(AgentNote),
    /// The agent gave up, or had to be given up on.
    AgentFailed {
        /// The part that failed.
        cause: FailedCause,
        /// Why, for a person.
        detail: String,
    },
    /// The agent could not be started.
    NotStarted(String),
    /// A deadline may have passed.
    Deadline,
    /// The user wants it to stop.
    Interrupt,
    /// The final pass has looked at the artifact.
    Linted(Vec<LintFinding>),
    /// An artifact was measured, or could not be.
    Measured {
        /// The digest of the page.
        digest: Digest,
        /// What came out, or why nothing did.
        result: Box<Result<Measurement, String>>,
    },
    /// The single pass is over.
    Legacy {
        /// The page, if it brought one.
        body: Option<Vec<u8>>,
        /// Why it brought none.
        detail: String,
    },
    /// The program cannot go on.
    Broken(String),
}

/// What the machine wants.
pub type TheaterOutput = machine::Output<TheaterEvent, TheaterEffect>;

/// Something to be done by whoever drives the machine.
#[derive(Debug, Clone, PartialEq)]
pub enum TheaterEffect {
    /// Start the agent of the panel.
    StartAgent,
    /// End the agent; it is not needed any more.
    StopAgent,
    /// Ask the agent once, without a panel, and come back with [`TheaterInput::Legacy`].
    AskOnce,
    /// Keep the draft of a round. Comes before the event that refers to it.
    KeepRound {
        /// The round that the draft belongs to.
        round: Round,
        /// The bytes of the draft.
        body: Vec<u8>,
    },
    /// Measure the draft of a round, which was kept just now, and come back with [`TheaterInput::Measured`]. The machine
    /// goes on in the meantime, and waits at the end of the round.
    Measure {
        /// The round that the draft belongs to.
        round: Round,
        /// The digest of the draft.
        digest: Digest,
    },
    /// Keep the artifact that is handed over. Comes before the event that refers to it.
    KeepFinal(ArtifactSource),
    /// Look at this artifact before it is called shipped, and come back with [`TheaterInput::Linted`].
    Lint(ArtifactSource),
}

/// Where the bytes of an artifact are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArtifactSource {
    /// The bytes themselves.
    Body(Vec<u8>),
    /// They were kept as the draft of this round.
    Round(Round),
}

/// Collects what the machine wants.
pub type TheaterOutbox = Vec<TheaterOutput>;
