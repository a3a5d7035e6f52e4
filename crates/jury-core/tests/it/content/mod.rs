//! Tests of the content pipeline's rules, by tables of cases.

mod pairs;
