//! The pixels behind text: the page painted without its text, and once more with the text as plain bars.
//!
//! Styles alone cannot say what lies behind a word that stands on a gradient, an image or a box that something moved
//! there. The painter can. What it would draw is written down once; the rows of the page that hold the text in question
//! are then painted twice, first without any text and then with each line of that text as a bar of its own colour, in
//! its own place of the paint order. So opacity, groups and what lies over the text are in the colours already.
//!
//! Only those rows are painted, and not more of them than [`MAX_PIXELS`]; what lies beyond has no pixels.

mod pictures;
mod tally;

use std::collections::BTreeMap;
use std::panic::{self, AssertUnwindSafe};

use anyrender::recording::RenderCommand;
use anyrender::{ImageRenderer as _, Paint, PaintScene, Scene};
use anyrender_vello_cpu::VelloCpuImageRenderer;
use blitz_dom::node::{Node as EngineNode, NodeData};
use blitz_dom::util::Color;
use blitz_dom::{BaseDocument, NodeId as EngineId};
use kurbo::{Affine, Point, Rect, Shape as _};
use parley::PositionedLayoutItem;

use crate::pictures::Pictures;
use crate::snapshot::{Behind, NodeId, Snapshot, Viewport};

use tally::Tally;

/// Pixels painted for one page, all rows together: about six windows full.
const MAX_PIXELS: f64 = 6_000_000.0;

/// Rows are painted in pieces no wider and no higher than this: the painter counts in sixteen bits, and memory is short.
const MAX_WIDTH: f64 = 2_600.0;
const MAX_HEIGHT: f64 = 1_024.0;

/// Pieces painted for one page. Each costs a walk over all that is drawn.
const MAX_BANDS: usize = 96;

/// Rows nearer than this are painted in one piece.
const NEAR: f64 = 48.0;

/// Elements filled with their background that are looked for among the commands.
const MAX_CLIPPED: usize = 200;

/// A line of text as it is drawn, to find it again among the commands.
type Key = (u32, u32, u32, usize, u32);

/// One line of one of the elements asked for.
struct Line {
    wanted: usize,
    key: Key,
    /// Its box, in the coordinates of its paragraph.
    shape: Rect,
    /// Where its first glyph should be on the page.
    near: Point,
}

/// A line with its place in the recording.
struct Placed {
    wanted: usize,
    command: usize,
    shape: Rect,
    transform: Affine,
    /// The bounds on the page.
    bounds: Rect,
}

/// Paints what lies behind the text of `wanted` elements. Elements whose text is not painted are left out.
///
/// `ids` are the engine's names for the nodes of the snapshot. The document is left as it is found.
pub(crate) fn behind(
    document: &mut BaseDocument,
    ids: &[EngineId],
    snapshot: &Snapshot,
    pictures: &Pictures,
    wanted: &[NodeId],
) -> Vec<(NodeId, Behind)> {
    if wanted.is_empty() {
        return Vec::new();
    }
    // A painter that trips over a page has seen nothing of it: its text stays undecided, the rest is measured.
    panic::catch_unwind(AssertUnwindSafe(|| painted(document, ids, snapshot, pictures, wanted)))
        .unwrap_or_default()
}

