//! The program as people and scripts use it: every command, its output and its exit code.

mod bad_input;
mod commands;
mod crash;
mod harness;
mod interrupt;
mod settings;
mod tidy;
