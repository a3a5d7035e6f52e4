//! What the final pass over an artifact reports. The pass itself lives in the house.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::finding::{Finding, FindingId, FindingState, Place};
use crate::severity::Severity;

/// One thing that keeps an artifact from being called shipped.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LintFinding {
    /// The id of the rule.
    pub rule: String,
    /// On which line of the artifact, from 1.
    pub line: u32,
    /// What is wrong, for a person.
    pub message: String,
}

impl LintFinding {
    /// The same as a finding. Its line is one of the artifact that was handed over.
    pub(crate) fn finding(&self) -> Finding {
        let rule = format!("lint/{}", self.rule.trim_start_matches("lint/"));
        Finding {
            id: FindingId::of(&rule, &self.message),
            rule: Some(rule),
            severity: Severity::Serious,
            place: Place { line: Some(self.line), ..Place::default() },
            text: self.message.clone(),
            suggestion: None,
            figures: Vec::new(),
            state: FindingState::Open,
        }
    }
}
