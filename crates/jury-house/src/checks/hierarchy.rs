//! What is largest, and what stands out.

use std::collections::{BTreeMap, BTreeSet};

use jury_core::unit::ContrastRatio;
use jury_eye::{Node, NodeId, Rect};
use jury_text::colour::{Rgb, contrast};

use super::structure::{heading_level, headings};
use crate::finding::{Finding, Outcome, Severity};
use crate::page::Page;
use crate::paint::opaque;
use crate::text_run::{TextRun, Verdict};

/// How many times the body size the main heading has on nine accepted pages of ten.
const HEADING_RATIO: std::ops::RangeInclusive<f32> = 1.8..=12.0;

/// By how much the largest text must exceed the next size to be seen as the largest.
const STEP: f32 = 1.25;

/// All parts at once make a page without a hierarchy, so each of the three takes its third.
const ZERO_AT: f64 = 1.0;

/// The contrast a shape needs to be told from what is around it, WCAG 1.4.11.
const SHAPE: f64 = 3.0;

pub(super) fn hierarchy(page: &Page<'_>) -> Outcome {
    let mut parts = 0;
    let mut findings = Vec::new();
    let mut notes = Vec::new();
    let headings = headings(page);
    let body = body_size(page);
    let main = headings
        .iter()
        .filter(|node| node.shown)
        .min_by_key(|node| heading_level(node))
        .and_then(|node| Some((*node, node.style.as_ref()?.font_size)));
    if let (Some((node, size)), Some(body)) = (main, body) {
        parts += 1;
        let ratio = size / body;
        notes.push(format!("main heading {size:.0} px over body {body:.0} px = {ratio:.1}x"));
        if !HEADING_RATIO.contains(&ratio) {
            let what = format!(
                "main heading is {ratio:.1}x the body size, needs 1.8x to 12x ({})",
                page.place(node.id)
            );
            findings.push(
                Finding::on(Severity::Moderate, vec![node.id], what)
                    .because("main heading and body")
                    .figure("ratio", f64::from(ratio), "x")
                    .figure("body", f64::from(body), "px"),
            );
        }
    }
    let by_level = sizes_by_level(&headings);
    if by_level.len() > 1 {
        parts += 1;
        let inverted =
            by_level.iter().zip(by_level.iter().skip(1)).find(|((_, upper), (_, lower))| lower >= upper);
        if let Some(((level, upper), (below, lower))) = inverted {
            let nodes: Vec<NodeId> = headings
                .iter()
                .filter(|node| node.shown && heading_level(node) == *below)
                .map(|node| node.id)
                .collect();
            let what = format!(
                "h{below} at {lower:.0} px is not smaller than h{level} at {upper:.0} px ({})",
                page.places(&nodes)
            );
            findings.push(
                Finding::on(Severity::Moderate, nodes, what)
                    .because(format!("h{below} and h{level}"))
                    .figure("upper", f64::from(*upper), "px")
                    .figure("lower", f64::from(*lower), "px"),
            );
        }
    }
    if let Some((largest, next, nodes)) = largest_above_the_fold(page) {
        parts += 1;
        notes.push(format!("largest text {largest:.0} px, next {next:.0} px"));
        if largest < next * STEP {
            let ratio = largest / next;
            let what = format!(
                "largest text {largest:.0} px is {ratio:.2}x the next size {next:.0} px, needs 1.25x ({})",
                page.places(&nodes)
            );
            findings.push(Finding::on(Severity::Moderate, nodes, what).because("largest text").figure(
                "ratio",
                f64::from(ratio),
                "x",
            ));
        }
    }
    Outcome::share(findings.len(), parts, ZERO_AT, notes.join("; "), findings)
}

/// The size most of the running text has.
pub(super) fn body_size(page: &Page<'_>) -> Option<f32> {
    let mut sizes: BTreeMap<i64, usize> = BTreeMap::new();
    for run in &page.runs {
        if let Some(style) = page.node(run.node).and_then(|node| node.style.as_ref())
            && style.font_size < 24.0
        {
            *sizes.entry(half_pixels(style.font_size)).or_default() += run.characters;
        }
    }
    sizes
        .into_iter()
        .max_by_key(|(size, characters)| (*characters, *size))
        .map(|(size, _)| from_half_pixels(size))
}

/// A size to the nearest half pixel, as a key.
#[expect(clippy::cast_possible_truncation, reason = "font sizes are small numbers")]
pub(super) fn half_pixels(size: f32) -> i64 {
    (size * 2.0).round() as i64
}

#[expect(clippy::cast_precision_loss, reason = "font sizes are small numbers")]
pub(super) fn from_half_pixels(size: i64) -> f32 {
    size as f32 / 2.0
}

