//! The program as people and scripts use it: every command, its output and its exit code.

#![expect(clippy::unwrap_used, clippy::panic, clippy::string_slice, reason = "tests fail by panicking")]

mod advisors;
mod agents;
mod bad_input;
mod check;
mod commands;
mod content;
mod crash;
mod critic;
mod daemon;
mod delivery;
mod environment;
mod evidence;
mod feedback;
mod gates;
mod harness;
mod hooks;
mod hostile;
mod inspect;
mod interrupt;
mod judge;
mod numbers;
mod older_data;
mod ratchet;
mod report;
mod seats;
mod settings;
mod skills;
mod templates;
mod tidy;
mod unreviewed;
