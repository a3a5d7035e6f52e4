//! What is said of the checks of names.

use crate::checks::{About, RepairKind};

pub(super) const IMG_ALT: About = About {
    title: "Images say what they show",
    measures: "Images, elements with the role img, drawings with a graphics role, image buttons and objects that show \
        pictures, sound or film, whose accessible name is empty.",
    exempt: "Images with alt=\"\" and no other name, elements declared to be decoration, and whatever is hidden from \
        assistive technology. Whether the words are true is not judged.",
    exposure: "Images; half of them nameless is worth nothing.",
    sources: &[
        "WCAG 2.2 SC 1.1.1 (A) https://www.w3.org/WAI/WCAG22/Understanding/non-text-content",
        "Accessible Name and Description Computation 1.2 https://www.w3.org/TR/accname-1.2/",
    ],
    act: &["23a2a8", "59796f", "7d6734", "8fc3b6"],
    axe: &["image-alt", "input-image-alt", "role-img-alt", "svg-img-alt", "object-alt"],
    repair: RepairKind::Proposed,
};

pub(super) const CONTROL_NAME: About = About {
    title: "Links and buttons have a name",
    measures: "Links, buttons, summaries, menu items and tabs whose accessible name is empty.",
    exempt: "Image buttons, which count as images. An empty control that a script of the page names by its id is \
        undecided.",
    exposure: "Links and buttons; half of them nameless is worth nothing.",
    sources: &[
        "WCAG 2.2 SC 4.1.2 (A) https://www.w3.org/WAI/WCAG22/Understanding/name-role-value",
        "WCAG 2.2 SC 2.4.4 (A) https://www.w3.org/WAI/WCAG22/Understanding/link-purpose-in-context",
        "Accessible Name and Description Computation 1.2 https://www.w3.org/TR/accname-1.2/",
    ],
    act: &["97a4e1", "c487ae", "2t702h", "m6b1q3"],
    axe: &["button-name", "link-name", "area-alt", "input-button-name", "summary-name", "aria-command-name"],
    repair: RepairKind::None,
};

pub(super) const FIELD_LABEL: About = About {
    title: "Fields have a label",
    measures: "Text fields, check boxes, radio buttons, selects, sliders and their like, native or by role, whose \
        accessible name is empty. Minor: the placeholder is the only name.",
    exempt: "Hidden fields, and buttons of every kind.",
    exposure: "Fields; half of them nameless is worth nothing, and a placeholder counts a quarter.",
    sources: &[
        "WCAG 2.2 SC 1.3.1 (A) https://www.w3.org/WAI/WCAG22/Understanding/info-and-relationships",
        "WCAG 2.2 SC 4.1.2 (A) https://www.w3.org/WAI/WCAG22/Understanding/name-role-value",
        "Accessible Name and Description Computation 1.2 https://www.w3.org/TR/accname-1.2/",
    ],
    act: &["e086e5"],
    axe: &["label", "select-name", "aria-input-field-name", "aria-toggle-field-name"],
    repair: RepairKind::Automatic,
};

pub(super) const WIDGET_NAME: About = About {
    title: "Dialogs, meters and tree items have a name",
    measures: "Elements with the role meter, progressbar, dialog, alertdialog, tooltip or treeitem whose accessible \
        name is empty. Moderate for dialogs, tooltips and tree items: no success criterion asks for theirs.",
    exempt: "Native meter, progress and dialog elements without a role.",
    exposure: "Such widgets; half of them nameless is worth nothing.",
    sources: &[
        "WCAG 2.2 SC 1.1.1 (A) https://www.w3.org/WAI/WCAG22/Understanding/non-text-content",
        "WCAG 2.2 SC 4.1.2 (A) https://www.w3.org/WAI/WCAG22/Understanding/name-role-value",
        "WAI-ARIA 1.2 https://www.w3.org/TR/wai-aria-1.2/",
    ],
    act: &[],
    axe: &[
        "aria-meter-name",
        "aria-progressbar-name",
        "aria-dialog-name",
        "aria-tooltip-name",
        "aria-treeitem-name",
    ],
    repair: RepairKind::None,
};

pub(super) const LABEL_IN_NAME: About = About {
    title: "What is written on a control is part of its name",
    measures: "Controls named by aria-label or aria-labelledby whose visible words do not come in the name, in order \
        and whole, without regard to case, punctuation, hyphens and words in round brackets.",
    exempt: "Labels that are a short form of the name, or it of them. Labels of one sign, labels without letters or digits, and words drawn as icons by a font.",
    exposure: "Controls with visible words that are named by an attribute; half of them is worth nothing.",
    sources: &["WCAG 2.2 SC 2.5.3 (A) https://www.w3.org/WAI/WCAG22/Understanding/label-in-name"],
    act: &["2ee8b8"],
    axe: &["label-content-name-mismatch"],
    repair: RepairKind::None,
};

pub(super) const FRAMES: About = About {
    title: "Frames have a name",
    measures: "Frames whose accessible name is empty.",
    exempt: "Frames with a role of their own, hidden frames, and frames out of the focus order.",
    exposure: "Frames; half of them is worth nothing.",
    sources: &["WCAG 2.2 SC 4.1.2 (A) https://www.w3.org/WAI/WCAG22/Understanding/name-role-value"],
    act: &["cae760"],
    axe: &["frame-title"],
    repair: RepairKind::None,
};

pub(super) const FRAME_FOCUS: About = About {
    title: "What is in a frame can be reached",
    measures: "Frames with a negative tabindex whose page, given with srcdoc or lying beside, has something in its focus order.",
    exempt: "Inert and hidden frames. Pages that are not at hand, pages above 200 kB, and frames after the tenth are not looked into.",
    exposure: "Frames with a negative tabindex; half of them is worth nothing.",
    sources: &["WCAG 2.2 SC 2.1.1 (A) https://www.w3.org/WAI/WCAG22/Understanding/keyboard"],
    act: &["akn7bn"],
    axe: &["frame-focusable-content"],
    repair: RepairKind::None,
};
