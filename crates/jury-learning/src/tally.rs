//! Tallies: what is counted of the runs of a template, record by record, in memory that does not grow with them.
//!
//! A tally can be added to and merged, in any order, with the same result. What it holds is bounded by the number of
//! templates, agents and patterns, and by ten runs for the trend.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use jury_core::judge::number::{float, rate, unit};
use jury_core::judge::{Confidence, RunOutcome};
use jury_core::outcome::{UnknownWord, words};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::feedback::FeedbackLine;
use crate::interval::{Estimate, MILLIONTHS, Marks, Moments, wilson};

/// What a partial pass is worth.
pub const PARTIAL: f64 = 0.4;
/// What a retry costs.
pub const RETRY: f64 = 0.2;
/// What a timeout costs.
pub const TIMEOUT: f64 = 0.3;
/// The mechanical part of a blended score; the rest is the judges'.
pub const MECHANICAL_PART: f64 = 0.6;
/// How many of the newest runs are compared with all of them.
pub const RECENT: usize = 10;
/// A change of the pass rate that is one.
pub const TREND_STEP: f64 = 0.05;

/// Where a template is going.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Trend {
    /// The newest runs pass more often than all.
    Improving,
    /// The newest runs pass less often than all.
    Declining,
    /// The newest runs pass as often as all.
    Stable,
    /// Too few runs to say.
    InsufficientData,
}

words!(Trend {
    Improving = "improving",
    Declining = "declining",
    Stable = "stable",
    InsufficientData = "insufficient_data",
});

/// The counts from which the mechanical score follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Counts {
    /// All runs that were counted.
    pub total: u64,
    /// Those that count for the template.
    pub scoreable: u64,
    /// The runs that passed in full.
    pub full: u64,
    /// The runs that passed in part.
    pub partial: u64,
    /// The runs that took too long.
    pub timeout: u64,
    /// Runs that were not the first attempt, of all.
    pub retried: u64,
}

impl Counts {
    /// One more run. One whose outcome is not known counts as a run that did not pass.
    pub fn add(&mut self, outcome: Option<RunOutcome>, retried: bool) {
        self.total += 1;
        self.retried += u64::from(retried);
        self.scoreable += u64::from(outcome.is_none_or(RunOutcome::is_scoreable));
        match outcome {
            Some(RunOutcome::FullPass) => self.full += 1,
            Some(RunOutcome::PartialPass) => self.partial += 1,
            Some(RunOutcome::Timeout) => self.timeout += 1,
            Some(RunOutcome::AgentFailure | RunOutcome::InfraFailure) | None => {}
        }
    }

    /// The runs of both.
    pub fn merge(&mut self, other: &Self) {
        self.total += other.total;
        self.scoreable += other.scoreable;
        self.full += other.full;
        self.partial += other.partial;
        self.timeout += other.timeout;
        self.retried += other.retried;
    }

    /// The part of the scoreable runs that passed fully.
    pub fn full_pass_rate(&self) -> f64 {
        rate(self.full, self.scoreable)
    }

    /// The part that passed partly.
    pub fn partial_pass_rate(&self) -> f64 {
        rate(self.partial, self.scoreable)
    }

    /// The part that took too long.
    pub fn timeout_rate(&self) -> f64 {
        rate(self.timeout, self.scoreable)
    }

    /// The part of all runs that was retried.
    pub fn retry_rate(&self) -> f64 {
        rate(self.retried, self.total)
    }

    /// The score of the mechanical signals alone.
    pub fn score(&self) -> f64 {
        if self.scoreable == 0 {
            return 0.0;
        }
        unit(
            self.full_pass_rate() + PARTIAL * self.partial_pass_rate()
                - RETRY * self.retry_rate()
                - TIMEOUT * self.timeout_rate(),
        )
    }

    /// The mechanical score with its interval.
    pub fn estimate(&self, z: f64) -> Estimate {
        // What a run is worth lies between −TIMEOUT and 1; the interval is made between 0 and 1.
        let width = 1.0 + TIMEOUT;
        let scaled = |worth: f64| (worth + TIMEOUT) / width;
        let rest = self.scoreable.saturating_sub(self.full + self.partial + self.timeout);
        let mut worth = Moments::default();
        worth.add_times(scaled(1.0), self.full);
        worth.add_times(scaled(PARTIAL), self.partial);
        worth.add_times(scaled(-TIMEOUT), self.timeout);
        worth.add_times(scaled(0.0), rest);
        let Some(worth) = worth.estimate(z) else {
            return Estimate { value: 0.0, low: 0.0, high: 1.0 };
        };
        let retry = wilson(self.retry_rate(), float(self.total), z);
        let mut estimate = worth.scaled(width, -TIMEOUT).plus(retry.scaled(-RETRY, 0.0)).clamped();
        // The same number to the last bit, whichever way it was computed.
        estimate.value = self.score();
        estimate.low = estimate.low.min(estimate.value);
        estimate.high = estimate.high.max(estimate.value);
        estimate
    }

