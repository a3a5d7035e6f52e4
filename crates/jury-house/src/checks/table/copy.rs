//! Checks of the copy editor.

use crate::checks::{About, Check, RepairKind, claims, copy, placeholder, reading};
use crate::finding::Severity;

use super::check;

/// In the order in which they are reported.
pub(in crate::checks) const COPY: &[Check] = &[
    check(
        "copy/placeholder",
        "complete",
        Severity::Critical,
        placeholder::placeholders,
        About {
            title: "Nothing is left to be filled in",
            measures: "Text, alt, title and aria-label with lorem ipsum, a TODO, FIXME, TBD or XXX, \"placeholder text\", \
                       [Your name] and its like, {{variables}}, \"Feature one\", John Doe; links to example.com \
                       (critical). A note in a comment of the page, a style \
                       sheet or a script (minor).",
            exempt: "Code. A lone \"TODO\", which heads a column of a board; words about it, such as \"The TODO app\"; where it means \"all\", as in Spanish, one \
                     without a colon, bracket or dash. Placeholders of fields, which show a form. Repaired: comments alone.",
            exposure: "Places; worth nothing at three, however long the page is. A comment counts as a tenth.",
            sources: &["a finished page has no TODO, no lorem and no broken link"],
            act: &[],
            axe: &[],
            repair: RepairKind::Automatic,
        },
    ),
    check(
        "copy/claims",
        "complete",
        Severity::Moderate,
        claims::claims,
        About {
            title: "Figures are not made up, and sentences are not repeated",
            measures: "Claims of a kind that is easily invented: 10x faster, 99.9 % uptime, trusted by 10,000 teams, 100 % \
                       satisfaction, the number one of its kind. The same sentence of at least five words three times \
                       or more.",
            exempt: "Claims with a source beside them: a link, a footnote or the words \"according to\". Code and tables.",
            exposure: "Places; worth nothing at five.",
            sources: &["whether a figure is true cannot be seen from a page, only that it gives no source"],
            act: &[],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "copy/readability",
        "clear",
        Severity::Minor,
        reading::readability,
        About {
            title: "Sentences can be read at once",
            measures: "English: Flesch-Kincaid grade above 12, and sentences over 30 words. Other languages: sentences \
                       over 30 words, or over 60 ideographs.",
            exempt: "Pages with fewer than 100 words in paragraphs and lists.",
            exposure: "Sentences; worth nothing when all are long, or eight grades above 12.",
            sources: &["plain language", "https://www.w3.org/WAI/WCAG22/Understanding/reading-level.html"],
            act: &[],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "copy/lengths",
        "clear",
        Severity::Minor,
        reading::lengths,
        About {
            title: "Headings, buttons and titles are short",
            measures: "Main headings over 14 words, buttons over 5 words, page titles over 70 characters.",
            exempt: "Summaries of details, which are often questions.",
            exposure: "Texts of these kinds, at least four; worth nothing when all are too long.",
            sources: &["craft of writing", "https://html-validate.org/rules/long-title.html"],
            act: &[],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "copy/cta-words",
        "action",
        Severity::Moderate,
        copy::vague_words,
        About {
            title: "Links and buttons say what they do",
            measures: "Names that say nothing by themselves: click here, read more, submit, more, link and the like, in \
                       seven languages.",
            exempt: "The same name on links to different addresses, which is a11y/same-links.",
            exposure: "Links and buttons with a name; worth nothing at half of them.",
            sources: &["https://www.w3.org/TR/WCAG22/#link-purpose-in-context"],
            act: &["aizyf1"],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "copy/links",
        "links",
        Severity::Serious,
        copy::links,
        About {
            title: "Links lead somewhere",
            measures: "Links without an address, to #, to javascript:, to an id that is not on the page, to a file that is \
                       not beside the page, to http:// without a host, mailto: without an address and tel: without a number.",
            exempt: "Links with a click handler; # on a link back to the top; links that are switched off, and the page \
                     one is on in a menu; addresses of other hosts, which are not looked up. Undecided: files, when nothing is known about the folder of the page.",
            exposure: "Links; worth nothing when half lead nowhere.",
            sources: &[
                "a finished page has no broken link",
                "https://www.rfc-editor.org/rfc/rfc6068",
                "https://www.rfc-editor.org/rfc/rfc3966",
            ],
            act: &[],
            axe: &[],
            repair: RepairKind::Automatic,
        },
    ),
];
