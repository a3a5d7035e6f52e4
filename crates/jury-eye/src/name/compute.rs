//! Accessible names. The steps are those of the accessible name computation, in its order and under its letters.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use crate::aria::{self, Naming};
use crate::snapshot::{Layout, NameSource, Node, NodeId};

use super::Piece;

/// One name is made from at most this many elements: a page on which everything is named by everything else must
/// not cost the square of its size.
const MOST_ELEMENTS: usize = 2_000;

/// All names together are made from at most this many elements, and from some more for each element of the page.
const MOST_TOGETHER: usize = 200_000;
const MOST_FOR_EACH: usize = 20;

/// Fills in the name of every element that can have one.
pub(super) fn give(nodes: &mut [Node], pieces: &[Vec<Piece>]) {
    let names: Vec<(String, NameSource, String)> = {
        let namer = Namer::new(nodes, pieces);
        nodes
            .iter()
            .map(|node| {
                let (name, source) = namer.name(node);
                let by_attribute = matches!(source, NameSource::LabelledBy | NameSource::AriaLabel);
                let label = if by_attribute && takes_name_from_content(node) {
                    namer.visible_text(node)
                } else {
                    String::new()
                };
                (name, source, label)
            })
            .collect()
    };
    for (node, (name, source, label)) in nodes.iter_mut().zip(names) {
        node.name = name;
        node.name_source = source;
        node.label = label;
    }
}

struct Namer<'a> {
    nodes: &'a [Node],
    pieces: &'a [Vec<Piece>],
    by_id: BTreeMap<&'a str, NodeId>,
    /// The labels of each field, in document order.
    labels: BTreeMap<NodeId, Vec<NodeId>>,
    /// How many elements may still be gone through.
    left: Cell<usize>,
}

/// One computation: what has been gone through already, and how.
struct Walk {
    seen: BTreeSet<NodeId>,
    /// Inside what `aria-labelledby` points to; another one is not followed.
    pointed: bool,
    /// The root of the traversal was hidden, so what is hidden inside counts.
    hidden_counts: bool,
}

impl<'a> Namer<'a> {
    fn new(nodes: &'a [Node], pieces: &'a [Vec<Piece>]) -> Self {
        let mut by_id = BTreeMap::new();
        for node in nodes {
            if let Some(id) = node.attribute("id").filter(|id| !id.is_empty()) {
                by_id.entry(id).or_insert(node.id);
            }
        }
        let mut labels: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
        for label in nodes.iter().filter(|node| node.tag == "label") {
            let field = match label.attribute("for") {
                Some(target) => {
                    by_id.get(target).and_then(|id| nodes.get(id.index())).filter(|node| is_labelable(node))
                }
                None => nodes
                    .get(label.id.index() + 1..label.subtree_end.index())
                    .and_then(|inside| inside.iter().find(|node| is_labelable(node))),
            };
            if let Some(field) = field {
                labels.entry(field.id).or_default().push(label.id);
            }
        }
        let left = Cell::new(MOST_TOGETHER + MOST_FOR_EACH * nodes.len());
        Self { nodes, pieces, by_id, labels, left }
    }

    fn name(&self, node: &Node) -> (String, NameSource) {
        let mut walk = Walk { seen: BTreeSet::new(), pointed: false, hidden_counts: false };
        walk.seen.insert(node.id);
        let found = |text: String, source| {
            let text = collapse(&text);
            (!text.is_empty()).then_some((text, source))
        };
        found(self.labelled_by(node, &mut walk).unwrap_or_default(), NameSource::LabelledBy)
            .or_else(|| found(node.attribute("aria-label")?.to_owned(), NameSource::AriaLabel))
            .or_else(|| {
                // Declared away: what the element would have been named by goes with it.
                if node.role.as_deref() == Some("none") && node.tag != "img" {
                    return None;
                }
                found(self.native(node, &mut walk)?, NameSource::Native)
            })
            .or_else(|| {
                takes_name_from_content(node)
                    .then(|| {
                        let mut out = String::new();
                        walk.hidden_counts = !node.exposed;
                        self.content(node, &mut walk, &mut out);
                        found(out, NameSource::Content)
                    })
                    .flatten()
            })
            .or_else(|| found(node.attribute("title")?.to_owned(), NameSource::Title))
            .or_else(|| {
                matches!(node.tag.as_str(), "input" | "textarea")
                    .then(|| {
                        let hint =
                            node.attribute("placeholder").or_else(|| node.attribute("aria-placeholder"))?;
                        found(hint.to_owned(), NameSource::Placeholder)
                    })
                    .flatten()
            })
            .unwrap_or((String::new(), NameSource::Nothing))
    }

