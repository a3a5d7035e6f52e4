//! One finding, step by step.

use std::fmt::Write as _;

use jury_house::{Explanation, Found};

use super::table;
use crate::output::{Output, Tone};
use crate::rules::Listed;

/// A finding of a page with everything behind it.
pub(crate) fn finding(
    page: &str,
    found: &Found,
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
            writeln!(text, "  {:<14} {}{}", figure.name, number(figure.value), unit(&figure.unit)).ok();
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
    findings: &[&Found],
    undecided: &[&Found],
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

/// Up to three decimals, and none that say nothing.
fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn unit(unit: &str) -> String {
    if unit.is_empty() || unit.starts_with(':') || unit == "%" { unit.to_owned() } else { format!(" {unit}") }
}
