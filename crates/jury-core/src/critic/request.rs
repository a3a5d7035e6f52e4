//! What somebody asks of the critic. It is kept with the run, so that it can be taken up again after a restart.

use serde::{Deserialize, Serialize};

use super::criterion::CriteriaSet;
use super::port::{CriticLimits, Fixer};
use crate::id::AgentId;
use crate::unit::Millis;

/// What is asked of a run of the critic.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CriticRequest {
    /// Where the document is. Its checks run in that folder.
    pub file: String,
    /// What is asked of it.
    pub set: CriteriaSet,
    /// Who the critic is; without one only what can be measured is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentId>,
    /// The model, where the agent has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Who changes the document between passes.
    pub fixer: Fixer,
    /// Whether clear cases are decided without asking.
    #[serde(default)]
    pub auto: bool,
    /// The release that the document belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub release: Option<String>,
    /// How long a person may take to answer before the default is taken, in seconds; for ever without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer_within: Option<u64>,
    /// How long one step may take, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step_seconds: Option<u64>,
    /// How long the whole run may take, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_seconds: Option<u64>,
    /// The most it may cost, in US dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_cost_usd: Option<f64>,
    /// The most tokens it may use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
}

impl CriticRequest {
    /// How long things may take.
    pub fn limits(&self) -> CriticLimits {
        let standard = CriticLimits::default();
        let millis = |seconds: u64| Millis(seconds.saturating_mul(1000));
        CriticLimits {
            total: self.total_seconds.map_or(standard.total, millis),
            step: self.step_seconds.map_or(standard.step, millis),
            retries: standard.retries,
        }
    }
}
