//! Whether the accent stays an accent, and colours that the brand forbids.

use jury_text::brand::{Brand, PaletteJob};
use jury_text::colour::Rgb;

use super::colour::{SAME_COLOUR, named};
use super::uses::{fills, uses};
use crate::finding::{Finding, Outcome, Severity, count};
use crate::page::Page;

/// The share of a screen that an accent may fill.
const MOST_ACCENT_SHARE: f64 = 0.10;

/// An accent has a hue; black, white and grey ones are the ink of their brand.
const LEAST_CHROMA: f64 = 0.04;

/// Screens of a page that are looked at.
const MOST_SCREENS: usize = 64;

pub(in crate::checks) fn accent(page: &Page<'_>) -> Outcome {
    let Some(brand) = page.brand() else { return Outcome::not_applicable() };
    let screens = distinct_accent(brand).map(|accent| (accent, screens(page, accent)));
    let forbidden = forbidden(page, brand);
    let looked_at = screens.as_ref().map_or(0, |(_, screens)| screens.len());
    let mut notes = Vec::new();
    let mut findings = Vec::new();
    let mut failing = forbidden.len();
    if let Some((accent, screens)) = screens {
        let over: Vec<(usize, f64, usize)> = screens
            .iter()
            .enumerate()
            .filter(|(_, (share, _))| *share > MOST_ACCENT_SHARE)
            .map(|(index, (share, boxes))| (index, *share, *boxes))
            .collect();
        let most = screens.iter().map(|(share, _)| *share).fold(0.0, f64::max);
        let boxes: usize = screens.iter().map(|(_, boxes)| boxes).sum();
        notes.push(format!(
            "accent {} on {boxes} boxes, at most {:.0} % of a screen",
            accent.hex(),
            most * 100.0
        ));
        failing += over.len();
        if let Some((index, share, _)) = over.iter().max_by(|one, other| one.1.total_cmp(&other.1)) {
            let what = format!(
                "accent {} fills {:.0} % of screen {}, needs at most {:.0} %",
                accent.hex(),
                share * 100.0,
                index + 1,
                MOST_ACCENT_SHARE * 100.0
            );
            findings.push(
                Finding::page(Severity::Minor, what)
                    .because(format!("accent {}", accent.hex()))
                    .figure("share", *share, "")
                    .figure("needs", MOST_ACCENT_SHARE, ""),
            );
        }
    }
    if !brand.banned.is_empty() {
        notes.push(format!("{} of {} forbidden colours in use", forbidden.len(), brand.banned.len()));
    }
    findings.extend(forbidden);
    Outcome::share(failing, looked_at + brand.banned.len(), 1.0, notes.join("; "), findings)
}

/// The accent, when it can be told from text and background.
fn distinct_accent(brand: &Brand) -> Option<Rgb> {
    let accent = brand.jobs.named(PaletteJob::Accent)?;
    let lab = accent.oklab();
    let apart = [PaletteJob::Background, PaletteJob::Surface, PaletteJob::Foreground]
        .into_iter()
        .filter_map(|job| brand.jobs.get(job))
        .all(|other| other.oklab().distance(lab) > 0.05);
    (apart && accent.hue_and_chroma().1 >= LEAST_CHROMA).then_some(accent)
}

/// For each screen from the top the share that the accent fills, and the number of its boxes.
fn screens(page: &Page<'_>, accent: Rgb) -> Vec<(f64, usize)> {
    let window = page.snapshot.viewport;
    let (width, height) = (f64::from(window.width), f64::from(window.height));
    let whole =
        page.snapshot.nodes.first().and_then(|root| root.rect).map_or(0.0, |rect| f64::from(rect.height));
    let number = (1..MOST_SCREENS).find(|number| count(*number) * height >= whole).unwrap_or(MOST_SCREENS);
    let mut screens = vec![(0.0, 0); number];
    let lab = accent.oklab();
    for (node, colours, seen) in fills(page) {
        let Some(rect) = node.and_then(|node| node.rect) else { continue };
        let whole = f64::from(rect.area());
        let accented = colours.iter().filter(|(colour, _)| colour.oklab().distance(lab) <= SAME_COLOUR);
        let part = accented.map(|(_, alpha)| alpha).sum::<f64>() / count(colours.len().max(1));
        if part <= 0.0 || whole <= 0.0 || seen <= 0.0 {
            continue;
        }
        let (top, bottom) = (f64::from(rect.y), f64::from(rect.y + rect.height));
        for (index, (share, boxes)) in screens.iter_mut().enumerate() {
            let (from, to) = (count(index) * height, count(index + 1) * height);
            let overlap = (bottom.min(to) - top.max(from)).max(0.0);
            if overlap > 0.0 {
                // As much of the slice as of the box is not painted over.
                *share +=
                    overlap * f64::from(rect.width).min(width) * (seen / whole) * part / (width * height);
                *boxes += 1;
            }
        }
    }
    screens
}

/// Uses of colours that the brand rules out.
fn forbidden(page: &Page<'_>, brand: &Brand) -> Vec<Finding> {
    if brand.banned.is_empty() {
        return Vec::new();
    }
    let uses = uses(page);
    brand
        .banned
        .iter()
        .filter_map(|banned| {
            let (_, used) = uses.iter().find(|(bytes, used)| {
                Rgb::from_bytes(**bytes).oklab().distance(banned.colour.oklab()) < 0.004
                    && !used.nodes.is_empty()
            })?;
            let hex = banned.colour.hex();
            let what = format!(
                "{hex} is ruled out by DESIGN.md{} ({})",
                named(&banned.name),
                page.places(&used.nodes)
            );
            Some(Finding::on(Severity::Moderate, used.nodes.clone(), what).because(format!("banned {hex}")))
        })
        .collect()
}
