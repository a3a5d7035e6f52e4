//! A run of the critic as JUnit XML: one case per criterion, the failure scenario among them, one for the verdict.

use jury_core::critic::{Standing, Verdict};

use super::{CriticCase, asked, printed, verdict_in, words_in};
use crate::render::junit::{element, suite};

/// The report. What has no verdict is an error, and so is a run without a review: neither is a pass.
pub(crate) fn document(case: &CriticCase) -> String {
    let pass = case.docket.last_pass();
    let mut cases = Vec::new();
    for id in asked(&case.docket) {
        let (answer, more) = pass.map(|pass| words_in(pass, &id)).unwrap_or_default();
        let printed = pass.map(|pass| printed(pass, id.as_str())).unwrap_or_default().join("\n");
        let whole = || [answer.as_str(), more.as_str(), printed.as_str()].join("\n");
        let body = match pass.and_then(|pass| verdict_in(pass, &id)) {
            Some(Verdict::Pass) => String::new(),
            Some(Verdict::Defer) => element("skipped", "DEFER", &more),
            Some(Verdict::Fail) => element("failure", "FAIL", whole().trim_end()),
            Some(Verdict::Escalate) => element("error", "ESCALATE: waits for a person", &answer),
            None => element("error", "no verdict", whole().trim_end()),
        };
        cases.push((id.to_string(), body));
    }
    let gate = match case.standing() {
        Standing::Converged => String::new(),
        standing @ (Standing::SafetyCap | Standing::Stopped) => {
            element("failure", standing.as_str(), &case.because())
        }
        standing @ (Standing::Running
        | Standing::Escalated
        | Standing::Inconclusive
        | Standing::Interrupted
        | Standing::Failed) => element("error", standing.as_str(), &case.because()),
    };
    cases.push(("verdict".to_owned(), gate));
    suite(case.title(), case.took, &cases)
}
