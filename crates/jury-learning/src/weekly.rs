//! The week: where templates and agents stand, what goes wrong most, which tests ended, and what follows from that.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use jury_core::judge::number::{float, length, plain, rate, rounded};
use jury_core::judge::{Confidence, SCHEMA_VERSION, moment, written};
use serde::Serialize;
use utoipa::ToSchema;

use crate::ab::{AbDecision, AbStatus, AbTest, AbTests};
use crate::interval::Estimate;
use crate::refine::{LOW_PASS_RATE, LogEntry, RefinementLog};
use crate::registry::PatternRegistry;
use crate::retrospective::commonest;
use crate::scores::{AgentScore, AgentScores, PatternCount, TemplateScore, TemplateScores};
use crate::tally::Trend;

/// A score from which an agent is said to be good at a template.
const GOOD: f64 = 0.7;

/// The file `strategy-YYYY-Www.json`.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Weekly {
    /// The version of the shape.
    pub schema_version: String,
    /// When it was computed.
    pub generated_at: String,
    /// The week, as ISO 8601 counts them.
    pub week_ending: String,
    /// The templates, the best first.
    pub template_trends: Vec<TemplateTrend>,
    /// The agents, side by side.
    pub agent_comparison: Vec<AgentStanding>,
    /// What each agent is for.
    pub agent_recommendations: Vec<AgentAdvice>,
    /// The three commonest patterns.
    pub top_failure_patterns: Vec<PatternCount>,
    /// The A/B tests of the week.
    pub ab_results: AbResults,
    /// The variants that were made in this week.
    pub refinement_activity: Vec<Refinement>,
    /// The figures of the week.
    pub metrics: WeekMetrics,
    /// Four lines for those who read no tables.
    pub highlights: Vec<String>,
    /// What to do next, one sentence each.
    pub recommendations: Vec<String>,
    /// The week in one sentence.
    pub summary: String,
}

/// How a template did over time.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct TemplateTrend {
    /// The name of the template.
    pub template: String,
    /// All runs of the template.
    pub total_runs: u64,
    /// The score that is printed.
    #[serde(serialize_with = "plain")]
    pub score: f64,
    /// The part that passed fully.
    #[serde(serialize_with = "plain")]
    pub full_pass_rate: f64,
    /// Where it is going.
    pub trend: Trend,
    /// How much the number of runs is worth.
    pub confidence: Confidence,
    /// The score of the mechanical signals alone.
    pub mechanical: Estimate,
    /// The score with judgements in it.
    pub blended: Estimate,
}

/// How an agent did.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct AgentStanding {
    /// The name of the agent.
    pub agent: String,
    /// All runs of the agent.
    pub total_runs: u64,
    /// The part that passed fully.
    #[serde(serialize_with = "plain")]
    pub pass_rate: f64,
    /// The score of the mechanical signals alone.
    #[serde(serialize_with = "plain")]
    pub score: f64,
    /// How long it takes on average, in parts of what is expected.
    #[serde(serialize_with = "plain")]
    pub avg_duration_ratio: f64,
    /// What goes wrong most.
    #[schema(required)]
    pub top_pattern: Option<String>,
}

/// What an agent is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct AgentAdvice {
    /// The name of the agent.
    pub agent: String,
    /// The templates it does best, two at most.
    pub strengths: Vec<String>,
    /// The templates it does badly, two at most.
    pub weaknesses: Vec<String>,
    /// The advice in one sentence.
    pub recommendation: String,
}

/// The A/B tests of the week.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct AbResults {
    /// Those that go on.
    pub active_tests: Vec<TestStanding>,
    /// Those that ended in this week.
    pub completed_this_week: Vec<TestStanding>,
}

/// How one A/B test stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct TestStanding {
    /// The template that is tested.
    pub original: String,
    /// The variant that is tried beside it.
    pub variant: String,
    /// The runs of the original.
    pub original_runs: u64,
    /// The runs of the variant.
    pub variant_runs: u64,
    /// The runs before the first look.
    pub target_runs: u64,
    /// The decision, once there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub decision: Option<AbDecision>,
}

/// A variant that was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Refinement {
    /// The template that was changed.
    pub template: String,
    /// The name of the new variant.
    pub variant: String,
    /// Why it was changed.
    pub trigger: String,
    /// When it was made.
    pub timestamp: String,
}

/// The figures of the week.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct WeekMetrics {
    /// How many templates have feedback.
    pub total_templates: u64,
    /// The runs of all templates.
    pub total_runs: u64,
    /// The runs that count in scores.
    pub scoreable_runs: u64,
    /// The mean of their scores.
    #[serde(serialize_with = "plain")]
    pub avg_template_score: f64,
    /// The part of all scoreable runs that passed fully.
    #[serde(serialize_with = "plain")]
    pub overall_full_pass_rate: f64,
    /// Tests that go on.
    pub active_ab_tests: u64,
    /// Tests that ever ended.
    pub completed_ab_tests: u64,
    /// Variants that were ever made.
    pub refinements_logged: u64,
}

