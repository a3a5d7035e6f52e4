//! How a run stands, how it ended, and what that means for whoever waits for the gate.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use utoipa::ToSchema;

/// What the rule says at the end of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// The bar was not met: go on.
    Continue,
    /// The bar was met: this round may ship.
    Ship,
}

/// Which round is kept when none met the bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FallbackPolicy {
    /// The round with the highest composite; of equals, the later one.
    ShipBest,
    /// The last closed round.
    ShipLast,
    /// No round is kept.
    Fail,
}

/// How a run ended. The values that the `artifacts` table allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Status)]
pub enum TheaterStatus {
    /// The bar was met. The only green one.
    Shipped,
    /// The review took place and the bar was not met.
    BelowThreshold,
    /// A round or the run took too long.
    TimedOut,
    /// A person stopped it, or the program went away.
    Interrupted,
    /// The review did not take place as promised.
    Degraded,
    /// The agent, the store or jury itself failed.
    Failed,
    /// Made without a jury: the panel was off, or there was none yet.
    Legacy,
}

/// Why the review did not take place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DegradedReason {
    /// The transcript breaks the grammar, or ends too early.
    MalformedBlock,
    /// A block, or the whole output, is larger than allowed.
    OversizeBlock,
    /// The agent is marked as unable to run a jury.
    AdapterUnsupported,
    /// The agent speaks a version of the protocol that we do not.
    ProtocolVersionMismatch,
    /// The first round brought no artifact.
    MissingArtifact,
    /// In no round did half of the weighted panel give a usable score.
    QuorumMissed,
    /// A round met the bar, but its artifact could not be measured as the gate demands.
    Unmeasured,
}

/// Why the agent is asked without a panel: the reasons for which a review does not take place, and one more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FallbackReason {
    /// See [`DegradedReason::MalformedBlock`].
    MalformedBlock,
    /// See [`DegradedReason::OversizeBlock`].
    OversizeBlock,
    /// See [`DegradedReason::AdapterUnsupported`].
    AdapterUnsupported,
    /// See [`DegradedReason::ProtocolVersionMismatch`].
    ProtocolVersionMismatch,
    /// See [`DegradedReason::MissingArtifact`].
    MissingArtifact,
    /// See [`DegradedReason::QuorumMissed`].
    QuorumMissed,
    /// See [`DegradedReason::Unmeasured`].
    Unmeasured,
    /// The panel is off.
    Disabled,
}

impl From<DegradedReason> for FallbackReason {
    fn from(reason: DegradedReason) -> Self {
        match reason {
            DegradedReason::MalformedBlock => Self::MalformedBlock,
            DegradedReason::OversizeBlock => Self::OversizeBlock,
            DegradedReason::AdapterUnsupported => Self::AdapterUnsupported,
            DegradedReason::ProtocolVersionMismatch => Self::ProtocolVersionMismatch,
            DegradedReason::MissingArtifact => Self::MissingArtifact,
            DegradedReason::QuorumMissed => Self::QuorumMissed,
            DegradedReason::Unmeasured => Self::Unmeasured,
        }
    }
}

/// The part that failed in a run that could not be reviewed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FailedCause {
    /// The agent ended with a failure before its transcript was whole.
    CliExitNonzero,
    /// The agent was killed by somebody else before its transcript was whole.
    CliSignal,
    /// The agent, or the model behind it, said that it failed.
    AgentError,
    /// The run would have cost more than it may.
    BudgetExceeded,
    /// The agent said nothing for too long.
    Silent,
    /// The agent could not be started.
    SpawnFailed,
    /// An error in jury itself.
    OrchestratorInternal,
}

/// What took too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TimeoutCause {
    /// One round took too long.
    RoundTimeout,
    /// The run as a whole.
    TotalTimeout,
}

/// Why a run was found interrupted rather than seen to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RecoveryReason {
    /// The program that owned the run went away in the middle of it.
    DaemonRestart,
}

/// A text that names none of the values.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{given}' is none of {allowed}")]
pub struct UnknownWord {
    /// The word that is not known.
    pub given: String,
    /// The values, as a list.
    pub allowed: String,
}

/// Gives an enum one list of words for its text form: `ALL`, `as_str`, `Display` and `FromStr`. Whoever uses it has
/// `std::fmt`, `FromStr` and [`UnknownWord`] in scope.
#[macro_export]
macro_rules! words {
    ($name:ident { $($variant:ident = $word:literal),+ $(,)? }) => {
        impl $name {
            /// Every value, in the order of the declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The value as every format writes it.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl FromStr for $name {
            type Err = UnknownWord;

            fn from_str(text: &str) -> Result<Self, UnknownWord> {
                Self::ALL.iter().copied().find(|value| value.as_str() == text).ok_or_else(|| UnknownWord {
                    given: text.to_owned(),
                    allowed: Self::ALL.iter().map(|value| value.as_str()).collect::<Vec<_>>().join(", "),
                })
            }
        }
    };
}
pub use words;

words!(Decision { Continue = "continue", Ship = "ship" });
words!(FallbackPolicy { ShipBest = "ship_best", ShipLast = "ship_last", Fail = "fail" });
words!(TheaterStatus {
    Shipped = "shipped",
    BelowThreshold = "below_threshold",
    TimedOut = "timed_out",
    Interrupted = "interrupted",
    Degraded = "degraded",
    Failed = "failed",
    Legacy = "legacy",
});
words!(DegradedReason {
    MalformedBlock = "malformed_block",
    OversizeBlock = "oversize_block",
    AdapterUnsupported = "adapter_unsupported",
    ProtocolVersionMismatch = "protocol_version_mismatch",
    MissingArtifact = "missing_artifact",
    QuorumMissed = "quorum_missed",
    Unmeasured = "unmeasured",
});
words!(FallbackReason {
    MalformedBlock = "malformed_block",
    OversizeBlock = "oversize_block",
    AdapterUnsupported = "adapter_unsupported",
    ProtocolVersionMismatch = "protocol_version_mismatch",
    MissingArtifact = "missing_artifact",
    QuorumMissed = "quorum_missed",
    Unmeasured = "unmeasured",
    Disabled = "disabled",
});
words!(FailedCause {
    CliExitNonzero = "cli_exit_nonzero",
    CliSignal = "cli_signal",
    AgentError = "agent_error",
    BudgetExceeded = "budget_exceeded",
    Silent = "silent",
    SpawnFailed = "spawn_failed",
    OrchestratorInternal = "orchestrator_internal",
});
words!(TimeoutCause { RoundTimeout = "round_timeout", TotalTimeout = "total_timeout" });
words!(RecoveryReason { DaemonRestart = "daemon_restart" });

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_what_serde_writes() {
        for status in TheaterStatus::ALL {
            assert_eq!(serde_json::to_value(status).unwrap(), status.as_str());
        }
        for cause in FailedCause::ALL {
            assert_eq!(serde_json::to_value(cause).unwrap(), cause.as_str());
        }
        for reason in DegradedReason::ALL {
            assert_eq!(serde_json::to_value(reason).unwrap(), reason.as_str());
            assert_eq!(FallbackReason::from(*reason).as_str(), reason.as_str());
        }
        for reason in FallbackReason::ALL {
            assert_eq!(serde_json::to_value(reason).unwrap(), reason.as_str());
        }
    }
}
