//! Evidence: what a check printed or a measure counted, held against its bounds.
//!
//! What could not be measured has not passed: a check that did not run, or that did not print a figure which has
//! a bound, is no evidence at all.

use std::collections::BTreeMap;

use super::criterion::{Check, Criterion, CriterionId, FigureBound};
use super::event::{CriticEvidence, EvidenceSource, Spot};
use super::figure::figures;
use super::format::plain;
use super::port::{CheckResult, DocumentMeasurement};
use crate::line;
use crate::unit::Round;

/// How much of the end of a check's output is kept.
pub const KEPT_OUTPUT: usize = 4096;

/// How much of a check's output is looked through for figures, from its end.
const READ_OUTPUT: usize = 1 << 20;

/// How many places of one measure are kept.
pub const KEPT_PLACES: usize = 20;

/// The figures that every measure has.
pub(super) const CHECKED: &str = "checked";
pub(super) const AFFECTED: &str = "affected";

pub(super) fn of_check(
    pass: Round,
    criterion: &CriterionId,
    check: &Check,
    bounds: Option<&BTreeMap<String, FigureBound>>,
    result: &CheckResult,
) -> CriticEvidence {
    let mut evidence = nothing_yet(pass, criterion, EvidenceSource::Check);
    match result {
        CheckResult::NotRun(detail) => {
            evidence.summary = format!("{} could not be run: {}", check.command, one_line(detail));
        }
        CheckResult::Ran { exit, output } => {
            let text = plain(tail(output, READ_OUTPUT));
            evidence.exit = Some(*exit);
            evidence.figures = figures(&check.figures, &text);
            last(&text, KEPT_OUTPUT).trim().clone_into(&mut evidence.output);
            let mut said = vec![format!("exit {exit}")];
            let mut within = check.exit.contains(exit);
            let mut missing = false;
            for name in check.figures.keys() {
                let bound = bounds.and_then(|bounds| bounds.get(name));
                match (evidence.figures.get(name), bound) {
                    (Some(figure), Some(bound)) => {
                        within &= bound.holds(*figure);
                        said.push(format!("{name} {figure}, wanted {bound}"));
                    }
                    (Some(figure), None) => said.push(format!("{name} {figure}")),
                    (None, Some(_)) => {
                        missing = true;
                        said.push(format!("{name} was not printed"));
                    }
                    (None, None) => {}
                }
            }
            // A failure is a failure even when a figure is missing.
            evidence.passed = if within && missing { None } else { Some(within) };
            evidence.summary = format!("{}: {}", check.command, said.join(", "));
        }
    }
    evidence
}

/// Evidence that says nothing.
fn nothing_yet(pass: Round, criterion: &CriterionId, source: EvidenceSource) -> CriticEvidence {
    CriticEvidence {
        pass,
        criterion: criterion.clone(),
        source,
        passed: None,
        exit: None,
        figures: BTreeMap::new(),
        summary: String::new(),
        output: String::new(),
        places: Vec::new(),
    }
}

pub(super) fn of_measure(
    pass: Round,
    criterion: &Criterion,
    result: Result<DocumentMeasurement, String>,
) -> CriticEvidence {
    let name = criterion.measure.map(super::Measure::as_str).unwrap_or_default();
    let mut evidence = nothing_yet(pass, &criterion.id, EvidenceSource::Measure);
    match result {
        Err(detail) => evidence.summary = format!("{name} could not be measured: {}", one_line(&detail)),
        Ok(measurement) => {
            let DocumentMeasurement { checked, affected, what, figures, places } = measurement;
            evidence.figures = figures;
            evidence.figures.insert(CHECKED.to_owned(), f64::from(checked));
            evidence.figures.insert(AFFECTED.to_owned(), f64::from(affected));
            let mut within = criterion.bounds.contains_key(AFFECTED) || affected == 0;
            // Figures that a check prints have their bounds there.
            let of_check =
                |name: &str| criterion.check.as_ref().is_some_and(|check| check.figures.contains_key(name));
            let mut missing = false;
            for (figure, bound) in criterion.bounds.iter().filter(|(name, _)| !of_check(name)) {
                match evidence.figures.get(figure) {
                    Some(value) => within &= bound.holds(*value),
                    None => missing = true,
                }
            }
            evidence.passed = if within && missing { None } else { Some(within) };
            let what = if what.is_empty() { "places".to_owned() } else { one_line(&what) };
            evidence.summary = format!("{name}: {affected} of {checked} {what} affected");
            evidence.places = places;
            evidence.places.truncate(KEPT_PLACES);
        }
    }
    evidence
}

/// A place as one line.
pub(super) fn spot_line(spot: &Spot) -> String {
    match spot.line {
        Some(line) => format!("line {line}: {}", one_line(&spot.text)),
        None => one_line(&spot.text),
    }
}

/// A text on one line, without control characters.
pub(super) fn one_line(text: &str) -> String {
    line::joined(&plain(text.as_bytes()))
}

fn tail(bytes: &[u8], most: usize) -> &[u8] {
    bytes.get(bytes.len().saturating_sub(most)..).unwrap_or(bytes)
}

/// The end of a text, cut between characters.
fn last(text: &str, most: usize) -> &str {
    let mut start = text.len().saturating_sub(most);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    text.get(start..).unwrap_or(text)
}
