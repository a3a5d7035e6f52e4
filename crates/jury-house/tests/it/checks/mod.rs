//! One failing and one passing page for every check, seen through the first round.

mod a11y_aria;
mod a11y_meaning;
mod a11y_names;
mod a11y_structure;
mod brand;
mod contrast;
mod copy;
mod critic;
mod features;
mod layout;
mod names;
mod operate;
mod pictures;

use jury_core::severity::Severity;
use jury_eye::Beside;
use jury_house::{Report, ReportedFinding, Request, report};

use crate::transcript::{Round, note, rounds, score, transcript_of};

/// A page without fault, to put one fault into.
fn page(head: &str, body: &str) -> String {
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>A page about bread</title>\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <style>body{{font:16px/1.5 sans-serif;color:#222;background:#fff}}h1{{font-size:40px}}h2{{font-size:24px}}{head}</style></head>\
         <body><main><h1>Bread for the street</h1><p>We bake at night so that the street has bread.</p>{body}</main></body></html>"
    )
}

fn review(page: &str) -> Round {
    review_with(page, None)
}

fn review_with(page: &str, design: Option<&str>) -> Round {
    let request = Request {
        page: page.to_owned(),
        design: design.map(str::to_owned),
        max_rounds: 1,
        ..Request::default()
    };
    rounds(&transcript_of(&request)).into_iter().next().expect("a round")
}

#[track_caller]
fn must_fix(page: &str, expected: &str) {
    let round = review(page);
    assert!(
        round.must_fix.iter().any(|text| text.contains(expected)),
        "{expected:?} is not among {:?}",
        round.must_fix
    );
}

#[track_caller]
fn clean(page: &str) {
    let round = review(page);
    assert!(round.must_fix.is_empty(), "{:?}", round.must_fix);
}

fn examined(page: &str, beside: &Beside) -> Report {
    report(page, None, beside).expect("the page can be measured")
}

fn of<'a>(found: &'a [ReportedFinding], check: &str) -> Vec<&'a ReportedFinding> {
    found.iter().filter(|found| found.check == check).collect()
}

/// The check has a finding of this severity with these words, and no graver one.
#[track_caller]
fn finds(check: &str, page: &str, severity: Severity, words: &str) {
    let report = examined(page, &Beside::nothing());
    let found = of(&report.findings, check);
    assert!(
        found.iter().any(|found| found.severity == severity && found.what.contains(words)),
        "{words:?} is not among {found:#?}"
    );
    assert!(found.iter().all(|found| found.severity <= severity && !found.cause.is_empty()), "{found:#?}");
}

/// The check finds nothing and leaves nothing open.
#[track_caller]
fn passes(check: &str, page: &str) {
    let report = examined(page, &Beside::nothing());
    assert_eq!(of(&report.findings, check), Vec::<&ReportedFinding>::new());
    assert_eq!(of(&report.undecided, check), Vec::<&ReportedFinding>::new());
}

/// The check cannot tell.
#[track_caller]
fn leaves_open(check: &str, page: &str) {
    let report = examined(page, &Beside::nothing());
    assert_eq!(of(&report.findings, check), Vec::<&ReportedFinding>::new());
    assert!(!of(&report.undecided, check).is_empty());
}

/// The dimension is worth 10 on the good page and less on the bad one.
#[track_caller]
fn lowers(role: &str, dimension: &str, good: &str, bad: &str) {
    let (good, bad) = (review(good), review(bad));
    let (before, after) = (score(&good, role, dimension), score(&bad, role, dimension));
    assert_eq!(before, Some(10.0), "{:?}", note(&good, role, dimension));
    assert!(after.is_some_and(|after| after < 10.0), "{:?}", note(&bad, role, dimension));
}

#[test]
fn a_page_without_fault_has_none() {
    clean(&page("", ""));
}

#[test]
fn open_findings_cap_their_panelist() {
    let critical = review(&page("", "<img src=a.png width=9 height=9>"));
    let serious = review(&page("", "").replace(" lang=\"en\"", ""));
    let of = |round: &Round| -> f64 {
        crate::transcript::panelist(round, "a11y", "score").expect("a score").parse().expect("a number")
    };
    assert!(of(&critical) <= 5.9 && of(&serious) <= 7.9);
}
