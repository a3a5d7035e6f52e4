//! Checks of the seat i18n, which sits only where it is cast.

use crate::checks::seats::i18n;
use crate::checks::{About, Check, RepairKind};
use crate::finding::Severity;

use super::check;

/// In the order in which they are reported.
pub(in crate::checks) const I18N: &[Check] = &[
    check(
        "i18n/lang",
        "language",
        Severity::Moderate,
        i18n::lang,
        About {
            title: "The page says its language",
            measures: "A lang on html that is a language tag.",
            exempt: "Whether it is the language of the text: see a11y/lang-text.",
            exposure: "The page; it holds or it does not.",
            sources: &["https://www.w3.org/International/questions/qa-html-language-declarations"],
            act: &[],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "i18n/direction",
        "language",
        Severity::Serious,
        i18n::direction,
        About {
            title: "A page from right to left says so",
            measures: "Pages in Arabic, Hebrew, Persian, Urdu, Yiddish, Pashto, Sindhi, Uyghur, Divehi or Sorani, by lang or by most of their \
                       letters, without dir rtl or auto on html or body.",
            exempt: "Pages from left to right with single words from right to left.",
            exposure: "The page; it holds or it does not.",
            sources: &["https://www.w3.org/International/questions/qa-html-dir"],
            act: &[],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "i18n/expansion",
        "room",
        Severity::Moderate,
        i18n::expansion,
        About {
            title: "Text has room to grow",
            measures: "The page is laid out again with letters 0.2 em further apart, which makes text about 40 % longer: text that is then cut off \
                       by an element that hides what does not fit, or by the window, and was not before.",
            exempt: "What can be scrolled to inside an element; boxes of one or two pixels, which are for screen readers; text of one letter.",
            exposure: "Visible texts; worth nothing when a quarter of them is cut off.",
            sources: &["https://www.w3.org/International/articles/article-text-size"],
            act: &[],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "i18n/dates",
        "formats",
        Severity::Moderate,
        i18n::dates,
        About {
            title: "Dates are the same day everywhere",
            measures: "Dates in figures with strokes whose day and month can change places, such as 03/04/2025.",
            exempt: "Dates with a day above 12, with day and month alike, with dots or hyphens; fractions; code.",
            exposure: "Dates with strokes; worth nothing when all of them are unclear.",
            sources: &["https://www.w3.org/International/questions/qa-date-format"],
            act: &[],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "i18n/numbers",
        "formats",
        Severity::Moderate,
        i18n::numbers,
        About {
            title: "Decimals are written in one way",
            measures: "Prices with a sign of a currency and two decimals, some behind a comma and some behind a point.",
            exempt: "Numbers without a currency, which may be versions or thousands; code.",
            exposure: "The page; it holds or it does not.",
            sources: &["https://www.w3.org/International/questions/qa-number-format"],
            act: &[],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
];
