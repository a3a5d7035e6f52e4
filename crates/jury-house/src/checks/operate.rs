//! Whether a page can be worked with: zoom, targets, a visible focus.

use jury_eye::{Layout, Node};

use crate::css::Declaration;
use crate::finding::{Finding, Outcome, Severity, counted};
use crate::page::Page;

/// The smallest side of a target, WCAG 2.5.8.
const TARGET: f32 = 24.0;

pub(super) fn viewport(page: &Page<'_>) -> Outcome {
    let present = page.snapshot.page.viewport_meta.is_some();
    let finding = (!present).then(|| {
        Finding::page(Severity::Moderate, "no meta viewport: phones show the page shrunk to a desktop width")
    });
    Outcome::binary(if present { "meta viewport set" } else { "no meta viewport" }, finding)
}

/// What in a viewport declaration keeps a reader from zooming to 200 %.
pub(crate) fn forbids_zoom(content: &str) -> Option<&'static str> {
    let mut verdict = None;
    for part in content.to_ascii_lowercase().split([',', ';']) {
        let Some((key, value)) = part.split_once('=') else {
            continue;
        };
        let value = value.trim();
        match key.trim() {
            "user-scalable" if matches!(value, "no" | "0" | "false") => verdict = Some("user-scalable=no"),
            "maximum-scale" if largest_scale(value) < 2.0 => {
                verdict = verdict.or(Some("maximum-scale below 2"));
            }
            _ => {}
        }
    }
    verdict
}

/// What browsers make of a scale: words have values too, and what is not understood is zero.
fn largest_scale(value: &str) -> f64 {
    match value {
        "yes" => 1.0,
        "device-width" | "device-height" => 10.0,
        // Negative values are dropped, which leaves zoom as it was.
        _ => value.parse::<f64>().map_or(0.0, |scale| if scale < 0.0 { f64::INFINITY } else { scale }),
    }
}

pub(super) fn zoom(page: &Page<'_>) -> Outcome {
    let Some(content) = page.snapshot.page.viewport_meta.as_deref() else {
        return Outcome::not_applicable();
    };
    let finding = forbids_zoom(content).map(|reason| {
        Finding::page(Severity::Serious, format!("zoom is forbidden by {reason}, needs 200 % or more"))
    });
    Outcome::binary(if finding.is_some() { "zoom forbidden" } else { "zoom allowed" }, finding)
}

pub(super) fn target_size(page: &Page<'_>) -> Outcome {
    let targets: Vec<&Node> = page
        .exposed()
        .filter(|node| node.shown && is_target(node))
        .filter(|node| node.rect.is_some_and(|rect| rect.area() > 0.0))
        .collect();
    let small: Vec<_> = targets
        .iter()
        .filter(|node| !is_in_a_sentence(page, node))
        .filter(|node| node.rect.is_some_and(|rect| rect.width < TARGET || rect.height < TARGET))
        .filter(|node| is_crowded(node, &targets))
        .map(|node| node.id)
        .collect();
    let note = format!("{} of {} targets under 24x24 and crowded", small.len(), targets.len());
    let findings = page
        .grouped(small.iter().copied())
        .into_iter()
        .map(|group| {
            let size = group
                .first()
                .and_then(|id| page.node(*id)?.rect)
                .map_or_else(String::new, |rect| format!("{:.0}x{:.0} px", rect.width, rect.height));
            let what = format!("target {size}, needs 24x24 or room around it ({})", page.places(&group));
            Finding::on(Severity::Moderate, group, what)
        })
        .collect();
    Outcome::share(small.len(), targets.len(), 0.5, note, findings)
}

fn is_target(node: &Node) -> bool {
    matches!(
        node.role.as_deref(),
        Some(
            "link"
                | "button"
                | "checkbox"
                | "radio"
                | "textbox"
                | "combobox"
                | "slider"
                | "switch"
                | "tab"
                | "menuitem"
        )
    )
}

