//! Tests of the public face of the crate, in one binary.

mod contract;
mod parser;
mod theater;
