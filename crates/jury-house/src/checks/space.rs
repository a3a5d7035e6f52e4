//! Distances: whether they follow a system and are the same on both sides.

use std::collections::BTreeMap;

use jury_eye::{Layout, Node, NodeId, Style};

use crate::finding::{Finding, Outcome, Severity, count};
use crate::page::{Page, selector};
use crate::rules::Rules;
use crate::selector::State;

/// How many distances a page may use before the rest counts as unsystematic.
const SYSTEM_SIZE: usize = 8;

/// How far a distance may be from one on the declared scale.
const TOLERANCE: f32 = 0.26;

/// Bases a system of distances may have, in pixels; the largest that carries most of them is named. On accepted pages
/// a base of 4 carries 55 % in the middle, one of 2 carries 92 %, so neither is demanded of anybody.
const BASES: [i64; 5] = [8, 6, 5, 4, 2];

/// The share of distances a base has to carry to be called one.
const CARRIES: f64 = 0.9;

/// All distances off the system is where the check is worth nothing: some strays are on every page.
const RHYTHM_ZERO_AT: f64 = 1.0;

/// Blocks narrower than this are labels and buttons, whose icons weigh on one side.
const WIDE_BLOCK_PX: f32 = 240.0;

/// A block is nearly in the middle when its gaps differ by less than this; beyond it was put where it is.
const NEARLY: f32 = 24.0;

/// How the cause of a finding about such a block ends.
pub(crate) const OFF_THE_MIDDLE: &str = "off the middle";

/// Every second container uneven is where the check is worth nothing; 4 % are on accepted pages.
const SYMMETRY_ZERO_AT: f64 = 0.5;

fn boxes<'a>(page: &'a Page<'_>) -> impl Iterator<Item = (&'a Node, &'a Style)> {
    page.snapshot
        .nodes
        .iter()
        .filter(|node| node.shown)
        .filter_map(|node| Some((node, node.style.as_ref()?)))
        .filter(|(_, style)| style.layout != Layout::Inline)
}

/// Every distance the author chose, in quarters of a pixel. Horizontal margins are left out: most of
/// them are the remainder of centring.
pub(crate) fn distances(page: &Page<'_>) -> Vec<f32> {
    boxes(page)
        .flat_map(|(_, style)| {
            let padding = style.padding.sides();
            let margin = [style.margin.top, style.margin.bottom];
            padding.into_iter().chain(margin).chain(style.gap)
        })
        .filter(|distance| *distance >= 1.0)
        .collect()
}

pub(super) fn rhythm(page: &Page<'_>) -> Outcome {
    let distances = distances(page);
    if distances.len() < 12 {
        return Outcome::not_applicable();
    }
    let scale = page.brand().map(|brand| brand.spacings.as_slice()).filter(|scale| scale.len() >= 3);
    if let Some(scale) = scale {
        let off = distances
            .iter()
            .filter(|distance| !scale.iter().any(|step| (**distance - step).abs() <= TOLERANCE))
            .count();
        let note = format!("{off} of {} distances off the declared scale", distances.len());
        let findings = (off > 0)
            .then(|| {
                Finding::page(Severity::Moderate, note.clone())
                    .because("declared scale")
                    .figure("off the scale", count(off), "")
                    .figure("distances", count(distances.len()), "")
            })
            .into_iter()
            .collect();
        return Outcome::share(off, distances.len(), RHYTHM_ZERO_AT, note, findings);
    }
    let mut uses: BTreeMap<i64, usize> = BTreeMap::new();
    for distance in &distances {
        *uses.entry(quarters(*distance)).or_default() += 1;
    }
    let mut common: Vec<(usize, i64)> = uses.iter().map(|(distance, uses)| (*uses, *distance)).collect();
    common.sort_unstable_by(|one, other| other.cmp(one));
    let covered: usize = common.iter().take(SYSTEM_SIZE).map(|(uses, _)| uses).sum();
    let off = distances.len() - covered;
    let on = |base: i64| distances.iter().filter(|distance| quarters(**distance) % (base * 4) == 0).count();
    let base =
        BASES.into_iter().find(|base| count(on(*base)) >= CARRIES * count(distances.len())).unwrap_or(2);
    let mut listed: Vec<i64> = common.iter().take(5).map(|(_, distance)| *distance).collect();
    listed.sort_unstable();
    let note = format!(
        "{} distances in {} steps, {off} outside the {SYSTEM_SIZE} commonest ({} px), {:.0} % on a base of {base} px",
        distances.len(),
        common.len(),
        listed.iter().map(|distance| format!("{}", from_quarters(*distance))).collect::<Vec<_>>().join("/"),
        100.0 * count(on(base)) / count(distances.len()),
    );
    let findings = (off * 5 > distances.len())
        .then(|| {
            let what = format!(
                "{} different distances, 8 cover {:.0} %",
                common.len(),
                100.0 * count(covered) / count(distances.len())
            );
            Finding::page(Severity::Minor, what)
                .because("distances without a system")
                .figure("different distances", count(common.len()), "")
                .figure("outside the 8 commonest", count(off), "")
        })
        .into_iter()
        .collect();
    Outcome::share(off, distances.len(), RHYTHM_ZERO_AT, note, findings)
}

