//! Conformance: whether an agent can play the jury, judged by what it printed and by nothing else.
//!
//! - [`verdict()`] judges one run: the assertions, a class and the reasons.
//! - [`CycleTally`] is a cycle, the same briefs given to one agent; [`rule`] is what two cycles in a row mean for it.
//! - [`ratchet()`] says whether a rollout may go on, must wait or must go back.
//! - [`NightlyPlan`] says which agents a daemon tests every night, and when.
//! - [`html`] is the check that an artifact is well-formed.
//!
//! Moments arrive as arguments. Running the agent and keeping the history is somebody else's job.

pub mod html;

mod cycle;
mod examine;
mod nightly;
mod ratchet;
mod verdict;

pub use cycle::{
    BARS, BRIEFS_IN_A_CYCLE, Bars, BriefResult, Cycle, CycleRuling, CycleTally, DEGRADED_FOR, rule,
    why_degraded,
};
pub use examine::examine;
pub use nightly::{NIGHTLY_VARIABLES, NightlyPlan};
pub use ratchet::{
    AgentDay, RATCHET, RatchetEvidence, RatchetRule, RatchetStep, evidence, evidence_of_fleet, ratchet,
};
pub use verdict::{Assertion, Breach, Class, ConformanceVerdict, verdict};
