//! x
mod board;
mod ledger;
pub use board::{Board, Dimension, MustFix, Review, RoundBoard};
pub use ledger::{Entry, Ledger};
