//! Whether a page can be worked with: zoom and targets.

use std::collections::{BTreeMap, BTreeSet};

use jury_eye::{Layout, Node, NodeId, Rect};

use crate::css::Declaration;
use crate::finding::{Finding, Outcome, Severity};
use crate::grid::Grid;
use crate::page::{Page, selector};
use crate::rules::Rules;
use crate::selector::State;

/// The smallest side of a target, WCAG 2.5.8.
const TARGET: f32 = 24.0;

/// What layout may lose to rounding.
const ROUNDING: f32 = 0.05;

/// The share of targets at which the check is worth nothing: where every second target is too small, hitting one is
/// a matter of luck.
const TARGETS_ZERO_AT: f64 = 0.5;

/// The largest scale a reader must be able to reach, WCAG 1.4.4.
const ZOOM: f64 = 2.0;

pub(super) fn viewport(page: &Page<'_>) -> Outcome {
    let present = page.snapshot.page.viewport_meta.is_some();
    let finding = (!present).then(|| {
        Finding::page(Severity::Moderate, "no meta viewport: phones show the page shrunk to a desktop width")
            .because("no meta viewport")
    });
    Outcome::binary(if present { "meta viewport set" } else { "no meta viewport" }, finding)
}

/// What in a viewport declaration keeps a reader from zooming to 200 %.
///
/// The content is read as browsers read it: white space, commas and semicolons all separate, the last of several
/// values counts, and words have values too.
pub(crate) fn forbids_zoom(content: &str) -> Option<&'static str> {
    let (mut fixed, mut largest) = (false, f64::INFINITY);
    for (name, value) in viewport_properties(content) {
        match name.as_str() {
            "user-scalable" => fixed = !lets_zoom(&value),
            "maximum-scale" => largest = largest_scale(&value),
            _ => {}
        }
    }
    if fixed {
        return Some("user-scalable=no");
    }
    (largest < ZOOM).then_some("maximum-scale below 2")
}

/// Names and values in the content of a viewport declaration, both in lower case.
fn viewport_properties(content: &str) -> Vec<(String, String)> {
    let separates = |ch: char| ch.is_ascii_whitespace() || matches!(ch, ',' | ';');
    let mut found = Vec::new();
    let mut rest = content;
    loop {
        rest = rest.trim_start_matches(|ch| separates(ch) || ch == '=');
        if rest.is_empty() {
            return found;
        }
        let end = rest.find(|ch| separates(ch) || ch == '=').unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        // A name may stand apart from its equals sign, but not on the far side of a comma.
        let value_side = after.trim_start_matches(|ch: char| ch.is_ascii_whitespace());
        let Some(value_side) = value_side.strip_prefix('=') else {
            rest = after;
            continue;
        };
        let value_side = value_side.trim_start_matches(|ch: char| ch.is_ascii_whitespace() || ch == '=');
        let end = value_side.find(|ch| separates(ch) || ch == '=').unwrap_or(value_side.len());
        let (value, after) = value_side.split_at(end);
        found.push((name.to_ascii_lowercase(), value.to_ascii_lowercase()));
        rest = after;
    }
}

/// The number a text begins with, as browsers read one.
fn leading_number(value: &str) -> Option<f64> {
    let end = value
        .char_indices()
        .find(|(at, ch)| !(ch.is_ascii_digit() || *ch == '.' || (*at == 0 && matches!(ch, '-' | '+'))))
        .map_or(value.len(), |(at, _)| at);
    value.get(..end)?.parse().ok()
}

fn lets_zoom(value: &str) -> bool {
    match value {
        "yes" | "device-width" | "device-height" => true,
        _ => leading_number(value).is_some_and(|number| number.abs() >= 1.0),
    }
}

/// What browsers make of a scale: what is not understood is the smallest there is, and negative values are dropped.
fn largest_scale(value: &str) -> f64 {
    match value {
        "yes" => 1.0,
        "device-width" | "device-height" => 10.0,
        _ => leading_number(value).map_or(0.1, |scale| if scale < 0.0 { f64::INFINITY } else { scale }),
    }
}

