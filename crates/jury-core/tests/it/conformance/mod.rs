//! What conformance says about answers, cycles and days.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod answers;
mod grammar;
mod nightly;
mod properties;
mod ratchet;
mod rule;
