//! Whether type sizes, radii and distances are steps of the declared scales.

use std::collections::BTreeMap;

use jury_text::brand::Brand;

use crate::checks::distances;
use crate::finding::{Finding, Measure, Outcome, Severity, count};
use crate::page::Page;
use crate::rules::plain;

/// How far a value may be from a step.
const TOLERANCE: f32 = 0.5;

/// From here on corners are round whatever the figure says.
const PILL: f32 = 100.0;

/// Distances up to this are hairlines: drawn, and not measured out.
const HAIRLINE: f32 = 2.0;

/// What a scale can be of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Scale {
    Sizes,
    Radii,
    Distances,
}

impl Scale {
    pub(crate) const ALL: [Self; 3] = [Self::Sizes, Self::Radii, Self::Distances];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Sizes => "type sizes",
            Self::Radii => "radii",
            Self::Distances => "distances",
        }
    }

    fn steps(self, brand: &Brand) -> &[f32] {
        match self {
            Self::Sizes => &brand.sizes,
            Self::Radii => &brand.radii,
            Self::Distances => &brand.spacings,
        }
    }

    /// Whether a brand says anything about it.
    fn is_declared(self, brand: &Brand) -> bool {
        match self {
            Self::Sizes | Self::Radii => !self.steps(brand).is_empty(),
            Self::Distances => brand.spacings.len() >= 3 || brand.base.is_some(),
        }
    }

    /// Whether a value is a step of it.
    fn has(self, brand: &Brand, value: f32) -> bool {
        let steps = self.steps(brand);
        let is_step = || steps.iter().any(|step| (step - value).abs() <= TOLERANCE);
        match self {
            Self::Sizes => is_step(),
            Self::Radii => (value >= PILL && steps.iter().any(|step| *step >= PILL)) || is_step(),
            Self::Distances => {
                let on_grid = brand.base.is_some_and(|base| {
                    let rest = value % base;
                    rest <= TOLERANCE || base - rest <= TOLERANCE
                });
                value <= HAIRLINE || on_grid || is_step()
            }
        }
    }

    /// Everything of its kind on a page, each value with how much it counts.
    fn values(self, page: &Page<'_>) -> Vec<(f32, f64)> {
        match self {
            Self::Sizes => page
                .runs
                .iter()
                .filter_map(|run| {
                    let style = page.node(run.node)?.style.as_ref()?;
                    Some((style.font_size, count(run.characters)))
                })
                .collect(),
            Self::Radii => radii(page).map(|radius| (radius, 1.0)).collect(),
            Self::Distances => distances(page).into_iter().map(|distance| (distance, 1.0)).collect(),
        }
    }

    /// The values on a page that are no step, to a tenth of a pixel, each with how much it counts.
    pub(crate) fn strays(self, page: &Page<'_>, brand: &Brand) -> BTreeMap<u32, f64> {
        let mut off: BTreeMap<u32, f64> = BTreeMap::new();
        if self.is_declared(brand) {
            for (value, weight) in self.values(page).into_iter().filter(|(value, _)| !self.has(brand, *value))
            {
                *off.entry(tenths(value)).or_default() += weight;
            }
        }
        off
    }

    /// The step nearest to a value.
    pub(crate) fn nearest(self, brand: &Brand, value: f32) -> Option<f32> {
        let grid = brand.base.filter(|base| self == Self::Distances && *base > 0.0);
        let multiples = grid
            .into_iter()
            .flat_map(|base| [(value / base).floor() * base, (value / base).ceil() * base])
            .filter(|step| *step > 0.0);
        self.steps(brand)
            .iter()
            .copied()
            .chain(multiples)
            .min_by(|one, other| (one - value).abs().total_cmp(&(other - value).abs()))
    }
}

/// A value to a tenth of a pixel, as a key.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "lengths are small and not negative"
)]
pub(crate) fn tenths(value: f32) -> u32 {
    (value * 10.0).round().max(0.0) as u32
}

pub(in crate::checks) fn scale(page: &Page<'_>) -> Outcome {
    let Some(brand) = page.brand() else { return Outcome::not_applicable() };
    let parts: Vec<Part> = Scale::ALL
        .into_iter()
        .map(|scale| Part::of(scale, page, brand))
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
            let mut finding =
                Finding::page(Severity::Minor, what).because(part.name).figure("share", share, "");
            // Each value that is put right helps, before all of them are.
            finding.weight = part.strays;
            Some(finding)
        })
        .collect();
    Outcome {
        measure: Measure::Share { failing, unknown: 0.0, total: 1.0, zero_at: 1.0 },
        note: notes.join("; "),
        findings,
        undecided: Vec::new(),
    }
}

/// A kind of value: how much of it there is, how much is off, and the commonest of those.
struct Part {
    name: &'static str,
    total: f64,
    off: f64,
    /// How many different values are off.
    strays: usize,
    worst: Option<f64>,
}

impl Part {
    fn of(scale: Scale, page: &Page<'_>, brand: &Brand) -> Self {
        let total = if scale.is_declared(brand) {
            scale.values(page).iter().map(|(_, weight)| weight).sum()
        } else {
            0.0
        };
        let off = scale.strays(page, brand);
        let worst = off
            .iter()
            .max_by(|one, other| one.1.total_cmp(other.1))
            .map(|(tenths, _)| f64::from(*tenths) / 10.0);
        Self { name: scale.name(), total, off: off.values().sum(), strays: off.len(), worst }
    }
}

/// Radii as they are written: no check needs them as they are used.
fn radii(page: &Page<'_>) -> impl Iterator<Item = f32> {
    page.declarations
        .iter()
        .filter(|declaration| {
            declaration.property.starts_with("border-") && declaration.property.ends_with("radius")
        })
        // `50%` and `var(...)` are no figures.
        .flat_map(|declaration| plain(&declaration.value).split_whitespace())
        .filter_map(|part| part.strip_suffix("px")?.parse::<f32>().ok())
        .filter(|radius| *radius > 0.0)
}
