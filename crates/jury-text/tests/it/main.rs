//! Texts from outside: labelled documents and diffs, drafts and their critics, sites, brands, and what must always hold.

#![expect(clippy::expect_used, reason = "a test may fail loudly")]

mod brand;
mod content;
mod diff;
mod document;
mod documents;
mod findings;
mod offline;
mod site;
