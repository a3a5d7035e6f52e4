//! Findings of pages as GitHub workflow annotations.

use super::{NOT_JUDGED, Shown, line, sentence, verdict};
use crate::command::check::{Checked, PageStatus, Totals};
use crate::render::github::annotation;
use jury_core::severity::Severity;

/// A workflow step shows ten of a kind; beyond this nobody would scroll.
const MOST_ANNOTATIONS: usize = 50;

pub(super) fn page(page: &Checked, shown: Shown) -> String {
    let mut lines = Vec::new();
    match &page.report {
        Err(why) => {
            lines.push(annotation("error", &page.path, None, "jury", &format!("not measured: {why}")));
        }
        Ok(report) => {
            for found in report.findings.iter().take(shown.most(MOST_ANNOTATIONS)) {
                let level = if page.is_failed_by(found) {
                    "error"
                } else if found.severity >= Severity::Moderate {
                    "warning"
                } else {
                    "notice"
                };
                let title = format!("jury {}", found.check);
                lines.push(annotation(level, page.file(), line(found), &title, &sentence(found)));
            }
            if let Some(gap) = &page.gap {
                lines.push(annotation("error", &page.path, None, "jury", gap));
            }
            if page.below {
                lines.push(annotation("error", &page.path, None, "jury", &super::human::below(page, shown)));
            }
        }
    }
    lines.join("\n")
}

pub(super) fn summary(totals: &Totals) -> String {
    let level = if totals.code() == PageStatus::Pass.code() { "notice" } else { "error" };
    format!("::{level} title=jury check::{}. {NOT_JUDGED}", verdict(totals))
}
