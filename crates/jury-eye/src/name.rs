//! Roles and accessible names: the parts of the name computation that pages use.

use std::collections::BTreeMap;

use crate::snapshot::{NameSource, Node, NodeId};

/// What stands directly inside an element, in order.
#[derive(Debug, Clone)]
pub(crate) enum Piece {
    /// A run of text.
    Text(String),
    /// A child element.
    Child(NodeId),
}

/// The explicit role, or the one the element has by itself.
pub(crate) fn role(tag: &str, attributes: &[(String, String)]) -> Option<String> {
    let attribute =
        |name: &str| attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    let explicit = attribute("role")
        .and_then(|roles| roles.split_ascii_whitespace().next())
        .map(str::to_ascii_lowercase);
    // What can be focused cannot be declared away.
    let focusable = (attribute("tabindex").is_some() && attribute("disabled").is_none())
        || (matches!(tag, "button" | "input" | "select" | "textarea" | "summary")
            && attribute("disabled").is_none())
        || (tag == "a" && attribute("href").is_some());
    if let Some(explicit) = explicit {
        let declared_away = matches!(explicit.as_str(), "none" | "presentation");
        if !(declared_away && focusable) {
            return Some(explicit);
        }
    }
    let native = match tag {
        "a" | "area" => attribute("href").map(|_| "link")?,
        "button" | "summary" => "button",
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => "heading",
        "img" => match attribute("alt") {
            Some(alt) if alt.trim().is_empty() => "presentation",
            _ => "img",
        },
        "input" => match attribute("type").unwrap_or("text").to_ascii_lowercase().as_str() {
            "button" | "submit" | "reset" | "image" => "button",
            "checkbox" => "checkbox",
            "radio" => "radio",
            "range" => "slider",
            "hidden" => return None,
            _ => "textbox",
        },
        "textarea" => "textbox",
        "select" => "combobox",
        "nav" => "navigation",
        "main" => "main",
        "header" => "banner",
        "footer" => "contentinfo",
        "aside" => "complementary",
        "form" => "form",
        "section" => "region",
        "ul" | "ol" => "list",
        "li" => "listitem",
        "table" => "table",
        "dialog" => "dialog",
        "fieldset" => "group",
        _ => return None,
    };
    Some(native.to_owned())
}

/// Fills in the name of every element that can have one.
pub(crate) fn give_names(nodes: &mut [Node], pieces: &[Vec<Piece>]) {
    let names: Vec<(String, NameSource)> = {
        let namer = Namer::new(nodes, pieces);
        nodes.iter().map(|node| namer.name(node)).collect()
    };
    for (node, (name, source)) in nodes.iter_mut().zip(names) {
        node.name = name;
        node.name_source = source;
    }
}

struct Namer<'a> {
    nodes: &'a [Node],
    pieces: &'a [Vec<Piece>],
    by_id: BTreeMap<&'a str, NodeId>,
    /// `label for` by the id it points to.
    labels: BTreeMap<&'a str, Vec<NodeId>>,
}

impl<'a> Namer<'a> {
    fn new(nodes: &'a [Node], pieces: &'a [Vec<Piece>]) -> Self {
        let mut by_id = BTreeMap::new();
        let mut labels: BTreeMap<&str, Vec<NodeId>> = BTreeMap::new();
        for node in nodes {
            if let Some(id) = node.attribute("id") {
                by_id.entry(id).or_insert(node.id);
            }
            if node.tag == "label"
                && let Some(target) = node.attribute("for")
            {
                labels.entry(target).or_default().push(node.id);
            }
        }
        Self { nodes, pieces, by_id, labels }
    }

    fn name(&self, node: &Node) -> (String, NameSource) {
        let found = |text: String, source| (!text.is_empty()).then_some((text, source));
        let labelled_by = || {
            let text: Vec<String> = node
                .attribute("aria-labelledby")?
                .split_ascii_whitespace()
                .filter_map(|id| self.by_id.get(id))
                .map(|id| self.text_alternative(*id, true))
                .collect();
            found(collapse(&text.join(" ")), NameSource::LabelledBy)
        };
        let aria_label = || found(collapse(node.attribute("aria-label")?), NameSource::AriaLabel);
        let native = || found(collapse(&self.native(node)?), NameSource::Native);
        let content = || {
            takes_name_from_content(node)
                .then(|| found(self.text_alternative(node.id, false), NameSource::Content))
                .flatten()
        };
        let title = || found(collapse(node.attribute("title")?), NameSource::Title);
        let placeholder = || {
            matches!(node.tag.as_str(), "input" | "textarea")
                .then(|| found(collapse(node.attribute("placeholder")?), NameSource::Placeholder))
                .flatten()
        };
        labelled_by()
            .or_else(aria_label)
            .or_else(native)
            .or_else(content)
            .or_else(title)
            .or_else(placeholder)
            .unwrap_or((String::new(), NameSource::Nothing))
    }

