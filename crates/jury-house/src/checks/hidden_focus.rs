//! What is hidden from assistive technology and still takes the focus, and what hides it: `aria-hidden`, roles whose
//! content is part of them, and decoration that cannot be decoration.

use jury_eye::aria;
use jury_eye::{Node, NodeId};

use super::causes::Causes;
use super::focus_order::{Scripted, tab_stops};
use crate::finding::{Measure, Outcome, Severity, count};
use crate::page::{Page, selector};

fn hides(node: &Node) -> bool {
    node.attribute("aria-hidden").is_some_and(|value| value.trim().eq_ignore_ascii_case("true"))
}

/// `aria-hidden` on or around something in the focus order.
pub(super) fn hidden(page: &Page<'_>) -> Outcome {
    let stops = tab_stops(page);
    let scripted = Scripted::of(page);
    let mut wrong = Causes::default();
    let mut doubtful = Causes::default();
    let mut total = 0;
    let mut covered = 0;
    for node in page.snapshot.nodes.iter().filter(|node| hides(node)) {
        if node.id.index() < covered {
            continue;
        }
        covered = node.subtree_end.index();
        if node.style.is_none() {
            continue;
        }
        total += 1;
        if node.tag == "body" || node.tag == "html" {
            wrong.add(
                Severity::Critical,
                format!("aria-hidden on {} hides the whole page", node.tag),
                node.id,
            );
            continue;
        }
        let inside: Vec<NodeId> = stops.range(node.id..node.subtree_end).copied().collect();
        let Some(first) = inside.first().and_then(|id| page.node(*id)) else { continue };
        let cause = format!("{} is hidden by aria-hidden and can still be focused", selector(first));
        // A script that handles the element may pass the focus on, as the ends of a dialog do.
        if inside.iter().filter_map(|id| page.node(*id)).all(|stop| scripted.names(stop)) {
            doubtful.add(Severity::Serious, cause, node.id);
        } else {
            wrong.add(Severity::Serious, cause, node.id);
        }
    }
    let failing = wrong.elements();
    let unknown = doubtful.elements();
    let note = format!("{failing} of {total} hidden parts with something to focus");
    let mut outcome = Outcome::share(failing, total, 0.2, note, wrong.findings(page));
    if let Measure::Share { unknown: share, .. } = &mut outcome.measure {
        *share = count(unknown);
    }
    outcome.undecided(doubtful.findings(page))
}

/// Controls inside of controls.
pub(super) fn nested(page: &Page<'_>) -> Outcome {
    let stops = tab_stops(page);
    let mut wrong = Causes::default();
    let mut total = 0;
    for node in page.exposed() {
        let Some(role) = node.role.as_deref().and_then(aria::role).filter(|role| role.presentational) else {
            continue;
        };
        // HTML lets a summary hold anything but another control of its kind, and browsers reach a link in it by itself.
        if node.tag == "summary" && node.attribute("role").is_none() {
            continue;
        }
        total += 1;
        let inside = page.snapshot.descendants(node).find(|inner| {
            !is_own_part(node, inner)
                && (stops.contains(&inner.id) || (inner.is_focusable() && is_control(inner)))
        });
        if let Some(inner) = inside {
            let cause = format!(
                "{} inside of {}: nothing in a {} is heard by itself",
                selector(inner),
                selector(node),
                role.name
            );
            wrong.add(Severity::Serious, cause, node.id);
        }
    }
    let failing = wrong.elements();
    let note = format!("{failing} of {total} controls with another one inside");
    Outcome::share(failing, total, 0.2, note, wrong.findings(page))
}

/// Controls stay controls when they are taken out of the focus order.
fn is_control(node: &Node) -> bool {
    matches!(
        node.role.as_deref(),
        Some(
            "button"
                | "checkbox"
                | "combobox"
                | "link"
                | "listbox"
                | "menuitem"
                | "radio"
                | "searchbox"
                | "slider"
                | "spinbutton"
                | "switch"
                | "tab"
                | "textbox"
        )
    )
}

/// Options are part of their select.
fn is_own_part(node: &Node, inner: &Node) -> bool {
    node.tag == "select" && matches!(inner.tag.as_str(), "option" | "optgroup")
}

/// Images and elements declared to be decoration that stay exposed.
pub(super) fn decoration(page: &Page<'_>) -> Outcome {
    let mut wrong = Causes::default();
    let mut total = 0;
    for node in page.exposed() {
        let declared = node
            .attribute("role")
            .and_then(|role| {
                role.split_ascii_whitespace().find(|token| aria::role(&token.to_ascii_lowercase()).is_some())
            })
            .is_some_and(|role| {
                role.eq_ignore_ascii_case("none") || role.eq_ignore_ascii_case("presentation")
            });
        let empty_alt =
            node.tag == "img" && node.attribute("alt") == Some("") && node.attribute("role").is_none();
        if !declared && !empty_alt {
            continue;
        }
        total += 1;
        let has_global = node.attributes.iter().any(|(name, value)| {
            name.strip_prefix("aria-")
                .is_some_and(|name| name != "hidden" && aria::is_global(name) && !value.trim().is_empty())
        });
        if has_global || node.is_focusable() {
            let reason = if has_global { "has an aria attribute" } else { "can be focused" };
            wrong.add(
                Severity::Minor,
                format!("{} is declared decoration and {reason}", selector(node)),
                node.id,
            );
        }
    }
    let failing = wrong.elements();
    let note = format!("{failing} of {total} decorations that are heard");
    Outcome::share(failing, total, 0.5, note, wrong.findings(page))
}
