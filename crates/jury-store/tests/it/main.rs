//! Tests of the store through its public face, on real directories.

mod appending;
mod files;
mod opening;
mod properties;
mod reading;
mod recovery;
mod reindexing;
mod support;
