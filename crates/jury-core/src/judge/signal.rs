//! Signals and outcomes: what the mechanical checks of a run say, and which of five classes that is.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::number::plain;
use super::record::{CheckState, RunRecord, RunStatus};
use crate::outcome::{UnknownWord, words};

/// How long a run is expected to take, in seconds: a duration ratio of 1.
pub const EXPECTED_SECONDS: f64 = 600.0;

/// Reasons for which a run failed through no fault of its agent, beside those that begin with `infra-`.
pub const INFRA_REASONS: [&str; 3] = ["tmux-launch-failed", "status-file", "agent-died-work-preserved"];

/// How a run came out, by its mechanical signals alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunOutcome {
    /// The agent ended well and no check objects.
    FullPass,
    /// The agent ended well, and some check objects or was not run.
    PartialPass,
    /// The agent failed at the work.
    AgentFailure,
    /// What the agent ran on failed. Says nothing of the template.
    InfraFailure,
    /// It took too long.
    Timeout,
}

words!(RunOutcome {
    FullPass = "full_pass",
    PartialPass = "partial_pass",
    AgentFailure = "agent_failure",
    InfraFailure = "infra_failure",
    Timeout = "timeout",
});

impl RunOutcome {
    /// The class of a run: the first that fits.
    pub fn of(run: &RunRecord) -> Self {
        let checks = &run.verification;
        let fine = |check| matches!(check, CheckState::Pass | CheckState::Skipped);
        let infra =
            INFRA_REASONS.contains(&run.failure_reason.as_str()) || run.failure_reason.starts_with("infra-");
        if run.status == RunStatus::Timeout {
            Self::Timeout
        } else if infra {
            Self::InfraFailure
        } else if run.status == RunStatus::Failed
            || (run.status == RunStatus::Done && run.exit_code != Some(0))
        {
            Self::AgentFailure
        } else if fine(checks.tests)
            && fine(checks.lint)
            && fine(checks.truthsayer)
            // The bug scanner must have run.
            && checks.ubs == CheckState::Pass
            && run.exit_code == Some(0)
        {
            Self::FullPass
        } else {
            Self::PartialPass
        }
    }

    /// Whether it counts for its template.
    pub fn is_scoreable(self) -> bool {
        self != Self::InfraFailure
    }

    /// Whether there is something for a judge to look at.
    pub fn is_judgeable(self) -> bool {
        match self {
            Self::FullPass | Self::PartialPass | Self::AgentFailure => true,
            Self::InfraFailure | Self::Timeout => false,
        }
    }
}

/// The mechanical signals of a run, as the feedback record has them.
#[expect(clippy::struct_excessive_bools, reason = "the shape of the file")]
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[schema(as = RunSignals)]
pub struct Signals {
    /// The agent's process ended with 0.
    #[serde(default)]
    pub exit_clean: bool,
    /// Whether the tests passed.
    #[serde(default)]
    pub tests_pass: bool,
    /// The linter has nothing to say.
    #[serde(default)]
    pub lint_pass: bool,
    /// Neither has the bug scanner.
    #[serde(default)]
    pub ubs_clean: bool,
    /// Nor the checker of claims.
    #[serde(default)]
    pub truthsayer_clean: bool,
    /// How long it took, in parts of what is expected.
    #[serde(default, serialize_with = "plain")]
    pub duration_ratio: f64,
    /// It was not the first attempt.
    #[serde(default)]
    pub retried: bool,
}

impl Signals {
    /// The signals of a run.
    pub fn of(run: &RunRecord) -> Self {
        let checks = &run.verification;
        Self {
            exit_clean: run.exit_code == Some(0),
            tests_pass: checks.tests == CheckState::Pass,
            lint_pass: checks.lint == CheckState::Pass,
            ubs_clean: checks.ubs == CheckState::Pass,
            truthsayer_clean: checks.truthsayer == CheckState::Pass,
            duration_ratio: run.duration_seconds / EXPECTED_SECONDS,
            retried: run.attempt > 1,
        }
    }
}
