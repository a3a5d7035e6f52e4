//! The learning loop: what finished agent runs teach about prompt templates, agents and judges.
//!
//! A judged run leaves feedback ([`Feedback`]): its mechanical signals, the patterns of what went wrong ([`Pattern`]) and
//! the judgement. Tallies of feedback ([`Book`]) make scores ([`scores()`]), scores make selections ([`select()`]),
//! refinements ([`refine`]) and A/B tests ([`ab`]), under guardrails ([`guardrail`]). Whether judgements may have a say in
//! that is measured against people ([`calibration`], [`drift`]).
//!
//! Everything but [`files`] is a function of its arguments: moments come from the caller, and so do seeds
//! ([`jury_core::random::Random`]). [`files`] has the folders in which all of it is kept.
//!
//! What one run is worth, and the gate that decides it, is `jury_core::judge`. Nothing here decides a gate.

pub mod ab;
pub mod agreement;
pub mod audit;
pub mod calibration;
pub mod drift;
mod feedback;
pub mod files;
pub mod guardrail;
pub mod interval;
pub mod message;
mod pattern;
pub mod refine;
mod registry;
pub mod retrospective;
mod sample;
mod scores;
mod select;
mod tally;
mod task;
pub mod weekly;

pub use feedback::{Feedback, FeedbackLine, JudgementPart, JudgingResult, NotFeedback, RecordPart};
pub use pattern::{Pattern, SCOPE_CREEP_SECONDS, is_infra};
pub use registry::{KEPT_BEADS, PatternEntry, PatternRegistry, Shown, Sightings};
pub use sample::{Sampling, cksum, sampling};
pub use scores::{
    AgentPart, AgentScore, AgentScores, PatternCount, TemplatePart, TemplateScore, TemplateScores,
    regressions, scores,
};
pub use select::{AGENT_RUNS, TEMPLATE_RUNS, TemplateSelection, select, variant_number};
pub use tally::{
    AgentTally, Book, Counts, MECHANICAL_PART, PARTIAL, RECENT, RETRY, TIMEOUT, TREND_STEP, TemplateTally,
    Trend,
};
pub use task::TaskType;
