//! How a loop ends, and what that means for whoever waits for it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::outcome::{UnknownWord, words};

/// How a run of the critic stands or ended. Only `converged` is green.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = CriticStanding)]
pub enum CriticStatus {
    /// Passes follow each other.
    Running,
    /// It waits for a person.
    Escalated,
    /// All four conditions hold.
    Converged,
    /// The most passes were made, and they do not.
    SafetyCap,
    /// Something is left, and going on would not change that.
    Stopped,
    /// The review did not take place as promised.
    Inconclusive,
    /// Somebody stopped it, or the program went away.
    Interrupted,
    /// The agent, the store or jury failed.
    Failed,
}

words!(CriticStatus {
    Running = "running",
    Escalated = "escalated",
    Converged = "converged",
    SafetyCap = "safety_cap",
    Stopped = "stopped",
    Inconclusive = "inconclusive",
    Interrupted = "interrupted",
    Failed = "failed",
});

/// Why a loop was stopped before its cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// What is left has nobody to fix it.
    Unfixable,
    /// The fix failed, and failed again.
    FixFailed,
    /// Changes go in a circle.
    Churn,
}

words!(StopReason { Unfixable = "unfixable", FixFailed = "fix_failed", Churn = "churn" });

/// In which circle changes go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Churn {
    /// A fix was made, and the document is what it was before.
    DocumentUnchanged,
    /// A fix brought back a document that an earlier pass had reviewed.
    DocumentSeenBefore,
    /// A fix gave a place the words that it had before an earlier fix.
    PlaceBackAndForth,
    /// A finding was fixed, came back, and was fixed again, while others stay open.
    FindingOscillates,
}

words!(Churn {
    DocumentUnchanged = "document_unchanged",
    DocumentSeenBefore = "document_seen_before",
    PlaceBackAndForth = "place_back_and_forth",
    FindingOscillates = "finding_oscillates",
});

impl Churn {
    /// What to do about it.
    pub fn advice(self) -> &'static str {
        match self {
            Self::DocumentUnchanged => "look at what the fix is told and whether it can write",
            Self::DocumentSeenBefore => "two fixes undo each other: settle by hand which of them is right",
            Self::PlaceBackAndForth => {
                "two criteria pull at one place: rephrase one of them, or decide by hand"
            }
            Self::FindingOscillates => "fix it by hand, or split the criterion that keeps coming back",
        }
    }
}

/// What a pass comes to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case", tag = "keyword")]
pub enum PassResult {
    /// All four conditions hold.
    Converged {
        /// How many passes there were.
        passes: u32,
        /// How many fixes were applied.
        fixes: u32,
        /// How many questions a person was asked.
        escalations: u32,
    },
    /// There is another pass.
    Continue {
        /// How many defects of this pass were fixed.
        fixed: u32,
    },
    /// A person is asked first.
    Escalate {
        /// The number of open questions.
        items: u32,
    },
    /// It was the last one that there may be.
    SafetyCap,
    /// There is no other pass, and the conditions do not hold.
    NotConverged {
        /// How many criteria are not clean.
        open: u32,
        /// Why there is no other pass, in a word.
        reason: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_what_serde_writes() {
        for standing in CriticStatus::ALL {
            assert_eq!(serde_json::to_value(standing).unwrap(), standing.as_str());
        }
        for churn in Churn::ALL {
            assert_eq!(serde_json::to_value(churn).unwrap(), churn.as_str());
        }
        for reason in StopReason::ALL {
            assert_eq!(serde_json::to_value(reason).unwrap(), reason.as_str());
        }
    }
}
