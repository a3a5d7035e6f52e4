//! Repairs in the style sheet that are not about colour, and where a rule can be added.

use std::ops::Range;

use crate::checks::unfocusable_rules;
use crate::css::Declaration;
use crate::page::Page;

use super::edit::Repair;
use super::head::head_point;

/// Adds a rule behind all others, so that it wins among equals.
pub(super) fn add_rule(
    page: &Page<'_>,
    check: &'static str,
    rule: &str,
    reason: impl Into<String>,
) -> Repair {
    match page.source.styles.last() {
        Some(last) => Repair::insert(check, last.end, format!("{rule}\n"), reason),
        None => Repair::insert(check, head_point(page), format!("<style>{rule}</style>"), reason),
    }
}

/// One rule gives the focus ring back.
pub(super) fn focus(page: &Page<'_>) -> Option<Repair> {
    if unfocusable_rules(page).is_empty() {
        return None;
    }
    Some(add_rule(
        page,
        "a11y/focus",
        ":focus-visible{outline:2px solid currentColor!important;outline-offset:2px}",
        "a :focus-visible rule gives the focus ring back",
    ))
}

/// Font sizes written in pixels below 12 become 12.
pub(super) fn small_text(page: &Page<'_>) -> Option<Repair> {
    let small: Vec<&Declaration> = page
        .declarations
        .iter()
        .filter(|declaration| declaration.property == "font-size")
        .filter(|declaration| {
            let pixels = |suffix, factor: f32| {
                let number: f32 = declaration.value.strip_suffix(suffix)?.parse().ok()?;
                Some(number * factor)
            };
            // "rem" first: a number before "em" would not parse.
            pixels("px", 1.0).or_else(|| pixels("rem", 16.0)).is_some_and(|size| (8.0..12.0).contains(&size))
        })
        .collect();
    together("critic/small-text", &small, "font sizes under 12px raised to 12px", |declaration| {
        (declaration.span.clone(), "12px".to_owned())
    })
    .map(Repair::visible)
}

/// Uppercase rules without letter spacing get some.
pub(super) fn capitals(page: &Page<'_>) -> Option<Repair> {
    let tight: Vec<&Declaration> = page
        .declarations
        .iter()
        .filter(|declaration| declaration.property == "text-transform" && declaration.value == "uppercase")
        .filter(|declaration| !declaration.selector.is_empty())
        .filter(|declaration| {
            !page
                .declarations
                .iter()
                .any(|other| other.selector == declaration.selector && other.property == "letter-spacing")
        })
        .collect();
    together("critic/caps", &tight, "capitals spaced by .06em", |declaration| {
        (declaration.span.end..declaration.span.end, ";letter-spacing:.06em".to_owned())
    })
    .map(Repair::visible)
}

/// One repair out of the same change in several places.
fn together(
    check: &'static str,
    places: &[&Declaration],
    what: &str,
    edit: impl Fn(&Declaration) -> (Range<usize>, String),
) -> Option<Repair> {
    let (first, rest) = places.split_first()?;
    let (span, text) = edit(first);
    let name = if first.selector.is_empty() { "a style attribute" } else { &first.selector };
    let mut repair = Repair::one(check, span, text, format!("{what} ({name} and {} more)", rest.len()));
    repair.edits.extend(rest.iter().map(|declaration| edit(declaration)));
    Some(repair)
}
