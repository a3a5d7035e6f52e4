//! Colours: how many strong hues there are, in areas and in text, and how loud they are.

use std::f64::consts::TAU;

use jury_text::colour::Rgb;

use crate::finding::{Finding, Measure, Outcome, Severity, count};
use crate::page::Page;

/// Below this chroma a colour is a tinted grey.
const CHROMA: f64 = 0.06;

/// From this chroma on a colour shouts.
const LOUD: f64 = 0.17;

/// Hues are told apart in this many steps around the circle.
const STEPS: usize = 24;

/// Hues that a page may use freely, in areas and in text.
const FREE: usize = 3;

/// A page with this many hues too many has lost its colours.
const ZERO_AFTER: f64 = 4.0;

/// A hue covers at least this share of the window, or colours at least this share of the letters.
const COVERS: f64 = 0.004;
const WRITES: f64 = 0.02;

/// Pages whose areas shout this much, in this many hues, clash.
const CLASHING_AREA: f64 = 0.25;
const CLASHING_HUES: usize = 3;

/// Hues with their shares, put together when they lie beside each other.
fn groups(colours: impl Iterator<Item = (Rgb, f64)>, least: f64) -> Vec<f64> {
    let mut circle = [0.0_f64; STEPS];
    for (colour, share) in colours {
        let (hue, chroma) = colour.hue_and_chroma();
        if chroma >= CHROMA
            && let Some(step) = circle.get_mut(step(hue))
        {
            *step += share;
        }
    }
    // A group is a run of steps without a gap; the circle is walked from an empty step.
    let start = circle.iter().position(|share| *share <= 0.0).unwrap_or(0);
    let mut groups: Vec<f64> = Vec::new();
    let mut before = false;
    let mut length = 0;
    for at in 0..STEPS {
        let share = circle.get((start + at) % STEPS).copied().unwrap_or_default();
        // No group is wider than a quarter of the circle.
        let goes_on = before && length < STEPS / 4;
        if share > 0.0 {
            match groups.last_mut() {
                Some(group) if goes_on => *group += share,
                _ => {
                    groups.push(share);
                    length = 0;
                }
            }
            length += 1;
        }
        before = share > 0.0;
    }
    groups.retain(|share| *share >= least);
    groups
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a step of the circle")]
fn step(hue: f64) -> usize {
    let steps = count(STEPS);
    ((hue.rem_euclid(TAU) / TAU * steps).floor().clamp(0.0, steps - 1.0)) as usize
}

/// Hues in the areas of the first window and in all text.
pub(crate) fn hues(page: &Page<'_>) -> Outcome {
    let areas: Vec<(Rgb, f64)> = page.impression.as_ref().map_or_else(Vec::new, |seen| {
        seen.figures.colours.iter().map(|(colour, share)| (Rgb::from_bytes(*colour), *share)).collect()
    });
    let letters: usize = page.runs.iter().map(|run| run.characters).sum();
    if areas.is_empty() && letters == 0 {
        return Outcome::not_applicable();
    }
    let in_areas = groups(areas.iter().copied(), COVERS);
    let texts = page.runs.iter().filter_map(|run| {
        let colour = run.foregrounds.first().copied()?;
        Some((colour, count(run.characters) / count(letters.max(1))))
    });
    let in_text = groups(texts, WRITES);
    let loud: f64 = areas
        .iter()
        .filter(|(colour, _)| colour.hue_and_chroma().1 >= LOUD)
        .fold(0.0, |sum, (_, share)| sum + share);
    let strong = in_areas.iter().filter(|share| **share >= 5.0 * COVERS).count();
    let over = in_areas.len().saturating_sub(FREE) + in_text.len().saturating_sub(FREE);
    let note = format!(
        "{} hues in areas, {} in text, {:.0} % of the window in loud colours",
        in_areas.len(),
        in_text.len(),
        100.0 * loud
    );
    let mut findings = Vec::new();
    if loud > CLASHING_AREA && strong >= CLASHING_HUES {
        let what = format!("colours clash: {strong} strong hues, and {note}");
        findings.push(
            Finding::page(Severity::Moderate, what)
                .because("clashing colours")
                .figure("hues", count(strong), "")
                .figure("loud", 100.0 * loud, "%"),
        );
    } else if over > 0 {
        let what = format!("more hues than can be told apart: {note}, {FREE} are plenty");
        findings.push(
            Finding::page(Severity::Minor, what)
                .because("many hues")
                .figure("in areas", count(in_areas.len()), "")
                .figure("in text", count(in_text.len()), ""),
        );
    }
    // One loud colour is a choice.
    let shouting = if strong < 2 { 0.0 } else { 4.0 * (loud - CLASHING_AREA / 2.0).max(0.0) };
    let failing = count(over) + shouting;
    Outcome {
        measure: Measure::Share {
            failing: failing.min(ZERO_AFTER),
            unknown: 0.0,
            total: ZERO_AFTER,
            zero_at: 1.0,
        },
        note,
        findings,
        undecided: Vec::new(),
    }
}