    /// How much the number of runs is worth.
    pub fn confidence(&self) -> Confidence {
        match self.total {
            20.. => Confidence::High,
            5.. => Confidence::Medium,
            _ => Confidence::Low,
        }
    }
}

/// One of the newest runs. They are in the order of time; equal times in the order of their names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Moment {
    at: Option<Timestamp>,
    bead: String,
}

/// What is counted of one template.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TemplateTally {
    /// The counts of all its runs.
    pub counts: Counts,
    /// The scores of the judgements.
    pub judged: Marks,
    /// How often each pattern was seen.
    pub patterns: BTreeMap<String, u64>,
    /// The counts of each agent.
    pub agents: BTreeMap<String, Counts>,
    /// The newest runs: whether each is scoreable, and whether it passed.
    #[serde(with = "recent")]
    recent: BTreeMap<Moment, (bool, bool)>,
}

/// The newest runs as a list: a key of JSON is a text.
mod recent {
    use super::{BTreeMap, Deserialize as _, Moment, Serialize as _};

    pub(super) fn serialize<S: serde::Serializer>(
        recent: &BTreeMap<Moment, (bool, bool)>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        recent.iter().collect::<Vec<_>>().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<Moment, (bool, bool)>, D::Error> {
        Ok(Vec::<(Moment, (bool, bool))>::deserialize(deserializer)?.into_iter().collect())
    }
}

impl TemplateTally {
    /// Takes one more run in.
    pub fn add(&mut self, run: &FeedbackLine) {
        self.counts.add(run.outcome, run.retried);
        slot(&mut self.agents, &run.agent).add(run.outcome, run.retried);
        if let Some(score) = judged(run) {
            self.judged.add(score);
        }
        for pattern in &run.failure_patterns {
            *slot(&mut self.patterns, pattern) += 1;
        }
        let newer = self.recent.len() < RECENT
            || self
                .recent
                .first_key_value()
                .is_some_and(|(oldest, _)| (oldest.at, oldest.bead.as_str()) <= (run.at, run.bead.as_str()));
        if newer {
            let scoreable = run.outcome.is_none_or(RunOutcome::is_scoreable);
            let passed = run.outcome == Some(RunOutcome::FullPass);
            self.see(Moment { at: run.at, bead: run.bead.clone() }, (scoreable, passed));
            self.trim();
        }
    }

    /// The runs of both.
    pub fn merge(&mut self, other: &Self) {
        self.counts.merge(&other.counts);
        self.judged.merge(&other.judged);
        for (agent, counts) in &other.agents {
            slot(&mut self.agents, agent).merge(counts);
        }
        for (pattern, count) in &other.patterns {
            *slot(&mut self.patterns, pattern) += count;
        }
        for (moment, seen) in &other.recent {
            self.see(moment.clone(), *seen);
        }
        self.trim();
    }

    /// Two records of one run at one moment that differ: the better one, whichever came first.
    fn see(&mut self, moment: Moment, seen: (bool, bool)) {
        let known = self.recent.entry(moment).or_insert(seen);
        *known = (*known).max(seen);
    }

    fn trim(&mut self) {
        while self.recent.len() > RECENT {
            self.recent.pop_first();
        }
    }

    /// Where the template is going, by time.
    pub fn trend(&self) -> Trend {
        if self.counts.total < RECENT as u64 {
            return Trend::InsufficientData;
        }
        let scoreable = self.recent.values().filter(|(scoreable, _)| *scoreable).count() as u64;
        let passed = self.recent.values().filter(|(_, passed)| *passed).count() as u64;
        if scoreable == 0 || self.counts.scoreable == 0 {
            return Trend::Stable;
        }
        let change = rate(passed, scoreable) - self.counts.full_pass_rate();
        if change > TREND_STEP + jury_core::score::EPSILON {
            Trend::Improving
        } else if change < -TREND_STEP - jury_core::score::EPSILON {
            Trend::Declining
        } else {
            Trend::Stable
        }
    }

