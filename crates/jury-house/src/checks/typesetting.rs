//! Sizes, families, line lengths and capitals.

use std::collections::{BTreeMap, BTreeSet};

use jury_eye::{Layout, Node, NodeId, Style};
use jury_text::language;

use super::hierarchy::{from_half_pixels, half_pixels};
use super::view;
use crate::finding::{Finding, Measure, Outcome, Severity, count, counted};
use crate::page::{Page, selector};
use crate::text_run::TextRun;

/// Sizes a page may use freely. Human-made pages have 12 in the middle and 22 at the upper end, so more
/// is a small fault and never a large one.
const FREE_SIZES: usize = 8;

/// Sizes closer to each other than this look like a mistake rather than a step.
const NEAR_DUPLICATE: f32 = 1.06;

/// Twice the free sizes is where the check is worth nothing: 16 sizes are a page without a scale.
const SCALE_ZERO_AT: f64 = 1.0;

/// The smallest size that counts as comfortable, for Latin letters and for ideographs alike.
const SMALLEST_TEXT_PX: f32 = 12.0;

/// Half of a page in small print is worth nothing. The median of 250 example pages has 7 %, one
/// in ten has 34 % or more.
const SMALL_ZERO_AT: f64 = 0.5;

/// A paragraph has at least this many characters; shorter texts have no line length to speak of.
const PARAGRAPH: usize = 80;

/// Text from this size on is display text, which is set tighter. Leads and quotes below it are still read line by
/// line.
const DISPLAY: f32 = 32.0;

/// Line lengths and leadings are matters of taste in the middle and of reading at the ends, so all of the text has to
/// be off for the check to be worth nothing.
const MEASURE_ZERO_AT: f64 = 1.0;

/// Families and weights a page may use freely: nine accepted pages of ten have no more.
const FREE_FAMILIES: usize = 3;
const FREE_WEIGHTS: usize = 4;

/// Three families or weights too many are worth nothing.
const FAMILIES_ZERO_AFTER: f64 = 3.0;

/// What capitals need between them, as a part of the font size; the last digit is left to rounding.
const CAPITALS: f32 = 0.0499;

/// Every uppercase text set tight is where the check is worth nothing.
const CAPITALS_ZERO_AT: f64 = 1.0;

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
    let near: Vec<(f32, f32)> = used
        .iter()
        .zip(used.iter().skip(1))
        .map(|(one, next)| (from_half_pixels(*one), from_half_pixels(*next)))
        .filter(|(one, next)| next / one < NEAR_DUPLICATE)
        .collect();
    let listed: Vec<String> = used.iter().map(|size| format!("{}", from_half_pixels(*size))).collect();
    let mut findings = Vec::new();
    if over > 0 {
        let what = format!("{} font sizes ({} px), {FREE_SIZES} are plenty", used.len(), listed.join("/"));
        findings.push(
            Finding::page(Severity::Minor, what)
                .because("number of sizes")
                .figure("sizes", count(used.len()), "")
                .figure("plenty", count(FREE_SIZES), ""),
        );
    }
    for (one, next) in &near {
        let what =
            format!("font sizes {one} and {next} px are too close to be told apart, needs a step of 6 %");
        findings.push(Finding::page(Severity::Minor, what).because(format!("{one} and {next} px")).figure(
            "ratio",
            f64::from(next / one),
            "x",
        ));
    }
    // A near-duplicate counts as one size too many, unless it already is.
    let failing = over.max(near.len()).min(FREE_SIZES);
    Outcome::share(
        failing,
        FREE_SIZES,
        SCALE_ZERO_AT,
        format!("{}: {} px", counted(used.len(), "size"), listed.join("/")),
        findings,
    )
}

pub(super) fn small_text(page: &Page<'_>) -> Outcome {
    let total = characters(page);
    let small: Vec<(&TextRun, &Style)> =
        styled(page).filter(|(_, style)| style.font_size < SMALLEST_TEXT_PX - 0.01).collect();
    let failing: usize = small.iter().map(|(run, _)| run.characters).sum();
    let note = format!("{failing} of {} under 12 px", counted(total, "character"));
    let findings = page
        .grouped(small.iter().map(|(run, _)| run.node))
        .into_iter()
        .map(|group| {
            let size = group
                .first()
                .and_then(|id| page.node(*id)?.style.as_ref())
                .map_or(0.0, |style| style.font_size);
            let name = group.first().and_then(|id| page.node(*id)).map(selector).unwrap_or_default();
            let what = format!("text at {size:.1} px, needs 12 px ({})", page.places(&group));
            Finding::on(Severity::Moderate, group, what)
                .because(name)
                .figure("size", f64::from(size), "px")
                .figure("needs", f64::from(SMALLEST_TEXT_PX), "px")
        })
        .collect();
    Outcome::share(failing, total, SMALL_ZERO_AT, note, findings)
}

