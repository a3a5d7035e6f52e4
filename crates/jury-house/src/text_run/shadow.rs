//! What shadows do to text: a wide one lies behind it like a halo, a narrow one around it like an outline.

use jury_eye::{Rgba, Shadow};
use jury_text::colour::{Rgb, contrast};

use crate::paint::opaque;

/// Blur, in ems, from which a shadow is a halo and no outline any more.
const HALO: f32 = 0.2;

/// Offset from which a shadow without blur is seen at all, in pixels.
const SEEN: f32 = 0.5;

/// The shadows of a text, sorted by what they do.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct Shadows {
    /// Colours with the opacity of their blur, the topmost first.
    halos: Vec<Rgba>,
    outlines: Vec<Rgba>,
    /// Hard shadows on two or three sides: half an outline, about which nothing certain can be said.
    pub(super) partial: bool,
}

impl Shadows {
    pub(super) fn of(shadows: &[Shadow], font_size: f32) -> Self {
        let mut out = Self::default();
        let mut hard: Vec<&Shadow> = Vec::new();
        for shadow in shadows.iter().filter(|shadow| shadow.color.alpha > 0.0) {
            if shadow.blur <= 0.001 * font_size {
                hard.push(shadow);
            } else if shadow.x <= shadow.blur && shadow.y <= shadow.blur {
                let mut color = shadow.color;
                color.alpha *= 0.185 / (shadow.blur / font_size.max(1.0) + 0.4);
                if shadow.blur >= HALO * font_size {
                    out.halos.push(color);
                } else {
                    out.outlines.push(color);
                }
            }
        }
        let sides = [
            hard.iter().any(|shadow| shadow.x > SEEN),
            hard.iter().any(|shadow| shadow.x < -SEEN),
            hard.iter().any(|shadow| shadow.y > SEEN),
            hard.iter().any(|shadow| shadow.y < -SEEN),
        ];
        match sides.iter().filter(|side| **side).count() {
            4 => out.outlines.extend(hard.iter().map(|shadow| shadow.color)),
            2 | 3 if hard.len() > 1 => out.partial = true,
            _ => {}
        }
        out
    }

    /// A backdrop with the halo on it.
    pub(super) fn behind(&self, backdrop: Rgb) -> Rgb {
        lay(&self.halos, backdrop)
    }

    /// The contrast with the help of an outline: it may be told from the text, or from what is behind.
    pub(super) fn helped(&self, text: Rgb, backdrop: Rgb) -> f64 {
        let plain = contrast(text, backdrop);
        if self.outlines.is_empty() {
            return plain;
        }
        let outline = lay(&self.outlines, backdrop);
        plain.max(contrast(outline, backdrop)).max(contrast(text, outline))
    }

    pub(super) fn has_outline(&self) -> bool {
        !self.outlines.is_empty()
    }
}

fn lay(colours: &[Rgba], backdrop: Rgb) -> Rgb {
    colours
        .iter()
        .rev()
        .fold(backdrop, |below, colour| below.under(opaque(*colour), f64::from(colour.alpha.clamp(0.0, 1.0))))
}
