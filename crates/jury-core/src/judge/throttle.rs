//! The throttle: so many judgements in an hour that slides, and so much money in a day.

use std::collections::VecDeque;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::score::EPSILON;

/// How many judgements an hour.
pub const PER_HOUR: usize = 20;
/// The window in which judgements are counted.
pub const HOUR: SignedDuration = SignedDuration::from_hours(1);
/// The day of the budget.
pub const DAY: SignedDuration = SignedDuration::from_hours(24);

/// What a seat counts as, in dollars, as long as nobody says what one costs.
pub const UNPRICED: f64 = 0.15;

/// The judgements and the money that are allowed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Allowance {
    /// Judgements in any hour.
    pub per_hour: usize,
    /// Dollars in any day; none: no bound.
    pub dollars_per_day: Option<f64>,
}

impl Default for Allowance {
    fn default() -> Self {
        Self { per_hour: PER_HOUR, dollars_per_day: None }
    }
}

/// One judgement that was begun, with what it cost as far as that is known.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Spent {
    /// When it was spent.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// What it cost, in dollars.
    pub dollars: f64,
    /// Nobody has said what it cost: the dollars are what it is counted as.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
}

/// The judgements of the last day. Whoever keeps it does so under a lock, so that processes share it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
pub struct Throttle {
    /// In the order of time.
    #[schema(value_type = Vec<Spent>)]
    pub spent: VecDeque<Spent>,
}

/// Whether another judgement may begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// Yes, and it is counted.
    Now,
    /// Not before this moment: it waits, it is not dropped.
    NotBefore {
        /// The earliest moment to ask again.
        at: Timestamp,
        /// Which bound holds it back.
        bound: ThrottleBound,
    },
    /// Never, with this allowance.
    Never(ThrottleBound),
}

/// What holds a judgement back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThrottleBound {
    /// Judgements in an hour.
    PerHour,
    /// Dollars in a day.
    Budget,
}

impl Throttle {
    /// What the next judgement is expected to cost: what those whose price is known did on average. Without any it is
    /// [`UNPRICED`] for each of its seats, so that whoever reports nothing is not free.
    pub fn expected(&self, seats: usize) -> f64 {
        let known: Vec<f64> = self.known().collect();
        if known.is_empty() {
            return UNPRICED * f64::from(u32::try_from(seats.max(1)).unwrap_or(u32::MAX));
        }
        known.iter().sum::<f64>() / f64::from(u32::try_from(known.len()).unwrap_or(u32::MAX))
    }

    fn known(&self) -> impl Iterator<Item = f64> + '_ {
        self.spent.iter().filter(|spent| !spent.estimated).map(|spent| spent.dollars)
    }

    /// Takes a place for a judgement that is expected to cost this much.
    pub fn admit(&mut self, now: Timestamp, expected: f64, allowance: &Allowance) -> Admission {
        self.forget(now);
        let expected = if expected.is_finite() { expected.max(0.0) } else { f64::MAX };
        let mut wait: Option<(Timestamp, ThrottleBound)> = None;
        if allowance.per_hour == 0 {
            return Admission::Never(ThrottleBound::PerHour);
        }
        // Room comes when all but `per_hour − 1` of those in the window have left it.
        let hour = self.spent.iter().filter(|spent| within(spent.at, now, HOUR)).count();
        if hour >= allowance.per_hour {
            let leaving = self.spent.iter().rev().nth(allowance.per_hour - 1);
            wait = leaving.map(|spent| (after(spent.at, HOUR), ThrottleBound::PerHour));
        }
        if let Some(most) = allowance.dollars_per_day {
            // A bound that is no number is no licence, and where nothing may be spent nobody is asked.
            if most.is_nan() || most <= 0.0 || expected > most {
                return Admission::Never(ThrottleBound::Budget);
            }
            let mut left: f64 = self.spent.iter().map(|spent| spent.dollars).sum();
            for spent in &self.spent {
                if left + expected <= most + EPSILON {
                    break;
                }
                left -= spent.dollars;
                let at = after(spent.at, DAY);
                if wait.is_none_or(|(other, _)| at > other) {
                    wait = Some((at, ThrottleBound::Budget));
                }
            }
        }
        if let Some((at, bound)) = wait {
            return Admission::NotBefore { at, bound };
        }
        let place = self.spent.iter().rposition(|spent| spent.at <= now).map_or(0, |index| index + 1);
        self.spent.insert(place, Spent { at: now, dollars: expected, estimated: true });
        Admission::Now
    }

    /// What the judgement that was admitted at this moment did cost. One whose price nobody says counts as the dearest
    /// of those that are known, and never as less than was expected.
    pub fn settle(&mut self, at: Timestamp, dollars: Option<f64>) {
        let dearest = self.known().fold(0.0, f64::max);
        // Of several that began in the same moment each is settled once.
        let open = self.spent.iter_mut().rev().find(|spent| spent.at == at && spent.estimated);
        let Some(spent) = open else { return };
        match dollars.filter(|dollars| dollars.is_finite() && *dollars >= 0.0) {
            Some(dollars) => (spent.dollars, spent.estimated) = (dollars, false),
            None => spent.dollars = spent.dollars.max(dearest),
        }
    }

    /// Drops what no bound looks at any more, and what a clock that was set back left in the future.
    fn forget(&mut self, now: Timestamp) {
        self.spent.retain_mut(|spent| {
            spent.at = spent.at.min(now);
            within(spent.at, now, DAY)
        });
    }
}

/// Whether a moment lies in the window that ends now. What is exactly as old as the window has left it.
fn within(at: Timestamp, now: Timestamp, window: SignedDuration) -> bool {
    now.duration_since(at) < window
}

fn after(at: Timestamp, window: SignedDuration) -> Timestamp {
    at.checked_add(window).unwrap_or(Timestamp::MAX)
}
