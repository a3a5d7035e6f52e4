//! Conformance: whether an agent can play the jury, judged by what it printed and by nothing else.
//!
//! - [`verdict()`] judges one run: the assertions, a class and the reasons.
//! - [`Tally`] is a cycle, the same briefs given to one agent; [`rule`] is what two cycles in a row mean for it.
//! - [`ratchet()`] says whether a rollout may go on, must wait or must go back.
//! - [`html`] is the check that an artifact is well-formed.
//!
//! Moments arrive as arguments. Running the agent and keeping the history is somebody else's job.

pub mod html;

mod cycle;
mod examine;
mod ratchet;
mod verdict;

pub use cycle::{
    BARS, BRIEFS_IN_A_CYCLE, Bars, BriefResult, Cycle, DEGRADED_FOR, Ruling, Tally, rule, why_degraded,
};
pub use examine::examine;
pub use ratchet::{Day, Evidence, RATCHET, RatchetRule, Step, evidence, ratchet};
pub use verdict::{Assertion, Breach, Class, Verdict, verdict};
