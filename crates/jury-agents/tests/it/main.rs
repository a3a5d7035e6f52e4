//! Agents as they misbehave: each test runs a real child process.

mod children;
mod spool;
