//! Values as brands write them: lengths, families, colours in every notation of CSS.

use crate::colour::{Rgb, from_oklab};
use crate::css_colour::{self, Written};

/// The size that `rem` and `em` refer to.
const ROOT: f64 = 16.0;

/// How deep colours may be mixed out of colours.
const DEEPEST: usize = 8;

/// Words that stand where a family name could stand.
const NOT_FAMILIES: &[&str] = &[
    "inherit",
    "initial",
    "unset",
    "none",
    "auto",
    "normal",
    "var",
    "bold",
    "italic",
    "regular",
    "medium",
    "light",
    "uppercase",
    "lowercase",
    "kern",
    "liga",
    "tnum",
    "lnum",
    "calt",
    "font-feature-settings",
    "font-family",
    "font-size",
    "font-weight",
    "letter-spacing",
    "line-height",
    "text-transform",
    "font-variation-settings",
    "wght",
    "opsz",
    "tight",
    "relaxed",
    "fallback",
    "google fonts",
    "weight",
];

const GENERIC: &[&str] = &[
    "serif",
    "sans-serif",
    "monospace",
    "cursive",
    "fantasy",
    "system-ui",
    "ui-serif",
    "ui-sans-serif",
    "ui-monospace",
    "ui-rounded",
    "math",
    "emoji",
    "-apple-system",
    "blinkmacsystemfont",
];

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Px,
    Rem,
    None,
    Other,
}

/// A number in a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Number {
    pub(super) value: f64,
    pub(super) unit: Unit,
    /// Where it begins and where it ends with its unit.
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Number {
    /// In pixels, when it is a length above zero.
    pub(super) fn pixels(self) -> Option<f32> {
        let value = match self.unit {
            Unit::Px => self.value,
            Unit::Rem => self.value * ROOT,
            Unit::None | Unit::Other => return None,
        };
        narrowed(value).filter(|value| *value > 0.0)
    }

    /// In pixels; a bare number counts as pixels.
    pub(super) fn pixels_or_bare(self) -> Option<f32> {
        if self.unit == Unit::None {
            return narrowed(self.value).filter(|value| *value > 0.0);
        }
        self.pixels()
    }
}

#[expect(clippy::cast_possible_truncation, reason = "bounded to what a page can measure before the cast")]
fn narrowed(value: f64) -> Option<f32> {
    (value.is_finite() && value.abs() <= 100_000.0).then_some(value as f32)
}

/// Alpha as a key.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to 0..=255")]
pub(super) fn eighth(alpha: f64) -> u8 {
    (alpha.clamp(0.0, 1.0) * 255.0).round() as u8
}

/// The numbers of a text. In a list or a range the unit of the last holds for those before it: `4 / 8 / 12px`.
pub(super) fn numbers(text: &str) -> Vec<Number> {
    let bytes = text.as_bytes();
    let is_word = |at: usize| {
        bytes.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'#' | b'.'))
    };
    let mut found: Vec<Number> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let here = bytes.get(at).copied().unwrap_or_default();
        let begins =
            here.is_ascii_digit() || (here == b'.' && bytes.get(at + 1).is_some_and(u8::is_ascii_digit));
        if !begins || (at > 0 && is_word(at - 1)) {
            at += 1;
            continue;
        }
        let start = at;
        while bytes.get(at).is_some_and(|byte| byte.is_ascii_digit() || *byte == b'.') {
            at += 1;
        }
        // A full stop ends the sentence, not the number.
        if bytes.get(at - 1) == Some(&b'.') && at - 1 > start {
            at -= 1;
        }
        let digits_end = at;
        while bytes.get(at).is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'%') {
            at += 1;
        }
        let unit = text.get(digits_end..at).unwrap_or_default();
        let Some(value) = text.get(start..digits_end).and_then(|digits| digits.parse::<f64>().ok()) else {
            continue;
        };
        let negative = start > 0
            && bytes.get(start - 1) == Some(&b'-')
            && !(start > 1 && bytes.get(start - 2).is_some_and(u8::is_ascii_alphanumeric));
        let unit = match unit.to_ascii_lowercase().as_str() {
            "px" => Unit::Px,
            "rem" | "em" => Unit::Rem,
            "" => Unit::None,
            _ => Unit::Other,
        };
        found.push(Number { value: if negative { -value } else { value }, unit, start, end: at });
        at = at.max(start + 1);
    }
    let mut later: Option<(usize, Unit)> = None;
    for number in found.iter_mut().rev() {
        if number.unit == Unit::None
            && let Some((start, unit)) = later
            && text.get(number.end..start).is_some_and(is_separator)
        {
            number.unit = unit;
        }
        later = Some((number.start, number.unit));
    }
    found
}

