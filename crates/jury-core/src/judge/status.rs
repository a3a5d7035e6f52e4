//! How a run of the judge stands or ended, and what that means for whoever waits for it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::judgement::JudgeVerdict;
use crate::outcome::{UnknownWord, words};

/// How a run of the judge stands or ended. Only `pass` is green.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = JudgeStanding)]
pub enum JudgeStatus {
    /// The seats are being asked.
    Running,
    /// It waits for the throttle or the budget.
    Throttled,
    /// It waits for a person.
    Disputed,
    /// The work is good enough.
    Pass,
    /// It is neither that nor a failure.
    Partial,
    /// The work is not good enough.
    Fail,
    /// There was nothing to judge.
    Skipped,
    /// The review did not take place as promised.
    Inconclusive,
    /// Somebody stopped it, or the program went away.
    Interrupted,
    /// The agents, the store or jury failed.
    Failed,
}

words!(JudgeStatus {
    Running = "running",
    Throttled = "throttled",
    Disputed = "disputed",
    Pass = "pass",
    Partial = "partial",
    Fail = "fail",
    Skipped = "skipped",
    Inconclusive = "inconclusive",
    Interrupted = "interrupted",
    Failed = "failed",
});

impl From<JudgeVerdict> for JudgeStatus {
    fn from(verdict: JudgeVerdict) -> Self {
        match verdict {
            JudgeVerdict::Pass => Self::Pass,
            JudgeVerdict::Partial => Self::Partial,
            JudgeVerdict::Fail => Self::Fail,
        }
    }
}
