//! The rules of the house that a compiler cannot know, as tests over the source tree and `cargo metadata`.
//!
//! - [`files`]: what every file looks like.
//! - [`rooms`]: which crate may know which.
//! - [`dependencies`]: licences, bans, versions.
//! - [`workflows`]: how often the workflows are spelled out.
//! - [`names`]: one name, one concept.
//! - [`defaults`]: the defaults of the panel stand in one file.
//! - [`grammar`]: every element of the protocol is described, asked for and tried.
//! - [`unused`]: a public item that nobody uses is not there.
//! - [`documents`]: whatever a user can meet is in the reference, and what the documents name exists.
//! - [`promised`]: the documents that were asked for are there.
//! - [`walker`]: every event, field and column is seen by a test.
//! - [`conformance`]: what was asked for is held by tests.
//!
//! A failure lists every breach as `file:line: what`, with what to do about it. Nothing here tests behaviour.

#![expect(clippy::expect_used, reason = "tests fail by panicking")]

mod conformance;
mod defaults;
mod dependencies;
mod documents;
mod files;
mod grammar;
mod metadata;
mod names;
mod promised;
mod rooms;
mod rust;
mod tree;
mod unused;
mod walker;
mod workflows;

/// Fails with everything that breaks a rule, and with what to do.
fn settle(rule: &str, breaches: &[String]) {
    assert!(breaches.is_empty(), "{rule}\n  {}\n", breaches.join("\n  "));
}
