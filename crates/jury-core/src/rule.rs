//! Rules: what can be measured without asking anybody, in words.
//!
//! Each table of checks (pages, documents, diffs, content) gives its rows as [`Rule`]s. Listings, explanations and documents
//! are made of these alone; an id is there once over all tables.

use serde::Serialize;

use crate::severity::Severity;

/// What a check measures, in words, with its sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Rule {
    /// Its id in findings, such as `a11y/contrast`.
    pub id: &'static str,
    /// What it is about.
    pub subject: RuleSubject,
    /// The severity of its worst usual finding.
    pub severity: Severity,
    /// The mildest that it says, where that is fixed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least: Option<Severity>,
    /// One line: what should hold.
    pub title: &'static str,
    /// Exactly what is measured, with its bounds.
    pub measures: &'static str,
    /// What is left out, and why.
    pub exempt: &'static str,
    /// Where it comes from: success criteria, rules, addresses.
    pub sources: &'static [&'static str],
    /// What is done about it without a person.
    pub repair: RepairKind,
}

/// What a rule is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RuleSubject {
    /// An HTML page, measured by the house.
    Page,
    /// A Markdown document, measured for the critic.
    Document,
    /// A change of files, measured for the judge.
    Diff,
    /// A draft, measured by the critics of content.
    Content,
}

/// What a program can do about a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RepairKind {
    /// It repairs, measures again, and keeps what helped.
    Automatic,
    /// It proposes; the words or the layout need a person.
    Proposed,
    /// No mechanical repair is known.
    None,
}
