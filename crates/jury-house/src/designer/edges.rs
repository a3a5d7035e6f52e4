//! Repairs of edges: fields and plain buttons that can hardly be told from what is around them.

use jury_eye::NodeId;
use jury_text::colour::{HEADROOM, Rgb, contrast, nearest_lightness};
use jury_text::css_colour;

use super::rule::style_elements;
use super::{Asked, Ways};
use crate::paint::opaque;

const CHECK: &str = "a11y/nontext-contrast";

/// What an edge needs against what is around it, WCAG 1.4.11.
const TOLD_APART: f64 = 3.0;

/// Borders that are there already get a colour that can be seen. A control that has none gets one, as long as nothing
/// moves by more than that.
pub(super) fn faint(asked: &Asked<'_>) -> Vec<Ways> {
    let page = asked.page;
    let style = |id: &NodeId| page.node(*id).and_then(|node| node.style.as_ref());
    let mut ways = Vec::new();
    for finding in asked.found(CHECK) {
        // The finding is told by what it is and what lies around it.
        let around = finding.cause.rsplit(' ').next().and_then(css_colour::parse).map(|written| written.rgb);
        let Some(around) = around else { continue };
        let enough = |candidate: Rgb| contrast(candidate, around) >= TOLD_APART * HEADROOM;
        let (bordered, bare): (Vec<NodeId>, Vec<NodeId>) =
            finding.nodes.iter().copied().filter(|id| style(id).is_some()).partition(|id| {
                style(id).is_some_and(|style| style.border.sides().iter().any(|width| *width >= 1.0))
            });
        let why = format!("an edge needs 3:1 against {}", around.hex());
        let edge = bordered.first().and_then(style).and_then(|style| {
            let sides = style.border.sides().into_iter().zip(style.border_color);
            sides.filter(|(width, _)| *width >= 1.0).map(|(_, colour)| opaque(colour)).next()
        });
        if let Some(target) = edge.and_then(|edge| nearest_lightness(edge, enough)) {
            let declaration = format!("border-color:{}", target.hex());
            let repairs = style_elements(asked, CHECK, &bordered, &declaration, &why);
            ways.extend(repairs.into_iter().map(|repair| vec![repair]));
        }
        // Of the fill's own hue, or a grey on a fill without one.
        let fill = bare.first().and_then(style).map(|style| {
            let fill = style.backdrop.color;
            if fill.alpha > 0.0 { opaque(fill) } else { around }
        });
        if let Some(target) = fill.and_then(|fill| nearest_lightness(fill, enough)) {
            let declaration = format!("border:1px solid {}", target.hex());
            let repairs = style_elements(asked, CHECK, &bare, &declaration, &why);
            ways.extend(repairs.into_iter().map(|repair| vec![repair.slightly_visible()]));
        }
    }
    ways
}
