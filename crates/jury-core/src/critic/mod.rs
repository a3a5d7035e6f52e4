//! The critic: any document against named criteria, pass after pass, until four conditions hold.
//!
//! [`Critic`] decides: it takes what was measured, what the critic said (read by [`mod@format`]), what a fix did, the
//! clock and a person's answers, and puts events and effects into an [`Outbox`]. [`CriticState`] is the state, a fold of the
//! events. The criteria are a [`CriteriaSet`], read by [`criteria`].
//!
//! A run that waits for a person is a log that ends in `critic.escalated`. It is taken up again with
//! [`Critic::resume`].

pub mod criteria;
mod criterion;
mod ending;
mod event;
mod evidence;
mod figure;
pub mod format;
mod machine;
mod outcome;
mod pass;
pub mod place;
mod port;
mod reading;
mod request;
mod state;
mod verdict;
mod workflow;

pub use criterion::{
    Adversary, Bound, Check, Command, CriteriaSet, Criterion, CriterionId, DefaultAnswer, Measure, Needs,
    NotACriterion, Trigger,
};
pub use ending::BATCH;
pub use event::{
    Absent, Adversarial, Answered, Converged, CriticEvent, CriticFailed, CriticInterrupted, CriticQueued,
    CriticStarted, Escalated, Evidence, EvidenceSource, FixFailed, Fixed, Inconclusive, Judged, Noted,
    PassEnded, PassStarted, Rejected, Reopened, SafetyCap, Spot, Stopped, Tally,
};
pub use evidence::{KEPT_OUTPUT, KEPT_PLACES};
pub use figure::{figures, has_figure, pattern_trouble};
pub use machine::Critic;
pub use outcome::{Churn, PassResult, Standing, StopReason};
pub use place::Change;
pub use port::{
    Ask, CheckResult, Effect, FixOrder, FixReport, Fixer, Input, Limits, Measurement, Outbox, Output,
    Rejection, Setup,
};
pub use reading::{Raised, Reading, Said, Scenario};
pub use request::CriticRequest;
pub use state::{CriticState, PassState, QuestionState};
pub use verdict::{Answer, Basis, Choice, DEFERRED_FOR, Deferral, Gap, Question, Verdict};
