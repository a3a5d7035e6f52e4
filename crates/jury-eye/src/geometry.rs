//! Where everything is: the box of each element and the lines of its text, in one walk over the page.
//!
//! Asking the engine for one box at a time walks from that element to the root, and for an element in a line of
//! text over all lines around it, which makes a long page quadratic. Here positions are remembered on the way
//! down and every line is looked at once.

use std::collections::HashMap;

use blitz_dom::node::{Node as EngineNode, NodeData};
use blitz_dom::{BaseDocument, NodeId as EngineId};
use parley::PositionedLayoutItem;

use crate::snapshot::Rect;

/// The boxes of a laid-out document.
pub(crate) struct Geometry<'document> {
    document: &'document BaseDocument,
    /// From the coordinates of a box to those of the page.
    places: HashMap<EngineId, Place>,
    /// The boxes of elements in lines of text, which have no box of their own.
    inline: HashMap<EngineId, Area>,
    /// The text that stands directly in an element, one area for each line.
    lines: HashMap<EngineId, Vec<Area>>,
}

impl<'document> Geometry<'document> {
    /// Looks at every line of text in the document.
    pub(crate) fn of(document: &'document BaseDocument) -> Self {
        let mut geometry =
            Self { document, places: HashMap::new(), inline: HashMap::new(), lines: HashMap::new() };
        let mut open = vec![document.root_node().id];
        while let Some(id) = open.pop() {
            let Some(node) = document.get_node(id) else {
                continue;
            };
            if node.flags.is_inline_root() {
                geometry.read_lines(node);
            }
            open.extend(node.children.iter().copied());
            open.extend(node.anonymous_blocks.iter().copied());
            open.extend(node.before());
            open.extend(node.after());
        }
        geometry
    }

    /// The border box of an element relative to the page.
    pub(crate) fn rect(&mut self, node: &EngineNode) -> Option<Rect> {
        if node.is_non_atomic_inline() {
            return self.inline.get(&node.id).map(Area::rect);
        }
        let size = node.unrounded_layout().size;
        let place = self.place(node.id);
        Some(
            place
                .area(Area { left: 0.0, top: 0.0, right: size.width.into(), bottom: size.height.into() })
                .rect(),
        )
    }

    /// The lines of the text that stands directly in an element.
    pub(crate) fn lines(&self, node: &EngineNode) -> Vec<Rect> {
        self.lines.get(&node.id).map(|lines| lines.iter().map(Area::rect).collect()).unwrap_or_default()
    }

    /// Where the box of a node is on the page. Positions are relative to the containing block, which is around
    /// the node, so each is found once.
    fn place(&mut self, id: EngineId) -> Place {
        let mut missing = Vec::new();
        let mut current = Some(id);
        let mut place = Place::PAGE;
        while let Some(id) = current {
            if let Some(known) = self.places.get(&id) {
                place = *known;
                break;
            }
            missing.push(id);
            current = self.document.get_node(id).and_then(EngineNode::containing_block);
        }
        for id in missing.into_iter().rev() {
            if let Some(node) = self.document.get_node(id)
                && !matches!(node.data, NodeData::Text(_) | NodeData::Comment { .. })
            {
                let at = node.unrounded_layout().location;
                let scroll = node.scroll_offset();
                let (x, y) = (f64::from(at.x) - scroll.x, f64::from(at.y) - scroll.y);
                let transform = node.transform().as_deref().map(|transform| transform.as_coeffs());
                place = place.within(x, y, transform);
            }
            self.places.insert(id, place);
        }
        place
    }

    fn read_lines(&mut self, root: &EngineNode) {
        let Some(text) = root.element_data().and_then(|data| data.inline_layout_data.as_deref()) else {
            return;
        };
        let place = self.place(root.id);
        let inset = root.unrounded_layout().padding + root.unrounded_layout().border;
        let (left, top) = (f64::from(inset.left), f64::from(inset.top + text.block_offset));
        for line in text.layout.lines() {
            let metrics = line.metrics();
            // White space at the end of a line hangs: it takes no room.
            let line_end = f64::from(metrics.offset + metrics.advance - metrics.hanging_advance);
            let mut of_line: Vec<(EngineId, Area)> = Vec::new();
            for item in line.items() {
                let (owner, area) = match item {
                    PositionedLayoutItem::GlyphRun(glyphs) => {
                        let font = glyphs.run().font_metrics();
                        let start = f64::from(glyphs.offset());
                        let area = Area {
                            left: left + start,
                            top: top + f64::from(glyphs.baseline() - font.ascent),
                            right: left + (start + f64::from(glyphs.advance())).min(line_end.max(start)),
                            bottom: top + f64::from(glyphs.baseline() + font.descent),
                        };
                        let span = glyphs.style().brush.id;
                        if let Some(owner) = self.element_of(span) {
                            match of_line.last_mut() {
                                Some((last, known)) if *last == owner => known.include(area),
                                _ => of_line.push((owner, area)),
                            }
                        }
                        (span, area)
                    }
                    PositionedLayoutItem::InlineBox(inline_box) => {
                        let (x, y) = (f64::from(inline_box.x), f64::from(inline_box.y));
                        let area = Area {
                            left: left + x,
                            top: top + y,
                            right: left + x + f64::from(inline_box.width),
                            bottom: top + y + f64::from(inline_box.height),
                        };
                        let id = EngineId::from_u64(inline_box.id);
                        let Some(parent) = self.document.get_node(id).and_then(|node| node.parent) else {
                            continue;
                        };
                        (parent, area)
                    }
                };
                self.enlarge_around(owner, root.id, place.area(area));
            }
            for (owner, area) in of_line {
                if area.right > area.left {
                    self.lines.entry(owner).or_default().push(place.area(area));
                }
            }
        }
    }

