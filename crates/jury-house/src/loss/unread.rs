//! Styles that leave nothing of an element that could be read, and that the engine does not compute.

/// With less than this share of its opacity or its contrast, nothing can be told.
pub(super) const FAINT_SHARE: f32 = 0.15;

/// Blurred by more than so many pixels, no text of a page can be read.
const BLUR_PIXELS: f32 = 5.0;

/// Brighter than so many times, every colour is white.
const BRIGHT_TIMES: f32 = 5.0;

/// Turned further than this out of the page or upside down, in degrees, text cannot be read.
const READABLE_TURN: f32 = 60.0;

/// Letters that stand closer than this share of their size lie on each other.
const CLOSE_LETTERS: f32 = -0.3;

/// The same in pixels.
const CLOSE_PIXELS: f32 = -6.0;

/// The properties that hide what they are given to.
pub(super) const PROPERTIES: [&str; 17] = [
    "clip-path",
    "-webkit-clip-path",
    "filter",
    "content-visibility",
    "mask",
    "-webkit-mask",
    "mask-image",
    "-webkit-mask-image",
    "-webkit-text-security",
    "text-security",
    "transform",
    "rotate",
    "scale",
    "letter-spacing",
    "unicode-bidi",
    "text-decoration",
    "text-decoration-line",
];

/// Whether a value of one of these leaves nothing that can be read.
pub(super) fn leaves_nothing(property: &str, value: &str) -> bool {
    let value: String = value.trim().to_ascii_lowercase();
    match property {
        "content-visibility" => value == "hidden",
        "filter" => is_filtered_out(&value),
        "-webkit-text-security" | "text-security" => matches!(value.as_str(), "disc" | "circle" | "square"),
        "transform" => is_turned_away(&value),
        "rotate" => match value.split_once(' ') {
            Some((axis @ ("x" | "y"), angle)) => is_turned_away(&format!("rotate{axis}({angle})")),
            _ => is_turned_away(&format!("rotate({value})")),
        },
        "scale" => is_turned_away(&format!("scale({value})")),
        "letter-spacing" => number(&value).is_some_and(|(size, unit)| match unit {
            "em" | "rem" => size <= CLOSE_LETTERS,
            _ => size <= CLOSE_PIXELS,
        }),
        "unicode-bidi" => value.ends_with("override"),
        // What is struck out is not said any more.
        "text-decoration" | "text-decoration-line" => value.contains("line-through"),
        "clip-path" | "-webkit-clip-path" => is_cut_out(&value),
        _ => is_masked(&value),
    }
}

/// A number and its unit.
pub(super) fn number(word: &str) -> Option<(f32, &str)> {
    let unit = word.trim_start_matches(|ch: char| ch.is_ascii_digit() || matches!(ch, '.' | '-' | '+'));
    let digits = word.strip_suffix(unit)?;
    digits.parse().ok().map(|number| (number, unit))
}

/// What stands in the brackets of a function.
pub(super) fn inside<'a>(value: &'a str, name: &str) -> Option<&'a str> {
    value.match_indices(name).find_map(|(at, _)| {
        let before = value.get(..at).and_then(|before| before.chars().next_back());
        let begins = before.is_none_or(|ch| !(ch.is_alphanumeric() || ch == '-'));
        let rest = value.get(at + name.len()..)?.strip_prefix('(').filter(|_| begins)?;
        rest.split(')').next()
    })
}

pub(super) fn first(inside: &str) -> Option<(f32, &str)> {
    inside.split([' ', ',']).find(|word| !word.is_empty()).and_then(number)
}

fn is_cut_out(value: &str) -> bool {
    let of = |name: &str| inside(value, name);
    of("inset").and_then(first).is_some_and(|(share, unit)| unit == "%" && share >= 50.0)
        || ["circle", "ellipse"]
            .iter()
            .any(|shape| of(shape).and_then(first).is_some_and(|(size, _)| size <= 0.0))
        || of("polygon").is_some_and(|points| {
            let points: Vec<&str> = points.split(',').map(str::trim).collect();
            points.first().is_some_and(|first| points.iter().all(|point| point == first))
        })
}

