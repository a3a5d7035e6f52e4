//! What is said of the checks of time, forms and keys.

use crate::checks::{About, RepairKind};

pub(super) const REFRESH: About = About {
    title: "The page does not go away by itself",
    measures: "The first valid meta refresh has a delay above 0 and up to 20 hours.",
    exempt: "A delay of 0, which is a redirect, and one above 20 hours.",
    exposure: "Holds or does not.",
    sources: &["WCAG 2.2 SC 2.2.1 (A) https://www.w3.org/WAI/WCAG22/Understanding/timing-adjustable"],
    act: &["bc659a", "bisz58"],
    axe: &["meta-refresh"],
    repair: RepairKind::None,
};

pub(super) const AUTOCOMPLETE: About = About {
    title: "autocomplete says what a browser knows",
    measures: "Values of autocomplete that the grammar of HTML does not allow.",
    exempt: "on, off and other words for a switch; disabled, hidden and button fields.",
    exposure: "Fields with a value; half of them is worth nothing.",
    sources: &[
        "WCAG 2.2 SC 1.3.5 (AA) https://www.w3.org/WAI/WCAG22/Understanding/identify-input-purpose",
        "HTML https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#autofill",
    ],
    act: &["73f2c2"],
    axe: &["autocomplete-valid"],
    repair: RepairKind::None,
};

pub(super) const ORIENTATION: About = About {
    title: "The page follows the way the device is held",
    measures: "A rule in a media query for one orientation that turns an element with most of the text by a right \
        angle, measured from where it stands in the other orientation.",
    exempt: "Other angles, what is turned alike in both orientations, and elements with less than half of the text.",
    exposure: "Holds or does not; not applicable without such rules.",
    sources: &["WCAG 2.2 SC 1.3.4 (AA) https://www.w3.org/WAI/WCAG22/Understanding/orientation"],
    act: &["b33eff"],
    axe: &["css-orientation-lock"],
    repair: RepairKind::None,
};

pub(super) const KEYS: About = About {
    title: "Tab follows the page, and no access key does two things",
    measures: "tabindex above 0, and access keys given to more than one element.",
    exempt: "What is not rendered.",
    exposure: "Elements with tabindex or accesskey; half of them is worth nothing.",
    sources: &[
        "WCAG 2.2 SC 2.4.3 (A) https://www.w3.org/WAI/WCAG22/Understanding/focus-order",
        "axe-core tabindex https://dequeuniversity.com/rules/axe/4.11/tabindex",
    ],
    act: &[],
    axe: &["tabindex", "accesskeys"],
    repair: RepairKind::None,
};
