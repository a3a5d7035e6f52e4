//! Counting the pixels behind a text and on it, in few colours.

use std::collections::BTreeMap;

use kurbo::{Point, Rect};

use super::{Image, Placed, whole};
use crate::snapshot::{Behind, Patch};

/// Pixels looked at for one line of text, and for one element.
const SAMPLES_PER_LINE: f64 = 1_500.0;
const SAMPLES_PER_NODE: u32 = 6_000;

/// Colours kept for one element.
const MAX_PATCHES: usize = 64;

/// Two colours in few bits, and what was counted for them.
type Shades = BTreeMap<[u8; 6], Sum>;

/// Sums of the pixels that share their shades, so that the mean of them stays exact.
#[derive(Default, Clone, Copy)]
struct Sum {
    backdrop: [u64; 3],
    text: [u64; 3],
    pixels: u32,
}

/// What has been seen of one element.
#[derive(Default)]
pub(super) struct Tally {
    sums: BTreeMap<([u8; 3], [u8; 3]), u32>,
    seen: u32,
    covered: u32,
    /// Whether a picture lies there whose colours are not known.
    pub(super) unseen: bool,
}

impl Tally {
    /// Looks at points spread evenly over a line.
    pub(super) fn add(
        &mut self,
        line: &Placed,
        ink: Option<[f32; 4]>,
        bare: &Image,
        inked: &Image,
        piece: Rect,
        is_covered: impl Fn() -> bool,
    ) {
        if self.seen + self.covered >= SAMPLES_PER_NODE {
            return;
        }
        // A pixel at the edge of a bar is covered in part, and says nothing about the text.
        let edge = (line.shape.width() / 4.0).min(1.5);
        let shape = Rect::new(line.shape.x0 + edge, line.shape.y0, line.shape.x1 - edge, line.shape.y1);
        let (width, height) = (shape.width(), shape.height());
        let pixels = (line.transform.determinant().abs() * width * height).max(1.0);
        let step = (pixels / SAMPLES_PER_LINE).max(1.0).sqrt() * (width * height / pixels).sqrt();
        let mut covered = None;
        let (columns, rows) = (whole(width / step).max(1), whole(height / step).max(1));
        for row in 0..rows {
            for column in 0..columns {
                let at = line.transform
                    * Point::new(
                        shape.x0 + width * (f64::from(column) + 0.5) / f64::from(columns),
                        shape.y0 + height * (f64::from(row) + 0.5) / f64::from(rows),
                    );
                if !line.bounds.contains(at) {
                    continue;
                }
                let (x, y) = (place_in(at.x - piece.x0), place_in(at.y - piece.y0));
                let Some((backdrop, text)) = bare.at(x, y).zip(inked.at(x, y)) else { continue };
                // Text that looks like its backdrop may be hidden by something of its own colour.
                if alike(backdrop, text)
                    && (would_show(ink, backdrop) || *covered.get_or_insert_with(&is_covered))
                {
                    self.covered += 1;
                } else {
                    self.seen += 1;
                    *self.sums.entry((backdrop, text)).or_default() += 1;
                }
            }
        }
    }

    pub(super) fn into_behind(self) -> Option<Behind> {
        if self.seen + self.covered == 0 {
            return None;
        }
        // Fewer bits until few shades are left; a plain backdrop stays what it is.
        let shades = (2..=6).map(|bits| self.shades(bits)).find(|shades| shades.len() <= MAX_PATCHES)?;
        let mut colours: Vec<Patch> = shades.into_values().map(Sum::mean).collect();
        colours.sort_by(|one, other| {
            other
                .pixels
                .cmp(&one.pixels)
                .then(one.backdrop.cmp(&other.backdrop))
                .then(one.text.cmp(&other.text))
        });
        Some(Behind { colours, covered: self.covered, unseen: self.unseen })
    }

    fn shades(&self, bits: u8) -> Shades {
        let mut shades = Shades::new();
        for ((backdrop, text), pixels) in &self.sums {
            let [red, green, blue] = backdrop.map(|value| value >> bits);
            let [text_red, text_green, text_blue] = text.map(|value| value >> bits);
            let sum = shades.entry([red, green, blue, text_red, text_green, text_blue]).or_default();
            for (sum, value) in sum.backdrop.iter_mut().zip(backdrop) {
                *sum += u64::from(*value) * u64::from(*pixels);
            }
            for (sum, value) in sum.text.iter_mut().zip(text) {
                *sum += u64::from(*value) * u64::from(*pixels);
            }
            sum.pixels += pixels;
        }
        shades
    }
}

impl Sum {
    fn mean(self) -> Patch {
        let pixels = u64::from(self.pixels.max(1));
        let mean =
            |sums: [u64; 3]| sums.map(|sum| u8::try_from((sum + pixels / 2) / pixels).unwrap_or(u8::MAX));
        Patch { backdrop: mean(self.backdrop), text: mean(self.text), pixels: self.pixels }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "negative and far values have no pixel"
)]
fn place_in(value: f64) -> usize {
    if value < 0.0 { usize::MAX / 8 } else { value.floor().min(1e9) as usize }
}

/// The painter rounds, so a step or two are no difference.
fn alike(one: [u8; 3], other: [u8; 3]) -> bool {
    one.iter().zip(other).all(|(one, other)| one.abs_diff(other) <= 2)
}

/// Whether text in this colour would be told from its backdrop, so that not seeing it means that it is covered or cut.
fn would_show(ink: Option<[f32; 4]>, backdrop: [u8; 3]) -> bool {
    let Some([red, green, blue, alpha]) = ink else { return false };
    [red, green, blue]
        .iter()
        .zip(backdrop)
        .any(|(ink, behind)| (ink * 255.0 - f32::from(behind)).abs() * alpha > 24.0)
}
