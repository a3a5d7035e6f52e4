//! Scores: the tallies as `template-scores.json` and `agent-scores.json` have them.
//!
//! The first keys of a template are those of the scripts before us. `score` is the blended one where something was
//! judged. The mechanical and the blended score stand behind them, always both, each with its interval.

use jiff::Timestamp;
use jury_core::judge::number::{float, plain, rounded, unit};
use jury_core::judge::{Confidence, SCHEMA_VERSION, written};
use jury_core::score::EPSILON;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::interval::{Estimate, Z_95, wilson};
use crate::tally::{AgentTally, Book, TemplateTally, Trend};

/// The file `template-scores.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TemplateScores {
    /// The version of the shape.
    #[serde(default)]
    pub schema_version: String,
    /// When it was computed.
    #[serde(default)]
    pub generated_at: String,
    /// The templates, in the order of names.
    #[serde(default)]
    pub templates: Vec<TemplateScore>,
}

/// The scores of one template.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TemplateScore {
    /// The name of the template.
    pub template: String,
    /// All runs of the template.
    #[serde(default)]
    pub total_runs: u64,
    /// The runs that count in scores.
    #[serde(default)]
    pub scoreable_runs: u64,
    /// The part that passed fully.
    #[serde(default, serialize_with = "plain")]
    pub full_pass_rate: f64,
    /// The part that passed partly.
    #[serde(default, serialize_with = "plain")]
    pub partial_pass_rate: f64,
    /// The part of all runs that was retried.
    #[serde(default, serialize_with = "plain")]
    pub retry_rate: f64,
    /// The part that took too long.
    #[serde(default, serialize_with = "plain")]
    pub timeout_rate: f64,
    /// The score: blended where something was judged.
    #[serde(default, serialize_with = "plain")]
    pub score: f64,
    /// How much the number of runs is worth.
    #[serde(default = "low")]
    pub confidence: Confidence,
    /// Where it is going.
    #[serde(default = "unclear")]
    pub trend: Trend,
    /// Its agents, by name.
    #[serde(default)]
    pub agents: Vec<AgentPart>,
    /// The score of the mechanical signals alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub mechanical: Option<Estimate>,
    /// How many runs were judged.
    #[serde(default)]
    pub judged_runs: u64,
    /// What the judges give on average.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub judged: Option<Estimate>,
    /// The blended score; the mechanical one when nothing was judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub blended: Option<Estimate>,
    /// Patterns that a prompt can do something about, seen in the runs of this template.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub patterns: Vec<PatternCount>,
}

fn low() -> Confidence {
    Confidence::Low
}

fn unclear() -> Trend {
    Trend::InsufficientData
}

impl TemplateScore {
    /// The score of a tally.
    pub fn of(template: &str, tally: &TemplateTally) -> Self {
        let counts = &tally.counts;
        let (mechanical, blended) = (tally.mechanical(Z_95), tally.blended(Z_95));
        Self {
            template: template.to_owned(),
            total_runs: counts.total,
            scoreable_runs: counts.scoreable,
            full_pass_rate: counts.full_pass_rate(),
            partial_pass_rate: counts.partial_pass_rate(),
            retry_rate: counts.retry_rate(),
            timeout_rate: counts.timeout_rate(),
            // Without the last bits of the arithmetic: 0.6, not 0.6000000000000001.
            score: rounded(blended.value, 12),
            confidence: counts.confidence(),
            trend: tally.trend(),
            agents: tally
                .agents
                .iter()
                .map(|(agent, counts)| AgentPart {
                    agent: agent.clone(),
                    total_runs: counts.total,
                    full_pass_rate: counts.full_pass_rate(),
                    score: counts.score(),
                })
                .collect(),
            mechanical: Some(mechanical.rounded(4)),
            judged_runs: tally.judged.count,
            judged: tally.judged(Z_95).map(|judged| judged.rounded(4)),
            blended: Some(blended.rounded(4)),
            patterns: named(tally.mendable(1)),
        }
    }

    /// The score that counts: the judges' part is in it only where they have earned it. A file of the scripts before us
    /// has no interval, and gets that of its number of runs.
    pub fn effective(&self, with_judges: bool) -> Estimate {
        let known = if with_judges { self.blended.or(self.mechanical) } else { self.mechanical };
        known.unwrap_or_else(|| wilson(unit(self.score), float(self.scoreable_runs), Z_95))
    }
}

