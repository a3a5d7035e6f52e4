//! A brand as plain data: for reports, and for whoever wants to see what was read.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Brand, ColourToken, PaletteJob};

/// What was read of a brand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BrandReport {
    /// The file, or the part of it, that the colours were taken from.
    pub source: String,
    /// Colours with their names.
    pub colours: Vec<BrandColour>,
    /// What the colours are for, as far as their names tell: `accent` and `#e4572e`.
    pub roles: BTreeMap<String, String>,
    /// The families of type.
    pub families: Vec<String>,
    /// Type sizes in pixels.
    pub sizes: Vec<f32>,
    /// The radii, in pixels.
    pub radii: Vec<f32>,
    /// The distances, in pixels.
    pub spacings: Vec<f32>,
    /// The grid that distances are multiples of, in pixels.
    pub base: Option<f32>,
    /// Colours that must not be used.
    pub banned: Vec<BrandColour>,
    /// Lines that were passed over, each with its file.
    pub warnings: Vec<String>,
    /// Where sources contradict each other.
    pub drift: Vec<String>,
}

/// A colour of a brand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BrandColour {
    /// As its source calls it; for a colour that must not be used, the words that say so.
    pub name: String,
    /// The colour as `#rrggbb`.
    pub hex: String,
    /// Its opacity, 0 to 1.
    pub alpha: f64,
}

impl From<&ColourToken> for BrandColour {
    fn from(token: &ColourToken) -> Self {
        Self { name: token.name.clone(), hex: token.colour.hex(), alpha: token.alpha }
    }
}

impl From<&Brand> for BrandReport {
    fn from(brand: &Brand) -> Self {
        let colours = |tokens: &[ColourToken]| tokens.iter().map(BrandColour::from).collect();
        let role = |job: PaletteJob| Some((job.word().to_owned(), brand.jobs.get(job)?.hex()));
        Self {
            source: brand.origin.words().to_owned(),
            colours: colours(&brand.tokens),
            roles: PaletteJob::ALL.into_iter().filter_map(role).collect(),
            families: brand.families.clone(),
            sizes: brand.sizes.clone(),
            radii: brand.radii.clone(),
            spacings: brand.spacings.clone(),
            base: brand.base,
            banned: colours(&brand.banned),
            warnings: brand.warnings.clone(),
            drift: brand.drifts.iter().map(|drift| drift.what.clone()).collect(),
        }
    }
}

/// Reads the brand that a page should follow: a DESIGN.md and the token files beside it. None when nothing in them can be
/// measured. `beside` gives the bytes of a file by its address.
pub fn brand<'f>(design: &str, beside: impl Fn(&str) -> Option<&'f [u8]>, page: &str) -> Option<BrandReport> {
    Brand::of(Some(design), beside, page).as_ref().map(BrandReport::from)
}
