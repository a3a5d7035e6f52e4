//! The judge: records, answers, panels, files, scores and what follows from them.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod ab;
mod answers;
mod calibration;
mod files;
mod learning;
mod machine;
mod panel;
mod properties;
mod records;
mod settings;
mod stage;
