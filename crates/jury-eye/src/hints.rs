//! Colours that a page gives with attributes instead of style sheets: `bgcolor`, `<font color>`, `<body text link>`. They
//! count for less than any rule of the page, HTML calls them presentational hints, and the engine knows few of them.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::tags::tags;

/// Elements that `bgcolor` colours.
const WITH_BGCOLOR: &[&str] = &["body", "table", "thead", "tbody", "tfoot", "tr", "td", "th", "marquee"];

/// So many different attributes are read; a page with more of them repeats itself.
const MOST_RULES: usize = 2_000;

/// Rules for the engine's own sheet that stand for the attributes of a page.
pub(crate) fn rules(html: &str) -> String {
    let lower = html.to_ascii_lowercase();
    if !["bgcolor", "<font", "<body"].iter().any(|sign| lower.contains(sign)) {
        return String::new();
    }
    let mut rules = BTreeSet::new();
    for tag in tags(html) {
        let mut hint = |attribute: &str, reaches: &str, property: &str| {
            if let Some(value) = tag.attribute(attribute)
                && let Some(colour) = legacy(value)
                && is_plain(value)
                && rules.len() < MOST_RULES
            {
                rules
                    .insert(format!("{}[{attribute}=\"{value}\"]{reaches}{{{property}:{colour}}}", tag.name));
            }
        };
        if WITH_BGCOLOR.contains(&tag.name.as_str()) {
            hint("bgcolor", "", "background-color");
        }
        match tag.name.as_str() {
            "font" => hint("color", "", "color"),
            "body" => {
                hint("text", "", "color");
                hint("link", " a:link", "color");
            }
            _ => {}
        }
    }
    rules.into_iter().fold(String::new(), |mut all, rule| {
        // Writing to a string cannot fail.
        let _ = all.write_str(&rule);
        all
    })
}

/// The page with colours of three digits in `bgcolor` written out: the engine knows the attribute, and reads only six.
pub(crate) fn with_six_digits(html: String) -> String {
    if !html.to_ascii_lowercase().contains("bgcolor") {
        return html;
    }
    let mut out = String::with_capacity(html.len());
    let mut done = 0;
    for tag in tags(&html) {
        if let Some(value) = tag.value("bgcolor")
            && let Some(digits) = value.strip_prefix('#')
            && digits.len() == 3
            && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        {
            let start = value.as_ptr() as usize - html.as_ptr() as usize;
            out.push_str(html.get(done..start).unwrap_or_default());
            out.push('#');
            out.extend(digits.chars().flat_map(|digit| [digit, digit]));
            done = start + value.len();
        }
    }
    out.push_str(html.get(done..).unwrap_or_default());
    out
}

/// Whether a value may stand in a selector as it is.
fn is_plain(value: &str) -> bool {
    value.chars().all(|ch| ch.is_ascii_alphanumeric() || matches!(ch, '#' | ' '))
}

/// A colour as HTML reads it from such an attribute ("rules for parsing a legacy color value"): a name, three digits, or
/// whatever is there, cut down to six digits with zeros for what is none.
fn legacy(value: &str) -> Option<String> {
    let value = value.trim_matches(|ch: char| ch.is_ascii_whitespace());
    if value.is_empty() || value.eq_ignore_ascii_case("transparent") {
        return None;
    }
    if NAMES.contains(&value.to_ascii_lowercase().as_str()) {
        return Some(value.to_ascii_lowercase());
    }
    if let Some(digits) = value.strip_prefix('#')
        && digits.len() == 3
        && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    {
        return Some(value.to_owned());
    }
    let wide = |ch: char| if ch > '\u{ffff}' { "00".to_owned() } else { ch.to_string() };
    let value: String = value.chars().map(wide).collect();
    let value: String = value.chars().take(128).collect();
    let value = value.strip_prefix('#').unwrap_or(&value);
    let mut digits: Vec<u8> =
        value.chars().map(|ch| u8::try_from(ch).ok().filter(u8::is_ascii_hexdigit).unwrap_or(b'0')).collect();
    while digits.is_empty() || !digits.len().is_multiple_of(3) {
        digits.push(b'0');
    }
    let length = digits.len() / 3;
    let mut parts: Vec<&[u8]> = digits
        .chunks(length)
        .map(|part| part.get(part.len().saturating_sub(8)..).unwrap_or_default())
        .collect();
    while parts.iter().all(|part| part.len() > 2 && part.first() == Some(&b'0')) {
        parts = parts.into_iter().map(|part| part.get(1..).unwrap_or_default()).collect();
    }
    let mut colour = String::from("#");
    for part in parts {
        let two = String::from_utf8_lossy(part.get(..part.len().min(2)).unwrap_or_default()).into_owned();
        let _ = write!(colour, "{two:0>2}");
    }
    Some(colour)
}

