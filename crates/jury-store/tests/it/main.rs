//! Tests of the store through its public face, on real directories.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod agents;
mod appending;
mod content;
mod deciding;
mod feeding;
mod files;
mod migrate;
mod mirror;
mod opening;
mod projects;
mod properties;
mod queueing;
mod reading;
mod recovery;
mod reindexing;
mod scores;
mod support;
