//! What only a person can say. Where a repair would have to know what something means, the house asks instead.

use serde::{Deserialize, Serialize};

use crate::finding::Severity;
use crate::page::Page;
use crate::score::Examination;
use crate::text_run::Verdict;

use super::contrast;

/// A question to the author of a page, in place of a repair.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Question {
    /// The check whose finding the answer settles.
    pub check: String,
    /// What is asked, on one line.
    pub asks: String,
}

/// Checks whose findings are about meaning, and what is asked.
const ABOUT_MEANING: &[(&str, &str)] = &[
    ("a11y/heading-order", "which level does each heading have?"),
    ("a11y/region", "which part of the page does this belong to?"),
    ("a11y/control-name", "what does this control do?"),
    ("a11y/img-alt", "what does the image say?"),
];

/// Places one question names.
const NAMED: usize = 3;

/// What is to be asked about a page.
pub(crate) fn questions(page: &Page<'_>, examination: &Examination) -> Vec<Question> {
    let mut asked = Vec::new();
    for (check, finding) in examination.findings().filter(|(_, finding)| finding.severity > Severity::Minor) {
        if let Some((_, question)) = ABOUT_MEANING.iter().find(|(id, _)| *id == check) {
            asked.push(Question { check: check.to_owned(), asks: format!("{}: {question}", finding.what) });
        }
    }
    let repairable: Vec<_> = contrast::repairable(page).map(|run| run.node).collect();
    let left: Vec<_> = page
        .texts()
        .filter(|run| run.verdict == Verdict::Fails && !repairable.contains(&run.node))
        .map(|run| run.node)
        .collect();
    if !left.is_empty() {
        let mut places: Vec<String> = left.iter().take(NAMED).map(|id| page.place(*id)).collect();
        if left.len() > NAMED {
            places.push(format!("{} more", left.len() - NAMED));
        }
        asked.push(Question {
            check: contrast::CHECK.to_owned(),
            asks: format!(
                "faint text that is out of sight or may be ornament ({}): is it meant to be read like this?",
                places.join("; ")
            ),
        });
    }
    asked
}
