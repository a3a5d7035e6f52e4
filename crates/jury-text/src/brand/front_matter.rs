//! The front matter of a DESIGN.md: tokens by group, with references such as `{colors.primary}`.
//!
//! It is read line by line. A full reader of YAML would refuse a file over an unquoted colon in a description, and
//! nothing here depends on the rest; so a line is a key with a value, its indentation says whose child it is, and what
//! cannot be read costs that line and nothing else.

use std::borrow::Cow;
use std::collections::BTreeMap;

use jury_core::front_matter::{FrontMatter, FrontMatterLine};

use super::sheet::{Origin, Sheet};
use super::value;

/// How deep keys may stand in each other; what is deeper counts as standing here.
const DEEPEST: usize = 16;

/// How many references may lead to each other.
const LONGEST_CHAIN: usize = 16;

/// Longer keys are cut.
const LONGEST_KEY: usize = 80;

/// The front matter of a document. Without a line that ends it, it goes to the first heading: a forgotten line must not
/// lose the tokens.
pub(crate) fn front_matter(markdown: &str) -> Option<FrontMatter<'_>> {
    let text = markdown.trim_start_matches('\u{feff}').trim_start();
    let lead = markdown.len() - text.len();
    let mut front = FrontMatter::find(text)?;
    if !front.closed {
        let is_heading = |line: &&str| line.starts_with("# ") || line.starts_with("## ");
        let before: usize =
            front.text.split_inclusive('\n').take_while(|line| !is_heading(line)).map(str::len).sum();
        front.text =
            front.text.get(..before).filter(|text| before < front.text.len() && text.contains(':'))?;
        front.body = front.start + before;
    }
    Some(FrontMatter { start: front.start + lead, body: front.body + lead, ..front })
}

/// A value and the way to it.
#[derive(Debug, Clone, PartialEq)]
struct Entry {
    /// The keys from the root, such as `colors.primary`.
    path: String,
    value: String,
    line: usize,
}

/// Reads the tokens of the front matter.
pub(super) fn read(markdown: &str) -> Sheet {
    let mut sheet = Sheet::new(Origin::FrontMatter);
    let Some(front) = front_matter(markdown) else { return sheet };
    let before = markdown.get(..front.start).unwrap_or_default().matches('\n').count().saturating_sub(1);
    let entries = entries(front, before);
    let by_path: BTreeMap<&str, &str> =
        entries.iter().rev().map(|entry| (entry.path.as_str(), entry.value.as_str())).collect();
    for entry in &entries {
        take(&mut sheet, entry, &by_path);
    }
    sheet
}

/// Every value with its path. So many lines stand before the front matter.
fn entries(front: FrontMatter<'_>, before: usize) -> Vec<Entry> {
    let mut entries = Vec::new();
    // The keys around a line, each with its indentation.
    let mut around: Vec<(usize, String)> = Vec::new();
    let mut lines = front.lines();
    while let Some(mut line) = lines.next() {
        let mut indent = line.indent.chars().count();
        if let Some(item) = line.text.strip_prefix("- ") {
            indent += 2;
            line.text = item.trim_start();
        }
        while around.last().is_some_and(|(known, _)| *known >= indent) {
            around.pop();
        }
        let number = before + line.number;
        let Some((key, value)) = key_and_value(line) else {
            // An item of a list, or the next line of a text.
            push(&mut entries, &around, None, line.text, number);
            continue;
        };
        if value.is_empty() {
            if around.len() < DEEPEST {
                around.push((indent, key));
            }
        } else if value.starts_with(['|', '>']) && value.len() <= 3 {
            lines.block(indent);
        } else {
            push(&mut entries, &around, Some(&key), value, number);
        }
    }
    entries
}

/// A key that is one, and its value.
fn key_and_value(line: FrontMatterLine<'_>) -> Option<(String, &str)> {
    let (key, value) = line.pair()?;
    let well_formed =
        key.chars().all(|ch| ch.is_alphanumeric() || matches!(ch, '-' | '_' | '.' | '$' | ' ' | '/'));
    well_formed.then(|| (key.chars().take(LONGEST_KEY).collect(), value))
}

