//! A `tokens.css`: custom properties, in as many blocks as there are themes, that may refer to each other.

use std::collections::{BTreeMap, BTreeSet};

use jury_core::markup::{MarkupPiece, Scanner};

use super::sheet::{Origin, Sheet};
use super::value;
use crate::css;
use crate::css_colour::Written;

/// How many references may stand in each other.
const DEEPEST: usize = 16;

/// A value that grows beyond this by its references says nothing.
const LONGEST_VALUE_BYTES: usize = 4096;

/// How many references one value may lead to in all.
const MOST_STEPS: usize = 64;

/// A file with more properties than this is no set of tokens; the rest is passed over, with a word.
const MOST_PROPERTIES: usize = 4000;

/// A custom property and its value.
#[derive(Debug, Clone, PartialEq)]
struct Property<'a> {
    /// The name, with its dashes.
    name: &'a str,
    value: &'a str,
    /// Whether it stands in a block for dark themes.
    dark: bool,
    line: usize,
}

/// Reads the tokens of a style sheet.
pub(super) fn read(css: &str) -> Sheet {
    let mut sheet = Sheet::new(Origin::TokensCss);
    let styles = css::Sheet::read(css);
    let mut properties = properties(css, &styles);
    if let Some(first) = properties.get(MOST_PROPERTIES) {
        sheet.warn(first.line, "the properties from here on are too many");
        properties.truncate(MOST_PROPERTIES);
    }
    let mut light: BTreeMap<&str, &str> = BTreeMap::new();
    let mut dark: BTreeMap<&str, &str> = BTreeMap::new();
    for property in &properties {
        let theme = if property.dark { &mut dark } else { &mut light };
        theme.entry(property.name).or_insert(property.value);
    }
    for property in &properties {
        let look = |name: &str| {
            let theme = if property.dark { dark.get(name) } else { None };
            theme.or_else(|| light.get(name)).or_else(|| dark.get(name)).copied()
        };
        match resolved(property.value, &look, DEEPEST, &mut { MOST_STEPS }) {
            Some(value) => take(&mut sheet, property, &value),
            None => sheet.warn(property.line, &format!("{} refers to what is not there", property.name)),
        }
    }
    sheet
}

/// The names of the custom properties that a style sheet declares.
pub(super) fn names(css: &str) -> BTreeSet<String> {
    let own = css::Sheet::read(css).declarations.into_iter().map(|declaration| declaration.property);
    own.filter(|name| is_custom(name)).collect()
}

/// The same of a page: those of its style sheets and its `style` attributes.
pub(super) fn names_in_page(html: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut scanner = Scanner::new(html);
    while let Some(piece) = scanner.next() {
        let MarkupPiece::Start(tag) = piece else { continue };
        found.extend(tag.attribute("style").into_iter().flat_map(names));
        if matches!(tag.name.as_str(), "style" | "script" | "textarea" | "title") {
            let content = scanner.raw_text(&tag.name);
            if tag.name == "style" {
                found.extend(names(html.get(content).unwrap_or_default()));
            }
        }
    }
    found
}

fn is_custom(name: &str) -> bool {
    name.len() > 2 && name.starts_with("--")
}

/// Every custom property, in order.
fn properties<'a>(css: &'a str, sheet: &'a css::Sheet<'a>) -> Vec<Property<'a>> {
    // For each block whether it is for dark themes.
    let mut dark: Vec<bool> = Vec::with_capacity(sheet.blocks.len());
    for block in &sheet.blocks {
        let head = block.head.to_ascii_lowercase();
        let around = block.outer.and_then(|outer| dark.get(outer)).copied().unwrap_or(false);
        dark.push(around || head.contains("dark") && !head.contains("light"));
    }
    let (mut line, mut counted) = (1, 0);
    let own = sheet.declarations.iter().filter(|declaration| is_custom(&declaration.property));
    own.map(|declaration| {
        let end = declaration.span.end;
        line += css.get(counted..end).unwrap_or_default().matches('\n').count();
        counted = end;
        let dark = declaration.block.and_then(|block| dark.get(block)).copied().unwrap_or(false);
        let value = declaration.value.split("/*").next().unwrap_or_default().trim();
        let value = value.trim_end_matches("!important").trim();
        Property { name: &declaration.property, value, dark, line }
    })
    .collect()
}

/// A value with its references filled in; none when one leads nowhere.
fn resolved<'a>(
    value: &str,
    look: &dyn Fn(&str) -> Option<&'a str>,
    deepest: usize,
    steps: &mut usize,
) -> Option<String> {
    let mut out = String::new();
    let mut rest = value;
    while let Some(start) = rest.find("var(") {
        out.push_str(rest.get(..start)?);
        let inside = rest.get(start + 4..)?;
        let end = closing(inside)?;
        let arguments = inside.get(..end)?;
        let (name, fallback) = match arguments.split_once(',') {
            Some((name, fallback)) => (name.trim(), Some(fallback)),
            None => (arguments.trim(), None),
        };
        let next = deepest.checked_sub(1)?;
        *steps = steps.checked_sub(1)?;
        let known = look(name).and_then(|value| resolved(value, look, next, steps));
        let filled = match (known, fallback) {
            (Some(known), _) => known,
            (None, Some(fallback)) => resolved(fallback, look, next, steps)?,
            (None, None) => return None,
        };
        out.push_str(&filled);
        if out.len() > LONGEST_VALUE_BYTES {
            return None;
        }
        rest = inside.get(end + 1..)?;
    }
    out.push_str(rest);
    (out.len() <= LONGEST_VALUE_BYTES).then_some(out)
}

