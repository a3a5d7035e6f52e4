//! Text that lies over other text, is cut off, or runs out of the window.
//!
//! Boxes of lines are as high as their font; what counts is where the letters are, so a part above and below is left
//! out. Layers that cover each other, windows of their own and what moves are not judged: what lies on top there is
//! a matter of time or of a script.

use std::collections::BTreeMap;

use jury_eye::{Layout, Node, NodeId, Overflow, Position, Rect};

use super::reflow::{depends_on_more, is_sized, sizes, width_of};
use super::view::{self, shared};
use crate::finding::{Finding, Measure, Outcome, Severity};
use crate::grid::Grid;
use crate::page::{Page, selector};
use crate::rules::Rules;
use crate::selector::State;

/// The share of characters at which the check is worth nothing: a third of the words out of sight.
const ZERO_AT: f64 = 0.3;

/// The share of a line that must lie over another, or be cut off.
const BOUND: f32 = 0.15;

/// The part of a line box above and below that holds no ink: most letters reach from the baseline to the x-height.
const NO_INK: f32 = 0.22;

/// A line this many times as high as its font is a line that was turned, and its box says nothing.
const TURNED: f32 = 2.2;

/// Below this opacity, and below this contrast, a text is an ornament behind others.
const ORNAMENT_OPACITY: f32 = 0.5;
const ORNAMENT_RATIO: f64 = 1.6;

/// What is wrong with a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    Overlaps,
    Cut,
    Outside,
}

impl Fault {
    fn describe(self) -> &'static str {
        match self {
            Self::Overlaps => "text lies over other text",
            Self::Cut => "text is cut off by the box around it",
            Self::Outside => "text runs out of the window",
        }
    }
}

/// A line with the element it belongs to.
struct Line {
    node: usize,
    ink: Rect,
}

/// What holds for everything inside an element.
#[derive(Clone, Copy)]
struct Around {
    /// The part of the page in which content is seen.
    window: Rect,
    cut_by: Option<NodeId>,
    /// Not to be judged: it moves, is fixed to the window, or scrolls.
    apart: bool,
    opacity: f32,
    /// The nearest element around it that is out of the flow.
    layer: Option<NodeId>,
}

pub(super) fn overlap(page: &Page<'_>) -> Outcome {
    let around = surroundings(page);
    let ratios: BTreeMap<NodeId, f64> = page.runs.iter().map(|run| (run.node, run.ratio)).collect();
    let texts: Vec<&Node> = page
        .snapshot
        .nodes
        .iter()
        .filter(|node| node.shown && node.exposed && !node.lines.is_empty())
        .filter(|node| node.text.chars().filter(|ch| ch.is_alphanumeric()).count() > 1)
        .filter(|node| around.get(node.id.index()).is_some_and(|around| !around.apart))
        .filter(|node| !is_turned(node))
        .collect();
    let total: f64 = texts.iter().map(|node| super::reflow::characters(node)).sum();
    if texts.is_empty() {
        return Outcome::not_applicable();
    }
    let rules = Boxes::of(page);
    let mut faults: BTreeMap<NodeId, (Fault, String)> = BTreeMap::new();
    let mut open: BTreeMap<NodeId, (Fault, String)> = BTreeMap::new();
    let doubtful = depends_on_more(page);
    for node in &texts {
        let found = around.get(node.id.index()).and_then(|around| outside(page, &rules, node, around));
        if let Some((fault, cause, certain)) = found {
            let list = if certain && !doubtful { &mut faults } else { &mut open };
            list.insert(node.id, (fault, cause));
        }
    }
    for (node, other) in overlapping(page, &texts, &around, &ratios) {
        // Both texts of a pair are one fault, whichever of them is moved.
        let (first, second) = (node.min(other), node.max(other));
        let name = |id: NodeId| page.node(id).map(selector).unwrap_or_default();
        let cause = format!("{} and {}", name(first), name(second));
        let list = if doubtful { &mut open } else { &mut faults };
        list.entry(node).or_insert((Fault::Overlaps, cause));
    }
    let characters = |faults: &BTreeMap<NodeId, (Fault, String)>| -> f64 {
        faults
            .keys()
            .filter_map(|id| page.node(*id))
            .map(super::reflow::characters)
            .fold(0.0, |sum, one| sum + one)
    };
    let failing = characters(&faults);
    Outcome {
        measure: Measure::Share {
            failing,
            unknown: characters(&open).min(total - failing),
            total: total.max(1.0),
            zero_at: ZERO_AT,
        },
        note: format!("{failing:.0} of {total:.0} characters overlapped, cut off or outside the window"),
        findings: findings(page, &faults),
        undecided: findings(page, &open),
    }
}

