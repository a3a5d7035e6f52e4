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

/// What the whole fleet did on one day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Day {
    /// Which day.
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
    /// The share of runs that must ship. Half of it is the floor below which a rollout goes back.
    pub threshold: f64,
}

/// Fourteen days in a row at 90 %.
pub const RATCHET: RatchetRule = RatchetRule { window_days: 14, threshold: 0.90 };

/// What the evidence allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// One step on.
    Promote,
    /// Neither.
    Hold,
    /// One step back.
    Demote,
}

words!(Step { Promote = "promote", Hold = "hold", Demote = "demote" });

/// What these days allow. The window ends with `today`; days outside of it, in the future among them, are
/// passed over, and entries of the same day are added up.
///
/// Promote: every day of the window has runs, all runs together reach the threshold, and no day is below the
/// floor. Demote: all runs of the window together are below the floor. Everything else holds.
pub fn ratchet(days: &[Day], rule: RatchetRule, today: Date) -> Step {
    let floor = rule.threshold / 2.0;
    let (mut runs, mut shipped, mut gap, mut poor_day) = (0_u64, 0_u64, false, false);
    for back in 0..rule.window_days {
        let Ok(date) = today.checked_sub(i64::from(back).days()) else {
            gap = true;
            break;
        };
        let (mut of_day, mut shipped_of_day) = (0_u64, 0_u64);
        for day in days.iter().filter(|day| day.date == date) {
            of_day += u64::from(day.runs);
            shipped_of_day += u64::from(day.shipped.min(day.runs));
        }
        gap |= of_day == 0;
        poor_day |= share(shipped_of_day, of_day).is_some_and(|share| share < floor - EPSILON);
        runs += of_day;
        shipped += shipped_of_day;
    }
    match share(shipped, runs) {
        Some(share) if share < floor - EPSILON => Step::Demote,
        Some(share) if share >= rule.threshold - EPSILON && !gap && !poor_day => Step::Promote,
        Some(_) | None => Step::Hold,
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of runs are far below 2^53")]
fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
