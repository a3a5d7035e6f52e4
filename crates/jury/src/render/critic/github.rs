//! Findings of the critic as GitHub workflow annotations.

use jury_core::critic::Standing;
use jury_core::decision::DecisionId;
use jury_core::finding::FindingState;

use super::CriticCase;
use crate::render::github::{annotation, of_finding};
use jury_core::finding::Finding;

/// One annotation per finding and per open question, and one for the verdict.
pub(crate) fn annotations(case: &CriticCase) -> String {
    let file = case.path();
    // What a person is asked about comes below, with how to answer.
    let findings = case.findings().into_iter().filter(|finding| finding.state != FindingState::Escalated);
    let mut lines: Vec<String> = findings
        .map(|finding| Finding { text: case.words_of(&finding), ..finding })
        .map(|finding| of_finding(file, &finding, "document"))
        .collect();
    for question in case.docket.open_questions() {
        let answer =
            case.run.map(|run| DecisionId::of(run, question.number)).map_or_else(String::new, |id| {
                format!("; answer with: jury {}decisions answer {id} OPTION", case.at)
            });
        let title = format!("jury {} asks", question.criterion);
        lines.push(annotation("warning", file, None, &title, &format!("{}{answer}", question.question)));
    }
    let standing = case.standing();
    let level = if standing == Standing::Converged { "notice" } else { "error" };
    lines.push(annotation(level, file, None, "jury critic", &format!("{standing}: {}", case.because())));
    lines.join("\n")
}
