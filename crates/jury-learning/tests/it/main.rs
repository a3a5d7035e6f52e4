//! Tests of the learning loop through its public face.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod ab;
mod calibration;
mod files;
mod patterns;
mod properties;
mod scores;
mod shapes;
mod stage;
