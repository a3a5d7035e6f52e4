//! Checks of the critic.

use crate::checks::about::RepairKind;
use crate::checks::{About, Check, contrast, hierarchy, space, typesetting};
use crate::finding::{Panelist, Severity};

const fn check(
    id: &'static str,
    dimension: &'static str,
    severity: Severity,
    run: fn(&crate::page::Page<'_>) -> crate::finding::Outcome,
    about: About,
) -> Check {
    Check { id, panelist: Panelist::Critic, dimension, severity, run, about }
}

const LEGIBILITY: About = About {
    title: "Text can be read",
    measures: "The share of characters whose contrast ratio is below 4.5:1, or 3:1 for large text, measured as in \
               a11y/contrast. It is scored here and demanded there.",
    exempt: "As in a11y/contrast.",
    exposure: "Characters. A page with 30 % of its characters too faint is worth nothing here.",
    sources: &["https://www.w3.org/TR/WCAG22/#contrast-minimum"],
    act: &[],
    axe: &["color-contrast"],
    repair: RepairKind::Automatic,
};

/// In the order in which they are reported.
pub(in crate::checks) const CRITIC: &[Check] = &[
    check("critic/hierarchy", "hierarchy", Severity::Moderate, hierarchy::hierarchy, About::NOTHING),
    check("critic/type-scale", "type", Severity::Minor, typesetting::scale, About::NOTHING),
    check("critic/small-text", "type", Severity::Moderate, typesetting::small_text, About::NOTHING),
    check("critic/measure", "type", Severity::Minor, typesetting::measure, About::NOTHING),
    check("critic/families", "type", Severity::Minor, typesetting::families, About::NOTHING),
    check("critic/caps", "type", Severity::Minor, typesetting::capitals, About::NOTHING),
    check("critic/contrast", "contrast", Severity::Moderate, contrast::legibility, LEGIBILITY),
    check("critic/cta", "contrast", Severity::Moderate, hierarchy::call_to_action, About::NOTHING),
    check("critic/rhythm", "rhythm", Severity::Minor, space::rhythm, About::NOTHING),
    check("critic/symmetry", "space", Severity::Minor, space::symmetry, About::NOTHING),
    check("critic/overflow", "space", Severity::Moderate, space::overflow, About::NOTHING),
    check("critic/self-contained", "space", Severity::Serious, space::self_contained, About::NOTHING),
];