/// One agent of a template.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AgentPart {
    /// The name of the agent.
    pub agent: String,
    /// The runs of this agent with the template.
    #[serde(default)]
    pub total_runs: u64,
    /// The part that passed fully.
    #[serde(default, serialize_with = "plain")]
    pub full_pass_rate: f64,
    /// The score of the mechanical signals alone.
    #[serde(default, serialize_with = "plain")]
    pub score: f64,
}

/// How often a pattern was seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PatternCount {
    /// The name of the pattern.
    pub pattern: String,
    /// The runs that show it.
    pub count: u64,
}

fn named(seen: Vec<(&str, u64)>) -> Vec<PatternCount> {
    seen.into_iter().map(|(pattern, count)| PatternCount { pattern: pattern.to_owned(), count }).collect()
}

/// The file `agent-scores.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AgentScores {
    /// The version of the shape.
    #[serde(default)]
    pub schema_version: String,
    /// When it was computed.
    #[serde(default)]
    pub generated_at: String,
    /// The agents, in the order of names.
    #[serde(default)]
    pub agents: Vec<AgentScore>,
}

/// The scores of one agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AgentScore {
    /// The name of the agent.
    pub agent: String,
    /// All runs of the agent.
    #[serde(default)]
    pub total_runs: u64,
    /// The part that passed fully.
    #[serde(default, serialize_with = "plain")]
    pub pass_rate: f64,
    /// The score of the mechanical signals alone.
    #[serde(default, serialize_with = "plain")]
    pub score: f64,
    /// How long it takes on average, in parts of what is expected.
    #[serde(default, serialize_with = "plain")]
    pub avg_duration_ratio: f64,
    /// The five commonest patterns.
    #[serde(default)]
    pub top_failure_patterns: Vec<PatternCount>,
    /// Its templates, by name.
    #[serde(default)]
    pub templates: Vec<TemplatePart>,
}

/// One template of an agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TemplatePart {
    /// The name of the template.
    pub template: String,
    /// The runs of the agent with it.
    #[serde(default)]
    pub total_runs: u64,
    /// The score of the mechanical signals alone.
    #[serde(default, serialize_with = "plain")]
    pub score: f64,
    /// The part that passed fully.
    #[serde(default, serialize_with = "plain")]
    pub full_pass_rate: f64,
}

impl AgentScore {
    fn of(agent: &str, tally: &AgentTally) -> Self {
        let mut seen: Vec<(&str, u64)> =
            tally.patterns.iter().map(|(name, count)| (name.as_str(), *count)).collect();
        seen.sort_by(|one, two| two.1.cmp(&one.1).then_with(|| one.0.cmp(two.0)));
        seen.truncate(5);
        Self {
            agent: agent.to_owned(),
            total_runs: tally.counts.total,
            pass_rate: tally.counts.full_pass_rate(),
            score: tally.counts.score(),
            avg_duration_ratio: tally.mean_duration(),
            top_failure_patterns: named(seen),
            templates: tally
                .templates
                .iter()
                .map(|(template, counts)| TemplatePart {
                    template: template.clone(),
                    total_runs: counts.total,
                    score: counts.score(),
                    full_pass_rate: counts.full_pass_rate(),
                })
                .collect(),
        }
    }
}

/// The contents of both files of scores.
pub fn scores(book: &Book, now: Timestamp) -> (TemplateScores, AgentScores) {
    let templates = TemplateScores {
        schema_version: SCHEMA_VERSION.to_owned(),
        generated_at: written(now),
        templates: book.templates.iter().map(|(name, tally)| TemplateScore::of(name, tally)).collect(),
    };
    let agents = AgentScores {
        schema_version: SCHEMA_VERSION.to_owned(),
        generated_at: written(now),
        agents: book.agents.iter().map(|(name, tally)| AgentScore::of(name, tally)).collect(),
    };
    (templates, agents)
}

/// Templates whose score fell by more than 0.1 since these scores were written, with both scores. Told from ten runs on.
pub fn regressions(before: &TemplateScores, after: &TemplateScores) -> Vec<(String, f64, f64)> {
    let fell = after.templates.iter().filter_map(|now| {
        let then = before.templates.iter().find(|then| then.template == now.template)?;
        let fell = now.total_runs >= 10 && then.score - now.score > 0.1 + EPSILON;
        fell.then(|| (now.template.clone(), then.score, now.score))
    });
    fell.collect()
}
