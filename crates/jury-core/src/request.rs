//! A request: what somebody asks of a run, before it has a place in the queue. It is kept with the run, so
//! that it can begin after a restart or be asked for again.

use serde::{Deserialize, Serialize};
use thiserror::Error;
use utoipa::ToSchema;

use crate::id::{AgentId, SkillId};
use crate::legible::{has_words, is_blank};
use crate::line;
use crate::outcome::FallbackPolicy;
use crate::score::Threshold;
use crate::settings::CritiqueConfig;

/// The longest title that is kept. A brief that serves as one is cut there.
const LONGEST_TITLE: usize = 120;

/// The longest brief, in bytes.
const LONGEST_BRIEF: usize = 64 * 1024;

/// What is asked of a run. A page to review, or a brief to make one from, or both.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RunRequest {
    /// Who plays the panel; the house if nobody is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub agent: Option<AgentId>,
    /// The model, where the agent has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub model: Option<String>,
    /// What the work is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub title: Option<String>,
    /// The page to review, as HTML.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub page: Option<String>,
    /// What is wanted, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub brief: Option<String>,
    /// The brand, as the text of a `DESIGN.md`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub design: Option<String>,
    /// The skill to make it with.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub skill: Option<SkillId>,
    /// Whether the panel sits. Left out, the skill, the project, the environment and the rollout decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub critique: Option<bool>,
    /// The bar of this run.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub threshold: Option<Threshold>,
    /// Whether a bar below half of the scale is meant. Without it, or such a bar in the program's own settings, that is
    /// refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub force: Option<bool>,
    /// The most rounds of this run.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false, minimum = 1, maximum = 20)]
    pub max_rounds: Option<u32>,
    /// What is kept when no round meets the bar.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub fallback_policy: Option<FallbackPolicy>,
    /// The most it may cost, in US dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false, exclusive_minimum = 0)]
    pub max_cost_usd: Option<f64>,
    /// The most tokens it may use.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub max_tokens: Option<u64>,
}

/// A request that cannot be carried out as it is.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{field}: {problem}")]
pub struct BadRequest {
    /// Which part of it.
    pub field: &'static str,
    /// What is wrong with it, and what would do.
    pub problem: String,
}

impl RunRequest {
    /// Who plays the panel.
    pub fn agent(&self) -> AgentId {
        self.agent.clone().unwrap_or_else(AgentId::house)
    }

    /// What the work is called: its title, or the beginning of its brief.
    pub fn title(&self) -> String {
        let words = self.title.as_deref().or(self.brief.as_deref()).unwrap_or("page");
        line::fitted(&line::cut(&line::joined(words), usize::MAX), LONGEST_TITLE)
    }

