//! Text spacing that readers cannot change, WCAG 1.4.12: a value in a `style` attribute that is marked important
//! wins over the reader's own style sheet, so it has to be wide enough by itself.

use std::collections::BTreeMap;

use jury_eye::{Node, NodeId};

use crate::css::{self, Declaration};
use crate::finding::{Finding, Outcome, Severity};
use crate::page::Page;
use crate::rules::{Rules, is_important, plain};
use crate::selector::State;

/// The share of fixed texts at which the check is worth nothing: each of them is a text some readers cannot read.
const ZERO_AT: f64 = 1.0;

/// A spacing and how many times the font size it has to be.
struct Spacing {
    property: &'static str,
    least: f32,
}

const SPACINGS: [Spacing; 3] = [
    Spacing { property: "line-height", least: 1.5 },
    Spacing { property: "letter-spacing", least: 0.12 },
    Spacing { property: "word-spacing", least: 0.16 },
];

/// What layout and decimals may lose.
const ROUNDING: f32 = 0.001;

/// What a declaration comes to.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Value {
    /// The value is `normal` or `initial`.
    Normal,
    /// A factor of the font size of whichever element has the text.
    Factor(f32),
    Pixels(f32),
    /// The value of the element around it.
    Inherited,
    /// Not to be understood from here.
    Unknown,
}

pub(super) fn spacing(page: &Page<'_>) -> Outcome {
    let marked =
        page.source.tags.iter().filter_map(|tag| tag.attribute("style")).any(|style| style.raw.contains('!'));
    if !marked {
        return Outcome::not_applicable();
    }
    let (mut total, mut failing) = (0, 0);
    let mut narrow: BTreeMap<(&'static str, String), (f32, f32, Vec<NodeId>)> = BTreeMap::new();
    for spacing in &SPACINGS {
        let rules =
            Rules::among(page.all_declarations(), |declaration| declaration.property == spacing.property);
        for node in page.snapshot.nodes.iter().filter(|node| node.shown && !node.text.is_empty()) {
            let Some(style) = &node.style else { continue };
            if node.tag == "svg" || spacing.property == "line-height" && !wraps(node) {
                continue;
            }
            let Some((written, value)) = fixed(page, node, spacing.property, &rules) else { continue };
            total += 1;
            let ratio = match value {
                Value::Normal if spacing.property == "line-height" => 1.2,
                Value::Normal => 0.0,
                Value::Factor(factor) => factor,
                Value::Pixels(pixels) => pixels / style.font_size.max(0.1),
                Value::Inherited | Value::Unknown => continue,
            };
            if ratio < spacing.least - ROUNDING {
                failing += 1;
                let entry =
                    narrow.entry((spacing.property, written)).or_insert((ratio, spacing.least, Vec::new()));
                entry.2.push(node.id);
            }
        }
    }
    let note = format!("{failing} of {total} texts with a fixed spacing are set too tight");
    let findings = narrow
        .into_iter()
        .map(|((property, written), (ratio, least, nodes))| {
            let what = format!(
                "{property} fixed at {ratio:.2} times the font size by a style attribute, needs {least} ({})",
                page.places(&nodes)
            );
            Finding::on(Severity::Serious, nodes, what)
                .because(format!("{property}: {written}"))
                .figure("times the font size", f64::from(ratio), "")
                .figure("needs", f64::from(least), "")
        })
        .collect();
    Outcome::share(failing, total, ZERO_AT, note, findings)
}

/// Whether a text takes more than one line; leading means nothing on one.
fn wraps(node: &Node) -> bool {
    super::view::lines(node) > 1
}

/// The important declaration in a `style` attribute that decides a property of this element, and what it comes to
/// here.
fn fixed(page: &Page<'_>, node: &Node, property: &str, rules: &Rules<'_>) -> Option<(String, Value)> {
    let mut current = Some(node);
    while let Some(element) = current {
        let own =
            element.attribute("style").map(|style| css::inline_declarations(style, 0)).unwrap_or_default();
        let declared = winning(&own, property);
        if let Some(declaration) = declared {
            let size = element.style.as_ref().map_or(16.0, |style| style.font_size);
            let value = value_of(plain(&declaration.value), property, size);
            if value != Value::Inherited {
                return is_important(&declaration.value)
                    .then(|| (plain(&declaration.value).to_owned(), value));
            }
        } else if !rules.reaching(&page.snapshot, element, State::Rest).is_empty() {
            return None;
        }
        current = element.parent.and_then(|parent| page.node(parent));
    }
    None
}

/// The last declaration of a property, important ones before others.
fn winning<'a>(own: &'a [Declaration], property: &str) -> Option<&'a Declaration> {
    own.iter()
        .filter(|declaration| declaration.property == property)
        .enumerate()
        .max_by_key(|(index, declaration)| (is_important(&declaration.value), *index))
        .map(|(_, declaration)| declaration)
}

fn value_of(value: &str, property: &str, font_size: f32) -> Value {
    let value = value.to_ascii_lowercase();
    let number =
        |suffix: &str| value.strip_suffix(suffix).and_then(|number| number.trim().parse::<f32>().ok());
    match value.as_str() {
        "inherit" | "unset" | "revert" | "revert-layer" => return Value::Inherited,
        "normal" | "initial" => return Value::Normal,
        _ => {}
    }
    // "rem" before "em": a number before "em" would not parse.
    if let Some(number) = number("rem") {
        return Value::Pixels(number * 16.0);
    }
    if let Some(number) = number("em") {
        return Value::Pixels(number * font_size);
    }
    if let Some(number) = number("px") {
        return Value::Pixels(number);
    }
    if let Some(number) = number("%") {
        return Value::Pixels(number / 100.0 * font_size);
    }
    if let Some(number) = number("pt") {
        return Value::Pixels(number * 4.0 / 3.0);
    }
    match number("") {
        Some(factor) if property == "line-height" => Value::Factor(factor),
        Some(_) => Value::Pixels(0.0),
        None => Value::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read() {
        assert_eq!(value_of("2em", "line-height", 10.0), Value::Pixels(20.0));
        assert_eq!(value_of("1.5", "line-height", 10.0), Value::Factor(1.5));
        assert_eq!(value_of("150%", "line-height", 10.0), Value::Pixels(15.0));
        assert_eq!(value_of("0", "letter-spacing", 10.0), Value::Pixels(0.0));
        assert_eq!(value_of("initial", "word-spacing", 10.0), Value::Normal);
        assert_eq!(value_of("unset", "word-spacing", 10.0), Value::Inherited);
        assert_eq!(value_of("calc(1em + 2px)", "word-spacing", 10.0), Value::Unknown);
    }
}