/// Where the parenthesis that is open at the beginning closes.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 0 => return Some(at),
            b')' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn take(sheet: &mut Sheet, property: &Property<'_>, value: &str) {
    let name = property.name.trim_start_matches('-');
    let lower = name.to_ascii_lowercase();
    let colours = value::colours(value);
    if let [first, rest @ ..] = colours.as_slice() {
        let job = if property.dark { None } else { super::role::of_name(name) };
        sheet.colour_with_job(property.name, *first, job);
        for colour in rest {
            sheet.colour_with_job(property.name, *colour, None);
        }
    } else if is_channels(value)
        && ["color", "colour", "bg", "fg", "accent", "rgb", "primary"].iter().any(|word| lower.contains(word))
    {
        // `--primary: 17 34 51`, to be put into `rgb(...)`.
        if let Some(colour) = value::colour(&format!("rgb({value})")) {
            sheet.colour(property.name, Written { alpha: 1.0, ..colour });
        }
    } else {
        take_by_name(sheet, property, &lower, value);
    }
}

/// What is not a colour is told by its name.
fn take_by_name(sheet: &mut Sheet, property: &Property<'_>, name: &str, value: &str) {
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    let lengths = || value::numbers(value).into_iter().filter_map(value::Number::pixels);
    if has(&["radius", "rounded", "corner"]) {
        lengths().for_each(|length| sheet.radii.add(length));
    } else if name.starts_with("text-")
        || name.starts_with("fs-")
        || has(&["font-size", "fontsize", "type-size"])
    {
        lengths().for_each(|length| sheet.sizes.add(length));
    } else if has(&["font", "family", "typeface"])
        && !has(&["weight", "feature", "smooth", "variation", "size"])
    {
        if !value.starts_with(|ch: char| ch.is_ascii_digit()) {
            sheet.stack(value);
        }
    } else if has(&["space", "spacing", "gap", "gutter", "section", "inset", "pad", "margin"])
        && !has(&["letter", "max", "width"])
    {
        lengths().for_each(|length| sheet.spacings.add(length));
    } else if has(&["color", "colour"]) && !value.is_empty() && !value.contains('(') {
        sheet.warn(property.line, &format!("{} {:?} is no colour", property.name, value::shortened(value)));
    }
}

/// Three numbers and nothing else.
fn is_channels(value: &str) -> bool {
    let parts: Vec<&str> = value.split([' ', ',']).filter(|part| !part.is_empty()).collect();
    parts.len() == 3 && parts.iter().all(|part| part.parse::<u8>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::super::role::PaletteJob;
    use super::*;

    #[test]
    fn chains_themes_and_mixtures_are_followed() {
        let sheet = read(
            "/* a: b; */\n:root {\n  --ink: #112233;\n  --fg: var(--ink);\n  --accent: var(--nope, var(--fg));\n  --accent-soft: color-mix(in srgb, var(--ink) 20%, transparent);\n  --bg: #fff; /* c */\n  --lost: var(--nope);\n  --loop: var(--loop);\n  --brand-rgb: 17 34 51;\n  --font-body: \"Inter\", system-ui, sans-serif;\n  --text-lg: 1.25rem;\n  --space-2: 8px;\n  --radius-pill: 9999px;\n}\n@media (prefers-color-scheme: dark) { :root { --bg: #000; --fg: #eee } }\n",
        );
        let hex = |job| sheet.jobs.get(job).map(crate::colour::Rgb::hex);
        assert_eq!(hex(PaletteJob::Background).as_deref(), Some("#ffffff"));
        assert_eq!(hex(PaletteJob::Accent).as_deref(), Some("#112233"));
        assert_eq!(sheet.colours.len(), 5, "{:?}", sheet.colours);
        assert_eq!(sheet.families, ["Inter"]);
        assert_eq!(
            (sheet.sizes.list, sheet.spacings.list, sheet.radii.list),
            (vec![20.0], vec![8.0], vec![9999.0])
        );
        assert_eq!(
            sheet.warnings,
            [
                "tokens.css line 8: --lost refers to what is not there, passed over",
                "tokens.css line 9: --loop refers to what is not there, passed over",
            ]
        );
    }

    #[test]
    fn references_that_grow_end() {
        let mut css = String::from(":root{--a0: xxxxxxxxxx;");
        for index in 1..40 {
            css.extend(["--a", &index.to_string(), ": "]);
            css.push_str(&format!("var(--a{})", index - 1).repeat(2));
            css.push(';');
        }
        css.push('}');
        assert!(!read(&css).warnings.is_empty());
    }
}
