//! What the final pass over an artifact reports. The pass itself lives in the house.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// One thing that keeps an artifact from being called shipped.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LintFinding {
    /// Which rule.
    pub rule: String,
    /// On which line of the artifact, from 1.
    pub line: u32,
    /// What is wrong, for a person.
    pub message: String,
}
