//! The theater: five panelists over a web artifact, in rounds, until the rule is met.
//!
//! [`Theater`] decides: it takes what the parser saw, what the agent's process did, the clock and the user,
//! and puts events and effects into an [`Outbox`]. [`Board`] is the state, a fold of the events. The rule of
//! a round is in [`Evaluation`].
//!
//! A run ends in exactly one terminal event, and after it nothing is decided any more.

mod board;
mod ending;
mod evaluation;
mod ledger;
mod machine;

pub use board::{Board, Dimension, MustFix, Review, RoundBoard};
pub use evaluation::Evaluation;
pub use ledger::{Entry, Ledger};
pub use machine::{Effect, Exit, Input, Outbox, Output, Source, Subject, Theater};
