//! Boxes that may lie under or over text they do not contain, found by the rows of the page they reach into.

use std::collections::{BTreeMap, BTreeSet};

use jury_eye::{Node, NodeId, Rect, Snapshot};

use super::exempt::contains;

/// Height of a row of the index, in pixels.
const ROW: f32 = 64.0;

/// Rows a box is entered in. A higher one lies in every row.
const MAX_ROWS: usize = 64;

/// Boxes compared with one piece of text; with more, nothing is said about it.
const MAX_COMPARED: usize = 400;

/// Opacity below which a box over the whole page is only a grain.
const GRAIN: f32 = 0.1;

/// An element that paints something.
#[expect(clippy::struct_excessive_bools, reason = "independent facts of a box, not states of one thing")]
struct Painter {
    node: NodeId,
    rect: Rect,
    /// Its pixels are not there.
    unseen: bool,
    /// It is a picture.
    picture: bool,
    /// It belongs to the element but was put there by a style sheet.
    generated: bool,
    positioned: bool,
    raised: bool,
}

/// What lies across a piece of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Across {
    Nothing,
    /// Something whose pixels can be looked at.
    Painted,
    /// A picture that most of a line stands on or under.
    Picture,
    /// Something that is not painted here.
    Unseen,
}

/// The painted boxes of a page.
pub(super) struct Overlaps<'page> {
    snapshot: &'page Snapshot,
    painters: Vec<Painter>,
    rows: BTreeMap<i32, Vec<usize>>,
    everywhere: Vec<usize>,
}

impl<'page> Overlaps<'page> {
    pub(super) fn of(snapshot: &'page Snapshot) -> Self {
        let mut painters = Vec::new();
        let mut filtered = BTreeSet::new();
        for node in snapshot.nodes.iter().filter(|node| node.shown) {
            let Some(style) = &node.style else { continue };
            if style.filtered || node.parent.is_some_and(|parent| filtered.contains(&parent)) {
                filtered.insert(node.id);
            }
            if style.opacity < GRAIN
                || matches!(node.tag.as_str(), "html" | "body") && node.generated.is_empty()
            {
                continue;
            }
            let positioned = style.position != jury_eye::Position::Static;
            let raised = style.z_index.is_some_and(|index| index > 0);
            let mut add = |rect: Rect, unseen: bool, picture: bool, generated: bool| {
                if rect.width > 2.0 && rect.height > 2.0 {
                    painters.push(Painter {
                        node: node.id,
                        rect,
                        // The painter leaves filters out, and pictures are often made darker by one.
                        unseen: unseen || picture && filtered.contains(&node.id),
                        picture,
                        generated,
                        positioned,
                        raised,
                    });
                }
            };
            let paints = node.unseen || node.tag == "img" || !style.backdrop.is_none();
            if paints
                && !style.backdrop.clipped_to_text
                && !matches!(node.tag.as_str(), "html" | "body")
                && let Some(rect) = node.rect
            {
                let picture = node.tag == "img" || style.backdrop.image;
                add(rect, node.unseen || style.backdrop.unseen, picture, false);
            }
            // Those below the content are laid with the backdrops.
            for generated in node.generated.iter().filter(|generated| !generated.below) {
                let backdrop = &generated.backdrop;
                add(generated.rect, backdrop.unseen, backdrop.image, true);
            }
        }
        let mut rows: BTreeMap<i32, Vec<usize>> = BTreeMap::new();
        let mut everywhere = Vec::new();
        for (index, painter) in painters.iter().enumerate() {
            let (first, last) = (row(painter.rect.y), row(painter.rect.y + painter.rect.height));
            if usize::try_from(last - first).unwrap_or(0) > MAX_ROWS {
                everywhere.push(index);
            } else {
                for row in first..=last {
                    rows.entry(row).or_default().push(index);
                }
            }
        }
        Self { snapshot, painters, rows, everywhere }
    }

    /// What lies across the text of an element. `backdrop_of` is the element whose opaque backdrop is behind it.
    pub(super) fn across(&self, node: &Node, backdrop_of: Option<NodeId>) -> Across {
        let mut across = Across::Nothing;
        let mut compared = 0;
        for line in letters(node) {
            let rows = row(line.y)..=row(line.y + line.height);
            let here = rows.filter_map(|row| self.rows.get(&row)).flatten().chain(&self.everywhere);
            for painter in here.filter_map(|index| self.painters.get(*index)) {
                compared += 1;
                if compared > MAX_COMPARED {
                    return if across == Across::Nothing { Across::Painted } else { across };
                }
                if !overlap(&painter.rect, &line) || !self.may_matter(painter, node) {
                    continue;
                }
                if !painter.unseen {
                    let picture = painter.picture && common(&painter.rect, &line) > 0.75 * line.area();
                    if picture || across != Across::Picture {
                        across = if picture { Across::Picture } else { Across::Painted };
                    }
                } else if !self.lies_behind(painter, backdrop_of) {
                    return Across::Unseen;
                }
            }
        }
        across
    }

    fn may_matter(&self, painter: &Painter, node: &Node) -> bool {
        let Some(element) = self.snapshot.node(painter.node) else { return false };
        if painter.generated {
            return true;
        }
        // Around the text: its backdrop, which has been looked at. Inside the element: next to its text, in the flow.
        !contains(element, node.id) && (painter.positioned || !contains(node, painter.node))
    }

    /// Whether an opaque box lies between this one and the text.
    fn lies_behind(&self, painter: &Painter, backdrop_of: Option<NodeId>) -> bool {
        backdrop_of.and_then(|id| self.snapshot.node(id)).is_some_and(|backdrop| {
            !matches!(backdrop.tag.as_str(), "html" | "body")
                && !contains(backdrop, painter.node)
                && painter.node < backdrop.id
                && !painter.raised
        })
    }
}

/// The boxes of the letters of an element, a little smaller than their lines.
pub(super) fn letters(node: &Node) -> Vec<Rect> {
    const MANY: usize = 12;
    let shrink = |rect: &Rect| Rect {
        x: rect.x + rect.width * 0.02,
        y: rect.y + rect.height * 0.2,
        width: rect.width * 0.96,
        height: rect.height * 0.62,
    };
    if node.lines.is_empty() || node.lines.len() > MANY {
        return node.rect.iter().map(shrink).collect();
    }
    node.lines.iter().map(shrink).collect()
}

/// The share of the letters that lie on a box.
pub(super) fn share_on(node: &Node, ground: &Rect) -> f32 {
    let letters = letters(node);
    let all: f32 = letters.iter().map(Rect::area).sum();
    if all <= 0.0 {
        return 1.0;
    }
    letters.iter().map(|line| common(line, ground)).sum::<f32>() / all
}

fn common(one: &Rect, other: &Rect) -> f32 {
    let width = (one.x + one.width).min(other.x + other.width) - one.x.max(other.x);
    let height = (one.y + one.height).min(other.y + other.height) - one.y.max(other.y);
    width.max(0.0) * height.max(0.0)
}

fn overlap(painter: &Rect, line: &Rect) -> bool {
    let common = common(painter, line);
    common > 4.0 && common > 0.03 * line.area()
}

#[expect(clippy::cast_possible_truncation, reason = "rows of a page are few")]
fn row(y: f32) -> i32 {
    (y / ROW).floor().clamp(-1_000.0, 1_000_000.0) as i32
}