fn push(entries: &mut Vec<Entry>, around: &[(usize, String)], key: Option<&str>, value: &str, line: usize) {
    let mut path: Vec<&str> = around.iter().map(|(_, key)| key.as_str()).collect();
    path.extend(key);
    let path = path.join(".");
    let value = value.trim();
    let inner = value.strip_prefix('{').and_then(|rest| rest.trim_end().strip_suffix('}'));
    if let Some(inner) = inner.filter(|inner| inner.contains(':')) {
        for pair in value::split_commas(inner) {
            if let Some((key, value)) = pair.split_once(':') {
                let key: String = unquoted(key).chars().take(LONGEST_KEY).collect();
                entries.push(Entry {
                    path: format!("{path}.{key}"),
                    value: unquoted(value).to_owned(),
                    line,
                });
            }
        }
    } else if let Some(inner) = value.strip_prefix('[').and_then(|rest| rest.trim_end().strip_suffix(']')) {
        for item in value::split_commas(inner) {
            entries.push(Entry { path: path.clone(), value: unquoted(item).to_owned(), line });
        }
    } else {
        entries.push(Entry { path, value: unquoted(value).to_owned(), line });
    }
}

/// A scalar without its quotes and without the comment behind it.
fn unquoted(text: &str) -> &str {
    let text = text.trim();
    for quote in ['"', '\''] {
        if let Some(rest) = text.strip_prefix(quote) {
            return rest.split(quote).next().unwrap_or(rest).trim();
        }
    }
    // A colour may stand without quotes, although YAML has it for a comment.
    text.split(" #").next().unwrap_or(text).trim()
}

/// A value with its references followed; several may stand beside each other, as in `{spacing.sm} {spacing.md}`. Says
/// which one leads nowhere.
fn resolved<'a>(value: &'a str, by_path: &BTreeMap<&str, &'a str>) -> Result<Cow<'a, str>, &'a str> {
    if !value.starts_with('{') {
        return Ok(Cow::Borrowed(value));
    }
    let parts = value.split_inclusive('}').map(str::trim).filter(|part| !part.is_empty());
    let followed: Result<Vec<&str>, &str> =
        parts.map(|part| followed(part, by_path).ok_or(part)).take(LONGEST_CHAIN).collect();
    followed.map(|parts| match parts.as_slice() {
        [only] => Cow::Borrowed(*only),
        several => Cow::Owned(several.join(" ")),
    })
}

fn followed<'a>(value: &'a str, by_path: &BTreeMap<&str, &'a str>) -> Option<&'a str> {
    let mut value = value;
    for _ in 0..LONGEST_CHAIN {
        let Some(path) = value.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) else {
            return Some(value);
        };
        value = by_path.get(path.trim()).copied()?;
    }
    None
}

fn take(sheet: &mut Sheet, entry: &Entry, by_path: &BTreeMap<&str, &str>) {
    let Some((group, rest)) = entry.path.split_once('.').or(Some((entry.path.as_str(), ""))) else { return };
    let key = rest.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    let value = match resolved(&entry.value, by_path) {
        Ok(value) => value,
        // A component may refer to a whole group, which is no value and no mistake.
        Err(reference) if is_group(reference, by_path) => return,
        Err(reference) => {
            sheet.warn(entry.line, &format!("{} leads nowhere", value::shortened(reference)));
            return;
        }
    };
    let value = value.as_ref();
    match group.to_ascii_lowercase().as_str() {
        "colors" | "colours" | "color" | "colour" | "palette" => take_colour(sheet, entry, rest, &key, value),
        "typography" | "fonts" | "font" | "type" => {
            let is_family = key.contains("family") || (!key.contains("size") && group.starts_with("font"));
            if is_family {
                sheet.stack(value);
            } else if key.contains("size") {
                take_lengths(sheet, entry, value, |sheet, length| sheet.sizes.add(length));
            }
        }
        "rounded" | "radius" | "radii" | "shape" | "shapes" | "borderradius" | "corners" => {
            take_lengths(sheet, entry, value, |sheet, length| sheet.radii.add(length));
        }
        "spacing" | "space" => {
            if ["max", "container", "width", "breakpoint"].iter().any(|word| key.contains(word)) {
                return;
            }
            if matches!(key.as_str(), "unit" | "base" | "grid") {
                sheet.base = value::lengths(value).next();
            }
            take_lengths(sheet, entry, value, |sheet, length| sheet.spacings.add(length));
        }
        "components" => take_component(sheet, rest, &key, value),
        _ => {}
    }
}

fn is_group(reference: &str, by_path: &BTreeMap<&str, &str>) -> bool {
    let Some(path) = reference.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) else {
        return false;
    };
    let inside = format!("{}.", path.trim());
    by_path.range(inside.as_str()..).next().is_some_and(|(path, _)| path.starts_with(&inside))
}

