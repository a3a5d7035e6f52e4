//! How a run of the content pipeline stands or ended, and what that means for whoever waits for it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::outcome::{UnknownWord, words};

/// How good what was kept is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Quality {
    /// It met the rule.
    Approved,
    /// Going on made it worse, and nothing before had met the rule.
    Stalled,
    /// The most rounds were made, and it did not meet the rule.
    MaxRoundsReached,
    /// What is left only a person can mend.
    NeedsHuman,
}

words!(Quality {
    Approved = "approved",
    Stalled = "stalled",
    MaxRoundsReached = "max-rounds-reached",
    NeedsHuman = "needs-human",
});

/// How a run stands or ended. Only `approved` is green.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = ContentStanding)]
pub enum ContentStatus {
    /// A worker does its steps.
    Running,
    /// It was stopped, and can be taken up where it was.
    Paused,
    /// A step could not be done. It can be taken up there.
    Halted,
    /// It waits for a person's draft.
    NeedsHuman,
    /// It met the rule, and is published where that was asked for.
    Approved,
    /// Nobody's expertise was asked for, so nobody has reviewed it.
    Unreviewed,
    /// Going on made it worse.
    Stalled,
    /// The most rounds were made.
    MaxRoundsReached,
    /// Somebody gave it up.
    Abandoned,
}

words!(ContentStatus {
    Running = "running",
    Paused = "paused",
    Halted = "halted",
    NeedsHuman = "needs-human",
    Approved = "approved",
    Unreviewed = "unreviewed",
    Stalled = "stalled",
    MaxRoundsReached = "max-rounds-reached",
    Abandoned = "abandoned",
});
