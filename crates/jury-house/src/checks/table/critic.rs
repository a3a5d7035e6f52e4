//! Checks of the critic.

use crate::checks::{
    About, Check, RepairKind, contained, contrast, hierarchy, overlap, space, typesetting, unmeasured,
};
use crate::finding::Severity;

use super::check;

/// Where figures come from that no standard gives. Percentiles do not rest on these pages.
const EXAMPLES: &str = "250 published example pages, measured once to set the bounds";

/// In the order in which they are reported.
pub(in crate::checks) const CRITIC: &[Check] = &[
    check(
        "critic/hierarchy",
        "hierarchy",
        Severity::Moderate,
        hierarchy::hierarchy,
        About {
            title: "One text is the largest, and headings get smaller with their level",
            measures: "Three parts: the largest size in the first window is at least 1.25 times the next one; the main \
                       heading is 1.8 to 12 times the size most of the text has; the median size of each heading \
                       level is smaller than that of the level above.",
            exempt: "Parts that do not exist: a page with one size in its first window, or with one heading level.",
            exposure: "Parts that fail, of those that apply; worth nothing when all fail. Nine in ten of 250 example \
                       pages have a main heading of 1.9 to 10.5 times the text.",
            sources: &["craft of typography", EXAMPLES],
            act: &[],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "critic/type-scale",
        "type",
        Severity::Minor,
        typesetting::scale,
        About {
            title: "Font sizes follow a scale",
            measures: "Sizes that hold at least 1 % of the characters: the ninth and later count, and so do neighbours \
                       closer than 6 %.",
            exempt: "Sizes of less than 1 % of the characters.",
            exposure: "Sizes too many, of 8; worth nothing at 16 sizes. The median of 250 example pages has 12, and one \
                       in ten has 22 or more, so this is never more than a small fault.",
            sources: &["craft of typography", EXAMPLES],
            act: &[],
            axe: &[],
            repair: RepairKind::Automatic,
        },
    ),
    check(
        "critic/small-text",
        "type",
        Severity::Moderate,
        typesetting::small_text,
        About {
            title: "Text is large enough to read",
            measures: "Characters set under 12 px, ideographs included.",
            exempt: "Hidden text, and text the contrast requirement does not apply to.",
            exposure: "Characters; worth nothing at half of the page. The median of 250 example pages has 7 %, one in \
                       ten has 34 % or more.",
            sources: &["craft of typography", EXAMPLES],
            act: &[],
            axe: &[],
            repair: RepairKind::Automatic,
        },
    ),
    check(
        "critic/measure",
        "type",
        Severity::Minor,
        typesetting::measure,
        About {
            title: "Lines are neither too long nor too tight",
            measures: "Paragraphs of at least 80 characters in two or more lines: 35 to 95 characters in a full line (18 \
                       to 48 ideographs), counted over the lines as laid out; line height 1.35 to 1.9 times the font \
                       size (1.3 to 1.9 for ideographs), 0.95 to 1.35 from 32 px on.",
            exempt: "Code, table cells and buttons. Display text may be short.",
            exposure: "Characters of paragraphs; worth nothing when all are off.",
            sources: &[
                "craft of typography",
                "https://www.w3.org/WAI/WCAG22/Understanding/text-spacing.html",
            ],
            act: &[],
            axe: &[],
            repair: RepairKind::Automatic,
        },
    ),
    check(
        "critic/families",
        "type",
        Severity::Minor,
        typesetting::families,
        About {
            title: "Few families and weights",
            measures: "First families and weights that hold at least 1 % of the characters: 3 families and 4 weights are \
                       free.",
            exempt: "What holds less than 1 % of the characters.",
            exposure: "Families and weights too many, of 3; worth nothing at three too many. Nine in ten of 250 example \
                       pages have no more than 3 families.",
            sources: &["craft of typography", EXAMPLES],
            act: &[],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "critic/caps",
        "type",
        Severity::Minor,
        typesetting::capitals,
        About {
            title: "Capitals have room between them",
            measures: "Texts set in capitals by text-transform with less than 0.05em between letters.",
            exempt: "Texts of fewer than three characters.",
            exposure: "Texts in capitals; worth nothing when all are tight.",
            sources: &["craft of typography"],
            act: &[],
            axe: &[],
            repair: RepairKind::Automatic,
        },
    ),
    check(
        "critic/contrast",
        "contrast",
        Severity::Moderate,
        contrast::legibility,
        About {
            title: "Text stands out from what is behind it",
            measures: "The same measurement as a11y/contrast. The demand to repair is left to that check, so that one \
                       fault is not reported twice.",
            exempt: "As in a11y/contrast.",
            exposure: "Characters; worth nothing at 30 % of them.",
            sources: &["https://www.w3.org/TR/WCAG22/#contrast-minimum"],
            act: &[],
            axe: &[],
            repair: RepairKind::Automatic,
        },
    ),
    check(
        "critic/cta",
        "contrast",
        Severity::Serious,
        hierarchy::call_to_action,
        About {
            title: "The main action is seen, read and not outdone",
            measures: "The first button or link with a fill of its own, four parts: it begins in the first window \
                       (minor); its fill or border has 3:1 against the page (moderate); its text has the contrast \
                       WCAG 1.4.3 asks for (serious); no other filled action in the first window is larger (minor).",
            exempt: "Pages without a filled action. Tabs, menus and toolbars. Fills that are gradients.",
            exposure: "Parts that fail, of four.",
            sources: &[
                "https://www.w3.org/TR/WCAG22/#contrast-minimum",
                "https://www.w3.org/TR/WCAG22/#non-text-contrast",
            ],
            act: &[],
            axe: &[],
            repair: RepairKind::Automatic,
        },
    ),
    check(
        "critic/rhythm",
        "rhythm",
        Severity::Minor,
        space::rhythm,
        About {
            title: "Distances follow a system",
            measures: "Paddings, vertical margins and gaps. With a scale in DESIGN.md: those more than 0.26 px off it \
                       (moderate). Without: those outside the 8 commonest values (minor from 20 % on); the base of \
                       2, 4, 5, 6 or 8 px that carries 90 % of them is named.",
            exempt: "Pages with fewer than 12 distances. Horizontal margins, most of which are what centring left over.",
            exposure: "Distances; worth nothing when all are off. A 4 px grid is not demanded: it carries 55 % of the \
                       distances on the median of 250 example pages.",
            sources: &["craft of layout", EXAMPLES],
            act: &[],
            axe: &[],
            repair: RepairKind::Automatic,
        },
    ),
    check(
        "critic/symmetry",
        "space",
        Severity::Minor,
        space::symmetry,
        About {
            title: "Containers are even left and right",
            measures: "Blocks wider than 240 px whose left and right padding differ by more than 1 px; blocks with a \
                       largest width that stand within 24 px of the middle and more than 1 px off it.",
            exempt: "Lists, quotes, fields, tables and code; boxes with a border on one side; boxes with a mark, an icon \
                     or a button in the wider padding.",
            exposure: "Containers; worth nothing when every second one is uneven. The median of 250 example pages \
                       has 4 %.",
            sources: &["craft of layout", EXAMPLES],
            act: &[],
            axe: &[],
            repair: RepairKind::Automatic,
        },
    ),
    check(
        "critic/overlap",
        "space",
        Severity::Serious,
        overlap::overlap,
        About {
            title: "Text is not overlapped, cut off or outside the window",
            measures: "Lines of text, without the part above and below that holds no ink: more than 15 % of a line over a \
                       line of another element, cut off by a box that hides what does not fit, or outside the window \
                       sideways.",
            exempt: "What is fixed, sticky, animated, turned or scrolls; lines that are wholly out of sight; text on a \
                     box that covers the other; ornaments under half opacity or 1.6:1; texts shortened by an ellipsis. \
                     Undecided where a script fits the page into the window.",
            exposure: "Characters; worth nothing at 30 % of them.",
            sources: &["https://www.w3.org/TR/WCAG22/#resize-text"],
            act: &[],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "critic/measured",
        "space",
        Severity::Minor,
        unmeasured::unmeasured,
        About {
            title: "What is not measured is said",
            measures: "Undecided, never found: declarative shadow roots, foreignObject in drawings, pages in srcdoc, table \
                       captions, cells with another layout, and placeholders with a colour of their own. None of their \
                       text is measured by any check.",
            exempt: "What is not shown. Text under @container, @scope, if(), ::first-line and content-visibility is told by \
                     a11y/contrast.",
            exposure: "Said, and not scored.",
            sources: &["craft of measuring: silence is no verdict"],
            act: &[],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "critic/self-contained",
        "space",
        Severity::Serious,
        contained::self_contained,
        About {
            title: "The page carries everything it needs",
            measures: "Style sheets and images that are neither in the page nor beside it; scripts of other hosts; content \
                       that only exists once scripts have run.",
            exempt: "Fonts, scripts that count visitors, style sheets for print. Images with a relative address, when \
                     nothing is known about the folder of the page. Undecided: files from the root of a site or above \
                     the folder, when nobody looked there.",
            exposure: "It holds or it does not; a page that is whole is not scored for it.",
            sources: &["an artifact is one file"],
            act: &[],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
];