pub(super) fn zoom(page: &Page<'_>) -> Outcome {
    let Some(content) = page.snapshot.page.viewport_meta.as_deref() else {
        return Outcome::not_applicable();
    };
    let finding = forbids_zoom(content).map(|reason| {
        Finding::page(Severity::Serious, format!("zoom is forbidden by {reason}, needs 200 % or more"))
            .because(reason)
            .figure("needed scale", ZOOM, "x")
    });
    Outcome::binary(if finding.is_some() { "zoom forbidden" } else { "zoom allowed" }, finding)
}

pub(super) fn target_size(page: &Page<'_>) -> Outcome {
    let targets: Vec<(&Node, Rect)> = page
        .exposed()
        .filter(|node| node.shown && is_target(node))
        .filter_map(|node| Some((node, node.rect.filter(|rect| rect.area() > 0.0)?)))
        .collect();
    let mut grid = Grid::default();
    for (index, (_, rect)) in targets.iter().enumerate() {
        grid.insert(index, *rect);
    }
    let large = large_addresses(&targets);
    let sized = Rules::among(page.all_declarations(), is_about_size);
    let small: Vec<(NodeId, Rect)> = targets
        .iter()
        .enumerate()
        .filter(|(_, (_, rect))| is_small(*rect))
        .filter(|(_, (node, _))| !is_in_a_sentence(page, node))
        .filter(|(_, (node, _))| !is_left_to_the_browser(page, node, &sized))
        .filter(|(_, (node, _))| node.attribute("href").is_none_or(|address| !large.contains(address)))
        .filter(|(index, (node, rect))| is_crowded(*index, node, *rect, &targets, &grid))
        .map(|(_, (node, rect))| (node.id, *rect))
        .collect();
    let note = format!("{} of {} targets under 24x24 and crowded", small.len(), targets.len());
    let mut groups: BTreeMap<String, Vec<(NodeId, Rect)>> = BTreeMap::new();
    for (id, rect) in &small {
        if let Some(node) = page.node(*id) {
            groups.entry(selector(node)).or_default().push((*id, *rect));
        }
    }
    let findings = groups
        .into_iter()
        .map(|(name, group)| {
            let nodes: Vec<NodeId> = group.iter().map(|(id, _)| *id).collect();
            let (width, height) = group.first().map_or((0.0, 0.0), |(_, rect)| (rect.width, rect.height));
            let what = format!(
                "target {width:.0}x{height:.0} px, needs 24x24 or room around it ({})",
                page.places(&nodes)
            );
            Finding::on(Severity::Moderate, nodes, what)
                .because(name)
                .figure("width", f64::from(width), "px")
                .figure("height", f64::from(height), "px")
                .figure("needs", f64::from(TARGET), "px")
        })
        .collect();
    Outcome::share(small.len(), targets.len(), TARGETS_ZERO_AT, note, findings)
}

fn is_small(rect: Rect) -> bool {
    rect.width < TARGET - ROUNDING || rect.height < TARGET - ROUNDING
}

/// Addresses that a target of full size leads to: a small link to the same place does no harm.
fn large_addresses<'a>(targets: &[(&'a Node, Rect)]) -> BTreeSet<&'a str> {
    targets
        .iter()
        .filter(|(_, rect)| !is_small(*rect))
        .filter_map(|(node, _)| node.attribute("href"))
        .filter(|address| !matches!(address.trim(), "" | "#"))
        .collect()
}

pub(super) fn is_target(node: &Node) -> bool {
    matches!(
        node.role.as_deref(),
        Some(
            "link"
                | "button"
                | "checkbox"
                | "radio"
                | "textbox"
                | "searchbox"
                | "spinbutton"
                | "combobox"
                | "listbox"
                | "slider"
                | "switch"
                | "tab"
                | "menuitem"
                | "menuitemcheckbox"
                | "menuitemradio"
                | "option"
        )
    ) && node.attribute("disabled").is_none()
        && node.tag != "option"
}

