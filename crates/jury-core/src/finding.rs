//! Findings: what is wrong, where, and what became of it, with an identity that lasts from round to round.
//!
//! [`Finding`] is the form in which all workflows and checks report. Events and files keep the shapes that they have on the
//! wire; [`WorkflowState::findings`](crate::workflow::WorkflowState::findings) makes findings of them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::artifact::Digest;
use crate::outcome::{UnknownWord, words};
use crate::severity::Severity;

/// A defect with its place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// The same for the same matter from round to round.
    pub id: FindingId,
    /// What it breaks: a rule of `jury checks`, a criterion, a dimension, or the role that asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// How bad it is.
    pub severity: Severity,
    /// The file, line or element it is about.
    #[serde(default, skip_serializing_if = "Place::is_empty")]
    pub place: Place,
    /// What is wrong, on one line.
    pub text: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
    /// The numbers behind it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub figures: Vec<Figure>,
    /// What became of it.
    pub state: FindingState,
}

/// Where a finding is. All of it is optional: a finding may be about the work as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = FindingPlace)]
pub struct Place {
    /// The file, as it was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The column in characters, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// A short name for the element.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
    /// A selector that finds the element and nothing else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The words that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
}

impl Place {
    /// The place that a text names: the number behind the first `line `.
    pub(crate) fn named_in(text: &str) -> Self {
        let digits = text
            .split_once("line ")
            .map(|(_, after)| after.chars().take_while(char::is_ascii_digit).collect::<String>());
        let line = digits.and_then(|digits| digits.parse().ok()).filter(|line| *line > 0);
        Self { line, ..Self::default() }
    }

    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A number behind a finding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Figure {
    /// What was measured, such as `ratio` or `needs`.
    pub name: String,
    /// The value, in the unit beside it.
    pub value: f64,
    /// Its unit: `:1`, `px`, `characters`, or nothing.
    pub unit: String,
}

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

    /// An identity that was given elsewhere, such as `a11y/contrast#0a1b2c`.
    pub fn known(id: impl Into<String>) -> Self {
        Self(id.into())
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
    /// It was there when the baseline was written.
    Known,
    /// A person lets it through for a while.
    Waived,
    /// Told, and not bad enough to hold anything back.
    Noted,
}

words!(FindingState {
    Open = "open",
    Fixed = "fixed",
    Regressed = "regressed",
    Refuted = "refuted",
    Deferred = "deferred",
    Escalated = "escalated",
    Known = "known",
    Waived = "waived",
    Noted = "noted",
});

impl FindingState {
    /// Whether it holds a ship back.
    pub fn is_open(self) -> bool {
        match self {
            Self::Open | Self::Regressed | Self::Escalated => true,
            Self::Fixed | Self::Refuted | Self::Deferred | Self::Known | Self::Waived | Self::Noted => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_read_out_of_the_text() {
        assert_eq!(Place::named_in("Contrast of p.lead (line 42) is 3.9:1").line, Some(42));
        assert_eq!(Place::named_in("Headline too long"), Place::default());
    }

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