    /// The score of the mechanical signals, with its interval.
    pub fn mechanical(&self, z: f64) -> Estimate {
        self.counts.estimate(z)
    }

    /// What the judges give on average.
    pub fn judged(&self, z: f64) -> Option<Estimate> {
        self.judged.estimate(z)
    }

    /// The blended score; the mechanical one when nothing was judged.
    pub fn blended(&self, z: f64) -> Estimate {
        let mechanical = self.mechanical(z);
        match self.judged(z) {
            None => mechanical,
            Some(judged) => mechanical
                .scaled(MECHANICAL_PART, 0.0)
                .plus(judged.scaled(1.0 - MECHANICAL_PART, 0.0))
                .clamped(),
        }
    }

    /// How often patterns that a prompt can do something about were seen, the commonest first.
    pub fn mendable(&self, from: u64) -> Vec<(&str, u64)> {
        let mut seen: Vec<(&str, u64)> = self
            .patterns
            .iter()
            .filter(|(name, count)| !crate::pattern::is_infra(name) && **count >= from)
            .map(|(name, count)| (name.as_str(), *count))
            .collect();
        seen.sort_by(|one, two| two.1.cmp(&one.1).then_with(|| one.0.cmp(two.0)));
        seen
    }
}

/// The score of a run's judgement. What cannot be judged was not, whatever a record says.
fn judged(run: &FeedbackLine) -> Option<f64> {
    let judgeable = run.outcome.is_some_and(RunOutcome::is_judgeable);
    run.opus_quality_score.filter(|score| judgeable && (0.0..=1.0).contains(score))
}

/// The entry of this name, made when there is none.
pub(super) fn slot<'a, T: Default>(map: &'a mut BTreeMap<String, T>, name: &str) -> &'a mut T {
    map.entry(name.to_owned()).or_default()
}

/// What is counted of one agent.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct AgentTally {
    /// The counts of all its runs.
    pub counts: Counts,
    /// The sum of the duration ratios, in millionths.
    pub duration: i64,
    /// How often each pattern was seen.
    pub patterns: BTreeMap<String, u64>,
    /// The counts of each template.
    pub templates: BTreeMap<String, Counts>,
}

/// The longest run that is counted in full, in parts of what is expected: nobody waits for nineteen years.
const LONGEST_RUN: f64 = 1e6;

impl AgentTally {
    /// How long a run takes on average, in parts of what is expected.
    pub fn mean_duration(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "a sum for a mean")]
        let sum = self.duration as f64;
        if self.counts.total == 0 { 0.0 } else { sum / (MILLIONTHS * float(self.counts.total)) }
    }
}

/// The tallies of all templates and agents.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Book {
    /// The tallies, by template.
    pub templates: BTreeMap<String, TemplateTally>,
    /// The tallies, by agent.
    pub agents: BTreeMap<String, AgentTally>,
}

impl Book {
    /// Takes one more run in.
    pub fn add(&mut self, run: &FeedbackLine) {
        slot(&mut self.templates, &run.template).add(run);
        let agent = slot(&mut self.agents, &run.agent);
        agent.counts.add(run.outcome, run.retried);
        if run.duration_ratio.is_finite() {
            let ratio = run.duration_ratio.clamp(-LONGEST_RUN, LONGEST_RUN);
            #[expect(clippy::cast_possible_truncation, reason = "a whole number below 10^12")]
            let millionths = (ratio * MILLIONTHS).round() as i64;
            agent.duration = agent.duration.saturating_add(millionths);
        }
        for pattern in &run.failure_patterns {
            *slot(&mut agent.patterns, pattern) += 1;
        }
        slot(&mut agent.templates, &run.template).add(run.outcome, run.retried);
    }

    /// The runs of both.
    pub fn merge(&mut self, other: &Self) {
        for (name, tally) in &other.templates {
            slot(&mut self.templates, name).merge(tally);
        }
        for (name, theirs) in &other.agents {
            let ours = slot(&mut self.agents, name);
            ours.counts.merge(&theirs.counts);
            ours.duration = ours.duration.saturating_add(theirs.duration);
            for (pattern, count) in &theirs.patterns {
                *slot(&mut ours.patterns, pattern) += count;
            }
            for (template, counts) in &theirs.templates {
                slot(&mut ours.templates, template).merge(counts);
            }
        }
    }
}
