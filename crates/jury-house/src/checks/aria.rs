//! Whether roles and `aria-` attributes exist, fit their element and have values that mean something.

use std::collections::BTreeMap;

use jury_core::line::shortened;
use jury_eye::aria::{self, Values};
use jury_eye::{Node, NodeId};

use super::causes::Causes;
use super::view::has_scripts;
use crate::finding::{Finding, Measure, Outcome, Severity, count};
use crate::page::Page;

/// A fifth of all uses wrong is as good as all.
const ZERO_AT: f64 = 0.2;

/// Elements without a role that mean nothing by themselves.
const GENERIC: &[&str] = &[
    "a", "b", "bdi", "bdo", "body", "data", "div", "footer", "header", "i", "pre", "q", "samp", "small",
    "span", "u",
];

/// The ids of the page, with every element that has them.
type Ids<'a> = BTreeMap<&'a str, Vec<NodeId>>;

/// Checks roles and their attributes.
pub(super) fn aria(page: &Page<'_>) -> Outcome {
    let mut wrong = Causes::default();
    let mut doubtful = Causes::default();
    let mut total = 0;
    let scripted = has_scripts(page);
    let ids = ids(page);
    for node in page.snapshot.nodes.iter().filter(|node| node.tag != "math") {
        let written = node.attribute("role").is_some_and(|role| !role.trim().is_empty());
        let attributes = || node.attributes.iter().filter(|(name, _)| name.starts_with("aria-"));
        // A text can be anything, so an element with nothing but texts has nothing to get wrong.
        let has_something = attributes()
            .any(|(name, _)| aria::attribute(name).is_none_or(|known| known.values != Values::Text));
        if !written && !has_something {
            continue;
        }
        total += 1;
        if written && node.exposed {
            role(node, &mut wrong);
        }
        for (name, value) in attributes() {
            let Some(known) = aria::attribute(name) else {
                wrong.add(Severity::Serious, format!("{name} is no attribute of ARIA"), node.id);
                continue;
            };
            if value.trim().is_empty() || !node.rendered {
                continue;
            }
            if !known.takes(value) {
                let cause = format!("{name}=\"{}\" is no value it takes", shortened(value, 40));
                wrong.add(Severity::Serious, cause, node.id);
            }
            if matches!(known.values, Values::Id | Values::Ids) {
                reference(node, name, value, &ids, if scripted { &mut doubtful } else { &mut wrong });
            }
        }
    }
    let failing = wrong.elements();
    let unknown = doubtful.elements();
    let note = format!(
        "{failing} of {} with wrong roles or aria attributes",
        crate::finding::counted(total, "element")
    );
    let undecided = doubtful.findings(page);
    outcome(failing, unknown, total, note, wrong.findings(page), undecided)
}

fn outcome(
    failing: usize,
    unknown: usize,
    total: usize,
    note: String,
    findings: Vec<Finding>,
    undecided: Vec<Finding>,
) -> Outcome {
    let mut outcome = Outcome::share(failing, total, ZERO_AT, note, findings);
    if let Measure::Share { unknown: share, .. } = &mut outcome.measure {
        *share = count(unknown);
    }
    outcome.undecided(undecided)
}

fn ids<'a>(page: &'a Page<'_>) -> Ids<'a> {
    let mut ids: Ids<'a> = BTreeMap::new();
    for node in &page.snapshot.nodes {
        if let Some(id) = node.attribute("id").filter(|id| !id.is_empty()) {
            ids.entry(id).or_default().push(node.id);
        }
    }
    ids
}

fn role(node: &Node, wrong: &mut Causes) {
    let written = node.attribute("role").unwrap_or_default();
    let known = |token: &str| aria::role(&token.to_ascii_lowercase()).is_some();
    if written.split_ascii_whitespace().any(known) {
        return;
    }
    let cause =
        if written.split_ascii_whitespace().any(|token| aria::is_abstract(&token.to_ascii_lowercase())) {
            format!("role=\"{}\" is abstract and must not be used", shortened(written, 40))
        } else {
            format!("role=\"{}\" is no role", shortened(written, 40))
        };
    wrong.add(Severity::Serious, cause, node.id);
}

/// What an attribute points at has to be there, unless it need not be there yet.
fn reference(node: &Node, name: &str, value: &str, ids: &Ids<'_>, wrong: &mut Causes) {
    let folded = node.attribute("aria-expanded").is_some_and(|value| value == "false")
        || node.attribute("aria-selected").is_some_and(|value| value == "false")
        || node.attribute("aria-haspopup").is_some_and(|value| value != "false");
    let waits = match name {
        "aria-controls" | "aria-owns" => folded,
        "aria-errormessage" => node.attribute("aria-invalid").is_none_or(|value| value == "false"),
        _ => false,
    };
    if !waits && !value.split_ascii_whitespace().any(|id| ids.contains_key(id)) {
        // A scroll bar without what it scrolls lacks what it needs; the others only say less than was meant.
        let required = node
            .role
            .as_deref()
            .and_then(aria::role)
            .is_some_and(|role| role.requires().any(|needed| name == format!("aria-{needed}")));
        let severity = if required { Severity::Serious } else { Severity::Moderate };
        wrong.add(severity, format!("{name}=\"{}\" points at nothing", shortened(value, 40)), node.id);
    }
    for id in value.split_ascii_whitespace() {
        if ids.get(id).is_some_and(|nodes| nodes.len() > 1) {
            wrong.add(
                Severity::Moderate,
                format!(
                    "{name} points at \"{}\", which is the id of more than one element",
                    shortened(id, 40)
                ),
                node.id,
            );
        }
    }
}

