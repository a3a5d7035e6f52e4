//! Landmarks: one main part, nothing outside, and no two that cannot be told apart.

use std::collections::BTreeMap;

use jury_eye::{Node, NodeId, Snapshot};

use super::structure::unsaid;
use crate::finding::{Finding, Outcome, Severity, counted};
use crate::page::Page;

const LANDMARKS: &[&str] =
    &["banner", "complementary", "contentinfo", "form", "main", "navigation", "region", "search"];

fn landmark(node: &Node) -> Option<&str> {
    node.role.as_deref().filter(|role| LANDMARKS.contains(role))
}

pub(super) fn main_landmark(page: &Page<'_>) -> Outcome {
    let has_frame = page.exposed().any(|node| node.tag == "iframe");
    if page.snapshot.page.visible_characters == 0 && !page.snapshot.coverage.js_rendered && !has_frame {
        return Outcome::not_applicable();
    }
    let mains: Vec<&Node> = page.exposed().filter(|node| node.role.as_deref() == Some("main")).collect();
    let note = counted(mains.len(), "main landmark");
    let finding = if mains.len() == 1 {
        mains.iter().find(|main| page.snapshot.ancestors(main).any(|around| landmark(around).is_some())).map(
            |main| {
                let what =
                    format!("the main landmark stands inside of another one ({})", page.place(main.id));
                Finding::on(Severity::Moderate, vec![main.id], what).because("main inside of a landmark")
            },
        )
    } else {
        let what = format!("{}, needs exactly 1", counted(mains.len(), "main landmark"));
        let cause = if mains.is_empty() { "no main landmark" } else { "several main landmarks" };
        let nodes = mains.iter().map(|main| main.id).take(1).collect();
        Some(Finding::on(Severity::Moderate, nodes, what).because(cause))
    };
    match finding {
        Some(finding) if mains.is_empty() && page.snapshot.coverage.js_rendered => unsaid(finding),
        finding => Outcome::binary(note, finding),
    }
}

pub(super) fn regions(page: &Page<'_>) -> Outcome {
    let outside_nodes = outside(&page.snapshot);
    let total: usize = page.runs.iter().map(|run| run.characters).sum();
    let outside: usize = page
        .runs
        .iter()
        .filter(|run| is_in(&outside_nodes, &page.snapshot, run.node))
        .map(|run| run.characters)
        .sum();
    // Where nothing is seen and something is heard, elements count instead of characters.
    let (outside, total, noun) = if total == 0 {
        (outside_nodes.len(), outside_nodes.len(), "elements")
    } else {
        (outside, total, "characters")
    };
    let what = format!("{outside} of {total} {noun} outside landmarks");
    let findings = (!outside_nodes.is_empty())
        .then(|| {
            let words = format!("{what} ({})", page.places(&outside_nodes));
            let mut finding =
                Finding::on(Severity::Moderate, outside_nodes, words).because("content outside landmarks");
            finding.weight = outside.max(1);
            finding
        })
        .into_iter()
        .collect();
    Outcome::share(outside, total, 1.0, what, findings)
}

/// Whether a node is one of some elements in document order, or inside of one.
fn is_in(elements: &[NodeId], snapshot: &Snapshot, id: NodeId) -> bool {
    let after = elements.partition_point(|element| *element <= id);
    after
        .checked_sub(1)
        .and_then(|at| elements.get(at))
        .and_then(|element| snapshot.node(*element))
        .is_some_and(|element| id < element.subtree_end)
}

/// The largest elements that hold content and no landmark, outside of all landmarks. Each stands for everything
/// inside it, which is how axe-core names them too.
pub(crate) fn outside(snapshot: &Snapshot) -> Vec<NodeId> {
    let nodes = &snapshot.nodes;
    let mut holds_landmark = vec![false; nodes.len()];
    let mut found = Vec::new();
    let targets: std::collections::BTreeSet<&str> =
        nodes.iter().flat_map(|node| [node.attribute("id"), node.attribute("name")]).flatten().collect();
    let first_outward = nodes.iter().find(|node| is_outward_link(node)).map(|node| node.id);
    let mut at = 0;
    while let Some(node) = nodes.get(at) {
        let frame = matches!(node.tag.as_str(), "iframe" | "frame");
        let skips = node.tag == "a"
            && first_outward.is_none_or(|outward| node.id < outward)
            && node
                .attribute("href")
                .and_then(|href| href.strip_prefix('#'))
                .is_some_and(|id| targets.contains(id));
        if !node.exposed || frame || skips || node.role.as_deref() == Some("button") || is_region(node) {
            let mut current = Some(node);
            while let Some(around) = current {
                match holds_landmark.get_mut(around.id.index()) {
                    Some(mark) if !*mark => *mark = true,
                    _ => break,
                }
                current = around.parent.and_then(|parent| snapshot.node(parent));
            }
            at = node.subtree_end.index().max(at + 1);
        } else if node.tag != "body" && has_content(node) && !is_hollow(node) {
            found.push(node.id);
            at = node.subtree_end.index().max(at + 1);
        } else {
            at += 1;
        }
    }
    let mut elements: Vec<NodeId> = found
        .into_iter()
        .filter_map(|id| {
            let mut node = snapshot.node(id)?;
            while let Some(parent) = node.parent.and_then(|parent| snapshot.node(parent)) {
                if parent.tag == "body" || holds_landmark.get(parent.id.index()).copied().unwrap_or(true) {
                    break;
                }
                node = parent;
            }
            Some(node.id)
        })
        .collect();
    elements.sort_unstable();
    elements.dedup();
    elements
}

