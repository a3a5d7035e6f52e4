//! Whether there is a page at all: words, blocks, kinds of blocks, and how much of the first window they use.
//!
//! The smallest of the four holds. It multiplies what the critic says of everything else, because a blank page has no
//! fault.

use std::collections::BTreeSet;

use super::blocks::{Kind, blocks};
use crate::finding::{Finding, Measure, Outcome, Severity, count};
use crate::impression::window;
use crate::page::Page;

/// What a page needs at least to be one. Short pages that are whole, a sign-in form or a poster, have as much.
const WORDS: f64 = 24.0;
const BLOCKS: f64 = 6.0;
const USED: f64 = 0.4;

/// Below this much of it a page is empty.
const EMPTY: f64 = 0.5;

/// So many letters make a word where words are not written apart.
const LETTERS_OF_A_WORD: usize = 2;

/// So many words are worth a block.
const WORDS_OF_A_BLOCK: usize = 40;

/// The window is looked at in so many cells each way.
const CELLS: usize = 4;

/// What is there of a page, from 0 to 1.
pub(crate) fn substance(page: &Page<'_>) -> Outcome {
    if waits_for_a_script(page) {
        return Outcome::not_applicable();
    }
    let blocks = blocks(page);
    let words: usize = page.texts().filter_map(|run| page.node(run.node)).map(|node| words(&node.text)).sum();
    let kinds: BTreeSet<Kind> = blocks.iter().map(|block| block.kind).collect();
    let by_boxes = cells(page, &blocks);
    let used = page.impression.as_ref().map_or(by_boxes, |seen| seen.figures.cells.max(by_boxes));
    // A drawing, a film or a picture says what words do not; controls ask for words.
    let shows = blocks.iter().filter(|block| block.kind != Kind::Text && block.kind != Kind::Panel).count();
    let parts = [
        ("words", count(words + 4 * shows) / WORDS),
        // A long text is many things to read, in however few boxes it stands.
        ("blocks", count(blocks.len() + words / WORDS_OF_A_BLOCK) / BLOCKS),
        ("of the first window used", used / USED),
    ];
    let least = parts.iter().map(|(_, share)| *share).fold(1.0, f64::min);
    let unseen = page.impression.as_ref().map_or(0.0, |seen| seen.unseen);
    let high = if unseen > 0.2 { 1.0_f64.max(least) } else { least };
    let note = format!(
        "{words} words in {} blocks of {} kinds, {:.0} % of the first window used",
        blocks.len(),
        kinds.len(),
        100.0 * used
    );
    let missing: Vec<&str> = parts.iter().filter(|(_, share)| *share < 1.0).map(|(name, _)| *name).collect();
    let severity = if least < EMPTY && unseen <= 0.2 { Severity::Moderate } else { Severity::Minor };
    let findings = (least < 1.0)
        .then(|| {
            let how = if least < EMPTY { "the page is nearly empty" } else { "there is little of a page" };
            Finding::page(severity, format!("{how}: {note}; too little: {}", missing.join(", ")))
                .because("substance")
                .figure("words", count(words), "")
                .figure("blocks", count(blocks.len()), "")
                .figure("used", 100.0 * used, "%")
        })
        .into_iter()
        .collect();
    Outcome {
        measure: Measure::Score { low: 10.0 * least, high: 10.0 * high },
        note,
        findings,
        undecided: Vec::new(),
    }
}

/// Whether scripts make the page, or have words to show that are hidden now: then it cannot be told what there is.
fn waits_for_a_script(page: &Page<'_>) -> bool {
    let snapshot = &page.snapshot;
    if !snapshot.nodes.iter().any(|node| node.tag == "script") {
        return false;
    }
    let hidden: usize = snapshot.nodes.iter().filter(|node| !node.shown).map(|node| words(&node.text)).sum();
    snapshot.coverage.js_rendered || count(hidden) >= WORDS
}

fn words(text: &str) -> usize {
    let apart = text.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)).count();
    let letters = text.chars().filter(|ch| !ch.is_ascii() && ch.is_alphanumeric()).count();
    apart.max(letters / LETTERS_OF_A_WORD)
}

/// The share of cells of the first window that hold the middle or an edge of a block.
fn cells(page: &Page<'_>, blocks: &[super::blocks::Block]) -> f64 {
    let (width, height) = window(&page.snapshot);
    let mut used = 0;
    for row in 0..CELLS {
        for column in 0..CELLS {
            let side = |at: usize, whole: f32| whole * f32::from(u8::try_from(at).unwrap_or(0)) / 4.0;
            let (left, top) = (side(column, width), side(row, height));
            let (right, bottom) = (left + width / 4.0, top + height / 4.0);
            let holds = blocks.iter().filter(|block| block.kind != Kind::Panel).any(|block| {
                let rect = block.rect;
                rect.x < right && rect.x + rect.width > left && rect.y < bottom && rect.y + rect.height > top
            });
            used += usize::from(holds);
        }
    }
    count(used) / count(CELLS * CELLS)
}
