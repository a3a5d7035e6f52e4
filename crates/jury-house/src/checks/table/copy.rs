//! Checks of the copy editor.

use crate::checks::{About, Check, copy, reading};
use crate::finding::{Panelist, Severity};

const fn check(
    id: &'static str,
    dimension: &'static str,
    severity: Severity,
    run: fn(&crate::page::Page<'_>) -> crate::finding::Outcome,
    about: About,
) -> Check {
    Check { id, panelist: Panelist::Copy, dimension, severity, run, about }
}

/// In the order in which they are reported.
pub(in crate::checks) const COPY: &[Check] = &[
    check("copy/placeholder", "complete", Severity::Critical, copy::placeholders, About::NOTHING),
    check("copy/readability", "clear", Severity::Minor, reading::readability, About::NOTHING),
    check("copy/lengths", "clear", Severity::Minor, reading::lengths, About::NOTHING),
    check("copy/links", "links", Severity::Serious, copy::links, About::NOTHING),
    check("copy/cta-words", "links", Severity::Moderate, copy::vague_words, About::NOTHING),
];
