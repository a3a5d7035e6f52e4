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
    Outcome {
        measure: Measure::Binary { failed: true },
        note: format!("{}; {} is used", findings[0].what, brand.origin.words()),
        findings,
        undecided: Vec::new(),
    }
}
