//! Reading the laid-out document off into plain nodes.

use blitz_dom::node::{Node as EngineNode, NodeData};
use blitz_dom::{BaseDocument, NodeId as EngineId};
use style::computed_values::visibility::T as Visibility;
use style::values::generics::position::GenericZIndex as ZIndex;

use crate::coverage::{self, Coverage};
use crate::drawing;
use crate::geometry::Geometry;
use crate::name::{self, Piece};
use crate::prepare;
use crate::snapshot::{
    Generated, Layout, NameSource, Node, NodeId, Overflow, PageFacts, Position, Scroll, Snapshot, TextPart,
    Viewport,
};
use crate::style::{backdrop, read_style};

/// Opacity below which nothing is seen any more.
const INVISIBLE: f32 = 0.02;

/// The depth of the element tree.
pub(crate) fn depth(document: &BaseDocument) -> usize {
    let mut deepest = 0;
    let mut open = vec![(document.root_node().id, 0_usize)];
    while let Some((id, depth)) = open.pop() {
        deepest = deepest.max(depth);
        if let Some(node) = document.get_node(id) {
            open.extend(node.children.iter().map(|child| (*child, depth + 1)));
        }
    }
    deepest
}

/// What an element hands down to its content.
#[derive(Clone, Copy)]
struct Inherited {
    parent: Option<NodeId>,
    shown: bool,
    exposed: bool,
    open: bool,
    opacity: f32,
    /// Where an element around it cuts off what reaches too far to the right and down.
    cut_at: Option<(f32, f32)>,
}

/// A snapshot and the way back from it to the document it was taken of.
pub(crate) struct Reading {
    pub(crate) snapshot: Snapshot,
    /// The engine's name for each node of the snapshot, in the same order.
    pub(crate) ids: Vec<EngineId>,
}

/// Reads a resolved document off. `missing` is what the page needs for its looks and does not have.
pub(crate) fn read(document: &BaseDocument, missing: &[String], viewport: Viewport) -> Reading {
    let mut nodes = Vec::new();
    let mut ids = Vec::new();
    let mut pieces: Vec<Vec<Piece>> = Vec::new();
    let mut page = PageFacts::default();
    let mut geometry = Geometry::of(document);
    let mut extent = Extent::of(viewport);
    let top = Inherited { parent: None, shown: true, exposed: true, open: true, opacity: 1.0, cut_at: None };
    let mut open: Vec<(EngineId, Inherited)> = vec![(document.root_node().id, top)];
    while let Some((id, inherited)) = open.pop() {
        let Some(engine_node) = document.get_node(id) else {
            continue;
        };
        let down = match &engine_node.data {
            NodeData::Element(_) => {
                let Some(node) =
                    element(document, engine_node, inherited, nodes.len(), viewport, &mut geometry)
                else {
                    continue;
                };
                if let Some(parent) = inherited.parent
                    && let Some(list) = pieces.get_mut(parent.index())
                {
                    list.push(Piece::Child(node.id));
                }
                let opacity = inherited.opacity * node.style.as_ref().map_or(1.0, |style| style.opacity);
                let down = Inherited {
                    parent: Some(node.id),
                    shown: inherited.shown
                        && keeps_content_visible(document, engine_node, &node)
                        && opacity >= INVISIBLE,
                    exposed: inherited.exposed && !is_kept_from_hearing(&node),
                    open: inherited.open && node.attribute("inert").is_none(),
                    opacity,
                    cut_at: extent.note(&node, inherited.cut_at),
                };
                note_page_fact(&mut page, &node, engine_node);
                let is_drawing = node.tag == "svg";
                nodes.push(node);
                ids.push(id);
                pieces.push(Vec::new());
                if is_drawing {
                    for part in drawing::read(document, engine_node, down.parent, &mut nodes, &mut pieces) {
                        ids.push(part);
                    }
                    continue;
                }
                generated_words(document, engine_node.before(), pieces.last_mut());
                if let Some(after) = engine_node.after() {
                    open.push((after, down));
                }
                down
            }
            NodeData::Text(text) => {
                if let Some(parent) = inherited.parent
                    && let Some(list) = pieces.get_mut(parent.index())
                {
                    list.push(Piece::Text(text.content.clone()));
                }
                continue;
            }
            NodeData::Document(_) => inherited,
            // What a style sheet puts behind the content comes here as a box of its own, after all children.
            NodeData::AnonymousBlock(_) => {
                let list = inherited.parent.and_then(|parent| pieces.get_mut(parent.index()));
                generated_words(document, Some(id), list);
                continue;
            }
            NodeData::Comment { .. } => continue,
        };
        let closed_details = is_closed_details(engine_node);
        let first_summary = closed_details.then(|| first_summary(document, engine_node)).flatten();
        for child in engine_node.children.iter().rev() {
            let mut down = down;
            if closed_details && Some(*child) != first_summary {
                down.shown = false;
                down.exposed = false;
                down.open = false;
            }
            open.push((*child, down));
        }
    }
    close_subtrees(&mut nodes);
    give_rows_their_boxes(&mut nodes);
    (page.scroll_width, page.scroll_height) = (extent.right, extent.bottom);
    for (node, list) in nodes.iter_mut().zip(&pieces) {
        if !matches!(node.tag.as_str(), "script" | "style" | "title" | "svg" | "textarea" | "noscript") {
            node.text = own_text(list);
            node.parts = parts(list, &node.text);
        }
    }
    name::give_roles_and_names(&mut nodes, &pieces);
    page.visible_characters = nodes
        .iter()
        .filter(|node| node.shown)
        .map(|node| node.text.chars().filter(|ch| !ch.is_whitespace()).count())
        .sum();
    let builds = nodes.iter().zip(&pieces).any(|(node, list)| {
        node.runs_script() && {
            let text: String = list
                .iter()
                .filter_map(|piece| match piece {
                    Piece::Text(text) => Some(text.as_str()),
                    Piece::Generated(_) | Piece::Title(_) | Piece::Drawn(_) | Piece::Child(_) => None,
                })
                .collect();
            coverage::can_build(node, &text)
        }
    });
    let coverage = Coverage::of(&nodes, &page, missing, builds);
    Reading { snapshot: Snapshot { viewport, nodes, page, coverage }, ids }
}

