//! Checks of the seat perf, which sits only where it is cast.

use crate::checks::seats::perf;
use crate::checks::{About, Check, RepairKind};
use crate::finding::Severity;

use super::check;

/// In the order in which they are reported.
pub(in crate::checks) const PERF: &[Check] = &[
    check(
        "perf/weight",
        "weight",
        Severity::Serious,
        perf::weight,
        About {
            title: "The page is light",
            measures: "Bytes of the page and of the files beside it that it asks for: over 500 kB (moderate), over 2 MB (serious).",
            exempt: "Files elsewhere, which are not fetched; the note says how many. Sizes are as stored, not as sent.",
            exposure: "The bytes above 500 kB; worth nothing at 2 MB.",
            sources: &[
                "https://web.dev/articles/your-first-performance-budget",
                "the bounds are jury's own: a page of one file, not a site",
            ],
            act: &[],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "perf/images",
        "weight",
        Severity::Moderate,
        perf::images,
        About {
            title: "No image is heavier than it has to be",
            measures: "Images in the page (data:) or beside it of more than 200 kB each.",
            exempt: "Images elsewhere, backgrounds of style sheets, and drawings in the page.",
            exposure: "Images whose size is known; worth nothing when half of them are too heavy.",
            sources: &["https://developer.chrome.com/docs/lighthouse/performance/uses-optimized-images"],
            act: &[],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "perf/requests",
        "loading",
        Severity::Moderate,
        perf::requests,
        About {
            title: "The page asks for few files",
            measures: "Different addresses of style sheets, scripts, images, frames, films and sounds: more than 25.",
            exempt: "What is in the page itself, and what files ask for in their turn.",
            exposure: "The files above 25; worth nothing at 75.",
            sources: &[
                "https://developer.chrome.com/docs/lighthouse/performance/resource-summary",
                "the bounds are jury's own",
            ],
            act: &[],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "perf/blocking",
        "loading",
        Severity::Moderate,
        perf::blocking,
        About {
            title: "Nothing in the head holds the page up",
            measures: "Scripts with an address in the head that have neither defer nor async and are no modules.",
            exempt: "Scripts in the body, scripts without an address, and blocks of data. Style sheets, which a page has to wait for.",
            exposure: "Scripts with an address in the head; worth nothing when all of them block.",
            sources: &["https://developer.chrome.com/docs/lighthouse/performance/render-blocking-resources"],
            act: &[],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "perf/fonts",
        "loading",
        Severity::Minor,
        perf::fonts,
        About {
            title: "Text is there before its font",
            measures: "@font-face rules that load a file, and style sheets of font services, without font-display swap, fallback or optional.",
            exempt: "Fonts of the reader's machine. Sheets elsewhere that are no font service.",
            exposure: "Fonts; worth nothing when all of them hide their text.",
            sources: &["https://developer.chrome.com/docs/lighthouse/performance/font-display"],
            act: &[],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
];