/// What a week is told from.
#[derive(Debug, Clone, Copy)]
pub struct WeekInput<'a> {
    /// The scores of templates.
    pub templates: &'a TemplateScores,
    /// The scores of agents.
    pub agents: &'a AgentScores,
    /// The patterns that were seen.
    pub registry: &'a PatternRegistry,
    /// The A/B tests there are.
    pub tests: &'a AbTests,
    /// The log of refinements.
    pub log: &'a RefinementLog,
}

/// The week of a moment: `2026-W09`.
pub fn week(moment: Timestamp) -> String {
    moment.to_zoned(TimeZone::UTC).strftime("%G-W%V").to_string()
}

/// The report of the week in which `now` lies.
pub fn weekly(input: WeekInput<'_>, now: Timestamp) -> Weekly {
    let this_week = |text: &str| moment(text).is_some_and(|at| at <= now && week(at) == week(now));
    let mut trends: Vec<TemplateTrend> = input.templates.templates.iter().map(trend).collect();
    trends.sort_by(|one, two| two.score.total_cmp(&one.score).then_with(|| one.template.cmp(&two.template)));
    let agents = &input.agents.agents;
    let patterns: BTreeMap<String, u64> =
        input.registry.0.iter().map(|(name, entry)| (name.clone(), entry.count)).collect();
    let tests = &input.tests.tests;
    let completed = tests.iter().filter(|test| test.status == AbStatus::Completed);
    let ended = completed.clone().filter(|test| test.completed_at.as_deref().is_some_and(this_week));
    let active = tests.iter().filter(|test| test.status == AbStatus::Active);
    let refined = input.log.entries.iter().filter_map(|entry| match entry {
        LogEntry::Refined(entry) => Some(entry),
        LogEntry::Other(_) => None,
    });
    let mut report = Weekly {
        schema_version: SCHEMA_VERSION.to_owned(),
        generated_at: written(now),
        week_ending: week(now),
        agent_comparison: agents.iter().map(standing).collect(),
        agent_recommendations: agents.iter().map(advice).collect(),
        top_failure_patterns: commonest(&patterns, 3),
        ab_results: AbResults {
            active_tests: active.clone().map(test_standing).collect(),
            completed_this_week: ended.map(test_standing).collect(),
        },
        refinement_activity: refined
            .clone()
            .filter(|entry| this_week(&entry.timestamp))
            .map(|entry| Refinement {
                template: entry.template.clone(),
                variant: entry.variant.clone(),
                trigger: entry.trigger.clone(),
                timestamp: entry.timestamp.clone(),
            })
            .collect(),
        metrics: WeekMetrics {
            active_ab_tests: active.count() as u64,
            completed_ab_tests: completed.count() as u64,
            refinements_logged: refined.count() as u64,
            ..metrics(&input.templates.templates)
        },
        template_trends: trends,
        highlights: Vec::new(),
        recommendations: Vec::new(),
        summary: String::new(),
    };
    report.highlights = highlights(&report);
    report.recommendations = recommendations(&report);
    report.summary = format!(
        "{}: {} of {}, {} of the scoreable ones passed fully; {} ended, {} active.",
        report.week_ending,
        jury_core::line::counted(report.metrics.total_runs, "run", "runs"),
        jury_core::line::counted(report.metrics.total_templates, "template", "templates"),
        percent(report.metrics.overall_full_pass_rate),
        jury_core::line::counted(report.ab_results.completed_this_week.len(), "test", "tests"),
        report.metrics.active_ab_tests,
    );
    report
}

fn trend(score: &TemplateScore) -> TemplateTrend {
    TemplateTrend {
        template: score.template.clone(),
        total_runs: score.total_runs,
        score: score.score,
        full_pass_rate: score.full_pass_rate,
        trend: score.trend,
        confidence: score.confidence,
        mechanical: score.effective(false),
        blended: score.effective(true),
    }
}

fn standing(score: &AgentScore) -> AgentStanding {
    AgentStanding {
        agent: score.agent.clone(),
        total_runs: score.total_runs,
        pass_rate: score.pass_rate,
        score: score.score,
        avg_duration_ratio: score.avg_duration_ratio,
        top_pattern: score.top_failure_patterns.first().map(|top| top.pattern.clone()),
    }
}

fn test_standing(test: &AbTest) -> TestStanding {
    TestStanding {
        original: test.original.clone(),
        variant: test.variant.clone(),
        original_runs: test.original_runs,
        variant_runs: test.variant_runs,
        target_runs: test.target_runs,
        decision: test.decision,
    }
}

