//! What a critic finds, as it goes through its rules: bounded, and each matter once.

use std::collections::BTreeMap;

use jury_core::content::{AdvisorId, ContentIssue};
use jury_core::finding::FindingId;
use jury_core::severity::Severity;

use super::document::shorten;

/// The most findings of one rule. What comes after them is counted in the last.
const MOST_OF_A_RULE: usize = 20;

/// The findings of one critic.
pub(crate) struct Findings<'c> {
    critic: &'c AdvisorId,
    /// In the order in which they were found, each with its rule.
    issues: Vec<(&'static str, ContentIssue)>,
    /// The index of each finding in the list.
    seen: BTreeMap<FindingId, usize>,
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
    /// The change that would repair it.
    pub(crate) suggestion: String,
    /// The words of the draft.
    pub(crate) quote: Option<&'f str>,
}

impl<'c> Findings<'c> {
    pub(crate) fn new(critic: &'c AdvisorId) -> Self {
        Self { critic, issues: Vec::new(), seen: BTreeMap::new() }
    }

    /// Notes a finding. Of two about the same matter the graver stays, in the place of the first.
    pub(crate) fn add(&mut self, found: Found<'_>) {
        let Found { rule, severity, anchor, description, suggestion, quote } = found;
        let anchor = shorten(anchor).unwrap_or_default().to_lowercase();
        let mut issue = ContentIssue::measured(self.critic, rule, &anchor, severity, description, suggestion);
        if let Some(quote) = quote.and_then(shorten) {
            issue = issue.quoting(quote);
        }
        let known = self.seen.get(&issue.id).and_then(|at| self.issues.get_mut(*at));
        if let Some((_, known)) = known {
            if issue.severity > known.severity {
                *known = issue;
            }
            return;
        }
        self.seen.insert(issue.id.clone(), self.issues.len());
        self.issues.push((rule, issue));
    }

    /// The gravest first, otherwise in the order in which they were found. What a rule has found beyond its bound is
    /// left out only here, when it is known which are the gravest.
    pub(crate) fn settle(mut self) -> Vec<ContentIssue> {
        self.issues.sort_by_key(|(_, issue)| std::cmp::Reverse(issue.severity));
        let mut kept: Vec<ContentIssue> = Vec::new();
        // How many of each rule, and where the last stands that was kept.
        let mut of_rule: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for (rule, issue) in self.issues {
            let (count, last) = of_rule.entry(rule).or_default();
            *count += 1;
            if *count <= MOST_OF_A_RULE {
                *last = kept.len();
                kept.push(issue);
            }
        }
        for (count, last) in of_rule.into_values() {
            let more = count.saturating_sub(MOST_OF_A_RULE);
            if let Some(issue) = kept.get_mut(last).filter(|_| more > 0) {
                let more = format!(" There are {more} more like it.");
                issue.description.push_str(&more);
            }
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use jury_core::severity::THREE;

    use super::*;

    fn settled(found: &[(&str, Severity)]) -> Vec<ContentIssue> {
        let critic = "copy".parse().unwrap();
        let mut findings = Findings::new(&critic);
        for (anchor, severity) in found {
            findings.add(Found {
                rule: "copy.long-paragraph",
                severity: *severity,
                anchor,
                description: format!("It is {}.", THREE.word(*severity)),
                suggestion: "Mend it.".to_owned(),
                quote: Some(anchor),
            });
        }
        findings.settle()
    }

    #[test]
    fn of_the_same_matter_the_gravest_stays() {
        let (low, high) = (("One", Severity::Minor), ("ONE", Severity::Serious));
        for found in [[low, high, low], [high, low, low]] {
            let issues = settled(&found);
            assert_eq!(issues.len(), 1);
            let issue = issues.first().unwrap();
            assert_eq!((issue.severity, issue.description.as_str()), (Severity::Serious, "It is high."));
            assert_eq!(issue.quote.as_deref(), Some("ONE"));
            assert_eq!(issue.id, settled(&[low]).first().unwrap().id);
        }
    }

    #[test]
    fn the_bound_of_a_rule_leaves_out_the_least_grave() {
        let names: Vec<String> = (0..MOST_OF_A_RULE + 3).map(|at| format!("passage {at}")).collect();
        let mut found: Vec<(&str, Severity)> =
            names.iter().map(|name| (name.as_str(), Severity::Minor)).collect();
        // What is found twice is not counted twice.
        found.extend_from_within(MOST_OF_A_RULE..);
        found.push(("the last", Severity::Serious));
        let issues = settled(&found);
        assert_eq!(issues.len(), MOST_OF_A_RULE);
        assert_eq!(issues.first().unwrap().quote.as_deref(), Some("the last"));
        assert_eq!(issues.last().unwrap().description, "It is low. There are 4 more like it.");
        assert_eq!(issues.iter().filter(|issue| issue.description.contains("There are")).count(), 1);
    }
}
