//! Tests of the public face of the crate, in one binary.

mod conformance;
mod content;
mod critic;
mod findings;
mod judge;
mod parser;
mod report;
mod rota;
mod theater;
mod wire;
