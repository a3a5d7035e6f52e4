//! Elements sorted by what is wrong with them: everything with one cause is one finding.

use std::collections::BTreeMap;

use jury_eye::NodeId;

use crate::finding::{Finding, Severity};
use crate::page::Page;

/// Elements by cause. The words of a cause are its identity, so they hold no line and no number of elements.
#[derive(Debug, Default)]
pub(super) struct Causes(BTreeMap<(String, Severity), Vec<NodeId>>);

impl Causes {
    pub(super) fn add(&mut self, severity: Severity, cause: impl Into<String>, id: NodeId) {
        self.0.entry((cause.into(), severity)).or_default().push(id);
    }

    pub(super) fn elements(&self) -> usize {
        let mut all: Vec<NodeId> = self.0.values().flatten().copied().collect();
        all.sort_unstable();
        all.dedup();
        all.len()
    }

    /// One finding for each cause, in the order of the page. Its words are the cause and the places.
    pub(super) fn findings(self, page: &Page<'_>) -> Vec<Finding> {
        let mut findings: Vec<Finding> = self
            .0
            .into_iter()
            .map(|((cause, severity), nodes)| {
                let what = format!("{cause} ({})", page.places(&nodes));
                Finding::on(severity, nodes, what).because(cause)
            })
            .collect();
        findings.sort_by_key(|finding| finding.nodes.first().copied());
        findings
    }
}
