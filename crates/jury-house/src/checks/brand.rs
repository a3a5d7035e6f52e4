//! Whether a page keeps to the colours and families its DESIGN.md declares.

use std::collections::BTreeMap;

use crate::brand::Origin;
use crate::colour::Rgb;
use crate::finding::{Finding, Measure, Outcome, Severity, count};
use crate::page::Page;

/// The distance within which a colour is the token.
const SAME_COLOUR: f64 = 0.02;

/// Of pages made for another brand, nine in ten keep to less than this share by accident.
const OWN_SHARE: f64 = 0.66;

/// Off-palette share at which the check is worth nothing: what pages of other brands show in the middle.
const ZERO_AT: f64 = 0.6;

pub(super) fn colour(page: &Page<'_>) -> Outcome {
    let Some(brand) = page.brand().filter(|brand| !brand.colours.is_empty()) else {
        return Outcome::not_applicable();
    };
    let tokens: Vec<_> = brand.colours.iter().map(|colour| colour.oklab()).collect();
    let mut uses: BTreeMap<[u8; 3], usize> = BTreeMap::new();
    for run in &page.runs {
        for colour in run.foregrounds.first().into_iter().chain(run.only_backdrop().as_ref()) {
            *uses.entry(colour.bytes()).or_default() += run.characters;
        }
    }
    let total: usize = uses.values().sum();
    let mut off: Vec<(usize, Rgb, f64)> = uses
        .iter()
        .filter_map(|(bytes, characters)| {
            let colour = Rgb::from_bytes(*bytes);
            let lab = colour.oklab();
            let nearest = tokens.iter().map(|token| token.distance(lab)).fold(f64::INFINITY, f64::min);
            (nearest > SAME_COLOUR).then_some((*characters, colour, nearest))
        })
        .collect();
    off.sort_by_key(|(characters, _, _)| std::cmp::Reverse(*characters));
    let failing: usize = off.iter().map(|(characters, _, _)| characters).sum();
    share_of_brand(
        failing,
        total,
        brand.origin,
        off.first().map(|(_, colour, distance)| {
            format!("{} is {distance:.3} from the nearest token, allowed {SAME_COLOUR}", colour.hex())
        }),
        "colour uses",
    )
}

pub(super) fn font(page: &Page<'_>) -> Outcome {
    let Some(brand) = page.brand().filter(|brand| !brand.families.is_empty()) else {
        return Outcome::not_applicable();
    };
    let mut off: BTreeMap<String, usize> = BTreeMap::new();
    let mut total = 0;
    for run in &page.runs {
        let Some(style) = page.node(run.node).and_then(|node| node.style.as_ref()) else {
            continue;
        };
        total += run.characters;
        let first = style.font_families.first().cloned().unwrap_or_default();
        if !brand.families.iter().any(|family| family.eq_ignore_ascii_case(&first)) {
            *off.entry(first).or_default() += run.characters;
        }
    }
    let failing: usize = off.values().sum();
    let worst = off
        .iter()
        .max_by_key(|(_, characters)| **characters)
        .map(|(family, characters)| format!("{family} on {characters} characters is not declared"));
    share_of_brand(failing, total, brand.origin, worst, "characters")
}

fn share_of_brand(
    failing: usize,
    total: usize,
    origin: Origin,
    worst: Option<String>,
    unit: &str,
) -> Outcome {
    if total == 0 {
        return Outcome::not_applicable();
    }
    let kept = 1.0 - count(failing) / count(total);
    let mut note = format!("{:.0} % of {total} {unit} on brand", (kept * 100.0).floor());
    if let Some(worst) = &worst {
        note.push_str("; ");
        note.push_str(worst);
    }
    // Prose names colours loosely, so what it does not name is no proof of a fault.
    let severity = match origin {
        Origin::FrontMatter if kept < OWN_SHARE => Severity::Serious,
        Origin::FrontMatter => Severity::Minor,
        Origin::Prose if kept < OWN_SHARE => Severity::Moderate,
        Origin::Prose => Severity::Minor,
    };
    let findings = worst
        .map(|worst| {
            Finding::page(
                severity,
                format!(
                    "{:.0} % of {unit} on brand, needs {:.0} %: {worst}",
                    (kept * 100.0).floor(),
                    OWN_SHARE * 100.0
                ),
            )
        })
        .into_iter()
        .collect();
    Outcome {
        measure: Measure::Share {
            failing: count(failing),
            unknown: 0.0,
            total: count(total),
            zero_at: ZERO_AT,
        },
        note,
        findings,
        undecided: Vec::new(),
    }
}
