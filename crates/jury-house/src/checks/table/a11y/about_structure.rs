//! What is said of the checks of structure.

use crate::checks::{About, RepairKind};

pub(super) const LANG: About = About {
    title: "The page says its language",
    measures: "html has no lang, or one whose primary subtag is not in the IANA registry. Moderate: xml:lang names \
        another language.",
    exempt: "Nothing.",
    exposure: "Holds or does not.",
    sources: &[
        "WCAG 2.2 SC 3.1.1 (A) https://www.w3.org/WAI/WCAG22/Understanding/language-of-page",
        "IANA Language Subtag Registry https://www.iana.org/assignments/language-subtag-registry",
    ],
    act: &["b5c3f8", "bf051a"],
    axe: &["html-has-lang", "html-lang-valid", "html-xml-lang-mismatch"],
    repair: RepairKind::Automatic,
};

pub(super) const LANG_TEXT: About = About {
    title: "The text is in the language the page says",
    measures: "The commonest words are those of another language than html lang says, or the letters are of a script that \
        language is not written in.",
    exempt: "Pages with fewer than three common words of another language, near relatives of the language, and parts with \
        a lang of their own.",
    exposure: "Holds or does not.",
    sources: &["WCAG 2.2 SC 3.1.1 (A) https://www.w3.org/WAI/WCAG22/Understanding/language-of-page"],
    act: &["ucwvc8"],
    axe: &[],
    repair: RepairKind::None,
};

pub(super) const LANG_PARTS: About = About {
    title: "Parts in another language say a language that exists",
    measures: "Elements with a lang whose primary subtag is not in the IANA registry.",
    exempt: "Elements without any text or image text of their own language.",
    exposure: "Elements that say the language of some text; half of them is worth nothing.",
    sources: &[
        "WCAG 2.2 SC 3.1.2 (AA) https://www.w3.org/WAI/WCAG22/Understanding/language-of-parts",
        "IANA Language Subtag Registry https://www.iana.org/assignments/language-subtag-registry",
    ],
    act: &["de46e4"],
    axe: &["valid-lang"],
    repair: RepairKind::None,
};

pub(super) const TITLE: About = About {
    title: "The page has a title",
    measures: "No title, or an empty one.",
    exempt: "Pages that scripts build are undecided.",
    exposure: "Holds or does not.",
    sources: &["WCAG 2.2 SC 2.4.2 (A) https://www.w3.org/WAI/WCAG22/Understanding/page-titled"],
    act: &["2779a5"],
    axe: &["document-title"],
    repair: RepairKind::Automatic,
};

pub(super) const HEADING_ORDER: About = About {
    title: "Headings go down one level at a time, from one of level 1",
    measures: "A heading more than one level below the one before it; no heading of level 1; no heading at all on a \
        page of 300 characters or more. Minor: several headings of level 1.",
    exempt: "The level of the first heading. Hidden headings. Pages that scripts build are undecided when they have \
        no heading.",
    exposure: "Headings; half of them jumping is worth nothing.",
    sources: &[
        "WCAG 2.2 SC 1.3.1 (A) https://www.w3.org/WAI/WCAG22/Understanding/info-and-relationships",
        "WCAG 2.2 SC 2.4.6 (AA) https://www.w3.org/WAI/WCAG22/Understanding/headings-and-labels",
        "axe-core heading-order https://dequeuniversity.com/rules/axe/4.11/heading-order",
    ],
    act: &[],
    axe: &["heading-order", "page-has-heading-one"],
    repair: RepairKind::None,
};

pub(super) const HEADING_NAME: About = About {
    title: "Headings say something",
    measures: "Headings whose accessible name is empty.",
    exempt: "Hidden headings. An empty heading that a script of the page names by its id is undecided.",
    exposure: "Headings; half of them empty is worth nothing.",
    sources: &[
        "WCAG 2.2 SC 1.3.1 (A) https://www.w3.org/WAI/WCAG22/Understanding/info-and-relationships",
        "WCAG 2.2 SC 2.4.6 (AA) https://www.w3.org/WAI/WCAG22/Understanding/headings-and-labels",
    ],
    act: &["ffd0e9"],
    axe: &["empty-heading"],
    repair: RepairKind::None,
};

pub(super) const MAIN: About = About {
    title: "There is one main part",
    measures: "Not exactly one main landmark, or one inside of another landmark.",
    exempt: "Pages without text. Pages that scripts build are undecided when they have none.",
    exposure: "Holds or does not.",
    sources: &[
        "axe-core landmark-one-main https://dequeuniversity.com/rules/axe/4.11/landmark-one-main",
        "WAI-ARIA 1.2 https://www.w3.org/TR/wai-aria-1.2/",
    ],
    act: &[],
    axe: &["landmark-one-main", "landmark-no-duplicate-main", "landmark-main-is-top-level"],
    repair: RepairKind::Automatic,
};

