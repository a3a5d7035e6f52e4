//! What stands under what: answers under their questions, meanings beside their terms, cells under their heads, quotations over
//! their sources, and steps in their order.
//!
//! Every word of a page may still be there while two of these have changed places. A part may move; two that are exchanged say
//! something else of each other.

use std::collections::BTreeSet;

use jury_eye::{Node, Snapshot, TextPart};
use jury_text::loss::{Sight, plain_words};

use super::sight::Seeing;

/// What a label is, so that only labels of a kind are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Heading,
    Term,
    Cell,
    Source,
    /// Bold words that a paragraph begins with.
    Opening,
}

/// A label and something that it stands over.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pair {
    kind: Kind,
    /// The words of each, in the order of the alphabet.
    label: Vec<String>,
    content: Vec<String>,
    /// As they are told.
    told: String,
}

/// The pairs of a page that are seen.
pub(super) fn pairs(seeing: &Seeing<'_>) -> Vec<Pair> {
    let snapshot = seeing.snapshot;
    let mut found: BTreeSet<Pair> = BTreeSet::new();
    let mut heading: Option<String> = None;
    for node in snapshot.nodes.iter().filter(|node| node.shown) {
        match node.tag.as_str() {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => heading = Some(text_of(snapshot, node)),
            "dl" => found.extend(terms(snapshot, node)),
            "table" => found.extend(cells(snapshot, node)),
            "blockquote" | "figure" => found.extend(source(snapshot, node)),
            "p" | "li" | "dd" => {
                found.extend(opening(snapshot, node));
                let text = text_of(snapshot, node);
                if let Some(heading) = heading.as_ref().filter(|_| seeing.element(node) == Sight::Shown) {
                    found.extend(pair(Kind::Heading, heading, &text));
                }
            }
            _ => {}
        }
    }
    found.into_iter().collect()
}

fn sorted(text: &str) -> Vec<String> {
    let mut words = plain_words(text);
    words.sort();
    words
}

fn pair(kind: Kind, label: &str, content: &str) -> Option<Pair> {
    let told = format!("{}: {}", label.trim(), content.trim());
    let (label, content) = (sorted(label), sorted(content));
    (!label.is_empty() && !content.is_empty()).then_some(Pair { kind, label, content, told })
}