    /// The element a span of text belongs to; text that style sheets add belongs to none.
    fn element_of(&self, span: EngineId) -> Option<EngineId> {
        let node = self.document.get_node(span)?;
        match node.data {
            NodeData::AnonymousBlock(_) => node.parent.or(node.layout_parent.get()),
            NodeData::Element(_) => {
                let parent = node.parent.and_then(|parent| self.document.get_node(parent));
                let generated =
                    parent.is_some_and(|parent| [parent.before(), parent.after()].contains(&Some(span)));
                (!generated).then_some(span)
            }
            NodeData::Document(_) | NodeData::Text(_) | NodeData::Comment { .. } => None,
        }
    }

    /// Everything in the line that is around `id` is at least as large as it.
    fn enlarge_around(&mut self, id: EngineId, root: EngineId, area: Area) {
        let mut current = Some(id);
        while let Some(id) = current
            && id != root
        {
            self.inline.entry(id).and_modify(|known| known.include(area)).or_insert(area);
            current = self.document.get_node(id).and_then(|node| node.parent);
        }
    }
}

/// A box by its edges.
#[derive(Clone, Copy)]
struct Area {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Area {
    fn include(&mut self, other: Self) {
        self.left = self.left.min(other.left);
        self.top = self.top.min(other.top);
        self.right = self.right.max(other.right);
        self.bottom = self.bottom.max(other.bottom);
    }

    fn rect(&self) -> Rect {
        let (x, y) = (snap(self.left), snap(self.top));
        Rect { x, y, width: snap(self.right) - x, height: snap(self.bottom) - y }
    }
}

/// Layout counts in sixty-fourths of a pixel; finer differences are noise.
#[expect(
    clippy::cast_possible_truncation,
    reason = "page coordinates are far below what a float holds exactly"
)]
fn snap(value: f64) -> f32 {
    ((value * 64.0).round() / 64.0) as f32
}

/// The way from the coordinates of a box to those of the page: `x' = a x + c y + e`, `y' = b x + d y + f`.
#[derive(Clone, Copy)]
struct Place([f64; 6]);

impl Place {
    const PAGE: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    /// The place of a box at `x`, `y` in this one, transformed there.
    fn within(self, x: f64, y: f64, transform: Option<[f64; 6]>) -> Self {
        let moved = self.times([1.0, 0.0, 0.0, 1.0, x, y]);
        transform.map_or(moved, |transform| moved.times(transform))
    }

    #[expect(clippy::many_single_char_names, reason = "the letters of the formula")]
    fn times(self, [a, b, c, d, e, f]: [f64; 6]) -> Self {
        let [p, q, r, s, t, u] = self.0;
        Self([
            p * a + r * b,
            q * a + s * b,
            p * c + r * d,
            q * c + s * d,
            p * e + r * f + t,
            q * e + s * f + u,
        ])
    }

    /// The smallest upright box around a transformed one.
    #[expect(clippy::many_single_char_names, reason = "the letters of the formula")]
    fn area(self, area: Area) -> Area {
        let [a, b, c, d, e, f] = self.0;
        let corner = |x: f64, y: f64| (a * x + c * y + e, b * x + d * y + f);
        let (left, top) = corner(area.left, area.top);
        let mut out = Area { left, top, right: left, bottom: top };
        for (x, y) in
            [corner(area.right, area.top), corner(area.left, area.bottom), corner(area.right, area.bottom)]
        {
            out.include(Area { left: x, top: y, right: x, bottom: y });
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_add_up_and_turn() {
        let quarter_turn = [0.0, 1.0, -1.0, 0.0, 0.0, 0.0];
        let place = Place::PAGE.within(10.0, 20.0, None).within(5.0, 5.0, Some(quarter_turn));
        let rect = place.area(Area { left: 0.0, top: 0.0, right: 30.0, bottom: 10.0 }).rect();
        assert_eq!(rect, Rect { x: 5.0, y: 25.0, width: 10.0, height: 30.0 });
    }
}
