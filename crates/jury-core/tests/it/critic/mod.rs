//! The machine of the critic and its text against everything that critics, checks, fixes and people do.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "tests fail by panicking")]

mod deferrals;
mod endings;
mod escalation;
mod hostile;
mod properties;
mod reference;
mod rejection;
mod sets;
mod stage;
mod text;
mod transcripts;
mod vacuous;