    fn native(&self, node: &Node) -> Option<String> {
        match node.tag.as_str() {
            "img" | "area" => node.attribute("alt").map(str::to_owned),
            "svg" => self.pieces.get(node.id.index())?.iter().find_map(text_of),
            "input" => match node.attribute("type").unwrap_or("text").to_ascii_lowercase().as_str() {
                "image" => node.attribute("alt").map(str::to_owned),
                "submit" => Some(node.attribute("value").unwrap_or("Submit").to_owned()),
                "reset" => Some(node.attribute("value").unwrap_or("Reset").to_owned()),
                "button" => node.attribute("value").map(str::to_owned),
                _ => self.label(node),
            },
            "select" | "textarea" | "meter" | "progress" | "output" => self.label(node),
            "button" => self.label(node).filter(|_| node.text.is_empty()),
            "fieldset" | "table" | "figure" => {
                let wanted = match node.tag.as_str() {
                    "fieldset" => "legend",
                    "table" => "caption",
                    _ => "figcaption",
                };
                self.nodes
                    .get(node.id.index() + 1..node.subtree_end.index())?
                    .iter()
                    .find(|child| child.tag == wanted && child.parent == Some(node.id))
                    .map(|child| self.text_alternative(child.id, false))
            }
            _ => None,
        }
    }

    fn label(&self, node: &Node) -> Option<String> {
        let explicit = node.attribute("id").and_then(|id| self.labels.get(id)).map(|labels| {
            labels.iter().map(|label| self.text_alternative(*label, false)).collect::<Vec<_>>().join(" ")
        });
        explicit.filter(|text| !text.trim().is_empty()).or_else(|| {
            let mut parent = node.parent;
            while let Some(current) = parent.and_then(|id| self.nodes.get(id.index())) {
                if current.tag == "label" {
                    return Some(self.text_alternative(current.id, false));
                }
                parent = current.parent;
            }
            None
        })
    }

    /// The text an element stands for. A hidden element counts only when it was pointed at.
    fn text_alternative(&self, id: NodeId, pointed_at: bool) -> String {
        let mut out = String::new();
        self.append_text(id, pointed_at, true, &mut out);
        collapse(&out)
    }

    fn append_text(&self, id: NodeId, pointed_at: bool, top: bool, out: &mut String) {
        let Some(node) = self.nodes.get(id.index()) else {
            return;
        };
        let heard = node.exposed || pointed_at || (top && node.style.is_some());
        if !heard {
            return;
        }
        if (!top || pointed_at)
            && let Some(label) = node.attribute("aria-label").filter(|label| !label.trim().is_empty())
        {
            push_spaced(out, label);
            return;
        }
        match node.tag.as_str() {
            "img" | "area" => return push_spaced(out, node.attribute("alt").unwrap_or_default()),
            "script" | "style" | "template" | "textarea" | "select" => return,
            "input" if !top => {
                return push_spaced(out, node.attribute("value").unwrap_or_default());
            }
            _ => {}
        }
        for piece in self.pieces.get(id.index()).into_iter().flatten() {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Child(child) => {
                    let apart = self.nodes.get(child.index()).is_some_and(|child| {
                        child
                            .style
                            .as_ref()
                            .is_some_and(|style| style.layout != crate::snapshot::Layout::Inline)
                    });
                    if apart {
                        out.push(' ');
                    }
                    self.append_text(*child, pointed_at, false, out);
                    if apart {
                        out.push(' ');
                    }
                }
            }
        }
    }
}

fn takes_name_from_content(node: &Node) -> bool {
    matches!(
        node.role.as_deref(),
        Some(
            "link"
                | "button"
                | "heading"
                | "checkbox"
                | "radio"
                | "switch"
                | "tab"
                | "menuitem"
                | "menuitemcheckbox"
                | "menuitemradio"
                | "option"
                | "treeitem"
                | "tooltip"
        )
    ) || matches!(node.tag.as_str(), "a" | "label" | "legend" | "figcaption" | "th" | "option")
}

fn text_of(piece: &Piece) -> Option<String> {
    match piece {
        Piece::Text(text) => Some(text.clone()),
        Piece::Child(_) => None,
    }
}

fn push_spaced(out: &mut String, text: &str) {
    out.push(' ');
    out.push_str(text);
    out.push(' ');
}

fn collapse(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
