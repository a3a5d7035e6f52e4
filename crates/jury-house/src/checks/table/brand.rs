//! Checks of the brand.

use crate::checks::{About, Check, RepairKind, brand};
use crate::finding::Severity;

use super::check;

const COLOUR: About = About {
    title: "The page uses the colours of its brand",
    measures: "The declared colour of text, weighted by characters, and of fills, weighted by the area that is not painted over, each half. A colour is the token within 0.02 of it in OKLab, or as a token with an opacity looks over a token. Serious below 66 % on the brand when the tokens are declared and no source contradicts them; when they are only described, moderate, and serious below 33 % of three colours or more",
    exempt: "Pictures. Opacity: what is laid over another colour counts as the colour it is declared with",
    exposure: "Characters and area, half each; worth nothing when 60 % is off the brand, which is the middle of pages made for another one",
    sources: &["DESIGN.md of the page", "https://www.w3.org/TR/css-color-4/#color-difference-OK"],
    act: &[],
    axe: &[],
    repair: RepairKind::Automatic,
};

const ACCENT: About = About {
    title: "The accent stays an accent, and forbidden colours stay away",
    measures: "For each screen of 1280 x 800 the area filled with the accent, at most 10 %; and each colour that a Don't of DESIGN.md names and its palette does not have, which must not be in use",
    exempt: "Accents without a hue or within 0.05 of text, surface or background: they are the ink of their brand",
    exposure: "Screens and forbidden colours; worth nothing when all of them fail",
    sources: &["DESIGN.md of the page"],
    act: &[],
    axe: &[],
    repair: RepairKind::None,
};

const FONT: About = About {
    title: "The page is set in the families of its brand",
    measures: "The first family of the stack that each text is set in, weighted by characters. Serious below 66 % in declared families when they are declared and no source contradicts them; moderate when they are only described",
    exempt: "Variable cuts count as their family; a generic family counts only where the brand puts it first",
    exposure: "Characters; worth nothing when 60 % is in other families",
    sources: &["DESIGN.md of the page"],
    act: &[],
    axe: &[],
    repair: RepairKind::Automatic,
};

const SCALE: About = About {
    title: "Sizes, radii and distances are steps of the brand's scales",
    measures: "Type sizes by characters, radii as written, and distances, each within 0.5 px of a declared step or, for distances, of a multiple of the declared base",
    exempt: "Kinds for which nothing is declared; distances up to 2 px; radii in per cent; any round corner where a round one is declared",
    exposure: "The mean of the kinds that are declared; worth nothing when everything is off",
    sources: &["DESIGN.md of the page"],
    act: &[],
    axe: &[],
    repair: RepairKind::Automatic,
};

const TOKENS: About = About {
    title: "Colours are taken from properties where there is one",
    measures: "Colours written out in rules and style attributes that have exactly the value of a custom property of the page or of a style sheet it links",
    exempt: "The declarations of custom properties themselves, texts, addresses and what a var() falls back on; pages without any property",
    exposure: "Colours written out beside those taken from properties; worth nothing when all are written out",
    sources: &["DESIGN.md of the page"],
    act: &[],
    axe: &[],
    repair: RepairKind::Automatic,
};

const DRIFT: About = About {
    title: "The sources of the brand agree",
    measures: "Accent, background and text colour and the families of each source: the front matter and prose of DESIGN.md, tokens.css, a tokens file. A colour that is nowhere in the source that is used, or families with none in common, contradict it",
    exempt: "Colours that the used source has under another name",
    exposure: "Holds or does not; nothing is earned by agreeing",
    sources: &["DESIGN.md of the page and the files beside it"],
    act: &[],
    axe: &[],
    repair: RepairKind::None,
};

/// In the order in which they are reported.
pub(in crate::checks) const BRAND: &[Check] = &[
    check("brand/colour", "colour", Severity::Serious, brand::colour, COLOUR),
    check("brand/accent", "colour", Severity::Minor, brand::accent, ACCENT),
    check("brand/source-drift", "colour", Severity::Minor, brand::source_drift, DRIFT),
    check("brand/font", "type", Severity::Serious, brand::font, FONT),
    check("brand/scale", "shape", Severity::Minor, brand::scale, SCALE),
    check("brand/tokens", "shape", Severity::Minor, brand::tokens, TOKENS),
];
