//! The verdict as JUnit XML: one case per panelist, one for the final pass, one for the gate.

use std::fmt::Write as _;

use jury_core::outcome::Status;
use jury_core::role::Role;
use jury_core::unit::Millis;

use super::Case;

/// The report. The gate is an error, not a pass, when the review did not take place.
pub(crate) fn document(case: &Case) -> String {
    let mut cases = Vec::new();
    let (round, _) = case.result();
    let board = round.and_then(|round| case.board.round(round));
    for role in case.cast() {
        let review = board.and_then(|board| board.review(role));
        let problems: Vec<&str> = review
            .iter()
            .flat_map(|review| &review.must_fix)
            .map(|must_fix| must_fix.text.as_str())
            .collect();
        let body = match review {
            None if board.is_some() => element("skipped", "absent", ""),
            None => element("skipped", "no round was closed", ""),
            Some(review) if problems.is_empty() && review.score.is_none() && weighs(case, role) => {
                element("skipped", "gave no score", &review.notes)
            }
            Some(_) if problems.is_empty() => String::new(),
            Some(_) => element("failure", &format!("{} must-fix", problems.len()), &problems.join("\n")),
        };
        cases.push((role.as_str().to_owned(), body));
    }
    if let Some(lint) = &case.board.lint {
        let problems: Vec<String> = lint
            .findings
            .iter()
            .map(|finding| format!("line {}: {}", finding.line, finding.message))
            .collect();
        let body = if problems.is_empty() {
            String::new()
        } else {
            element("failure", &format!("{} lint findings", problems.len()), &problems.join("\n"))
        };
        cases.push(("lint".to_owned(), body));
    }
    let gate = match case.status() {
        Some(Status::Shipped) => String::new(),
        Some(status @ Status::BelowThreshold) => element("failure", status.as_str(), &case.because()),
        Some(_) => element("error", &case.status_words(), &case.because()),
        None => element("error", "running", ""),
    };
    cases.push(("verdict".to_owned(), gate));
    suite(&case.title, case.took, &cases)
}

fn weighs(case: &Case, role: Role) -> bool {
    case.board.started.as_ref().is_none_or(|started| started.weights.of(role) > 0.0)
}

/// Test cases by name, with what is wrong with each, as one suite.
pub(super) fn suite(title: &str, took: Millis, cases: &[(String, String)]) -> String {
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
pub(super) fn element(name: &str, message: &str, body: &str) -> String {
    format!("<{name} message=\"{}\">{}</{name}>", escaped(message), escaped(body))
}

/// Text that XML 1.0 allows, with its markup escaped.
pub(super) fn escaped(text: &str) -> String {
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
