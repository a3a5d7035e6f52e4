//! Turns a prompt into a stream of bytes, and can stop it.
//!
//! An agent is a child process in a process group of its own. Its prompt goes to its stdin, and its stdout is
//! drained without pause into a bounded [`spool`] on disk: real agent programs lose output, with exit code 0,
//! when their pipe backs up. Whoever reads the spool may be as slow as they like. Ending an agent ends its
//! whole group: TERM, then KILL.
//!
//! ```no_run
//! # async fn example() -> Result<(), jury_agents::AgentError> {
//! use jury_agents::{Invocation, Limits, Piece, Session};
//!
//! let echo = Invocation::new("cat").prompt("hello");
//! let mut session = Session::start(echo, std::path::Path::new("."), Limits::default())?;
//! let mut answer = Vec::new();
//! loop {
//!     match session.next().await? {
//!         Piece::Bytes(bytes) => answer.extend_from_slice(bytes),
//!         Piece::Oversize | Piece::Silent | Piece::End(_) => break,
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
mod session;
pub mod spool;

pub use error::AgentError;
pub use group::end_all_of;
pub use invocation::{ARGUMENT_LIMIT, Inherit, Invocation, SAFE};
pub use session::{Limits, Piece, Session};
