//! Two runs of one workflow beside each other: what was fixed, what is new, what is still open.

use std::collections::BTreeSet;

use serde::Serialize;
use utoipa::ToSchema;

use crate::finding::{Finding, FindingId};
use crate::id::{AgentId, RunId};
use crate::run::{Outcome, OutcomeKind};
use crate::score::Composite;
use crate::workflow::Workflow;

/// Two runs of one workflow beside each other.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunComparison {
    /// The workflow of both.
    pub workflow: Workflow,
    /// The run that the other one is held against.
    pub base: ComparedRun,
    /// The run that is compared.
    pub other: ComparedRun,
    /// Open in the base, and not in the other.
    pub fixed: Vec<Finding>,
    /// Open in the other, and not in the base.
    pub new: Vec<Finding>,
    /// Open in both, as the other says them.
    pub still: Vec<Finding>,
}

/// One of two runs that are compared.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ComparedRun {
    /// The run.
    pub run_id: RunId,
    /// What the work is called.
    pub title: String,
    /// The agent that reviewed.
    pub agent: AgentId,
    /// How it ended, in the word of its workflow, if it has.
    #[schema(value_type = Option<String>, required)]
    pub status: Option<Outcome>,
    /// What that means for a gate.
    #[schema(required)]
    pub outcome: Option<OutcomeKind>,
    /// Its composite, in workflows that have one.
    #[schema(required)]
    pub composite: Option<Composite>,
    /// How many findings are open.
    pub open: usize,
}

impl RunComparison {
    /// Compares the runs by the ids of their findings.
    pub fn of(
        workflow: Workflow,
        (mut base, before): (ComparedRun, Vec<Finding>),
        (mut other, after): (ComparedRun, Vec<Finding>),
    ) -> Self {
        let open = |findings: Vec<Finding>| -> Vec<Finding> {
            findings.into_iter().filter(|finding| finding.state.is_open()).collect()
        };
        let (before, after) = (open(before), open(after));
        (base.open, other.open) = (before.len(), after.len());
        let ids =
            |of: &[Finding]| of.iter().map(|finding| finding.id.clone()).collect::<BTreeSet<FindingId>>();
        let (known, left) = (ids(&before), ids(&after));
        let fixed = before.into_iter().filter(|finding| !left.contains(&finding.id)).collect();
        let (still, new) = after.into_iter().partition(|finding| known.contains(&finding.id));
        Self { workflow, base, other, fixed, new, still }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::finding::{FindingState, Place};
    use crate::severity::Severity;
    use crate::theater::Board;
    use crate::workflow::WorkflowState as _;

    fn run() -> ComparedRun {
        ComparedRun {
            run_id: RunId(Uuid::nil()),
            title: String::new(),
            agent: AgentId::house(),
            status: None,
            outcome: None,
            composite: None,
            open: 0,
        }
    }

    fn finding(id: &str, state: FindingState) -> Finding {
        Finding {
            id: FindingId::known(id),
            rule: None,
            severity: Severity::Serious,
            place: Place::default(),
            text: id.to_owned(),
            suggestion: None,
            figures: Vec::new(),
            state,
        }
    }

    #[test]
    fn findings_are_told_apart_by_where_they_are_open() {
        use FindingState::{Fixed, Open, Regressed};
        let before = vec![finding("gone", Open), finding("stays", Open), finding("was fixed", Fixed)];
        let after = vec![finding("stays", Regressed), finding("was fixed", Open), finding("gone", Fixed)];
        let both = RunComparison::of(Board::WORKFLOW, (run(), before), (run(), after));
        let names = |of: &[Finding]| of.iter().map(|finding| finding.text.clone()).collect::<Vec<_>>();
        assert_eq!(names(&both.fixed), ["gone"]);
        assert_eq!(names(&both.new), ["was fixed"]);
        assert_eq!(names(&both.still), ["stays"]);
        assert_eq!((both.base.open, both.other.open), (2, 2));
    }
}
