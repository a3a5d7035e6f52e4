//! Repairs in the style sheet that are not about colour, and where a rule can be added.

use std::ops::Range;

use crate::checks::unfocusable_rules;
use crate::css::Declaration;
use crate::page::Page;
use crate::sheets;

use super::Asked;
use super::edit::Repair;
use super::head::head_point;

/// Adds a rule behind all others that hold on every screen, so that it wins among equals.
pub(super) fn add_rule(
    page: &Page<'_>,
    check: &'static str,
    rule: &str,
    reason: impl Into<String>,
) -> Repair {
    match page.source.styles.iter().rev().find(|span| sheets::is_unconditional(&page.source, span)) {
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

/// A length in pixels, when it is written in a unit that says so.
fn pixels(value: &str) -> Option<f32> {
    let number = |suffix, factor: f32| Some(value.strip_suffix(suffix)?.parse::<f32>().ok()? * factor);
    // "rem" first: a number before "em" would not parse.
    number("px", 1.0).or_else(|| number("rem", 16.0))
}

fn sizes<'a>(page: &'a Page<'_>) -> impl Iterator<Item = (&'a Declaration, f32)> {
    page.declarations
        .iter()
        .filter(|declaration| declaration.property == "font-size")
        .filter_map(|declaration| Some((declaration, pixels(&declaration.value)?)))
}

/// Font sizes written in pixels below 12 become 12: all of them, or one by one when that was refused.
pub(super) fn small_text(asked: &Asked<'_>) -> Vec<Repair> {
    let small: Vec<&Declaration> = sizes(asked.page)
        .filter(|(_, size)| (8.0..12.0).contains(size))
        .map(|(declaration, _)| declaration)
        .collect();
    let raise = |places: &[&Declaration]| {
        together("critic/small-text", places, "text under 12px raised to 12px", |declaration| {
            (declaration.span.clone(), "12px".to_owned())
        })
        .map(Repair::visible)
    };
    match raise(&small).filter(|all| asked.is_open(all)) {
        Some(all) => vec![all],
        None => small.iter().filter_map(|declaration| raise(&[*declaration])).collect(),
    }
}

/// Of two sizes that nobody can tell apart the rarer becomes the commoner.
pub(super) fn type_scale(page: &Page<'_>) -> Option<Repair> {
    const ALIKE: f32 = 1.06;
    let mut uses: Vec<(f32, usize)> = Vec::new();
    for (_, size) in sizes(page) {
        match uses.iter_mut().find(|(known, _)| (*known - size).abs() < 0.05) {
            Some((_, count)) => *count += 1,
            None => uses.push((size, 1)),
        }
    }
    let better = |size: f32| {
        let own = uses.iter().find(|(known, _)| (*known - size).abs() < 0.05)?.1;
        uses.iter()
            .filter(|(other, count)| {
                (*other - size).abs() >= 0.05
                    && (other / size).max(size / other) < ALIKE
                    && *other >= 12.0
                    && (*count > own || (*count == own && *other > size))
            })
            .max_by_key(|(_, count)| *count)
            .map(|(other, _)| *other)
    };
    let merged: Vec<(&Declaration, f32)> =
        sizes(page).filter_map(|(declaration, size)| Some((declaration, better(size)?))).collect();
    let places: Vec<&Declaration> = merged.iter().map(|(declaration, _)| *declaration).collect();
    let target = |declaration: &Declaration| {
        merged.iter().find(|(other, _)| other.span == declaration.span).map_or(0.0, |(_, size)| *size)
    };
    together("critic/type-scale", &places, "font sizes that nobody can tell apart made one", |declaration| {
        (declaration.span.clone(), format!("{}px", target(declaration)))
    })
    .map(Repair::visible)
}

/// Distances move to the next step of the declared scale, or of 4 pixels, when that is 2 pixels away or less.
pub(super) fn rhythm(page: &Page<'_>) -> Option<Repair> {
    let scale = page.brand().map(|brand| brand.spacings.as_slice()).filter(|scale| scale.len() >= 3);
    let snap = |length: f32| match scale {
        Some(scale) => {
            scale.iter().copied().min_by(|one, other| (one - length).abs().total_cmp(&(other - length).abs()))
        }
        None => Some((length / 4.0).round() * 4.0),
    };
    let mut edits = Vec::new();
    for declaration in &page.declarations {
        let property = declaration.property.as_str();
        if !(property.starts_with("padding") || property.starts_with("margin") || property.ends_with("gap")) {
            continue;
        }
        let mut at = declaration.span.start;
        for part in declaration.value.split(' ') {
            if let Some(length) = part.strip_suffix("px").and_then(|number| number.parse::<f32>().ok())
                && let Some(step) = snap(length)
                && length >= 3.0
                && (0.26..=2.0).contains(&(step - length).abs())
            {
                edits.push((at..at + part.len(), format!("{step}px")));
            }
            at += part.len() + 1;
        }
    }
    let (first, _) = edits.first()?;
    let line = page.source.line(first.start);
    let reason =
        format!("{} distances moved to the scale by 2 px or less (first on line {line})", edits.len());
    Some(Repair {
        check: "critic/rhythm",
        edits,
        reason,
        visible: super::Visible::Slightly,
        invents_words: false,
    })
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
    let mut repair = Repair::one(check, span, text, place_of(what, name, rest.len()));
    repair.edits.extend(rest.iter().map(|declaration| edit(declaration)));
    Some(repair)
}

fn place_of(what: &str, name: &str, more: usize) -> String {
    if more == 0 { format!("{what} ({name})") } else { format!("{what} ({name} and {more} more)") }
}
