//! The parser from outside: what it says about transcripts, however they are cut.

mod corpus;
mod gbnf;
mod golden;
mod model;
mod property;
