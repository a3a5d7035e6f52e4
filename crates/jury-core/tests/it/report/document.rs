//! What a report says, for every way a run can stand.

use insta::assert_snapshot;
use jury_core::report::ReportCase;
use jury_core::report::html;
use jury_core::settings::CritiqueConfig;

use super::{bundle, log, report};
use crate::theater::script::{cleared_and, two_rounds_and};
use crate::theater::stage::Stage;

/// Two rounds with pages of their own, findings, notes and dimensions; shipped.
const SMALL: &str = "
    start
    run
    round 1
    <PANELIST role=\"designer\"><NOTES>One idea, one button.</NOTES><ARTIFACT mime=\"text/html\"><![CDATA[<!doctype html><title>Soup</title><p style=\"color:#999\">Soup & bread</p>]]></ARTIFACT></PANELIST>
    <PANELIST role=\"critic\" score=\"7.4\"><DIM name=\"contrast\" score=\"6\">Grey on white.</DIM><MUST_FIX>Darken the text</MUST_FIX></PANELIST>
    <PANELIST role=\"brand\" score=\"8\"/>
    <PANELIST role=\"a11y\" score=\"7\"><MUST_FIX>Give the page a language</MUST_FIX></PANELIST>
    <PANELIST role=\"copy\"/>
    end 1
    round 2
    <PANELIST role=\"designer\"><ARTIFACT mime=\"text/html\"><![CDATA[<!doctype html><html lang=\"en\"><title>Soup</title><p>Soup & bread</p>]]></ARTIFACT></PANELIST>
    panel 9.0
    end 2 ship
    ship 2 -
    linted
    close
    exit 0
";

#[test]
fn the_report_of_a_small_run_is_this() {
    assert_snapshot!("small_run", report(SMALL));
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    assert_eq!(report(SMALL), report(SMALL));
}

/// Between the beginning of an element with this class and its end.
fn part<'a>(html: &'a str, begin: &str, end: &str) -> &'a str {
    let (_, after) = html.split_once(begin).unwrap();
    after.split_once(end).unwrap().0
}

/// The text of a piece of markup.
fn text(html: &str) -> String {
    let mut text = String::new();
    let mut inside = true;
    for character in html.chars() {
        match character {
            '<' => inside = false,
            '>' => inside = true,
            _ if inside => text.push(character),
            _ => {}
        }
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_way_to_stand_has_its_status_its_rule_and_its_reason() {
    let makes = "makes\n start\n";
    let scripts = [
        ("queued", String::new()),
        ("running", "start\n run\n round 1\n designer A\n critic 7.0".to_owned()),
        ("making a page", format!("{makes} fault missing_artifact")),
        ("shipped", cleared_and("ship 1 A\n linted\n close\n exit 0")),
        ("linted", cleared_and("ship 1 A\n linted placeholder\n exit 0")),
        ("below", two_rounds_and("round 3\n designer B\n panel 7.5\n end 3\n close\n exit 0")),
        ("timed out", two_rounds_and("@240000 deadline")),
        ("interrupted", two_rounds_and("interrupt")),
        ("interrupted early", "start\n run\n round 1\n designer A\n interrupt".to_owned()),
        ("degraded", format!("{makes} fault oversize_block\n legacy -")),
        ("degraded with a page", format!("{makes} fault malformed_block\n legacy F")),
        ("failed", two_rounds_and("failed")),
        ("unstarted", "start\n unstarted".to_owned()),
        ("legacy", "makes\n off\n start\n legacy F".to_owned()),
        ("began again", two_rounds_and("run\n round 1\n designer C\n panel 9.0\n end 1\n exit 0")),
    ];
    let lines: Vec<String> = scripts
        .iter()
        .map(|(name, script)| {
            let html = report(script);
            let title = part(&html, "<title>", "</title>");
            let verdict =
                text(part(&html, "<section class=\"paper-verdict", "</section>").split_once('>').unwrap().1);
            let pages = html.matches("<iframe").count();
            format!("{name}: [{title}] {verdict} ({pages} pages)")
        })
        .collect();
    assert_snapshot!("verdicts", lines.join("\n"));
}

#[test]
fn a_page_that_is_not_there_is_said_to_be_missing() {
    let mut stage = Stage::new(CritiqueConfig::default());
    stage.play(&cleared_and("ship 1 A\n linted\n close\n exit 0"));
    let (records, mut pages) = log(&stage, "A page");
    pages.clear();
    let html = html::document(&ReportCase::new(&records), &records, &pages, &bundle()).unwrap();
    assert!(html.contains("This page was not kept."), "{html}");
    assert!(!html.contains("<iframe"), "{html}");
}

#[test]
fn a_run_without_events_has_a_report() {
    let html = html::document(&ReportCase::new(&[]), &[], &html::Pages::new(), &bundle()).unwrap();
    assert!(html.contains("Untitled run") && html.contains("This run has not ended."), "{html}");
}
