//! A review as GitHub workflow annotations.

use super::review::{Report, Weight, weight};
use crate::finding::FindingState;
use crate::run::OutcomeKind;

/// One annotation per finding and per open question, and one for the verdict.
pub fn annotations(report: &Report) -> String {
    let file = report.path();
    let mut lines = Vec::new();
    for finding in &report.findings {
        // What a person is asked about comes below, with how to answer.
        if finding.state == FindingState::Escalated && !report.questions.is_empty() {
            continue;
        }
        let (weight, suffix) = weight(finding.state, report.what);
        let level = match weight {
            Weight::Error => "error",
            Weight::Warning => "warning",
            Weight::Note => "notice",
        };
        let title = format!("jury {}", finding.rule.as_deref().unwrap_or("jury"));
        let place = finding.place.file.as_deref().unwrap_or(file);
        let text = format!("{}{suffix}", finding.text);
        lines.push(annotation(level, place, finding.place.line, &title, &text));
    }
    for question in &report.questions {
        let title = format!("jury {} asks", question.asks);
        let text = format!("{}; answer with: {}", question.question, question.answer_with);
        lines.push(annotation("warning", file, None, &title, &text));
    }
    let level = if report.outcome == OutcomeKind::Passed { "notice" } else { "error" };
    lines.push(annotation(level, file, None, "jury", &report.verdict()));
    lines.join("\n")
}

/// One annotation.
pub fn annotation(level: &str, file: &str, line: Option<u32>, title: &str, text: &str) -> String {
    let line = line.map(|line| format!(",line={line}")).unwrap_or_default();
    format!("::{level} file={}{line},title={}::{}", property(file), property(title), message(text))
}

fn message(text: &str) -> String {
    let escaped = text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    if escaped.contains(char::is_control) { crate::line::spaced(&escaped) } else { escaped }
}

fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}