/// Links in running text are as tall as the text is.
fn is_in_a_sentence(page: &Page<'_>, node: &Node) -> bool {
    node.style.as_ref().is_some_and(|style| style.layout == Layout::Inline)
        && node.parent.and_then(|parent| page.node(parent)).is_some_and(|parent| !parent.text.is_empty())
}

fn is_crowded(node: &Node, targets: &[&Node]) -> bool {
    let Some(rect) = node.rect else { return false };
    let (x, y) = rect.centre();
    let radius = TARGET / 2.0;
    targets.iter().filter(|other| other.id != node.id).any(|other| {
        let Some(near) = other.rect else { return false };
        if other.id < node.id && node.id < other.subtree_end
            || node.id < other.id && other.id < node.subtree_end
        {
            return false;
        }
        let dx = (near.x - x).max(x - (near.x + near.width)).max(0.0);
        let dy = (near.y - y).max(y - (near.y + near.height)).max(0.0);
        let small = near.width < TARGET || near.height < TARGET;
        let (other_x, other_y) = near.centre();
        let circles_meet = small && (other_x - x).hypot(other_y - y) < TARGET;
        dx.hypot(dy) < radius || circles_meet
    })
}

/// Selectors that take the focus ring away and give nothing back.
pub(crate) fn unfocusable_rules<'a>(page: &'a Page<'_>) -> Vec<&'a Declaration> {
    let gives_back: Vec<&Declaration> = page
        .declarations
        .iter()
        .filter(|declaration| declaration.selector.contains(":focus") && is_indicator(declaration))
        .collect();
    page.declarations
        .iter()
        .filter(|declaration| removes_outline(declaration) && !declaration.selector.is_empty())
        .filter(|declaration| {
            declaration.selector.split(',').any(|selector| {
                let base = base_of(selector);
                let reaches_a_target = page
                    .snapshot
                    .nodes
                    .iter()
                    .any(|node| is_target(node) && crate::text_run::ends_in(&last_compound(&base), node));
                let covered = gives_back.iter().flat_map(|given| given.selector.split(',')).any(|given| {
                    let given = base_of(given);
                    given.is_empty() || given == "*" || given == base
                });
                reaches_a_target && !covered
            })
        })
        .collect()
}

fn removes_outline(declaration: &Declaration) -> bool {
    let value = declaration.value.trim_end_matches("!important").trim();
    match declaration.property.as_str() {
        "outline" => matches!(value, "none" | "0" | "0px" | "none 0"),
        "outline-style" => value == "none",
        "outline-width" => matches!(value, "0" | "0px"),
        _ => false,
    }
}

fn is_indicator(declaration: &Declaration) -> bool {
    let property = declaration.property.as_str();
    (property.starts_with("outline") && !removes_outline(declaration) && property != "outline-offset")
        || property.starts_with("border")
        || property.starts_with("background")
        || property == "box-shadow" && declaration.value != "none"
}

/// A selector without its states.
fn base_of(selector: &str) -> String {
    selector
        .replace(":focus-visible", "")
        .replace(":focus-within", "")
        .replace(":focus", "")
        .trim()
        .to_owned()
}

fn last_compound(selector: &str) -> String {
    selector.split([' ', '>', '+', '~']).rfind(|part| !part.is_empty()).unwrap_or("*").to_owned()
}

pub(super) fn focus(page: &Page<'_>) -> Outcome {
    if !page.exposed().any(is_target) {
        return Outcome::not_applicable();
    }
    let rules = unfocusable_rules(page);
    let finding = rules.first().map(|first| {
        let line = page.source.line(first.span.start);
        let mut finding = Finding::page(
            Severity::Serious,
            format!(
                "the focus ring is taken away by {} and not given back ({}, line {line})",
                counted(rules.len(), "rule"),
                first.selector
            ),
        );
        finding.weight = rules.len();
        finding
    });
    Outcome::binary(format!("{} hiding the focus ring", counted(rules.len(), "rule")), finding)
}
