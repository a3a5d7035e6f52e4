//! Drift: whether a judge still judges as it did, by runs that are judged again and again and never change.
//!
//! When scores move, either the work has changed or the judge has. The anchors do not change, so what moves there is the
//! judge.

use std::fmt;
use std::str::FromStr;

use jury_core::judge::number::{length, rounded};
use jury_core::judge::{Bead, Dimensions, JudgeDimension, JudgeVerdict};
use jury_core::outcome::{UnknownWord, words};
use jury_core::random::Random;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::agreement::bootstrap;
use crate::calibration::RESAMPLES;
use crate::interval::Estimate;

/// With fewer anchors nothing is said.
pub const LEAST_ANCHORS: usize = 5;
/// A shift of the score that matters, when it is one.
pub const LEAST_SHIFT: f64 = 0.05;
/// So many verdicts in a hundred that changed are an alarm by themselves.
pub const FLIPS: f64 = 0.2;

/// An anchor: what a judge gave it when it was set, and what it gives it now.
#[derive(Debug, Clone, PartialEq)]
pub struct Anchor {
    /// The run that is judged again.
    pub bead: Bead,
    /// The marks of the first judgement.
    pub then: Dimensions,
    /// The marks of the new judgement.
    pub now: Dimensions,
}

/// What has moved: the judge, the work or neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Moved {
    /// Nothing that can be told from chance.
    Nothing,
    /// The judge or its model.
    Judge,
    /// The work: the runs have moved and the anchors have not.
    Work,
    /// There are too few anchors.
    Unknown,
}

words!(Moved { Nothing = "nothing", Judge = "judge", Work = "work", Unknown = "unknown" });

/// How judgements of the anchors have shifted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Drift {
    /// What has moved since the anchors were set.
    pub moved: Moved,
    /// The number of anchors that were judged again.
    pub anchors: u64,
    /// How much the score of an anchor moved on average.
    #[schema(required)]
    pub shift: Option<Estimate>,
    /// The same by dimension.
    pub dimensions: Vec<Shift>,
    /// The anchors whose verdict changed.
    pub flipped: Vec<Flip>,
}

/// How much the marks of a dimension moved on average.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Shift {
    /// The dimension that shifted.
    pub dimension: JudgeDimension,
    /// How much; negative: harsher than it was.
    pub by: f64,
}

/// An anchor whose verdict changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Flip {
    /// The run whose verdict flipped.
    pub bead: Bead,
    /// The verdict of the first judgement.
    pub then: JudgeVerdict,
    /// The verdict of the new judgement.
    pub now: JudgeVerdict,
}

/// Looks at the anchors. `work` is how much the scores of all runs moved meanwhile, if that is known.
pub fn drift(anchors: &[Anchor], work: Option<Estimate>, random: &mut Random) -> Drift {
    let shifts: Vec<f64> = anchors.iter().map(|anchor| anchor.now.score() - anchor.then.score()).collect();
    let mean =
        |values: &[f64]| (!values.is_empty()).then(|| values.iter().sum::<f64>() / length(values.len()));
    let shift = bootstrap(&shifts, RESAMPLES, random, mean).map(|shift| shift.rounded(4));
    let flipped: Vec<Flip> = anchors
        .iter()
        .map(|anchor| Flip {
            bead: anchor.bead.clone(),
            then: anchor.then.verdict(),
            now: anchor.now.verdict(),
        })
        .filter(|flip| flip.then != flip.now)
        .collect();
    let apart = |estimate: &Estimate| {
        (estimate.low > 0.0 || estimate.high < 0.0) && estimate.value.abs() >= LEAST_SHIFT
    };
    let many_flips = length(flipped.len()) >= FLIPS * length(anchors.len().max(1));
    let moved = if anchors.len() < LEAST_ANCHORS {
        Moved::Unknown
    } else if shift.as_ref().is_some_and(apart) || many_flips {
        Moved::Judge
    } else if work.as_ref().is_some_and(apart) {
        Moved::Work
    } else {
        Moved::Nothing
    };
    let dimensions = JudgeDimension::ALL.iter().map(|dimension| {
        let moved: Vec<f64> =
            anchors.iter().map(|anchor| anchor.now.of(*dimension) - anchor.then.of(*dimension)).collect();
        Shift { dimension: *dimension, by: rounded(mean(&moved).unwrap_or(0.0), 4) }
    });
    Drift { moved, anchors: anchors.len() as u64, shift, dimensions: dimensions.collect(), flipped }
}
