//! A picture of the first window as it is seen at a glance: half as wide and half as high, with its text.

use anyrender::recording::{GlyphRunCommand, RenderCommand};
use anyrender::{Paint, PaintScene, Scene};
use anyrender_vello_cpu::VelloCpuImageRenderer;
use blitz_dom::util::Color;
use kurbo::{Affine, Point, Rect};

use super::{Extent, MAX_CLIPPED, Painter, Text};
use crate::snapshot::{Picture, Rgba, Snapshot, Viewport};

/// One pixel of the picture for two by two of the page: a quarter of the work, and no statistics of single letters.
const SCALE: f64 = 0.5;

/// Text this faint is there for something else to show through.
const TRANSPARENT: f32 = 0.02;

/// The part of the page that the picture shows.
pub(super) fn bounds(viewport: Viewport) -> Rect {
    Rect::new(0.0, 0.0, f64::from(viewport.width), f64::from(viewport.height))
}

pub(super) fn paint(
    scene: &mut Scene,
    extents: &[Extent],
    snapshot: &Snapshot,
    renderer: &mut VelloCpuImageRenderer,
) -> Option<Picture> {
    give_clipped_text_its_colour(scene, snapshot);
    let painter = Painter { scene, extents, bounds: bounds(snapshot.viewport), scale: SCALE };
    let image = painter.paint(renderer, &Text::Letters);
    let width = u32::try_from(image.width).ok()?;
    Some(Picture { width, rgba: image.pixels })
}

/// Draws a line of text, when it can be seen in the piece.
pub(super) fn draw_letters(
    painter: &mut impl PaintScene,
    run: &GlyphRunCommand,
    to_piece: Affine,
    piece: Rect,
) {
    let Some((first, last)) = run.glyphs.first().zip(run.glyphs.last()) else { return };
    let at = |x: f32, y: f32| run.transform * Point::new(f64::from(x), f64::from(y));
    let line = Rect::from_points(at(first.x, first.y), at(last.x, last.y));
    // Letters reach beyond where they stand; a turned or stretched line reaches further.
    let [a, b, c, d, ..] = run.transform.as_coeffs();
    let reach = 2.0 * f64::from(run.font_size) * a.hypot(b).max(c.hypot(d)).max(1.0);
    if !line.is_finite() || !line.inflate(reach, reach).overlaps(piece) {
        return;
    }
    painter.draw_glyphs(
        &run.font_data,
        run.font_size,
        false,
        &run.normalized_coords,
        run.embolden,
        &run.style,
        &run.brush,
        run.brush_alpha,
        to_piece * run.transform,
        run.glyph_transform,
        run.glyphs.iter().copied(),
    );
}

/// Text that lets a background clipped to it show through has the first of its colours here: the painter does not know
/// of the clip.
fn give_clipped_text_its_colour(scene: &mut Scene, snapshot: &Snapshot) {
    let boxes: Vec<(Rect, Rgba)> = snapshot
        .nodes
        .iter()
        .filter_map(|node| {
            let backdrop = &node.style.as_ref().filter(|style| style.backdrop.clipped_to_text)?.backdrop;
            let (x, y) = (f64::from(node.rect?.x), f64::from(node.rect?.y));
            let (width, height) = (f64::from(node.rect?.width), f64::from(node.rect?.height));
            let colour = backdrop.gradient.first().copied().unwrap_or(backdrop.color);
            Some((Rect::new(x, y, x + width, y + height).inflate(2.0, 2.0), colour))
        })
        .take(MAX_CLIPPED)
        .collect();
    if boxes.is_empty() {
        return;
    }
    for command in &mut scene.commands {
        let RenderCommand::GlyphRun(run) = command else { continue };
        let Paint::Solid(own) = &run.brush else { continue };
        if own.components.get(3).is_none_or(|alpha| *alpha > TRANSPARENT) {
            continue;
        }
        let Some(first) = run.glyphs.first() else { continue };
        let at = run.transform * Point::new(f64::from(first.x), f64::from(first.y));
        if let Some((_, colour)) = boxes.iter().find(|(place, _)| place.contains(at)) {
            run.brush = Paint::Solid(Color::new([colour.red, colour.green, colour.blue, colour.alpha]));
        }
    }
}
