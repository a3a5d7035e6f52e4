//! Lists that are lists: items in lists, and in lists nothing but items.

use jury_eye::{Node, Snapshot};

use super::causes::Causes;
use crate::finding::{Outcome, Severity};
use crate::page::Page;

pub(super) fn lists(page: &Page<'_>) -> Outcome {
    let mut wrong = Causes::default();
    let mut total = 0;
    for node in page.exposed() {
        let parent = node.parent.and_then(|parent| page.node(parent));
        match node.tag.as_str() {
            "ul" | "ol" if node.role.as_deref() == Some("list") => {
                total += 1;
                if let Some(stranger) = stranger(&page.snapshot, node, &["li"]) {
                    wrong.add(
                        Severity::Serious,
                        format!("{} directly holds {stranger}, not only li", node.tag),
                        node.id,
                    );
                }
            }
            "dl" if node.attribute("role").is_none() => {
                total += 1;
                if let Some(stranger) = stranger(&page.snapshot, node, &["dt", "dd"]) {
                    wrong.add(
                        Severity::Serious,
                        format!("dl directly holds {stranger}, not only dt and dd"),
                        node.id,
                    );
                } else if lacks_a_half(&page.snapshot, node) {
                    wrong.add(
                        Severity::Serious,
                        "dl without both a term (dt) and what it means (dd)",
                        node.id,
                    );
                }
            }
            "li" if node.attribute("role").is_none() => {
                total += 1;
                let fits =
                    parent.is_some_and(|parent| matches!(parent.role.as_deref(), Some("list" | "none")));
                if !fits {
                    wrong.add(Severity::Serious, "li outside of a list", node.id);
                }
            }
            "dt" | "dd" if node.attribute("role").is_none() => {
                total += 1;
                let list = match parent {
                    Some(group)
                        if group.tag == "div" && matches!(group.role.as_deref(), None | Some("none")) =>
                    {
                        group.parent.and_then(|parent| page.node(parent))
                    }
                    other => other,
                };
                let fits = list.is_some_and(|list| {
                    list.tag == "dl" && matches!(list.role.as_deref(), None | Some("none" | "list"))
                });
                if !fits {
                    wrong.add(Severity::Serious, format!("{} outside of a dl", node.tag), node.id);
                }
            }
            _ => {}
        }
    }
    let failing = wrong.elements();
    let note = format!("{failing} of {total} lists and items out of place");
    Outcome::share(failing, total, 0.2, note, wrong.findings(page))
}

/// Whether a list of descriptions has terms without a description behind them, or the other way round.
fn lacks_a_half(snapshot: &Snapshot, list: &Node) -> bool {
    let items: Vec<&str> = snapshot
        .descendants(list)
        .filter(|inner| inner.exposed && matches!(inner.tag.as_str(), "dt" | "dd"))
        .filter(|inner| {
            let of = |id: Option<jury_eye::NodeId>| id.and_then(|id| snapshot.node(id));
            let group = of(inner.parent);
            group.is_some_and(|group| {
                group.id == list.id
                    || group.tag == "div" && of(group.parent).is_some_and(|around| around.id == list.id)
            })
        })
        .map(|inner| inner.tag.as_str())
        .collect();
    let term = items.iter().position(|tag| *tag == "dt");
    let meaning = items.iter().rposition(|tag| *tag == "dd");
    !items.is_empty() && !matches!((term, meaning), (Some(term), Some(meaning)) if term < meaning)
}

/// Something directly in a list that is none of its items.
fn stranger(snapshot: &Snapshot, list: &Node, items: &[&str]) -> Option<String> {
    if !list.text.is_empty() {
        return Some("text".to_owned());
    }
    let mut children =
        snapshot.descendants(list).filter(|inner| inner.parent == Some(list.id) && inner.exposed);
    children.find_map(|child| {
        let tag = child.tag.as_str();
        if matches!(tag, "script" | "template") {
            return None;
        }
        // Groups of terms may stand in a div.
        if tag == "div" && child.attribute("role").is_none() && items.contains(&"dt") {
            return stranger(snapshot, child, items);
        }
        let wanted: &[&str] =
            if items.contains(&"li") { &["listitem"] } else { &["term", "definition", "listitem"] };
        let fits = if child.attribute("role").is_none() {
            items.contains(&tag)
        } else {
            child.role.as_deref().is_some_and(|role| wanted.contains(&role))
        };
        (!fits)
            .then(|| child.attribute("role").map_or_else(|| child.tag.clone(), |role| format!("role {role}")))
    })
}
