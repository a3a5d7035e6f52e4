//! The parser from outside: what it says about transcripts, however they are cut.

mod corpus;
mod gbnf;
pub(crate) mod golden;
mod model;
mod property;
