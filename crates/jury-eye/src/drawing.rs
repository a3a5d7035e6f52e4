//! SVG: its title and its text, and those of its parts that stand for something by themselves. The engine does not
//! draw it, so nothing else in it is of use.

use blitz_dom::BaseDocument;
use blitz_dom::node::{Node as EngineNode, NodeData};

use crate::name::Piece;
use crate::snapshot::{NameSource, Node, NodeId};

/// Reads a drawing whose own node is `parent`, and gives the engine's names for the nodes it has added.
pub(crate) fn read(
    document: &BaseDocument,
    drawing: &EngineNode,
    parent: Option<NodeId>,
    nodes: &mut Vec<Node>,
    pieces: &mut Vec<Vec<Piece>>,
) -> Vec<blitz_dom::NodeId> {
    let mut added = Vec::new();
    let Some(parent) = parent else { return added };
    // Children in reverse, each with the node it belongs to.
    let mut open: Vec<(blitz_dom::NodeId, NodeId)> =
        drawing.children.iter().rev().map(|child| (*child, parent)).collect();
    while let Some((id, owner)) = open.pop() {
        let Some(engine_node) = document.get_node(id) else { continue };
        let NodeData::Element(data) = &engine_node.data else {
            if let NodeData::Text(text) = &engine_node.data
                && owner != parent
                && let Some(list) = pieces.get_mut(owner.index())
            {
                list.push(Piece::Text(text.content.clone()));
            }
            continue;
        };
        match &*data.name.local {
            "title" | "desc" | "style" | "script" | "defs" | "metadata" => {
                let is_own = engine_node.parent == Some(drawing.id) || owner != parent;
                if &*data.name.local == "title"
                    && is_own
                    && let Some(list) = pieces.get_mut(owner.index())
                {
                    list.push(Piece::Title(engine_node.text_content()));
                }
                continue;
            }
            "text" if owner == parent => {
                if let Some(list) = pieces.get_mut(owner.index()) {
                    list.push(Piece::Drawn(engine_node.text_content()));
                }
            }
            _ => {}
        }
        let attributes: Vec<(String, String)> = data
            .attrs()
            .iter()
            .map(|attribute| (attribute.name.local.to_string().to_ascii_lowercase(), attribute.value.clone()))
            .collect();
        let means_something = &*data.name.local == "a"
            || attributes.iter().any(|(name, _)| matches!(name.as_str(), "role" | "tabindex"));
        let mut inner = owner;
        if means_something && let Some(node) = part(nodes, owner, data.name.local.to_string(), attributes) {
            inner = node.id;
            if let Some(list) = pieces.get_mut(owner.index()) {
                list.push(Piece::Child(node.id));
            }
            nodes.push(node);
            pieces.push(Vec::new());
            added.push(id);
        }
        open.extend(engine_node.children.iter().rev().map(|child| (*child, inner)));
    }
    added
}

/// A part is there when its drawing is: the engine has no style for it.
fn part(nodes: &[Node], owner: NodeId, tag: String, attributes: Vec<(String, String)>) -> Option<Node> {
    let around = nodes.get(owner.index())?;
    let id = NodeId(u32::try_from(nodes.len()).ok()?);
    let hidden = attributes.iter().any(|(name, value)| name == "aria-hidden" && value == "true");
    Some(Node {
        id,
        parent: Some(owner),
        subtree_end: NodeId(id.0 + 1),
        tag,
        attributes,
        role: None,
        name: String::new(),
        name_source: NameSource::Nothing,
        label: String::new(),
        text: String::new(),
        parts: Vec::new(),
        shown: false,
        exposed: around.exposed && !hidden,
        rendered: around.rendered,
        style: None,
        rect: None,
        lines: Vec::new(),
        scroll: None,
        behind: None,
        generated: Vec::new(),
        unseen: false,
    })
}
