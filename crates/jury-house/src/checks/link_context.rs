//! What a link can be understood by, beside its own words: the context that a program can find, WCAG 2.4.4. It is the
//! item of a list, the block and the cell around the link with the headers of that cell, and what `aria-describedby`
//! points at.

use std::collections::{BTreeMap, BTreeSet};

use jury_eye::{Layout, Node, NodeId, TextPart};

use super::causes::Causes;
use super::copy::says_nothing;
use super::view::children;
use crate::finding::{Outcome, Severity};
use crate::page::{Page, selector};

/// Links whose text is put together for comparing; a page with more of them is compared as far as this.
pub(super) const MOST_LINKS: usize = 2_000;

/// How much of a context is read. Whatever says more than this says enough.
const MOST_NODES: usize = 400;

/// Links that assistive technology knows of, with a name.
pub(super) fn links<'a>(page: &'a Page<'_>) -> impl Iterator<Item = &'a Node> {
    page.exposed().filter(|node| is_link(node) && !node.name.is_empty()).take(MOST_LINKS)
}

fn is_link(node: &Node) -> bool {
    matches!(
        node.role.as_deref(),
        Some("link" | "doc-backlink" | "doc-biblioref" | "doc-glossref" | "doc-noteref")
    )
}

fn is_block(node: &Node) -> bool {
    node.style.as_ref().is_some_and(|style| style.layout != Layout::Inline)
}

/// The elements that are the context of a link, in the order of the page.
pub(super) fn context(page: &Page<'_>, link: &Node, ids: &BTreeMap<&str, NodeId>) -> BTreeSet<NodeId> {
    let mut context = BTreeSet::new();
    let (mut block, mut cell) = (false, false);
    for around in page.snapshot.ancestors(link) {
        if !block && is_block(around) {
            block = true;
            context.insert(around.id);
        }
        if around.role.as_deref() == Some("listitem") {
            context.insert(around.id);
        }
        if !cell && matches!(around.role.as_deref(), Some("cell" | "gridcell")) {
            cell = true;
            context.insert(around.id);
            context.extend(headers(page, around, ids));
        }
    }
    let described = link.attribute("aria-describedby").unwrap_or_default();
    context.extend(described.split_ascii_whitespace().filter_map(|id| ids.get(id)).copied());
    context
}

/// The headers of a cell: those it names, or else the headers of its row and the header of its column.
fn headers(page: &Page<'_>, cell: &Node, ids: &BTreeMap<&str, NodeId>) -> Vec<NodeId> {
    if let Some(named) = cell.attribute("headers") {
        return named.split_ascii_whitespace().filter_map(|id| ids.get(id)).copied().collect();
    }
    let Some(row) = cell.parent.and_then(|row| page.node(row)) else { return Vec::new() };
    let cells = |row: &Node| -> Vec<&Node> { children(&page.snapshot, row).collect() };
    let own = cells(row);
    let column = own.iter().position(|one| one.id == cell.id);
    let mut found: Vec<NodeId> = own.iter().filter(|one| one.tag == "th").map(|one| one.id).collect();
    let table = page.snapshot.ancestors(row).find(|around| around.tag == "table");
    let first_row = table
        .and_then(|table| page.snapshot.descendants(table).find(|inner| inner.tag == "tr"))
        .filter(|first| first.id != row.id);
    if let (Some(first), Some(column)) = (first_row, column) {
        found.extend(cells(first).get(column).filter(|head| head.tag == "th").map(|head| head.id));
    }
    found
}

/// The first element with each id.
pub(super) fn ids<'a>(page: &'a Page<'_>) -> BTreeMap<&'a str, NodeId> {
    let mut ids = BTreeMap::new();
    for node in &page.snapshot.nodes {
        if let Some(id) = node.attribute("id").filter(|id| !id.is_empty()) {
            ids.entry(id).or_insert(node.id);
        }
    }
    ids
}

fn is_the_page(node: &Node) -> bool {
    matches!(node.tag.as_str(), "html" | "body" | "main")
}

/// A piece of what there is to read in an element, in its order.
#[derive(Debug, PartialEq)]
pub(super) enum Flow {
    /// Words outside of links, or the name of an image there.
    Words(String),
    /// A link; its own words are not among the others.
    Link(NodeId),
}

/// What there is to read in an element, links apart.
pub(super) fn flow(page: &Page<'_>, root: &Node) -> Vec<Flow> {
    enum Step<'a> {
        Enter(&'a Node),
        Say(&'a str),
    }
    let mut found: Vec<Flow> = Vec::new();
    let mut open = vec![Step::Enter(root)];
    let mut left = MOST_NODES;
    while let Some(step) = open.pop() {
        let node = match step {
            Step::Say(words) => {
                if !words.trim().is_empty() {
                    found.push(Flow::Words(words.trim().to_owned()));
                }
                continue;
            }
            Step::Enter(node) => node,
        };
        if left == 0 {
            break;
        }
        left -= 1;
        if !node.exposed {
            continue;
        }
        if node.id != root.id && is_link(node) {
            found.push(Flow::Link(node.id));
            continue;
        }
        if node.role.as_deref() == Some("img") {
            open.push(Step::Say(&node.name));
            continue;
        }
        // A page as a whole explains none of its links: of it only the line counts that the link stands in.
        if node.id != root.id && is_block(node) && is_the_page(root) {
            continue;
        }
        if node.parts.is_empty() {
            // Last in, first out: the children are put in backwards, and before them what the element says itself.
            let at = open.len();
            open.extend(children(&page.snapshot, node).map(Step::Enter));
            if let Some(added) = open.get_mut(at..) {
                added.reverse();
            }
            open.push(Step::Say(&node.text));
        } else {
            open.extend(node.parts.iter().rev().filter_map(|part| match part {
                TextPart::Text(words) => Some(Step::Say(words.as_str())),
                TextPart::Child(id) => page.node(*id).map(Step::Enter),
            }));
        }
    }
    found
}

/// Whether words are more than fillers: a word of three letters or more, or a number of two digits, that is not itself
/// one of those that say nothing.
pub(super) fn tell_something(words: &str) -> bool {
    !says_nothing(words)
        && words
            .split(|ch: char| !ch.is_alphanumeric())
            .any(|word| word.chars().count() > 2 || word.chars().filter(char::is_ascii_digit).count() > 1)
}

/// Links that neither their words nor their context explain.
pub(super) fn purpose(page: &Page<'_>) -> Outcome {
    let mut wrong = Causes::default();
    let mut total = 0;
    let mut known: Option<BTreeMap<&str, NodeId>> = None;
    for link in links(page) {
        total += 1;
        if !says_nothing(&link.name) {
            continue;
        }
        let ids = known.get_or_insert_with(|| ids(page));
        let explained = context(page, link, ids).into_iter().filter_map(|id| page.node(id)).any(|around| {
            flow(page, around).iter().any(|piece| match piece {
                Flow::Words(words) => tell_something(words),
                Flow::Link(id) => page.node(*id).is_some_and(|other| {
                    other.id != link.id
                        && other.attribute("href") == link.attribute("href")
                        && tell_something(&other.name)
                }),
            })
        });
        if !explained {
            let cause = format!(
                "\"{}\" says nothing, and nor does what is around it ({})",
                link.name,
                selector(link)
            );
            wrong.add(Severity::Moderate, cause, link.id);
        }
    }
    let failing = wrong.elements();
    if failing == 0 {
        return Outcome::not_applicable();
    }
    let note = format!("{failing} of {total} links that nothing explains");
    Outcome::share(failing, total, 0.5, note, wrong.findings(page))
}
