//! Colours written out where the page has a property of that colour.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use jury_text::css_colour::{self, Written};

use super::MOST_FINDINGS;
use crate::css::Declaration;
use crate::finding::{Finding, Outcome, Severity, counted};
use crate::page::Page;

/// A colour by its bytes and its opacity.
type Key = ([u8; 3], u64);

/// A colour that is written out where a property has it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WrittenOut {
    /// The first property of that colour.
    pub(crate) name: String,
    pub(crate) hex: String,
    /// Where it stands in the page.
    pub(crate) span: Range<usize>,
    /// A property that has this very colour wherever one may ask for it, unless a script changes it.
    pub(crate) certain: Option<String>,
}

pub(in crate::checks) fn tokens(page: &Page<'_>) -> Outcome {
    if page.brand().is_none() {
        return Outcome::not_applicable();
    }
    let properties = Properties::of(page);
    if properties.names.is_empty() {
        return Outcome::not_applicable();
    }
    let taken: usize = page
        .declarations
        .iter()
        .filter(|declaration| !is_token(declaration))
        .map(|declaration| declaration.value.matches("var(--").count())
        .sum();
    let mut written: BTreeMap<String, (usize, String, usize)> = BTreeMap::new();
    for found in properties.written_out(page) {
        let line = page.source.line(found.span.start);
        written.entry(found.name).or_insert((0, found.hex, line)).0 += 1;
    }
    let failing: usize = written.values().map(|(uses, _, _)| uses).sum();
    let note = format!("{} written out, {taken} taken from properties", counted(failing, "colour"));
    let mut listed: Vec<_> = written.into_iter().collect();
    listed.sort_by(|one, other| other.1.0.cmp(&one.1.0).then(one.0.cmp(&other.0)));
    let findings = listed
        .into_iter()
        .take(MOST_FINDINGS)
        .map(|(name, (uses, hex, line))| {
            let what = format!(
                "{hex} is written out {}, needs var({name}) (line {line})",
                if uses == 1 { "once".to_owned() } else { format!("{uses} times") },
            );
            Finding::page(Severity::Minor, what).because(name)
        })
        .collect();
    Outcome::share(failing, failing + taken, 1.0, note, findings)
}

/// Every colour that is written out where a property has it, in the order of the page.
pub(crate) fn written_out(page: &Page<'_>) -> Vec<WrittenOut> {
    Properties::of(page).written_out(page)
}

/// The custom properties that hold a colour.
struct Properties {
    /// The first property of a colour.
    names: BTreeMap<Key, String>,
    /// The first that holds it on the whole page, in every state that style sheets know.
    certain: BTreeMap<Key, String>,
}

impl Properties {
    /// Those of the page and of the style sheets it links.
    fn of(page: &Page<'_>) -> Self {
        let tokens: Vec<&Declaration> =
            page.all_declarations().into_iter().filter(|declaration| is_token(declaration)).collect();
        let mut values: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for token in &tokens {
            values.entry(&token.property).or_default().insert(&token.value);
        }
        let mut properties = Self { names: BTreeMap::new(), certain: BTreeMap::new() };
        for token in tokens {
            let Some(colour) = css_colour::parse(&token.value) else { continue };
            let key = key(&colour);
            properties.names.entry(key).or_insert_with(|| token.property.clone());
            let one_value = values.get(token.property.as_str()).is_some_and(|values| values.len() == 1);
            if one_value && is_for_all(token) && is_exact(&token.value) {
                properties.certain.entry(key).or_insert_with(|| token.property.clone());
            }
        }
        properties
    }

    fn written_out(&self, page: &Page<'_>) -> Vec<WrittenOut> {
        let mut found = Vec::new();
        for declaration in page.declarations.iter().filter(|declaration| takes_colours(declaration)) {
            let colours = css_colour::find_all(&declaration.value);
            if colours.is_empty() {
                continue;
            }
            let opaque = opaque_parts(&declaration.value);
            // They lie apart and in order.
            let stands_free = |start: usize| {
                let next = opaque.partition_point(|part| part.end <= start);
                !opaque.get(next).is_some_and(|part| part.contains(&start))
            };
            for (start, end, colour) in colours.into_iter().filter(|(start, _, _)| stands_free(*start)) {
                let Some(name) = self.names.get(&key(&colour)) else { continue };
                let written = declaration.value.get(start..end).unwrap_or_default();
                let reachable = is_exact(written) && may_ask_the_root(declaration);
                found.push(WrittenOut {
                    name: name.clone(),
                    hex: colour.rgb.hex(),
                    span: declaration.span.start + start..declaration.span.start + end,
                    certain: self.certain.get(&key(&colour)).filter(|_| reachable).cloned(),
                });
            }
        }
        found
    }
}

