//! What one critic says about one draft, and what of that is still open.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::advisor::AdvisorId;
use crate::artifact::Digest;
use crate::event::Usage;
use crate::finding::{Finding, FindingId, FindingState, Place};
use crate::severity::{self, Severity};

/// What is wrong with a draft, in the eyes of one critic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContentIssue {
    /// Its identity from round to round.
    pub id: FindingId,
    /// How grave it is.
    #[serde(with = "severity::three")]
    #[schema(value_type = severity::three::Schema)]
    pub severity: Severity,
    /// The fault, in the critic's words.
    pub description: String,
    /// The change that would repair it.
    pub suggestion: String,
    /// The rule it breaks, for one that was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The words of the draft that it is about, word for word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
}

impl ContentIssue {
    /// The same as a finding.
    pub fn finding(&self, state: FindingState) -> Finding {
        Finding {
            id: self.id.clone(),
            rule: self.rule.clone(),
            severity: self.severity,
            place: Place { quote: self.quote.clone(), ..Place::default() },
            text: self.description.clone(),
            suggestion: Some(self.suggestion.clone()).filter(|text| !text.is_empty()),
            figures: Vec::new(),
            state,
        }
    }

    /// An issue that was measured: its identity is the rule and what it is about, whatever the figures are.
    pub fn measured(
        critic: &AdvisorId,
        rule: &str,
        anchor: &str,
        severity: Severity,
        description: String,
        suggestion: String,
    ) -> Self {
        let digest = Digest::of(format!("{critic}\n{rule}\n{anchor}").as_bytes()).to_string();
        let id = FindingId::from_digest(&digest);
        Self { id, severity, description, suggestion, rule: Some(rule.to_owned()), quote: None }
    }

    /// The same with the words that it is about.
    #[must_use]
    pub fn quoting(mut self, quote: &str) -> Self {
        self.quote = Some(quote.to_owned());
        self
    }
}

/// What a critic says about an issue of an earlier round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IssueStatus {
    /// The issue of an earlier round.
    pub id: FindingId,
    /// Whether it is mended.
    pub fixed: bool,
}

/// What one critic says about one draft.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AdvisorCritique)]
pub struct Critique {
    /// The critic that wrote it.
    pub advisor_id: AdvisorId,
    /// The same for people.
    pub name: String,
    /// From 1 to 10.
    pub score: f64,
    /// Whether the critic would let it pass. It is shown; the rule does not use it.
    pub pass: bool,
    /// The faults that the critic found.
    pub issues: Vec<ContentIssue>,
    /// What became of the issues that the same critic raised before, as far as it says so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub statuses: Vec<IssueStatus>,
    /// Whether it was measured, not said by a model.
    #[serde(default)]
    pub measured: bool,
    /// Tokens and money it took, if a model was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
}

impl Critique {
    /// How many issues of this severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.issues.iter().filter(|issue| issue.severity == severity).count()
    }

    /// The score and the verdict of measured issues: ten, less three, one and a quarter for each that is high, medium and
    /// low, at most three of a rule. It passes with six and nothing high.
    pub fn of_measured(advisor_id: AdvisorId, name: String, issues: Vec<ContentIssue>) -> Self {
        let mut counted: std::collections::BTreeMap<&str, u32> = std::collections::BTreeMap::new();
        let mut score: f64 = 10.0;
        for issue in &issues {
            let times = counted.entry(issue.rule.as_deref().unwrap_or_default()).or_default();
            *times += 1;
            if *times <= 3 {
                score -= match issue.severity {
                    Severity::Critical | Severity::Serious => 3.0,
                    Severity::Moderate => 1.0,
                    Severity::Minor => 0.25,
                };
            }
        }
        let score = score.clamp(1.0, 10.0);
        let pass = score >= 6.0 && !issues.iter().any(|issue| issue.severity.is_must_fix());
        Self { advisor_id, name, score, pass, issues, statuses: Vec::new(), measured: true, usage: None }
    }
}
