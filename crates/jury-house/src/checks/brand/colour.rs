//! The share of text and fills in colours of the brand.

use jury_text::brand::Brand;
use jury_text::colour::{Oklab, Rgb};

use super::uses::{Use, uses};
use super::{MOST_FINDINGS, OWN_SHARE, ZERO_AT, severity};
use crate::finding::{Finding, Measure, Outcome, Severity};
use crate::page::Page;
use std::fmt::Write as _;

/// The distance within which a colour is the token.
pub(super) const SAME_COLOUR: f64 = 0.02;

/// The part of what is seen below which one colour by itself is no must-fix.
const NOTICEABLE: f64 = 0.05;

/// The colours of a brand, to be asked for the nearest.
pub(super) struct Palette<'a> {
    tokens: Vec<(Oklab, &'a str, Rgb)>,
}

impl<'a> Palette<'a> {
    /// The tokens, and those with an opacity also as they look over the opaque ones.
    pub(super) fn of(brand: &'a Brand) -> Self {
        let mut tokens: Vec<(Oklab, &str, Rgb)> = Vec::new();
        for token in &brand.tokens {
            tokens.push((token.colour.oklab(), token.name.as_str(), token.colour));
        }
        // Few tokens have an opacity; the bound keeps a file of hundreds from becoming all colours there are.
        let sheer = brand.tokens.iter().filter(|token| token.alpha < 1.0).take(16);
        for token in sheer {
            for below in brand.colours.iter().take(64) {
                let seen = below.under(token.colour, token.alpha).rounded();
                tokens.push((seen.oklab(), token.name.as_str(), seen));
            }
        }
        Self { tokens }
    }

    /// The nearest token: its distance, its name, its colour.
    pub(super) fn nearest(&self, colour: Rgb) -> Option<(f64, &'a str, Rgb)> {
        let lab = colour.oklab();
        self.tokens
            .iter()
            .map(|(token, name, rgb)| (token.distance(lab), *name, *rgb))
            .min_by(|one, other| one.0.total_cmp(&other.0))
    }
}

pub(in crate::checks) fn colour(page: &Page<'_>) -> Outcome {
    let Some(brand) = page.brand().filter(|brand| !brand.tokens.is_empty()) else {
        return Outcome::not_applicable();
    };
    let palette = Palette::of(brand);
    let uses = uses(page);
    let characters: f64 = uses.values().map(|used| used.characters).sum();
    let area: f64 = uses.values().map(|used| used.area).sum();
    if characters <= 0.0 || area <= 0.0 {
        return Outcome::not_applicable();
    }
    // Half of it is what is read, half what is seen behind it.
    let part = |used: &Use| 0.5 * used.characters / characters + 0.5 * used.area / area;
    let mut off: Vec<_> = uses
        .iter()
        .filter_map(|(bytes, used)| {
            let colour = Rgb::from_bytes(*bytes);
            let nearest = palette.nearest(colour)?;
            (nearest.0 > SAME_COLOUR).then(|| (part(used), colour, used, nearest))
        })
        .collect();
    off.sort_by(|one, other| other.0.total_cmp(&one.0));
    let failing: f64 = off.iter().map(|(part, ..)| part).sum::<f64>().min(1.0);
    let kept = 1.0 - failing;
    let worst = severity(kept, brand.origin, brand, &["accent", "background", "text"], brand.colours.len());
    let percent = (kept * 100.0 + 1e-9).floor();
    let mut note = format!("{percent:.0} % of text and fills in colours of {}", brand.origin.words());
    if let Some((_, colour, _, (distance, name, _))) = off.first() {
        let _ = write!(
            note,
            "; {} is {distance:.3} from the nearest token{}, allowed {SAME_COLOUR}",
            colour.hex(),
            named(name)
        );
    }
    let mut findings: Vec<Finding> = off
        .iter()
        .take(MOST_FINDINGS)
        .map(|(part, colour, used, (distance, name, nearest))| {
            let severity = if *part >= NOTICEABLE { worst } else { Severity::Minor };
            let what = format!(
                "{} on {:.0} % of what is seen is {distance:.3} from the nearest token {}{}, needs {SAME_COLOUR}",
                colour.hex(),
                (part * 100.0).ceil(),
                nearest.hex(),
                named(name),
            );
            Finding::on(severity, used.nodes.clone(), what)
                .because(colour.hex())
                .figure("distance", *distance, "ΔE_OK")
                .figure("allowed", SAME_COLOUR, "ΔE_OK")
                .figure("share", *part, "")
        })
        .collect();
    if worst == Severity::Serious && !findings.iter().any(|finding| finding.severity == Severity::Serious) {
        // Many small departures are one large one.
        let what = format!(
            "{percent:.0} % of text and fills in colours of the brand, needs {:.0} %",
            OWN_SHARE * 100.0
        );
        findings.insert(0, Finding::page(worst, what).because("palette").figure("share", kept, ""));
    }
    Outcome {
        measure: Measure::Share { failing, unknown: 0.0, total: 1.0, zero_at: ZERO_AT },
        note,
        findings,
        undecided: Vec::new(),
    }
}

/// ` (ink)`, when a token has a name.
pub(super) fn named(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!(" ({name})") }
}
