//! Checks of the seat motion, which sits only where it is cast.

use crate::checks::seats::motion;
use crate::checks::{About, Check, RepairKind};
use crate::finding::Severity;

use super::check;

/// In the order in which they are reported.
pub(in crate::checks) const MOTION: &[Check] = &[
    check(
        "motion/duration",
        "duration",
        Severity::Minor,
        motion::duration,
        About {
            title: "Movement is over soon",
            measures: "Transitions of more than 0.5 s, and animations with an end of which one round takes more than 1 s.",
            exempt: "Delays; animations without an end, which a11y/motion is about; rules for reduced motion; what scripts move.",
            exposure: "Transitions and animations with an end; worth nothing when all of them take too long.",
            sources: &[
                "https://www.nngroup.com/articles/animation-duration/",
                "the bound of 1 s for an entrance is jury's own",
            ],
            act: &[],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "motion/amount",
        "amount",
        Severity::Moderate,
        motion::amount,
        About {
            title: "Few things move at once",
            measures: "Visible elements with an animation of their own that moves something: more than 5.",
            exempt: "Transitions, which wait for a reader; animations of colour alone; what scripts move.",
            exposure: "The elements above 5; worth nothing at 20.",
            sources: &[
                "https://www.w3.org/WAI/WCAG22/Understanding/pause-stop-hide.html",
                "the bounds are jury's own",
            ],
            act: &[],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "motion/reduced",
        "reduced",
        Severity::Moderate,
        motion::reduced,
        About {
            title: "Movement stops for those who ask",
            measures: "Animations that move something, or transitions of position, on a page without a prefers-reduced-motion rule.",
            exempt: "Pages on which nothing moves. What the rule changes is not measured.",
            exposure: "The page; it holds or it does not.",
            sources: &["https://www.w3.org/WAI/WCAG22/Techniques/css/C39"],
            act: &[],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
];