fn key(colour: &Written) -> Key {
    (colour.rgb.bytes(), colour.alpha.to_bits())
}

fn is_token(declaration: &Declaration) -> bool {
    declaration.property.starts_with("--")
}

/// Whether a property is declared for every element, under no condition.
fn is_for_all(token: &Declaration) -> bool {
    token.selector.split(',').any(|part| matches!(part.trim(), ":root" | "html"))
        && (token.within.is_empty() || token.within.starts_with("@layer") && !token.within.contains("@media"))
}

/// Whether a notation names one of the colours of a screen; others are rounded to them.
fn is_exact(written: &str) -> bool {
    !written.trim_start().get(..5).is_some_and(|start| start.eq_ignore_ascii_case("oklch"))
}

/// Whether what a rule is about has the properties of the page.
fn may_ask_the_root(declaration: &Declaration) -> bool {
    let outside = ["::backdrop", "::cue", ":host"];
    !outside.iter().any(|part| declaration.selector.contains(part))
        // A block without a selector inside an at-rule is a description, of a font or a page.
        && (!declaration.selector.is_empty() || declaration.within.is_empty())
}

/// Whether a word in the value of a property can be a colour.
fn takes_colours(declaration: &Declaration) -> bool {
    let property = declaration.property.as_str();
    let starts = ["background", "border", "outline", "column-rule", "text-decoration", "text-emphasis"];
    property.ends_with("color")
        || starts.iter().any(|start| property.starts_with(start))
        || matches!(
            property,
            "box-shadow"
                | "text-shadow"
                | "fill"
                | "stroke"
                | "filter"
                | "backdrop-filter"
                | "-webkit-text-stroke"
        )
}

/// The parts of a value in which nothing is a colour of its own: texts, addresses, and what a `var()` falls back on.
fn opaque_parts(value: &str) -> Vec<Range<usize>> {
    let bytes = value.as_bytes();
    let mut parts = Vec::new();
    // Where the outermost address or `var()` began, and how many brackets are open in it.
    let mut inside: Option<(usize, usize)> = None;
    let mut at = 0;
    while let Some(byte) = bytes.get(at).copied() {
        match byte {
            b'"' | b'\'' => {
                let begun = at;
                at += 1;
                while bytes.get(at).is_some_and(|next| *next != byte) {
                    at += if bytes.get(at) == Some(&b'\\') { 2 } else { 1 };
                }
                if inside.is_none() {
                    parts.push(begun..at.min(value.len()));
                }
            }
            b'(' => {
                let word = |name: &str| {
                    at.checked_sub(name.len())
                        .and_then(|from| value.get(from..at))
                        .is_some_and(|before| before.eq_ignore_ascii_case(name))
                };
                inside = match inside {
                    Some((begun, open)) => Some((begun, open + 1)),
                    None if word("url") || word("var") => Some((at, 1)),
                    None => None,
                };
            }
            b')' => {
                inside = match inside {
                    Some((begun, 1)) => {
                        parts.push(begun..at);
                        None
                    }
                    Some((begun, open)) => Some((begun, open - 1)),
                    None => None,
                };
            }
            _ => {}
        }
        at += 1;
    }
    parts.extend(inside.map(|(begun, _)| begun..value.len()));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_addresses_and_fallbacks_hold_no_colours() {
        let value = "var(--ink, rgb(1,2,3)) url(#fff) \"red\" linear-gradient(#abc, red)";
        let parts = opaque_parts(value);
        let free: Vec<&str> = css_colour::find_all(value)
            .into_iter()
            .filter(|(start, _, _)| !parts.iter().any(|part| part.contains(start)))
            .filter_map(|(start, end, _)| value.get(start..end))
            .collect();
        assert_eq!(free, ["#abc", "red"]);
        assert_eq!(opaque_parts("url(a").first(), Some(&(3..5)));
    }
}
