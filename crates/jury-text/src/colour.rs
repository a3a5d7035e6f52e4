//! Colours: WCAG contrast, `OKLab` distance, and moving a colour's lightness without leaving sRGB.

/// The factor by which a repaired colour clears its bound, so that rounding to eight bits cannot undo it.
pub const HEADROOM: f64 = 1.02;

/// A colour without transparency, components 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rgb {
    /// How much red, as sRGB encodes it.
    pub red: f64,
    /// The green part, from 0 to 1.
    pub green: f64,
    /// The blue part, from 0 to 1.
    pub blue: f64,
}

/// A colour in the `OKLab` space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Oklab {
    /// From black, 0, to white, 1.
    pub lightness: f64,
    a: f64,
    b: f64,
}

impl Rgb {
    /// White, the lightest colour.
    pub const WHITE: Self = Self { red: 1.0, green: 1.0, blue: 1.0 };

    /// `top` with `alpha` painted over this colour.
    #[must_use]
    pub fn under(self, top: Self, alpha: f64) -> Self {
        let mix = |below: f64, above: f64| above.mul_add(alpha, below * (1.0 - alpha));
        Self {
            red: mix(self.red, top.red),
            green: mix(self.green, top.green),
            blue: mix(self.blue, top.blue),
        }
    }

    /// As the engine would see it after being written as `#rrggbb`.
    #[must_use]
    pub fn rounded(self) -> Self {
        let round = |value: f64| (value.clamp(0.0, 1.0) * 255.0).round() / 255.0;
        Self { red: round(self.red), green: round(self.green), blue: round(self.blue) }
    }

    /// The colour as `#rrggbb`.
    pub fn hex(self) -> String {
        let [red, green, blue] = self.bytes();
        format!("#{red:02x}{green:02x}{blue:02x}")
    }

