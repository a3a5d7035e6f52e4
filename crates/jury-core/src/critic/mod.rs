//! The critic: any document against named criteria, pass after pass, until four conditions hold.
//!
//! [`Critic`] decides: it takes what was measured, what the critic said (read by [`mod@format`]), what a fix did, the
//! clock and a person's answers, and puts events and effects into an [`CriticOutbox`]. [`CriticState`] is the state, a fold of the
//! events. The criteria are a [`CriteriaSet`], read by [`criteria`].
//!
//! A run that waits for a person is a log that ends in `critic.escalated`. It is taken up again with
//! [`Critic::resume`].

mod contents;
mod counted;
pub mod criteria;
mod criterion;
pub mod document_change;
mod ending;
mod event;
mod evidence;
mod figure;
pub mod format;
mod machine;
mod options;
mod outcome;
mod pass;
mod port;
mod reading;
mod request;
mod state;
mod trouble;
mod verdict;
mod workflow;

pub use contents::Contents;
pub use counted::has_figure;
pub use criterion::{
    Adversary, Check, Command, CriteriaSet, Criterion, CriterionId, DefaultAnswer, FigureBound, Measure,
    Needs, NotACriterion, Trigger,
};
pub use document_change::DocumentChange;
pub use ending::BATCH;
pub use event::{
    Absent, Adversarial, Answered, Converged, CriterionJudged, CriticEvent, CriticEvidence, CriticFailed,
    CriticInterrupted, CriticQueued, CriticStarted, CriticTally, Escalated, EvidenceSource, FixFailed, Fixed,
    Inconclusive, Noted, PassEnded, PassStarted, Rejected, Reopened, SafetyCap, Spot, Stopped,
};
pub use evidence::{KEPT_OUTPUT, KEPT_PLACES};
pub use figure::{figures, pattern_trouble};
pub use machine::Critic;
pub use outcome::{Churn, CriticStatus, PassResult, StopReason};
pub use port::{
    CheckResult, CriticAsk, CriticEffect, CriticInput, CriticLimits, CriticOutbox, CriticOutput, CriticSetup,
    DocumentMeasurement, FixOrder, FixReport, Fixer, Rejection,
};
pub use reading::{CriticAnswer, Raised, Said, Scenario};
pub use request::CriticRequest;
pub use state::{CriticState, PassState, QuestionState};
pub use verdict::{Answer, Basis, Choice, CriterionVerdict, DEFERRED_FOR, Deferral, Gap, Question};