fn is_outward_link(node: &Node) -> bool {
    node.tag == "a"
        && node.attribute("href").is_some_and(|href| {
            !href.starts_with('#') && !href.starts_with("/#") && !href.starts_with("javascript:")
        })
}

fn is_region(node: &Node) -> bool {
    landmark(node).is_some()
        || matches!(node.role.as_deref(), Some("alert" | "log" | "status" | "dialog" | "alertdialog"))
        || matches!(node.attribute("aria-live"), Some("polite" | "assertive"))
        || matches!(node.tag.as_str(), "svg" | "dialog")
}

/// Declared away and without text of its own.
fn is_hollow(node: &Node) -> bool {
    node.role.as_deref() == Some("none") && node.text.is_empty()
}

fn has_content(node: &Node) -> bool {
    if !node.text.is_empty()
        && !matches!(node.tag.as_str(), "object" | "video" | "audio" | "noscript" | "template")
    {
        return true;
    }
    let named = ["aria-label", "aria-labelledby"]
        .iter()
        .any(|name| node.attribute(name).is_some_and(|value| !value.trim().is_empty()))
        && !node.name.is_empty();
    named || is_seen(node)
}

/// Elements that show something without any text.
fn is_seen(node: &Node) -> bool {
    if node.attribute("role").is_some() {
        return matches!(
            node.role.as_deref(),
            Some(
                "checkbox"
                    | "img"
                    | "meter"
                    | "progressbar"
                    | "scrollbar"
                    | "radio"
                    | "slider"
                    | "spinbutton"
                    | "textbox"
            )
        );
    }
    match node.tag.as_str() {
        "img" | "object" | "video" | "audio" | "canvas" | "math" | "select" | "textarea" | "progress"
        | "meter" => true,
        "input" => node.attribute("type").is_none_or(|kind| !kind.eq_ignore_ascii_case("hidden")),
        _ => false,
    }
}

/// Landmarks that cannot be told apart, come twice or stand where they must not.
pub(super) fn landmarks(page: &Page<'_>) -> Outcome {
    let all: Vec<(&Node, &str)> =
        page.exposed().filter_map(|node| landmark(node).map(|role| (node, role))).collect();
    let mut same: BTreeMap<(&str, String), Vec<NodeId>> = BTreeMap::new();
    for (node, role) in &all {
        same.entry((role, node.name.to_lowercase())).or_default().push(node.id);
    }
    let mut findings = Vec::new();
    let mut failing = 0;
    for ((role, name), nodes) in same {
        if nodes.len() < 2 || role == "main" {
            continue;
        }
        failing += nodes.len() - 1;
        let called = if name.is_empty() { "without a name".to_owned() } else { format!("named \"{name}\"") };
        let what = format!(
            "{} {called}, which nothing tells apart ({})",
            counted(nodes.len(), &format!("{role} landmark")),
            page.places(&nodes)
        );
        // The first stands for the group: naming the others is enough.
        findings.push(
            Finding::on(Severity::Moderate, nodes.into_iter().take(1).collect(), what)
                .because(format!("{role} landmarks {called}")),
        );
    }
    for (node, role) in &all {
        let must_be_outermost = matches!(*role, "banner" | "contentinfo" | "complementary");
        let inside = page.snapshot.ancestors(node).find_map(|around| {
            let plain_form = around.tag == "form" && around.attribute("role").is_none();
            landmark(around).filter(|outer| !plain_form && (*outer != "main" || *role != "complementary"))
        });
        if let Some(outer) = inside.filter(|_| must_be_outermost) {
            failing += 1;
            let what = format!("{role} landmark inside of {outer} ({})", page.place(node.id));
            findings.push(
                Finding::on(Severity::Moderate, vec![node.id], what)
                    .because(format!("{role} inside of {outer}")),
            );
        }
    }
    findings.sort_by_key(|finding| finding.nodes.first().copied());
    let note = format!("{failing} of {} landmarks doubled or misplaced", all.len());
    Outcome::share(failing, all.len(), 0.5, note, findings)
}
