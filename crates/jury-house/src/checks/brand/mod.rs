//! Whether a page keeps to what its DESIGN.md declares. Without one there is nothing to keep to, and no score.

mod accent;
mod colour;
mod font;
mod scale;
mod sources;
mod tokens;
mod uses;

pub(super) use accent::accent;
pub(super) use colour::colour;
pub(super) use font::font;
pub(super) use scale::scale;
pub(crate) use scale::{Scale, tenths};
pub(super) use sources::source_drift;
pub(super) use tokens::tokens;
pub(crate) use tokens::{WrittenOut, written_out};

use crate::finding::Severity;
use jury_text::brand::{Brand, Origin};

/// Of pages made for another brand, nine in ten keep to less than this share by accident.
const OWN_SHARE: f64 = 0.66;

/// Of pages made for another brand, most keep to less than this share; none that was made for this one does. Prose is clear
/// enough to say so, however loosely it names things.
const FOREIGN_SHARE: f64 = 0.33;

/// Share off the brand at which a check is worth nothing: what pages of other brands show in the middle.
const ZERO_AT: f64 = 0.6;

/// How many causes are told one by one.
const MOST_FINDINGS: usize = 8;

/// How bad it is to keep to this share of what a source says. Prose names things loosely, and only a page that keeps to
/// hardly any of it is certainly of another brand; sources that contradict each other cannot both be kept to. `told` is
/// how much the source tells: by one or two colours nobody knows a brand.
fn severity(kept: f64, origin: Origin, brand: &Brand, subjects: &[&str], told: usize) -> Severity {
    let contradicted = brand.drifts.iter().any(|drift| subjects.contains(&drift.subject));
    let bound = if origin.declares() { OWN_SHARE } else { FOREIGN_SHARE };
    let enough = origin.declares() || told >= LEAST_TOLD;
    match (kept < OWN_SHARE, kept < bound && enough && !contradicted) {
        (true, true) => Severity::Serious,
        (true, false) => Severity::Moderate,
        (false, _) => Severity::Minor,
    }
}

/// Prose with fewer colours than this describes a mood and no palette.
const LEAST_TOLD: usize = 3;
