//! Repairs of edges: fields and plain buttons that can hardly be told from what is around them.

use jury_eye::NodeId;

use crate::colour::{HEADROOM, Rgb, contrast, nearest_lightness};
use crate::css_colour;

use super::rule::style_elements;
use super::{Asked, Ways};

/// What an edge needs against what is around it, WCAG 1.4.11.
const TOLD_APART: f64 = 3.0;

/// Borders that are there already get a colour that can be seen; nothing else about the control changes.
pub(super) fn faint(asked: &Asked<'_>) -> Vec<Ways> {
    let page = asked.page;
    let mut ways = Vec::new();
    for finding in asked.found("a11y/nontext-contrast") {
        // The finding is told by what it is and what lies around it.
        let around = finding.cause.rsplit(' ').next().and_then(css_colour::parse).map(|written| written.rgb);
        let Some(around) = around else { continue };
        let bordered: Vec<NodeId> = finding
            .nodes
            .iter()
            .copied()
            .filter(|id| {
                page.node(*id)
                    .and_then(|node| node.style.as_ref())
                    .is_some_and(|style| style.border.sides().iter().all(|width| *width >= 1.0))
            })
            .collect();
        let colour = bordered
            .first()
            .and_then(|id| page.node(*id)?.style.as_ref())
            .and_then(|style| style.border_color.first().copied())
            .map(Rgb::opaque);
        let Some(colour) = colour else { continue };
        let enough = |candidate: Rgb| contrast(candidate, around) >= TOLD_APART * HEADROOM;
        let Some(target) = nearest_lightness(colour, enough) else { continue };
        let declaration = format!("border-color:{}", target.hex());
        let why = format!("an edge needs 3:1 against {}", around.hex());
        for repair in style_elements(asked, "a11y/nontext-contrast", &bordered, &declaration, &why, |_| false)
        {
            ways.push(vec![repair]);
        }
    }
    ways
}
