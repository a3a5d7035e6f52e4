//! What is reached with the Tab key, and what scripts may still change.

use std::collections::BTreeSet;

use jury_eye::{Node, NodeId};

use crate::page::Page;

/// Elements in the sequential focus order, as far as the page tells.
pub(super) fn tab_stops(page: &Page<'_>) -> BTreeSet<NodeId> {
    let nodes = &page.snapshot.nodes;
    let is_off = |node: &Node| node.tag == "fieldset" && node.attribute("disabled").is_some();
    let mut stops = BTreeSet::new();
    // By element: whether controls there are switched off by a fieldset around it.
    let mut switched_off: Vec<bool> = Vec::with_capacity(nodes.len());
    // Fieldsets whose first legend has been met: what is in that stays enabled.
    let mut titled: BTreeSet<NodeId> = BTreeSet::new();
    for node in nodes {
        let parent = node.parent.and_then(|parent| page.node(parent));
        let inherited =
            parent.and_then(|parent| switched_off.get(parent.id.index())).copied().unwrap_or(false);
        let off = match parent.filter(|parent| is_off(parent)) {
            Some(fieldset) if node.tag == "legend" && titled.insert(fieldset.id) => inherited,
            Some(_) => true,
            None => inherited,
        };
        switched_off.push(off);
        let disabled = off && matches!(node.tag.as_str(), "button" | "input" | "select" | "textarea");
        if !disabled && node.is_focusable() && node.tab_index().is_none_or(|index| index >= 0) {
            stops.insert(node.id);
        }
    }
    stops
}

/// The names that scripts of the page use for elements. What they name, they may fill, name or move.
pub(super) struct Scripted<'a>(BTreeSet<&'a str>);

impl<'a> Scripted<'a> {
    pub(super) fn of(page: &'a Page<'_>) -> Self {
        let mut names = BTreeSet::new();
        for script in scripts(page) {
            let mut rest = script;
            while let Some(at) = rest.find(['"', '\'', '`', '#']) {
                rest = rest.get(at + 1..).unwrap_or_default();
                let end = rest
                    .find(|ch: char| !(ch.is_alphanumeric() || matches!(ch, '-' | '_' | ':' | '.')))
                    .unwrap_or(rest.len());
                if let Some(name) = rest.get(..end).filter(|name| !name.is_empty()) {
                    names.insert(name);
                }
                rest = rest.get(end..).unwrap_or_default();
            }
        }
        Self(names)
    }

    pub(super) fn names(&self, node: &Node) -> bool {
        node.attribute("id").is_some_and(|id| self.0.contains(id))
    }
}

/// The scripts in the page.
fn scripts<'a>(page: &'a Page<'_>) -> impl Iterator<Item = &'a str> {
    page.source.tags.iter().filter(|tag| tag.name == "script").filter_map(|tag| {
        let rest = page.html.get(tag.span.end..)?;
        let at = page.source.raw_texts.partition_point(|span| span.start < tag.span.end);
        let span = page.source.raw_texts.get(at).filter(|span| span.start == tag.span.end)?;
        rest.get(..span.len())
    })
}
