//! A review as JUnit XML: one case for each part of it, and one for the verdict.

use std::fmt::Write as _;

use super::review::{PartResult, Report, ReportPart};
use crate::run::OutcomeKind;
use crate::unit::Millis;

/// The document. The verdict is an error, not a pass, when the review did not take place.
pub fn document(report: &Report) -> String {
    let mut cases: Vec<(String, String)> =
        report.parts.iter().map(|part| (escaped(&part.name), body(part))).collect();
    let reason = report.reason_with_conditions();
    let verdict = match report.outcome {
        // A pass that a person or a setting made possible says so.
        OutcomeKind::Passed if !report.waivers.is_empty() || !report.conditions.is_empty() => {
            format!("<system-out>{}</system-out>", escaped(&reason))
        }
        OutcomeKind::Passed => String::new(),
        OutcomeKind::NotPassed => element("failure", &report.status_words(), &reason),
        OutcomeKind::Inconclusive | OutcomeKind::Waiting | OutcomeKind::Interrupted => {
            element("error", &report.status_words(), &reason)
        }
    };
    cases.push(("verdict".to_owned(), verdict));
    suite(&report.title, report.duration_ms, &cases)
}

fn body(part: &ReportPart) -> String {
    let name = match part.result {
        PartResult::Passed => return String::new(),
        PartResult::Failed => "failure",
        PartResult::Skipped => "skipped",
        PartResult::Missing => "error",
    };
    element(name, &part.message, &part.body)
}

/// Test cases by name, with what is wrong with each, as one suite.
pub fn suite(title: &str, took: Millis, cases: &[(String, String)]) -> String {
    let count = |kind: &str| cases.iter().filter(|(_, body)| body.contains(kind)).count();
    let (failures, errors, skipped) = (count("<failure"), count("<error"), count("<skipped"));
    #[expect(clippy::cast_precision_loss, reason = "a duration shown in seconds")]
    let seconds = took.0 as f64 / 1000.0;
    let name = escaped(title);
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{failures}\" \
         errors=\"{errors}\" skipped=\"{skipped}\" time=\"{seconds:.3}\">\n",
        cases.len(),
    );
    for (case_name, body) in cases {
        if body.is_empty() {
            writeln!(text, "    <testcase classname=\"jury\" name=\"{case_name}\"/>").ok();
        } else {
            writeln!(text, "    <testcase classname=\"jury\" name=\"{case_name}\">{body}</testcase>").ok();
        }
    }
    text.push_str("  </testsuite>\n</testsuites>");
    text
}

/// What is wrong with a test case.
pub fn element(name: &str, message: &str, body: &str) -> String {
    format!("<{name} message=\"{}\">{}</{name}>", escaped(message), escaped(body))
}

/// Text that XML 1.0 allows, with its markup escaped.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '"' => safe.push_str("&quot;"),
            '\n' => safe.push('\n'),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => safe.push(c),
        }
    }
    safe
}
