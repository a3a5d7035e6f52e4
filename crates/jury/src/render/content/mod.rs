//! What people see of a run of the content pipeline.

pub(crate) mod human;
pub(crate) mod progress;

use jury_core::content::{ContentEvent, ContentState, PipelineProgress};
use jury_core::record::Record;
use jury_core::workflow::WorkflowEvent as _;

/// The state of a run, folded from its records.
pub(crate) fn studio(records: &[Record]) -> ContentState {
    ContentState::of(records.iter().filter_map(|record| ContentEvent::of(&record.event)))
}

/// How far a run has come, for programs.
pub(crate) fn json(studio: &ContentState) -> String {
    serde_json::to_string_pretty(&PipelineProgress::of(studio)).unwrap_or_default()
}
