//! The theater: five panelists over a web artifact, in rounds, until the rule is met.
//!
//! [`Theater`] decides: it takes what the parser saw, what the agent's process did, the clock and the user,
//! and puts events and effects into an [`Outbox`]. [`Board`] is the state, a fold of the events. The rule of
//! a round is in [`Evaluation`].
//!
//! Without a review there may still be a page: the agent is asked once, without a panel, and what it makes is handed
//! over as what it is, an artifact that nobody reviewed.
//!
//! A run ends in exactly one terminal event, and after it nothing is decided any more.

mod alias;
mod board;
mod claim;
mod cross_check;
mod ending;
mod evaluation;
pub mod event;
mod fallback;
mod held;
mod machine;
mod measuring;
mod naming;
mod port;
mod workflow;

pub use crate::ledger::{Entry, Ledger};
pub use board::{Board, Dimension, MustFix, Review, RoundBoard};
pub use evaluation::Evaluation;
pub use event::TheaterEvent;
pub use machine::Theater;
pub use port::{Effect, Input, Opening, Outbox, Output, Plan, Source, Subject, Witness};
