//! Checks of the brand.

use crate::checks::{About, Check, brand};
use crate::finding::{Panelist, Severity};

const fn check(
    id: &'static str,
    dimension: &'static str,
    severity: Severity,
    run: fn(&crate::page::Page<'_>) -> crate::finding::Outcome,
    about: About,
) -> Check {
    Check { id, panelist: Panelist::Brand, dimension, severity, run, about }
}

/// In the order in which they are reported.
pub(in crate::checks) const BRAND: &[Check] = &[
    check("brand/colour", "colour", Severity::Serious, brand::colour, About::NOTHING),
    check("brand/font", "type", Severity::Serious, brand::font, About::NOTHING),
];
