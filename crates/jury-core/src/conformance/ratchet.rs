//! The ratchet: whether a rollout may go one step on, must wait, or must go one step back.
//!
//! It advises and changes nothing. Evidence is needed for either way: days without a run prove nothing, and
//! a window without days proves nothing.

use std::fmt;
use std::str::FromStr;

use jiff::ToSpan as _;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::outcome::{UnknownWord, words};
use crate::score::EPSILON;

/// What one agent, or all of them, did on one day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentDay {
    /// The day that is counted.
    pub date: Date,
    /// How many briefs were run.
    pub runs: u32,
    /// How many of them shipped.
    pub shipped: u32,
}

/// How much has to be proven.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatchetRule {
    /// Over how many days in a row.
    pub window_days: u32,
    /// The share of runs that must ship on each of them. Half of it is the floor below which a rollout goes back.
    pub threshold: f64,
}

/// Fourteen days in a row at 90 %.
pub const RATCHET: RatchetRule = RatchetRule { window_days: 14, threshold: 0.90 };

/// What the evidence allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Step)]
pub enum RatchetStep {
    /// The rollout may go one step further.
    Promote,
    /// The evidence is not enough to move.
    Hold,
    /// The rollout must go one step back.
    Demote,
}

words!(RatchetStep { Promote = "promote", Hold = "hold", Demote = "demote" });

/// What the days of a window prove.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Evidence)]
pub struct RatchetEvidence {
    /// The step that the evidence allows.
    pub step: RatchetStep,
    /// How many of them have runs.
    pub days: u32,
    /// How many runs there were.
    pub runs: u64,
    /// How many of those shipped.
    pub shipped: u64,
}

/// What these days allow. The window ends with `today`; days outside of it, in the future among them, are
/// passed over, and entries of the same day are added up.
///
/// Promote: every day of the window has runs, and each of them reaches the threshold. Demote: all runs of the window
/// together are below half of it. Everything else holds.
pub fn ratchet(days: &[AgentDay], rule: RatchetRule, today: Date) -> RatchetStep {
    evidence(days, rule, today).step
}

/// What these days allow, and what that rests on.
pub fn evidence(days: &[AgentDay], rule: RatchetRule, today: Date) -> RatchetEvidence {
    let floor = rule.threshold / 2.0;
    let (mut runs, mut shipped, mut with_runs, mut poor_day) = (0_u64, 0_u64, 0, false);
    for back in 0..rule.window_days {
        let Ok(date) = today.checked_sub(i64::from(back).days()) else { break };
        let (mut of_day, mut shipped_of_day) = (0_u64, 0_u64);
        for day in days.iter().filter(|day| day.date == date) {
            of_day += u64::from(day.runs);
            shipped_of_day += u64::from(day.shipped.min(day.runs));
        }
        with_runs += u32::from(of_day > 0);
        poor_day |= share(shipped_of_day, of_day).is_some_and(|share| share < rule.threshold - EPSILON);
        runs += of_day;
        shipped += shipped_of_day;
    }
    let every_day = with_runs == rule.window_days;
    let step = match share(shipped, runs) {
        Some(share) if share < floor - EPSILON => RatchetStep::Demote,
        Some(_) if every_day && !poor_day => RatchetStep::Promote,
        Some(_) | None => RatchetStep::Hold,
    };
    RatchetEvidence { step, days: with_runs, runs, shipped }
}

/// What the days of several agents allow together.
///
/// Promote: as many of the agents as the threshold says are each allowed to. One busy agent that does well must not speak
/// for the others. Demote and what it rests on are those of all runs together.
pub fn evidence_of_fleet(agents: &[Vec<AgentDay>], rule: RatchetRule, today: Date) -> RatchetEvidence {
    let together = evidence(&agents.concat(), rule, today);
    let promoted = agents.iter().filter(|days| ratchet(days, rule, today) == RatchetStep::Promote).count();
    let enough = share(promoted as u64, agents.len() as u64)
        .is_some_and(|share| promoted > 0 && share >= rule.threshold - EPSILON);
    let step = match together.step {
        RatchetStep::Demote => RatchetStep::Demote,
        RatchetStep::Promote | RatchetStep::Hold if enough => RatchetStep::Promote,
        RatchetStep::Promote | RatchetStep::Hold => RatchetStep::Hold,
    };
    RatchetEvidence { step, ..together }
}

#[expect(clippy::cast_precision_loss, reason = "counts of runs are far below 2^53")]
fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
