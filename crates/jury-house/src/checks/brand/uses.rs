//! The colours a page uses: of its text, by characters, and of its fills, by the area they are seen on.

use std::collections::BTreeMap;

use jury_eye::{Node, NodeId};
use jury_text::colour::Rgb;

use crate::finding::count;
use crate::page::Page;
use crate::paint::opaque;

/// How much one colour is used, and where.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Use {
    /// Characters that have it.
    pub(super) characters: f64,
    /// Square pixels that have it and are not painted over.
    pub(super) area: f64,
    pub(super) nodes: Vec<NodeId>,
}

/// Every colour in use, as it is declared: what is laid over another colour with an opacity is that colour, and what is
/// under it is judged by itself.
pub(super) fn uses(page: &Page<'_>) -> BTreeMap<[u8; 3], Use> {
    let mut uses: BTreeMap<[u8; 3], Use> = BTreeMap::new();
    for run in &page.runs {
        let share = count(run.characters) / count(run.foregrounds.len().max(1));
        for colour in &run.foregrounds {
            let entry = uses.entry(colour.bytes()).or_default();
            entry.characters += share;
            entry.nodes.push(run.node);
        }
    }
    for (node, colours, area) in fills(page) {
        let share = area / count(colours.len().max(1));
        for (colour, alpha) in colours {
            let entry = uses.entry(colour.bytes()).or_default();
            entry.area += share * alpha;
            entry.nodes.extend(node.map(|node| node.id));
        }
    }
    for used in uses.values_mut() {
        used.nodes.sort_unstable();
        used.nodes.dedup();
    }
    uses
}

/// A painted box: its element, its colours with their opacity, and the area that is seen of it.
pub(super) type Fill<'a> = (Option<&'a Node>, Vec<(Rgb, f64)>, f64);

/// Every painted box with its colours and the area of it that no box inside paints over. The canvas has no element.
pub(super) fn fills<'a>(page: &'a Page<'_>) -> Vec<Fill<'a>> {
    let nodes = &page.snapshot.nodes;
    let window = page.snapshot.viewport;
    let canvas = f64::from(window.width)
        * nodes
            .first()
            .and_then(|root| root.rect)
            .map_or(0.0, |rect| f64::from(rect.height))
            .max(f64::from(window.height));
    let area = |node: &Node| match node.tag.as_str() {
        "html" | "body" => canvas,
        _ => node.rect.map_or(0.0, |rect| f64::from(rect.area())),
    };
    // For each element the nearest box around it that paints; the canvas is the last resort.
    let mut painter: Vec<Option<usize>> = vec![None; nodes.len()];
    let mut covered = vec![0.0; nodes.len()];
    let mut canvas_covered = 0.0;
    let mut painting = Vec::new();
    for (index, node) in nodes.iter().enumerate() {
        let around = node.parent.and_then(|parent| painter.get(parent.index()).copied().flatten());
        let colours = if node.shown { colours_of(node) } else { Vec::new() };
        let paints = !colours.is_empty() && area(node) > 0.0;
        if let Some(place) = painter.get_mut(index) {
            *place = if paints { Some(index) } else { around };
        }
        if paints {
            // What shines through covers as much as it hides.
            let hides = colours.iter().map(|(_, alpha)| *alpha).fold(0.0, f64::max);
            match around.and_then(|around| covered.get_mut(around)) {
                Some(sum) => *sum += area(node) * hides,
                None => canvas_covered += area(node) * hides,
            }
            painting.push((index, node, colours));
        }
    }
    let seen = |whole: f64, covered: f64| (whole - covered).max(0.0);
    let mut fills: Vec<Fill<'_>> = vec![(None, vec![(Rgb::WHITE, 1.0)], seen(canvas, canvas_covered))];
    fills.extend(painting.into_iter().map(|(index, node, colours)| {
        let hidden = covered.get(index).copied().unwrap_or_default();
        (Some(node), colours, seen(area(node), hidden))
    }));
    fills
}

/// The colours an element paints behind its content, each with its opacity. Pictures have colours nobody declared.
fn colours_of(node: &Node) -> Vec<(Rgb, f64)> {
    let Some(style) = &node.style else { return Vec::new() };
    if style.backdrop.clipped_to_text {
        return Vec::new();
    }
    let stops = style.backdrop.gradient.iter();
    let mut colours: Vec<(Rgb, f64)> =
        stops.map(|stop| (opaque(*stop), f64::from(stop.alpha))).filter(|(_, alpha)| *alpha > 0.0).collect();
    if colours.is_empty() && style.backdrop.color.alpha > 0.0 {
        colours.push((opaque(style.backdrop.color), f64::from(style.backdrop.color.alpha)));
    }
    colours
}
