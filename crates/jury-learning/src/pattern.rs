//! Patterns: the ways in which runs fail again and again.

use std::fmt;
use std::str::FromStr;

use jury_core::judge::{CheckState, RunRecord, RunStatus};
use jury_core::outcome::{UnknownWord, words};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// From this many seconds on, a run has done more than it was asked to.
pub const SCOPE_CREEP_SECONDS: f64 = 1800.0;

/// A way in which a run failed. In the order in which they are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Pattern {
    /// The agent said it was done, and the tests fail.
    TestFailureAfterCompletion,
    /// The agent said it was done, and the linter objects.
    LintFailureAfterCompletion,
    /// It took much longer than expected.
    ScopeCreep,
    /// The agent said it was done, and two checks or more object.
    IncompleteWork,
    /// The terminal multiplexer failed.
    InfraTmux,
    /// The disk was full or failed.
    InfraDisk,
    /// It was not the first attempt.
    RepeatedFailure,
    /// It is called done, and two checks or more were not run.
    VerificationGap,
}

words!(Pattern {
    TestFailureAfterCompletion = "test-failure-after-completion",
    LintFailureAfterCompletion = "lint-failure-after-completion",
    ScopeCreep = "scope-creep",
    IncompleteWork = "incomplete-work",
    InfraTmux = "infra-tmux",
    InfraDisk = "infra-disk",
    RepeatedFailure = "repeated-failure",
    VerificationGap = "verification-gap",
});

impl Pattern {
    /// The patterns of a run, in order.
    pub fn detect(run: &RunRecord) -> Vec<Self> {
        let checks = &run.verification;
        let done = run.status == RunStatus::Done;
        let finished = done && run.exit_code == Some(0);
        let shows = |pattern: &Self| match pattern {
            Self::TestFailureAfterCompletion => finished && checks.tests == CheckState::Fail,
            Self::LintFailureAfterCompletion => finished && checks.lint == CheckState::Fail,
            Self::ScopeCreep => run.duration_seconds > SCOPE_CREEP_SECONDS,
            Self::IncompleteWork => finished && checks.count(CheckState::Fail) >= 2,
            Self::InfraTmux => run.failure_reason.contains("tmux"),
            Self::InfraDisk => run.failure_reason.contains("disk"),
            Self::RepeatedFailure => run.attempt > 1,
            Self::VerificationGap => done && checks.count(CheckState::Skipped) >= 2,
        };
        Self::ALL.iter().copied().filter(shows).collect()
    }

    /// Whether it is a matter of the machine and not of the template.
    pub fn is_infra(self) -> bool {
        is_infra(self.as_str())
    }

    /// What a refined prompt says against it; nothing for what no prompt can mend.
    pub fn instruction(self) -> Option<&'static str> {
        match self {
            Self::TestFailureAfterCompletion => Some(
                "Run the whole test suite before you say that you are done, and again after the last change. \
                 A failing test means that the work is not finished.",
            ),
            Self::LintFailureAfterCompletion => {
                Some("Run the lint command of the project before you finish, and fix what it reports.")
            }
            Self::ScopeCreep => Some(
                "Keep to the scope of the task. Change nothing that it does not ask for; write down what else \
                 you notice instead of doing it.",
            ),
            Self::IncompleteWork => Some(
                "Before you finish, check that the work is complete: no stubs, nothing left for later, every \
                 check of the project run and clean.",
            ),
            Self::RepeatedFailure => Some(
                "An earlier attempt at this failed. Read why before you begin, and do not repeat its approach.",
            ),
            Self::VerificationGap => Some(
                "Run every check that the project has (tests, lint, scanners) and report the result of each. \
                 A check that was not run is not a pass.",
            ),
            Self::InfraTmux | Self::InfraDisk => None,
        }
    }
}

/// Whether a pattern of this name is a matter of the machine. Registries may hold names that we do not know.
pub fn is_infra(name: &str) -> bool {
    name.starts_with("infra-")
}
