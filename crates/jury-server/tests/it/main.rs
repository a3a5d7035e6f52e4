//! What whole logs become: metrics, log lines, and the dashboards and alerts that stand on them.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod journal;
mod logs;
mod metrics;
mod operations;
