//! The blocks of a page: paragraphs, pictures, controls, and boxes that paint something.

use std::collections::BTreeMap;

use jury_eye::{Layout, Node, NodeId, Position, Rect, Style};

use crate::impression::window;
use crate::page::Page;

/// Smaller things are marks and bullets.
const SMALLEST: f32 = 12.0;

/// A picture has at least this area; smaller ones are icons.
const PICTURE: f32 = 1_600.0;

/// Blocks that are looked at. What comes later on a page is seldom reached, and comparing takes the square of it.
const MOST_BLOCKS: usize = 400;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Text,
    Picture,
    Control,
    Panel,
}

/// Something that the eye takes for one thing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    pub(super) node: NodeId,
    pub(super) kind: Kind,
    pub(super) rect: Rect,
}

/// A paragraph with everything that stands in its lines.
#[derive(Debug, Clone, Copy)]
pub(super) struct Paragraph {
    pub(super) node: NodeId,
    /// Around all of its lines.
    pub(super) rect: Rect,
    pub(super) font_size: f32,
    pub(super) characters: usize,
}

/// Whether an element paints a box of its own.
pub(super) fn paints(style: &Style) -> bool {
    let edge = style.border.sides().into_iter().zip(&style.border_color);
    !style.backdrop.is_none() && !style.backdrop.clipped_to_text
        || edge.into_iter().filter(|(width, colour)| *width > 0.0 && colour.alpha > 0.1).count() >= 2
}

/// The paragraphs of a page, in its order.
pub(super) fn paragraphs(page: &Page<'_>) -> Vec<Paragraph> {
    let mut found: BTreeMap<NodeId, Paragraph> = BTreeMap::new();
    for node in page.snapshot.nodes.iter().filter(|node| node.shown && !node.lines.is_empty()) {
        let characters = node.text.chars().filter(|ch| !ch.is_whitespace()).count();
        let Some(style) = node.style.as_ref().filter(|_| characters > 0) else { continue };
        let owner = std::iter::once(node)
            .chain(page.snapshot.ancestors(node))
            .find(|above| above.style.as_ref().is_some_and(|style| style.layout != Layout::Inline));
        let Some(owner) = owner else { continue };
        let Some(rect) = node.lines.iter().copied().reduce(|one, other| one.with(&other)) else { continue };
        found
            .entry(owner.id)
            .and_modify(|known| {
                known.rect = known.rect.with(&rect);
                known.font_size = known.font_size.max(style.font_size);
                known.characters += characters;
            })
            .or_insert(Paragraph { node: owner.id, rect, font_size: style.font_size, characters });
    }
    found.into_values().filter(|paragraph| paragraph.rect.area() > 0.0).collect()
}

/// The blocks of a page that lie in its width, from the top.
pub(super) fn blocks(page: &Page<'_>) -> Vec<Block> {
    let (width, height) = window(&page.snapshot);
    let mut blocks = Vec::new();
    for paragraph in paragraphs(page) {
        let Some(node) = page.node(paragraph.node) else { continue };
        // A label stands where its box stands.
        let own = node.rect.filter(|_| node.style.as_ref().is_some_and(paints));
        let kind = if is_control(node) { Kind::Control } else { Kind::Text };
        blocks.push(Block { node: node.id, kind, rect: own.unwrap_or(paragraph.rect) });
    }
    let texts: Vec<NodeId> = blocks.iter().map(|block| block.node).collect();
    for node in page.snapshot.nodes.iter().filter(|node| node.shown) {
        let (Some(style), Some(rect)) = (&node.style, node.rect) else { continue };
        if texts.binary_search(&node.id).is_ok() || matches!(node.tag.as_str(), "html" | "body") {
            continue;
        }
        let kind = if is_picture(node) {
            (rect.area() >= PICTURE).then_some(Kind::Picture)
        } else if is_control(node) {
            Some(Kind::Control)
        } else {
            let band = rect.width > 0.9 * width || rect.height > 1.5 * height;
            (style.layout != Layout::Inline && paints(style) && !band).then_some(Kind::Panel)
        };
        blocks.extend(kind.map(|kind| Block { node: node.id, kind, rect }));
    }
    blocks.retain(|block| {
        let rect = block.rect;
        rect.width >= SMALLEST
            && rect.height >= SMALLEST / 2.0
            && rect.x > -1.0
            && rect.x + rect.width < width + 1.0
            && rect.y > -1.0
    });
    blocks.sort_by(|one, other| one.rect.y.total_cmp(&other.rect.y).then(one.node.cmp(&other.node)));
    blocks.truncate(MOST_BLOCKS);
    blocks
}

fn is_picture(node: &Node) -> bool {
    matches!(node.tag.as_str(), "img" | "svg" | "canvas" | "video" | "iframe" | "picture" | "object")
        || node.style.as_ref().is_some_and(|style| style.backdrop.image)
}

fn is_control(node: &Node) -> bool {
    matches!(node.tag.as_str(), "button" | "input" | "select" | "textarea")
        || node.role.as_deref() == Some("button")
}

/// Whether an element keeps its place in the flow, so that what it stands beside was meant.
pub(super) fn in_flow(node: &Node) -> bool {
    node.style.as_ref().is_some_and(|style| matches!(style.position, Position::Static | Position::Relative))
}
