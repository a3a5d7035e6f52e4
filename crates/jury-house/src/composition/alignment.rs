//! Whether blocks stand on common lines, and upright.

use jury_eye::{Node, NodeId};

use super::blocks::{Block, Kind, blocks};
use crate::finding::{Finding, Measure, Outcome, Severity, count};
use crate::page::Page;

/// Fewer blocks than this have no order to speak of.
const LEAST_BLOCKS: usize = 8;

/// Edges this near are one line. Layout rounds to parts of a pixel.
const SAME: f32 = 1.5;

/// An edge this near to a line, and not on it, looks like a mistake.
const MISSED: f32 = 8.0;

/// Blocks further apart than this are not seen together.
const FAR: f32 = 1_600.0;

/// When half of the weight of a page stands on no line, nothing of an order is left. A tenth of it is free: a mark, a
/// price, a picture out of the row.
const ZERO_AT: f64 = 0.5;
const FREE: f64 = 0.1;

/// A page of which this much stands on no line is strewn.
const STREWN: f64 = 0.5;

/// A line of text this many times as high as its font is one that was turned.
const TURNED: f32 = 1.6;

/// Turned text is an accent on some pages; when half of it is turned nothing stands upright.
const TILT_ZERO_AT: f64 = 0.5;
const TILTED: f64 = 0.6;

/// Edges of a block that may stand on a line.
fn edges(block: &Block) -> [f32; 3] {
    let rect = block.rect;
    [rect.x, rect.x + rect.width / 2.0, rect.x + rect.width]
}

/// Top, middle and bottom.
fn levels(block: &Block) -> [f32; 3] {
    let rect = block.rect;
    [rect.y, rect.y + rect.height / 2.0, rect.y + rect.height]
}

fn meets(one: [f32; 3], other: [f32; 3]) -> [bool; 3] {
    let mut met = [false; 3];
    for ((met, one), other) in met.iter_mut().zip(one).zip(other) {
        *met = (one - other).abs() <= SAME;
    }
    met
}

/// Whether one block lies in the other: then their edges are a padding apart.
fn holds(outer: &Block, inner: &Block) -> bool {
    let (outer, inner) = (outer.rect, inner.rect);
    outer.x <= inner.x + SAME
        && outer.y <= inner.y + SAME
        && outer.x + outer.width >= inner.x + inner.width - SAME
        && outer.y + outer.height >= inner.y + inner.height - SAME
}

/// How a block stands to the others.
struct Standing {
    aligned: bool,
    missed: bool,
    weight: f64,
    node: NodeId,
}

fn standings(blocks: &[Block]) -> Vec<Standing> {
    blocks
        .iter()
        .map(|block| {
            let (mut down, mut across) = ([0_usize; 3], 0_usize);
            let mut near = 0_usize;
            let others = blocks
                .iter()
                .filter(|other| other.node != block.node && (other.rect.y - block.rect.y).abs() <= FAR);
            for other in others {
                for (count, met) in down.iter_mut().zip(meets(edges(block), edges(other))) {
                    *count += usize::from(met);
                }
                let beside = meets(levels(block), levels(other)).contains(&true);
                across += usize::from(beside);
                let off = (block.rect.x - other.rect.x).abs();
                let nested = holds(block, other) || holds(other, block);
                near += usize::from(off > SAME && off <= MISSED && !beside && !nested);
            }
            let most = down.into_iter().max().unwrap_or(0);
            // Two others make a line; beside one other that is as high, one is enough.
            let aligned = most >= 2 || across >= 2 || most >= 1 && across >= 1;
            let on_left = down.first().is_some_and(|left| *left >= 1);
            let missed = near >= 2 && !on_left && block.kind != Kind::Control;
            let weight = f64::from(block.rect.area().max(0.0)).sqrt().min(400.0);
            Standing { aligned, missed, weight, node: block.node }
        })
        .collect()
}

