//! Runs of the content pipeline as people and other programs get to see them.

pub(crate) mod human;
pub(crate) mod progress;
