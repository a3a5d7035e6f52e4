//! How a run of the judge stands or ended, and what that means for whoever waits for it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::judgement::Verdict;
use crate::outcome::{UnknownWord, words};

/// How a run of the judge stands or ended. Only `pass` is green.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = JudgeStanding)]
pub enum Standing {
    /// It goes on.
    Running,
    /// It waits for the throttle or the budget.
    Throttled,
    /// It waits for a person.
    Disputed,
    /// The work is good enough.
    Pass,
    /// It is neither that nor a failure.
    Partial,
    /// It is not.
    Fail,
    /// There was nothing to judge.
    Skipped,
    /// The review did not take place as promised.
    Inconclusive,
    /// Somebody stopped it, or the program went away.
    Interrupted,
    /// Something broke.
    Failed,
}

words!(Standing {
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

impl From<Verdict> for Standing {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Pass => Self::Pass,
            Verdict::Partial => Self::Partial,
            Verdict::Fail => Self::Fail,
        }
    }
}