#[expect(clippy::cast_possible_truncation, reason = "distances are small numbers")]
fn quarters(distance: f32) -> i64 {
    (distance * 4.0).round() as i64
}

#[expect(clippy::cast_precision_loss, reason = "distances are small numbers")]
fn from_quarters(distance: i64) -> f64 {
    distance as f64 / 4.0
}

pub(super) fn symmetry(page: &Page<'_>) -> Outcome {
    let containers: Vec<(&Node, &Style)> = boxes(page)
        .filter(|(node, style)| {
            node.rect.is_some_and(|rect| rect.width > WIDE_BLOCK_PX)
                && style.padding.left.max(style.padding.right) >= 4.0
                // Markers, quotes and fields with icons are indented on purpose.
                && !matches!(node.tag.as_str(), "ul" | "ol" | "dl" | "dd" | "li" | "blockquote" | "input" | "select" | "textarea" | "summary" | "td" | "th" | "table" | "pre")
        })
        .collect();
    // Marks made by a rule, such as a bar or a bullet in front.
    let marks = Rules::among(page.all_declarations(), |declaration| declaration.property == "content");
    let lopsided: Vec<NodeId> = containers
        .iter()
        .filter(|(node, style)| {
            let total = |padding: f32, border: f32| padding + border;
            let left = total(style.padding.left, style.border.left);
            let right = total(style.padding.right, style.border.right);
            (left - right).abs() > 1.0
                && (style.border.left - style.border.right).abs() < 0.5
                && !holds_a_mark(page, &marks, node, style)
        })
        .map(|(node, _)| node.id)
        .collect();
    let (centred, shifted) = centred(page);
    let failing = lopsided.len() + shifted.len();
    let total = containers.len() + centred;
    let note = format!("{failing} of {total} containers uneven left and right");
    let mut findings: Vec<Finding> = page
        .grouped(lopsided)
        .into_iter()
        .map(|group| {
            let padding = group
                .first()
                .and_then(|id| page.node(*id)?.style.as_ref())
                .map_or((0.0, 0.0), |style| (style.padding.left, style.padding.right));
            let name = group.first().and_then(|id| page.node(*id)).map(selector).unwrap_or_default();
            let what = format!(
                "padding differs left and right: {:.0} and {:.0} px ({})",
                padding.0,
                padding.1,
                page.places(&group)
            );
            Finding::on(Severity::Minor, group, what)
                .because(name)
                .figure("left", f64::from(padding.0), "px")
                .figure("right", f64::from(padding.1), "px")
        })
        .collect();
    findings.extend(page.grouped(shifted).into_iter().map(|group| {
        let name = group.first().and_then(|id| page.node(*id)).map(selector).unwrap_or_default();
        let what = format!("nearly in the middle, and not quite ({})", page.places(&group));
        Finding::on(Severity::Minor, group, what).because(format!("{name} {OFF_THE_MIDDLE}"))
    }));
    Outcome::share(failing, total, SYMMETRY_ZERO_AT, note, findings)
}

/// Whether an element in a corner or at an edge of a box makes up for its padding: an icon, a number, a close button.
fn holds_a_mark(page: &Page<'_>, marks: &Rules<'_>, node: &Node, style: &Style) -> bool {
    let Some(rect) = node.rect else { return false };
    page.snapshot.descendants(node).take(MOST_INSIDE).any(|inner| {
        inner.style.as_ref().is_some_and(|style| style.positioned)
            && inner.rect.is_some_and(|mark| {
                mark.width < style.padding.left.max(style.padding.right) + 4.0
                    && (mark.x < rect.x + style.padding.left
                        || mark.x + mark.width > rect.x + rect.width - style.padding.right)
            })
    }) || marks
        .reaching(&page.snapshot, node, State::Rest)
        .iter()
        .any(|(_, rule)| rule.selector.pseudo_element)
}

/// How many elements are looked at for a mark in a container.
const MOST_INSIDE: usize = 200;

/// How many blocks stand in the middle of the block around them, and which of them do not quite.
fn centred(page: &Page<'_>) -> (usize, Vec<NodeId>) {
    let mut total = 0;
    let mut shifted = Vec::new();
    for (node, _) in boxes(page).filter(|(_, style)| style.max_width.is_some() && !style.positioned) {
        let parent = node.parent.and_then(|parent| page.node(parent));
        let Some((rect, around)) = node.rect.zip(parent.and_then(|parent| parent.rect)) else { continue };
        let in_flow = parent
            .and_then(|parent| parent.style.as_ref())
            .is_some_and(|style| style.layout == Layout::Block);
        let left = rect.x - around.x;
        let right = around.x + around.width - rect.x - rect.width;
        if !in_flow
            || rect.width <= WIDE_BLOCK_PX
            || left < NEARLY
            || right < NEARLY
            || (left - right).abs() > NEARLY
        {
            continue;
        }
        total += 1;
        if (left - right).abs() > 1.0 {
            shifted.push(node.id);
        }
    }
    (total, shifted)
}
