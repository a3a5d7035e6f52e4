//! A tokens file: the W3C format (`$value`, `$type`, aliases, groups; colours as text or as objects of the 2025.10
//! edition), and plain nested JSON with values at its leaves.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::sheet::{Lengths, Origin, Sheet};
use super::value;
use crate::css_colour::Written;

/// How many aliases may lead to each other.
const LONGEST_CHAIN: usize = 16;

/// What a token is, by its type or by the names around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Colour,
    Family,
    Size,
    Radius,
    Spacing,
    Typography,
    Unknown,
}

/// A token that was found.
struct Leaf<'a> {
    path: String,
    kind: Kind,
    value: &'a Value,
}

/// Reads the tokens of a JSON file.
pub(super) fn read(json: &str) -> Sheet {
    let mut sheet = Sheet::new(Origin::TokensJson);
    let root: Value = match serde_json::from_str(json.trim_start_matches('\u{feff}')) {
        Ok(root) => root,
        Err(error) => {
            sheet.warn(error.line(), &format!("no JSON ({:?})", error.classify()));
            return sheet;
        }
    };
    let mut leaves = Vec::new();
    walk(&root, "", None, &mut leaves);
    let by_path: BTreeMap<&str, &Value> =
        leaves.iter().rev().map(|leaf| (leaf.path.as_str(), leaf.value)).collect();
    let mut poor = Vec::new();
    for leaf in &leaves {
        match resolved(leaf.value, &by_path, &root) {
            Some(value) => {
                if !take(&mut sheet, leaf, value, &by_path, &root) {
                    poor.push((leaf.path.as_str(), format!("{} is no {}", leaf.path, word(leaf.kind))));
                }
            }
            None => poor.push((leaf.path.as_str(), format!("{} refers to what is not there", leaf.path))),
        }
    }
    if !poor.is_empty() {
        let lines = lines(json);
        for (path, what) in poor {
            sheet.warn(lines.get(path).copied().unwrap_or(1), &what);
        }
    }
    sheet
}

fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Colour => "colour",
        Kind::Family => "family",
        Kind::Size | Kind::Radius | Kind::Spacing => "length",
        Kind::Typography | Kind::Unknown => "value",
    }
}

/// Every token with its path. The nesting is bounded by the reader of JSON.
fn walk<'a>(node: &'a Value, path: &str, kind: Option<&'a str>, leaves: &mut Vec<Leaf<'a>>) {
    match node {
        Value::Object(group) => {
            let kind = group.get("$type").and_then(Value::as_str).or(kind);
            if let Some(value) = group.get("$value").or_else(|| plain_value(group)) {
                leaves.push(Leaf { path: path.to_owned(), kind: kind_of(kind, path), value });
                return;
            }
            for (name, inner) in group.iter().filter(|(name, _)| !name.starts_with('$')) {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                walk(inner, &path, kind, leaves);
            }
        }
        Value::Array(_) | Value::String(_) | Value::Number(_) => {
            leaves.push(Leaf { path: path.to_owned(), kind: kind_of(kind, path), value: node });
        }
        Value::Null | Value::Bool(_) => {}
    }
}

/// `{ "value": "#fff", "type": "color" }`, as tools wrote it before there was a format.
fn plain_value(group: &Map<String, Value>) -> Option<&Value> {
    group.get("value").filter(|value| !value.is_object() && group.len() <= 5)
}

fn kind_of(declared: Option<&str>, path: &str) -> Kind {
    let lower = path.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let length = || {
        if has(&["radius", "radii", "rounded", "corner", "shape"]) {
            Kind::Radius
        } else if has(&["font", "text", "type", "typography"]) {
            Kind::Size
        } else if has(&["spac", "gap", "gutter", "padding", "margin", "inset", "section"]) {
            Kind::Spacing
        } else {
            Kind::Unknown
        }
    };
    match declared {
        Some("color") => Kind::Colour,
        Some("fontFamily") => Kind::Family,
        Some("typography") => Kind::Typography,
        Some("dimension" | "number") => length(),
        Some(_) => Kind::Unknown,
        None if has(&["color", "colour", "palette"]) => Kind::Colour,
        None if has(&["family", "families", "fonts"]) || lower.starts_with("font") => {
            if has(&["size"]) {
                Kind::Size
            } else if has(&["weight", "line", "letter"]) {
                Kind::Unknown
            } else {
                Kind::Family
            }
        }
        None => length(),
    }
}

