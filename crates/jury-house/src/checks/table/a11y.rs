//! Checks of accessibility.

use crate::checks::about::RepairKind;
use crate::checks::{About, Check, contrast, names, operate, structure};
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

const CONTRAST: About = About {
    title: "Text stands out from what is behind it",
    measures: "The contrast ratio of each text with its backdrop, as both are seen: at least 4.5:1, or 3:1 from 24 px and \
               from 18.66 px bold. Plain backdrops are computed from styles; behind gradients, images and boxes that \
               reach under the text the page is painted without its text, and 95 % of the pixels must reach the ratio. \
               Ratios are not rounded. Below 2:1 the finding is critical.",
    exempt: "Text of controls that are switched off and of their labels, text without letters or digits, icon fonts, and \
             text nobody sees. A single character, text over a drawing or over an image that is not there, and text \
             filled with a gradient of which only a part is enough are not decided. Logotypes cannot be told from text.",
    exposure: "Characters. A page with 30 % of its characters too faint is worth nothing here.",
    sources: &[
        "https://www.w3.org/TR/WCAG22/#contrast-minimum",
        "https://www.w3.org/WAI/standards-guidelines/act/rules/afw4f7/",
    ],
    act: &["afw4f7"],
    axe: &["color-contrast"],
    repair: RepairKind::Automatic,
};

/// In the order in which they are reported.
pub(in crate::checks) const A11Y: &[Check] = &[
    check("a11y/contrast", "perceive", Severity::Serious, contrast::contrast, CONTRAST),
    check("a11y/img-alt", "perceive", Severity::Critical, names::image_alternatives, About::NOTHING),
    check("a11y/control-name", "names", Severity::Critical, names::control_names, About::NOTHING),
    check("a11y/field-label", "names", Severity::Critical, names::field_labels, About::NOTHING),
    check("a11y/lang", "structure", Severity::Serious, structure::language, About::NOTHING),
    check("a11y/title", "structure", Severity::Serious, structure::title, About::NOTHING),
    check("a11y/heading-order", "structure", Severity::Moderate, structure::heading_order, About::NOTHING),
    check("a11y/main", "structure", Severity::Moderate, structure::main_landmark, About::NOTHING),
    check("a11y/region", "structure", Severity::Moderate, structure::regions, About::NOTHING),
    check("a11y/viewport", "operate", Severity::Moderate, operate::viewport, About::NOTHING),
    check("a11y/zoom", "operate", Severity::Serious, operate::zoom, About::NOTHING),
    check("a11y/target", "operate", Severity::Moderate, operate::target_size, About::NOTHING),
    check("a11y/focus", "operate", Severity::Serious, operate::focus, About::NOTHING),
];
