//! What a brand declares: read from DESIGN.md and the token files beside it, leniently, with a word for each line that
//! was passed over.
//!
//! Of each kind of token the first source that has any is used: the front matter of DESIGN.md, a `tokens.css` that the
//! page takes its properties from, a tokens file, the prose of DESIGN.md, and last a `tokens.css` that the page does not
//! know. Where sources contradict each other, that is said.

mod drift;
mod facts;
mod front_matter;
mod kind;
mod prose;
mod role;
mod sheet;
mod tokens_css;
mod tokens_json;
mod value;

use std::fmt::Write as _;

pub use drift::BrandDrift;
pub use facts::{BrandColour, BrandReport, brand};
pub(crate) use front_matter::front_matter;
pub use kind::{NoDesign, no_design};
pub use role::{Jobs, PaletteJob};
pub use sheet::{ColourToken, Origin};
pub use value::is_generic;

use jury_core::line::counted;

use crate::colour::Rgb;
use sheet::Sheet;

/// Files of tokens that may lie beside a DESIGN.md, by name.
pub const TOKEN_FILES: [&str; 3] = ["tokens.css", "design-tokens.json", "tokens.json"];

/// The address of a token file that lies beside DESIGN.md and not beside the page. A page cannot ask for it: it is the
/// address of nothing.
pub fn beside_design(name: &str) -> String {
    format!("design:{name}")
}

/// How many lines that were passed over are told in the transcript.
const SHOWN_WARNINGS: usize = 5;

/// How many properties of a `tokens.css` a page must declare to be made from it.
const SHARED_NAMES: usize = 3;

/// What a brand declares.
#[derive(Debug, Clone, PartialEq)]
pub struct Brand {
    /// Where its colours came from, or its families when it has none.
    pub origin: Origin,
    /// Where its families came from.
    pub families_origin: Origin,
    /// Where sizes, radii and distances came from.
    pub scale_origin: Origin,
    /// Opaque colours, each once.
    pub colours: Vec<Rgb>,
    /// All colours with their names.
    pub tokens: Vec<ColourToken>,
    /// Families of type, as they are written.
    pub families: Vec<String>,
    /// Type sizes in pixels.
    pub sizes: Vec<f32>,
    /// The radii, in pixels.
    pub radii: Vec<f32>,
    /// The distances, in pixels.
    pub spacings: Vec<f32>,
    /// The grid that distances are multiples of.
    pub base: Option<f32>,
    /// Colours that must not be used.
    pub banned: Vec<ColourToken>,
    /// What the colours are for.
    pub jobs: Jobs,
    /// Lines that were passed over.
    pub warnings: Vec<String>,
    /// Where sources contradict each other.
    pub drifts: Vec<BrandDrift>,
}