/// The median size of each level that is seen.
fn sizes_by_level(headings: &[&Node]) -> Vec<(u8, f32)> {
    let mut levels: BTreeMap<u8, Vec<f32>> = BTreeMap::new();
    for node in headings.iter().filter(|node| node.shown) {
        if let Some(style) = &node.style {
            levels.entry(heading_level(node)).or_default().push(style.font_size);
        }
    }
    levels
        .into_iter()
        .filter_map(|(level, mut sizes)| {
            sizes.sort_by(f32::total_cmp);
            sizes.get(sizes.len() / 2).map(|median| (level, *median))
        })
        .collect()
}

fn fold(page: &Page<'_>) -> f32 {
    f32::from(u16::try_from(page.snapshot.viewport.height).unwrap_or(u16::MAX))
}

/// The largest size in the first window, the next one, and what has the largest.
fn largest_above_the_fold(page: &Page<'_>) -> Option<(f32, f32, Vec<NodeId>)> {
    let fold = fold(page);
    let mut sizes: BTreeMap<i64, Vec<NodeId>> = BTreeMap::new();
    for node in page.runs.iter().filter_map(|run| page.node(run.node)) {
        if let Some(style) = &node.style
            && node.rect.is_some_and(|rect| rect.y < fold && rect.y + rect.height > 0.0)
        {
            sizes.entry(half_pixels(style.font_size)).or_default().push(node.id);
        }
    }
    let (largest, nodes) = sizes.pop_last()?;
    let (next, _) = sizes.pop_last()?;
    Some((from_half_pixels(largest), from_half_pixels(next), nodes))
}

/// The first filled button of a page that has any: seen at once, told from the page, read without effort, and not
/// outdone by another one.
pub(super) fn call_to_action(page: &Page<'_>) -> Outcome {
    let filled = filled_actions(page);
    let Some((action, run)) = filled.first().copied() else {
        return Outcome::not_applicable();
    };
    let (Some(style), Some(rect)) = (action.style.as_ref(), action.rect) else {
        return Outcome::not_applicable();
    };
    let fold = fold(page);
    let fill = opaque(style.backdrop.color);
    let behind = backdrop_around(page, action);
    let against_page = contrast(fill, behind);
    let mut findings = Vec::new();
    let place = page.place(action.id);
    let cause = crate::page::selector(action);
    let on = |severity, what: String, why: &str| {
        Finding::on(severity, vec![action.id], what).because(format!("{cause} {why}"))
    };
    let late = rect.y >= fold;
    if late {
        let what =
            format!("the first filled action begins at {:.0} px, below the first window ({place})", rect.y);
        findings.push(on(Severity::Minor, what, "late").figure("top", f64::from(rect.y), "px"));
    }
    let faint = against_page < SHAPE && !has_visible_border(action, behind);
    if faint {
        let what = format!(
            "the main action's fill {} is {} against the page, needs 3:1 ({place})",
            fill.hex(),
            ContrastRatio(against_page)
        );
        findings.push(
            on(Severity::Moderate, what, "fill")
                .figure("ratio", against_page, ":1")
                .figure("needs", SHAPE, ":1"),
        );
    }
    let unreadable = run.verdict == Verdict::Fails;
    if unreadable {
        // The one thing a visitor is asked to do: what cannot be read there is no matter of degree.
        let what = format!(
            "the main action's text is {} on its fill {}, needs {}:1 ({place})",
            ContrastRatio(run.ratio),
            fill.hex(),
            run.required
        );
        findings.push(on(Severity::Serious, what, "text").figure("ratio", run.ratio, ":1").figure(
            "needs",
            run.required,
            ":1",
        ));
    }
    let larger = filled
        .iter()
        .filter(|(other, _)| other.id != action.id)
        .filter_map(|(other, _)| Some((*other, other.rect.filter(|rect| rect.y < fold)?)))
        .find(|(_, other)| other.area() > rect.area() * 1.05);
    if let Some((other, other_rect)) = larger {
        let what = format!(
            "the main action is smaller than another one in the same window: {:.0} against {:.0} square px ({place}; {})",
            rect.area(),
            other_rect.area(),
            page.place(other.id)
        );
        findings.push(on(Severity::Minor, what, "area").figure("area", f64::from(rect.area()), "px2"));
    }
    let note = format!(
        "main action {} on {}: fill {}, text {}",
        fill.hex(),
        behind.rounded().hex(),
        ContrastRatio(against_page),
        ContrastRatio(run.ratio)
    );
    let failing =
        usize::from(late) + usize::from(faint) + usize::from(unreadable) + usize::from(larger.is_some());
    let mut outcome = Outcome::share(failing, 4, ZERO_AT, note, findings);
    if run.verdict == Verdict::Unknown
        && let crate::finding::Measure::Share { unknown, .. } = &mut outcome.measure
    {
        *unknown = 1.0;
        outcome.undecided.push(on(
            Severity::Serious,
            format!("the contrast of the main action's text cannot be told ({place})"),
            "text",
        ));
    }
    outcome
}

