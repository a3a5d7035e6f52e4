//! Before and after: what the runs looked like before templates were chosen by what was learnt, and since.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jury_core::judge::number::{plain, rate, rounded};
use jury_core::judge::{SCHEMA_VERSION, written};
use serde::Serialize;
use utoipa::ToSchema;

use crate::feedback::FeedbackLine;
use crate::guardrail::SCORING_RUNS;
use crate::interval::{Estimate, Z_95};
use crate::refine::{LEAST_RUNS, LOW_PASS_RATE, PATTERN_COUNT};
use crate::scores::PatternCount;
use crate::tally::{Counts, TemplateTally};

/// The template of runs that had none.
const NO_TEMPLATE: &str = "custom";

/// The file `retrospective.json`.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Retrospective {
    /// The version of the shape.
    pub schema_version: String,
    /// When it was computed.
    pub generated_at: String,
    /// The first day of the time after.
    pub boundary: String,
    /// The runs before the boundary.
    pub pre_loop: Period,
    /// From the boundary on.
    pub post_loop: Period,
    /// The difference: after minus before.
    pub improvement: Improvement,
    /// What that says about the thresholds of the loop.
    pub threshold_tuning: Vec<Tuning>,
    /// Runs that do not say when they were; they are in neither period.
    pub undated_runs: u64,
}

/// The figures of one period.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Period {
    /// All runs of the period.
    pub total_runs: u64,
    /// The runs that count in scores.
    pub scoreable_runs: u64,
    /// The part that passed fully.
    #[serde(serialize_with = "plain")]
    pub full_pass_rate: f64,
    /// The part that passed partly.
    #[serde(serialize_with = "plain")]
    pub partial_pass_rate: f64,
    /// The part of all runs that was retried.
    #[serde(serialize_with = "plain")]
    pub retry_rate: f64,
    /// The part that took too long.
    #[serde(serialize_with = "plain")]
    pub timeout_rate: f64,
    /// The part of all runs that had a template.
    #[serde(serialize_with = "plain")]
    pub template_usage_rate: f64,
    /// How many runs came out in which way.
    pub outcome_breakdown: BTreeMap<String, u64>,
    /// The five commonest patterns.
    pub top_failure_patterns: Vec<PatternCount>,
    /// Its templates, the commonest first.
    pub template_breakdown: Vec<TemplateRuns>,
    /// The mechanical score of all runs.
    pub mechanical: Estimate,
    /// How many runs were judged.
    pub judged_runs: u64,
    /// The blended score; the mechanical one when nothing was judged.
    pub blended: Estimate,
}

/// The runs of a template in a period.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct TemplateRuns {
    /// The name of the template.
    pub template: String,
    /// All runs of the template.
    pub runs: u64,
    /// The part that passed fully.
    #[serde(serialize_with = "plain")]
    pub full_pass_rate: f64,
}

/// The difference: after minus before.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Improvement {
    /// Of the part that passed fully.
    #[serde(serialize_with = "plain")]
    pub pass_rate_delta: f64,
    /// Of the part that had a template.
    #[serde(serialize_with = "plain")]
    pub template_usage_delta: f64,
    /// Of the part that was retried.
    #[serde(serialize_with = "plain")]
    pub retry_rate_delta: f64,
    /// Of the mechanical score, with its interval: one that has 0 in it is no improvement yet.
    pub mechanical_delta: Estimate,
    /// Of the blended score.
    pub blended_delta: Estimate,
}

/// A threshold, and what the runs since the boundary say about it.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Tuning {
    /// The name of the threshold.
    pub threshold: String,
    /// The value that it has now.
    #[serde(serialize_with = "plain")]
    pub current: f64,
    /// What it could be.
    #[serde(serialize_with = "plain")]
    pub suggested: f64,
    /// The reason, for a person.
    pub reason: String,
}

/// The boundary for those who name none: the day of the first run with a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FirstTemplate(Option<Timestamp>);

impl FirstTemplate {
    /// Takes one more run in.
    pub fn see(&mut self, run: &FeedbackLine) {
        if run.template != NO_TEMPLATE
            && let Some(at) = run.at
        {
            self.0 = Some(self.0.map_or(at, |first| first.min(at)));
        }
    }

    /// That day; `now` if there was none, so that everything was before.
    pub fn day(self, now: Timestamp) -> Date {
        self.0.unwrap_or(now).to_zoned(TimeZone::UTC).date()
    }
}

/// All runs, told apart by a day.
#[derive(Debug, Clone, PartialEq)]
pub struct BeforeAndAfter {
    boundary: Date,
    from: Option<Timestamp>,
    before: Runs,
    after: Runs,
    undated: u64,
}

#[derive(Debug, Clone, PartialEq, Default)]
struct Runs {
    tally: TemplateTally,
    outcomes: BTreeMap<String, u64>,
    templates: BTreeMap<String, Counts>,
}

impl BeforeAndAfter {
    /// A comparison without any runs.
    pub fn new(boundary: Date) -> Self {
        let from = boundary.to_zoned(TimeZone::UTC).ok().map(|start| start.timestamp());
        Self { boundary, from, before: Runs::default(), after: Runs::default(), undated: 0 }
    }

