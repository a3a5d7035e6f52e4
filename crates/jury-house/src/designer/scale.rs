//! Repairs towards the declared scales: a size, radius or distance that misses a step by a little takes it.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use crate::checks::{Scale, tenths};
use crate::css::Declaration;
use crate::page::Page;

use super::edit::Repair;
use super::length::lengths;
use super::{Asked, Visible, Ways};

/// How far a length may be moved. What is further off was meant.
const NEAR_PX: f32 = 2.0;

/// Text is never brought below this.
const SMALLEST_TEXT_PX: f32 = 12.0;

/// Values moved at a time, the most written first: each that is refused costs measurements.
const MOST_VALUES: usize = 6;

/// Everything that is written with one value, and the step it should be.
type Places = BTreeMap<(Scale, u32), (f32, Vec<(Range<usize>, String)>)>;

/// Lengths near a step become the step, all of one value at once.
pub(super) fn steps(asked: &Asked<'_>) -> Vec<Ways> {
    let page = asked.page;
    let mut places: Vec<_> = misses(page).into_iter().collect();
    places.sort_by_key(|(key, (_, edits))| (Reverse(edits.len()), *key));
    places.truncate(MOST_VALUES);
    places
        .into_iter()
        .map(|((scale, value), (step, edits))| {
            let line = edits.first().map_or(1, |(span, _)| page.source.line(span.start));
            let reason = format!(
                "{} of {} px moved to the step {step} px (first on line {line})",
                scale.name(),
                f64::from(value) / 10.0
            );
            // Corners take no room.
            let visible = if scale == Scale::Radii { Visible::No } else { Visible::Slightly };
            vec![Repair { edits, visible, ..Repair::one("brand/scale", 0..0, "", reason) }]
        })
        .collect()
}

fn misses(page: &Page<'_>) -> Places {
    let mut places = Places::new();
    let Some(brand) = page.brand() else { return places };
    let strays: BTreeMap<Scale, _> =
        Scale::ALL.into_iter().map(|scale| (scale, scale.strays(page, brand))).collect();
    for declaration in page.declarations.iter().filter(|declaration| !declaration.within.contains("print")) {
        // Only what is seen on the page: a rule that reaches nothing is not put right.
        let mut lengths = lengths(page, declaration);
        lengths.retain(|length| strays.values().any(|strays| strays.contains_key(&tenths(length.pixels))));
        if lengths.is_empty() {
            continue;
        }
        let Some(scale) = scale_of(page, declaration) else { continue };
        for length in lengths {
            let key = tenths(length.pixels);
            let seen = strays.get(&scale).is_some_and(|strays| strays.contains_key(&key));
            let Some(step) = scale.nearest(brand, length.pixels) else { continue };
            let allowed = match scale {
                Scale::Sizes => step >= SMALLEST_TEXT_PX || step > length.pixels,
                Scale::Radii => true,
                // What lies beside a block is mostly the remainder of centring, and is not measured.
                Scale::Distances => declaration.property != "margin" || matches!(length.place, (0 | 2, _)),
            };
            if seen && allowed && (step - length.pixels).abs() <= NEAR_PX {
                let slot = places.entry((scale, key)).or_insert((step, Vec::new()));
                slot.1.push((length.span.clone(), length.with(step)));
            }
        }
    }
    places
}

/// Which scale a declaration belongs to. A custom property belongs to that of everything it is used for.
fn scale_of(page: &Page<'_>, declaration: &Declaration) -> Option<Scale> {
    let property = declaration.property.as_str();
    if !property.starts_with("--") {
        return scale_of_property(property);
    }
    let mut scales = page.declarations.iter().filter(|user| asks_for(user, property)).map(|user| {
        // By way of another property, or in a calculation, it may be anything.
        scale_of_property(&user.property).filter(|_| !user.value.contains("calc"))
    });
    let first = scales.next()??;
    scales.all(|scale| scale == Some(first)).then_some(first).filter(|scale| *scale != Scale::Radii)
}

fn asks_for(declaration: &Declaration, name: &str) -> bool {
    declaration.value.match_indices(name).any(|(at, _)| {
        let before = declaration.value.get(..at).unwrap_or_default().trim_end();
        let after = declaration.value.get(at + name.len()..).unwrap_or_default();
        before.ends_with("var(") && after.trim_start().starts_with([')', ','])
    })
}

fn scale_of_property(property: &str) -> Option<Scale> {
    match property {
        "font-size" => Some(Scale::Sizes),
        "margin" | "margin-top" | "margin-bottom" | "margin-block" | "gap" | "row-gap" | "column-gap"
        | "grid-gap" => Some(Scale::Distances),
        _ if property.starts_with("padding") => Some(Scale::Distances),
        _ if property.starts_with("border-") && property.ends_with("radius") => Some(Scale::Radii),
        _ => None,
    }
}
