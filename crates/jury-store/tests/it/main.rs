//! Tests of the store through its public face, on real directories.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod agents;
mod appending;
mod files;
mod opening;
mod properties;
mod reading;
mod recovery;
mod reindexing;
mod support;
