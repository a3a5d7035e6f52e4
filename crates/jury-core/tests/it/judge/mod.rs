//! The judge: records, answers, panels, the throttle and the machine.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod answers;
mod machine;
mod panel;
mod records;
mod settings;
mod shapes;
mod stage;
mod throttle;
