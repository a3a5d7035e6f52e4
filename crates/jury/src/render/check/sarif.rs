//! Findings of pages as SARIF 2.1.0, for code scanning.

use jury_core::severity::Severity;
use serde_json::{Value, json};

use super::{NOT_JUDGED, Shown, line, sentence, verdict};
use crate::command::check::{Checked, Totals};
use crate::render::sarif::{Ending, log, result};

/// What goes into the log.
#[derive(Default)]
pub(super) struct Log {
    results: Vec<Value>,
    trouble: Vec<String>,
}

impl Log {
    pub(super) fn page(&mut self, page: &Checked, shown: Shown) {
        let report = match &page.report {
            Ok(report) => report,
            Err(why) => {
                self.trouble.push(format!("{}: not measured: {why}", page.path));
                return;
            }
        };
        if let Some(gap) = &page.gap {
            self.trouble.push(format!("{}: {gap}", page.path));
        }
        for found in report.findings.iter().take(shown.most(usize::MAX)) {
            let level = if page.is_failed_by(found) {
                "error"
            } else if found.severity >= Severity::Moderate {
                "warning"
            } else {
                "note"
            };
            let mut own = result(page.file(), &found.check, level, &sentence(found), line(found));
            // The same finding in the next run is the same, wherever its lines have gone.
            own["partialFingerprints"] = json!({ "juryFinding/v1": found.id });
            if let Some(against) = &page.against {
                let state = if against.new.contains(&found.id) {
                    "new"
                } else if against.grown.contains(&found.id) {
                    "updated"
                } else {
                    "unchanged"
                };
                own["baselineState"] = json!(state);
            }
            self.results.push(own);
        }
    }

    pub(super) fn document(self, totals: &Totals) -> String {
        let trouble = (!self.trouble.is_empty()).then(|| self.trouble.join("\n"));
        let ending = Ending { code: totals.code(), word: None, trouble };
        log(
            &self.results,
            &ending,
            &json!({ "totals": totals, "verdict": verdict(totals), "notJudged": NOT_JUDGED }),
        )
    }
}
