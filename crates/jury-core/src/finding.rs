//! Findings: what must be fixed, with an identity that lasts from round to round.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::artifact::Digest;
use crate::outcome::{UnknownWord, words};

/// Who a must-fix is: the same panelist asking for the same thing in another round has the same id.
///
/// Measured values change from round to round ("3.9:1" becomes "4.2:1") while the thing to fix stays, so
/// numbers, punctuation and case take no part in it, but for the number of a name in capitals, such as `REQ-7`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct FindingId(String);

impl FindingId {
    /// The identity of what this panelist asks for.
    pub fn of(panelist: &str, text: &str) -> Self {
        let mut key = String::with_capacity(text.len() + panelist.len() + 1);
        key.push_str(panelist);
        let mut rest = text;
        let mut before = "";
        while let Some(start) = rest.find(char::is_alphanumeric) {
            let (between, from) = rest.split_at(start);
            let length = from.find(|c: char| !c.is_alphanumeric()).unwrap_or(from.len());
            let (word, behind) = from.split_at(length);
            // A word that begins with a digit is a measurement or a line, not the matter; unless it is the number of a
            // name, such as REQ-7.
            let is_number = word.starts_with(char::is_numeric);
            let is_of_a_name = matches!(between, "-" | "_")
                && !before.is_empty()
                && before.chars().all(|c| c.is_alphabetic() && c.is_uppercase());
            if !is_number {
                key.push(' ');
            }
            if !is_number || is_of_a_name {
                key.extend(word.chars().flat_map(char::to_lowercase));
            }
            (before, rest) = (word, behind);
        }
        Self::from_digest(&Digest::of(key.as_bytes()).to_string())
    }

    /// The identity that a digest stands for: its first twelve digits.
    pub(crate) fn from_digest(digest: &str) -> Self {
        Self(digest.chars().take(12).collect())
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for FindingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Where a finding stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FindingState {
    /// Asked for and not yet fixed.
    Open,
    /// The panelist that asked for it reviewed again and did not ask again.
    Fixed,
    /// It was fixed and is back.
    Regressed,
    /// What was measured says otherwise: it was never there.
    Refuted,
    /// Put off, by somebody, with a reason, until a moment.
    Deferred,
    /// A person is asked about it.
    Escalated,
}

words!(FindingState {
    Open = "open",
    Fixed = "fixed",
    Regressed = "regressed",
    Refuted = "refuted",
    Deferred = "deferred",
    Escalated = "escalated",
});

impl FindingState {
    /// Whether it holds a ship back.
    pub fn is_open(self) -> bool {
        match self {
            Self::Open | Self::Regressed | Self::Escalated => true,
            Self::Fixed | Self::Refuted | Self::Deferred => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identity_outlasts_a_new_measurement_but_not_a_new_panelist() {
        let first = FindingId::of("a11y", "Contrast of p.lead is 3.9:1, needs 4.5:1.");
        assert_eq!(first, FindingId::of("a11y", "contrast of p.lead is 4.2:1 — needs 4.5:1"));
        assert_ne!(first, FindingId::of("critic", "Contrast of p.lead is 3.9:1, needs 4.5:1."));
        assert_ne!(first, FindingId::of("a11y", "Contrast of p.body is 3.9:1, needs 4.5:1."));
    }

    #[test]
    fn a_name_in_capitals_keeps_its_number() {
        let of = |text: &str| FindingId::of("critic", text);
        assert_ne!(of("test REQ-7"), of("test REQ-9"));
        assert_ne!(of("FR_012 is vague"), of("FR_013 is vague"));
        assert_eq!(of("contrast 3.9:1 in line 12"), of("contrast 4.2:1 in line 40"));
        assert_eq!(of("use an 8-px grid"), of("use an 16-px grid"));
    }
}
