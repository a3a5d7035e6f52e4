//! What is largest, and what stands out.

use std::collections::BTreeMap;

use jury_eye::{Node, NodeId};

use super::structure::{heading_level, headings};
use crate::colour::{Rgb, contrast};
use crate::finding::{Finding, Outcome, Severity};
use crate::page::Page;
use crate::text_run::Verdict;

/// How many times the body size the main heading has on nine pages of ten.
const HEADING_RATIO: std::ops::RangeInclusive<f32> = 1.8..=12.0;

/// By how much the largest text must exceed the next size to be seen as the largest.
const STEP: f32 = 1.25;

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
            findings.push(Finding::on(
                Severity::Moderate,
                vec![node.id],
                format!(
                    "main heading is {ratio:.1}x the body size, needs 1.8x to 12x ({})",
                    page.place(node.id)
                ),
            ));
        }
    }
    let by_level = sizes_by_level(&headings);
    if by_level.len() > 1 {
        parts += 1;
        let inverted =
            by_level.iter().zip(by_level.iter().skip(1)).find(|((_, upper), (_, lower))| lower > upper);
        if let Some(((level, upper), (below, lower))) = inverted {
            findings.push(Finding::page(
                Severity::Moderate,
                format!("h{below} at {lower:.0} px is larger than h{level} at {upper:.0} px"),
            ));
        }
    }
    if let Some((largest, next)) = two_largest_above_the_fold(page) {
        parts += 1;
        notes.push(format!("largest text {largest:.0} px, next {next:.0} px"));
        if largest < next * STEP {
            findings.push(Finding::page(
                Severity::Moderate,
                format!(
                    "largest text {largest:.0} px is {:.2}x the next size {next:.0} px, needs 1.25x",
                    largest / next
                ),
            ));
        }
    }
    Outcome::share(findings.len(), parts, 1.0, notes.join("; "), findings)
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

fn two_largest_above_the_fold(page: &Page<'_>) -> Option<(f32, f32)> {
    let fold = f32::from(u16::try_from(page.snapshot.viewport.height).unwrap_or(u16::MAX));
    let mut sizes: Vec<i64> = page
        .runs
        .iter()
        .filter_map(|run| page.node(run.node))
        .filter(|node| node.rect.is_some_and(|rect| rect.y < fold))
        .filter_map(|node| node.style.as_ref())
        .map(|style| half_pixels(style.font_size))
        .collect();
    sizes.sort_unstable();
    sizes.dedup();
    let largest = from_half_pixels(sizes.pop()?);
    Some((largest, from_half_pixels(sizes.pop()?)))
}

/// The first filled button must stand out from the page and be readable.
pub(super) fn call_to_action(page: &Page<'_>) -> Outcome {
    let Some(action) = filled_action(page) else {
        return Outcome::not_applicable();
    };
    let Some(style) = action.style.as_ref() else {
        return Outcome::not_applicable();
    };
    let fill = Rgb::opaque(style.backdrop.color);
    let behind = backdrop_around(page, action);
    let against_page = contrast(fill, behind);
    let text = page.runs.iter().find(|run| run.node == action.id);
    let bordered = style.border.sides().iter().any(|width| *width >= 1.0);
    let mut findings = Vec::new();
    if against_page < 3.0 && !bordered {
        findings.push(Finding::on(
            Severity::Moderate,
            vec![action.id],
            format!(
                "the main action's fill {} is {against_page:.1}:1 against the page, needs 3:1 ({})",
                fill.hex(),
                page.place(action.id)
            ),
        ));
    }
    let unreadable = text.filter(|run| run.verdict != Verdict::Passes);
    if let Some(run) = unreadable.filter(|run| run.verdict == Verdict::Fails) {
        // The one thing a visitor is asked to do: what cannot be read there is no matter of degree.
        findings.push(Finding::on(
            Severity::Serious,
            vec![action.id],
            format!(
                "the main action's text is {:.1}:1 on its fill {}, needs {}:1 ({})",
                (run.ratio * 10.0).floor() / 10.0,
                fill.hex(),
                run.required,
                page.place(action.id)
            ),
        ));
    }
    let note = format!(
        "main action {} on {}: fill {against_page:.1}:1, text {:.1}:1",
        fill.hex(),
        behind.rounded().hex(),
        text.map_or(0.0, |run| run.ratio)
    );
    let failing = usize::from(against_page < 3.0 && !bordered) + usize::from(unreadable.is_some());
    Outcome::share(failing, 2, 1.0, note, findings)
}

/// The first button or link that looks like one.
fn filled_action<'a>(page: &'a Page<'_>) -> Option<&'a Node> {
    page.exposed().find(|node| {
        node.shown
            && matches!(node.role.as_deref(), Some("button" | "link"))
            && node.style.as_ref().is_some_and(|style| {
                style.backdrop.color.alpha > 0.9
                    && style.backdrop.gradient.is_empty()
                    && style.padding.left >= 8.0
            })
            && page.runs.iter().any(|run| run.node == node.id && run.backdrop_of == Some(node.id))
    })
}

/// The main action, and the contrast of its fill with what is around it.
pub(crate) fn main_action(page: &Page<'_>) -> Option<(NodeId, f64)> {
    let action = filled_action(page)?;
    let fill = Rgb::opaque(action.style.as_ref()?.backdrop.color);
    Some((action.id, contrast(fill, backdrop_around(page, action))))
}

fn backdrop_around(page: &Page<'_>, node: &Node) -> Rgb {
    let mut colour = Rgb::WHITE;
    let mut chain: Vec<&Node> = page.snapshot.ancestors(node).collect();
    chain.reverse();
    for style in chain.iter().filter_map(|node| node.style.as_ref()) {
        colour = colour.under(Rgb::opaque(style.backdrop.color), f64::from(style.backdrop.color.alpha));
        if let Some(stop) = style.backdrop.gradient.first() {
            colour = colour.under(Rgb::opaque(*stop), f64::from(stop.alpha));
        }
    }
    colour
}
