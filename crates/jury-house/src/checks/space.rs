//! Distances: whether they follow a system, are the same on both sides, and keep text on the page.

use std::collections::BTreeMap;

use jury_eye::{Layout, Node, Style};

use crate::finding::{Finding, Outcome, Severity, count};
use crate::page::Page;

/// How many distances a page may use before the rest counts as unsystematic.
const SYSTEM_SIZE: usize = 8;

/// How far a distance may be from one on the declared scale.
const TOLERANCE: f32 = 0.26;

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

/// A page that needs what is not in it was measured without it, and will look different where it is not to be
/// had. No bar is low enough for a page that was seen in part.
pub(super) fn self_contained(page: &Page<'_>) -> Outcome {
    let coverage = &page.snapshot.coverage;
    let mut needs = Vec::new();
    if coverage.external_css {
        needs.push("styles or scripts from outside");
    }
    if coverage.js_rendered {
        needs.push("its scripts to have a content");
    }
    if needs.is_empty() {
        // Being whole is no merit: it earns nothing, and an empty page has it too.
        return Outcome::not_applicable();
    }
    let what = format!(
        "the page needs {} and was measured without them: put them into the page",
        needs.join(" and ")
    );
    Outcome::binary(what.clone(), Some(Finding::page(Severity::Serious, what)))
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
        let findings =
            (off > 0).then(|| Finding::page(Severity::Moderate, note.clone())).into_iter().collect();
        return Outcome::share(off, distances.len(), 1.0, note, findings);
    }
    let mut uses: BTreeMap<i64, usize> = BTreeMap::new();
    for distance in &distances {
        *uses.entry(quarters(*distance)).or_default() += 1;
    }
    let mut common: Vec<(usize, i64)> = uses.iter().map(|(distance, uses)| (*uses, *distance)).collect();
    common.sort_unstable_by(|one, other| other.cmp(one));
    let covered: usize = common.iter().take(SYSTEM_SIZE).map(|(uses, _)| uses).sum();
    let off = distances.len() - covered;
    let on_grid = distances.iter().filter(|distance| quarters(**distance) % 16 == 0).count();
    let mut listed: Vec<i64> = common.iter().take(5).map(|(_, distance)| *distance).collect();
    listed.sort_unstable();
    let note = format!(
        "{} distances in {} steps, {off} outside the {SYSTEM_SIZE} commonest ({} px), {:.0} % on a 4 px grid",
        distances.len(),
        common.len(),
        listed.iter().map(|distance| format!("{}", from_quarters(*distance))).collect::<Vec<_>>().join("/"),
        100.0 * count(on_grid) / count(distances.len()),
    );
    let findings = (off * 5 > distances.len())
        .then(|| Finding::page(Severity::Minor, format!("{} different distances, no system", common.len())))
        .into_iter()
        .collect();
    Outcome::share(off, distances.len(), 1.0, note, findings)
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
            node.rect.is_some_and(|rect| rect.width > 240.0)
                && style.padding.left.max(style.padding.right) >= 4.0
                // Markers, quotes and fields with icons are indented on purpose.
                && !matches!(node.tag.as_str(), "ul" | "ol" | "dl" | "dd" | "li" | "blockquote" | "input" | "select" | "textarea" | "summary" | "td" | "th" | "table")
        })
        .collect();
    let lopsided: Vec<_> = containers
        .iter()
        .filter(|(_, style)| {
            let total = |padding: f32, border: f32| padding + border;
            let left = total(style.padding.left, style.border.left);
            let right = total(style.padding.right, style.border.right);
            (left - right).abs() > 1.0 && (style.border.left - style.border.right).abs() < 0.5
        })
        .map(|(node, _)| node.id)
        .collect();
    let failing = lopsided.len();
    let note = format!("{failing} of {} containers padded unevenly left and right", containers.len());
    let findings = (failing > 0)
        .then(|| {
            let what = format!("padding differs left and right ({})", page.places(&lopsided));
            Finding::on(Severity::Minor, lopsided, what)
        })
        .into_iter()
        .collect();
    Outcome::share(failing, containers.len(), 0.5, note, findings)
}

/// Text that runs out of the window. Moderate at most: the embedded font is not the page's own.
pub(super) fn overflow(page: &Page<'_>) -> Outcome {
    let width = f32::from(u16::try_from(page.snapshot.viewport.width).unwrap_or(u16::MAX));
    let total: usize = page.runs.iter().map(|run| run.characters).sum();
    let out: Vec<_> = page
        .runs
        .iter()
        .filter(|run| {
            page.node(run.node).is_some_and(|node| {
                node.rect.is_some_and(|rect| rect.x + rect.width > width + 1.0)
                    && !page.is_inside(node, |around| around.style.as_ref().is_some_and(|style| style.clips))
            })
        })
        .collect();
    let failing: usize = out.iter().map(|run| run.characters).sum();
    let nodes: Vec<_> = out.iter().map(|run| run.node).collect();
    let note = format!("{failing} of {total} characters outside a window of {width:.0} px");
    let findings = (!nodes.is_empty())
        .then(|| {
            let what = format!("text runs out of the window ({})", page.places(&nodes));
            Finding::on(Severity::Moderate, nodes, what)
        })
        .into_iter()
        .collect();
    Outcome::share(failing, total, 0.3, note, findings)
}
