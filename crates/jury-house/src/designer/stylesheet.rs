//! Repairs in the style sheet that are not about colour, and where a rule can be added.

use std::ops::Range;

use crate::checks::unfocusable_rules;
use crate::css::Declaration;
use crate::page::Page;
use crate::rules::{is_important, plain};
use crate::sheets;

use super::Asked;
use super::edit::Repair;
use super::head::head_point;
use super::length::{Length, lengths};
use super::rule::style_elements;

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

/// Font sizes that say how many pixels they are, outside of print. The size of the root is a unit where others are
/// written in it, and to change it would change them all.
fn sizes<'a>(page: &'a Page<'_>) -> Vec<(&'a Declaration, Length)> {
    let is_unit = page.declarations.iter().any(|declaration| declaration.value.contains("rem"));
    page.declarations
        .iter()
        .filter(|declaration| !is_unit || !matches!(declaration.selector.as_str(), "html" | ":root"))
        .filter(|declaration| declaration.property == "font-size" && !declaration.within.contains("print"))
        .filter_map(|declaration| Some((declaration, lengths(page, declaration).into_iter().next()?)))
        .collect()
}

/// Font sizes below 12 pixels become 12: all of them, or one by one when that was refused.
pub(super) fn small_text(asked: &Asked<'_>) -> Vec<Repair> {
    const SMALLEST: f32 = 12.0;
    let small: Vec<Change<'_>> = sizes(asked.page)
        .into_iter()
        .filter(|(_, size)| (8.0..SMALLEST).contains(&size.pixels))
        .map(|(declaration, size)| (declaration, size.span.clone(), size.with(SMALLEST)))
        .collect();
    all_or_each(asked, "critic/small-text", "text under 12px raised to 12px", &small)
}

/// Of two sizes that nobody can tell apart the rarer becomes the commoner.
pub(super) fn type_scale(asked: &Asked<'_>) -> Vec<Repair> {
    const ALIKE: f32 = 1.06;
    let sizes = sizes(asked.page);
    let mut uses: Vec<(f32, usize)> = Vec::new();
    for (_, size) in &sizes {
        match uses.iter_mut().find(|(known, _)| (*known - size.pixels).abs() < 0.05) {
            Some((_, count)) => *count += 1,
            None => uses.push((size.pixels, 1)),
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
    let merged: Vec<Change<'_>> = sizes
        .iter()
        .filter_map(|(declaration, size)| {
            Some((*declaration, size.span.clone(), size.with(better(size.pixels)?)))
        })
        .collect();
    all_or_each(asked, "critic/type-scale", "font sizes that nobody can tell apart made one", &merged)
}

/// A new text for a place in a declaration.
type Change<'a> = (&'a Declaration, Range<usize>, String);

/// One repair out of all changes, or one of each when that was refused.
fn all_or_each(asked: &Asked<'_>, check: &'static str, what: &str, changes: &[Change<'_>]) -> Vec<Repair> {
    match together(check, changes, what).filter(|all| asked.is_open(all)) {
        Some(all) => vec![all],
        None => changes.chunks(1).take(MOST_SINGLY).filter_map(|one| together(check, one, what)).collect(),
    }
}

/// Changes tried one by one: each that is refused costs a measurement.
const MOST_SINGLY: usize = 12;

/// Spacing that a `style` attribute forces on readers stays what it is, and no longer wins over theirs.
pub(super) fn fixed_spacing(asked: &Asked<'_>) -> Vec<Repair> {
    const CHECK: &str = "a11y/spacing";
    let page = asked.page;
    let forced = |declaration: &&Declaration| {
        declaration.selector.is_empty()
            && declaration.within.is_empty()
            && matches!(declaration.property.as_str(), "line-height" | "letter-spacing" | "word-spacing")
            && is_important(&declaration.value)
    };
    // The value is told by the cause, so that what is wide enough is left alone.
    let narrow = |declaration: &&Declaration| {
        let cause = format!("{}: {}", declaration.property, plain(&declaration.value));
        asked.found(CHECK).any(|finding| finding.cause == cause)
    };
    page.declarations
        .iter()
        .filter(forced)
        .filter(narrow)
        .map(|declaration| {
            let from = declaration.span.start + plain(&declaration.value).len();
            let reason = format!(
                "{} without !important, so that readers can space text out (line {})",
                declaration.property,
                page.source.line(from)
            );
            Repair::one(CHECK, from..declaration.span.end, "", reason)
        })
        .collect()
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

/// Capitals get room between them: in the rules that make them, or on the elements when other rules say otherwise.
pub(super) fn capitals(asked: &Asked<'_>) -> Vec<Repair> {
    const CHECK: &str = "critic/caps";
    let page = asked.page;
    let tight: Vec<Change<'_>> = page
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
        .map(|declaration| {
            (declaration, declaration.span.end..declaration.span.end, ";letter-spacing:.06em".to_owned())
        })
        .collect();
    let all = together(CHECK, &tight, "capitals spaced by .06em");
    if let Some(all) = all.filter(|all| asked.is_open(all)) {
        return vec![all];
    }
    let why = "capitals need room between them";
    style_elements(asked, CHECK, &asked.elements(CHECK), "letter-spacing:.06em", why)
        .into_iter()
        .map(Repair::visible)
        .collect()
}

/// One visible repair out of the same change in several places.
fn together(check: &'static str, changes: &[Change<'_>], what: &str) -> Option<Repair> {
    let ((first, span, text), rest) = changes.split_first()?;
    let name = if first.selector.is_empty() { "a style attribute" } else { &first.selector };
    let mut repair = Repair::one(check, span.clone(), text.clone(), place_of(what, name, rest.len()));
    repair.edits.extend(rest.iter().map(|(_, span, text)| (span.clone(), text.clone())));
    Some(repair.visible())
}

fn place_of(what: &str, name: &str, more: usize) -> String {
    if more == 0 { format!("{what} ({name})") } else { format!("{what} ({name} and {more} more)") }
}
