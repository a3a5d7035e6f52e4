//! Tests of the content pipeline's rules, by tables of cases.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod matching;
mod pairs;
mod rounds;
mod rule;
mod studio;