fn painted(
    document: &mut BaseDocument,
    ids: &[EngineId],
    snapshot: &Snapshot,
    pictures: &Pictures,
    wanted: &[NodeId],
) -> Vec<(NodeId, Behind)> {
    let (mut scene, page) = record(document, snapshot.viewport);
    drop_clipped_backgrounds(&mut scene, snapshot);
    let index: BTreeMap<EngineId, usize> =
        wanted.iter().enumerate().filter_map(|(index, id)| Some((*ids.get(id.index())?, index))).collect();
    let lines = lines(document, &index);
    let placed = place(&scene, lines, page);
    let extents = extents(&scene);
    let mut tallies: Vec<Tally> = wanted.iter().map(|_| Tally::default()).collect();
    let mut renderer = None;
    let bands = bands(&placed);
    let unseen = pictures::show(&mut scene, &extents, &bands, pictures);
    for band in bands {
        let mut painter = Painter { scene: &scene, extents: &extents, bounds: band.bounds };
        let renderer = renderer.get_or_insert_with(|| VelloCpuImageRenderer::new(1, 1));
        let bare = painter.paint(renderer, &BTreeMap::new());
        let bars: BTreeMap<usize, &Placed> = band.lines.iter().map(|line| (line.command, *line)).collect();
        let inked = painter.paint(renderer, &bars);
        for line in &band.lines {
            if let Some(tally) = tallies.get_mut(line.wanted) {
                let ink = ink_of(&scene, line.command);
                tally.add(line, ink, &bare, &inked, band.bounds, || is_covered(&scene, &extents, line));
                tally.unseen |= unseen.iter().any(|place| place.overlaps(line.bounds));
            }
        }
    }
    wanted.iter().zip(tallies).filter_map(|(id, tally)| Some((*id, tally.into_behind()?))).collect()
}

/// Everything the page would draw, and the size of the page.
fn record(document: &mut BaseDocument, viewport: Viewport) -> (Scene, Rect) {
    let root = document.try_root_element().map(|root| {
        let size = root.final_layout().size;
        let overflow = root.scrollable_overflow();
        (f64::from(size.width).max(overflow.x1), f64::from(size.height).max(overflow.y1))
    });
    let (width, height) = root.unwrap_or_default();
    // Beyond this nobody scrolls, and what hides off screen is often put there.
    let width = width.clamp(f64::from(viewport.width), 2.0 * f64::from(viewport.width));
    let height = height.clamp(f64::from(viewport.height), 200_000.0);
    let mut scene = Scene::new();
    blitz_paint::paint_scene(&mut scene, document, 1.0, whole(width), whole(height), 0, 0);
    drop_decorations(&mut scene);
    (scene, Rect::new(0.0, 0.0, width, height))
}

/// Takes the boxes away whose background is clipped to their text: the painter does not know of the clip.
fn drop_clipped_backgrounds(scene: &mut Scene, snapshot: &Snapshot) {
    let boxes: Vec<Rect> = snapshot
        .nodes
        .iter()
        .filter(|node| node.style.as_ref().is_some_and(|style| style.backdrop.clipped_to_text))
        .filter_map(|node| node.rect)
        .take(MAX_CLIPPED)
        .map(|rect| {
            let (x, y) = (f64::from(rect.x), f64::from(rect.y));
            Rect::new(x, y, x + f64::from(rect.width), y + f64::from(rect.height))
        })
        .collect();
    if boxes.is_empty() {
        return;
    }
    let same = |one: f64, other: f64| (one - other).abs() <= 1.5;
    scene.commands.retain(|command| {
        let RenderCommand::Fill(fill) = command else { return true };
        let drawn = fill.transform.transform_rect_bbox(fill.shape.bounding_box());
        !boxes.iter().any(|known| {
            same(known.x0, drawn.x0)
                && same(known.y0, drawn.y0)
                && same(known.x1, drawn.x1)
                && same(known.y1, drawn.y1)
        })
    });
}

/// Takes the lines under, over and through text away: they are text, not what lies behind it. They are drawn right
/// after the glyphs of their paragraph, in its coordinates.
fn drop_decorations(scene: &mut Scene) {
    let mut paragraph = None;
    scene.commands.retain(|command| {
        let transform = match command {
            RenderCommand::GlyphRun(run) => {
                paragraph = Some(run.transform);
                return true;
            }
            RenderCommand::Stroke(stroke) => Some(stroke.transform),
            RenderCommand::Fill(fill) => Some(fill.transform),
            RenderCommand::PushLayer(_)
            | RenderCommand::PushClipLayer(_)
            | RenderCommand::PopLayer
            | RenderCommand::BoxShadow(_) => None,
        };
        let decoration = transform.is_some() && transform == paragraph;
        if !decoration {
            paragraph = None;
        }
        !decoration
    });
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped by its caller to a page"
)]
fn whole(value: f64) -> u32 {
    value.ceil().max(0.0) as u32
}

