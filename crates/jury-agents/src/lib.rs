//! Turns a prompt into a stream of bytes, and can stop it.
//!
//! An agent is a child process in a process group of its own. Its prompt goes to its stdin, and its stdout is
//! drained without pause into a bounded [`spool`] on disk: real agent programs lose output, with exit code 0,
//! when their pipe backs up. Whoever reads the spool may be as slow as they like. Ending an agent ends its
//! whole group: TERM, then KILL.
//!
//! Whoever talks with a program while it runs uses a [`Session`]. A program that is to be run to its end is run by
//! [`run_to_end()`], and a helper process that is asked line by line is a [`Worker`]. No other crate starts programs.
//!
//! ```no_run
//! # async fn example() -> Result<(), jury_agents::AgentError> {
//! use jury_agents::{Invocation, SessionLimits, AnswerPiece, Session};
//!
//! let echo = Invocation::new("cat").prompt("hello");
//! let mut session = Session::start(echo, std::path::Path::new("."), SessionLimits::default())?;
//! let mut answer = Vec::new();
//! loop {
//!     match session.next().await? {
//!         AnswerPiece::Bytes(bytes) => answer.extend_from_slice(bytes),
//!         AnswerPiece::Oversize | AnswerPiece::Silent | AnswerPiece::End(_) => break,
//!     }
//! }
//! session.stop().await;
//! # Ok(())
//! # }
//! ```

pub mod adapter;
pub mod api;
pub mod content;
pub mod decoder;
mod error;
pub mod fetch;
mod group;
mod invocation;
pub mod prompt;
mod run_to_end;
mod session;
pub mod spool;
mod worker;

pub use error::AgentError;
pub use group::end_all_of;
pub use invocation::{ARGUMENT_LIMIT, Inherit, Invocation, SAFE, is_ours};
pub use run_to_end::{
    Bounds, End, Excess, FinishedProgram, exit_words, run_to_end, run_to_end_blocking, run_to_end_into,
};
pub use session::{AGENT_GRACE, AnswerPiece, COMMAND_GRACE, Session, SessionLimits};
pub use worker::Worker;