/// Blocks on common lines, and blocks that just miss one.
pub(crate) fn alignment(page: &Page<'_>) -> Outcome {
    let blocks = blocks(page);
    if blocks.len() < LEAST_BLOCKS {
        return Outcome::not_applicable();
    }
    let standings = standings(&blocks);
    let all: f64 = standings.iter().map(|one| one.weight).sum();
    let sum = |which: fn(&Standing) -> bool| -> f64 {
        standings.iter().filter(|one| which(one)).fold(0.0, |sum, one| sum + one.weight)
    };
    let loose = sum(|one| !one.aligned);
    let missed = sum(|one| one.missed);
    let share = loose / all.max(1.0);
    let note = format!(
        "{:.0} % of {} blocks on common lines, {:.0} % miss one by 2 to 8 px",
        100.0 * (1.0 - share),
        blocks.len(),
        100.0 * missed / all.max(1.0)
    );
    let loose_nodes: Vec<NodeId> = standings.iter().filter(|one| !one.aligned).map(|one| one.node).collect();
    let missed_nodes: Vec<NodeId> = standings.iter().filter(|one| one.missed).map(|one| one.node).collect();
    let mut findings = Vec::new();
    if share > STREWN {
        let what = format!(
            "blocks are strewn over the page: {:.0} % of them stand on no line with others, {:.0} % is the most ({})",
            100.0 * share,
            100.0 * STREWN,
            page.places(&loose_nodes)
        );
        findings.push(
            Finding::page(Severity::Moderate, what)
                .because("strewn")
                .figure("on no line", 100.0 * share, "%")
                .figure("at most", 100.0 * STREWN, "%"),
        );
    } else if share > 0.2 {
        let what = format!(
            "{:.0} % of the page stands on no line with other blocks ({})",
            100.0 * share,
            page.places(&loose_nodes)
        );
        findings.push(Finding::page(Severity::Minor, what).because("on no line").figure(
            "on no line",
            100.0 * share,
            "%",
        ));
    }
    if missed / all.max(1.0) > 0.05 {
        let what = format!("edges miss a common line by 2 to 8 px ({})", page.places(&missed_nodes));
        findings.push(Finding::page(Severity::Minor, what).because("missed lines").figure(
            "blocks",
            count(missed_nodes.len()),
            "",
        ));
    }
    Outcome {
        measure: Measure::Share {
            failing: (loose + missed - FREE * all).clamp(0.0, (1.0 - FREE) * all),
            unknown: 0.0,
            total: ((1.0 - FREE) * all).max(1.0),
            zero_at: ZERO_AT,
        },
        note,
        findings,
        undecided: Vec::new(),
    }
}

/// Text that does not stand upright.
pub(crate) fn tilt(page: &Page<'_>) -> Outcome {
    let (mut all, mut turned, mut nodes) = (0, 0, Vec::new());
    for node in page.snapshot.nodes.iter().filter(|node| node.shown && !node.lines.is_empty()) {
        let characters = node.text.chars().filter(|ch| !ch.is_whitespace()).count();
        all += characters;
        if is_turned(node) {
            turned += characters;
            nodes.push(node.id);
        }
    }
    if all < 40 {
        return Outcome::not_applicable();
    }
    let share = count(turned) / count(all);
    let note = format!("{:.0} % of the text is turned", 100.0 * share);
    let severity = if share > TILTED { Severity::Moderate } else { Severity::Minor };
    let findings = (share > 0.1)
        .then(|| {
            let what = format!(
                "{:.0} % of the text is turned out of the level ({})",
                100.0 * share,
                page.places(&nodes)
            );
            Finding::page(severity, what).because("turned text").figure("turned", 100.0 * share, "%")
        })
        .into_iter()
        .collect();
    Outcome::share(turned, all, TILT_ZERO_AT, note, findings)
}

/// Whether the text of an element was turned, but not upended: the box around a slanted line is higher than its font.
fn is_turned(node: &Node) -> bool {
    let size = node.style.as_ref().map_or(16.0, |style| style.font_size);
    let slanted = |height: f32, width: f32| {
        height > size * TURNED && width > size * TURNED && width > 4.0 * size && height < 2.0 * width
    };
    node.lines.iter().any(|line| slanted(line.height, line.width))
}

/// Below this difference of the two sides a page is only asymmetric, which is a choice.
const LEANS: f64 = 0.75;

/// Whether nearly all that there is in the first window is on one side of it.
pub(crate) fn balance(page: &Page<'_>) -> Outcome {
    let Some(seen) = page.impression.as_ref().filter(|seen| seen.figures.fill > 0.02 && seen.unseen < 0.1)
    else {
        return Outcome::not_applicable();
    };
    let lopsided = seen.figures.lopsided;
    let over = ((lopsided - LEANS) / (1.0 - LEANS)).max(0.0);
    let note = format!("the sides of the first window differ by {:.0} %", 100.0 * lopsided);
    let findings = (over > 0.0)
        .then(|| {
            let what = format!("nearly all of the first window is on one side of it: {note}");
            Finding::page(Severity::Minor, what)
                .because("lopsided window")
                .figure("difference", 100.0 * lopsided, "%")
                .figure("at most", 100.0 * LEANS, "%")
        })
        .into_iter()
        .collect();
    Outcome {
        measure: Measure::Share { failing: over, unknown: 0.0, total: 1.0, zero_at: 1.0 },
        note,
        findings,
        undecided: Vec::new(),
    }
}
