//! The critic as people and scripts use it: every command and every ending, with scripted critics.

mod commands;
mod endings;
mod formats;
mod harness;
mod people;
mod vacuous;