fn is_separator(between: &str) -> bool {
    let between = between.trim();
    matches!(between, "/" | "," | "–" | "-" | "—" | "·" | "|" | "to" | "→" | "and" | "or" | "")
        && between.len() < 5
}

/// The lengths in a text, in pixels.
pub(super) fn lengths(text: &str) -> impl Iterator<Item = f32> {
    numbers(text).into_iter().filter_map(Number::pixels)
}

/// Whether a family is a keyword of CSS.
pub fn is_generic(family: &str) -> bool {
    GENERIC.contains(&family.to_ascii_lowercase().as_str())
}

/// The families of a stack, those that can be names.
pub(super) fn families(stack: &str) -> Vec<String> {
    stack.split([',', '/']).filter_map(family).take(24).collect()
}

fn family(text: &str) -> Option<String> {
    let text = text.trim().trim_matches(['"', '\'', '`', '*', ' ', '.', ';', '“', '”']);
    let lower = text.to_lowercase();
    let feature = text.len() == 4
        && text.chars().take(2).all(|ch| ch.is_ascii_lowercase())
        && text.chars().skip(2).all(|ch| ch.is_ascii_digit());
    let plausible = (2..=40).contains(&text.chars().count())
        && !text.starts_with("--")
        && !text.starts_with(|ch: char| ch.is_ascii_digit())
        && text.chars().all(|ch| ch.is_alphanumeric() || matches!(ch, ' ' | '-' | '_'))
        && text.chars().any(char::is_alphabetic)
        && text.split(' ').count() <= 6
        && !feature
        && !NOT_FAMILIES.contains(&lower.as_str());
    plausible.then(|| text.to_owned())
}

/// A name that fits into a line.
pub(super) fn shortened(name: &str) -> String {
    jury_core::line::shortened(name, 60)
}

/// The colours that a value stands for: one, or one for each theme.
pub(super) fn colours(text: &str) -> Vec<Written> {
    let text = text.trim();
    if let Some(inner) = function(text, "light-dark") {
        return split_commas(inner).into_iter().filter_map(colour).collect();
    }
    colour(text).into_iter().collect()
}

/// One colour in any notation of CSS.
pub(super) fn colour(text: &str) -> Option<Written> {
    colour_within(text, DEEPEST)
}

fn colour_within(text: &str, deepest: usize) -> Option<Written> {
    let text = text.trim();
    if let Some(known) = css_colour::parse(text) {
        return Some(known);
    }
    if text.eq_ignore_ascii_case("transparent") {
        return Some(Written { rgb: Rgb { red: 0.0, green: 0.0, blue: 0.0 }, alpha: 0.0 });
    }
    if let Some(inner) = function(text, "color-mix") {
        return (deepest > 0).then(|| mixed(inner, deepest - 1)).flatten();
    }
    let (name, inner) = text.strip_suffix(')')?.split_once('(')?;
    let (body, alpha) = inner.split_once('/').unwrap_or((inner, "1"));
    let alpha = part(alpha, 1.0)?.clamp(0.0, 1.0);
    let parts: Vec<&str> = body.split([' ', ',', '\t', '\n']).filter(|part| !part.is_empty()).collect();
    let rgb = match (name.trim().to_ascii_lowercase().as_str(), parts.as_slice()) {
        ("oklab", [lightness, a, b]) => from_oklab(part(lightness, 1.0)?, part(a, 0.4)?, part(b, 0.4)?),
        ("lab", [lightness, a, b]) => from_lab(part(lightness, 100.0)?, part(a, 125.0)?, part(b, 125.0)?),
        ("lch", [lightness, chroma, hue]) => {
            let (chroma, hue) = (part(chroma, 150.0)?, part(hue, 360.0)?.to_radians());
            from_lab(part(lightness, 100.0)?, chroma * hue.cos(), chroma * hue.sin())
        }
        ("hwb", [hue, white, black]) => from_hwb(part(hue, 360.0)?, part(white, 1.0)?, part(black, 1.0)?),
        ("color", [space, red, green, blue]) => {
            in_space(space, [part(red, 1.0)?, part(green, 1.0)?, part(blue, 1.0)?])?
        }
        _ => return None,
    };
    Some(Written { rgb: rgb.rounded(), alpha })
}

