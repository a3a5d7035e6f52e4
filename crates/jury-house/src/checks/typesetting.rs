//! Sizes, families, line lengths and capitals.

use std::collections::{BTreeMap, BTreeSet};

use jury_eye::{NodeId, Style};

use super::hierarchy::{from_half_pixels, half_pixels};
use crate::finding::{Finding, Measure, Outcome, Severity, count};
use crate::language;
use crate::page::Page;
use crate::text_run::TextRun;

/// Sizes a page may use freely. Human-made pages have 12 in the middle and 22 at the upper end, so more
/// is a small fault and never a large one.
const FREE_SIZES: usize = 8;

/// The smallest size that counts as comfortable.
const SMALLEST: f32 = 12.0;

fn styled<'a>(page: &'a Page<'_>) -> impl Iterator<Item = (&'a TextRun, &'a Style)> {
    page.runs.iter().filter_map(|run| Some((run, page.node(run.node)?.style.as_ref()?)))
}

fn characters(page: &Page<'_>) -> usize {
    page.runs.iter().map(|run| run.characters).sum()
}

pub(super) fn scale(page: &Page<'_>) -> Outcome {
    let total = characters(page);
    if total == 0 {
        return Outcome::not_applicable();
    }
    let mut sizes: BTreeMap<i64, usize> = BTreeMap::new();
    for (run, style) in styled(page) {
        *sizes.entry(half_pixels(style.font_size)).or_default() += run.characters;
    }
    let used: Vec<i64> =
        sizes.into_iter().filter(|(_, characters)| characters * 100 >= total).map(|(size, _)| size).collect();
    let over = used.len().saturating_sub(FREE_SIZES);
    let listed: Vec<String> = used.iter().map(|size| format!("{}", from_half_pixels(*size))).collect();
    let findings = (over > 0)
        .then(|| {
            Finding::page(Severity::Minor, format!("{} font sizes, {FREE_SIZES} are plenty", used.len()))
        })
        .into_iter()
        .collect();
    Outcome::share(over, FREE_SIZES, 1.0, format!("{} sizes: {} px", used.len(), listed.join("/")), findings)
}

pub(super) fn small_text(page: &Page<'_>) -> Outcome {
    let total = characters(page);
    let small: Vec<(&TextRun, &Style)> =
        styled(page).filter(|(_, style)| style.font_size < SMALLEST - 0.01).collect();
    let failing: usize = small.iter().map(|(run, _)| run.characters).sum();
    let note = format!("{failing} of {total} characters under 12 px");
    let findings = page
        .grouped(small.iter().map(|(run, _)| run.node))
        .into_iter()
        .map(|group| {
            let size = group
                .first()
                .and_then(|id| page.node(*id)?.style.as_ref())
                .map_or(0.0, |style| style.font_size);
            let what = format!("text at {size:.1} px, needs 12 px ({})", page.places(&group));
            Finding::on(Severity::Moderate, group, what)
        })
        .collect();
    Outcome::share(failing, total, 0.5, note, findings)
}

/// Characters per line and leading of paragraphs.
pub(super) fn measure(page: &Page<'_>) -> Outcome {
    let (mut total, mut failing) = (0, 0);
    let mut wrong: Vec<NodeId> = Vec::new();
    let mut widest = 0.0_f64;
    for (run, style) in styled(page) {
        let Some(node) = page.node(run.node) else { continue };
        let Some(rect) = node.rect else { continue };
        let text_length = node.text.chars().count();
        if text_length < 80 || !matches!(node.tag.as_str(), "p" | "li" | "dd" | "blockquote" | "figcaption") {
            continue;
        }
        let leading = style.line_height.unwrap_or(style.font_size * 1.2);
        let lines = f64::from(((rect.height - style.padding.top - style.padding.bottom) / leading).round());
        if lines < 2.0 {
            continue;
        }
        total += run.characters;
        let per_line = count(text_length) / lines;
        let ideographic = language::is_ideographic(&node.text);
        let bounds = if ideographic { 18.0..=48.0 } else { 35.0..=95.0 };
        let lowest_leading = if ideographic { 1.3 } else { 1.35 };
        let ratio = leading / style.font_size;
        widest = widest.max(per_line);
        if !bounds.contains(&per_line) || !(lowest_leading..=1.9).contains(&ratio) {
            failing += run.characters;
            wrong.push(run.node);
        }
    }
    let note = format!(
        "{failing} of {total} paragraph characters outside 35 to 95 per line or 1.35 to 1.9 leading, longest line {widest:.0}"
    );
    let findings = (!wrong.is_empty())
        .then(|| {
            let what = format!("line length or leading off ({})", page.places(&wrong));
            Finding::on(Severity::Minor, wrong, what)
        })
        .into_iter()
        .collect();
    Outcome::share(failing, total, 1.0, note, findings)
}

pub(super) fn families(page: &Page<'_>) -> Outcome {
    let total = characters(page);
    if total == 0 {
        return Outcome::not_applicable();
    }
    let mut families: BTreeMap<String, usize> = BTreeMap::new();
    let mut weights: BTreeMap<i64, usize> = BTreeMap::new();
    for (run, style) in styled(page) {
        let first = style.font_families.first().cloned().unwrap_or_default().to_lowercase();
        *families.entry(first).or_default() += run.characters;
        *weights.entry(half_pixels(style.font_weight)).or_default() += run.characters;
    }
    let used = |uses: Vec<usize>| uses.into_iter().filter(|characters| characters * 100 >= total).count();
    let families = used(families.into_values().collect());
    let weights = used(weights.into_values().collect());
    let over = families.saturating_sub(3) + weights.saturating_sub(4);
    let note = format!("{families} families, {weights} weights");
    let findings = (over > 0)
        .then(|| {
            Finding::page(
                Severity::Minor,
                format!("{families} families and {weights} weights, 3 and 4 are plenty"),
            )
        })
        .into_iter()
        .collect();
    Outcome {
        measure: Measure::Share { failing: count(over), unknown: 0.0, total: 3.0, zero_at: 1.0 },
        note,
        findings,
        undecided: Vec::new(),
    }
}

/// Capitals need more room between them.
pub(super) fn capitals(page: &Page<'_>) -> Outcome {
    let capitals: Vec<(&TextRun, &Style)> =
        styled(page).filter(|(run, style)| style.uppercase && run.characters >= 3).collect();
    let tight: BTreeSet<NodeId> = capitals
        .iter()
        .filter(|(_, style)| style.letter_spacing < 0.0499 * style.font_size)
        .map(|(run, _)| run.node)
        .collect();
    let note = format!("{} of {} uppercase runs set under 0.05em", tight.len(), capitals.len());
    let tight: Vec<NodeId> = tight.into_iter().collect();
    let failing = tight.len();
    let findings = (failing > 0)
        .then(|| {
            let what = format!("uppercase without letter spacing, needs 0.05em ({})", page.places(&tight));
            Finding::on(Severity::Minor, tight, what)
        })
        .into_iter()
        .collect();
    Outcome::share(failing, capitals.len(), 1.0, note, findings)
}
