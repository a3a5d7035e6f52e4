//! Scores, composites, weights. A number that stands for quality is one of these types or it is nothing.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::role::Role;

/// Two composites closer than this are the same composite.
pub const EPSILON: f64 = 1e-9;

/// How far an agent's own composite may be off before it is worth a warning.
pub const COMPOSITE_TOLERANCE: f64 = 0.05;

/// What one panelist gives, between 0 and the scale.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct Score(pub f64);

/// The upper end of the scores of a run. The lower end is always 0.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct Scale(pub f64);

/// The composite from which a round may ship.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct Threshold(pub f64);

/// The weighted mean of a round. Kept with two decimals, shown with one.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct Composite(pub f64);

impl Composite {
    /// The composite as the log and the store keep it.
    #[must_use]
    pub fn stored(self) -> Self {
        Self((self.0 * 100.0).round() / 100.0)
    }

    /// Whether the composite reaches the bar.
    pub fn reaches(self, threshold: Threshold) -> bool {
        self.0 >= threshold.0 - EPSILON
    }
}

impl Threshold {
    /// Whether the bar is so low that a poor page passes: below half of the scale.
    pub fn is_low(self, scale: Scale) -> bool {
        self.0 < scale.0 / 2.0 - EPSILON
    }
}

/// A number of quality as people read it, with one decimal or two: cut and not rounded, because 7.96 under a bar of 8.0
/// must not read as 8.0.
pub fn cut(value: f64, decimals: usize) -> String {
    let unit = if decimals < 2 { 10.0 } else { 100.0 };
    format!("{:.decimals$}", (value * unit + 1e-6).floor() / unit)
}

impl Composite {
    /// The composite beside the bar: with a second decimal where the bar has one, so that it can be seen which of the two
    /// is the higher.
    pub fn beside(self, threshold: Threshold) -> String {
        let tenths = threshold.0 * 10.0;
        cut(self.0, if (tenths - tenths.round()).abs() < 1e-6 { 1 } else { 2 })
    }
}

impl fmt::Display for Composite {
    /// One decimal, cut.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&cut(self.0, 1))
    }
}

impl fmt::Display for Score {
    /// One decimal, cut like a composite: both stand beside the same bar.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&cut(self.0, 1))
    }
}

impl fmt::Display for Threshold {
    /// As it was given, with one decimal at least: 8.0, 8.25.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = self.0 * 10.0;
        if (tenths - tenths.round()).abs() < 1e-6 { write!(f, "{:.1}", self.0) } else { self.0.fmt(f) }
    }
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// How much each role counts in the composite. None is negative, and at least one is positive.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub struct Weights {
    /// The designer's: 0 by default, because the one who drafts does not score.
    pub designer: f64,
    /// The weight of the critic.
    pub critic: f64,
    /// The weight of the brand panelist.
    pub brand: f64,
    /// The weight of the accessibility panelist.
    pub a11y: f64,
    /// The weight of the copy panelist.
    pub copy: f64,
}

impl Weights {
    /// The weight of one role of the fixed cast. The weight of an added seat stands with the seat, not here: see
    /// [`CritiqueConfig::weight`](crate::settings::CritiqueConfig::weight).
    pub fn of(&self, role: Role) -> f64 {
        match role {
            Role::Designer => self.designer,
            Role::Critic => self.critic,
            Role::Brand => self.brand,
            Role::A11y => self.a11y,
            Role::Copy => self.copy,
            Role::Seat(_) => 0.0,
        }
    }

    /// The weight of one role of the fixed cast, to be changed.
    pub fn of_mut(&mut self, role: Role) -> Option<&mut f64> {
        match role {
            Role::Designer => Some(&mut self.designer),
            Role::Critic => Some(&mut self.critic),
            Role::Brand => Some(&mut self.brand),
            Role::A11y => Some(&mut self.a11y),
            Role::Copy => Some(&mut self.copy),
            Role::Seat(_) => None,
        }
    }
}
