//! Whether the house noticed a defect, and nothing else.

use jury_core::severity::Severity;
use std::collections::BTreeSet;
use std::fmt::Write as _;

use jury_eye::Beside;
use jury_house::{HouseError, Report, ReportedFinding, report};

use super::defects::Defect;

/// The brand of a page: the colours it declares.
pub(crate) fn design_of(page: &str) -> String {
    let mut design =
        String::from("# The page's own brand\n\n## Colors\n\n- **White** (`#ffffff`): text on the accent\n");
    let root = super::edit::text_between(page, ":root {", "}").unwrap_or_default();
    for (name, value) in root.split(';').filter_map(|rule| rule.split_once(": ")) {
        let name = name.trim().trim_start_matches('-');
        let _ = writeln!(design, "- **{name}** (`{value}`): the {name} of the page");
    }
    design
}

/// What the house says about a page of this project.
pub(crate) fn look(page: &str, design: &str) -> Result<Report, HouseError> {
    report(page, Some(design), &Beside::nothing())
}

/// What became of one defect in one page.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// The right check has something new to say.
    pub(crate) noticed: bool,
    /// It says so with the severity that was asked for.
    pub(crate) severe: bool,
    /// The panelist's score fell.
    pub(crate) fell: bool,
    /// Serious findings of other checks that nobody asked for: check and words.
    pub(crate) strangers: Vec<(String, String)>,
}

impl Outcome {
    /// Whether all is as it should be.
    pub(crate) fn holds(&self) -> bool {
        self.noticed && self.severe && self.fell && self.strangers.is_empty()
    }
}

/// Compares a page with itself without the defect.
pub(crate) fn judge(before: &Report, after: &Report, defect: &Defect) -> Outcome {
    let words: BTreeSet<(&str, &str)> = before.findings.iter().map(|one| (&*one.check, &*one.what)).collect();
    let causes: BTreeSet<(&str, &str)> =
        before.findings.iter().map(|one| (&*one.check, &*one.cause)).collect();
    let news: Vec<&ReportedFinding> = after
        .findings
        .iter()
        .filter(|one| one.check == defect.check && !words.contains(&(&*one.check, &*one.what)))
        .collect();
    let strangers = after
        .findings
        .iter()
        .filter(|one| one.severity.is_must_fix() && one.check != defect.check)
        .filter(|one| !defect.also.contains(&one.check.as_str()))
        .filter(|one| !causes.contains(&(&*one.check, &*one.cause)))
        .map(|one| (one.check.clone(), one.what.clone()))
        .collect();
    let score = |report: &Report| {
        let seat = report.seats.iter().find(|seat| seat.role == defect.panelist());
        seat.and_then(|seat| seat.score).map(|span| span.low)
    };
    // What is minor may be told by the check's own score alone: a share that is worse and not yet worth a word.
    let own = |report: &Report| {
        let check = report.checks.iter().find(|check| check.id == defect.check);
        check.and_then(|check| check.score).map_or(10.0, |span| span.low)
    };
    let told = defect.severity == Severity::Minor && own(after) < own(before);
    Outcome {
        noticed: told || !news.is_empty(),
        severe: told || news.iter().any(|one| one.severity >= defect.severity),
        fell: score(after) < score(before),
        strangers,
    }
}