    /// Step B. What is pointed at counts even if it is hidden; what is hidden in something visible does not.
    fn labelled_by(&self, node: &Node, walk: &mut Walk) -> Option<String> {
        if walk.pointed {
            return None;
        }
        let mut words = Vec::new();
        for id in node.attribute("aria-labelledby")?.split_ascii_whitespace() {
            let Some(target) = self.by_id.get(id).and_then(|id| self.nodes.get(id.index())) else {
                continue;
            };
            let mut inner = Walk { seen: BTreeSet::new(), pointed: true, hidden_counts: !target.exposed };
            // An element may name itself, by its label and not by pointing at itself again.
            if target.id != node.id {
                inner.seen.insert(node.id);
            }
            let mut out = String::new();
            self.append(target, &mut inner, true, &mut out);
            walk.seen.extend(inner.seen);
            walk.seen.remove(&node.id);
            words.push(out);
        }
        Some(words.join(" "))
    }

    /// Step E: what HTML and SVG name an element by.
    fn native(&self, node: &Node, walk: &mut Walk) -> Option<String> {
        let kind = || node.attribute("type").unwrap_or("text").to_ascii_lowercase();
        let filled = |text: &String| !text.trim().is_empty();
        match node.tag.as_str() {
            "img" | "area" => node.attribute("alt").map(str::to_owned),
            "svg" => self.own_pieces(node).find_map(|piece| match piece {
                Piece::Title(text) => Some(text.clone()),
                Piece::Text(_) | Piece::Generated(_) | Piece::Drawn(_) | Piece::Child(_) => None,
            }),
            "input" if kind() == "hidden" => None,
            "input" if matches!(kind().as_str(), "submit" | "reset" | "button" | "image") => {
                self.label(node, walk).filter(filled).or_else(|| match kind().as_str() {
                    "image" => node.attribute("alt").map(str::to_owned),
                    "submit" => Some(node.attribute("value").unwrap_or("Submit").to_owned()),
                    "reset" => Some(node.attribute("value").unwrap_or("Reset").to_owned()),
                    _ => node.attribute("value").map(str::to_owned),
                })
            }
            "input" | "select" | "textarea" | "meter" | "progress" | "output" | "button" => {
                self.label(node, walk)
            }
            "option" | "optgroup" | "track" => node.attribute("label").map(str::to_owned),
            "fieldset" => self.child_text(node, "legend", walk),
            "table" => self.child_text(node, "caption", walk),
            "figure" => self.child_text(node, "figcaption", walk),
            _ => None,
        }
    }

    fn child_text(&self, node: &Node, wanted: &str, walk: &mut Walk) -> Option<String> {
        let child = self
            .own_pieces(node)
            .filter_map(|piece| match piece {
                Piece::Child(id) => self.nodes.get(id.index()),
                Piece::Text(_) | Piece::Generated(_) | Piece::Title(_) | Piece::Drawn(_) => None,
            })
            .find(|child| child.tag == wanted)?;
        let mut out = String::new();
        self.append(child, walk, true, &mut out);
        Some(out)
    }

    fn label(&self, node: &Node, walk: &mut Walk) -> Option<String> {
        let labels = self.labels.get(&node.id)?;
        let words: Vec<String> = labels
            .iter()
            .filter_map(|id| self.nodes.get(id.index()))
            .map(|label| {
                let mut inner =
                    Walk { seen: walk.seen.clone(), pointed: walk.pointed, hidden_counts: !label.exposed };
                inner.seen.insert(node.id);
                let mut out = String::new();
                self.append(label, &mut inner, true, &mut out);
                out
            })
            .collect();
        Some(words.join(" "))
    }

    fn own_pieces(&self, node: &Node) -> impl Iterator<Item = &'a Piece> + use<'a> {
        self.pieces.get(node.id.index()).into_iter().flatten()
    }

    /// What an element adds to the name of another one. `root` is where a traversal begins.
    fn append(&self, node: &Node, walk: &mut Walk, root: bool, out: &mut String) {
        if walk.seen.len() >= MOST_ELEMENTS || self.left.get() == 0 || !walk.seen.insert(node.id) {
            return;
        }
        self.left.set(self.left.get() - 1);
        // Step A.
        if !(node.exposed || root || walk.hidden_counts) || is_never_text(&node.tag) {
            return;
        }
        // Step B.
        if let Some(text) = self.labelled_by(node, walk).filter(|text| !text.trim().is_empty()) {
            return push_spaced(out, &text);
        }
        // Step C: the value of a control inside a label.
        if let Some(value) = self.value(node) {
            return push_spaced(out, &value);
        }
        // Step D.
        if let Some(label) = node.attribute("aria-label").filter(|label| !label.trim().is_empty()) {
            return push_spaced(out, label);
        }
        // Step E.
        let native = if node.role.as_deref() == Some("none") { None } else { self.native(node, walk) };
        if let Some(text) = native.filter(|text| !text.trim().is_empty()) {
            return push_spaced(out, &text);
        }
        // Step F.
        let before = out.len();
        if is_void_of_text(&node.tag) {
            if node.tag == "br" {
                out.push(' ');
            }
        } else {
            self.content(node, walk, out);
        }
        // Step I.
        if out.get(before..).is_some_and(|added| added.trim().is_empty())
            && let Some(title) = node.attribute("title").filter(|title| !title.trim().is_empty())
        {
            push_spaced(out, title);
        }
    }

