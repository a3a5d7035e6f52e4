//! What several checks want to know about boxes and lines.

use jury_eye::{Node, NodeId, Rect, Snapshot};

use crate::page::Page;

/// How many lines the text directly inside an element takes.
pub(super) fn lines(node: &Node) -> usize {
    let size = node.style.as_ref().map_or(16.0, |style| style.font_size);
    rows(node.lines.iter().copied(), size).len()
}

/// Boxes of text put together to the lines they stand in, from the top.
pub(super) fn rows(boxes: impl Iterator<Item = Rect>, font_size: f32) -> Vec<Rect> {
    let mut boxes: Vec<Rect> = boxes.collect();
    boxes.sort_by(|one, other| one.centre().1.total_cmp(&other.centre().1));
    let mut rows: Vec<Rect> = Vec::new();
    for rect in boxes {
        match rows.last_mut() {
            // Pieces of one line differ by less than half the font size.
            Some(row) if rect.centre().1 - row.centre().1 < font_size / 2.0 => *row = row.with(&rect),
            _ => rows.push(rect),
        }
    }
    rows
}

/// The part of a box that lies in another.
pub(super) fn shared(one: Rect, other: Rect) -> Option<Rect> {
    let x = one.x.max(other.x);
    let y = one.y.max(other.y);
    let width = (one.x + one.width).min(other.x + other.width) - x;
    let height = (one.y + one.height).min(other.y + other.height) - y;
    (width > 0.0 && height > 0.0).then_some(Rect { x, y, width, height })
}

/// The children of an element. Their own content is stepped over, so that this costs no more than there are.
pub(super) fn children<'a>(snapshot: &'a Snapshot, node: &Node) -> impl Iterator<Item = &'a Node> + use<'a> {
    let end = node.subtree_end;
    let at = move |id: NodeId| (id < end).then(|| snapshot.node(id)).flatten();
    std::iter::successors(at(NodeId(node.id.0 + 1)), move |child| at(child.subtree_end))
}

/// Whether one element lies inside another, or is it.
pub(super) fn holds(outer: &Node, inner: NodeId) -> bool {
    outer.id <= inner && inner < outer.subtree_end
}

/// Whether anything on the page can change it after it was measured.
pub(super) fn has_scripts(page: &Page<'_>) -> bool {
    page.snapshot.nodes.iter().any(Node::runs_script)
}