fn element(
    document: &BaseDocument,
    engine_node: &EngineNode,
    inherited: Inherited,
    index: usize,
    viewport: Viewport,
    geometry: &mut Geometry<'_>,
) -> Option<Node> {
    let data = engine_node.element_data()?;
    let tag = data.name.local.to_string().to_ascii_lowercase();
    let attributes: Vec<(String, String)> = data
        .attrs()
        .iter()
        .filter(|attribute| &*attribute.name.local != prepare::RATIO)
        .map(|attribute| (attribute.name.local.to_string().to_ascii_lowercase(), attribute.value.clone()))
        .collect();
    let styles = engine_node.primary_styles();
    let style = styles
        .as_deref()
        .filter(|values| !values.clone_display().is_none())
        .map(|values| read_style(document, engine_node, values));
    let visible = styles.as_deref().is_some_and(|values| values.clone_visibility() == Visibility::Visible);
    // The engine gives rows and groups of rows no box; theirs is found from what is in them.
    let row = ROWS.contains(&tag.as_str());
    let rect = style
        .as_ref()
        .filter(|_| engine_node.has_boxes())
        .and_then(|_| geometry.rect(engine_node))
        .filter(|rect| !row || rect.area() > 0.0);
    let lines = if style.is_some() { geometry.lines(engine_node) } else { Vec::new() };
    let scroll =
        style.as_ref().filter(|style| style.clips && style.layout != Layout::Inline).map(|_| Scroll {
            width: engine_node.scroll_width(),
            height: engine_node.scroll_height(),
            inner_width: engine_node.client_width(),
            inner_height: engine_node.client_height(),
        });
    let generated = if style.is_some() { generated(document, engine_node, geometry) } else { Vec::new() };
    // Drawings, films and frames are not painted, and neither is a picture that is not there.
    let unseen = match tag.as_str() {
        "svg" | "canvas" | "video" | "iframe" | "object" | "embed" => true,
        "img" => data.raster_image_data().is_none(),
        "input" => {
            attributes.iter().any(|(name, value)| name == "type" && value.eq_ignore_ascii_case("image"))
        }
        _ => false,
    };
    let id = NodeId(u32::try_from(index).ok()?);
    // Areas of an image map have no box of their own and are there all the same.
    let rendered = style.is_some() || tag == "area";
    let visible = visible || tag == "area";
    let far_right = 4.0 * f32::from(u16::try_from(viewport.width).unwrap_or(u16::MAX));
    let on_canvas =
        rect.is_none_or(|rect| rect.x + rect.width > 0.0 && rect.x < far_right && rect.y > -2_000.0);
    let opacity = inherited.opacity * style.as_ref().map_or(1.0, |style| style.opacity);
    let mut node = Node {
        id,
        parent: inherited.parent,
        subtree_end: NodeId(id.0 + 1),
        tag,
        attributes,
        role: None,
        name: String::new(),
        name_source: NameSource::Nothing,
        label: String::new(),
        text: String::new(),
        parts: Vec::new(),
        shown: inherited.shown && rendered && visible && on_canvas && opacity >= INVISIBLE,
        exposed: inherited.exposed && rendered && visible,
        rendered: inherited.open && rendered && visible,
        style,
        rect,
        lines,
        scroll,
        generated,
        unseen,
        behind: None,
    };
    node.shown &= keeps_content_visible(document, engine_node, &node);
    node.exposed &= !is_kept_from_hearing(&node);
    node.rendered &= node.attribute("inert").is_none();
    Some(node)
}