/// A component of a colour.
fn part(text: &str, whole: f64) -> Option<f64> {
    let text = text.trim();
    let value = if text == "none" {
        0.0
    } else if let Some(percent) = text.strip_suffix('%') {
        percent.parse::<f64>().ok()? / 100.0 * whole
    } else {
        text.trim_end_matches("deg").parse().ok()?
    };
    value.is_finite().then_some(value)
}

/// The inside of `name(...)`.
fn function<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (head, inner) = text.strip_suffix(')')?.split_once('(')?;
    head.trim().eq_ignore_ascii_case(name).then_some(inner)
}

/// The parts between the commas that stand in no parentheses.
pub(super) fn split_commas(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut from) = (0usize, 0);
    for (at, ch) in text.char_indices() {
        match ch {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(text.get(from..at).unwrap_or_default());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text.get(from..).unwrap_or_default());
    parts
}

/// `in oklab, red 20%, blue`.
fn mixed(inner: &str, deepest: usize) -> Option<Written> {
    let parts = split_commas(inner);
    let [method, one, other] = parts.as_slice() else { return None };
    let space = method.trim().strip_prefix("in ")?.trim();
    let read = |text: &str| -> Option<(Written, Option<f64>)> {
        let text = text.trim();
        let (rest, share) = match text.rsplit_once(' ') {
            Some((rest, last)) if last.ends_with('%') => (rest, part(last, 1.0)),
            Some(_) | None => match text.split_once(' ') {
                Some((first, rest)) if first.ends_with('%') => (rest, part(first, 1.0)),
                Some(_) | None => (text, None),
            },
        };
        Some((colour_within(rest, deepest)?, share))
    };
    let ((one, one_share), (other, other_share)) = (read(one)?, read(other)?);
    let (first, second) = match (one_share, other_share) {
        (None, None) => (0.5, 0.5),
        (Some(first), None) => (first, 1.0 - first),
        (None, Some(second)) => (1.0 - second, second),
        (Some(first), Some(second)) => (first, second),
    };
    let sum = first + second;
    if !(0.0..=1.0).contains(&first) || !(0.0..=1.0).contains(&second) || sum <= 0.0 {
        return None;
    }
    let (first, second) = (first / sum, second / sum);
    // Components are mixed as far as each colour is there; one that is not there at all gives only its absence.
    let alpha = one.alpha * first + other.alpha * second;
    let share = if alpha > 0.0 { other.alpha * second / alpha } else { 0.0 };
    let rgb = if space.starts_with("srgb") {
        one.rgb.under(other.rgb, share)
    } else {
        one.rgb.towards(other.rgb, share)
    };
    Some(Written { rgb: rgb.rounded(), alpha: (alpha * sum.min(1.0)).clamp(0.0, 1.0) })
}

/// CIE Lab with the white of D50.
fn from_lab(lightness: f64, green_red: f64, blue_yellow: f64) -> Rgb {
    let y = (lightness + 16.0) / 116.0;
    let (x, z) = (y + green_red / 500.0, y - blue_yellow / 200.0);
    let back = |value: f64| {
        let cube = value * value * value;
        if cube > 216.0 / 24389.0 { cube } else { (116.0 * value - 16.0) * 27.0 / 24389.0 }
    };
    let (x, y, z) = (back(x) * 0.964_295_676, back(y), back(z) * 0.825_104_603);
    Rgb::from_linear([
        3.134_136_1 * x - 1.617_386_0 * y - 0.490_662_2 * z,
        -0.978_795_5 * x + 1.916_254_4 * y + 0.033_442_9 * z,
        0.071_955_0 * x - 0.228_976_8 * y + 1.405_386_1 * z,
    ])
}