/// The lines of the elements asked for, from the paragraphs they stand in.
fn lines(document: &BaseDocument, index: &BTreeMap<EngineId, usize>) -> Vec<Line> {
    let mut found = Vec::new();
    let mut open = vec![document.root_node().id];
    while let Some(id) = open.pop() {
        let Some(node) = document.get_node(id) else { continue };
        open.extend(node.children.iter().copied());
        open.extend(node.anonymous_blocks.iter().copied());
        if node.flags.is_inline_root() {
            paragraph_lines(document, node, index, &mut found);
        }
    }
    found
}

fn paragraph_lines(
    document: &BaseDocument,
    root: &EngineNode,
    index: &BTreeMap<EngineId, usize>,
    found: &mut Vec<Line>,
) {
    let (NodeData::Element(data) | NodeData::AnonymousBlock(data)) = &root.data else { return };
    let Some(text) = data.inline_layout_data.as_deref() else { return };
    let mut origin = None;
    for line in text.layout.lines() {
        for item in line.items() {
            let PositionedLayoutItem::GlyphRun(run) = item else { continue };
            let Some(wanted) = owner(document, run.style().brush.id).and_then(|id| index.get(&id)) else {
                continue;
            };
            let mut glyphs = run.positioned_glyphs();
            let Some(first) = glyphs.next() else { continue };
            let size = run.run().font_size();
            let count = 1 + glyphs.count();
            let key = (first.id, first.x.to_bits(), first.y.to_bits(), count, size.to_bits());
            let (left, baseline) = (f64::from(run.offset()), f64::from(run.baseline()));
            let size = f64::from(size);
            // Where letters are: from about the top of a capital to below the line.
            let shape = Rect::new(
                left,
                0.72f64.mul_add(-size, baseline),
                left + f64::from(run.advance()),
                0.16f64.mul_add(size, baseline),
            );
            let origin = *origin.get_or_insert_with(|| content_origin(root, f64::from(text.block_offset)));
            found.push(Line {
                wanted: *wanted,
                key,
                shape,
                near: Point::new(origin.x + f64::from(first.x), origin.y + f64::from(first.y)),
            });
        }
    }
}

/// The element a piece of text belongs to: a block around loose text has no element of its own.
fn owner(document: &BaseDocument, id: EngineId) -> Option<EngineId> {
    let node = document.get_node(id)?;
    if matches!(node.data, NodeData::AnonymousBlock(_)) { node.layout_parent.get() } else { Some(id) }
}

/// The top left corner of a box's content on the page, as far as the layout tells; a transform is not in it.
fn content_origin(node: &EngineNode, block_offset: f64) -> Point {
    let at = node.absolute_position(0.0, 0.0);
    let used = node.final_layout();
    Point::new(
        f64::from(at.x + used.padding.left + used.border.left),
        f64::from(at.y + used.padding.top + used.border.top) + block_offset,
    )
}

/// Finds each line among the commands: it is the one with the same glyphs, nearest to where it should be.
fn place(scene: &Scene, lines: Vec<Line>, page: Rect) -> Vec<Placed> {
    let mut drawn: BTreeMap<Key, Vec<(usize, Affine, Point)>> = BTreeMap::new();
    for (command, drawing) in scene.commands.iter().enumerate() {
        let RenderCommand::GlyphRun(run) = drawing else { continue };
        let Some(first) = run.glyphs.first() else { continue };
        let key = (first.id, first.x.to_bits(), first.y.to_bits(), run.glyphs.len(), run.font_size.to_bits());
        let at = run.transform * Point::new(f64::from(first.x), f64::from(first.y));
        drawn.entry(key).or_default().push((command, run.transform, at));
    }
    let mut placed: Vec<Placed> = lines
        .into_iter()
        .filter_map(|line| {
            // The same word in a thousand places is looked for among the first of them only.
            let candidates = drawn.get(&line.key)?;
            let (command, transform, _) = candidates
                .iter()
                .min_by(|one, other| {
                    one.2.distance_squared(line.near).total_cmp(&other.2.distance_squared(line.near))
                })
                .copied()?;
            let bounds = transform.transform_rect_bbox(line.shape).intersect(page);
            (bounds.is_finite() && bounds.width() >= 1.0 && bounds.height() >= 1.0).then_some(Placed {
                wanted: line.wanted,
                command,
                shape: line.shape,
                transform,
                bounds,
            })
        })
        .collect();
    placed.sort_by(|one, other| {
        one.bounds.y0.total_cmp(&other.bounds.y0).then(one.command.cmp(&other.command))
    });
    placed
}