/// Buttons and links that look like one, in the order of the page, each with its text.
fn filled_actions<'a>(page: &'a Page<'_>) -> Vec<(&'a Node, &'a TextRun)> {
    let own: BTreeMap<NodeId, &TextRun> =
        page.runs.iter().filter(|run| run.backdrop_of == Some(run.node)).map(|run| (run.node, run)).collect();
    // Fields and tabs of a menu are no calls to anything.
    let menus: BTreeSet<NodeId> = page
        .snapshot
        .nodes
        .iter()
        .filter(|node| matches!(node.role.as_deref(), Some("tablist" | "menu" | "toolbar")))
        .map(|node| node.id)
        .collect();
    page.exposed()
        .filter(|node| node.shown && matches!(node.role.as_deref(), Some("button" | "link")))
        .filter(|node| {
            node.style.as_ref().is_some_and(|style| {
                style.backdrop.color.alpha > 0.9
                    && style.backdrop.gradient.is_empty()
                    && style.padding.left >= 8.0
            })
        })
        .filter(|node| !marks_a_state(node))
        .filter_map(|node| Some((node, *own.get(&node.id)?)))
        .filter(|(node, _)| {
            menus.is_empty() || !page.snapshot.ancestors(node).any(|above| menus.contains(&above.id))
        })
        .collect()
}

/// Whether the fill of a link or button says where one is rather than what to do.
fn marks_a_state(node: &Node) -> bool {
    ["aria-current", "aria-selected", "aria-pressed"]
        .iter()
        .any(|name| node.attribute(name).is_some_and(|value| value != "false"))
        || node.classes().any(|class| matches!(class, "active" | "current" | "selected" | "is-active" | "on"))
}

/// Whether a border tells an element from what is around it.
fn has_visible_border(node: &Node, behind: Rgb) -> bool {
    node.style.as_ref().is_some_and(|style| {
        style.border.sides().iter().zip(&style.border_color).any(|(width, color)| {
            let seen = behind.under(opaque(*color), f64::from(color.alpha));
            *width >= 1.0 && contrast(seen, behind) >= SHAPE
        })
    })
}

/// The colours of the main action, where what it lies on is one colour.
pub(crate) struct ActionColours<'a> {
    pub(crate) node: &'a Node,
    pub(crate) run: &'a TextRun,
    pub(crate) fill: Rgb,
    pub(crate) behind: Rgb,
}

impl ActionColours<'_> {
    /// Whether a fill can be told from the page, with as much to spare as asked for.
    pub(crate) fn stands_out(&self, fill: Rgb, spare: f64) -> bool {
        contrast(fill, self.behind) >= SHAPE * spare
    }
}

/// The main action, when its fill cannot be told from what it lies on.
pub(crate) fn faint_action<'a>(page: &'a Page<'_>) -> Option<ActionColours<'a>> {
    let (node, run) = filled_actions(page).first().copied()?;
    let fill = opaque(node.style.as_ref()?.backdrop.color);
    let colours = ActionColours { node, run, fill, behind: backdrop_around(page, node) };
    let faint = !colours.stands_out(fill, 1.0) && !has_visible_border(node, colours.behind);
    (faint && lies_on_one_colour(page, node)).then_some(colours)
}

/// The main action, and the contrast of its fill with what is around it.
pub(crate) fn main_action(page: &Page<'_>) -> Option<(NodeId, f64)> {
    let (action, _) = filled_actions(page).first().copied()?;
    let fill = opaque(action.style.as_ref()?.backdrop.color);
    Some((action.id, contrast(fill, backdrop_around(page, action))))
}

/// The colour an element lies on. Of a gradient this is one of its colours.
pub(super) fn backdrop_around(page: &Page<'_>, node: &Node) -> Rgb {
    let mut colour = Rgb::WHITE;
    let mut chain: Vec<&Node> = page.snapshot.ancestors(node).collect();
    chain.reverse();
    for style in chain.iter().filter_map(|node| node.style.as_ref()) {
        colour = colour.under(opaque(style.backdrop.color), f64::from(style.backdrop.color.alpha));
        if let Some(stop) = style.backdrop.gradient.first() {
            colour = colour.under(opaque(*stop), f64::from(stop.alpha));
        }
    }
    colour
}

/// Whether what an element lies on is one plain colour.
pub(super) fn lies_on_one_colour(page: &Page<'_>, node: &Node) -> bool {
    for above in page.snapshot.ancestors(node) {
        let Some(style) = &above.style else { continue };
        if style.backdrop.image || !style.backdrop.gradient.is_empty() || style.opacity < 1.0 {
            return false;
        }
        if style.backdrop.color.alpha >= 1.0 {
            return true;
        }
    }
    true
}

/// The box of an element, when it has an area.
pub(super) fn area_of(node: &Node) -> Option<Rect> {
    node.rect.filter(|rect| rect.area() > 0.0)
}
