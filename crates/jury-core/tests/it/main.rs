//! Tests of the public face of the crate, in one binary.

mod conformance;
mod critic;
mod parser;
mod rota;
mod theater;