/// Follows aliases: `{group.token}`, or `{"$ref": "#/group/token/$value"}`.
fn resolved<'a>(value: &'a Value, by_path: &BTreeMap<&str, &'a Value>, root: &'a Value) -> Option<&'a Value> {
    let mut value = value;
    for _ in 0..LONGEST_CHAIN {
        let pointer = value.as_object().and_then(|object| object.get("$ref")).and_then(Value::as_str);
        let alias = value.as_str().and_then(|text| text.strip_prefix('{')?.strip_suffix('}'));
        value = match (pointer, alias) {
            (Some(pointer), _) => root.pointer(pointer.trim_start_matches('#'))?,
            (None, Some(path)) => by_path.get(path.trim()).copied()?,
            (None, None) => return Some(value),
        };
    }
    None
}

/// Takes a token in; says whether it was understood.
fn take<'a>(
    sheet: &mut Sheet,
    leaf: &Leaf<'_>,
    value: &'a Value,
    by_path: &BTreeMap<&str, &'a Value>,
    root: &'a Value,
) -> bool {
    match leaf.kind {
        Kind::Colour => take_colour(sheet, &leaf.path, value, true),
        Kind::Family => take_family(sheet, value),
        Kind::Size => take_lengths(&mut sheet.sizes, value),
        Kind::Radius => take_lengths(&mut sheet.radii, value),
        Kind::Spacing => take_lengths(&mut sheet.spacings, value),
        Kind::Typography => {
            let part = |name: &str| value.get(name).and_then(|part| resolved(part, by_path, root));
            let family = part("fontFamily").is_none_or(|family| take_family(sheet, family));
            let size = part("fontSize").is_none_or(|size| take_lengths(&mut sheet.sizes, size));
            family && size
        }
        // What has no type may still be a colour.
        Kind::Unknown => {
            take_colour(sheet, &leaf.path, value, false);
            true
        }
    }
}

fn take_colour(sheet: &mut Sheet, path: &str, value: &Value, sure: bool) -> bool {
    let colours = match value {
        // A word such as `tan` is a colour only where one is expected.
        Value::String(text) if sure || text.starts_with('#') || text.contains('(') => value::colours(text),
        Value::Object(object) => from_object(object).into_iter().collect(),
        Value::String(_) | Value::Array(_) | Value::Number(_) | Value::Bool(_) | Value::Null => Vec::new(),
    };
    let dark = path.split('.').any(|part| part.eq_ignore_ascii_case("dark"));
    for (index, colour) in colours.iter().enumerate() {
        if dark || index > 0 {
            sheet.colour_with_job(path, *colour, None);
        } else {
            sheet.colour(path, *colour);
        }
    }
    !colours.is_empty() || !sure
}

/// `{ "colorSpace": "srgb", "components": [1, 0, 0], "alpha": 1, "hex": "#ff0000" }`.
fn from_object(object: &Map<String, Value>) -> Option<Written> {
    let alpha = object.get("alpha").and_then(Value::as_f64).unwrap_or(1.0).clamp(0.0, 1.0);
    let space = object.get("colorSpace").and_then(Value::as_str).unwrap_or_default().to_ascii_lowercase();
    let component = |value: &Value| if value.as_str() == Some("none") { Some(0.0) } else { value.as_f64() };
    let components: Option<Vec<f64>> = object
        .get("components")
        .and_then(Value::as_array)
        .and_then(|list| list.iter().map(component).collect());
    let text = match (components.as_deref(), space.as_str()) {
        (Some([one, two, three]), "srgb" | "srgb-linear" | "display-p3") => {
            let rgb = value::in_space(&space, [*one, *two, *three])?.rounded();
            return Some(Written { rgb, alpha });
        }
        (Some([one, two, three]), "hsl" | "hwb") => format!("{space}({one} {two}% {three}%)"),
        (Some([one, two, three]), "oklab" | "oklch" | "lab" | "lch") => {
            format!("{space}({one} {two} {three})")
        }
        _ => object.get("hex").and_then(Value::as_str)?.to_owned(),
    };
    let colour =
        value::colour(&text).or_else(|| value::colour(object.get("hex").and_then(Value::as_str)?))?;
    Some(Written { alpha, ..colour })
}

fn take_family(sheet: &mut Sheet, value: &Value) -> bool {
    let before = sheet.families.len();
    match value {
        Value::String(stack) => sheet.stack(stack),
        Value::Array(list) => {
            let stack: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
            sheet.stack(&stack.join(","));
        }
        Value::Object(_) | Value::Number(_) | Value::Bool(_) | Value::Null => return false,
    }
    sheet.families.len() > before || value.is_array() || value.is_string()
}