/// Rules that say how large boxes are and what becomes of the rest.
struct Boxes<'a> {
    shortening: Rules<'a>,
    sized: Rules<'a>,
}

impl<'a> Boxes<'a> {
    fn of(page: &'a Page<'_>) -> Self {
        Self { shortening: shortening(page), sized: sizes(page) }
    }
}

fn findings(page: &Page<'_>, faults: &BTreeMap<NodeId, (Fault, String)>) -> Vec<Finding> {
    let mut groups: BTreeMap<(Fault, String), Vec<NodeId>> = BTreeMap::new();
    for (id, (fault, cause)) in faults {
        groups.entry((*fault, cause.clone())).or_default().push(*id);
    }
    groups
        .into_iter()
        .map(|((fault, cause), nodes)| {
            let characters: f64 =
                nodes.iter().filter_map(|id| page.node(*id)).map(super::reflow::characters).sum();
            let what = format!("{} ({})", fault.describe(), page.places(&nodes));
            Finding::on(Severity::Serious, nodes, what)
                .because(format!("{} {cause}", fault.describe()))
                .figure("characters", characters, "")
        })
        .collect()
}

fn is_turned(node: &Node) -> bool {
    let size = node.style.as_ref().map_or(16.0, |style| style.font_size);
    node.lines.iter().any(|line| line.height > size * TURNED || line.width < size * 0.2 && line.height > size)
}

/// What holds around each element, from the root down.
fn surroundings(page: &Page<'_>) -> Vec<Around> {
    let snapshot = &page.snapshot;
    let everywhere = Rect { x: -1e6, y: -1e6, width: 2e6, height: 2e6 };
    let top = Around { window: everywhere, cut_by: None, apart: false, opacity: 1.0, layer: None };
    let mut found: Vec<Around> = Vec::with_capacity(snapshot.nodes.len());
    for node in &snapshot.nodes {
        let mut here = node.parent.and_then(|parent| found.get(parent.index())).copied().unwrap_or(top);
        if let Some(style) = &node.style {
            here.apart |= matches!(style.position, Position::Fixed | Position::Sticky)
                || !style.animations.is_empty()
                || matches!(node.tag.as_str(), "marquee" | "dialog");
            here.opacity *= style.opacity;
            if matches!(style.position, Position::Absolute | Position::Fixed) {
                here.layer = Some(node.id);
            }
            if style.clips
                && !matches!(node.tag.as_str(), "html" | "body")
                && let Some(rect) = node.rect
            {
                here.apart |= style
                    .overflow
                    .iter()
                    .any(|overflow| matches!(overflow, Overflow::Auto | Overflow::Scroll));
                let cut = cut_to(here.window, rect, style.overflow);
                if cut != here.window {
                    here.cut_by = Some(node.id);
                }
                here.window = cut;
            }
        }
        found.push(here);
    }
    found
}

fn cut_to(window: Rect, rect: Rect, [sideways, down]: [Overflow; 2]) -> Rect {
    let cuts = |overflow: Overflow| overflow != Overflow::Visible;
    let mut own = window;
    if cuts(sideways) {
        (own.x, own.width) = (rect.x, rect.width);
    }
    if cuts(down) {
        (own.y, own.height) = (rect.y, rect.height);
    }
    shared(window, own).unwrap_or(Rect { width: 0.0, height: 0.0, ..own })
}

/// Whether a text is cut through, or runs out of the window sideways.
fn outside(
    page: &Page<'_>,
    rules: &Boxes<'_>,
    node: &Node,
    around: &Around,
) -> Option<(Fault, String, bool)> {
    let width = width_of(&page.snapshot);
    for line in &node.lines {
        let ink = ink(*line);
        if ink.area() <= 0.0 {
            continue;
        }
        let seen = shared(ink, around.window).map_or(0.0, |part| part.area());
        // A line that is wholly out of sight waits for its turn: a slide, a closed part.
        if seen <= 0.0 {
            continue;
        }
        if (ink.area() - seen) / ink.area() > BOUND {
            let holder = around.cut_by.and_then(|id| page.node(id));
            // An ellipsis says that there is more.
            if holder.is_some_and(|holder| is_shortened(page, &rules.shortening, node, holder)) {
                return None;
            }
            // Boxes nobody gave a size grow with their content; where the engine shrinks one, it may be wrong.
            let sized = holder.is_some_and(|holder| is_sized(&page.snapshot, &rules.sized, holder));
            return Some((Fault::Cut, holder.map(selector).unwrap_or_default(), sized));
        }
        let beyond = (ink.x + ink.width - width).max(-ink.x);
        if beyond > 1.0 && beyond / ink.width > BOUND && ink.x < width && ink.x + ink.width > 0.0 {
            return Some((Fault::Outside, selector(node), true));
        }
    }
    None
}