impl Brand {
    /// Reads the DESIGN.md that a page should follow, and the token files beside it. Absent without one, or when nothing
    /// can be measured. `beside` gives the bytes of a file by its address.
    pub fn of<'f>(
        design: Option<&str>,
        beside: impl Fn(&str) -> Option<&'f [u8]>,
        page: &str,
    ) -> Option<Self> {
        let design = design?;
        let front = front_matter::read(design);
        let prose = prose::read(design, front_matter(design).map_or(0, |front| front.body));
        let file = |name: &str| {
            let bytes = beside(&beside_design(name)).or_else(|| beside(name))?;
            Some(String::from_utf8_lossy(bytes).into_owned())
        };
        let css = file("tokens.css");
        let json = file("design-tokens.json").or_else(|| file("tokens.json"));
        let tokens_css = css.as_deref().map(tokens_css::read);
        let embedded = css.as_deref().is_some_and(|css| embeds(page, css));
        let tokens_json = json.as_deref().map(tokens_json::read);
        let mut sheets: Vec<Sheet> = vec![front];
        let mut unknown = None;
        match tokens_css {
            Some(sheet) if embedded => sheets.push(sheet),
            other => unknown = other,
        }
        sheets.extend(tokens_json);
        sheets.push(prose);
        sheets.extend(unknown);
        Self::from_sheets(&sheets)
    }

    /// What was read from where, for people: which file was used, how much was in it, and what was passed over.
    pub fn sources(&self) -> String {
        let mut said = format!(
            "Brand read from {}: {}, {} from {}.",
            self.origin.words(),
            counted(self.tokens.len(), "colour", "colours"),
            counted(self.families.len(), "family", "families"),
            self.families_origin.words()
        );
        let scale = [("sizes", &self.sizes), ("radii", &self.radii), ("distances", &self.spacings)];
        let scale: Vec<String> = scale
            .iter()
            .filter(|(_, list)| !list.is_empty())
            .map(|(name, list)| format!("{} {name}", list.len()))
            .collect();
        if !scale.is_empty() {
            let _ = write!(said, " Scale from {}: {}.", self.scale_origin.words(), scale.join(", "));
        }
        for warning in self.warnings.iter().take(SHOWN_WARNINGS) {
            let _ = write!(said, " {warning}.");
        }
        if self.warnings.len() > SHOWN_WARNINGS {
            let _ = write!(
                said,
                " {} passed over.",
                counted(self.warnings.len() - SHOWN_WARNINGS, "more line was", "more lines were")
            );
        }
        said
    }

    fn from_sheets(sheets: &[Sheet]) -> Option<Self> {
        let used = sheets.iter().position(|sheet| !sheet.is_empty())?;
        let with = |has: &dyn Fn(&Sheet) -> bool| sheets.iter().find(|sheet| has(sheet));
        let first = sheets.get(used)?;
        let colours = with(&|sheet| !sheet.colours.is_empty());
        let families = with(&|sheet| !sheet.families.is_empty());
        let sizes = with(&|sheet| sheet.sizes.list.len() >= 3);
        let spacings = with(&|sheet| sheet.spacings.list.len() >= 3);
        let radii = with(&|sheet| !sheet.radii.list.is_empty());
        let scale = [sizes, spacings, radii].into_iter().flatten().map(|sheet| sheet.origin).max();
        let palette = colours.unwrap_or(first);
        let mut opaque: Vec<Rgb> = Vec::new();
        for token in palette.colours.iter().filter(|token| token.alpha >= 1.0) {
            opaque.push(token.colour);
        }
        Some(Self {
            origin: palette.origin,
            families_origin: families.unwrap_or(first).origin,
            scale_origin: scale.unwrap_or(first.origin),
            colours: opaque,
            tokens: palette.colours.clone(),
            families: families.map(|sheet| sheet.families.clone()).unwrap_or_default(),
            sizes: sizes.map(|sheet| sheet.sizes.list.clone()).unwrap_or_default(),
            radii: radii.map(|sheet| sheet.radii.list.clone()).unwrap_or_default(),
            spacings: spacings.map(|sheet| sheet.spacings.list.clone()).unwrap_or_default(),
            base: sheets.iter().find_map(|sheet| sheet.base),
            banned: sheets.iter().flat_map(|sheet| sheet.banned.clone()).collect(),
            jobs: palette.jobs.clone(),
            warnings: sheets.iter().flat_map(|sheet| sheet.warnings.clone()).collect(),
            drifts: sheets
                .iter()
                .enumerate()
                .filter(|(index, sheet)| *index != used && !sheet.is_empty())
                .flat_map(|(_, other)| drift::between(first, other))
                .collect(),
        })
    }
}

/// Whether a page takes its properties from this `tokens.css`: it names the file, or declares the same properties.
fn embeds(page: &str, css: &str) -> bool {
    if page.contains("tokens.css") {
        return true;
    }
    let theirs = tokens_css::names(css);
    let own = tokens_css::names_in_page(page);
    let shared = theirs.intersection(&own).count();
    shared >= SHARED_NAMES.min(theirs.len()) && shared > 0
}
