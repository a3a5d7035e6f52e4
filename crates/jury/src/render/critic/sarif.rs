//! Findings of the critic as SARIF 2.1.0, for code scanning.

use serde_json::json;

use super::CriticCase;
use crate::render::rule_of;
use crate::render::sarif::{Outcome, level, log, result};

/// The log, indented.
pub(crate) fn document(case: &CriticCase) -> String {
    let results = case.findings().into_iter().map(|finding| {
        let (level, suffix) = level(finding.state, "document");
        result(
            case.path(),
            rule_of(&finding),
            level,
            &format!("{}{suffix}", case.words_of(&finding)),
            finding.place.line,
        )
    });
    let standing = case.standing();
    let outcome = Outcome {
        code: case.exit_code(),
        word: Some(standing.as_str()),
        trouble: (case.exit_code() > 1).then(|| format!("{standing}: {}", case.because())),
    };
    let tally = case.docket.tally();
    let properties = json!({ "runId": case.run, "passes": tally.passes, "fixes": tally.fixes });
    log(&results.collect::<Vec<_>>(), &outcome, &properties)
}
