//! Drives runs: takes a machine of `jury-core`, an agent of `jury-agents` and the log of `jury-store`, and
//! lets time pass.
//!
//! [`run`] is the whole interface. The agent's bytes come out of its spool, go through the parser into the
//! machine, and what the machine decides goes through a bounded mailbox into the log. A slow log makes the
//! parser wait, never the agent. Events are published after they are appended, so nobody ever sees one that
//! a crash could take back.
//!
//! Nothing is decided here: the machine says what happened, and this crate does it.

mod driver;
mod error;
mod job;
mod log;
mod trace;
mod voice;

pub use driver::run;
pub use error::EngineError;
pub use job::Job;
pub use log::Observer;
pub use voice::Agent;
