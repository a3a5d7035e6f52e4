//! A record is an event in its place: numbered, timed, and belonging to a run. A transcript is one record
//! per line.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::event::Event;
use crate::id::RunId;
use crate::unit::{Millis, Seq};

/// An event with its number, its time and its run: a line of a transcript, the data of an SSE frame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    /// 1, 2, 3, … within the run.
    pub seq: Seq,
    /// Since the run began.
    pub at: Millis,
    /// The run that it happened in.
    pub run_id: RunId,
    /// The event as it was appended.
    #[serde(flatten)]
    pub event: Event,
}

impl Record {
    /// The record as one line of a transcript, without the line break.
    pub fn to_line(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }

    /// Reads one line of a transcript.
    pub fn from_line(line: &str) -> serde_json::Result<Self> {
        serde_json::from_str(line)
    }
}
