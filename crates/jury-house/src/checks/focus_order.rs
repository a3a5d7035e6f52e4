//! What is reached with the Tab key, and what scripts may still change.

use std::collections::BTreeSet;

use jury_eye::{Node, NodeId};

use crate::page::Page;

/// Elements in the sequential focus order, as far as the page tells.
pub(super) fn tab_stops(page: &Page<'_>) -> BTreeSet<NodeId> {
    let mut stops = BTreeSet::new();
    // The end of the nearest disabled fieldset, and of its first legend, which stays enabled.
    let mut disabled_until = 0;
    for node in &page.snapshot.nodes {
        if node.tag == "fieldset" && node.attribute("disabled").is_some() {
            disabled_until = disabled_until.max(node.subtree_end.index());
        }
        let disabled = node.id.index() < disabled_until
            && matches!(node.tag.as_str(), "button" | "input" | "select" | "textarea");
        if !disabled && node.is_focusable() && node.tab_index().is_none_or(|index| index >= 0) {
            stops.insert(node.id);
        }
    }
    stops
}

/// Whether a script of the page names an element, and so may fill, name or move it.
pub(super) fn is_scripted(page: &Page<'_>, node: &Node) -> bool {
    let Some(id) = node.attribute("id").filter(|id| !id.is_empty()) else {
        return false;
    };
    scripts(page).any(|script| {
        script.match_indices(id).any(|(at, _)| {
            let before = script.get(..at).and_then(|text| text.chars().next_back());
            let after = script.get(at + id.len()..).and_then(|text| text.chars().next());
            matches!(before, Some('"' | '\'' | '`' | '#' | '.')) && !after.is_some_and(char::is_alphanumeric)
        })
    })
}

/// The scripts in the page.
pub(super) fn scripts<'a>(page: &'a Page<'_>) -> impl Iterator<Item = &'a str> {
    page.source.tags.iter().filter(|tag| tag.name == "script").filter_map(|tag| {
        let rest = page.html.get(tag.span.end..)?;
        let at = page.source.raw_texts.partition_point(|span| span.start < tag.span.end);
        let span = page.source.raw_texts.get(at).filter(|span| span.start == tag.span.end)?;
        rest.get(..span.len())
    })
}

/// Whether the page has any script that runs.
pub(super) fn has_scripts(page: &Page<'_>) -> bool {
    page.snapshot.nodes.iter().any(|node| {
        node.tag == "script"
            && node.attribute("type").is_none_or(|kind| {
                kind.is_empty() || kind == "module" || kind.contains("javascript") || kind.contains("babel")
            })
    })
}
