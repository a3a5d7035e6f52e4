//! The folders of the judge's learning loop: files that other programs read and write too, so that they keep the names,
//! the shapes and the variables that those programs know.
//!
//! ```text
//! state/feedback/<bead>.json            one finished run        state/scores/*.json     what follows from all of them
//! state/feedback/pattern-registry.json  what goes wrong often   state/reports/*         what people read
//! state/judgments/<bead>.json           the newest judgement    templates/<name>.md     the prompts
//! ```
//!
//! Everything here blocks and reads no clock. A file is there whole or not at all; whoever changes one that depends on
//! what it said before holds the lock of its folder.

mod aside;
pub mod judgement;
mod places;
pub mod read;
pub mod redispatch;
mod shelf;
pub mod throttle;

pub use places::Places;
pub use shelf::{Case, Cursor, Day, JudgementRow, RunLine, Shelf, Wanted};