fn is_filtered_out(value: &str) -> bool {
    let of = |name: &str| inside(value, name).and_then(first);
    // A share and a number of times are written in two ways.
    let times = |(size, unit): (f32, &str)| if unit == "%" { size / 100.0 } else { size };
    of("opacity").is_some_and(|size| times(size) <= FAINT_SHARE)
        || of("contrast").is_some_and(|size| times(size) <= FAINT_SHARE)
        || of("brightness").is_some_and(|size| times(size) >= BRIGHT_TIMES)
        || of("blur").is_some_and(|(size, _)| size >= BLUR_PIXELS)
}

/// Seen from behind, from the edge, or upside down.
fn is_turned_away(value: &str) -> bool {
    let degrees = |name: &str| {
        let (size, unit) = inside(value, name).and_then(first)?;
        let turn = match unit {
            "deg" => size,
            "turn" => size * 360.0,
            "rad" => size.to_degrees(),
            _ => return None,
        };
        let turn = turn.rem_euclid(360.0);
        Some(turn.min(360.0 - turn))
    };
    ["rotatex", "rotatey"].iter().any(|name| degrees(name).is_some_and(|turn| turn > READABLE_TURN))
        || ["rotate", "rotatez"]
            .iter()
            .any(|name| degrees(name).is_some_and(|turn| turn > 2.0 * READABLE_TURN))
        || ["scale", "scalex", "scaley"]
            .iter()
            .any(|name| inside(value, name).and_then(first).is_some_and(|(size, _)| size < 0.0))
}

/// A mask that lets nothing through.
fn is_masked(value: &str) -> bool {
    let Some((_, stops)) = value.split_once("gradient(") else { return false };
    let mut stops = stops.trim_end_matches(')').split(',').map(str::trim).peekable();
    let is_clear =
        |stop: &str| stop.starts_with("transparent") || stop.starts_with("to ") || stop.ends_with("deg");
    stops.peek().is_some() && stops.all(is_clear)
}

#[cfg(test)]
mod tests {
    use super::leaves_nothing;

    #[test]
    fn what_cannot_be_read_any_more_is_told_from_what_only_looks_different() {
        for (property, value) in [
            ("clip-path", "inset(50%)"),
            ("clip-path", "circle(0)"),
            ("clip-path", "polygon(0 0, 0 0, 0 0)"),
            ("content-visibility", "hidden"),
            ("filter", "opacity(0%)"),
            ("filter", "drop-shadow(0 0 2px red) blur(24px)"),
            ("filter", "brightness(100)"),
            ("filter", "contrast(0)"),
            ("mask-image", "linear-gradient(transparent, transparent)"),
            ("-webkit-text-security", "disc"),
            ("transform", "rotateY(180deg)"),
            ("transform", "translateX(4px) rotateX(.25turn)"),
            ("transform", "rotate(180deg)"),
            ("transform", "scaleX(-1)"),
            ("rotate", "-170deg"),
            ("rotate", "x 90deg"),
            ("letter-spacing", "-0.6em"),
            ("letter-spacing", "-18px"),
            ("unicode-bidi", "bidi-override"),
            ("text-decoration", "2px line-through red"),
            ("filter", "grayscale(1) contrast(1%)"),
        ] {
            assert!(leaves_nothing(property, value), "{property}: {value}");
        }
        for (property, value) in [
            ("clip-path", "inset(0 0 5% 0)"),
            ("clip-path", "polygon(0 0, 100% 0, 100% 90%, 0 100%)"),
            ("filter", "drop-shadow(0 2px 8px #000) brightness(1.1)"),
            ("filter", "blur(1px) contrast(120%)"),
            ("mask-image", "linear-gradient(#000, transparent)"),
            ("mask", "url(wave.svg)"),
            ("transform", "rotate(-2deg) translateY(4px)"),
            ("transform", "rotate3d(0, 1, 0, 5deg)"),
            ("transform", "scale(1.05)"),
            ("rotate", "90deg"),
            ("letter-spacing", "-0.02em"),
            ("letter-spacing", "-1px"),
            ("letter-spacing", "normal"),
            ("unicode-bidi", "isolate"),
            ("text-decoration", "underline dotted"),
        ] {
            assert!(!leaves_nothing(property, value), "{property}: {value}");
        }
    }
}
