//! What the designer does about single findings, and where it leaves a page alone.

mod action;
mod brand;
mod controls;
mod typesetting;
mod untouched;

use jury_eye::Beside;
use jury_house::{RepairedPage, Report, Request, repair, report};

use crate::transcript::{rounds, transcript_of};

/// A brand with a palette and scales.
const DESIGN: &str = "---\nname: Bread\ncolors:\n  paper: \"#ffffff\"\n  ink: \"#1a1a1a\"\n  rust: \"#a63d14\"\ntypography:\n  body:\n    fontFamily: sans-serif\n    fontSize: 16px\n  h1:\n    fontSize: 40px\n  h2:\n    fontSize: 24px\nrounded:\n  sm: 4px\n  md: 8px\nspacing:\n  sm: 8px\n  md: 16px\n  lg: 32px\n---\n# Bread\n";

/// A page without fault, to put one fault into.
fn page(style: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Bread for the street</title>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<style>\n\
         body {{ margin: 0; font-family: sans-serif; font-size: 16px; line-height: 1.5; color: #1a1a1a; background: #ffffff; }}\n\
         h1 {{ font-size: 40px; margin: 16px 0; }}\np {{ margin: 16px 0; }}\n{style}\n</style>\n</head>\n<body>\n<main>\n\
         <h1>Bread for the street</h1>\n<p>We bake at night so that the street has bread.</p>\n{body}\n</main>\n</body>\n</html>\n"
    )
}

/// What is repaired without anything moving.
fn repaired(page: &str, design: Option<&str>) -> RepairedPage {
    repair(page, design, &Beside::nothing()).expect("it can be measured")
}

/// What a sitting makes of a page, where things may move.
fn redesigned(page: &str, design: Option<&str>) -> String {
    let request = Request {
        page: page.to_owned(),
        design: design.map(str::to_owned),
        max_rounds: 2,
        threshold: 10.0,
        ..Request::default()
    };
    rounds(&transcript_of(&request)).last().expect("a round").artifact.clone()
}

/// What a check says.
fn told(page: &str, design: Option<&str>, check: &str) -> Vec<String> {
    let report = report(page, design, &Beside::nothing()).expect("it can be measured");
    found(&report, check)
}

fn found(report: &Report, check: &str) -> Vec<String> {
    report.findings.iter().filter(|found| found.check == check).map(|found| found.what.clone()).collect()
}

/// The lines that differ, each as it was and as it is.
fn changed<'a>(before: &'a str, after: &'a str) -> Vec<(&'a str, &'a str)> {
    assert_eq!(before.lines().count(), after.lines().count(), "lines came or went:\n{after}");
    before.lines().zip(after.lines()).filter(|(one, other)| one != other).collect()
}