/// Links in running text are as tall as the text is.
fn is_in_a_sentence(page: &Page<'_>, node: &Node) -> bool {
    let in_line = |node: &Node| {
        node.style.as_ref().is_some_and(|style| matches!(style.layout, Layout::Inline | Layout::InlineBlock))
    };
    if !in_line(node) {
        return false;
    }
    for around in page.snapshot.ancestors(node) {
        if around.text.chars().any(char::is_alphanumeric) {
            return true;
        }
        if !in_line(around) {
            return false;
        }
    }
    false
}

fn is_about_size(declaration: &Declaration) -> bool {
    matches!(
        declaration.property.as_str(),
        "width"
            | "height"
            | "min-width"
            | "min-height"
            | "inline-size"
            | "block-size"
            | "padding"
            | "font-size"
            | "appearance"
            | "-webkit-appearance"
            | "transform"
            | "all"
    )
}

/// Checkboxes and radio buttons nobody gave a size are as large as browsers make them.
fn is_left_to_the_browser(page: &Page<'_>, node: &Node, sized: &Rules<'_>) -> bool {
    node.tag == "input"
        && matches!(node.attribute("type"), Some("checkbox" | "radio" | "range" | "color"))
        && node.attribute("style").is_none()
        && sized
            .reaching(&page.snapshot, node, State::Rest)
            .iter()
            // A reset that reaches everything gives no size to a checkbox.
            .all(|(_, rule)| rule.selector.key().is_none())
}

fn is_crowded(index: usize, node: &Node, rect: Rect, targets: &[(&Node, Rect)], grid: &Grid) -> bool {
    let (x, y) = rect.centre();
    let around = Rect { x: x - TARGET, y: y - TARGET, width: 2.0 * TARGET, height: 2.0 * TARGET };
    grid.near(around).into_iter().filter(|other| *other != index).any(|other| {
        let Some((other, near)) = targets.get(other) else { return false };
        let inside = |outer: &Node, inner: &Node| outer.id < inner.id && inner.id < outer.subtree_end;
        if inside(other, node) || inside(node, other) {
            return false;
        }
        let dx = (near.x - x).max(x - (near.x + near.width)).max(0.0);
        let dy = (near.y - y).max(y - (near.y + near.height)).max(0.0);
        let (other_x, other_y) = near.centre();
        let circles_meet = is_small(*near) && (other_x - x).hypot(other_y - y) < TARGET - ROUNDING;
        dx.hypot(dy) < TARGET / 2.0 - ROUNDING || circles_meet
    })
}

#[cfg(test)]
mod tests {
    use super::forbids_zoom;

    #[test]
    fn the_content_of_a_viewport_is_read_as_browsers_read_it() {
        for forbidden in [
            "user-scalable=no",
            "user-scalable = NO",
            "width=device-width; user-scalable=0",
            "user-scalable=0.5",
            "user-scalable=nonsense",
            "initial-scale=1 maximum-scale=1.5",
            "maximum-scale=yes",
            "maximum-scale=1.0,width=device-width",
            "maximum-scale=0",
            "maximum-scale=5, maximum-scale=1",
            "user-scalable=yes,,maximum-scale = 1.9px",
        ] {
            assert!(forbids_zoom(forbidden).is_some(), "{forbidden}");
        }
        for allowed in [
            "",
            "width=device-width, initial-scale=1",
            "user-scalable=yes",
            "user-scalable=5",
            "user-scalable=-1",
            "maximum-scale=2",
            "maximum-scale=-1",
            "maximum-scale=device-width",
            "maximum-scale",
            "maximum-scale=1, maximum-scale=3",
        ] {
            assert_eq!(forbids_zoom(allowed), None, "{allowed}");
        }
    }
}
