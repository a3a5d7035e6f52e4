//! A page that was checked as a review, for the formats that are the same for all of them.

use jury_core::finding::{Finding, FindingState};
use jury_core::report::Report;
use jury_core::run::OutcomeKind;
use jury_core::theater::Board;
use jury_core::workflow::WorkflowState as _;
use jury_house::ReportedFinding;

use super::{Shown, sentence};
use crate::command::check::{Checked, PageStatus};

/// The page.
pub(super) fn of(page: &Checked, shown: Shown) -> Report {
    let outcome = match page.status() {
        PageStatus::Pass => OutcomeKind::Passed,
        PageStatus::Fail => OutcomeKind::NotPassed,
        PageStatus::Partial | PageStatus::Unmeasured => OutcomeKind::Inconclusive,
    };
    let reason = match (&page.report, &page.gap) {
        (Err(why), _) => format!("not measured: {why}"),
        (Ok(_), Some(gap)) => gap.clone(),
        (Ok(_), None) if page.below => super::human::below(page, shown),
        (Ok(_), None) => match page.failing.len() {
            0 => "nothing fails it".to_owned(),
            failing => format!("{} fail it", super::findings(failing)),
        },
    };
    let found = page.report.iter().flat_map(|report| &report.findings).take(shown.most(usize::MAX));
    let findings = found.map(|found| Finding {
        text: sentence(found),
        state: state(page, found),
        ..found.finding(page.file())
    });
    Report {
        file: Some(page.file().to_owned()),
        reason,
        conditions: shown.bar.condition().into_iter().collect(),
        findings: findings.collect(),
        waivers: page.waivers.clone(),
        what: "page",
        ..Report::new(Board::WORKFLOW, &page.path, outcome)
    }
}

/// What became of a finding. One that does not fail the page was waived or known, or is not bad enough.
fn state(page: &Checked, found: &ReportedFinding) -> FindingState {
    if page.is_failed_by(found) {
        FindingState::Open
    } else if page.waivers.iter().any(|waiver| !waiver.expired && waiver.finding.as_str() == found.id) {
        FindingState::Waived
    } else if page.against.as_ref().is_some_and(|against| against.known.contains(&found.id)) {
        FindingState::Known
    } else {
        FindingState::Noted
    }
}
