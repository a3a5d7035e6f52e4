//! The files of the learning loop, on real folders.

mod index;
mod judgements;
mod kept;
mod scoring;
mod stage;
