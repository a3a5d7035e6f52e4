//! What somebody asks of the content pipeline. It is kept with the run, so that it can be taken up again anywhere.

use serde::{Deserialize, Serialize};

use super::advisor::Advisor;
use super::idea::{DocType, Foundation, IdeaId};
use super::recipe::Recipe;
use crate::evidence::EvidenceMode;
use crate::id::AgentId;

/// What is asked of a run. The documents, the advisors and the recipe are those of its beginning: who edits them meanwhile
/// edits them for the next run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ContentRequest {
    /// The idea that the content is about.
    pub idea: IdeaId,
    /// How it is made and reviewed.
    pub recipe: Recipe,
    /// The advisors that may be chosen.
    pub advisors: Vec<Advisor>,
    /// The documents about the idea.
    pub foundation: Foundation,
    /// What this piece is about and what is known for it: a subject, keywords, what somebody has found out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic: Option<String>,
    /// Who writes and reviews; none when everything is done without a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentId>,
    /// The model, where the agent has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Whether an approved draft becomes a site.
    pub publish: bool,
    /// Where commits are pushed to as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remote: Option<String>,
    /// The address that the site will have; without one, that under the daemon.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// What is made of measured facts. A request that was kept before there were any is a gate.
    #[serde(default = "gate")]
    pub evidence: EvidenceMode,
    /// How many critics are asked at once.
    pub concurrency: u32,
    /// How long one call may take, in seconds.
    pub call_seconds: u64,
    /// How often a critic is asked again.
    pub retries: u32,
    /// The most it may cost, in US dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_cost_usd: Option<f64>,
    /// The most tokens it may use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
}

/// What the topic of a piece is called among the documents. No file has this name.
const TOPIC: &str = "topic-of-this-piece";

fn gate() -> EvidenceMode {
    EvidenceMode::Gate
}

impl ContentRequest {
    /// How many critics are asked at once if nobody says.
    pub const CONCURRENCY: u32 = 2;
    /// How long one call may take if nobody says.
    pub const CALL_SECONDS: u64 = 180;
    /// How often a critic is asked again if nobody says.
    pub const RETRIES: u32 = 3;

    /// The longest topic, in bytes.
    pub const LONGEST_TOPIC: usize = 20_000;

    /// Everything that a draft may take its facts from: the documents, and the topic of this piece.
    pub fn sources(&self) -> Foundation {
        match (&self.topic, TOPIC.parse::<DocType>()) {
            (Some(topic), Ok(kind)) => self.foundation.clone().with(kind, topic),
            (None, _) | (Some(_), Err(_)) => self.foundation.clone(),
        }
    }

    /// What keeps apart runs that may not go on at the same time.
    pub fn subject(&self) -> String {
        format!("{}/{}", self.idea, self.recipe.content_type)
    }

    /// The advisor of this name.
    pub fn advisor(&self, id: &str) -> Option<&Advisor> {
        self.advisors.iter().find(|advisor| advisor.id.as_str() == id)
    }
}
