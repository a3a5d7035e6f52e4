//! Repairs towards the brand: colours that miss a token by a little, families that are not its own. Readers come
//! first: what would take contrast away is refused by the guard, and a token no text can be read in is told as a
//! defect of the DESIGN.md.

use std::collections::BTreeMap;

use jury_core::unit::ContrastRatio;
use jury_text::brand::Brand;
use jury_text::colour::{Rgb, contrast};
use jury_text::css_colour;

use crate::page::Page;
use crate::text_run::Verdict;

use super::edit::Repair;
use super::{Asked, Ways};

/// The distance within which a colour is the token.
const SAME: f64 = 0.02;

/// The distance up to which a colour was meant to be the token.
const MEANT: f64 = 0.08;

/// Colours are snapped in one go at most this many at a time.
const MAX_COLOURS: usize = 60;

/// Colours near a token become the token.
pub(super) fn colours(asked: &Asked<'_>) -> Vec<Ways> {
    let page = asked.page;
    let Some(brand) = page.brand() else { return Vec::new() };
    let mut ways = Vec::new();
    for declaration in &page.declarations {
        for (start, end, written) in css_colour::find_all(&declaration.value) {
            let Some((token, distance)) = nearest(brand, written.rgb) else { continue };
            if written.alpha < 1.0 || !(SAME..MEANT).contains(&distance) {
                continue;
            }
            let (from, to) = (declaration.span.start + start, declaration.span.start + end);
            ways.push(vec![Repair::one(
                "brand/colour",
                from..to,
                token.hex(),
                format!(
                    "{} {} to the token {}, {distance:.3} away (line {})",
                    declaration.property,
                    written.rgb.hex(),
                    token.hex(),
                    page.source.line(from)
                ),
            )]);
        }
        if ways.len() >= MAX_COLOURS {
            break;
        }
    }
    ways
}

fn nearest(brand: &Brand, colour: Rgb) -> Option<(Rgb, f64)> {
    let lab = colour.oklab();
    brand
        .colours
        .iter()
        .map(|token| (*token, token.oklab().distance(lab)))
        .min_by(|one, other| one.1.total_cmp(&other.1))
}

/// Text in other families gets the brand's first one in front; what was written stays as what to fall back on.
pub(super) fn fonts(asked: &Asked<'_>) -> Vec<Ways> {
    let page = asked.page;
    let Some(family) = page.brand().and_then(|brand| brand.families.first()) else { return Vec::new() };
    let own = |name: &str| {
        page.brand().is_some_and(|brand| brand.families.iter().any(|known| known.eq_ignore_ascii_case(name)))
    };
    page.declarations
        .iter()
        .filter(|declaration| {
            declaration.property == "font-family" && !declaration.value.contains("monospace")
        })
        .filter_map(|declaration| {
            let first = declaration.value.split(',').next()?.trim().trim_matches(['"', '\'']);
            if own(first) || first.starts_with("var(") || matches!(first, "inherit" | "initial" | "unset") {
                return None;
            }
            let at = declaration.span.start;
            let reason = format!(
                "{family} in front of {first}, which the brand does not have (line {})",
                page.source.line(at)
            );
            // Quotes of the other kind than those of a style attribute.
            let quoted = if declaration.selector.is_empty() {
                format!("'{family}', ")
            } else {
                format!("\"{family}\", ")
            };
            Some(vec![Repair::insert("brand/font", at, quoted, reason).visible()])
        })
        .take(MAX_COLOURS)
        .collect()
}

/// Pairs of tokens that the page uses for text and its backdrop and in which no text can be read: no page can follow
/// both the brand and its readers there.
pub(super) fn defects(page: &Page<'_>) -> Vec<String> {
    let Some(brand) = page.brand() else { return Vec::new() };
    let token = |colour: Rgb| {
        nearest(brand, colour).filter(|(_, distance)| *distance <= SAME).map(|(token, _)| token)
    };
    let mut pairs: BTreeMap<(String, String), (f64, f64)> = BTreeMap::new();
    for run in page.runs.iter().filter(|run| run.verdict == Verdict::Fails && run.alpha >= 1.0) {
        let ([foreground], Some(backdrop)) = (&run.foregrounds[..], run.only_backdrop()) else { continue };
        let (Some(foreground), Some(backdrop)) = (token(*foreground), token(backdrop)) else { continue };
        let ratio = contrast(foreground, backdrop);
        if ratio < run.required {
            let slot = pairs.entry((foreground.hex(), backdrop.hex())).or_insert((ratio, run.required));
            slot.1 = slot.1.max(run.required);
        }
    }
    pairs
        .into_iter()
        .map(|((text, backdrop), (ratio, needs))| {
            format!(
                "DESIGN.md: {text} on {backdrop} has {}, text needs {needs}:1; the page has to leave the token",
                ContrastRatio(ratio)
            )
        })
        .collect()
}
