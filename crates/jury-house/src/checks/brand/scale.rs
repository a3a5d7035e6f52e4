//! Whether type sizes, radii and distances are steps of the declared scales.

use std::collections::BTreeMap;

use crate::brand::Brand;
use crate::checks::distances;
use crate::finding::{Finding, Measure, Outcome, Severity, count};
use crate::page::Page;

/// How far a value may be from a step.
const TOLERANCE: f32 = 0.5;

/// From here on corners are round whatever the figure says.
const PILL: f32 = 100.0;

/// A kind of value: how much of it there is, how much is off, and the commonest of those.
struct Part {
    name: &'static str,
    total: f64,
    off: f64,
    worst: Option<f32>,
}

pub(in crate::checks) fn scale(page: &Page<'_>) -> Outcome {
    let Some(brand) = page.brand() else { return Outcome::not_applicable() };
    let parts: Vec<Part> = [sizes(page, brand), radii(page, brand), spacings(page, brand)]
        .into_iter()
        .flatten()
        .filter(|part| part.total > 0.0)
        .collect();
    if parts.is_empty() {
        return Outcome::not_applicable();
    }
    let failing = parts.iter().map(|part| part.off / part.total).sum::<f64>() / count(parts.len());
    let notes: Vec<String> = parts
        .iter()
        .map(|part| {
            let on = ((1.0 - part.off / part.total) * 100.0 + 1e-9).floor();
            let worst = part.worst.map_or_else(String::new, |worst| format!(", {worst} px is no step"));
            format!("{on:.0} % of {} on the scale{worst}", part.name)
        })
        .collect();
    let findings = parts
        .iter()
        .filter_map(|part| {
            let share = part.off / part.total;
            let what = format!(
                "{:.0} % of {} are no step of {}, commonest {} px, needs a step within {TOLERANCE} px",
                (share * 100.0).ceil(),
                part.name,
                brand.scale_origin.words(),
                part.worst?
            );
            Some(Finding::page(Severity::Minor, what).because(part.name).figure("share", share, ""))
        })
        .collect();
    Outcome {
        measure: Measure::Share { failing, unknown: 0.0, total: 1.0, zero_at: 1.0 },
        note: notes.join("; "),
        findings,
        undecided: Vec::new(),
    }
}

fn part(name: &'static str, values: impl Iterator<Item = (f32, f64)>, on: impl Fn(f32) -> bool) -> Part {
    let mut total = 0.0;
    let mut off: BTreeMap<u32, f64> = BTreeMap::new();
    for (value, weight) in values {
        total += weight;
        if !on(value) {
            *off.entry(((value * 10.0).round() / 10.0).to_bits()).or_default() += weight;
        }
    }
    let worst =
        off.iter().max_by(|one, other| one.1.total_cmp(other.1)).map(|(bits, _)| f32::from_bits(*bits));
    Part { name, total, off: off.values().sum(), worst }
}

fn is_step(steps: &[f32], value: f32) -> bool {
    steps.iter().any(|step| (step - value).abs() <= TOLERANCE)
}

fn sizes(page: &Page<'_>, brand: &Brand) -> Option<Part> {
    let runs = page.runs.iter().filter_map(|run| {
        let style = page.node(run.node)?.style.as_ref()?;
        Some((style.font_size, count(run.characters)))
    });
    (!brand.sizes.is_empty()).then(|| part("type sizes", runs, |size| is_step(&brand.sizes, size)))
}

fn spacings(page: &Page<'_>, brand: &Brand) -> Option<Part> {
    let known = brand.spacings.len() >= 3 || brand.base.is_some();
    let values = distances(page).into_iter().map(|distance| (distance, 1.0));
    known.then(|| {
        part("distances", values, |distance| {
            let on_grid = brand.base.is_some_and(|base| {
                let rest = distance % base;
                rest <= TOLERANCE || base - rest <= TOLERANCE
            });
            // Hairlines are drawn and not measured out.
            distance <= 2.0 || on_grid || is_step(&brand.spacings, distance)
        })
    })
}

/// Radii as they are written: no check needs them as they are used.
fn radii(page: &Page<'_>, brand: &Brand) -> Option<Part> {
    let radii = page.declarations.iter().filter(|declaration| {
        declaration.property.starts_with("border-") && declaration.property.ends_with("radius")
    });
    let values = radii.flat_map(|declaration| {
        // `50%` and `var(...)` are no figures.
        declaration.value.split_whitespace().filter_map(|part| part.strip_suffix("px")?.parse::<f32>().ok())
    });
    let values = values.filter(|radius| *radius > 0.0).map(|radius| (radius, 1.0));
    let pills = brand.radii.iter().any(|radius| *radius >= PILL);
    (!brand.radii.is_empty())
        .then(|| part("radii", values, |radius| (radius >= PILL && pills) || is_step(&brand.radii, radius)))
}
