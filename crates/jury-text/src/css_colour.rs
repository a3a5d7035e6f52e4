//! Colours as they are written in CSS: the notations a repair may have to find and replace.

use cssparser::color::{clamp_unit_f32, parse_hash_color, parse_named_color};

use crate::colour::Rgb;

/// A colour with its opacity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Written {
    /// The colour, its opacity left aside.
    pub rgb: Rgb,
    /// Its opacity, 0 to 1.
    pub alpha: f64,
}

/// Reads one colour. Absent when it is no colour, or one that depends on anything else.
pub fn parse(text: &str) -> Option<Written> {
    let text = text.trim();
    if let Some(hex) = text.strip_prefix('#') {
        return from_hex(hex);
    }
    let lower = text.to_ascii_lowercase();
    if let Some((function, arguments)) = lower.strip_suffix(')').and_then(|rest| rest.split_once('(')) {
        let parts: Vec<&str> =
            arguments.split([',', ' ', '/', '\n', '\t']).filter(|part| !part.is_empty()).collect();
        return from_function(function.trim(), &parts);
    }
    let (red, green, blue) = parse_named_color(&lower).ok()?;
    Some(Written { rgb: Rgb::from_bytes([red, green, blue]), alpha: 1.0 })
}

fn from_hex(hex: &str) -> Option<Written> {
    let (red, green, blue, alpha) = parse_hash_color(hex.as_bytes()).ok()?;
    let alpha = f64::from(clamp_unit_f32(alpha)) / 255.0;
    Some(Written { rgb: Rgb::from_bytes([red, green, blue]), alpha })
}

fn from_function(function: &str, parts: &[&str]) -> Option<Written> {
    let number = |part: &str, whole: f64| -> Option<f64> {
        let value = part.strip_suffix('%').map_or_else(
            || part.trim_end_matches("deg").parse::<f64>().ok(),
            |percent| percent.parse::<f64>().ok().map(|value| value / 100.0 * whole),
        );
        // "nan" and "inf" are numbers to the parser, and not to a style sheet.
        value.filter(|value| value.is_finite())
    };
    let (first, second, third) = match parts {
        [first, second, third] | [first, second, third, _] => (*first, *second, *third),
        _ => return None,
    };
    let alpha = parts.get(3).map_or(Some(1.0), |part| number(part, 1.0))?.clamp(0.0, 1.0);
    let rgb = match function {
        "rgb" | "rgba" => Rgb {
            red: number(first, 255.0)? / 255.0,
            green: number(second, 255.0)? / 255.0,
            blue: number(third, 255.0)? / 255.0,
        },
        "hsl" | "hsla" => from_hsl(
            number(first, 360.0)?,
            number(second, 1.0).filter(|_| second.ends_with('%'))?,
            number(third, 1.0).filter(|_| third.ends_with('%'))?,
        ),
        "oklch" => {
            let lightness = number(first, 1.0)?;
            let chroma = number(second, 0.4)?;
            let hue = number(third, 360.0)?.to_radians();
            crate::colour::from_oklab(lightness, chroma * hue.cos(), chroma * hue.sin())
        }
        _ => return None,
    };
    Some(Written { rgb: rgb.rounded(), alpha })
}

fn from_hsl(hue: f64, saturation: f64, lightness: f64) -> Rgb {
    let spread = saturation * lightness.min(1.0 - lightness);
    let channel = |offset: f64| {
        let position = (offset + hue / 30.0).rem_euclid(12.0);
        spread.mul_add(-(position - 3.0).min(9.0 - position).clamp(-1.0, 1.0), lightness)
    };
    Rgb { red: channel(0.0), green: channel(8.0), blue: channel(4.0) }
}

/// Every colour notation in a text, as (start, end) byte offsets with the colour.
pub fn find_all(text: &str) -> Vec<(usize, usize, Written)> {
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let previous_is_word = start > 0
            && bytes
                .get(start - 1)
                .is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'#'));
        let word_end = |from: usize| {
            bytes
                .get(from..)
                .unwrap_or_default()
                .iter()
                .position(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')))
                .map_or(bytes.len(), |length| from + length)
        };
        let byte = bytes.get(at).copied().unwrap_or_default();
        let mut end;
        if byte == b'#' {
            end = word_end(at + 1);
        } else if byte.is_ascii_alphabetic() && !previous_is_word {
            end = word_end(at);
            if bytes.get(end) == Some(&b'(')
                && text.get(at..end).is_some_and(|name| {
                    matches!(name.to_ascii_lowercase().as_str(), "rgb" | "rgba" | "hsl" | "hsla" | "oklch")
                })
            {
                end = bytes
                    .get(end..)
                    .unwrap_or_default()
                    .iter()
                    .position(|byte| *byte == b')')
                    .map_or(end, |length| end + length + 1);
            }
        } else {
            at += 1;
            continue;
        }
        if let Some(colour) = text.get(start..end).and_then(parse) {
            found.push((start, end, colour));
        }
        at = end.max(start + 1);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(text: &str) -> Option<String> {
        parse(text).map(|colour| colour.rgb.hex())
    }

    #[test]
    fn notations_are_read() {
        assert_eq!(hex("#abc").as_deref(), Some("#aabbcc"));
        assert_eq!(hex("#A1B2C3").as_deref(), Some("#a1b2c3"));
        assert_eq!(hex("rgb(255 0 128 / 50%)").as_deref(), Some("#ff0080"));
        assert_eq!(hex("rgba(1, 2, 3, .5)").as_deref(), Some("#010203"));
        assert_eq!(hex("hsl(120, 100%, 25%)").as_deref(), Some("#008000"));
        assert_eq!(hex("rebeccapurple").as_deref(), Some("#663399"));
        assert_eq!(hex("var(--x)"), None);
        assert_eq!(hex("#12"), None);
        assert!(parse("oklch(0.3 0.02 252 250)").is_some_and(|colour| colour.alpha <= 1.0));
        assert!(parse("rgb(nan, 0, 0)").is_none());
        assert!(parse("#00000080").is_some_and(|colour| (colour.alpha - 0.5).abs() < 0.01));
    }

    #[test]
    fn the_opacity_of_a_hexadecimal_colour_is_exact() {
        for byte in 0..=u8::MAX {
            let alpha = parse(&format!("#000000{byte:02x}")).map(|colour| colour.alpha.to_bits());
            assert_eq!(alpha, Some((f64::from(byte) / 255.0).to_bits()), "{byte}");
        }
    }

    #[test]
    fn colours_are_found_inside_values() {
        let found: Vec<String> = find_all("1px solid #ccc, var(--red-500) rgb(1, 2, 3) white")
            .into_iter()
            .map(|(_, _, colour)| colour.rgb.hex())
            .collect();
        assert_eq!(found, ["#cccccc", "#010203", "#ffffff"]);
    }
}