    /// The components in eight bits.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to 0..=255 before the cast"
    )]
    pub fn bytes(self) -> [u8; 3] {
        [self.red, self.green, self.blue].map(|value| (value.clamp(0.0, 1.0) * 255.0).round() as u8)
    }

    /// From `[red, green, blue]` in eight bits.
    pub fn from_bytes([red, green, blue]: [u8; 3]) -> Self {
        Self { red: f64::from(red) / 255.0, green: f64::from(green) / 255.0, blue: f64::from(blue) / 255.0 }
    }

    fn is_in_gamut(self) -> bool {
        [self.red, self.green, self.blue].iter().all(|value| (-1e-4..=1.0001).contains(value))
    }

    /// Relative luminance as WCAG 2 defines it.
    pub fn luminance(self) -> f64 {
        let [red, green, blue] = [self.red, self.green, self.blue].map(linear);
        0.2126f64.mul_add(red, 0.7152f64.mul_add(green, 0.0722 * blue))
    }

    /// The same colour where distances are as the eye sees them.
    pub fn oklab(self) -> Oklab {
        let [red, green, blue] = [self.red, self.green, self.blue].map(linear);
        let long = (0.412_221_470_8 * red + 0.536_332_536_3 * green + 0.051_445_992_9 * blue).cbrt();
        let medium = (0.211_903_498_2 * red + 0.680_699_545_1 * green + 0.107_396_956_6 * blue).cbrt();
        let short = (0.088_302_461_9 * red + 0.281_718_837_6 * green + 0.629_978_700_5 * blue).cbrt();
        Oklab {
            lightness: 0.210_454_255_3 * long + 0.793_617_785_0 * medium - 0.004_072_046_8 * short,
            a: 1.977_998_495_1 * long - 2.428_592_205_0 * medium + 0.450_593_709_9 * short,
            b: 0.025_904_037_1 * long + 0.782_771_766_2 * medium - 0.808_675_766_0 * short,
        }
    }

    /// The same hue at another lightness, its chroma reduced as far as sRGB demands.
    pub(crate) fn with_lightness(self, lightness: f64) -> Self {
        let lab = self.oklab();
        let at = |chroma: f64| Oklab { lightness, a: lab.a * chroma, b: lab.b * chroma }.rgb();
        if at(1.0).is_in_gamut() {
            return at(1.0).rounded();
        }
        let (mut inside, mut outside) = (0.0, 1.0);
        for _ in 0..20 {
            let middle = f64::midpoint(inside, outside);
            if at(middle).is_in_gamut() {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        at(inside).rounded()
    }
}

impl Oklab {
    fn rgb(self) -> Rgb {
        let long = (self.lightness + 0.396_337_777_4 * self.a + 0.215_803_757_3 * self.b).powi(3);
        let medium = (self.lightness - 0.105_561_345_8 * self.a - 0.063_854_172_8 * self.b).powi(3);
        let short = (self.lightness - 0.089_484_177_5 * self.a - 1.291_485_548_0 * self.b).powi(3);
        Rgb {
            red: encode(4.076_741_662_1 * long - 3.307_711_591_3 * medium + 0.230_969_929_2 * short),
            green: encode(-1.268_438_004_6 * long + 2.609_757_401_1 * medium - 0.341_319_396_5 * short),
            blue: encode(-0.004_196_086_3 * long - 0.703_418_614_7 * medium + 1.707_614_701_0 * short),
        }
    }

    /// Euclidean distance; 0.02 is about the smallest difference a reader notices.
    pub fn distance(self, other: Self) -> f64 {
        let square = |value: f64| value * value;
        (square(self.lightness - other.lightness) + square(self.a - other.a) + square(self.b - other.b))
            .sqrt()
    }
}

fn linear(value: f64) -> f64 {
    if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

fn encode(value: f64) -> f64 {
    if value <= 0.003_130_8 { value * 12.92 } else { 1.055f64.mul_add(value.powf(1.0 / 2.4), -0.055) }
}

impl Rgb {
    /// The hue in radians and how much of it there is.
    pub fn hue_and_chroma(self) -> (f64, f64) {
        let lab = self.oklab();
        (lab.b.atan2(lab.a), lab.a.hypot(lab.b))
    }

    /// A colour by lightness, chroma and hue (in radians), its chroma reduced as far as sRGB demands.
    pub(crate) fn from_oklch(lightness: f64, chroma: f64, hue: f64) -> Self {
        let at = |chroma: f64| from_oklab(lightness, chroma * hue.cos(), chroma * hue.sin());
        (0..=100)
            .map(|step| at(chroma * f64::from(100 - step) / 100.0))
            .find(|colour| colour.is_in_gamut())
            .unwrap_or_else(|| at(0.0))
            .rounded()
    }
}

impl Rgb {
    /// From components that are proportional to light.
    pub(crate) fn from_linear(components: [f64; 3]) -> Self {
        let [red, green, blue] = components.map(encode);
        Self { red, green, blue }
    }

    /// As components that are proportional to light.
    pub(crate) fn to_linear(self) -> [f64; 3] {
        [self.red, self.green, self.blue].map(linear)
    }

    /// This colour with a share of another, mixed as the eye would.
    pub(crate) fn towards(self, other: Self, share: f64) -> Self {
        let (one, other) = (self.oklab(), other.oklab());
        let mix = |one: f64, other: f64| other.mul_add(share, one * (1.0 - share));
        from_oklab(mix(one.lightness, other.lightness), mix(one.a, other.a), mix(one.b, other.b))
    }
}

/// From `OKLab` coordinates, whatever sRGB makes of them.
pub(crate) fn from_oklab(lightness: f64, a: f64, b: f64) -> Rgb {
    Oklab { lightness, a, b }.rgb()
}

/// The WCAG 2 contrast ratio, 1 to 21.
pub fn contrast(one: Rgb, other: Rgb) -> f64 {
    let (one, other) = (one.luminance(), other.luminance());
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// The colour nearest in lightness to `start` for which `passes` holds, if there is one.
///
/// Both directions are tried and the shorter way wins: a page should change as little as it can.
pub fn nearest_lightness(start: Rgb, passes: impl Fn(Rgb) -> bool) -> Option<Rgb> {
    let lightness = start.oklab().lightness;
    (1..=400)
        .map(|step| f64::from(step) * 0.0025)
        .flat_map(|distance| [lightness - distance, lightness + distance])
        .filter(|candidate| (0.0..=1.0).contains(candidate))
        // The steps may stop a hair before black and white.
        .chain([0.0, 1.0])
        .map(|candidate| start.with_lightness(candidate))
        .find(|candidate| passes(*candidate))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grey(value: u8) -> Rgb {
        Rgb::from_bytes([value; 3])
    }

    #[test]
    fn contrast_agrees_with_the_published_examples() {
        assert!((contrast(grey(0), grey(255)) - 21.0).abs() < 1e-9);
        assert!((contrast(grey(0x77), grey(255)) - 4.478).abs() < 0.001);
        assert!((contrast(grey(0x76), grey(255)) - 4.542).abs() < 0.001);
    }

    #[test]
    fn oklab_round_trips_and_measures_distance() {
        let teal = Rgb::from_bytes([20, 130, 140]);
        assert_eq!(teal.with_lightness(teal.oklab().lightness).bytes(), teal.bytes());
        assert!(teal.oklab().distance(teal.oklab()) < 1e-12);
        assert!(grey(0).oklab().distance(grey(255).oklab()) > 0.99);
    }

    #[test]
    fn the_nearest_passing_lightness_is_taken() {
        let fixed = nearest_lightness(grey(0x99), |colour| contrast(colour, Rgb::WHITE) >= 4.5 * HEADROOM)
            .expect("grey on white can be fixed");
        assert!(contrast(fixed, Rgb::WHITE) >= 4.5);
        assert!(contrast(fixed, Rgb::WHITE) < 4.8);
    }
}