fn from_hwb(hue: f64, white: f64, black: f64) -> Rgb {
    if white + black >= 1.0 {
        let grey = white / (white + black);
        return Rgb { red: grey, green: grey, blue: grey };
    }
    let channel = |offset: f64| {
        let position = (offset + hue / 30.0).rem_euclid(12.0);
        let pure = 0.5 - 0.5 * (position - 3.0).min(9.0 - position).clamp(-1.0, 1.0);
        pure * (1.0 - white - black) + white
    };
    Rgb { red: channel(0.0), green: channel(8.0), blue: channel(4.0) }
}

/// Components in a named space of RGB.
pub(super) fn in_space(space: &str, [red, green, blue]: [f64; 3]) -> Option<Rgb> {
    match space.to_ascii_lowercase().as_str() {
        "srgb" => Some(Rgb { red, green, blue }),
        "srgb-linear" => Some(Rgb::from_linear([red, green, blue])),
        "display-p3" => {
            let [red, green, blue] = Rgb { red, green, blue }.to_linear();
            Some(Rgb::from_linear([
                1.224_940_2 * red - 0.224_940_2 * green,
                -0.042_056_955 * red + 1.042_056_955 * green,
                -0.019_637_555 * red - 0.078_636_046 * green + 1.098_273_6 * blue,
            ]))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(text: &str) -> Option<String> {
        colour(text).map(|colour| colour.rgb.hex())
    }

    #[test]
    fn every_notation_of_css_is_a_colour() {
        for (text, expected) in [
            ("oklab(0.628 0.2249 0.1258)", "#ff0000"),
            ("lab(54.29% 80.81 69.89)", "#ff0000"),
            ("lch(54.29% 106.84 40.86)", "#ff0000"),
            ("hwb(120 0% 50%)", "#008000"),
            ("color(srgb 0 0.5 1)", "#0080ff"),
            ("color(display-p3 0.5 0.5 0.5)", "#808080"),
            ("color-mix(in srgb, red, blue)", "#800080"),
            ("color-mix(in oklab, #00f0f0, black 8%)", "#00d7d7"),
        ] {
            let got = hex(text).unwrap_or_else(|| panic!("{text} is a colour"));
            let (got, expected) = (colour(&got).expect("hex"), colour(expected).expect("hex"));
            assert!(got.rgb.oklab().distance(expected.rgb.oklab()) < 0.006, "{text}: {}", got.rgb.hex());
        }
        assert!(
            colour("color-mix(in srgb, red 20%, transparent)")
                .is_some_and(|mix| { mix.rgb.hex() == "#ff0000" && (mix.alpha - 0.2).abs() < 1e-9 })
        );
        assert_eq!(hex("bluish"), None);
        assert_eq!(hex("color-mix(in srgb, red)"), None);
        assert_eq!(colours("light-dark(#fff, #000)").len(), 2);
    }

    #[test]
    fn numbers_have_units_also_in_lists_and_ranges() {
        let pixels = |text: &str| lengths(text).collect::<Vec<_>>();
        assert_eq!(pixels("4 / 8 / 12px"), [4.0, 8.0, 12.0]);
        assert_eq!(pixels("6–8px radius, 1.5rem. Then 600"), [6.0, 8.0, 24.0]);
        assert_eq!(pixels("-2px #123456 h1 50% v2px"), Vec::<f32>::new());
        assert_eq!(numbers("12/14/16").len(), 3);
    }

    #[test]
    fn families_are_names_and_not_features() {
        assert_eq!(families("\"Plain Black\", Inter, sans-serif"), ["Plain Black", "Inter", "sans-serif"]);
        assert_eq!(families("ss01, kern, --font-sans, #fff, 16px"), Vec::<String>::new());
    }
}
