//! Checks of accessibility that look at boxes and at the cascade.

use crate::checks::{About, Check, RepairKind, distinct, focus, motion, operate, reflow, spacing};
use crate::finding::Severity;

use super::check;

/// In the order in which they are reported.
pub(in crate::checks) const A11Y_LAYOUT: &[Check] = &[
    check(
        "a11y/nontext-contrast",
        "perceive",
        Severity::Moderate,
        distinct::nontext_contrast,
        About {
            title: "Fields can be told from the page",
            measures: "Text fields, and buttons without words or icon: the best of border, fill and outline against what \
                       is around them, under 3:1.",
            exempt: "Controls that look as the browser makes them, disabled ones, and buttons with words or an icon, \
                     which tell what they are. Undecided over gradients and images, and with shadows.",
            exposure: "Such controls; worth nothing at half of them.",
            sources: &[
                "WCAG 2.2 SC 1.4.11 (AA) https://www.w3.org/WAI/WCAG22/Understanding/non-text-contrast",
            ],
            act: &[],
            axe: &[],
            repair: RepairKind::Automatic,
        },
    ),
    check(
        "a11y/link-in-text",
        "perceive",
        Severity::Serious,
        distinct::link_in_text,
        About {
            title: "Links in text are told by more than a shade",
            measures: "Links in lines with more words outside links than inside: without underline, border, fill, outline \
                       or icon, of the same weight, size and family, and less than 3:1 against the words around them.",
            exempt: "Links in navigation, headings and rows of links; links marked by something a rule writes before or \
                     behind them.",
            exposure: "Links in text; worth nothing at half of them.",
            sources: &[
                "WCAG 2.2 SC 1.4.1 (A) https://www.w3.org/WAI/WCAG22/Understanding/use-of-color",
                "technique G183 https://www.w3.org/WAI/WCAG22/Techniques/general/G183",
            ],
            act: &[],
            axe: &["link-in-text-block"],
            repair: RepairKind::Automatic,
        },
    ),
    check(
        "a11y/spacing",
        "perceive",
        Severity::Serious,
        spacing::spacing,
        About {
            title: "Readers can space text out",
            measures: "line-height under 1.5, letter-spacing under 0.12 or word-spacing under 0.16 times the font size, \
                       marked important in a style attribute, where it decides a text that is seen.",
            exempt: "Values from style sheets, which readers can overrule; line height on a single line; inherited values.",
            exposure: "Texts with such a value; worth nothing when all are too tight.",
            sources: &["WCAG 2.2 SC 1.4.12 (AA) https://www.w3.org/WAI/WCAG22/Understanding/text-spacing"],
            act: &["78fd32", "24afc2", "9e45ec"],
            axe: &["avoid-inline-spacing"],
            repair: RepairKind::Automatic,
        },
    ),
    check(
        "a11y/viewport",
        "operate",
        Severity::Moderate,
        operate::viewport,
        About {
            title: "The page says how it fits a phone",
            measures: "A meta viewport is there.",
            exempt: "Nothing.",
            exposure: "It holds or it does not.",
            sources: &["https://html.spec.whatwg.org/multipage/semantics.html#meta-viewport"],
            act: &[],
            axe: &[],
            repair: RepairKind::Automatic,
        },
    ),
    check(
        "a11y/zoom",
        "operate",
        Severity::Serious,
        operate::zoom,
        About {
            title: "Readers can zoom",
            measures: "The content of meta viewport, read as browsers read it: user-scalable that comes to no, or a \
                       maximum-scale under 2.",
            exempt: "Pages without a meta viewport.",
            exposure: "It holds or it does not.",
            sources: &["WCAG 2.2 SC 1.4.4 (AA) https://www.w3.org/WAI/WCAG22/Understanding/resize-text"],
            act: &["b4f0c3"],
            axe: &["meta-viewport"],
            repair: RepairKind::Automatic,
        },
    ),
    check(
        "a11y/reflow",
        "operate",
        Severity::Serious,
        reflow::reflow,
        About {
            title: "The page fits a window of 320 px",
            measures: "Elements that reach more than 1 px out of a window of 320 px, so that one has to scroll sideways to \
                       read, or, where the page cuts them off, lines of text that are cut through.",
            exempt: "Tables, code, pictures, maps and what scrolls by itself. Undecided where a script fits the page into \
                     the window, and below 12 px, where another font would do.",
            exposure: "It holds or it does not; how far it reaches is said.",
            sources: &["WCAG 2.2 SC 1.4.10 (AA) https://www.w3.org/WAI/WCAG22/Understanding/reflow"],
            act: &[],
            axe: &[],
            repair: RepairKind::Proposed,
        },
    ),
    check(
        "a11y/clipped",
        "operate",
        Severity::Moderate,
        reflow::clipped,
        About {
            title: "Zoomed text is not cut off",
            measures: "In a window of 375 px, which stands for 200 %: texts that begin inside a box and lose more than 30 % \
                       of a line at its lower edge, or more than a letter at its right edge, because the box hides what \
                       does not fit.",
            exempt: "Boxes that scroll, what is fixed, texts that are wholly out of sight, and sideways what moves, is \
                     placed or turned, and what is shortened by an ellipsis.",
            exposure: "Characters; worth nothing at a fifth of them.",
            sources: &["WCAG 2.2 SC 1.4.4 (AA) https://www.w3.org/WAI/WCAG22/Understanding/resize-text"],
            act: &["59br37"],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "a11y/target",
        "operate",
        Severity::Moderate,
        operate::target_size,
        About {
            title: "Targets are large enough to hit, or stand apart",
            measures: "Targets under 24 by 24 px whose circle of 24 px meets another target or the circle of another small \
                       one.",
            exempt: "Links in lines of text; checkboxes and the like that nobody gave a size; links to an address that a \
                     larger target leads to as well.",
            exposure: "Targets; worth nothing at half of them.",
            sources: &[
                "WCAG 2.2 SC 2.5.8 (AA) https://www.w3.org/WAI/WCAG22/Understanding/target-size-minimum",
            ],
            act: &[],
            axe: &["target-size"],
            repair: RepairKind::Automatic,
        },
    ),
    check(
        "a11y/focus",
        "operate",
        Severity::Serious,
        focus::focus,
        About {
            title: "One sees where the keyboard is",
            measures: "Elements Tab stops at whose outline is taken away by the rule that wins on focus, while no rule on \
                       focus changes outline, shadow, border, background or colour of them, around them or beside \
                       them.",
            exempt: "Text fields count as moderate: their caret is seen. Undecided where a script listens for focus, and \
                     where it depends on a selector that cannot be decided.",
            exposure: "Elements in the focus order; worth nothing at half of them.",
            sources: &["WCAG 2.2 SC 2.4.7 (AA) https://www.w3.org/WAI/WCAG22/Understanding/focus-visible"],
            act: &["oj04fd"],
            axe: &[],
            repair: RepairKind::Automatic,
        },
    ),
    check(
        "a11y/scroll-focus",
        "operate",
        Severity::Serious,
        reflow::scroll_focus,
        About {
            title: "What scrolls can be scrolled by keyboard",
            measures: "Elements that scroll by more than 13 px and more than their padding, with content, and nothing that \
                       Tab stops at in them or on them.",
            exempt: "The page itself, fields, lists to choose from, frames.",
            exposure: "Elements that scroll; worth nothing when all are out of reach.",
            sources: &["WCAG 2.2 SC 2.1.1 (A) https://www.w3.org/WAI/WCAG22/Understanding/keyboard"],
            act: &["0ssw9k"],
            axe: &["scrollable-region-focusable"],
            repair: RepairKind::Automatic,
        },
    ),
    check(
        "a11y/motion",
        "operate",
        Severity::Moderate,
        motion::motion,
        About {
            title: "Nothing moves for long against the reader's wish",
            measures: "Animations of place, size or opacity on elements that are seen, without end or over 5 s, on a page \
                       that never asks for prefers-reduced-motion; muted video that plays by itself without controls; \
                       marquee and blink.",
            exempt: "Animations of colour alone. What sounds is a11y/sound-control.",
            exposure: "It holds or it does not; not applicable where nothing moves.",
            sources: &[
                "WCAG 2.2 SC 2.2.2 (A) https://www.w3.org/WAI/WCAG22/Understanding/pause-stop-hide",
                "technique C39 https://www.w3.org/WAI/WCAG22/Techniques/css/C39",
            ],
            act: &[],
            axe: &[],
            repair: RepairKind::Automatic,
        },
    ),
];
