//! What is said of the checks of ARIA.

use crate::checks::{About, RepairKind};

pub(super) const ARIA: About = About {
    title: "Roles and aria attributes exist and have values that exist",
    measures: "A role attribute without any role of ARIA 1.2, an aria attribute that does not exist, a value its type \
        does not allow. Moderate: ids that point at nothing or at several elements.",
    exempt: "Empty values. References that need not lead anywhere yet: aria-controls of what is folded, \
        aria-errormessage of what is valid. On pages with scripts, references are undecided.",
    exposure: "Elements with a role or an aria attribute; a fifth of them is worth nothing.",
    sources: &[
        "WCAG 2.2 SC 4.1.2 (A) https://www.w3.org/WAI/WCAG22/Understanding/name-role-value",
        "WAI-ARIA 1.2 https://www.w3.org/TR/wai-aria-1.2/",
    ],
    act: &["674b10", "5f99a7", "6a7281"],
    axe: &["aria-roles", "aria-valid-attr", "aria-valid-attr-value", "duplicate-id-aria"],
    repair: RepairKind::Automatic,
};

pub(super) const ARIA_STATES: About = About {
    title: "Roles have the states they need and none they must not have",
    measures: "A role without an attribute it requires, an attribute its role does not support. Moderate: a name on \
        what cannot have one.",
    exempt: "States the element has by itself, such as those of a native check box. Empty values.",
    exposure: "Exposed elements with a role or an aria attribute; a fifth of them is worth nothing.",
    sources: &[
        "WCAG 2.2 SC 4.1.2 (A) https://www.w3.org/WAI/WCAG22/Understanding/name-role-value",
        "WAI-ARIA 1.2 https://www.w3.org/TR/wai-aria-1.2/",
        "ARIA in HTML https://www.w3.org/TR/html-aria/",
    ],
    act: &["4e8ab6", "5c01ea", "kb1m8s"],
    axe: &["aria-required-attr", "aria-allowed-attr", "aria-prohibited-attr"],
    repair: RepairKind::Automatic,
};

pub(super) const ARIA_TREE: About = About {
    title: "Roles that belong together stand together",
    measures: "Written roles outside of what they belong to (option in listbox, tab in tablist), and roles that \
        directly hold what does not belong there or nothing that does. aria-owns counts.",
    exempt: "Busy elements. Roles that hold nothing at all yet are undecided.",
    exposure: "Elements with such roles; a fifth of them is worth nothing.",
    sources: &[
        "WCAG 2.2 SC 1.3.1 (A) https://www.w3.org/WAI/WCAG22/Understanding/info-and-relationships",
        "WAI-ARIA 1.2 https://www.w3.org/TR/wai-aria-1.2/",
    ],
    act: &["ff89c9", "bc4a75"],
    axe: &["aria-required-parent", "aria-required-children"],
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
        others) with something in the focus order inside.",
    exempt: "What is out of the focus order.",
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
