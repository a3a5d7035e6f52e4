//! Sources of the brand that contradict each other: a fault of theirs, told to whoever has to choose.

use crate::finding::{Finding, Measure, Outcome, Severity};
use crate::page::Page;

pub(in crate::checks) fn source_drift(page: &Page<'_>) -> Outcome {
    let Some(brand) = page.brand() else { return Outcome::not_applicable() };
    if brand.drifts.is_empty() {
        // Agreeing with oneself is no merit of the page.
        return Outcome::not_applicable();
    }
    let findings: Vec<Finding> = brand
        .drifts
        .iter()
        .map(|drift| {
            Finding::page(Severity::Minor, format!("the sources of the brand disagree: {}", drift.what))
                .because(format!("{} in {} and {}", drift.subject, drift.used, drift.other))
        })
        .collect();
    let note = brand.drifts.first().map_or_else(String::new, |drift| drift.what.clone());
    Outcome {
        measure: Measure::Binary { failed: true },
        note: format!("the sources of the brand disagree: {note}; {} is used", brand.origin.words()),
        findings,
        undecided: Vec::new(),
    }
}
