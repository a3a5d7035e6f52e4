//! Findings as GitHub workflow annotations.

use jury_core::finding::FindingState;
use jury_core::outcome::Status;

use super::Case;

/// One annotation per finding and one for the verdict.
pub(crate) fn annotations(case: &Case) -> String {
    let file = case.file.as_deref().unwrap_or(&case.title);
    let mut lines = Vec::new();
    for finding in case.findings() {
        let (level, suffix) = match finding.state {
            FindingState::Open | FindingState::Regressed | FindingState::Escalated => ("error", ""),
            FindingState::Fixed => ("notice", " (fixed in the page that jury handed over)"),
            FindingState::Deferred => ("warning", " (deferred)"),
            FindingState::Refuted => ("notice", " (refuted by what was measured)"),
        };
        let line = finding.line.map(|line| format!(",line={line}")).unwrap_or_default();
        lines.push(format!(
            "::{level} file={}{line},title={}::{}",
            property(file),
            property(&format!("jury {}", finding.rule)),
            message(&format!("{}{suffix}", finding.text))
        ));
    }
    let level = match case.status() {
        Some(Status::Shipped) => "notice",
        _ => "error",
    };
    let composite = case.result().1.map(|composite| format!(", composite {composite}")).unwrap_or_default();
    lines.push(format!(
        "::{level} file={},title=jury::{}",
        property(file),
        message(&format!("{}{composite}: {}", case.status_words(), case.because()))
    ));
    lines.join("\n")
}

fn message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}
