//! Findings as SARIF 2.1.0, for code scanning.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use jury_core::finding::FindingState;
use serde_json::{Value, json};

use super::{Case, CaseFinding};

/// The log, indented. Open findings are errors; those the jury fixed are notes.
pub(crate) fn document(case: &Case) -> String {
    let findings = case.findings();
    let rules: BTreeSet<&str> = findings.iter().map(|finding| finding.rule.as_str()).collect();
    let rules: Vec<Value> = rules.into_iter().map(|rule| json!({ "id": rule })).collect();
    let results: Vec<Value> = findings.iter().map(|finding| result(case, finding)).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "jury",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "invocations": [{
                // A review that did not take place is not a clean one.
                "executionSuccessful": case.exit_code() <= 1,
                "exitCode": case.exit_code(),
                "exitCodeDescription": case.status().map(jury_core::outcome::Status::as_str),
                "toolExecutionNotifications": notifications(case),
            }],
            "results": results,
            "properties": { "composite": case.result().1, "runId": case.run, "unreviewed": case.unreviewed() },
        }],
    });
    serde_json::to_string_pretty(&log).unwrap_or_default()
}

/// A log without findings looks clean. That nobody looked must be said where tools show it.
fn notifications(case: &Case) -> Vec<Value> {
    if case.exit_code() <= 1 {
        return Vec::new();
    }
    let text = format!("{}: {}", case.status_words(), case.because());
    vec![json!({ "level": "error", "message": { "text": text } })]
}

fn result(case: &Case, finding: &CaseFinding) -> Value {
    let (level, suffix) = match finding.state {
        FindingState::Open | FindingState::Regressed | FindingState::Escalated => ("error", ""),
        FindingState::Fixed => ("note", " (fixed in the page that jury handed over)"),
        FindingState::Deferred => ("warning", " (deferred)"),
        FindingState::Refuted => ("note", " (refuted by what was measured)"),
    };
    let mut location =
        json!({ "artifactLocation": { "uri": uri(case.file.as_deref().unwrap_or(&case.title)) } });
    if let Some(line) = finding.line {
        location["region"] = json!({ "startLine": line });
    }
    json!({
        "ruleId": finding.rule,
        "level": level,
        "message": { "text": format!("{}{suffix}", finding.text) },
        "locations": [{ "physicalLocation": location }],
    })
}

/// A path as a relative reference: everything but unreserved characters and slashes is percent-encoded.
fn uri(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'/') {
            encoded.push(char::from(byte));
        } else {
            write!(encoded, "%{byte:02X}").ok();
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_becomes_a_reference() {
        assert_eq!(uri("site/über uns.html"), "site/%C3%BCber%20uns.html");
    }
}
