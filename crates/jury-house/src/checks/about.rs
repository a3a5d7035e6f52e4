//! What a check is about: the words and sources behind it, from which `jury checks`, `jury explain` and the docs are made.

use serde::Serialize;

use super::Check;
use crate::finding::Severity;

/// What the designer can do about a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RepairKind {
    /// It repairs, measures again, and keeps what helped.
    Automatic,
    /// It proposes; the words or the layout need a person.
    Proposed,
    /// Nothing mechanical helps.
    None,
}

/// The words behind a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct About {
    /// One line: what should hold.
    pub title: &'static str,
    /// Exactly what is measured, with its bounds.
    pub measures: &'static str,
    /// What is left out, and why.
    pub exempt: &'static str,
    /// What shares are computed over, and where a share is worth nothing.
    pub exposure: &'static str,
    /// Where the bound comes from: success criteria, rules, addresses.
    pub sources: &'static [&'static str],
    /// Ids of the W3C ACT rules it stands for.
    pub act: &'static [&'static str],
    /// Ids of the axe-core rules it stands for.
    pub axe: &'static [&'static str],
    /// What the designer does about it.
    pub repair: RepairKind,
}

/// A check as it is listed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CheckInfo {
    /// Its id, such as `a11y/contrast`.
    pub id: &'static str,
    /// Who reports it.
    pub panelist: &'static str,
    /// The dimension it counts in.
    pub dimension: &'static str,
    /// Its weight, and the severity of its worst usual finding.
    pub severity: Severity,
    /// The words behind it.
    #[serde(flatten)]
    pub about: About,
}

impl From<&Check> for CheckInfo {
    fn from(check: &Check) -> Self {
        Self {
            id: check.id,
            panelist: check.panelist.role(),
            dimension: check.dimension,
            severity: check.severity,
            about: check.about,
        }
    }
}
