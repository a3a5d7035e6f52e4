//! The theater: five panelists over a web artifact, in rounds, until the rule is met.
//!
//! [`Theater`] decides: it takes what the parser saw, what the agent's process did, the clock and the user,
//! and puts events and effects into an [`TheaterOutbox`]. [`Board`] is the state, a fold of the events. The rule of
//! a round is in [`Evaluation`].
//!
//! Without a review there may still be a page: the agent is asked once, without a panel, and what it makes is handed
//! over as what it is, an artifact that nobody reviewed.
//!
//! A run ends in exactly one terminal event, and after it nothing is decided any more.

mod alias;
mod attempt;
mod board;
mod claim;
mod clock;
mod conditions;
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
mod seats;
mod spoken;
mod workflow;

pub use crate::ledger::{Ledger, LedgerEntry};
pub use board::{Board, MustFix, Review, ReviewDimension, RoundBoard};
pub use claim::{ClaimFigure, ClaimFill, ClaimReader, PanelClaim};
pub use evaluation::{Doubts, Evaluation};
pub use event::TheaterEvent;
pub use machine::Theater;
pub(crate) use seats::ADVICE;

pub use port::{
    ArtifactSource, Opening, Plan, RunBudget, TheaterEffect, TheaterInput, TheaterOutbox, TheaterOutput,
    TheaterSetup, Witness,
};
