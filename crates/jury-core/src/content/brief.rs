//! The brief for a revision: what to mend, with what is suggested, and what must stay as it is.

use std::fmt::Write as _;

use super::protected::Lost;
use super::summary::{FixedItem, OpenIssue, WellScored};
// Joined, nothing in a text can pass for a line of the brief.
use crate::line;
use crate::severity::{self, Severity};

/// What an author is asked to do.
#[derive(Debug, Clone, PartialEq)]
pub struct Brief<'a> {
    /// What to mend, the gravest first.
    pub issues: Vec<&'a OpenIssue>,
    /// What was mended before.
    pub fixed: &'a [FixedItem],
    /// The fields in which nothing high or medium is open.
    pub well_scored: &'a [WellScored],
    /// What the last revision changed without having been asked to.
    pub lost: &'a [Lost],
}

/// What a revision is asked to mend: what is high or medium, or, when there is nothing of that, what is low.
pub fn asked_for(open: &[OpenIssue]) -> Vec<&OpenIssue> {
    let grave: Vec<&OpenIssue> = open.iter().filter(|open| open.issue.severity != Severity::Minor).collect();
    if grave.is_empty() { open.iter().collect() } else { grave }
}

impl<'a> Brief<'a> {
    /// The brief for what is open: what is high or medium, or, when there is nothing of that and the mean is too low all
    /// the same, what is low.
    pub fn of(
        open: &'a [OpenIssue],
        fixed: &'a [FixedItem],
        well_scored: &'a [WellScored],
        lost: &'a [Lost],
    ) -> Self {
        Self { issues: asked_for(open), fixed, well_scored, lost }
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.issues.is_empty() && self.lost.is_empty()
    }

    /// The lines of what must not get worse.
    pub fn keep(&self) -> Vec<String> {
        let fixed = self
            .fixed
            .iter()
            .map(|item| format!("Mended in round {}: {}", item.round, line::joined(&item.description)));
        let well = self.well_scored.iter().map(|aspect| {
            format!(
                "{}: nothing high or medium is open ({:.1} of 10 in round {})",
                line::joined(aspect.field()),
                aspect.score,
                aspect.round
            )
        });
        fixed.chain(well).collect()
    }

    /// The whole as text, for authors of either kind.
    pub fn text(&self) -> String {
        let mut out = String::from("REVISION BRIEF\n");
        if !self.issues.is_empty() {
            out.push_str("\nMend these:\n");
        }
        for open in &self.issues {
            let issue = &open.issue;
            let severity = severity::THREE.word(issue.severity).to_uppercase();
            writeln!(
                out,
                "- [{severity}] ({}) {} [{}]",
                open.name,
                line::joined(&issue.description),
                issue.id
            )
            .ok();
            if let Some(quote) = &issue.quote {
                writeln!(out, "  About: \"{}\"", line::joined(quote)).ok();
            }
            if !issue.suggestion.trim().is_empty() {
                writeln!(out, "  Suggestion: {}", line::joined(&issue.suggestion)).ok();
            }
        }
        if !self.lost.is_empty() {
            out.push_str(
                "\nThe last revision changed these without being asked to. Put them back as they were:\n",
            );
            for lost in self.lost {
                writeln!(out, "- \"{}\"", line::joined(&lost.passage)).ok();
            }
        }
        let keep = self.keep();
        if !keep.is_empty() {
            out.push_str("\nDO NOT REGRESS: these were mended or are well liked:\n");
            for line in keep {
                writeln!(out, "- {line}").ok();
            }
        }
        out.push_str("\nMend only what is listed. Leave what is on the do-not-regress list as it is.\n");
        out
    }
}
