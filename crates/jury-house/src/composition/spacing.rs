//! Distances between blocks: whether they repeat, whether they say what belongs together, and whether there is room.

use std::collections::BTreeMap;

use jury_eye::{Layout, Node, NodeId, Rect};

use super::blocks::{in_flow, paints, paragraphs};
use crate::checks::{heading_level, headings};
use crate::finding::{Finding, Outcome, Severity, count};
use crate::page::Page;

/// Fewer distances than this have no rhythm.
const LEAST_GAPS: usize = 8;

/// Distances this near are the same.
const SAME: f32 = 0.75;

/// A third of the distances standing alone is where nothing repeats.
const GAPS_ZERO_AT: f64 = 0.6;

/// One distance in so many may stand alone.
const FREE: usize = 10;

/// Wider gaps are what was left over.
const WIDEST: f32 = 400.0;

/// Text nearer than this to the edge of its box, or to the next text, in parts of its size, touches it.
const TOUCHES: f32 = 0.3;
const ROOM_ZERO_AT: f64 = 0.5;

/// The children of an element that take part in its layout, in their order.
fn children<'a>(page: &'a Page<'_>) -> BTreeMap<NodeId, Vec<(&'a Node, Rect)>> {
    let mut children: BTreeMap<NodeId, Vec<(&Node, Rect)>> = BTreeMap::new();
    for node in page.snapshot.nodes.iter().filter(|node| node.shown && in_flow(node)) {
        let inline = node.style.as_ref().is_none_or(|style| style.layout == Layout::Inline);
        if let (Some(parent), Some(rect), false) = (node.parent, node.rect, inline)
            && rect.area() > 0.0
        {
            children.entry(parent).or_default().push((node, rect));
        }
    }
    children
}

/// Gaps downwards between siblings, and sideways where three or more stand in a row.
fn all_gaps(page: &Page<'_>) -> Vec<f32> {
    let mut gaps = Vec::new();
    for children in children(page).values() {
        let mut sideways = Vec::new();
        for ((_, one), (_, next)) in children.iter().zip(children.iter().skip(1)) {
            let down = next.y - (one.y + one.height);
            let right = next.x - (one.x + one.width);
            if down > -0.5 * one.height.min(next.height) && down <= WIDEST && right < 0.0 {
                gaps.push(down);
            } else if right > 0.0 && right <= WIDEST && (one.y - next.y).abs() < one.height.max(next.height) {
                sideways.push(right);
            }
        }
        if sideways.len() >= 2 {
            gaps.extend(sideways);
        }
    }
    gaps
}

/// The share of distances that come back on the page.
pub(crate) fn gaps(page: &Page<'_>) -> Outcome {
    let gaps = all_gaps(page);
    // Boxes that join have no distance; it is in their paddings.
    let mut wide: Vec<f32> = gaps.into_iter().filter(|wide| wide.abs() > SAME).collect();
    if wide.len() < LEAST_GAPS {
        return Outcome::not_applicable();
    }
    wide.sort_by(f32::total_cmp);
    let alone = (0..wide.len())
        .filter(|at| {
            let own = wide.get(*at).copied().unwrap_or_default();
            let beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
            !beside.filter_map(|other| wide.get(other)).any(|other| (own - other).abs() <= SAME)
        })
        .count();
    let note = format!("{alone} of {} distances between siblings come but once", wide.len());
    let findings = (alone * 3 > wide.len())
        .then(|| {
            Finding::page(Severity::Minor, format!("distances do not repeat: {note}"))
                .because("distances that come but once")
                .figure("come but once", count(alone), "")
                .figure("distances", count(wide.len()), "")
        })
        .into_iter()
        .collect();
    Outcome::share(alone.saturating_sub(wide.len() / FREE), wide.len(), GAPS_ZERO_AT, note, findings)
}

