//! What people and other programs get to see of a run.

pub(crate) mod check;
pub(crate) mod content;
pub(crate) mod critic;
pub(crate) mod github;
pub(crate) mod human;
pub(crate) mod judge;
pub(crate) mod junit;
mod progress;
pub(crate) mod sarif;

pub(crate) use jury_core::line::printable;
pub(crate) use jury_core::report::{Case, json, markdown};
pub(crate) use progress::Progress;

use std::path::Path;

use jury_core::finding::{Finding, FindingState};
use jury_core::record::Record;
use jury_core::workflow::WorkflowState;

/// Whether it is a run of this workflow.
pub(crate) fn is_run_of<W: WorkflowState>(records: &[Record]) -> bool {
    records.first().is_some_and(|record| record.event.workflow() == W::WORKFLOW)
}

/// The case of a run that is kept in this folder.
pub(crate) fn case(records: &[Record], dir: &Path) -> Case {
    let mut case = Case::new(records);
    let final_body = dir.join("artifacts").join(case.artifact_id.to_string()).join("final.html");
    case.artifact = (case.hands_over() && final_body.is_file()).then(|| final_body.display().to_string());
    case
}

/// What a format that needs a rule calls that of a finding.
fn rule_of(finding: &Finding) -> &str {
    finding.rule.as_deref().unwrap_or("jury")
}

/// How much a finding matters to whoever reads the results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Weight {
    Error,
    Warning,
    Note,
}

/// How much a finding in this state matters, and what is said behind it. `what` was handed over.
fn weight(state: FindingState, what: &str) -> (Weight, String) {
    match state {
        FindingState::Open | FindingState::Regressed | FindingState::Escalated => {
            (Weight::Error, String::new())
        }
        FindingState::Fixed => (Weight::Note, format!(" (fixed in the {what} that jury handed over)")),
        FindingState::Deferred => (Weight::Warning, " (deferred)".to_owned()),
        FindingState::Refuted => (Weight::Note, " (refuted by what was measured)".to_owned()),
    }
}
