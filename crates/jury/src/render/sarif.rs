//! Findings as SARIF 2.1.0, for code scanning.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use jury_core::finding::FindingState;
use serde_json::{Value, json};

use super::{Case, Weight, rule_of};

/// The log, indented. Open findings are errors; those the jury fixed are notes.
pub(crate) fn document(case: &Case) -> String {
    let uri = case.file.as_deref().unwrap_or(&case.title);
    let results = case.findings().into_iter().map(|finding| {
        let (level, suffix) = level(finding.state, "page");
        result(uri, rule_of(&finding), level, &format!("{}{suffix}", finding.text), finding.place.line)
    });
    let outcome = Outcome {
        code: case.exit_code(),
        word: case.status().map(jury_core::outcome::Status::as_str),
        // A log without findings looks clean. That nobody looked must be said where tools show it.
        trouble: (case.exit_code() > 1).then(|| format!("{}: {}", case.status_words(), case.because())),
    };
    let properties = json!({
        "composite": case.result().1, "runId": case.run, "unreviewed": case.unreviewed(),
    });
    log(&results.collect::<Vec<_>>(), &outcome, &properties)
}

/// How the command ended whose results a log holds.
pub(crate) struct Outcome {
    pub(crate) code: u8,
    pub(crate) word: Option<&'static str>,
    /// Why there was no review, if there was none.
    pub(crate) trouble: Option<String>,
}

/// A log of these results. Its rules are those that they name.
pub(crate) fn log(results: &[Value], outcome: &Outcome, properties: &Value) -> String {
    let rules: BTreeSet<&str> = results.iter().filter_map(|result| result["ruleId"].as_str()).collect();
    let rules: Vec<Value> = rules.into_iter().map(|rule| json!({ "id": rule })).collect();
    let notifications: Vec<Value> =
        outcome.trouble.iter().map(|text| json!({ "level": "error", "message": { "text": text } })).collect();
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
                "executionSuccessful": outcome.code <= 1,
                "exitCode": outcome.code,
                "exitCodeDescription": outcome.word,
                "toolExecutionNotifications": notifications,
            }],
            "results": results,
            "properties": properties,
        }],
    });
    serde_json::to_string_pretty(&log).unwrap_or_default()
}

/// How a finding in this state is shown, and what is said behind it. `what` was handed over.
pub(super) fn level(state: FindingState, what: &str) -> (&'static str, String) {
    let (severity, suffix) = super::weight(state, what);
    let level = match severity {
        Weight::Error => "error",
        Weight::Warning => "warning",
        Weight::Note => "note",
    };
    (level, suffix)
}

/// A finding in a file.
pub(crate) fn result(path: &str, rule: &str, level: &str, text: &str, line: Option<u32>) -> Value {
    let mut location = json!({ "artifactLocation": { "uri": uri(path) } });
    if let Some(line) = line {
        location["region"] = json!({ "startLine": line });
    }
    json!({
        "ruleId": rule,
        "level": level,
        "message": { "text": text },
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
