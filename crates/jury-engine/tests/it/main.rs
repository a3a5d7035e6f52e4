//! Whole runs with a real store and real child processes.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod bench_of_agents;
mod case;
mod cast;
mod content;
mod critic;
mod endings;
mod evidence;
mod judging;
mod loss;
mod misbehaviour;
mod models;
mod scheduler;
mod single_pass;
mod site;