pub(super) const REGION: About = About {
    title: "Everything stands in a landmark",
    measures: "The largest elements that hold content, hold no landmark and stand in none; the share is of visible \
        characters.",
    exempt: "Dialogs, live regions, buttons, frames, drawings and skip links outside of landmarks.",
    exposure: "Visible characters; all of them outside is worth nothing.",
    sources: &[
        "axe-core region https://dequeuniversity.com/rules/axe/4.11/region",
        "WCAG 2.2 SC 1.3.1 (A) https://www.w3.org/WAI/WCAG22/Understanding/info-and-relationships",
    ],
    act: &[],
    axe: &["region"],
    repair: RepairKind::None,
};

pub(super) const LANDMARKS: About = About {
    title: "Landmarks can be told apart and stand outermost",
    measures: "Landmarks with the same role and the same name; banner, contentinfo and complementary inside of \
        another landmark.",
    exempt: "Complementary inside of main. Several main landmarks, which are reported by a11y/main.",
    exposure: "Landmarks; half of them is worth nothing.",
    sources: &[
        "axe-core landmark-unique https://dequeuniversity.com/rules/axe/4.11/landmark-unique",
        "WAI-ARIA 1.2 https://www.w3.org/TR/wai-aria-1.2/",
    ],
    act: &[],
    axe: &[
        "landmark-unique",
        "landmark-no-duplicate-banner",
        "landmark-no-duplicate-contentinfo",
        "landmark-banner-is-top-level",
        "landmark-contentinfo-is-top-level",
        "landmark-complementary-is-top-level",
    ],
    repair: RepairKind::None,
};

pub(super) const LISTS: About = About {
    title: "Lists hold items, and items stand in lists",
    measures: "ul and ol that directly hold anything but li, dl that holds anything but dt, dd and groups of them, \
        dl without a dt and a dd behind it, and items outside of such lists.",
    exempt: "Hidden children, scripts and templates. Lists with another role.",
    exposure: "Lists and items; a fifth of them is worth nothing.",
    sources: &[
        "WCAG 2.2 SC 1.3.1 (A) https://www.w3.org/WAI/WCAG22/Understanding/info-and-relationships",
        "HTML https://html.spec.whatwg.org/multipage/grouping-content.html",
    ],
    act: &["bc4a75"],
    axe: &["list", "listitem", "definition-list", "dlitem"],
    repair: RepairKind::None,
};

pub(super) const TABLE_HEADERS: About = About {
    title: "Table headers head something",
    measures: "Column headers without a cell below, row headers without a cell beside. Minor: a header without text, \
        an unknown scope.",
    exempt: "Headers named by the headers attribute of a cell. In a table without any data cell on a page with \
        scripts, they are undecided.",
    exposure: "Header cells; half of them is worth nothing.",
    sources: &[
        "WCAG 2.2 SC 1.3.1 (A) https://www.w3.org/WAI/WCAG22/Understanding/info-and-relationships",
        "HTML https://html.spec.whatwg.org/multipage/tables.html",
    ],
    act: &["d0f69e"],
    axe: &["th-has-data-cells", "empty-table-header", "scope-attr-valid"],
    repair: RepairKind::None,
};

pub(super) const CELL_HEADERS: About = About {
    title: "Cells name headers of their own table",
    measures: "A headers attribute that names the cell itself or something that is no cell of the same table.",
    exempt: "Tables that are hidden or have another role.",
    exposure: "Cells with the attribute; a fifth of them is worth nothing.",
    sources: &["WCAG 2.2 SC 1.3.1 (A) https://www.w3.org/WAI/WCAG22/Understanding/info-and-relationships"],
    act: &["a25f45"],
    axe: &["td-headers-attr"],
    repair: RepairKind::None,
};

pub(super) const BYPASS: About = About {
    title: "There is a way past what comes first",
    measures: "A skip link whose target is not on the page. Undecided: links, and neither heading, main landmark nor \
        skip link.",
    exempt: "Pages without links.",
    exposure: "Holds or does not.",
    sources: &["WCAG 2.2 SC 2.4.1 (A) https://www.w3.org/WAI/WCAG22/Understanding/bypass-blocks"],
    act: &[],
    axe: &["bypass", "skip-link"],
    repair: RepairKind::None,
};