/// The names of colours in CSS Color 4.
const NAMES: &[&str] = &[
    "aliceblue",
    "antiquewhite",
    "aqua",
    "aquamarine",
    "azure",
    "beige",
    "bisque",
    "black",
    "blanchedalmond",
    "blue",
    "blueviolet",
    "brown",
    "burlywood",
    "cadetblue",
    "chartreuse",
    "chocolate",
    "coral",
    "cornflowerblue",
    "cornsilk",
    "crimson",
    "cyan",
    "darkblue",
    "darkcyan",
    "darkgoldenrod",
    "darkgray",
    "darkgreen",
    "darkgrey",
    "darkkhaki",
    "darkmagenta",
    "darkolivegreen",
    "darkorange",
    "darkorchid",
    "darkred",
    "darksalmon",
    "darkseagreen",
    "darkslateblue",
    "darkslategray",
    "darkslategrey",
    "darkturquoise",
    "darkviolet",
    "deeppink",
    "deepskyblue",
    "dimgray",
    "dimgrey",
    "dodgerblue",
    "firebrick",
    "floralwhite",
    "forestgreen",
    "fuchsia",
    "gainsboro",
    "ghostwhite",
    "gold",
    "goldenrod",
    "gray",
    "green",
    "greenyellow",
    "grey",
    "honeydew",
    "hotpink",
    "indianred",
    "indigo",
    "ivory",
    "khaki",
    "lavender",
    "lavenderblush",
    "lawngreen",
    "lemonchiffon",
    "lightblue",
    "lightcoral",
    "lightcyan",
    "lightgoldenrodyellow",
    "lightgray",
    "lightgreen",
    "lightgrey",
    "lightpink",
    "lightsalmon",
    "lightseagreen",
    "lightskyblue",
    "lightslategray",
    "lightslategrey",
    "lightsteelblue",
    "lightyellow",
    "lime",
    "limegreen",
    "linen",
    "magenta",
    "maroon",
    "mediumaquamarine",
    "mediumblue",
    "mediumorchid",
    "mediumpurple",
    "mediumseagreen",
    "mediumslateblue",
    "mediumspringgreen",
    "mediumturquoise",
    "mediumvioletred",
    "midnightblue",
    "mintcream",
    "mistyrose",
    "moccasin",
    "navajowhite",
    "navy",
    "oldlace",
    "olive",
    "olivedrab",
    "orange",
    "orangered",
    "orchid",
    "palegoldenrod",
    "palegreen",
    "paleturquoise",
    "palevioletred",
    "papayawhip",
    "peachpuff",
    "peru",
    "pink",
    "plum",
    "powderblue",
    "purple",
    "rebeccapurple",
    "red",
    "rosybrown",
    "royalblue",
    "saddlebrown",
    "salmon",
    "sandybrown",
    "seagreen",
    "seashell",
    "sienna",
    "silver",
    "skyblue",
    "slateblue",
    "slategray",
    "slategrey",
    "snow",
    "springgreen",
    "steelblue",
    "tan",
    "teal",
    "thistle",
    "tomato",
    "turquoise",
    "violet",
    "wheat",
    "white",
    "whitesmoke",
    "yellow",
    "yellowgreen",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_become_six() {
        let page = "<table bgcolor=#fed><td BGCOLOR='#123456'><td bgcolor=\"#abc\">#abc";
        let six = "<table bgcolor=#ffeedd><td BGCOLOR='#123456'><td bgcolor=\"#aabbcc\">#abc";
        assert_eq!(with_six_digits(page.to_owned()), six);
    }

    #[test]
    fn colours_are_read_as_html_reads_them() {
        for (written, colour) in [
            ("silver", Some("silver")),
            (" Silver ", Some("silver")),
            ("#eee", Some("#eee")),
            ("eee", Some("#0e0e0e")),
            ("#eeeeee", Some("#eeeeee")),
            ("eeeeee", Some("#eeeeee")),
            ("chucknorris", Some("#c00000")),
            ("", None),
            ("transparent", None),
        ] {
            assert_eq!(legacy(written).as_deref(), colour, "{written:?}");
        }
    }
}