/// Whether an element keeps itself and its content from assistive technology.
fn is_kept_from_hearing(node: &Node) -> bool {
    node.attribute("aria-hidden").is_some_and(|value| value.trim().eq_ignore_ascii_case("true"))
        || node.attribute("inert").is_some()
}

/// Adds the text of a `::before` or `::after` box.
fn generated_words(document: &BaseDocument, id: Option<EngineId>, list: Option<&mut Vec<Piece>>) {
    let text = id.and_then(|id| document.get_node(id)).map(|node| {
        node.children
            .iter()
            .filter_map(|child| {
                if let NodeData::Text(text) = &document.get_node(*child)?.data {
                    Some(text.content.as_str())
                } else {
                    None
                }
            })
            .collect::<String>()
    });
    if let (Some(text), Some(list)) = (text.filter(|text| !text.is_empty()), list) {
        list.push(Piece::Generated(text));
    }
}

/// The boxes of `::before` and `::after` that paint something.
fn generated(document: &BaseDocument, node: &EngineNode, geometry: &mut Geometry<'_>) -> Vec<Generated> {
    [node.before(), node.after()]
        .into_iter()
        .flatten()
        .filter_map(|id| {
            let pseudo = document.get_node(id)?;
            let values = pseudo.primary_styles()?;
            if values.clone_display().is_none()
                || values.clone_visibility() != Visibility::Visible
                || values.clone_opacity() < INVISIBLE
            {
                return None;
            }
            let backdrop = backdrop(document, pseudo, &values);
            if backdrop.is_none() {
                return None;
            }
            let below = matches!(values.clone_z_index(), ZIndex::Integer(index) if index < 0);
            Some(Generated { rect: geometry.rect(pseudo)?, backdrop, below })
        })
        .collect()
}

/// Content of a box that is cut down to nothing, such as text for screen readers only, is not seen.
fn keeps_content_visible(document: &BaseDocument, engine_node: &EngineNode, node: &Node) -> bool {
    let Some(style) = &node.style else {
        return false;
    };
    let collapsed = node.rect.is_some_and(|rect| rect.width <= 1.5 || rect.height <= 1.5);
    let cut_away = style.clips && collapsed || style.positioned && is_clipped_away(document, engine_node);
    !cut_away
}

/// Whether an old `clip: rect(…)` leaves nothing of an element.
fn is_clipped_away(document: &BaseDocument, node: &EngineNode) -> bool {
    let clip = document.resolved_style_value(node.id, "clip");
    let Some(sides) = clip.strip_prefix("rect(").and_then(|sides| sides.strip_suffix(')')) else {
        return false;
    };
    let sides: Vec<f32> =
        sides.split(',').filter_map(|side| side.trim().strip_suffix("px")?.parse().ok()).collect();
    matches!(sides[..], [top, right, bottom, left] if bottom - top <= 1.0 || right - left <= 1.0)
}

fn is_closed_details(node: &EngineNode) -> bool {
    node.element_data().is_some_and(|data| {
        &*data.name.local == "details"
            && !data.attrs().iter().any(|attribute| &*attribute.name.local == "open")
    })
}