fn advice(score: &AgentScore) -> AgentAdvice {
    let mut templates: Vec<(&str, f64)> =
        score.templates.iter().map(|part| (part.template.as_str(), part.score)).collect();
    templates.sort_by(|one, two| two.1.total_cmp(&one.1).then_with(|| one.0.cmp(two.0)));
    let two = |names: Vec<&str>| names.into_iter().take(2).map(str::to_owned).collect::<Vec<_>>();
    let strengths = two(templates.iter().filter(|part| part.1 >= GOOD).map(|part| part.0).collect());
    let weaknesses =
        two(templates.iter().rev().filter(|part| part.1 < LOW_PASS_RATE).map(|part| part.0).collect());
    let agent = &score.agent;
    let recommendation = match (strengths.first(), weaknesses.first()) {
        (Some(good), Some(bad)) => format!("{agent} excels on {good}; give {bad} to another agent"),
        (Some(good), None) => format!("{agent} excels on {good}; give it more of that"),
        (None, Some(bad)) => format!("{agent} does badly on {bad}; look at its runs before giving it more"),
        (None, None) => format!("{agent} is neither good nor bad at anything yet"),
    };
    AgentAdvice { agent: agent.clone(), strengths, weaknesses, recommendation }
}

fn metrics(templates: &[TemplateScore]) -> WeekMetrics {
    let sum = |of: fn(&TemplateScore) -> u64| templates.iter().map(of).fold(0_u64, u64::saturating_add);
    let scoreable = sum(|score| score.scoreable_runs);
    let passed: f64 = templates.iter().map(|score| score.full_pass_rate * float(score.scoreable_runs)).sum();
    let scores: f64 = templates.iter().map(|score| score.score).sum();
    WeekMetrics {
        total_templates: templates.len() as u64,
        total_runs: sum(|score| score.total_runs),
        scoreable_runs: scoreable,
        avg_template_score: if templates.is_empty() {
            0.0
        } else {
            rounded(scores / length(templates.len()), 4)
        },
        overall_full_pass_rate: if scoreable == 0 { 0.0 } else { rounded(passed / float(scoreable), 4) },
        active_ab_tests: 0,
        completed_ab_tests: 0,
        refinements_logged: 0,
    }
}

fn percent(part: f64) -> String {
    format!("{:.0} %", part * 100.0)
}

fn highlights(report: &Weekly) -> Vec<String> {
    let best = report.template_trends.first().map_or_else(
        || "No template has feedback yet".to_owned(),
        |best| {
            let (low, high) = (best.blended.low, best.blended.high);
            format!("{} is the best template with {:.2} ({low:.2} to {high:.2})", best.template, best.score)
        },
    );
    let agent = report.agent_comparison.iter().max_by(|one, two| one.score.total_cmp(&two.score));
    let agent = agent.map_or_else(
        || "No agent has feedback yet".to_owned(),
        |agent| {
            format!(
                "{} is the best agent with {:.2} over {}",
                agent.agent,
                agent.score,
                jury_core::line::counted(agent.total_runs, "run", "runs")
            )
        },
    );
    let pattern = report.top_failure_patterns.first().map_or_else(
        || "No pattern was seen".to_owned(),
        |top| {
            let times = jury_core::line::counted(top.count, "time", "times");
            format!("{} is the commonest pattern, seen {times}", top.pattern)
        },
    );
    let passed = percent(report.metrics.overall_full_pass_rate);
    vec![format!("{passed} of the scoreable runs passed fully"), best, agent, pattern]
}

fn recommendations(report: &Weekly) -> Vec<String> {
    let mut all: Vec<String> =
        report.agent_recommendations.iter().map(|advice| advice.recommendation.clone()).collect();
    for template in &report.template_trends {
        let name = &template.template;
        if template.trend == Trend::Declining {
            all.push(format!("{name} is declining; look at its newest runs"));
        } else if template.confidence != Confidence::Low && template.full_pass_rate < LOW_PASS_RATE {
            all.push(format!("{name} passes in {}; refine it", percent(template.full_pass_rate)));
        }
    }
    if let Some(top) = report.top_failure_patterns.first() {
        all.push(format!(
            "Do something about {}, seen {}, and note it as its mitigation",
            top.pattern,
            jury_core::line::counted(top.count, "time", "times")
        ));
    }
    for test in &report.ab_results.active_tests {
        let share = rate(test.original_runs.min(test.variant_runs), test.target_runs.max(1));
        if share >= 1.0 {
            all.push(format!("{} against {} has its runs; evaluate it", test.variant, test.original));
        }
    }
    if all.is_empty() {
        all.push("Collect feedback first".to_owned());
    }
    all
}
