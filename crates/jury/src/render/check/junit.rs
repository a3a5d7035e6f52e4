//! Pages as JUnit XML: one case for each.

use jury_core::unit::Millis;

use super::{Shown, sentence};
use crate::command::check::{Checked, PageStatus};
use crate::render::junit::{element, escaped, suite};

/// The name of a case and what is wrong with it.
pub(super) fn page(page: &Checked, shown: Shown) -> (String, String) {
    let name = escaped(&page.path);
    let listed = || -> String {
        let Ok(report) = &page.report else { return String::new() };
        let failing = report.findings.iter().filter(|found| page.is_failed_by(found));
        let lines: Vec<String> = failing
            .take(shown.most(usize::MAX))
            .map(|found| {
                let at = super::line(found).map(|line| format!("line {line}: ")).unwrap_or_default();
                format!("{at}{}: {}", found.severity.as_str(), sentence(found))
            })
            .collect();
        lines.join("\n")
    };
    let body = match page.status() {
        PageStatus::Pass => String::new(),
        PageStatus::Fail if page.failing.is_empty() => {
            element("failure", &super::human::below(page, shown), "")
        }
        PageStatus::Fail => element("failure", &super::findings(page.failing.len()), &listed()),
        PageStatus::Partial => element("error", page.gap.as_deref().unwrap_or_default(), &listed()),
        PageStatus::Unmeasured => {
            let why = page.report.as_ref().err().map(String::as_str).unwrap_or_default();
            element("error", &format!("not measured: {why}"), "")
        }
    };
    (name, body)
}

pub(super) fn document(cases: &[(String, String)]) -> String {
    suite("jury check", Millis(0), cases)
}
