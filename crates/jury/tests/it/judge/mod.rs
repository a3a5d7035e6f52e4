//! The judge as people and scripts use it: every output and every exit code.

pub(crate) mod bench;
mod endings;
mod people;
mod refused;
mod waiting;
