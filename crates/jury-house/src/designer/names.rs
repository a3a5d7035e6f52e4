//! Repairs that give images and fields a name, from words that are already there. Nothing is
//! made up: what has no words stays open.

use jury_eye::{Node, NodeId};

use crate::checks::{nameless_fields, nameless_images};
use crate::finding::Severity;
use crate::page::Page;

use super::edit::{Repair, attribute_value};

pub(super) fn images(page: &Page<'_>) -> Vec<Repair> {
    nameless_images(page)
        .into_iter()
        .filter_map(|id| {
            let node = page.node(id).filter(|node| node.tag == "img")?;
            let tag = page.source.tag(id)?;
            let alt = |value: &str| format!(" alt=\"{}\"", attribute_value(value));
            if is_decoration(page, node) {
                let reason = format!("alt=\"\" on {}: decoration beside words", page.place(id));
                return Some(Repair::insert("a11y/img-alt", tag.insertion_point(), alt(""), reason));
            }
            let figure = page.snapshot.ancestors(node).find(|around| around.tag == "figure")?;
            let only_image =
                page.snapshot.descendants(figure).filter(|inner| inner.tag == "img").count() == 1;
            let caption = page.snapshot.descendants(figure).find(|inner| inner.tag == "figcaption")?;
            let words = page.text_inside(caption);
            (only_image && !words.is_empty()).then(|| {
                let reason = format!("alt on {} from its caption", page.place(id));
                Repair::insert("a11y/img-alt", tag.insertion_point(), alt(&words), reason).inventing_words()
            })
        })
        .collect()
}

/// An image beside the words of a link or button.
fn is_decoration(page: &Page<'_>, node: &Node) -> bool {
    page.snapshot
        .ancestors(node)
        .find(|around| matches!(around.tag.as_str(), "a" | "button"))
        .is_some_and(|control| !control.name.is_empty())
}

pub(super) fn fields(page: &Page<'_>, least: Severity) -> Vec<Repair> {
    let (without, placeholder) = nameless_fields(page);
    let second_order: &[NodeId] = if least > Severity::Minor { &[] } else { &placeholder };
    without.iter().chain(second_order).filter_map(|id| field(page, page.node(*id)?)).collect()
}

fn field(page: &Page<'_>, node: &Node) -> Option<Repair> {
    let tag = page.source.tag(node.id)?;
    let place = page.place(node.id);
    let before = element_before(page, node);
    // A label that stands in front of its field and only lacks the connection.
    if let Some(label) = before.filter(|before| {
        before.tag == "label" && before.attribute("for").is_none() && before.subtree_end.0 == before.id.0 + 1
    }) && let Some(label_tag) = page.source.tag(label.id)
        && !label.text.is_empty()
    {
        let id = node
            .attribute("id")
            .map_or_else(|| free_id(page, node.attribute("name").unwrap_or("field")), str::to_owned);
        let mut repair = Repair::insert(
            "a11y/field-label",
            label_tag.insertion_point(),
            format!(" for=\"{}\"", attribute_value(&id)),
            format!("label \"{}\" tied to {place}", label.text),
        );
        if node.attribute("id").is_none() {
            let at = tag.insertion_point();
            repair.edits.push((at..at, format!(" id=\"{}\"", attribute_value(&id))));
        }
        return Some(repair);
    }
    // Words beside a field are its name only when the two stand in a box of their own.
    let alone = page.node(node.parent?).is_some_and(|parent| {
        page.snapshot.descendants(parent).filter(|inner| inner.parent == node.parent).count() <= 2
    });
    let adjacent = || {
        before
            .filter(|before| {
                alone && matches!(before.tag.as_str(), "span" | "div" | "p" | "strong" | "b" | "dt" | "small")
            })
            .map(|before| page.text_inside(before))
            .filter(|text| !text.is_empty() && text.chars().count() <= 40)
            .map(|text| (text, "the words before it"))
    };
    let (words, origin) = node
        .attribute("placeholder")
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .map(|text| (text.to_owned(), "its placeholder"))
        .or_else(adjacent)
        .or_else(|| {
            let name = node.attribute("name").or_else(|| node.attribute("id"))?;
            let words = name.replace(['_', '-', '[', ']', '.'], " ");
            let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
            let mut letters = words.chars();
            let first = letters.next().filter(|ch| ch.is_alphabetic())?;
            (words.chars().count() > 2).then(|| (first.to_uppercase().chain(letters).collect(), "its name"))
        })?;
    let words = words.trim_end_matches([':', '*', ' ']).to_owned();
    let reason = format!("aria-label=\"{words}\" on {place}, from {origin}");
    Some(
        Repair::insert(
            "a11y/field-label",
            tag.insertion_point(),
            format!(" aria-label=\"{}\"", attribute_value(&words)),
            reason,
        )
        .inventing_words(),
    )
}

/// The element that stands directly before another one under the same parent.
fn element_before<'a>(page: &'a Page<'_>, node: &Node) -> Option<&'a Node> {
    let parent = page.node(node.parent?)?;
    page.snapshot
        .descendants(parent)
        .filter(|sibling| sibling.parent == node.parent && sibling.id < node.id)
        .last()
}

/// An id the page does not use yet.
pub(super) fn free_id(page: &Page<'_>, wish: &str) -> String {
    let base: String = wish
        .to_lowercase()
        .chars()
        .map(|ch| if ch.is_alphanumeric() { ch } else { '-' })
        .collect::<String>()
        .split('-')
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("-");
    let base = if base.is_empty() { "part".to_owned() } else { base };
    let taken = |id: &str| page.snapshot.nodes.iter().any(|node| node.attribute("id") == Some(id));
    if !taken(&base) {
        return base;
    }
    // One of as many numbers as there are elements must be free.
    let mut number = 2;
    while taken(&format!("{base}-{number}")) {
        number += 1;
    }
    format!("{base}-{number}")
}