    /// The settings of the run: those of the program with what the request changes. What cannot be is refused.
    pub fn settings(&self, program: &CritiqueConfig) -> Result<CritiqueConfig, BadRequest> {
        let bad = |field, problem: String| Err(BadRequest { field, problem });
        let longest = program.parser_max_block_bytes.0;
        let too_long = |text: &Option<String>, longest: u64| {
            text.as_ref().is_some_and(|text| text.len() as u64 > longest)
        };
        if self.page.is_none() && self.brief.as_ref().is_none_or(|brief| !has_words(brief)) {
            return bad("page", "give a page to review or a brief to make one from".to_owned());
        }
        if self.page.as_ref().is_some_and(|page| is_blank(page)) {
            return bad("page", "is empty; give the HTML of the page".to_owned());
        }
        if too_long(&self.page, longest) {
            return bad(
                "page",
                format!("is longer than {longest} bytes; raise parserMaxBlockBytes or shorten it"),
            );
        }
        if too_long(&self.design, longest) {
            return bad("design", format!("is longer than {longest} bytes; shorten it"));
        }
        if too_long(&self.brief, LONGEST_BRIEF as u64) {
            return bad("brief", format!("is longer than {LONGEST_BRIEF} bytes; shorten it"));
        }
        let mut config = program.clone();
        if let Some(threshold) = self.threshold {
            if !(0.0..=config.score_scale.0).contains(&threshold.0) {
                return bad("threshold", format!("must be from 0 to {}", config.score_scale));
            }
            // What the program's own settings spelled out may be asked for.
            let lowered = threshold.is_low(config.score_scale) && threshold < program.score_threshold;
            if lowered && self.force != Some(true) {
                let half = config.score_scale.0 / 2.0;
                return bad(
                    "threshold",
                    format!(
                        "must be {half} or more, half of the score scale; set force to true to ship with less"
                    ),
                );
            }
            config.score_threshold = threshold;
        }
        if let Some(rounds) = self.max_rounds {
            if !(1..=20).contains(&rounds) {
                return bad("maxRounds", "must be a whole number from 1 to 20".to_owned());
            }
            config.max_rounds = rounds;
        }
        if let Some(policy) = self.fallback_policy {
            config.fallback_policy = policy;
        }
        if self.max_cost_usd.is_some_and(|cost| !cost.is_finite() || cost <= 0.0) {
            return bad("maxCostUsd", "must be an amount above 0, such as 0.5".to_owned());
        }
        Ok(config)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> RunRequest {
        RunRequest { page: Some("<p>x</p>".to_owned()), ..RunRequest::default() }
    }

    #[test]
    fn what_a_request_changes_is_changed_and_the_rest_stays() {
        let program = CritiqueConfig::default();
        let asked = RunRequest { threshold: Some(Threshold(6.5)), max_rounds: Some(1), ..page() };
        let config = asked.settings(&program).unwrap();
        assert_eq!(config.score_threshold, Threshold(6.5));
        assert_eq!(
            CritiqueConfig { score_threshold: program.score_threshold, max_rounds: 3, ..config },
            program
        );
    }

    #[test]
    fn what_cannot_be_is_refused_by_name() {
        let program = CritiqueConfig::default();
        let refused = |request: RunRequest| request.settings(&program).unwrap_err().field;
        assert_eq!(refused(RunRequest::default()), "page");
        assert_eq!(refused(RunRequest { brief: Some(" ".to_owned()), ..RunRequest::default() }), "page");
        assert_eq!(refused(RunRequest { page: Some("\n".to_owned()), ..page() }), "page");
        assert_eq!(refused(RunRequest { page: Some("x".repeat(262_145)), ..page() }), "page");
        assert_eq!(refused(RunRequest { design: Some("x".repeat(262_145)), ..page() }), "design");
        assert_eq!(refused(RunRequest { brief: Some("x".repeat(70_000)), ..page() }), "brief");
        assert_eq!(refused(RunRequest { threshold: Some(Threshold(10.5)), ..page() }), "threshold");
        assert_eq!(refused(RunRequest { threshold: Some(Threshold(f64::NAN)), ..page() }), "threshold");
        assert_eq!(refused(RunRequest { threshold: Some(Threshold(4.9)), ..page() }), "threshold");
        assert_eq!(refused(RunRequest { max_rounds: Some(0), ..page() }), "maxRounds");
        assert_eq!(refused(RunRequest { max_cost_usd: Some(0.0), ..page() }), "maxCostUsd");
    }

    #[test]
    fn a_low_bar_is_forced_or_was_spelled_out_in_the_settings() {
        let asked = RunRequest { threshold: Some(Threshold(3.0)), ..page() };
        let program = CritiqueConfig::default();
        assert_eq!(asked.settings(&program).unwrap_err().field, "threshold");
        let no = RunRequest { force: Some(false), ..asked.clone() };
        assert_eq!(no.settings(&program).unwrap_err().field, "threshold");
        let forced = RunRequest { force: Some(true), ..asked.clone() };
        assert_eq!(forced.settings(&program).unwrap().score_threshold, Threshold(3.0));
        let low = CritiqueConfig { score_threshold: Threshold(3.0), ..program };
        assert_eq!(asked.settings(&low).unwrap().score_threshold, Threshold(3.0));
        let lower = RunRequest { threshold: Some(Threshold(2.0)), ..page() };
        assert_eq!(lower.settings(&low).unwrap_err().field, "threshold");
    }

    #[test]
    fn a_title_is_one_line_of_bounded_length() {
        let request = RunRequest { brief: Some("a\n  b\u{7}\tc".to_owned()), ..RunRequest::default() };
        assert_eq!(request.title(), "a b c");
        let request = RunRequest { brief: Some("ä".repeat(500)), ..RunRequest::default() };
        assert_eq!(request.title().chars().count(), LONGEST_TITLE);
    }
}
