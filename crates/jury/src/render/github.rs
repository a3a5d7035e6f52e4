//! Findings as GitHub workflow annotations.

use jury_core::finding::Finding;
use jury_core::outcome::Status;

use super::{Case, Weight, rule_of};

/// One annotation per finding and one for the verdict.
pub(crate) fn annotations(case: &Case) -> String {
    let file = case.file.as_deref().unwrap_or(&case.title);
    let mut lines: Vec<String> =
        case.findings().iter().map(|finding| of_finding(file, finding, "page")).collect();
    let level = match case.status() {
        Some(Status::Shipped) => "notice",
        _ => "error",
    };
    let composite = case.result().1.map(|composite| format!(", composite {composite}")).unwrap_or_default();
    let text = format!("{}{composite}: {}", case.status_words(), case.because());
    lines.push(annotation(level, file, None, "jury", &text));
    lines.join("\n")
}

/// The annotation of a finding. `what` was handed over.
pub(super) fn of_finding(file: &str, finding: &Finding, what: &str) -> String {
    let (weight, suffix) = super::weight(finding.state, what);
    let level = match weight {
        Weight::Error => "error",
        Weight::Warning => "warning",
        Weight::Note => "notice",
    };
    let title = format!("jury {}", rule_of(finding));
    annotation(level, file, finding.place.line, &title, &format!("{}{suffix}", finding.text))
}

/// One annotation.
pub(crate) fn annotation(level: &str, file: &str, line: Option<u32>, title: &str, text: &str) -> String {
    let line = line.map(|line| format!(",line={line}")).unwrap_or_default();
    format!("::{level} file={}{line},title={}::{}", property(file), property(title), message(text))
}

fn message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}
