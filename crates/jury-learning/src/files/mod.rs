//! The files of the learning loop: other programs read and write them too, so that they keep the names, the shapes and
//! the variables that those programs know.
//!
//! ```text
//! state/feedback/<bead>.json            one finished run        state/scores/*.json     what follows from all of them
//! state/feedback/pattern-registry.json  what goes wrong often   state/reports/*         what people read
//! state/judgments/<bead>.json           the newest judgement    templates/<name>.md     the prompts
//! state/labels.ndjson                   what people say         state/anchors.json      runs that are judged again
//! ```
//!
//! Everything here blocks and reads no clock. A file is there whole or not at all; whoever changes one that depends on
//! what it said before holds the lock of its folder.

mod anchor;
mod collect;
mod document;
mod error;
pub mod folder;
mod index;
mod journal;
pub mod judgement;
mod label;
mod paths;
mod quarantine;
pub mod read;
mod records;
mod recount;
pub mod redispatch;
mod registry;
pub mod reports;
mod scan;
mod scores;
mod template;
#[cfg(test)]
mod tests;
pub mod throttle;

pub use anchor::{ANCHOR_DAYS, Anchors, SetAnchor, anchors_file};
pub use collect::{Collected, collect, collect_many, find_record, read_record, read_record_of_anybody};
pub use document::{ScoresLock, load, lock_scores, save};
pub use error::LearningError;
pub use index::{Cursor, DayCost, JudgementIndex, JudgementRow, RunCase, RunLine, Wanted};
pub use label::{Labels, append_label, labels, labels_file};
pub use paths::LearningPaths;
pub use registry::{Mitigated, PatternRegistryFile, count, mitigate, read_registry};
pub use scan::{LeftOut, LeftOuts, each_feedback, feedback_of};
pub use scores::{Scoring, ScoringResult, score};
pub use template::Templates;