/// Characters per line and leading of paragraphs.
pub(super) fn measure(page: &Page<'_>) -> Outcome {
    let (mut total, mut failing) = (0, 0);
    let mut off: BTreeMap<(&'static str, String), (f64, Vec<NodeId>)> = BTreeMap::new();
    let mut longest = 0.0_f64;
    for node in page.snapshot.nodes.iter().filter(|node| node.shown && node.exposed) {
        let Some(paragraph) = Paragraph::of(page, node) else { continue };
        total += paragraph.characters;
        longest = longest.max(paragraph.per_line);
        if let Some((fault, value)) = paragraph.fault() {
            failing += paragraph.characters;
            off.entry((fault, selector(node))).or_insert((value, Vec::new())).1.push(node.id);
        }
    }
    let note = format!(
        "{failing} of {total} paragraph characters outside 35 to 95 per line or 1.35 to 1.9 leading, longest line {longest:.0}"
    );
    let findings = off
        .into_iter()
        .map(|((fault, name), (value, nodes))| {
            let what = format!("{fault}: {value:.2} ({})", page.places(&nodes)).replace(".00", "");
            Finding::on(Severity::Minor, nodes, what)
                .because(format!("{fault} {name}"))
                .figure(fault, value, "")
        })
        .collect();
    Outcome::share(failing, total, MEASURE_ZERO_AT, note, findings)
}

/// A block of running text with its lines.
struct Paragraph {
    characters: usize,
    /// Characters of a full line, spaces included.
    per_line: f64,
    /// Line height over font size.
    leading: f64,
    ideographic: bool,
    display: bool,
}

impl Paragraph {
    /// The text of a block and of what stands in its lines, when there is enough of it in more than one line.
    fn of(page: &Page<'_>, node: &Node) -> Option<Self> {
        let style = node.style.as_ref().filter(|style| style.layout != Layout::Inline)?;
        if node.lines.is_empty()
            || node.text.is_empty()
            || matches!(node.tag.as_str(), "pre" | "code" | "textarea" | "button" | "td" | "th")
        {
            return None;
        }
        let in_line = |inner: &Node| {
            inner.shown && inner.style.as_ref().is_some_and(|style| style.layout == Layout::Inline)
        };
        let inner: Vec<&Node> =
            page.snapshot.descendants(node).take(MOST_IN_PARAGRAPH).filter(|inner| in_line(inner)).collect();
        let length = node.text.chars().count()
            + inner.iter().map(|inner| inner.text.chars().count() + 1).sum::<usize>();
        if length < PARAGRAPH {
            return None;
        }
        let boxes = node.lines.iter().chain(inner.iter().flat_map(|inner| &inner.lines));
        let lines = view::rows(boxes.copied(), style.font_size);
        let last = lines.last()?;
        let widest = lines.iter().map(|line| line.width).fold(0.0, f32::max);
        if lines.len() < 2 || widest <= 0.0 {
            return None;
        }
        // The last line is as full as it is wide.
        let full = count(lines.len() - 1) + f64::from((last.width / widest).clamp(0.05, 1.0));
        let leading = style.line_height.unwrap_or(style.font_size * 1.2);
        let ideographic = language::is_ideographic(&node.text);
        Some(Self {
            characters: length,
            // Ideographs are as wide as their font, whichever font there is to draw them with.
            per_line: if ideographic {
                f64::from(widest / style.font_size.max(0.1))
            } else {
                count(length) / full
            },
            leading: f64::from(leading / style.font_size.max(0.1)),
            ideographic,
            display: style.font_size >= DISPLAY,
        })
    }

    /// What is off, and its value.
    fn fault(&self) -> Option<(&'static str, f64)> {
        // Bounds of a craft, not of a standard; what is right for one font is a little off for another.
        let lengths = if self.ideographic { 18.0..=48.0 } else { 35.0..=95.0 };
        let leadings = match (self.ideographic, self.display) {
            (true, true) => 0.95..=1.9,
            (true, false) => 1.3..=1.9,
            (false, true) => 0.95..=1.35,
            (false, false) => 1.35..=1.9,
        };
        if self.per_line > *lengths.end() {
            Some(("characters per line, 95 (48 ideographs) are plenty", self.per_line.round()))
        } else if self.per_line < *lengths.start() && !self.display {
            Some(("characters per line, 35 (18 ideographs) are needed", self.per_line.round()))
        } else if !leadings.contains(&((self.leading * 100.0).round() / 100.0)) {
            Some(("leading over font size, 1.35 to 1.9 reads well", self.leading))
        } else {
            None
        }
    }
}

/// How many elements of a paragraph are looked at.
const MOST_IN_PARAGRAPH: usize = 500;

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
    let over = families.saturating_sub(FREE_FAMILIES) + weights.saturating_sub(FREE_WEIGHTS);
    let family = jury_core::line::counted(families, "family", "families");
    let note = format!("{family}, {}", counted(weights, "weight"));
    let findings = (over > 0)
        .then(|| {
            Finding::page(
                Severity::Minor,
                format!("{family} and {}, 3 and 4 are plenty", counted(weights, "weight")),
            )
            .because("families and weights")
            .figure("families", count(families), "")
            .figure("weights", count(weights), "")
        })
        .into_iter()
        .collect();
    Outcome {
        measure: Measure::Share {
            failing: count(over),
            unknown: 0.0,
            total: FAMILIES_ZERO_AFTER,
            zero_at: 1.0,
        },
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
        .filter(|(_, style)| style.letter_spacing < CAPITALS * style.font_size)
        .map(|(run, _)| run.node)
        .collect();
    let failing = tight.len();
    let note = format!("{failing} of {} uppercase runs set under 0.05em", capitals.len());
    let findings = page
        .grouped(tight)
        .into_iter()
        .map(|group| {
            let style = group.first().and_then(|id| page.node(*id)?.style.as_ref());
            let spacing = style.map_or(0.0, |style| style.letter_spacing / style.font_size.max(0.1));
            let name = group.first().and_then(|id| page.node(*id)).map(selector).unwrap_or_default();
            let what = format!(
                "uppercase with {spacing:.2}em between letters, needs 0.05em ({})",
                page.places(&group)
            );
            Finding::on(Severity::Minor, group, what).because(name).figure(
                "letter spacing",
                f64::from(spacing),
                "em",
            )
        })
        .collect();
    Outcome::share(failing, capitals.len(), CAPITALS_ZERO_AT, note, findings)
}
