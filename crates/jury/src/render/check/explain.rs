//! One finding, step by step.

use std::fmt::Write as _;

use jury_core::unit::ContrastRatio;
use jury_house::{Explanation, ReportedFinding};

use super::table;
use crate::output::{Output, Tone};
use crate::render::printable;
use crate::rules::Listed;

/// The most characters of a value of a run's finding.
const WIDEST_VALUE: usize = 2000;

/// A finding of a page with everything behind it.
pub(crate) fn finding(
    page: &str,
    found: &ReportedFinding,
    explanation: &Explanation,
    check: Option<&Listed>,
    output: Output,
) -> String {
    let state = if explanation.undecided { "undecided" } else { found.severity.as_str() };
    let mut text =
        format!("{}  {state}  {page}\n{}\n", output.paint_result(Tone::Bold, &found.id), found.what);
    writeln!(text, "\nCause: {}", found.cause).ok();
    if let Some(window) = found.viewport {
        writeln!(text, "Window: {}x{}", window.width, window.height).ok();
    }
    if !found.figures.is_empty() {
        text.push_str("\nFigures\n");
        for figure in &found.figures {
            writeln!(
                text,
                "  {:<14} {}{}",
                figure.name,
                number(figure.value, &figure.unit),
                unit(&figure.unit)
            )
            .ok();
        }
    }
    if !found.places.is_empty() {
        writeln!(text, "\nPlaces ({})", found.places.len()).ok();
        for seen in &explanation.seen {
            let line = seen.place.line.map(|line| format!("line {line}, ")).unwrap_or_default();
            writeln!(text, "  {line}{}", output.paint_result(Tone::Bold, &seen.place.selector)).ok();
            writeln!(text, "    {}", output.paint_result(Tone::Dim, &seen.place.path)).ok();
            for step in &seen.steps {
                writeln!(text, "    - {step}").ok();
            }
        }
        let rest = found.places.iter().skip(explanation.seen.len());
        for place in rest {
            let line = place.line.map(|line| format!("line {line}, ")).unwrap_or_default();
            writeln!(text, "  {line}{}", place.selector).ok();
        }
    }
    if !explanation.note.is_empty() {
        writeln!(text, "\nThe check on the whole page: {}", explanation.note).ok();
    }
    if let Some(check) = check {
        writeln!(text, "\n{}", table::one(check, output).trim_end()).ok();
    }
    text
}

/// A check, and what it found on a page.
pub(crate) fn check_on(
    page: &str,
    check: &Listed,
    note: &str,
    findings: &[&ReportedFinding],
    undecided: &[&ReportedFinding],
    output: Output,
) -> String {
    let mut text = table::one(check, output);
    writeln!(text, "\n{}", output.paint_result(Tone::Bold, page)).ok();
    if !note.is_empty() {
        writeln!(text, "  measured: {note}").ok();
    }
    for found in findings {
        writeln!(text, "  {:<9} {}  {}", found.severity.as_str(), found.id, found.what).ok();
    }
    for found in undecided {
        writeln!(text, "  undecided {}  {}", found.id, found.what).ok();
    }
    if findings.is_empty() && undecided.is_empty() {
        text.push_str("  nothing found\n");
    }
    text
}

/// Up to three decimals, and none that say nothing. A contrast that was measured has its two, as everywhere; one that is
/// needed is 3 or 4.5.
fn number(value: f64, unit: &str) -> String {
    if unit == ":1" && (value * 2.0).fract() != 0.0 {
        return format!("{:.2}", ContrastRatio(value).cut());
    }
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn unit(unit: &str) -> String {
    if unit.is_empty() || unit.starts_with(':') || unit == "%" { unit.to_owned() } else { format!(" {unit}") }
}

/// A finding of a run, whatever its workflow is.
pub(crate) fn run_finding(finding: &jury_core::finding::Finding, title: &str, output: Output) -> String {
    let jury_core::finding::Place { file, line, quote, selector, .. } = &finding.place;
    let at = match (file.as_deref().unwrap_or(title), line) {
        (file, Some(line)) => format!("{file} line {line}"),
        (file, None) => file.to_owned(),
    };
    let head = format!("{}  {}", finding.severity.as_str(), finding.id);
    let mut text = format!("{}  {}", output.paint_result(Tone::Bold, &head), printable(&at, WIDEST_VALUE));
    let rule = finding.rule.as_deref().map(|rule| ("asked by", rule.to_owned()));
    let state = Some(("state", finding.state.to_string()));
    let rows = [
        state,
        rule,
        selector.clone().map(|selector| ("element", selector)),
        quote.clone().map(|quote| ("quote", quote)),
        Some(("what", finding.text.clone())),
        finding.suggestion.clone().map(|suggestion| ("to do", suggestion)),
    ];
    for (name, value) in rows.into_iter().flatten() {
        write!(text, "\n  {name:<9} {}", printable(&value, WIDEST_VALUE)).ok();
    }
    for figure in &finding.figures {
        write!(text, "\n  {:<9} {}{}", figure.name, number(figure.value, &figure.unit), unit(&figure.unit))
            .ok();
    }
    text
}
