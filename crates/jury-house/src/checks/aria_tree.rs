//! Whether roles that belong together stand together: list items in lists, tabs in tab lists.

use std::collections::{BTreeMap, BTreeSet};

use jury_eye::aria;
use jury_eye::{Node, NodeId, Snapshot};

use super::causes::Causes;
use crate::finding::{Finding, Measure, Outcome, Severity, count};
use crate::page::Page;

/// Who is said to own whom, beside the tree.
struct Owners {
    owner_of: BTreeMap<NodeId, NodeId>,
    owned_by: BTreeMap<NodeId, Vec<NodeId>>,
}

impl Owners {
    fn of(page: &Page<'_>) -> Self {
        let mut owners = Self { owner_of: BTreeMap::new(), owned_by: BTreeMap::new() };
        let owning: Vec<&Node> =
            page.snapshot.nodes.iter().filter(|node| node.attribute("aria-owns").is_some()).collect();
        if owning.is_empty() {
            return owners;
        }
        let mut ids: BTreeMap<&str, NodeId> = BTreeMap::new();
        for node in &page.snapshot.nodes {
            if let Some(id) = node.attribute("id") {
                ids.entry(id).or_insert(node.id);
            }
        }
        for node in owning {
            for id in node.attribute("aria-owns").unwrap_or_default().split_ascii_whitespace() {
                if let Some(owned) = ids.get(id) {
                    owners.owner_of.insert(*owned, node.id);
                    owners.owned_by.entry(node.id).or_default().push(*owned);
                }
            }
        }
        owners
    }
}

/// Whether roles stand in what they belong to.
pub(super) fn parents(page: &Page<'_>) -> Outcome {
    let owners = Owners::of(page);
    let mut wrong = Causes::default();
    let mut total = 0;
    for node in page.exposed().filter(|node| node.attribute("role").is_some()) {
        let Some(role) = node.role.as_deref().and_then(aria::role) else { continue };
        let contexts: BTreeSet<&str> = role.context().collect();
        if contexts.is_empty() {
            continue;
        }
        total += 1;
        if !stands_in(&page.snapshot, node, &contexts, &owners) {
            let wanted = contexts.iter().copied().collect::<Vec<_>>().join(" or ");
            wrong.add(Severity::Serious, format!("role {} stands in no {wanted}", role.name), node.id);
        }
    }
    let failing = wrong.elements();
    let note = format!("{failing} of {total} roles outside of what they belong to");
    Outcome::share(failing, total, 0.2, note, wrong.findings(page))
}

/// Whether roles hold what belongs into them, and nothing else.
pub(super) fn children(page: &Page<'_>) -> Outcome {
    let owners = Owners::of(page);
    let mut wrong = Causes::default();
    let mut empty = Causes::default();
    let mut total = 0;
    for node in page.exposed().filter(|node| node.attribute("role").is_some()) {
        let Some(role) = node.role.as_deref().and_then(aria::role) else { continue };
        let owns: BTreeSet<&str> = role.owns().collect();
        if owns.is_empty() || node.attribute("aria-busy") == Some("true") {
            continue;
        }
        total += 1;
        match inside(page, node, &owns, &owners) {
            Inside::Right => {}
            Inside::Wrong(other) => {
                let cause = format!("role {} directly holds {other}, which does not belong there", role.name);
                wrong.add(Severity::Serious, cause, node.id);
            }
            Inside::Nothing => {
                let wanted = owns.iter().copied().collect::<Vec<_>>().join(" or ");
                let cause = format!("role {} holds no {wanted}", role.name);
                if has_content(page, node) {
                    wrong.add(Severity::Serious, cause, node.id);
                } else {
                    empty.add(Severity::Serious, format!("{cause} yet, and may be filled later"), node.id);
                }
            }
        }
    }
    let failing = wrong.elements();
    let unknown = empty.elements();
    let note = format!("{failing} of {total} roles holding what does not belong there");
    let undecided: Vec<Finding> = empty.findings(page);
    let mut outcome = Outcome::share(failing, total, 0.2, note, wrong.findings(page));
    if let Measure::Share { unknown: share, .. } = &mut outcome.measure {
        *share = count(unknown);
    }
    outcome.undecided(undecided)
}

fn has_content(page: &Page<'_>, node: &Node) -> bool {
    !node.text.is_empty()
        || page.snapshot.descendants(node).any(|inner| inner.exposed && !inner.text.is_empty())
}

/// An element that is as good as not there between a role and what it belongs to.
fn is_transparent(node: &Node) -> bool {
    let has_global = node.attributes.iter().any(|(name, value)| {
        name.strip_prefix("aria-").is_some_and(aria::is_global) && !value.trim().is_empty()
    });
    match node.role.as_deref() {
        Some("none") => true,
        None => !has_global && !node.is_focusable(),
        Some(_) => false,
    }
}

fn stands_in(snapshot: &Snapshot, node: &Node, contexts: &BTreeSet<&str>, owners: &Owners) -> bool {
    let mut current = node;
    for _ in 0..snapshot.nodes.len() {
        let parent = owners.owner_of.get(&current.id).copied().or(current.parent);
        let Some(parent) = parent.and_then(|id| snapshot.node(id)) else { return false };
        match parent.role.as_deref() {
            Some(role) if contexts.contains(role) => return true,
            // Items are grouped inside of what they belong to.
            Some("group" | "rowgroup") if contexts.contains("group") => {}
            _ if is_transparent(parent) => {}
            _ => return false,
        }
        current = parent;
    }
    false
}

enum Inside {
    Right,
    Wrong(String),
    Nothing,
}

fn inside(page: &Page<'_>, node: &Node, owns: &BTreeSet<&str>, owners: &Owners) -> Inside {
    let mut right = false;
    let mut consider: Vec<NodeId> = owners.owned_by.get(&node.id).cloned().unwrap_or_default();
    let mut at = node.id.index() + 1;
    let end = node.subtree_end.index();
    let mut nodes = Vec::new();
    while at < end {
        let Some(inner) = page.snapshot.nodes.get(at) else { break };
        at += 1;
        let grouping =
            matches!(inner.role.as_deref(), Some(role @ ("group" | "rowgroup")) if owns.contains(role));
        if !inner.exposed || owners.owner_of.contains_key(&inner.id) {
            at = inner.subtree_end.index();
        } else if !(grouping || is_transparent(inner)) {
            nodes.push(inner.id);
            at = inner.subtree_end.index();
        }
    }
    consider.extend(nodes);
    for id in consider {
        let Some(inner) = page.node(id) else { continue };
        match inner.role.as_deref() {
            Some(role) if owns.contains(role) => right = true,
            Some(role) if is_phrasing(role) => {}
            // Lines between items belong to menus by everyone's use.
            Some("separator") if owns.contains("menuitem") => {}
            Some(role) => {
                let fits = aria::role(role).is_some_and(|known| {
                    known.context().any(|context| Some(context) == node.role.as_deref())
                });
                if !fits {
                    return Inside::Wrong(format!("a {role}"));
                }
                right = true;
            }
            None => return Inside::Wrong(format!("a {} of its own", inner.tag)),
        }
    }
    if right { Inside::Right } else { Inside::Nothing }
}

/// Roles of words within text: they neither belong anywhere nor disturb anything.
fn is_phrasing(role: &str) -> bool {
    matches!(
        role,
        "code"
            | "deletion"
            | "emphasis"
            | "insertion"
            | "mark"
            | "paragraph"
            | "strong"
            | "subscript"
            | "superscript"
            | "time"
    )
}
