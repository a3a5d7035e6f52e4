//! The folders of the learning loop.

mod kept;
mod scoring;
mod stage;
