//! Anchors: runs that are judged again and again, so that a judge that changed shows. `anchors.json`.

use std::path::PathBuf;

use jiff::Timestamp;
use jury_core::judge::{Bead, SCHEMA_VERSION};
use serde::{Deserialize, Serialize};

use super::paths::LearningPaths;

/// How long a judgement of an anchor is taken to hold, in days, unless the file says something else.
pub const ANCHOR_DAYS: u32 = 7;

/// The file `anchors.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anchors {
    /// The version of the shape.
    #[serde(default = "version")]
    pub schema_version: String,
    /// How often each is judged again, in days.
    #[serde(default = "days")]
    pub every_days: u32,
    /// In the order in which they were set.
    #[serde(default)]
    pub anchors: Vec<SetAnchor>,
}

/// One run of the set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetAnchor {
    /// The run that is judged again.
    pub bead: Bead,
    /// When it was put into the set.
    pub set_at: Timestamp,
    /// Its record, where it can be judged again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<PathBuf>,
    /// The commit that its base was when it was set, where that could be told. A branch moves, and an anchor does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// The commit that its work was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
}

fn version() -> String {
    SCHEMA_VERSION.to_owned()
}

fn days() -> u32 {
    ANCHOR_DAYS
}

impl Default for Anchors {
    fn default() -> Self {
        Self { schema_version: version(), every_days: ANCHOR_DAYS, anchors: Vec::new() }
    }
}

/// Where the anchors are.
pub fn anchors_file(paths: &LearningPaths) -> PathBuf {
    paths.state.join("anchors.json")
}
