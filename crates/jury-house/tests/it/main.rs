//! The house from outside: fixtures for every check, the rounds, and the properties that must always hold.

#![expect(clippy::expect_used, reason = "a test may fail loudly")]

mod brand;
mod checks;
mod contrast;
mod garbage;
mod lint;
mod loss;
mod marks;
mod measure;
mod mutations;
mod properties;
mod repair;
mod repairs;
mod rounds;
mod seats;
mod transcript;

#[path = "../mutations/mod.rs"]
mod mutated;