/// Whether headings stand nearer to what they head than to what comes before.
pub(crate) fn grouping(page: &Page<'_>) -> Outcome {
    let children = children(page);
    let (mut all, mut adrift) = (0, Vec::new());
    for heading in headings(page).into_iter().filter(|node| node.shown && heading_level(node) > 1) {
        let Some(siblings) = heading.parent.and_then(|parent| children.get(&parent)) else { continue };
        let Some(at) = siblings.iter().position(|(node, _)| node.id == heading.id) else { continue };
        let around = at.checked_sub(1).and_then(|before| siblings.get(before)).zip(siblings.get(at + 1));
        let (Some(own), Some((before, after))) = (siblings.get(at), around) else { continue };
        let above = own.1.y - (before.1.y + before.1.height);
        let below = after.1.y - (own.1.y + own.1.height);
        // A small line above the first heading of a part belongs to it.
        let is_eyebrow = at == 1 && before.1.height < own.1.height;
        if above < 0.0 || below < 0.0 || is_eyebrow {
            continue;
        }
        all += 1;
        if above + 0.5 < below {
            adrift.push(heading.id);
        }
    }
    if all < 3 {
        return Outcome::not_applicable();
    }
    let note = format!("{} of {all} headings stand nearer to what comes before", adrift.len());
    let failing = adrift.len();
    let findings = (failing > 0)
        .then(|| {
            let what = format!("a heading stands nearer to the text before it ({})", page.places(&adrift));
            Finding::page(Severity::Minor, what).because("headings adrift").figure(
                "headings",
                count(failing),
                "",
            )
        })
        .into_iter()
        .collect();
    Outcome::share(failing, all, 1.0, note, findings)
}

/// Whether text has room: to the edge of the box it stands in, to the window, and to the next text.
pub(crate) fn room(page: &Page<'_>) -> Outcome {
    let paragraphs = paragraphs(page);
    let (mut all, mut tight, mut nodes) = (0, 0, Vec::new());
    for (index, paragraph) in paragraphs.iter().enumerate() {
        let Some(node) = page.node(paragraph.node) else { continue };
        let least = TOUCHES * paragraph.font_size;
        let panel = std::iter::once(node).chain(page.snapshot.ancestors(node)).find(|above| {
            above.style.as_ref().is_some_and(paints) && !matches!(above.tag.as_str(), "html" | "body")
        });
        let panel = panel.filter(|panel| !matches!(panel.tag.as_str(), "code" | "mark" | "td" | "th" | "tr"));
        let touches_edge = panel.and_then(|panel| panel.rect).is_some_and(|edge| {
            let left = paragraph.rect.x - edge.x;
            let right = edge.x + edge.width - paragraph.rect.x - paragraph.rect.width;
            // What reaches out of its box was moved there.
            (-1.0..least).contains(&left) || (-1.0..0.1 * paragraph.font_size).contains(&right)
        });
        let next = paragraphs.get(index + 1);
        let touches_next = next.is_some_and(|next| {
            let gap = next.rect.y - paragraph.rect.y - paragraph.rect.height;
            let beside = next.rect.x < paragraph.rect.x + paragraph.rect.width
                && paragraph.rect.x < next.rect.x + next.rect.width;
            // Lines of one font are as far apart as its ascent and descent say, so 0 is already tight.
            let both_long = paragraph.characters > 40 && next.characters > 40;
            let least = if both_long { 0.25 } else { -0.15 };
            beside && gap > -paragraph.font_size && gap < least * paragraph.font_size
        });
        all += paragraph.characters;
        if touches_edge || touches_next {
            tight += paragraph.characters;
            nodes.push(paragraph.node);
        }
    }
    if all < 40 {
        return Outcome::not_applicable();
    }
    let share = count(tight) / count(all);
    let note = format!("{:.0} % of the text touches an edge or the next text", 100.0 * share);
    let findings = (share > 0.15)
        .then(|| {
            let what = format!("text has no room around it ({})", page.places(&nodes));
            Finding::page(Severity::Minor, what).because("no room around text").figure(
                "touches",
                100.0 * share,
                "%",
            )
        })
        .into_iter()
        .collect();
    Outcome::share(tight, all, ROOM_ZERO_AT, note, findings)
}
