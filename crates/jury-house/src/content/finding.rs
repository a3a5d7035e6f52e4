//! What a critic finds, as it goes through its rules: bounded, and each matter once.

use std::collections::{BTreeMap, BTreeSet};

use jury_core::content::{AdvisorId, Issue, Severity};
use jury_core::finding::FindingId;

use super::document::shorten;

/// The most findings of one rule. What comes after them is counted in the last.
const MOST_OF_A_RULE: usize = 20;

/// The findings of one critic.
pub(crate) struct Findings<'c> {
    critic: &'c AdvisorId,
    issues: Vec<Issue>,
    seen: BTreeSet<FindingId>,
    of_rule: BTreeMap<&'static str, (usize, usize)>,
}

/// A finding before it has its identity.
pub(crate) struct Found<'f> {
    /// The rule it breaks.
    pub(crate) rule: &'static str,
    /// How grave it is.
    pub(crate) severity: Severity,
    /// What it is about: the same as long as the matter is the same, whatever the figures.
    pub(crate) anchor: &'f str,
    /// What is wrong, with the figures.
    pub(crate) description: String,
    /// What to do.
    pub(crate) suggestion: String,
    /// The words of the draft.
    pub(crate) quote: Option<&'f str>,
}

impl<'c> Findings<'c> {
    pub(crate) fn new(critic: &'c AdvisorId) -> Self {
        Self { critic, issues: Vec::new(), seen: BTreeSet::new(), of_rule: BTreeMap::new() }
    }

    /// Notes a finding, unless it is there already.
    pub(crate) fn add(&mut self, found: Found<'_>) {
        let Found { rule, severity, anchor, description, suggestion, quote } = found;
        let anchor = shorten(anchor).unwrap_or_default().to_lowercase();
        let mut issue = Issue::measured(self.critic, rule, &anchor, severity, description, suggestion);
        if self.seen.contains(&issue.id) {
            return;
        }
        let (count, last) = self.of_rule.entry(rule).or_default();
        *count += 1;
        if *count > MOST_OF_A_RULE {
            // The last says that there are more.
            if let Some(issue) = self.issues.get_mut(*last) {
                let more = format!(" There are {} more like it.", *count - MOST_OF_A_RULE);
                let description = issue.description.split(" There are ").next().unwrap_or_default();
                issue.description = format!("{description}{more}");
            }
            return;
        }
        if let Some(quote) = quote.and_then(shorten) {
            issue = issue.quoting(quote);
        }
        *last = self.issues.len();
        self.seen.insert(issue.id.clone());
        self.issues.push(issue);
    }

    /// All, the gravest first, otherwise in the order in which they were found.
    pub(crate) fn settle(mut self) -> Vec<Issue> {
        self.issues.sort_by_key(|issue| std::cmp::Reverse(issue.severity));
        self.issues
    }
}