/// Whether what a role needs is there.
pub(super) fn required(page: &Page<'_>) -> Outcome {
    let mut wrong = Causes::default();
    let mut total = 0;
    for node in page.exposed().filter(|node| node.attribute("role").is_some()) {
        let Some(role) = node.role.as_deref().and_then(aria::role) else { continue };
        let focusable_separator = role.name == "separator" && node.tag != "hr" && node.is_focusable();
        let needed: Vec<&str> = role.requires().chain(focusable_separator.then_some("valuenow")).collect();
        if needed.is_empty() || native_state(node, role.name) {
            continue;
        }
        total += 1;
        for name in needed {
            if node.attribute(&format!("aria-{name}")).is_none_or(|value| value.trim().is_empty()) {
                wrong.add(Severity::Serious, format!("role {} needs aria-{name}", role.name), node.id);
            }
        }
    }
    let failing = wrong.elements();
    let note = format!("{failing} of {total} roles without a state they need");
    Outcome::share(failing, total, ZERO_AT, note, wrong.findings(page))
}

/// Whether the element itself says what the role needs to have said.
fn native_state(node: &Node, role: &str) -> bool {
    match (node.tag.as_str(), role) {
        ("h1" | "h2" | "h3" | "h4" | "h5" | "h6", "heading") | ("meter", "meter") => true,
        ("input", "checkbox" | "switch" | "menuitemcheckbox" | "menuitemradio" | "radio") => node
            .attribute("type")
            .is_some_and(|kind| kind.eq_ignore_ascii_case("checkbox") || kind.eq_ignore_ascii_case("radio")),
        ("input", "slider") => node.attribute("type").is_some_and(|kind| kind.eq_ignore_ascii_case("range")),
        ("select", "combobox") => true,
        ("input", "combobox") => node.attribute("list").is_some(),
        _ => false,
    }
}

/// The role an element is held to, and whether it is one that means nothing.
fn role_held_to(node: &Node) -> Option<(&'static aria::AriaRole, bool)> {
    let role = aria::role(node.role.as_deref().unwrap_or("generic"))?;
    Some((role, node.role.is_none() && GENERIC.contains(&node.tag.as_str())))
}

/// Whether attributes are such as their role supports.
pub(super) fn allowed(page: &Page<'_>) -> Outcome {
    let mut wrong = Causes::default();
    let mut total = 0;
    for node in page.exposed().filter(|node| node.tag != "math") {
        let Some((role, _)) = role_held_to(node) else { continue };
        for (name, _) in &node.attributes {
            let Some(known) = aria::attribute(name) else { continue };
            if aria::is_global(known.name) {
                continue;
            }
            total += 1;
            if !role.supports(known.name) && !is_allowed_by_html(node, known.name) {
                let of = node.role.as_ref().map_or_else(|| node.tag.clone(), |role| format!("role {role}"));
                wrong.add(Severity::Serious, format!("{name} is not allowed on {of}"), node.id);
            }
        }
    }
    let failing = wrong.elements();
    let note = format!(
        "{} with aria attributes their role does not have",
        crate::finding::counted(failing, "element")
    );
    Outcome::share(failing, total, ZERO_AT, note, wrong.findings(page))
}

/// Whether nothing is named that cannot have a name.
pub(super) fn prohibited(page: &Page<'_>) -> Outcome {
    let mut wrong = Causes::default();
    let mut total = 0;
    for node in page.exposed().filter(|node| node.tag != "math") {
        let Some((role, is_generic)) = role_held_to(node) else { continue };
        if (node.role.is_none() && !is_generic) || is_always_nameable(node) {
            continue;
        }
        for (name, value) in &node.attributes {
            let Some(known) = aria::attribute(name).filter(|_| !value.trim().is_empty()) else { continue };
            if !matches!(
                known.name,
                "label" | "labelledby" | "braillelabel" | "roledescription" | "brailleroledescription"
            ) {
                continue;
            }
            total += 1;
            if role.prohibits(known.name) {
                let of =
                    if is_generic { format!("a plain {}", node.tag) } else { format!("role {}", role.name) };
                wrong.add(Severity::Moderate, format!("{name} means nothing on {of}"), node.id);
            }
        }
    }
    let failing = wrong.elements();
    let note = format!("{failing} of {total} names on what cannot have one");
    Outcome::share(failing, total, 0.5, note, wrong.findings(page))
}

/// Controls and pictures, whatever they are made to be, are there to be named.
fn is_always_nameable(node: &Node) -> bool {
    matches!(node.tag.as_str(), "button" | "input" | "select" | "textarea" | "img" | "svg" | "summary")
        || node.role.as_deref() == Some("link")
}

/// Elements whose role stands for more than its table says.
fn is_allowed_by_html(node: &Node, attribute: &str) -> bool {
    match node.tag.as_str() {
        // These stand for several roles of their own, depending on the browser.
        "input" | "select" | "textarea" => true,
        "summary" | "details" => attribute == "expanded",
        "svg" | "canvas" | "object" | "embed" | "iframe" => attribute == "activedescendant",
        _ => false,
    }
}
