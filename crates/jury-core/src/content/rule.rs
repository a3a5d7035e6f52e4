//! The editor's rule: what happens to a draft after its reviews. Code decides; no model is asked.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::advisor::AdvisorId;
use super::critique::Critique;
use super::panel::ContentSeat;
use super::summary::OpenIssue;
use crate::outcome::{UnknownWord, words};
use crate::score::EPSILON;

/// What the editor decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EditorDecision {
    /// It is good enough.
    Approve,
    /// It is sent back.
    Revise,
    /// Going on makes it worse: the best draft so far is kept.
    Stop,
    /// The review did not take place: too few critics answered.
    Error,
}

words!(EditorDecision { Approve = "approve", Revise = "revise", Stop = "stop", Error = "error" });

/// The clause of the rule that decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = RulingReason)]
pub enum Reason {
    /// Too few critics answered, or one that has to be there did not.
    QuorumMissed,
    /// Something high is open.
    HighIssue,
    /// The critics of both rounds score it lower than before.
    Decreasing,
    /// The mean reaches the minimum, and nothing high is open.
    MeanReached,
    /// The mean does not reach the minimum.
    MeanBelow,
}

words!(Reason {
    QuorumMissed = "quorum_missed",
    HighIssue = "high_issue",
    Decreasing = "decreasing",
    MeanReached = "mean_reached",
    MeanBelow = "mean_below",
});

/// The mean that good work has. The minimum of a recipe is only the least that may go out: what is approved below this is
/// worth a person's look.
pub const GOOD_MEAN: f64 = 7.0;

/// The decision of a round, with the figures it rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Ruling {
    /// What the rule decides.
    pub decision: EditorDecision,
    /// The clause that decided it.
    pub reason: Reason,
    /// The mean of the scores of those who answered; none when nobody did.
    #[schema(required)]
    pub mean: Option<f64>,
    /// The means of this round and the one before over the critics of both, when there are such.
    #[schema(required)]
    pub common: Option<Common>,
    /// How many high issues are open.
    pub high: u32,
    /// How many critics answered.
    pub answered: u32,
    /// How many there are.
    pub seats: u32,
    /// The named critics that did not answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<AdvisorId>,
}

/// Two means over the same critics.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CommonMeans)]
pub struct Common {
    /// Of the round before.
    pub before: f64,
    /// The mean of this round.
    pub now: f64,
}

/// Decides on a round.
///
/// `open` is what is open after it: what was raised now, what a critic says is not mended, and what an absent critic raised
/// before. `before` is what was said in the round before; none in the first, and none after a person's draft, which is
/// nobody's revision.
pub fn decide(
    seats: &[ContentSeat],
    now: &BTreeMap<AdvisorId, Critique>,
    open: &[OpenIssue],
    before: Option<&BTreeMap<AdvisorId, Critique>>,
    minimum: f64,
) -> Ruling {
    let heard: Vec<&Critique> = seats.iter().filter_map(|seat| now.get(&seat.advisor_id)).collect();
    let missing: Vec<AdvisorId> = seats
        .iter()
        .filter(|seat| seat.named && !now.contains_key(&seat.advisor_id))
        .map(|seat| seat.advisor_id.clone())
        .collect();
    let high = open.iter().filter(|issue| issue.issue.severity.is_must_fix()).count();
    let common = before.and_then(|before| {
        let (earlier, later): (Vec<f64>, Vec<f64>) =
            heard.iter().filter_map(|now| Some((before.get(&now.advisor_id)?.score, now.score))).unzip();
        Some(Common { before: mean(&earlier)?, now: mean(&later)? })
    });
    let scores: Vec<f64> = heard.iter().map(|critique| critique.score).collect();
    let average = mean(&scores);
    let quorum = missing.is_empty() && has_quorum(heard.len(), seats.len());
    let (decision, reason) = match average {
        Some(_) if !quorum => (EditorDecision::Error, Reason::QuorumMissed),
        None => (EditorDecision::Error, Reason::QuorumMissed),
        Some(_) if high > 0 => (EditorDecision::Revise, Reason::HighIssue),
        Some(_) if common.is_some_and(|common| common.now < common.before - EPSILON) => {
            (EditorDecision::Stop, Reason::Decreasing)
        }
        Some(mean) if mean >= minimum - EPSILON => (EditorDecision::Approve, Reason::MeanReached),
        Some(_) => (EditorDecision::Revise, Reason::MeanBelow),
    };
    Ruling {
        decision,
        reason,
        mean: average,
        common,
        high: count(high),
        answered: count(heard.len()),
        seats: count(seats.len()),
        missing,
    }
}

/// Whether enough of them answered: two thirds.
pub fn has_quorum(answered: usize, seats: usize) -> bool {
    answered > 0 && answered * 3 >= seats * 2
}

impl Ruling {
    /// Whether the draft itself met the bar, whatever was decided: nothing high is open, and the mean reaches the minimum.
    pub fn meets(&self, minimum: f64) -> bool {
        self.decision != EditorDecision::Error
            && self.high == 0
            && self.mean.is_some_and(|mean| mean >= minimum - EPSILON)
    }
}

fn mean(scores: &[f64]) -> Option<f64> {
    (!scores.is_empty()).then(|| scores.iter().sum::<f64>() / f64::from(count(scores.len())))
}

fn count(of: usize) -> u32 {
    u32::try_from(of).unwrap_or(u32::MAX)
}
