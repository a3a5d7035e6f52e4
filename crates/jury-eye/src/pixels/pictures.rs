//! Giving the pictures on a painted piece of the page their colours.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyrender::recording::RenderCommand;
use anyrender::{Paint, Scene};
use blitz_dom::node::RasterImageData;
use kurbo::{Affine, Rect};

use super::{Band, Extent};
use crate::pictures::{Pictures, decode};

/// Pixels of all pictures that are decoded for one page. More pictures than that stay unseen.
const MOST_PIXELS: u64 = 32_000_000;

/// Pictures as they are shown: by their number and how many of their pixels make one.
type Shown = BTreeMap<(usize, u32, u32), Option<RasterImageData>>;

/// Puts the colours of the pictures that touch a band into the recording, and gives the places of those that have none.
pub(super) fn show(
    scene: &mut Scene,
    extents: &[Extent],
    bands: &[Band<'_>],
    pictures: &Pictures,
) -> Vec<Rect> {
    let mut shown = Shown::new();
    let mut budget = MOST_PIXELS;
    let mut unseen = Vec::new();
    for (command, extent) in scene.commands.iter_mut().zip(extents) {
        let RenderCommand::Fill(fill) = command else { continue };
        let Paint::Image(brush) = &mut fill.brush else { continue };
        if !bands.iter().any(|band| band.bounds.overlaps(extent.bounds)) {
            continue;
        }
        let Some((number, picture)) = pictures.in_room(brush.image.data.data()) else {
            unseen.push(extent.bounds);
            continue;
        };
        let placed = fill.transform * fill.brush_transform.unwrap_or(Affine::IDENTITY);
        let per_pixel = per_pixel(placed);
        let image = shown.entry((number, per_pixel.0, per_pixel.1)).or_insert_with(|| {
            let pixels = u64::from(picture.width) * u64::from(picture.height);
            budget = budget.checked_sub(pixels)?;
            let seen = decode(picture.file(), per_pixel)?;
            Some(RasterImageData::new(seen.width, seen.height, Arc::new(seen.pixels)))
        });
        let Some(image) = image else {
            unseen.push(extent.bounds);
            continue;
        };
        let larger = Affine::scale_non_uniform(
            f64::from(picture.width) / f64::from(image.width.max(1)),
            f64::from(picture.height) / f64::from(image.height.max(1)),
        );
        fill.brush_transform = Some(fill.brush_transform.unwrap_or(Affine::IDENTITY) * larger);
        brush.image.data = image.data.clone();
        (brush.image.width, brush.image.height) = (image.width, image.height);
    }
    unseen
}

/// How many pixels of a picture fall into one of the page, in each direction.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a picture")]
fn per_pixel(placed: Affine) -> (u32, u32) {
    let [a, b, c, d, ..] = placed.as_coeffs();
    let whole = |scale: f64| (1.0 / scale.max(1e-4)).floor().clamp(1.0, 10_000.0) as u32;
    (whole(a.hypot(b)), whole(c.hypot(d)))
}
