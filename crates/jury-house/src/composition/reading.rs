//! How text is set to be read: not as a wall, not in capitals, not centred when it is long.

use jury_eye::TextAlign;
use jury_text::language;

use super::blocks::{Paragraph, paragraphs};
use crate::finding::{Finding, Outcome, Severity, count};
use crate::page::Page;

/// A paragraph of more characters than this, about 150 words, is a wall.
const LONGEST: usize = 900;

/// A line of more characters than this loses the reader on the way back. Reading is fastest at 95.
const WIDEST: f32 = 120.0;

/// The mean width of a character, in parts of its size; ideographs are as wide as high, and half as many make a line.
const CHARACTER: f32 = 0.47;

/// Text shorter than this is not read in lines.
const SHORT: usize = 60;

/// Capitals longer than this are shouted, and centred text longer than this has no edge to come back to.
const LONG_CAPITALS: usize = 40;
const LONG_CENTRED: usize = 160;

/// Half of the text is where nothing of it is set well.
const ZERO_AT: f64 = 0.5;

/// Fewer characters than this are no text to read.
const LEAST: usize = 80;

fn is_wall(page: &Page<'_>, paragraph: &Paragraph) -> bool {
    let rows = paragraph.rect.height > 2.2 * paragraph.font_size;
    let ideographic = page.node(paragraph.node).is_some_and(|node| language::is_ideographic(&node.text));
    let wide = paragraph.rect.width / (paragraph.font_size.max(1.0) * CHARACTER);
    paragraph.characters > LONGEST && !ideographic || rows && paragraph.characters > SHORT && wide > WIDEST
}

/// Characters in walls of text.
pub(crate) fn wall(page: &Page<'_>) -> Outcome {
    let paragraphs = paragraphs(page);
    let all: usize = paragraphs.iter().map(|paragraph| paragraph.characters).sum();
    if all < LEAST {
        return Outcome::not_applicable();
    }
    let walls: Vec<&Paragraph> = paragraphs.iter().filter(|paragraph| is_wall(page, paragraph)).collect();
    let failing: usize = walls.iter().map(|paragraph| paragraph.characters).sum();
    let nodes: Vec<_> = walls.iter().map(|paragraph| paragraph.node).collect();
    let note = format!("{:.0} % of the text in walls", 100.0 * count(failing) / count(all));
    let findings = (failing > 0)
        .then(|| {
            let what = format!(
                "a wall of text: over 150 words without a break, or lines over 120 characters ({})",
                page.places(&nodes)
            );
            Finding::on(Severity::Minor, nodes, what).because("walls of text").figure(
                "characters",
                count(failing),
                "",
            )
        })
        .into_iter()
        .collect();
    Outcome::share(failing, all, ZERO_AT, note, findings)
}

/// Characters in long capitals and in long text that is centred or justified.
pub(crate) fn setting(page: &Page<'_>) -> Outcome {
    let paragraphs = paragraphs(page);
    let all: usize = paragraphs.iter().map(|paragraph| paragraph.characters).sum();
    if all < LEAST {
        return Outcome::not_applicable();
    }
    let is_hard = |paragraph: &&Paragraph| {
        page.node(paragraph.node).and_then(|node| node.style.as_ref()).is_some_and(|style| {
            let lines = paragraph.rect.height / paragraph.font_size.max(1.0);
            let ragged = matches!(style.text_align, TextAlign::Center | TextAlign::Justify);
            style.uppercase && paragraph.characters > LONG_CAPITALS
                || ragged && paragraph.characters > LONG_CENTRED && lines > 4.2
        })
    };
    let hard: Vec<&Paragraph> = paragraphs.iter().filter(is_hard).collect();
    let failing: usize = hard.iter().map(|paragraph| paragraph.characters).sum();
    let nodes: Vec<_> = hard.iter().map(|paragraph| paragraph.node).collect();
    let note = format!(
        "{:.0} % of the text in long capitals, or long and centred",
        100.0 * count(failing) / count(all)
    );
    let findings = (failing > 0)
        .then(|| {
            let what = format!("long text in capitals, centred or justified ({})", page.places(&nodes));
            Finding::on(Severity::Minor, nodes, what).because("hard to read").figure(
                "characters",
                count(failing),
                "",
            )
        })
        .into_iter()
        .collect();
    Outcome::share(failing, all, ZERO_AT, note, findings)
}
