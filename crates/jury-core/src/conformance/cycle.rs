//! A cycle: the same briefs given to one agent, and what two of them in a row mean.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::verdict::{Class, ConformanceVerdict};
use crate::id::{AgentId, RunId};
use crate::score::{Composite, EPSILON};
use crate::unit::Millis;

/// How many briefs a whole cycle has.
pub const BRIEFS_IN_A_CYCLE: u32 = 10;

/// How long an agent stays marked.
pub const DEGRADED_FOR: SignedDuration = SignedDuration::from_hours(24);

/// The shares that a cycle must reach.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bars {
    /// Of runs that shipped.
    pub shipped: f64,
    /// Of answers that were read cleanly.
    pub clean_parse: f64,
}

/// The bars of the conformance contract.
pub const BARS: Bars = Bars { shipped: 0.90, clean_parse: 0.95 };

/// One brief and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BriefResult {
    /// The name of the brief.
    pub brief: String,
    /// The run, whose log has the rest.
    pub run_id: RunId,
    /// What is to be said about it.
    #[serde(flatten)]
    pub verdict: ConformanceVerdict,
    /// What the run reached.
    #[schema(required)]
    pub composite: Option<Composite>,
    /// How long it took.
    pub took_ms: Millis,
}

/// The briefs of one sitting, given to one agent.
#[derive(Debug, Clone, PartialEq)]
pub struct Cycle {
    /// The agent that was given the briefs.
    pub agent: AgentId,
    /// When the last brief ended.
    pub at: Timestamp,
    /// What came of each.
    pub results: Vec<BriefResult>,
}

impl Cycle {
    /// The cycle in numbers.
    pub fn tally(&self) -> CycleTally {
        let count = |test: fn(&ConformanceVerdict) -> bool| {
            let matching = self.results.iter().filter(|result| test(&result.verdict)).count();
            u32::try_from(matching).unwrap_or(u32::MAX)
        };
        CycleTally {
            runs: count(|_| true),
            shipped: count(|verdict| verdict.class == Class::Shipped),
            clean: count(|verdict| verdict.clean_parse),
        }
    }
}

/// A cycle in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Tally)]
pub struct CycleTally {
    /// How many briefs were run.
    pub runs: u32,
    /// How many shipped with every assertion holding.
    pub shipped: u32,
    /// How many answers were read cleanly.
    pub clean: u32,
}

impl CycleTally {
    /// The share that shipped; none when nothing was run.
    pub fn shipped_rate(self) -> Option<f64> {
        rate(self.shipped, self.runs)
    }

    /// The share that was read cleanly; none when nothing was run.
    pub fn clean_rate(self) -> Option<f64> {
        rate(self.clean, self.runs)
    }

    /// Whether both bars are met. A cycle without a run meets none.
    pub fn meets(self, bars: Bars) -> bool {
        let reaches = |rate: Option<f64>, bar: f64| rate.is_some_and(|rate| rate >= bar - EPSILON);
        reaches(self.shipped_rate(), bars.shipped) && reaches(self.clean_rate(), bars.clean_parse)
    }

    /// Whether the cycle had every brief. Less than that is a try, which neither condemns nor clears.
    pub fn is_whole(self) -> bool {
        self.runs >= BRIEFS_IN_A_CYCLE
    }
}

fn rate(part: u32, whole: u32) -> Option<f64> {
    (whole > 0).then(|| f64::from(part) / f64::from(whole))
}

/// What a cycle means for its agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CycleRuling {
    /// Nothing: it was a try, and not a whole cycle.
    Nothing,
    /// The bars are met: a mark, if there is one, is taken away.
    Clear,
    /// They are not, for the first time. A mark that is there stays until it expires.
    Strike,
    /// They are not, twice in a row: the agent is marked as degraded.
    Degrade {
        /// The mark is void from then on.
        until: Timestamp,
    },
}

/// What the newest cycle means, given those before it, newest first. Cycles that are not whole are passed over,
/// and the newest one decides nothing if it is such.
pub fn rule(cycles: &[CycleTally], bars: Bars, now: Timestamp) -> CycleRuling {
    let Some(newest) = cycles.first().copied().filter(|tally| tally.is_whole()) else {
        return CycleRuling::Nothing;
    };
    if newest.meets(bars) {
        return CycleRuling::Clear;
    }
    let before = cycles.iter().skip(1).copied().find(|tally| tally.is_whole());
    if before.is_some_and(|before| !before.meets(bars)) {
        CycleRuling::Degrade { until: now.checked_add(DEGRADED_FOR).unwrap_or(Timestamp::MAX) }
    } else {
        CycleRuling::Strike
    }
}

/// Why an agent is marked, in one line.
pub fn why_degraded(newest: CycleTally, bars: Bars) -> String {
    let percent = |share: f64| (share * 100.0).round();
    format!(
        "two cycles in a row below the bars: {} of {} shipped (bar {} %), {} of {} read cleanly (bar {} %)",
        newest.shipped,
        newest.runs,
        percent(bars.shipped),
        newest.clean,
        newest.runs,
        percent(bars.clean_parse),
    )
}
