//! What a check is about: the words and sources behind it, from which `jury checks`, `jury explain` and the docs are made.

use jury_core::rule::{RepairKind, Rule, RuleSubject};
use serde::Serialize;

use super::Check;

/// The words behind a check, as the table has them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct About {
    /// One line: what should hold.
    pub(crate) title: &'static str,
    /// Exactly what is measured, with its bounds.
    pub(crate) measures: &'static str,
    /// What is left out, and why.
    pub(crate) exempt: &'static str,
    /// What shares are computed over, and where a share is worth nothing.
    pub(crate) exposure: &'static str,
    /// Where the bound comes from: success criteria, rules, addresses.
    pub(crate) sources: &'static [&'static str],
    /// Ids of the W3C ACT rules it stands for.
    pub(crate) act: &'static [&'static str],
    /// Ids of the axe-core rules it stands for.
    pub(crate) axe: &'static [&'static str],
    /// What the designer does about it.
    pub(crate) repair: RepairKind,
}

/// A check as it is listed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CheckInfo {
    /// What the check measures, in words.
    #[serde(flatten)]
    pub rule: Rule,
    /// The panelist that reports it.
    pub panelist: &'static str,
    /// The dimension it counts in.
    pub dimension: &'static str,
    /// What shares are computed over, and where a share is worth nothing.
    pub exposure: &'static str,
    /// Ids of the W3C ACT rules it stands for.
    pub act: &'static [&'static str],
    /// Ids of the axe-core rules it stands for.
    pub axe: &'static [&'static str],
}

impl From<&Check> for CheckInfo {
    fn from(check: &Check) -> Self {
        let About { title, measures, exempt, exposure, sources, act, axe, repair } = check.about;
        Self {
            rule: Rule {
                id: check.id,
                subject: RuleSubject::Page,
                severity: check.severity,
                least: None,
                title,
                measures,
                exempt,
                sources,
                repair,
            },
            panelist: check.panelist.role(),
            dimension: check.dimension,
            exposure,
            act,
            axe,
        }
    }
}
