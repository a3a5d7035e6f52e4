//! Sources of one brand that contradict each other. It is a fault of the sources and not of the page, and whoever
//! follows one of them breaks the other.

use super::role::PaletteJob;
use super::sheet::Sheet;
use super::value;

/// Colours further apart than this are two colours.
const SAME: f64 = 0.02;

/// A contradiction between two sources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrandDrift {
    /// What says one thing in one file and another in the other.
    pub subject: &'static str,
    /// The file that is used.
    pub used: &'static str,
    /// The file that contradicts it.
    pub other: &'static str,
    /// In words, with the values.
    pub what: String,
}

/// What `other` says that is nowhere in `used`. A colour that the used source knows by another name is no contradiction.
pub(super) fn between(used: &Sheet, other: &Sheet) -> Vec<BrandDrift> {
    let mut drifts = Vec::new();
    let (here, there) = (used.origin.words(), other.origin.words());
    let mut push = |subject, what| {
        drifts.push(BrandDrift { subject, used: here, other: there, what });
    };
    if used.colours.len() >= 3 {
        for job in [PaletteJob::Accent, PaletteJob::Background, PaletteJob::Foreground] {
            let Some(colour) = other.jobs.named(job) else { continue };
            let lab = colour.oklab();
            if used.colours.iter().any(|token| token.colour.oklab().distance(lab) <= SAME) {
                continue;
            }
            let own = used.jobs.get(job).map_or_else(String::new, |own| format!(", which has {}", own.hex()));
            push(job.word(), format!("{} {} of {there} is nowhere in {here}{own}", job.word(), colour.hex()));
        }
    }
    let named = |sheet: &Sheet| -> Vec<String> {
        sheet.families.iter().filter(|family| !value::is_generic(family)).cloned().collect()
    };
    let (mine, theirs) = (named(used), named(other));
    let same = |family: &String| mine.iter().any(|own| same_family(own, family));
    if let (Some(own), Some(first)) = (mine.first(), theirs.first())
        && !theirs.iter().take(4).any(same)
    {
        push("fonts", format!("fonts: {there} has {first}, {here} has {own}"));
    }
    drifts
}

/// Whether two names are of one family: `Inter` and `Inter Tight` are.
fn same_family(one: &str, other: &str) -> bool {
    let fold = |name: &str| -> String {
        name.chars().filter(|ch| ch.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let (one, other) = (fold(one), fold(other));
    !one.is_empty()
        && !other.is_empty()
        && (one == other || one.starts_with(&other) || other.starts_with(&one))
}