/// The text of an element with what is in it, in its order.
fn text_of(snapshot: &Snapshot, node: &Node) -> String {
    let mut text = String::new();
    read(snapshot, node, &mut text);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn read(snapshot: &Snapshot, node: &Node, text: &mut String) {
    if node.parts.is_empty() {
        text.push_str(&node.text);
        text.push(' ');
        for child in children(snapshot, node) {
            read(snapshot, child, text);
        }
        return;
    }
    for part in &node.parts {
        match part {
            TextPart::Text(own) => text.push_str(own),
            TextPart::Child(child) => {
                if let Some(child) = snapshot.nodes.get(child.index()) {
                    read(snapshot, child, text);
                }
            }
        }
    }
}

fn children<'a>(snapshot: &'a Snapshot, node: &'a Node) -> impl Iterator<Item = &'a Node> {
    snapshot.descendants(node).filter(|inner| inner.parent == Some(node.id))
}

fn terms(snapshot: &Snapshot, list: &Node) -> Vec<Pair> {
    let mut found = Vec::new();
    let mut term = String::new();
    for node in snapshot.descendants(list) {
        match node.tag.as_str() {
            "dt" => term = text_of(snapshot, node),
            "dd" => found.extend(pair(Kind::Term, &term, &text_of(snapshot, node))),
            _ => {}
        }
    }
    found
}

fn cells(snapshot: &Snapshot, table: &Node) -> Vec<Pair> {
    let inside = || snapshot.descendants(table).filter(|node| node.id != table.id);
    if inside().any(|node| {
        node.tag == "table" || node.attribute("colspan").is_some() || node.attribute("rowspan").is_some()
    }) {
        return Vec::new();
    }
    let rows: Vec<Vec<&Node>> = inside()
        .filter(|node| node.tag == "tr")
        .map(|row| children(snapshot, row).filter(|cell| matches!(cell.tag.as_str(), "th" | "td")).collect())
        .collect();
    let is_head = |row: &&Vec<&Node>| !row.is_empty() && row.iter().all(|cell| cell.tag == "th");
    let Some(columns) = rows.iter().find(is_head) else { return Vec::new() };
    let mut found = Vec::new();
    for row in rows.iter().filter(|row| !is_head(row)) {
        let Some(head) = row.first() else { continue };
        for (cell, column) in row.iter().zip(columns).skip(1) {
            let label = format!("{} {}", text_of(snapshot, head), text_of(snapshot, column));
            found.extend(pair(Kind::Cell, &label, &text_of(snapshot, cell)));
        }
    }
    found
}

/// A quotation or a figure, and who or what its last part says that it is of.
fn source(snapshot: &Snapshot, quote: &Node) -> Option<Pair> {
    let is_source = |node: &&Node| matches!(node.tag.as_str(), "footer" | "cite" | "figcaption");
    let source = snapshot.descendants(quote).find(is_source)?;
    let said = children(snapshot, quote).filter(|child| {
        child.id != source.id && !snapshot.descendants(child).any(|inner| inner.id == source.id)
    });
    let said: Vec<String> = said.map(|child| text_of(snapshot, child)).collect();
    pair(Kind::Source, &text_of(snapshot, source), &said.join(" "))
}

/// Bold words at the beginning of a paragraph, and what follows them.
fn opening(snapshot: &Snapshot, node: &Node) -> Option<Pair> {
    let first =
        children(snapshot, node).next().filter(|child| matches!(child.tag.as_str(), "b" | "strong"))?;
    let label = text_of(snapshot, first);
    let whole = text_of(snapshot, node);
    pair(Kind::Opening, &label, whole.strip_prefix(label.as_str())?)
}

/// The items of lists that are numbered, and of other lists.
pub(super) fn orders(snapshot: &Snapshot) -> Vec<(bool, Vec<Vec<String>>)> {
    let lists = snapshot.nodes.iter().filter(|node| node.shown && matches!(node.tag.as_str(), "ol" | "ul"));
    lists
        .map(|list| {
            let items = children(snapshot, list).filter(|item| item.tag == "li");
            (list.tag == "ol", items.map(|item| sorted(&text_of(snapshot, item))).collect())
        })
        .collect()
}

/// Pairs of the page whose parts stand in the place of each other in a draft.
pub(super) fn exchanged<'a>(given: &'a [Pair], draft: &[Pair]) -> Vec<&'a Pair> {
    let stands = |label: &[String], kind: Kind, content: &[String]| {
        draft.iter().any(|own| own.kind == kind && own.label == label && own.content == content)
    };
    let has_label =
        |kind: Kind, label: &[String]| draft.iter().any(|own| own.kind == kind && own.label == label);
    let is_exchanged = |pair: &&Pair| {
        if stands(&pair.label, pair.kind, &pair.content) || !has_label(pair.kind, &pair.label) {
            return false;
        }
        let of_kind = || given.iter().filter(|other| other.kind == pair.kind && other.label != pair.label);
        // Its content is with another label, and that of another is with its own, where it was not before.
        let had = |label: &[String], content: &[String]| {
            given.iter().any(|own| own.kind == pair.kind && own.label == label && own.content == content)
        };
        let left = of_kind()
            .any(|other| stands(&other.label, pair.kind, &pair.content) && !had(&other.label, &pair.content));
        let came = of_kind().any(|other| {
            other.content != pair.content
                && stands(&pair.label, pair.kind, &other.content)
                && !stands(&other.label, pair.kind, &other.content)
                && !given.iter().any(|own| own.label == pair.label && own.content == other.content)
        });
        left && came
    };
    given.iter().filter(is_exchanged).collect()
}

impl Pair {
    pub(super) fn has_figures(&self) -> bool {
        self.content.iter().any(|word| word.contains(|ch: char| ch.is_ascii_digit()))
    }

    pub(super) fn told(&self) -> String {
        self.told.clone()
    }
}

/// Numbered lists of the page whose steps are all there in another order.
pub(super) fn reordered(
    given: &[(bool, Vec<Vec<String>>)],
    draft: &[(bool, Vec<Vec<String>>)],
) -> Vec<String> {
    let items: Vec<&Vec<String>> = draft.iter().flat_map(|(_, items)| items).collect();
    let mut found = Vec::new();
    for (_, steps) in given.iter().filter(|(numbered, steps)| *numbered && steps.len() > 1) {
        let distinct: BTreeSet<&Vec<String>> = steps.iter().collect();
        let places: Option<Vec<usize>> =
            steps.iter().map(|step| items.iter().position(|item| *item == step)).collect();
        let Some(places) = places.filter(|_| distinct.len() == steps.len()) else { continue };
        if let Some(at) = places.windows(2).position(|pair| matches!(pair, [one, next] if one > next)) {
            let text = |step: Option<&Vec<String>>| step.map(|words| words.join(" ")).unwrap_or_default();
            found.push(format!("steps in another order: {}", text(steps.get(at))));
        }
    }
    found
}