/// Takes a length or a list of them in; says whether it was understood.
fn take_lengths(lengths: &mut Lengths, value: &Value) -> bool {
    let list = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
    list.iter().all(|value| match length(value) {
        // Zero is a length and no step of a scale.
        Some(zero) if zero <= 0.0 => true,
        Some(pixels) => {
            lengths.add(pixels);
            true
        }
        None => false,
    })
}

fn length(value: &Value) -> Option<f32> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => format!("{number}px"),
        Value::Object(object) => {
            let unit = object.get("unit").and_then(Value::as_str).unwrap_or("px");
            format!("{}{unit}", object.get("value").and_then(Value::as_f64)?)
        }
        Value::Array(_) | Value::Bool(_) | Value::Null => return None,
    };
    let number = value::numbers(&text).into_iter().next()?;
    if number.value == 0.0 { Some(0.0) } else { number.pixels_or_bare() }
}

/// The line of each key, by its path.
fn lines(json: &str) -> BTreeMap<String, usize> {
    let mut lines = BTreeMap::new();
    let mut keys: Vec<String> = Vec::new();
    let mut pending: Option<String> = None;
    let mut line = 1;
    let mut chars = json.chars().peekable();
    while let Some(ch) = chars.next() {
        match ch {
            '\n' => line += 1,
            '"' => {
                let mut text = String::new();
                while let Some(ch) = chars.next() {
                    match ch {
                        '"' => break,
                        '\\' => text.extend(chars.next()),
                        ch => text.push(ch),
                    }
                }
                while chars.peek().is_some_and(char::is_ascii_whitespace) {
                    line += usize::from(chars.next() == Some('\n'));
                }
                if chars.peek() == Some(&':') {
                    let inside = keys.iter().filter(|key| !key.is_empty()).map(String::as_str);
                    let path = inside.chain([text.as_str()]).collect::<Vec<_>>().join(".");
                    lines.entry(path).or_insert(line);
                    pending = Some(text);
                }
            }
            '{' => keys.push(pending.take().unwrap_or_default()),
            '}' => {
                keys.pop();
                pending = None;
            }
            ',' => pending = None,
            _ => {}
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::super::role::PaletteJob;
    use super::*;

    #[test]
    fn the_w3c_format_is_read_with_its_aliases_and_objects() {
        let sheet = read(
            r##"{
  "color": {
    "$type": "color",
    "ink": { "$value": { "colorSpace": "srgb", "components": [0, 0.5, 1], "alpha": 1 } },
    "accent": { "$value": "{color.ink}" },
    "soft": { "$value": { "colorSpace": "oklch", "components": [0.7, 0.1, 200], "alpha": 0.5 } },
    "ref": { "$value": { "$ref": "#/color/ink/$value" } },
    "lost": { "$value": "{color.nope}" },
    "odd": { "$value": "bluish" }
  },
  "font": { "body": { "$type": "fontFamily", "$value": ["Inter", "sans-serif"] } },
  "heading": { "$type": "typography", "$value": { "fontFamily": "Söhne", "fontSize": { "value": 2, "unit": "rem" } } },
  "spacing": { "$type": "dimension", "m": { "$value": { "value": 16, "unit": "px" } }, "zero": { "$value": "0px" } },
  "radius": { "s": { "$type": "dimension", "$value": "4px" } }
}"##,
        );
        assert_eq!(sheet.colours.len(), 2, "{:?}", sheet.colours);
        assert_eq!(
            sheet.jobs.get(PaletteJob::Accent).map(crate::colour::Rgb::hex).as_deref(),
            Some("#0080ff")
        );
        assert_eq!(sheet.families, ["Inter", "Söhne"]);
        assert_eq!((sheet.sizes.list, sheet.radii.list), (vec![32.0], vec![4.0]));
        assert_eq!(
            sheet.warnings,
            [
                "design-tokens.json line 8: color.lost refers to what is not there, passed over",
                "design-tokens.json line 9: color.odd is no colour, passed over",
            ]
        );
    }

    #[test]
    fn plain_json_is_read_too_and_what_is_none_has_a_line() {
        let sheet = read(
            r##"{"colors":{"bg":"#fff","accent":{"value":"#e4572e","type":"color"}},"fontFamily":{"body":"Inter"},"fontSize":{"m":16},"spacing":[4,8]}"##,
        );
        assert_eq!((sheet.colours.len(), sheet.families.len(), sheet.sizes.list.len()), (2, 1, 1));
        assert_eq!(read("{\n\"a\": ").warnings, ["design-tokens.json line 2: no JSON (Eof), passed over"]);
        assert!(read(&"[".repeat(10_000)).is_empty());
    }
}
