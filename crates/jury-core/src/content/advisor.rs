//! Advisors: who may write a piece, who may review it, and what each of them looks at.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::idea::DocType;
use crate::legible::has_words;
use crate::outcome::{UnknownWord, words};
use std::fmt;
use std::str::FromStr;

pub use crate::id::AdvisorId;

/// What an advisor mostly does. It says something to people and decides nothing: whoever has an expertise can review.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = AdvisorRole)]
pub enum AdvisorRole {
    /// Writes and revises drafts.
    Author,
    /// Reviews drafts as a member of the panel.
    Critic,
    /// Decides about a round.
    Editor,
    /// Plans content ahead of a draft.
    Strategist,
}

words!(AdvisorRole { Author = "author", Critic = "critic", Editor = "editor", Strategist = "strategist" });

/// A critic that is built in: it measures, needs no model, and says the same about the same text every time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HouseCritic {
    /// Search: headings, title, description, keywords, links.
    Seo,
    /// Wording and readability, measured.
    Copy,
    /// Behaviour: calls to action, load, pressure, proof.
    Behaviour,
    /// Drift from the positioning document.
    Positioning,
}

words!(HouseCritic { Seo = "seo", Copy = "copy", Behaviour = "behaviour", Positioning = "positioning" });

/// Somebody in the registry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Advisor {
    /// The name in files.
    pub id: AdvisorId,
    /// The name for people.
    pub name: String,
    /// What it mostly does.
    pub role: AdvisorRole,
    /// What it evaluates, in two or three sentences. Without it, it is nobody's critic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluation_expertise: Option<String>,
    /// What it does not evaluate, in one sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub does_not_evaluate: Option<String>,
    /// The documents of the idea that it gets to see when it reviews.
    #[serde(default)]
    pub context_docs: Vec<DocType>,
    /// How it works on a text itself, when it is the author: instructions for a model. No critic is told it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persona: Option<String>,
    /// Which built-in critic speaks for it when no model does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured_by: Option<HouseCritic>,
}

impl Advisor {
    /// Whether it can review at all.
    pub fn can_review(&self) -> bool {
        self.evaluation_expertise.as_deref().is_some_and(has_words)
    }

    /// The field that it looks at, in a word or two: that of the built-in critic that measures the same, so that the two are
    /// one field, or else what its name says before it says whose method it follows.
    pub fn domain(&self) -> String {
        let by_name = || self.name.split(", after ").next().unwrap_or_default().trim().to_owned();
        self.measured_by.map_or_else(by_name, |critic| critic.as_str().to_owned())
    }
}
