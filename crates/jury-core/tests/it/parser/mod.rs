//! The parser from outside: what it says about transcripts, however they are cut.

mod corpus;
pub(crate) mod gbnf;
pub(crate) mod golden;
mod model;
mod property;
mod restart;
mod size;
