//! What is said of the checks of ARIA.

use crate::checks::{About, RepairKind};

pub(super) const ARIA: About = About {
    title: "Roles and aria attributes exist and have values that exist",
    measures: "A role attribute without any role of ARIA 1.2, an aria attribute that does not exist, a value its type \
        does not allow. Moderate: ids that point at nothing or at several elements.",
    exempt: "Empty values. References that need not lead anywhere yet: aria-controls of what is folded, \
        aria-errormessage of what is valid. On pages with scripts, references are undecided.",
    exposure: "Elements with a role or an aria attribute other than a text; a fifth of them is worth nothing.",
    sources: &[
        "WCAG 2.2 SC 4.1.2 (A) https://www.w3.org/WAI/WCAG22/Understanding/name-role-value",
        "WAI-ARIA 1.2 https://www.w3.org/TR/wai-aria-1.2/",
    ],
    act: &["674b10", "5f99a7", "6a7281"],
    axe: &["aria-roles", "aria-valid-attr", "aria-valid-attr-value", "duplicate-id-aria"],
    repair: RepairKind::Automatic,
};

pub(super) const ARIA_REQUIRED: About = About {
    title: "Roles have the states they need",
    measures: "Elements with a role that lack an attribute the role requires, such as a checkbox without aria-checked.",
    exempt: "States the element has by itself, such as those of a native check box.",
    exposure: "Elements whose role requires something; a fifth of them is worth nothing.",
    sources: &[
        "WCAG 2.2 SC 4.1.2 (A) https://www.w3.org/WAI/WCAG22/Understanding/name-role-value",
        "WAI-ARIA 1.2 https://www.w3.org/TR/wai-aria-1.2/",
    ],
    act: &["4e8ab6"],
    axe: &["aria-required-attr"],
    repair: RepairKind::None,
};

pub(super) const ARIA_ALLOWED: About = About {
    title: "Roles have only attributes they support",
    measures: "aria attributes that neither the role nor every role supports.",
    exempt: "Native fields, whose attributes depend on more than a role.",
    exposure: "aria attributes on exposed elements, those that every role supports aside; a fifth of them is worth nothing.",
    sources: &[
        "WCAG 2.2 SC 4.1.2 (A) https://www.w3.org/WAI/WCAG22/Understanding/name-role-value",
        "WAI-ARIA 1.2 https://www.w3.org/TR/wai-aria-1.2/",
        "ARIA in HTML https://www.w3.org/TR/html-aria/",
    ],
    act: &["5c01ea"],
    axe: &["aria-allowed-attr"],
    repair: RepairKind::Automatic,
};

pub(super) const ARIA_PROHIBITED: About = About {
    title: "Nothing is named that cannot have a name",
    measures: "aria-label, aria-labelledby and aria-braillelabel on roles that have no name and on plain elements such as div and span; aria-roledescription on plain elements.",
    exempt: "Empty values, and elements without a role that are not plain, such as svg and video.",
    exposure: "Names given by attributes to what is no control and no picture; half of them is worth nothing.",
    sources: &[
        "WAI-ARIA 1.2 https://www.w3.org/TR/wai-aria-1.2/",
        "ARIA in HTML https://www.w3.org/TR/html-aria/",
    ],
    act: &["kb1m8s"],
    axe: &["aria-prohibited-attr"],
    repair: RepairKind::Automatic,
};

pub(super) const ARIA_PARENT: About = About {
    title: "Roles stand in what they belong to",
    measures: "Written roles outside of what they belong to, such as an option outside of a listbox. aria-owns counts; groups and elements without a role do not stand between.",
    exempt: "Native elements without a role.",
    exposure: "Elements with such roles; a fifth of them is worth nothing.",
    sources: &[
        "WCAG 2.2 SC 1.3.1 (A) https://www.w3.org/WAI/WCAG22/Understanding/info-and-relationships",
        "WAI-ARIA 1.2 https://www.w3.org/TR/wai-aria-1.2/",
    ],
    act: &["ff89c9"],
    axe: &["aria-required-parent"],
    repair: RepairKind::None,
};

pub(super) const ARIA_CHILDREN: About = About {
    title: "Roles hold what belongs into them",
    measures: "Written roles that directly hold something that does not belong there, or content and nothing that does, such as a tablist without tabs. aria-owns counts.",
    exempt: "Busy elements. Roles that hold nothing at all yet are undecided.",
    exposure: "Elements with such roles; a fifth of them is worth nothing.",
    sources: &[
        "WCAG 2.2 SC 1.3.1 (A) https://www.w3.org/WAI/WCAG22/Understanding/info-and-relationships",
        "WAI-ARIA 1.2 https://www.w3.org/TR/wai-aria-1.2/",
    ],
    act: &["bc4a75"],
    axe: &["aria-required-children"],
    repair: RepairKind::None,
};

pub(super) const ARIA_HIDDEN: About = About {
    title: "What is hidden from assistive technology cannot be focused",
    measures: "Elements with aria-hidden=\"true\" that are, or hold, something in the focus order. Critical: \
        aria-hidden on body.",
    exempt: "What is not rendered, inert, disabled or taken out of the focus order. Elements that a script of the \
        page names by id are undecided.",
    exposure: "Elements with aria-hidden; a fifth of them is worth nothing.",
    sources: &[
        "WCAG 2.2 SC 4.1.2 (A) https://www.w3.org/WAI/WCAG22/Understanding/name-role-value",
        "WAI-ARIA 1.2 https://www.w3.org/TR/wai-aria-1.2/",
    ],
    act: &["6cfa84"],
    axe: &["aria-hidden-focus", "aria-hidden-body"],
    repair: RepairKind::Automatic,
};

pub(super) const NESTED: About = About {
    title: "No control stands inside of another",
    measures: "Elements whose role makes everything inside part of them (button, img, checkbox, tab, option and \
        others) with something in the focus order inside, or with another control, even out of that order.",
    exempt: "What is disabled or not rendered. The summary of a details element, in which a link can be reached.",
    exposure: "Elements with such roles; a fifth of them is worth nothing.",
    sources: &[
        "WCAG 2.2 SC 4.1.2 (A) https://www.w3.org/WAI/WCAG22/Understanding/name-role-value",
        "WAI-ARIA 1.2 https://www.w3.org/TR/wai-aria-1.2/",
    ],
    act: &["307n5z"],
    axe: &["nested-interactive"],
    repair: RepairKind::None,
};

pub(super) const DECORATION: About = About {
    title: "What is declared decoration is not heard",
    measures: "Images with alt=\"\" and elements with the role none or presentation that can be focused or have a \
        global aria attribute, and so are heard all the same.",
    exempt: "aria-hidden.",
    exposure: "Elements declared decoration; half of them is worth nothing.",
    sources: &[
        "WCAG 2.2 SC 1.1.1 (A) https://www.w3.org/WAI/WCAG22/Understanding/non-text-content",
        "WAI-ARIA 1.2 https://www.w3.org/TR/wai-aria-1.2/",
    ],
    act: &["46ca7f"],
    axe: &["presentation-role-conflict"],
    repair: RepairKind::None,
};
