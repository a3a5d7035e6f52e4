//! Colours of the style engine as colours to calculate with.

use jury_eye::Rgba;
use jury_text::colour::Rgb;

/// The colour itself, its opacity left aside.
pub(crate) fn opaque(colour: Rgba) -> Rgb {
    Rgb { red: f64::from(colour.red), green: f64::from(colour.green), blue: f64::from(colour.blue) }
}