    /// Takes one more run in.
    pub fn add(&mut self, run: &FeedbackLine) {
        let Some(at) = run.at else {
            self.undated += 1;
            return;
        };
        let runs = if self.from.is_some_and(|from| at < from) { &mut self.before } else { &mut self.after };
        runs.tally.add(run);
        let outcome = run.outcome.map_or_else(|| "unknown".to_owned(), |outcome| outcome.to_string());
        *runs.outcomes.entry(outcome).or_default() += 1;
        runs.templates.entry(run.template.clone()).or_default().add(run.outcome, run.retried);
    }

    /// The report over the runs so far.
    pub fn report(&self, now: Timestamp) -> Retrospective {
        let (before, after) = (self.before.period(), self.after.period());
        let delta = |before: f64, after: f64| rounded(after - before, 12);
        Retrospective {
            schema_version: SCHEMA_VERSION.to_owned(),
            generated_at: written(now),
            boundary: self.boundary.to_string(),
            improvement: Improvement {
                pass_rate_delta: delta(before.full_pass_rate, after.full_pass_rate),
                template_usage_delta: delta(before.template_usage_rate, after.template_usage_rate),
                retry_rate_delta: delta(before.retry_rate, after.retry_rate),
                mechanical_delta: after.mechanical.minus(before.mechanical).rounded(4),
                blended_delta: after.blended.minus(before.blended).rounded(4),
            },
            threshold_tuning: self.after.tuning(),
            pre_loop: before,
            post_loop: after,
            undated_runs: self.undated,
        }
    }
}

impl Runs {
    fn period(&self) -> Period {
        let counts = &self.tally.counts;
        let untold = self.templates.get(NO_TEMPLATE).map_or(0, |counts| counts.total);
        let mut templates: Vec<TemplateRuns> = self
            .templates
            .iter()
            .map(|(template, counts)| TemplateRuns {
                template: template.clone(),
                runs: counts.total,
                full_pass_rate: counts.full_pass_rate(),
            })
            .collect();
        templates.sort_by(|one, two| two.runs.cmp(&one.runs).then_with(|| one.template.cmp(&two.template)));
        Period {
            total_runs: counts.total,
            scoreable_runs: counts.scoreable,
            full_pass_rate: counts.full_pass_rate(),
            partial_pass_rate: counts.partial_pass_rate(),
            retry_rate: counts.retry_rate(),
            timeout_rate: counts.timeout_rate(),
            template_usage_rate: rate(counts.total.saturating_sub(untold), counts.total),
            outcome_breakdown: self.outcomes.clone(),
            top_failure_patterns: commonest(&self.tally.patterns, 5),
            template_breakdown: templates,
            mechanical: self.tally.mechanical(Z_95).rounded(4),
            judged_runs: self.tally.judged.count,
            blended: self.tally.blended(Z_95).rounded(4),
        }
    }

    /// Where the thresholds of the loop stand against these runs. One that needs no other value says so, too.
    fn tuning(&self) -> Vec<Tuning> {
        let counts = &self.tally.counts;
        let tuning = |threshold: &str, current: f64, suggested: f64, reason: String| Tuning {
            threshold: threshold.to_owned(),
            current,
            suggested,
            reason,
        };
        let passed = rounded(counts.full_pass_rate(), 3);
        let mut all = Vec::new();
        // The bar for refining follows the pass rate: far below it, it finds nothing any more.
        let (bar, why) = if counts.scoreable < LEAST_RUNS {
            (LOW_PASS_RATE, format!("{} scoreable runs are too few to say", counts.scoreable))
        } else if passed >= LOW_PASS_RATE + 0.25 {
            (
                rounded(passed - 0.15, 2),
                format!("{passed} of the runs pass fully, and the bar finds next to nothing"),
            )
        } else {
            (LOW_PASS_RATE, format!("{passed} of the runs pass fully, and the bar tells templates apart"))
        };
        all.push(tuning("low_pass_rate", LOW_PASS_RATE, bar, why));
        let few = self.templates.values().filter(|counts| counts.total < SCORING_RUNS).count();
        let runs = jury_core::judge::number::float(SCORING_RUNS);
        let why = format!(
            "{few} of {} have fewer runs and are not to be judged by them",
            jury_core::line::counted(self.templates.len(), "template", "templates")
        );
        all.push(tuning("scoring_runs", runs, runs, why));
        if let Some(worst) = commonest(&self.tally.patterns, 1).first()
            && worst.count >= PATTERN_COUNT
        {
            let count = jury_core::judge::number::float(PATTERN_COUNT);
            let why = format!(
                "{} was seen {} times; a mitigation does more than another threshold",
                worst.pattern, worst.count
            );
            all.push(tuning("pattern_count", count, count, why));
        }
        all
    }
}

/// The commonest patterns, equals by name.
pub(super) fn commonest(patterns: &BTreeMap<String, u64>, most: usize) -> Vec<PatternCount> {
    let mut all: Vec<PatternCount> = patterns
        .iter()
        .map(|(pattern, count)| PatternCount { pattern: pattern.clone(), count: *count })
        .collect();
    all.sort_by(|one, two| two.count.cmp(&one.count).then_with(|| one.pattern.cmp(&two.pattern)));
    all.truncate(most);
    all
}
