//! Agents as they misbehave: each test runs a real child process.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod api;
mod adapter;
mod children;
mod guard;
mod spool;
