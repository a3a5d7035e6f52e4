//! Checks of accessibility.

mod about_aria;
mod about_names;
mod about_operate;
mod about_structure;

use crate::checks::{
    About, Check, aria, aria_tree, autocomplete, contrast, frames, head, hidden_focus, keys, label_in_name,
    landmarks, lists, names, orientation, structure, tables,
};
use crate::finding::Severity;
use jury_core::rule::RepairKind;

use super::check;

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
    check("a11y/img-alt", "perceive", Severity::Critical, names::image_alternatives, about_names::IMG_ALT),
    check("a11y/decoration", "perceive", Severity::Minor, hidden_focus::decoration, about_aria::DECORATION),
    check("a11y/control-name", "names", Severity::Critical, names::control_names, about_names::CONTROL_NAME),
    check("a11y/field-label", "names", Severity::Critical, names::field_labels, about_names::FIELD_LABEL),
    check("a11y/widget-name", "names", Severity::Serious, names::widget_names, about_names::WIDGET_NAME),
    check(
        "a11y/label-in-name",
        "names",
        Severity::Serious,
        label_in_name::label_in_name,
        about_names::LABEL_IN_NAME,
    ),
    check("a11y/frames", "names", Severity::Serious, frames::names, about_names::FRAMES),
    check("a11y/frame-focus", "operate", Severity::Serious, frames::reach, about_names::FRAME_FOCUS),
    check("a11y/aria", "names", Severity::Serious, aria::aria, about_aria::ARIA),
    check("a11y/aria-required", "names", Severity::Serious, aria::required, about_aria::ARIA_REQUIRED),
    check("a11y/aria-allowed", "names", Severity::Serious, aria::allowed, about_aria::ARIA_ALLOWED),
    check("a11y/aria-prohibited", "names", Severity::Moderate, aria::prohibited, about_aria::ARIA_PROHIBITED),
    check("a11y/lang", "structure", Severity::Serious, structure::language, about_structure::LANG),
    check(
        "a11y/lang-text",
        "structure",
        Severity::Minor,
        structure::language_of_text,
        about_structure::LANG_TEXT,
    ),
    check(
        "a11y/lang-parts",
        "structure",
        Severity::Serious,
        structure::languages_of_parts,
        about_structure::LANG_PARTS,
    ),
    check("a11y/title", "structure", Severity::Serious, structure::title, about_structure::TITLE),
    check(
        "a11y/heading-order",
        "structure",
        Severity::Moderate,
        structure::heading_order,
        about_structure::HEADING_ORDER,
    ),
    check(
        "a11y/heading-name",
        "structure",
        Severity::Moderate,
        structure::heading_names,
        about_structure::HEADING_NAME,
    ),
    check("a11y/main", "structure", Severity::Moderate, landmarks::main_landmark, about_structure::MAIN),
    check("a11y/region", "structure", Severity::Moderate, landmarks::regions, about_structure::REGION),
    check(
        "a11y/landmarks",
        "structure",
        Severity::Moderate,
        landmarks::landmarks,
        about_structure::LANDMARKS,
    ),
    check("a11y/lists", "structure", Severity::Serious, lists::lists, about_structure::LISTS),
    check(
        "a11y/table-headers",
        "structure",
        Severity::Moderate,
        tables::table_headers,
        about_structure::TABLE_HEADERS,
    ),
    check(
        "a11y/cell-headers",
        "structure",
        Severity::Serious,
        tables::cell_headers,
        about_structure::CELL_HEADERS,
    ),
    check("a11y/aria-parent", "structure", Severity::Serious, aria_tree::parents, about_aria::ARIA_PARENT),
    check(
        "a11y/aria-children",
        "structure",
        Severity::Serious,
        aria_tree::children,
        about_aria::ARIA_CHILDREN,
    ),
    check("a11y/bypass", "structure", Severity::Moderate, keys::bypass, about_structure::BYPASS),
    check("a11y/aria-hidden", "operate", Severity::Serious, hidden_focus::hidden, about_aria::ARIA_HIDDEN),
    check("a11y/nested", "operate", Severity::Serious, hidden_focus::nested, about_aria::NESTED),
    check("a11y/refresh", "operate", Severity::Serious, head::refresh, about_operate::REFRESH),
    check(
        "a11y/autocomplete",
        "operate",
        Severity::Serious,
        autocomplete::autocomplete,
        about_operate::AUTOCOMPLETE,
    ),
    check(
        "a11y/orientation",
        "operate",
        Severity::Serious,
        orientation::orientation,
        about_operate::ORIENTATION,
    ),
    check("a11y/keys", "operate", Severity::Moderate, keys::keys, about_operate::KEYS),
];
