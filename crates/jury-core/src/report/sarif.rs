//! A review as SARIF 2.1.0, for code scanning.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::{Value, json};

use super::review::{Report, Weight, weight};

/// The log, indented. Open findings are errors; those that were fixed are notes.
pub fn document(report: &Report) -> String {
    let results = report.findings.iter().map(|finding| {
        let (weight, suffix) = weight(finding.state, report.what);
        let level = match weight {
            Weight::Error => "error",
            Weight::Warning => "warning",
            Weight::Note => "note",
        };
        let path = finding.place.file.as_deref().unwrap_or(report.path());
        let rule = finding.rule.as_deref().unwrap_or("jury");
        let text = format!("{}{suffix}", finding.text);
        let mut own = result(path, rule, level, &text, finding.place.line);
        // The same finding in the next run is the same, wherever its lines have gone.
        own["partialFingerprints"] = json!({ "juryFinding/v1": finding.id });
        own
    });
    let ending = Ending {
        code: report.exit_code,
        word: report.status.map(crate::run::Outcome::as_str),
        // A log without findings looks clean. That nobody looked must be said where tools show it.
        trouble: report.is_missing().then(|| report.verdict()),
    };
    let properties = json!({
        "workflow": report.workflow, "runId": report.run_id, "outcome": report.outcome,
        "composite": report.composite, "unreviewed": report.unreviewed,
        "reason": report.reason_with_conditions(),
    });
    log(&results.collect::<Vec<_>>(), &ending, &properties)
}

/// How the command ended whose results a log holds.
#[derive(Debug, Clone)]
pub struct Ending {
    /// Its exit code.
    pub code: u8,
    /// The word for it.
    pub word: Option<&'static str>,
    /// Why there was no review, if there was none.
    pub trouble: Option<String>,
}

/// A log of these results. Its rules are those that they name.
pub fn log(results: &[Value], ending: &Ending, properties: &Value) -> String {
    let rules: BTreeSet<&str> = results.iter().filter_map(|result| result["ruleId"].as_str()).collect();
    let rules: Vec<Value> = rules.into_iter().map(|rule| json!({ "id": rule })).collect();
    let notifications: Vec<Value> =
        ending.trouble.iter().map(|text| json!({ "level": "error", "message": { "text": text } })).collect();
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
                "executionSuccessful": ending.code <= 1,
                "exitCode": ending.code,
                "exitCodeDescription": ending.word,
                "toolExecutionNotifications": notifications,
            }],
            "results": results,
            "properties": properties,
        }],
    });
    serde_json::to_string_pretty(&log).unwrap_or_default()
}

/// A finding in a file.
pub fn result(path: &str, rule: &str, level: &str, text: &str, line: Option<u32>) -> Value {
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
