//! Checks of the critic that look at a page as a whole: first impression, substance, composition, colour.

use crate::checks::{About, Check, RepairKind};
use crate::composition::{
    alignment, balance, cards, gaps, grouping, hues, likeness, room, setting, substance, tilt, wall,
};
use crate::finding::Severity;
use crate::impression::impression;

use super::check;

/// Where the bounds come from: conventions of the craft, set on one half of the pages that percentiles rest on.
const CRAFT: &str = "craft of layout";

/// In the order in which they are reported.
pub(in crate::checks) const CRITIC_LAYOUT: &[Check] = &[
    check(
        "critic/impression",
        "impression",
        Severity::Moderate,
        impression,
        About {
            title: "The first window is liked at a glance",
            measures: "The first window, painted with its text at half its size: contours that crowd each other, edges and \
                       how soft they are, letters, pictures and the largest of them, shades of each colour, what plain \
                       colours cover, and how much of light and dark lies in large shapes. A sum of monotone terms, fitted \
                       to what people said of such windows, gives the rating that they would give.",
            exempt: "Nothing. Whether a page is light or dark makes no difference.",
            exposure: "The rating, from 2.8 (worth nothing) to 5.0 (worth everything) of 9. Drawings, films, frames and pictures \
                       that are not painted count half as much as the rest for the lower end, and as the best for the upper \
                       one; a window that cannot be painted has the whole span.",
            sources: &[
                "Reinecke and Gajos, Visual preferences around the world, 2014",
                "Miniukovich and De Angeli, Computation of interface aesthetics, 2015",
            ],
            act: &[],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "critic/substance",
        "substance",
        Severity::Moderate,
        substance,
        About {
            title: "There is a page",
            measures: "Words against 24, blocks (40 words are one) against 6, and the part of the first window that is used against 40 %. A \
                       picture or a control counts as four words. The least of the three multiplies what the critic says \
                       of everything else; below half of it the page is nearly empty, and the critic says no more than 2.4.",
            exempt: "Pages whose scripts have something to show that is hidden now. Windows of which more than a fifth is \
                     not painted: what is there cannot be told, so the upper end is that of a whole page.",
            exposure: "The least of the three parts.",
            sources: &[CRAFT],
            act: &[],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "critic/alignment",
        "composition",
        Severity::Moderate,
        alignment,
        About {
            title: "Blocks stand on common lines",
            measures: "Paragraphs, pictures, controls and painted boxes: whether the left edge, the middle or the right edge \
                       of each is that of two others near it, or whether it stands in a row with others. A left edge that \
                       misses a common one by 2 to 8 px counts again. More than 50 % on no line: the page is strewn, \
                       and the critic says no more than 2.4.",
            exempt: "Pages with fewer than 8 blocks, and what lies outside of the window.",
            exposure: "Blocks by the root of their area; a tenth of it is free, and half of the rest is worth nothing.",
            sources: &[CRAFT, "Ngo, Teo and Byrne, Modelling interface aesthetics, 2003"],
            act: &[],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "critic/tilt",
        "composition",
        Severity::Minor,
        tilt,
        About {
            title: "Text stands upright",
            measures: "Characters in lines that are turned out of the level. More than 60 %: the critic says no more than 2.4.",
            exempt: "Text that runs downwards; pages with fewer than 40 characters.",
            exposure: "Characters; worth nothing at half of them.",
            sources: &[CRAFT],
            act: &[],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "critic/balance",
        "composition",
        Severity::Minor,
        balance,
        About {
            title: "The first window is not all on one side",
            measures: "Changes of colour in the left half of the first window against those in the right half: how far the \
                       difference is over 75 % of all.",
            exempt: "Windows with next to nothing in them, and those of which a tenth is not painted.",
            exposure: "What is over 75 %; worth nothing when all is on one side.",
            sources: &[CRAFT],
            act: &[],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "critic/gaps",
        "composition",
        Severity::Moderate,
        gaps,
        About {
            title: "Distances between blocks come back",
            measures: "Gaps downwards between boxes that follow each other, and sideways where three or more stand in a \
                       row: those that no other gap of the page repeats to 0.75 px.",
            exempt: "Pages with fewer than 8 gaps; gaps over 400 px; boxes that join.",
            exposure: "Gaps; one in ten is free, and 60 % that come but once are worth nothing.",
            sources: &[CRAFT],
            act: &[],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "critic/grouping",
        "composition",
        Severity::Minor,
        grouping,
        About {
            title: "Headings stand with what they head",
            measures: "Headings between two blocks that are nearer to the one before than to the one after.",
            exempt: "Main headings, a small line above the first heading of a part, and pages with fewer than three such headings.",
            exposure: "Headings; worth nothing when all are adrift.",
            sources: &["law of proximity"],
            act: &[],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "critic/room",
        "composition",
        Severity::Moderate,
        room,
        About {
            title: "Text has room around it",
            measures: "Characters of paragraphs that stand nearer than 0.3 of their size to the edge of the box they are in, \
                       or that touch the next text.",
            exempt: "Cells of tables, marked words, and text that was moved out of its box; pages with fewer than 40 \
                     characters.",
            exposure: "Characters; worth nothing at half of them.",
            sources: &[CRAFT],
            act: &[],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "critic/likeness",
        "composition",
        Severity::Moderate,
        likeness,
        About {
            title: "Things of one kind look alike",
            measures: "Elements with the same tag and classes inside the same: those whose size, typeface, alignment, box or \
                       colour no second one of their kind has.",
            exempt: "Kinds of fewer than three, and one that is alone in being different: the first or the last often is.",
            exposure: "Members, each for each of the five; colour and alignment count half. Worth nothing at a quarter.",
            sources: &[CRAFT],
            act: &[],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "critic/cards",
        "composition",
        Severity::Minor,
        cards,
        About {
            title: "Boxes of one kind are of one size",
            measures: "Painted boxes with the same tag and classes in the same element: those that no other one is as wide \
                       as, and those that no other one in their row is as high as.",
            exempt: "Kinds of fewer than three, one that is alone in being different, and boxes under 100 by 56 px.",
            exposure: "Boxes; worth nothing when half of them differ.",
            sources: &[CRAFT],
            act: &[],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "critic/hues",
        "hues",
        Severity::Moderate,
        hues,
        About {
            title: "Few hues, and not all of them loud",
            measures: "Hues with a chroma of 0.06 or more in OKLCH, in the areas of the first window and in all text: the \
                       fourth and later count, and so does the part of the window over 12.5 % that is loud (a chroma of 0.17 \
                       or more). A quarter in loud colours of three or more strong hues: the colours clash, and the critic says no more than 2.4.",
            exempt: "Hues on less than 0.4 % of the window, and on less than 2 % of the letters.",
            exposure: "Hues too many, of 4, and the loud part of the window where there are two strong hues or more.",
            sources: &["Cohen-Or et al., Color harmonization, 2006", CRAFT],
            act: &[],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "critic/wall",
        "type",
        Severity::Moderate,
        wall,
        About {
            title: "Text is broken up",
            measures: "Characters in paragraphs of more than 900 characters, about 150 words, and in paragraphs of two or \
                       more lines that are wider than 120 characters of a mean width of 0.47 em.",
            exempt: "Pages with fewer than 80 characters; long paragraphs in ideographs, which take less room.",
            exposure: "Characters; worth nothing at half of them.",
            sources: &["craft of typography"],
            act: &[],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "critic/setting",
        "type",
        Severity::Moderate,
        setting,
        About {
            title: "Long text is set to be read",
            measures: "Characters in capitals of more than 40 characters, and in text of more than 160 characters and four \
                       lines that is centred or justified.",
            exempt: "Short lines in capitals; pages with fewer than 80 characters.",
            exposure: "Characters; worth nothing at half of them.",
            sources: &["craft of typography"],
            act: &[],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
];