/// A piece of the page that is painted at once.
struct Band<'a> {
    bounds: Rect,
    lines: Vec<&'a Placed>,
}

/// Rows of lines that stand near each other, within what may be painted.
fn bands(placed: &[Placed]) -> Vec<Band<'_>> {
    let mut bands: Vec<Band<'_>> = Vec::new();
    for line in placed {
        let bounds = line.bounds.expand();
        if bounds.width() > MAX_WIDTH || bounds.height() > MAX_HEIGHT {
            continue;
        }
        if let Some(band) = bands.last_mut()
            && bounds.y0 <= band.bounds.y1 + NEAR
            && band.bounds.union(bounds).height() <= MAX_HEIGHT
            && band.bounds.union(bounds).width() <= MAX_WIDTH
        {
            band.bounds = band.bounds.union(bounds);
            band.lines.push(line);
        } else {
            bands.push(Band { bounds, lines: vec![line] });
        }
    }
    let mut pixels = 0.0;
    bands.truncate(MAX_BANDS);
    bands.retain(|band| {
        pixels += band.bounds.area();
        pixels <= MAX_PIXELS
    });
    bands
}

/// What a command can touch on the page, and for an opened layer where it is closed.
struct Extent {
    bounds: Rect,
    closed_at: usize,
}

fn extents(scene: &Scene) -> Vec<Extent> {
    let mut extents: Vec<Extent> = Vec::with_capacity(scene.commands.len());
    let mut open = Vec::new();
    for (index, command) in scene.commands.iter().enumerate() {
        let bounds = match command {
            RenderCommand::PushLayer(layer) => {
                open.push(index);
                layer.transform.transform_rect_bbox(layer.clip.bounding_box())
            }
            RenderCommand::PushClipLayer(layer) => {
                open.push(index);
                layer.transform.transform_rect_bbox(layer.clip.bounding_box())
            }
            RenderCommand::PopLayer => {
                if let Some(opened) = open.pop()
                    && let Some(extent) = extents.get_mut(opened)
                {
                    extent.closed_at = index;
                }
                Rect::ZERO
            }
            RenderCommand::Fill(fill) => fill.transform.transform_rect_bbox(fill.shape.bounding_box()),
            RenderCommand::Stroke(stroke) => {
                let wide = stroke.style.width;
                stroke.transform.transform_rect_bbox(stroke.shape.bounding_box().inflate(wide, wide))
            }
            RenderCommand::BoxShadow(shadow) => {
                let far = 3.0 * shadow.std_dev + 1.0;
                shadow.transform.transform_rect_bbox(shadow.rect.inflate(far, far))
            }
            RenderCommand::GlyphRun(_) => Rect::ZERO,
        };
        extents.push(Extent { bounds, closed_at: index });
    }
    extents
}

/// Paints one piece of the page.
struct Painter<'a> {
    scene: &'a Scene,
    extents: &'a [Extent],
    bounds: Rect,
}

/// A piece of the page, painted.
struct Image {
    width: usize,
    pixels: Vec<u8>,
}

impl Image {
    fn at(&self, x: usize, y: usize) -> Option<[u8; 3]> {
        let start = (y * self.width + x) * 4;
        let [red, green, blue] = self.pixels.get(start..start + 3)?.try_into().ok()?;
        Some([red, green, blue])
    }
}