fn first_summary(document: &BaseDocument, details: &EngineNode) -> Option<EngineId> {
    details.children.iter().copied().find(|child| {
        document
            .get_node(*child)
            .and_then(EngineNode::element_data)
            .is_some_and(|data| &*data.name.local == "summary")
    })
}

fn note_page_fact(page: &mut PageFacts, node: &Node, engine_node: &EngineNode) {
    match node.tag.as_str() {
        "html" if page.lang.is_none() => page.lang = node.attribute("lang").map(str::to_owned),
        "title" if page.title.is_none() => {
            page.title = Some(engine_node.text_content().trim().to_owned());
        }
        "meta" if node.attribute("name").is_some_and(|name| name.eq_ignore_ascii_case("viewport")) => {
            page.viewport_meta = node.attribute("content").map(str::to_owned);
        }
        _ => {}
    }
}

fn close_subtrees(nodes: &mut [Node]) {
    for index in (0..nodes.len()).rev() {
        let Some((parent, end)) = nodes.get(index).and_then(|node| Some((node.parent?, node.subtree_end)))
        else {
            continue;
        };
        if let Some(parent) = nodes.get_mut(parent.index()) {
            parent.subtree_end = parent.subtree_end.max(end);
        }
    }
}

/// The text and the children of an element in their order, where there are both.
fn parts(pieces: &[Piece], text: &str) -> Vec<TextPart> {
    let mixed = !text.is_empty() && pieces.iter().any(|piece| matches!(piece, Piece::Child(_)));
    let pieces = pieces.iter().filter(|_| mixed);
    pieces
        .filter_map(|piece| match piece {
            Piece::Text(text) => Some(TextPart::Text(text.clone())),
            Piece::Child(child) => Some(TextPart::Child(*child)),
            Piece::Generated(_) | Piece::Title(_) | Piece::Drawn(_) => None,
        })
        .collect()
}

fn own_text(pieces: &[Piece]) -> String {
    let mut text = String::new();
    for piece in pieces {
        if let Piece::Text(part) = piece {
            for word in part.split_whitespace() {
                if !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(word);
            }
        }
    }
    text
}

/// How far the content of the page reaches.
struct Extent {
    right: f32,
    bottom: f32,
}

impl Extent {
    #[expect(clippy::cast_precision_loss, reason = "no window is that large")]
    fn of(viewport: Viewport) -> Self {
        Self { right: viewport.width as f32, bottom: viewport.height as f32 }
    }

    /// Takes note of an element; says where its own content is cut off.
    fn note(&mut self, node: &Node, cut_at: Option<(f32, f32)>) -> Option<(f32, f32)> {
        const NOWHERE: (f32, f32) = (f32::INFINITY, f32::INFINITY);
        let style = node.style.as_ref()?;
        // What is fixed stays in the window, wherever it is.
        if style.position == Position::Fixed {
            return Some((0.0, 0.0));
        }
        let (right, bottom) = cut_at.unwrap_or(NOWHERE);
        for rect in node.rect.iter().chain(&node.lines).filter(|rect| rect.area() > 0.0) {
            self.right = self.right.max((rect.x + rect.width).min(right));
            self.bottom = self.bottom.max((rect.y + rect.height).min(bottom));
        }
        // The page itself is not cut off at its elements' edges but at the window's.
        let Some(rect) = node.rect.filter(|_| style.clips && !matches!(node.tag.as_str(), "html" | "body"))
        else {
            return cut_at;
        };
        let [sideways, down] = style.overflow.map(|overflow| overflow != Overflow::Visible);
        Some((
            if sideways { right.min(rect.x + rect.width) } else { right },
            if down { bottom.min(rect.y + rect.height) } else { bottom },
        ))
    }
}

/// Elements of tables that the engine lays out without a box of their own.
const ROWS: [&str; 4] = ["tr", "tbody", "thead", "tfoot"];

/// A row is as large as what is in it.
fn give_rows_their_boxes(nodes: &mut [Node]) {
    for index in (0..nodes.len()).rev() {
        let Some((rect, parent)) = nodes.get(index).and_then(|node| Some((node.rect?, node.parent?))) else {
            continue;
        };
        if let Some(parent) = nodes.get_mut(parent.index())
            && ROWS.contains(&parent.tag.as_str())
        {
            parent.rect = Some(parent.rect.map_or(rect, |known| known.with(&rect)));
        }
    }
}