    fn content(&self, node: &Node, walk: &mut Walk, out: &mut String) {
        let titled = self.own_pieces(node).any(|piece| matches!(piece, Piece::Title(_)));
        for piece in self.own_pieces(node) {
            match piece {
                Piece::Text(text) | Piece::Generated(text) => out.push_str(text),
                Piece::Title(text) => push_spaced(out, text),
                Piece::Drawn(text) if !titled => push_spaced(out, text),
                Piece::Drawn(_) => {}
                Piece::Child(child) => {
                    let Some(child) = self.nodes.get(child.index()) else { continue };
                    let apart = child.style.as_ref().is_some_and(|style| style.layout != Layout::Inline);
                    if apart {
                        out.push(' ');
                    }
                    self.append(child, walk, false, out);
                    if apart {
                        out.push(' ');
                    }
                }
            }
        }
    }

    /// What a field inside a label stands for: its value.
    fn value(&self, node: &Node) -> Option<String> {
        let aria = || node.attribute("aria-valuetext").or_else(|| node.attribute("aria-valuenow"));
        match node.role.as_deref()? {
            "textbox" | "searchbox" => Some(match node.tag.as_str() {
                "input" => node.attribute("value").unwrap_or_default().to_owned(),
                _ => self.raw_text(node),
            }),
            "combobox" | "listbox" if node.tag == "select" => Some(self.chosen(node)),
            "combobox" if node.tag == "input" => Some(node.attribute("value").unwrap_or_default().to_owned()),
            "listbox" => Some(
                self.inside(node)
                    .filter(|option| option.attribute("aria-selected") == Some("true"))
                    .map(|option| self.raw_text(option))
                    .collect::<Vec<_>>()
                    .join(" "),
            ),
            "slider" | "spinbutton" | "progressbar" | "meter" | "scrollbar" => {
                aria().or_else(|| node.attribute("value")).map(str::to_owned)
            }
            _ => None,
        }
    }

    fn chosen(&self, select: &Node) -> String {
        let mut options = self.inside(select).filter(|node| node.tag == "option");
        let marked: Vec<String> = options
            .clone()
            .filter(|option| option.attribute("selected").is_some())
            .map(|option| self.raw_text(option))
            .collect();
        if !marked.is_empty() {
            return marked.join(" ");
        }
        if select.role.as_deref() == Some("listbox") {
            return String::new();
        }
        options.next().map(|option| self.raw_text(option)).unwrap_or_default()
    }

    fn inside(&self, node: &Node) -> std::slice::Iter<'a, Node> {
        self.nodes.get(node.id.index() + 1..node.subtree_end.index()).unwrap_or_default().iter()
    }

    /// The text a reader sees inside an element.
    fn visible_text(&self, node: &Node) -> String {
        let mut out = String::new();
        let mut budget = MOST_ELEMENTS;
        self.append_visible(node, &mut budget, &mut out);
        collapse(&out)
    }

    fn append_visible(&self, node: &Node, budget: &mut usize, out: &mut String) {
        if *budget == 0 || is_never_text(&node.tag) {
            return;
        }
        *budget -= 1;
        for piece in self.own_pieces(node) {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Child(child) => {
                    let Some(child) = self.nodes.get(child.index()).filter(|child| child.rendered) else {
                        continue;
                    };
                    let apart = child.tag == "br"
                        || child.style.as_ref().is_some_and(|style| style.layout != Layout::Inline);
                    if apart {
                        out.push(' ');
                    }
                    if child.shown {
                        self.append_visible(child, budget, out);
                    }
                    if apart {
                        out.push(' ');
                    }
                }
                Piece::Generated(_) | Piece::Title(_) | Piece::Drawn(_) => {}
            }
        }
    }

    fn raw_text(&self, node: &Node) -> String {
        let mut out = String::new();
        for part in std::iter::once(node).chain(self.inside(node)) {
            for piece in self.pieces.get(part.id.index()).into_iter().flatten() {
                if let Piece::Text(text) = piece {
                    out.push_str(text);
                }
            }
        }
        out
    }
}

fn takes_name_from_content(node: &Node) -> bool {
    node.role.as_deref().and_then(aria::role).is_some_and(|role| role.naming == Naming::Contents)
}

fn is_labelable(node: &Node) -> bool {
    match node.tag.as_str() {
        "input" => node.attribute("type").is_none_or(|kind| !kind.eq_ignore_ascii_case("hidden")),
        "button" | "meter" | "output" | "progress" | "select" | "textarea" => true,
        _ => false,
    }
}

fn is_never_text(tag: &str) -> bool {
    matches!(
        tag,
        "script"
            | "style"
            | "template"
            | "noscript"
            | "head"
            | "iframe"
            | "object"
            | "audio"
            | "video"
            | "canvas"
    )
}

fn is_void_of_text(tag: &str) -> bool {
    matches!(
        tag,
        "img" | "area" | "input" | "br" | "hr" | "wbr" | "embed" | "meta" | "link" | "select" | "textarea"
    )
}

fn push_spaced(out: &mut String, text: &str) {
    out.push(' ');
    out.push_str(text);
    out.push(' ');
}

fn collapse(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
