//! The daemon as its clients meet it: the real program on a port of its own, over real sockets, with agents that
//! are real processes.

mod api;
mod content;
mod everybody;
mod failures;
mod harness;
mod interrupt;
mod judge;
mod life;
mod mirror;
mod nightly;
mod queue;
mod report;
mod security;
mod stream;
mod viewers;