fn take_colour(sheet: &mut Sheet, entry: &Entry, name: &str, key: &str, value: &str) {
    if ["description", "usage", "role", "name", "note", "use"].contains(&key) {
        return;
    }
    let colours = value::colours(value);
    if colours.is_empty() {
        sheet.warn(entry.line, &format!("{} {:?} is no colour", entry.path, value::shortened(value)));
    }
    // `colors.dark.bg` is a token and not the background.
    let dark = name.split('.').any(|part| part.eq_ignore_ascii_case("dark"));
    for (index, colour) in colours.into_iter().enumerate() {
        if dark || index > 0 {
            sheet.colour_with_job(name, colour, None);
        } else {
            sheet.colour(name.trim_end_matches(".value").trim_end_matches(".$value"), colour);
        }
    }
}

fn take_lengths(sheet: &mut Sheet, entry: &Entry, value: &str, add: impl Fn(&mut Sheet, f32)) {
    let numbers = value::numbers(value);
    if numbers.is_empty() && !matches!(value, "none" | "auto" | "full" | "pill") && !value.contains('(') {
        sheet.warn(entry.line, &format!("{} {:?} is no length", entry.path, value::shortened(value)));
    }
    for length in numbers.into_iter().filter_map(value::Number::pixels_or_bare) {
        add(sheet, length);
    }
}

fn take_component(sheet: &mut Sheet, name: &str, key: &str, value: &str) {
    if key.contains("color") || key.contains("colour") || key == "background" {
        for colour in value::colours(value) {
            sheet.colour_with_job(name, colour, None);
        }
    } else if key.contains("round") || key.contains("radius") {
        value::lengths(value).for_each(|length| sheet.radii.add(length));
    } else if key.contains("padding") || key.contains("gap") || key.contains("margin") {
        value::lengths(value).for_each(|length| sheet.spacings.add(length));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colon_in_a_text_costs_nothing_and_mistakes_have_a_line() {
        let sheet = read(
            "---\nname: Acme\ndescription: Bold: and kind\ncolors:\n  primary: \"#112233\"\n  ink: #445566\n  link: \"{colors.primary}\"\n  odd: bluish\n  lost: \"{colors.nope}\"\n  loop: \"{colors.loop}\"\n  ok: oklch(0.7 0.1 200)\n---\n",
        );
        assert_eq!(sheet.colours.len(), 3, "{:?}", sheet.colours);
        assert_eq!(
            sheet.warnings,
            [
                "DESIGN.md line 8: colors.odd \"bluish\" is no colour, passed over",
                "DESIGN.md line 9: {colors.nope} leads nowhere, passed over",
                "DESIGN.md line 10: {colors.loop} leads nowhere, passed over",
            ]
        );
    }

    #[test]
    fn groups_nest_and_flow() {
        let sheet = read(
            "---\ncolors:\n  light: { bg: \"#fff\", fg: '#111' }\n  dark:\n    bg: '#000'\ntypography:\n  body:\n    fontFamily: Inter, sans-serif\n    fontSize: 1rem\nfonts: [Söhne, system-ui]\nrounded:\n  sm: 4px\nspacing:\n  unit: 8px\n  lg: 20px\n  list: [4px, 8px]\ncomponents:\n  button:\n    typography: \"{typography.body}\"\n    padding: \"{spacing.unit} {spacing.lg}\"\n    backgroundColor: '#123'\n---\n",
        );
        assert_eq!(sheet.colours.len(), 4);
        assert_eq!(
            sheet
                .jobs
                .get(super::super::role::PaletteJob::Background)
                .map(crate::colour::Rgb::hex)
                .as_deref(),
            Some("#ffffff")
        );
        assert_eq!(sheet.families, ["Inter", "Söhne", "system-ui"]);
        assert_eq!(sheet.sizes.list, [16.0]);
        assert_eq!(sheet.spacings.list, [8.0, 20.0, 4.0]);
        assert_eq!(sheet.base, Some(8.0));
        assert!(sheet.warnings.is_empty(), "{:?}", sheet.warnings);
    }

    #[test]
    fn a_front_matter_that_is_not_closed_ends_at_the_first_heading() {
        let text = |markdown| front_matter(markdown).map(|front| front.text);
        assert_eq!(text("---\na: b\n# Title\n"), Some("a: b\n"));
        assert_eq!(text("---\nname: x\n"), None);
        assert_eq!(text("# A\n---\n"), None);
    }
}
