//! Tests of the content pipeline's rules, by tables of cases.

mod matching;
mod rounds;
mod rule;
mod studio;
