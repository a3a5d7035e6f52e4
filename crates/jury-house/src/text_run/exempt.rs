//! Text that needs no contrast, as WCAG 1.4.3 and the ACT rule afw4f7 have it: what belongs to a control that is
//! switched off, what is nothing to read, and what nobody sees.

use std::collections::BTreeSet;

use jury_eye::{Node, NodeId, Snapshot};

/// What is switched off on a page, found once.
pub(super) struct Exempt<'page> {
    snapshot: &'page Snapshot,
    /// Ids of switched-off controls, for labels that point at them.
    off: BTreeSet<&'page str>,
    /// Ids that label only controls that are switched off, by `aria-labelledby`.
    labels_off: BTreeSet<&'page str>,
}

impl<'page> Exempt<'page> {
    pub(super) fn of(snapshot: &'page Snapshot) -> Self {
        let mut off = BTreeSet::new();
        let mut labels_off = BTreeSet::new();
        let mut labels_on = BTreeSet::new();
        for node in &snapshot.nodes {
            let is_off = is_off(node);
            if is_off && let Some(id) = node.attribute("id") {
                off.insert(id);
            }
            if let Some(labels) = node.attribute("aria-labelledby") {
                let is_off = is_off || snapshot.ancestors(node).any(self::is_off);
                let list = if is_off { &mut labels_off } else { &mut labels_on };
                list.extend(labels.split_ascii_whitespace());
            }
        }
        labels_off.retain(|label| !labels_on.contains(label));
        Self { snapshot, off, labels_off }
    }

    /// Whether the text of an element needs no contrast.
    pub(super) fn covers(&self, node: &Node) -> bool {
        std::iter::once(node).chain(self.snapshot.ancestors(node)).any(|around| {
            is_off(around)
                || around.attribute("inert").is_some()
                || (around.tag == "label" && self.labels_something_off(around))
                || around.attribute("id").is_some_and(|id| self.labels_off.contains(id))
        })
    }

    fn labels_something_off(&self, label: &Node) -> bool {
        if let Some(target) = label.attribute("for") {
            return self.off.contains(target);
        }
        self.snapshot.descendants(label).find(|inner| is_field(inner)).is_some_and(is_off)
    }
}

fn is_field(node: &Node) -> bool {
    match node.tag.as_str() {
        "select" | "textarea" => true,
        "input" => !matches!(
            node.attribute("type").unwrap_or_default(),
            "hidden" | "image" | "button" | "submit" | "reset"
        ),
        _ => false,
    }
}

fn is_off(node: &Node) -> bool {
    (matches!(
        node.tag.as_str(),
        "button" | "input" | "select" | "textarea" | "fieldset" | "optgroup" | "option"
    ) && node.attribute("disabled").is_some())
        || node.attribute("aria-disabled").is_some_and(|value| value.eq_ignore_ascii_case("true"))
}

/// Letters and digits: what there is to read.
pub(super) fn readable(text: &str) -> usize {
    text.chars().filter(|ch| ch.is_alphanumeric()).count()
}

/// Fonts whose letters are drawings. Their text is the name of the drawing, which nobody reads.
pub(super) fn is_icon(node: &Node) -> bool {
    node.style.as_ref().and_then(|style| style.font_families.first()).is_some_and(|family| {
        let family = family.to_ascii_lowercase();
        ["material icons", "material symbols", "font awesome", "fontawesome", "remixicon", "bootstrap-icons"]
            .iter()
            .any(|known| family.starts_with(known))
    })
}

/// What an element shows as text: its own, or what stands in it as a control.
pub(super) fn text_of(node: &Node) -> Option<&str> {
    let text = match node.tag.as_str() {
        "option" | "noscript" | "optgroup" => return None,
        "input" => match node.attribute("type").unwrap_or("text").to_ascii_lowercase().as_str() {
            "hidden" | "range" | "color" | "checkbox" | "radio" | "image" | "file" => return None,
            "submit" | "reset" | "button" | "text" | "search" | "email" | "url" | "tel" | "number"
            | "password" => node.attribute("value").unwrap_or_default(),
            _ => return None,
        },
        _ => node.text.as_str(),
    };
    (readable(text) > 0).then_some(text)
}

/// Whether an element lies inside another one, or is it.
pub(super) fn contains(outer: &Node, inner: NodeId) -> bool {
    outer.id <= inner && inner < outer.subtree_end
}
