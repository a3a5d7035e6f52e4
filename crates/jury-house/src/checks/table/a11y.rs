//! Checks of accessibility.

use crate::checks::{About, Check, contrast, names, structure};
use crate::finding::{Panelist, Severity};

const fn check(
    id: &'static str,
    dimension: &'static str,
    severity: Severity,
    run: fn(&crate::page::Page<'_>) -> crate::finding::Outcome,
    about: About,
) -> Check {
    Check { id, panelist: Panelist::A11y, dimension, severity, run, about }
}

/// In the order in which they are reported.
pub(in crate::checks) const A11Y: &[Check] = &[
    check("a11y/contrast", "perceive", Severity::Serious, contrast::contrast, About::NOTHING),
    check("a11y/img-alt", "perceive", Severity::Critical, names::image_alternatives, About::NOTHING),
    check("a11y/control-name", "names", Severity::Critical, names::control_names, About::NOTHING),
    check("a11y/field-label", "names", Severity::Critical, names::field_labels, About::NOTHING),
    check("a11y/lang", "structure", Severity::Serious, structure::language, About::NOTHING),
    check("a11y/title", "structure", Severity::Serious, structure::title, About::NOTHING),
    check("a11y/heading-order", "structure", Severity::Moderate, structure::heading_order, About::NOTHING),
    check("a11y/main", "structure", Severity::Moderate, structure::main_landmark, About::NOTHING),
    check("a11y/region", "structure", Severity::Moderate, structure::regions, About::NOTHING),
];
