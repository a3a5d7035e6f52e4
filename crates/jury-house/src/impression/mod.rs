//! The first impression: what a picture of the first window says before anybody reads it.
//!
//! [`bitmap`] measures the picture, [`model`] says what people made of such figures. Both are pure; the picture comes from
//! the painter, see [`jury_eye::Picture`].

mod bitmap;
mod model;

use std::fmt::Write as _;

use crate::finding::{Finding, Measure, Outcome, Severity, count};
use crate::page::Page;
use jury_eye::{Picture, Rect, Snapshot};

pub(crate) use bitmap::{Bitmap, Figures};
pub(crate) use model::rating;

/// The ratings between which the score goes from 0 to 10. The painter has no web fonts, no drawings and no remote pictures,
/// so its pictures are flatter than screenshots, and the upper end is lower than that of the rated pages.
const WORST: f64 = 2.8;
const BEST: f64 = 5.0;

/// A rating this low is told as a finding: one rated page in ten is as low.
const LOW: f64 = 3.5;

/// What the picture of a page comes to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Impression {
    pub(crate) figures: Figures,
    /// The part of the window that holds drawings, films, frames and pictures that were not painted.
    pub(crate) unseen: f64,
}

impl Impression {
    /// Looks at the picture of a snapshot, when there is one.
    pub(crate) fn of(snapshot: &Snapshot) -> Option<Self> {
        let Picture { width, rgba } = snapshot.picture.as_ref()?;
        let bitmap = Bitmap::of(usize::try_from(*width).ok()?, rgba)?;
        Some(Self { figures: bitmap.figures(), unseen: unseen(snapshot) })
    }
}

/// The part of the first window that was not painted. Places that lie over each other count once for each, which only
/// makes less certain what is not certain.
fn unseen(snapshot: &Snapshot) -> f64 {
    let (width, height) = window(snapshot);
    let area: f32 = snapshot
        .nodes
        .iter()
        .filter(|node| node.shown && (node.unseen || backdrop_is_unseen(node)))
        .filter_map(|node| node.rect)
        .filter_map(|rect| within(rect, width, height))
        .sum();
    f64::from((area / (width * height)).min(1.0))
}

fn backdrop_is_unseen(node: &jury_eye::Node) -> bool {
    node.style.as_ref().is_some_and(|style| style.backdrop.unseen)
}

/// The area of a box inside the window.
fn within(rect: Rect, width: f32, height: f32) -> Option<f32> {
    let across = (rect.x + rect.width).min(width) - rect.x.max(0.0);
    let down = (rect.y + rect.height).min(height) - rect.y.max(0.0);
    (across > 0.0 && down > 0.0).then_some(across * down)
}

/// Width and height of the window.
pub(crate) fn window(snapshot: &Snapshot) -> (f32, f32) {
    let side = |value: u32| f32::from(u16::try_from(value).unwrap_or(u16::MAX));
    (side(snapshot.viewport.width), side(snapshot.viewport.height))
}

/// The check of the first impression.
pub(crate) fn impression(page: &Page<'_>) -> Outcome {
    let Some(seen) = &page.impression else {
        return Outcome {
            measure: Measure::Score { low: 0.0, high: 10.0 },
            note: "the window could not be painted".to_owned(),
            findings: Vec::new(),
            undecided: Vec::new(),
        };
    };
    let (rating, terms) = rating(&seen.figures);
    let score = score(rating);
    let mut strongest: Vec<_> = terms.iter().filter(|term| term.points.abs() >= 0.05).collect();
    strongest.sort_by(|one, other| other.points.abs().total_cmp(&one.points.abs()));
    let told: Vec<String> = strongest
        .iter()
        .take(4)
        .map(|term| format!("{} {:.2} ({:+.1})", term.name, term.value, term.points))
        .collect();
    let mut note = format!("people would rate it {rating:.1} of 9: {}", told.join(", "));
    if seen.unseen >= 0.05 {
        let _ = write!(note, "; {:.0} % of the window was not painted", 100.0 * seen.unseen);
    }
    let findings = if rating < LOW {
        let what = format!("the first window looks crowded and flat: {}", told.join(", "));
        let finding = Finding::page(Severity::Minor, what).because("first window");
        vec![terms.iter().fold(finding, |finding, term| finding.figure(term.name, term.value, ""))]
    } else {
        Vec::new()
    };
    // What was not painted counts half as much as the rest for the lower end, and as the best there is for the upper one.
    let low = score * (1.0 - seen.unseen / 2.0);
    let high = score + seen.unseen * (10.0 - score);
    Outcome { measure: Measure::Score { low, high }, note, findings, undecided: Vec::new() }
}

fn score(rating: f64) -> f64 {
    (10.0 * (rating - WORST) / (BEST - WORST)).clamp(0.0, 10.0)
}

/// The figures of a picture by name, the rating that people would give it last. For fitting and trying the model.
pub fn picture_figures(picture: &Picture) -> Vec<(&'static str, f64)> {
    let bitmap = usize::try_from(picture.width).ok().and_then(|width| Bitmap::of(width, &picture.rgba));
    let Some(figures) = bitmap.map(|bitmap| bitmap.figures()) else { return Vec::new() };
    let (rating, _) = rating(&figures);
    let mut named = figures.named();
    named.push(("colours", count(figures.colours.len())));
    named.push(("rating", rating));
    named
}