/// Rules that shorten text and say so.
pub(super) fn shortening<'a>(page: &'a Page<'_>) -> Rules<'a> {
    Rules::among(page.all_declarations(), |declaration| {
        declaration.property == "text-overflow" || declaration.property.ends_with("line-clamp")
    })
}

/// Whether the rules shorten a text on purpose.
pub(super) fn is_shortened(page: &Page<'_>, shortening: &Rules<'_>, node: &Node, holder: &Node) -> bool {
    [node, holder].iter().any(|node| {
        !shortening.reaching(&page.snapshot, node, State::Rest).is_empty()
            || node
                .attribute("style")
                .is_some_and(|style| style.contains("ellipsis") || style.contains("line-clamp"))
    })
}

/// The part of a line box that letters fill.
fn ink(line: Rect) -> Rect {
    Rect { y: line.y + line.height * NO_INK, height: line.height * (1.0 - 2.0 * NO_INK), ..line }
}

/// Texts that lie over each other, each pair in both directions.
fn overlapping(
    page: &Page<'_>,
    texts: &[&Node],
    around: &[Around],
    ratios: &BTreeMap<NodeId, f64>,
) -> Vec<(NodeId, NodeId)> {
    let is_ornament = |node: &Node| {
        around.get(node.id.index()).is_some_and(|around| around.opacity < ORNAMENT_OPACITY)
            || node.style.as_ref().is_some_and(|style| style.color.alpha < ORNAMENT_OPACITY)
            || ratios.get(&node.id).is_some_and(|ratio| *ratio < ORNAMENT_RATIO)
    };
    let mut lines: Vec<Line> = Vec::new();
    let mut grid = Grid::default();
    for (index, node) in texts.iter().enumerate().filter(|(_, node)| !is_ornament(node)) {
        let Some(window) = around.get(node.id.index()).map(|around| around.window) else { continue };
        for ink in node.lines.iter().filter_map(|line| shared(ink(*line), window)) {
            grid.insert(lines.len(), ink);
            lines.push(Line { node: index, ink });
        }
    }
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        for other in grid.near(line.ink).into_iter().filter(|other| *other > index) {
            let Some(other) = lines.get(other).filter(|other| other.node != line.node) else { continue };
            let common = shared(line.ink, other.ink).map_or(0.0, |part| part.area());
            if common <= line.ink.area().min(other.ink.area()) * BOUND {
                continue;
            }
            let (Some(one), Some(two)) = (texts.get(line.node), texts.get(other.node)) else { continue };
            if !is_covered(page, one, two, around) {
                found.push((one.id, two.id));
                found.push((two.id, one.id));
            }
        }
    }
    found
}

/// Whether one of two texts stands on a box that covers the other: then only one of them is seen.
fn is_covered(page: &Page<'_>, one: &Node, two: &Node, around: &[Around]) -> bool {
    let layer = |node: &Node| around.get(node.id.index()).and_then(|around| around.layer);
    // Boxes in the flow that paint over their neighbours come later on the page.
    let paints = |node: &Node, other: &Node| {
        std::iter::once(node)
            .chain(page.snapshot.ancestors(node))
            .take_while(|above| !view::holds(above, other.id))
            .filter_map(|above| above.style.as_ref())
            .any(|style| {
                style.backdrop.image
                    || style.backdrop.color.alpha > 0.6
                    || style.backdrop.gradient.iter().any(|stop| stop.alpha > 0.6)
            })
    };
    let on_own_layer = layer(one) != layer(two);
    let (first, second) = if one.id < two.id { (one, two) } else { (two, one) };
    paints(second, first) || on_own_layer && paints(first, second)
        // Words of one line box next to each other cannot lie over each other.
        || second.style.as_ref().is_some_and(|style| style.layout == Layout::Inline)
            && view::holds(first, second.id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ink_is_the_middle_of_a_line() {
        let ink = ink(Rect { x: 0.0, y: 100.0, width: 50.0, height: 20.0 });
        assert!(ink.y > 104.0 && ink.y + ink.height < 116.0);
    }

    #[test]
    fn windows_are_cut_only_where_they_cut() {
        let window = Rect { x: 0.0, y: 0.0, width: 100.0, height: 100.0 };
        let rect = Rect { x: 10.0, y: 10.0, width: 20.0, height: 20.0 };
        let cut = cut_to(window, rect, [Overflow::Hidden, Overflow::Visible]);
        assert_eq!((cut.x, cut.width, cut.y, cut.height), (10.0, 20.0, 0.0, 100.0));
    }
}
