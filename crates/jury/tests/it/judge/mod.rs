//! The judge as people and scripts use it: every output and every exit code.

mod endings;
pub(crate) mod harness;
mod people;
mod refused;
mod vacuous;
mod waiting;