impl Painter<'_> {
    fn paint(&mut self, renderer: &mut VelloCpuImageRenderer, bars: &BTreeMap<usize, &Placed>) -> Image {
        let (width, height) = (whole(self.bounds.width()), whole(self.bounds.height()));
        renderer.resize(width, height);
        let mut pixels = Vec::new();
        renderer.render_to_vec(
            |painter| {
                let to_piece = Affine::translate((-self.bounds.x0, -self.bounds.y0));
                // The canvas under every page is white.
                painter.fill(
                    rule(),
                    Affine::IDENTITY,
                    Color::WHITE,
                    None,
                    &Rect::new(0.0, 0.0, f64::from(width), f64::from(height)),
                );
                self.replay(painter, to_piece, bars);
            },
            &mut pixels,
        );
        Image { width: usize::try_from(width).unwrap_or(0), pixels }
    }

    fn replay(&self, painter: &mut impl PaintScene, to_piece: Affine, bars: &BTreeMap<usize, &Placed>) {
        let mut index = 0;
        while let Some((command, extent)) = self.scene.commands.get(index).zip(self.extents.get(index)) {
            let seen = self.touches(extent.bounds);
            match command {
                RenderCommand::PushLayer(_) | RenderCommand::PushClipLayer(_) if !seen => {
                    index = extent.closed_at + 1;
                    continue;
                }
                RenderCommand::PushLayer(layer) => painter.push_layer(
                    layer.fill,
                    layer.blend,
                    layer.alpha,
                    to_piece * layer.transform,
                    &layer.clip,
                    layer.filter.clone(),
                    layer.backdrop_filter.clone(),
                ),
                RenderCommand::PushClipLayer(layer) => {
                    painter.push_clip_layer(layer.fill, to_piece * layer.transform, &layer.clip);
                }
                RenderCommand::PopLayer => painter.pop_layer(),
                RenderCommand::Fill(fill) if seen => painter.fill(
                    fill.fill,
                    to_piece * fill.transform,
                    &fill.brush,
                    fill.brush_transform,
                    &fill.shape,
                ),
                RenderCommand::Stroke(stroke) if seen => painter.stroke(
                    &stroke.style,
                    to_piece * stroke.transform,
                    &stroke.brush,
                    stroke.brush_transform,
                    &stroke.shape,
                ),
                RenderCommand::BoxShadow(shadow) if seen => painter.draw_box_shadow(
                    to_piece * shadow.transform,
                    shadow.rect,
                    shadow.brush,
                    shadow.radius,
                    shadow.std_dev,
                ),
                RenderCommand::GlyphRun(run) => {
                    if let Some(bar) = bars.get(&index) {
                        painter.fill(
                            rule(),
                            to_piece * run.transform,
                            &run.brush,
                            None,
                            &bar.shape.inflate(0.0, 1.5),
                        );
                    }
                }
                RenderCommand::Fill(_) | RenderCommand::Stroke(_) | RenderCommand::BoxShadow(_) => {}
            }
            index += 1;
        }
    }

    fn touches(&self, bounds: Rect) -> bool {
        bounds.is_finite()
            && bounds.x1 >= self.bounds.x0
            && bounds.x0 <= self.bounds.x1
            && bounds.y1 >= self.bounds.y0
            && bounds.y0 <= self.bounds.y1
    }
}

/// The usual way to fill a shape.
fn rule<Rule: Default>() -> Rule {
    Rule::default()
}

/// The colour a line is drawn in, when it is a plain one.
fn ink_of(scene: &Scene, command: usize) -> Option<[f32; 4]> {
    let Some(RenderCommand::GlyphRun(run)) = scene.commands.get(command) else { return None };
    if let Paint::Solid(colour) = &run.brush { Some(colour.components) } else { None }
}

/// Whether something opaque is drawn over the middle of a line after it.
fn is_covered(scene: &Scene, extents: &[Extent], line: &Placed) -> bool {
    let middle = line.bounds.center();
    let later = scene.commands.iter().zip(extents).skip(line.command + 1);
    later.filter(|(_, extent)| extent.bounds.contains(middle)).any(|(command, _)| {
        let RenderCommand::Fill(fill) = command else { return false };
        let Paint::Solid(colour) = &fill.brush else { return true };
        colour.components.get(3).is_some_and(|alpha| *alpha >= 0.99)
    })
}
