//! Agents as they misbehave: each test runs a real child process.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod adapter;
mod api;
mod children;
mod decoder;
mod isolation;
mod run_to_end;
mod spool;
