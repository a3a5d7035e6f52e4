//! The designer of the house: mechanical repairs, each a few bytes of the source, kept only when the page
//! is measurably better for them.
//!
//! A batch of repairs is tried at once. It stays when the potential (open findings, worst first) falls
//! strictly, nothing of must-fix severity is added, and, for repairs that should not be seen, no text
//! moves. Otherwise the repairs are tried one by one and the harmful ones are dropped. The potential is a
//! bounded tuple of counts that falls with every accepted step, so this ends.

mod contrast;
mod edit;
mod head;
mod names;
mod outline;
mod rule;
mod stylesheet;
mod words;

pub(crate) use edit::{Repair, Visible};

use crate::finding::Severity;
use crate::page::Page;
use crate::score::{Examination, Potential, examine};

/// Bytes one round may have measured for repairs. A small page can be tried often; a large one must do
/// with a few batches.
const MEASURED_BYTES: usize = 1_600_000;

/// How many batches in a row may build on each other: the second repairs what the first uncovered.
const BATCHES: usize = 3;

/// Which findings a round goes for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ambition {
    /// What must be fixed.
    MustFix,
    /// Everything.
    Everything,
}

/// A page after repairs.
pub(crate) struct Improved<'brand> {
    pub(crate) page: Page<'brand>,
    pub(crate) examination: Examination,
    /// What was done, in order.
    pub(crate) repairs: Vec<Repair>,
}

/// Repairs a page as far as the ambition goes. Absent when nothing could be improved.
pub(crate) fn improve<'brand>(
    page: &Page<'brand>,
    examination: &Examination,
    ambition: Ambition,
) -> Option<Improved<'brand>> {
    let mut best: Option<Improved<'brand>> = None;
    let mut measurements = (MEASURED_BYTES / page.html.len().max(1)).clamp(8, 60);
    let mut refused: Vec<String> = Vec::new();
    for attempt in 0..BATCHES {
        let (page, examination) =
            best.as_ref().map_or((page, examination), |best| (&best.page, &best.examination));
        let repairs: Vec<Repair> = propose(page, examination, ambition, attempt)
            .into_iter()
            .filter(|repair| !refused.contains(&repair.reason))
            .collect();
        if repairs.is_empty() {
            continue;
        }
        let (step, dropped) = step(page, examination, repairs, &mut measurements);
        refused.extend(dropped);
        let Some(step) = step else { continue };
        let mut done = best.map_or_else(Vec::new, |best| best.repairs);
        done.extend(step.repairs);
        best = Some(Improved { page: step.page, examination: step.examination, repairs: done });
        if measurements == 0 {
            break;
        }
    }
    best
}

/// One batch, or what is left of it when taken one by one; and the reasons of what was dropped.
fn step<'brand>(
    page: &Page<'brand>,
    examination: &Examination,
    repairs: Vec<Repair>,
    measurements: &mut usize,
) -> (Option<Improved<'brand>>, Vec<String>) {
    if let Some(improved) = attempt(page, examination.potential(), &repairs, measurements) {
        return (Some(improved), Vec::new());
    }
    let mut kept: Vec<Repair> = Vec::new();
    let mut best: Option<Improved<'brand>> = None;
    let mut dropped = Vec::new();
    for repair in repairs {
        let potential =
            best.as_ref().map_or_else(|| examination.potential(), |best| best.examination.potential());
        let mut candidate = kept.clone();
        candidate.push(repair.clone());
        match attempt(page, potential, &candidate, measurements) {
            Some(improved) => {
                kept.push(repair);
                best = Some(improved);
            }
            None => dropped.push(repair.reason),
        }
    }
    (best, dropped)
}

fn attempt<'brand>(
    page: &Page<'brand>,
    before: Potential,
    repairs: &[Repair],
    measurements: &mut usize,
) -> Option<Improved<'brand>> {
    *measurements = measurements.checked_sub(1)?;
    let (html, applied) = edit::apply(&page.html, repairs);
    if html == page.html {
        return None;
    }
    // A page the engine cannot take any more is not an improvement.
    let candidate = Page::measure(html, page.subject).ok()?;
    let examination = examine(&candidate);
    let after = examination.potential();
    let unseen = applied.iter().all(|repair| repair.visible == Visible::No);
    let accepted =
        after.is_below(before) && !after.adds_must_fix(before) && !(unseen && text_moved(page, &candidate));
    accepted.then_some(Improved { page: candidate, examination, repairs: applied })
}

/// Whether any text stands elsewhere than before.
fn text_moved(before: &Page<'_>, after: &Page<'_>) -> bool {
    let boxes = |page: &Page<'_>| -> Vec<(f32, f32)> {
        page.runs.iter().filter_map(|run| page.node(run.node)?.rect).map(|rect| (rect.x, rect.y)).collect()
    };
    let (before, after) = (boxes(before), boxes(after));
    before.len() == after.len()
        && before
            .iter()
            .zip(&after)
            .any(|(one, other)| (one.0 - other.0).abs() > 0.5 || (one.1 - other.1).abs() > 0.5)
}

fn propose(page: &Page<'_>, examination: &Examination, ambition: Ambition, attempt: usize) -> Vec<Repair> {
    let least = match ambition {
        Ambition::MustFix => Severity::Serious,
        Ambition::Everything => Severity::Minor,
    };
    let wanted = |id: &str| examination.has(id, least);
    let mut repairs = Vec::new();
    if wanted("a11y/contrast") {
        repairs.extend(contrast::repairs(page, attempt));
    }
    if wanted("a11y/lang") {
        repairs.extend(head::language(page));
    }
    if wanted("a11y/title") {
        repairs.extend(head::title(page));
    }
    if wanted("a11y/viewport") {
        repairs.extend(head::viewport(page));
    }
    if wanted("a11y/zoom") {
        repairs.extend(head::zoom(page));
    }
    if wanted("a11y/img-alt") {
        repairs.extend(names::images(page));
    }
    if wanted("a11y/control-name") {
        repairs.extend(names::controls(page));
    }
    if wanted("a11y/field-label") {
        repairs.extend(names::fields(page, ambition));
    }
    if wanted("a11y/heading-order") {
        repairs.extend(outline::headings(page));
    }
    if wanted("a11y/main") {
        repairs.extend(outline::main(page));
    }
    if wanted("a11y/focus") {
        repairs.extend(stylesheet::focus(page));
    }
    if wanted("critic/small-text") {
        repairs.extend(stylesheet::small_text(page));
    }
    if wanted("critic/caps") {
        repairs.extend(stylesheet::capitals(page));
    }
    if wanted("copy/placeholder") {
        repairs.extend(words::comments(page));
        repairs.extend(words::paragraphs(page));
    }
    if wanted("copy/links") {
        repairs.extend(words::links(page));
    }
    repairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::Subject;

    const FAULTY: &str = "<style>:root{--muted:#aaa}p{color:var(--muted)}a{outline:none}</style><h1>Bread</h1>\
        <h4>Prices</h4><p>Warm at six.</p><p>Lorem ipsum dolor sit amet</p><a href=\"#\">Prices</a>\
        <label>Mail</label><input name=mail><img src=a.png><!-- TODO: more -->";

    fn measured(html: &str) -> (Page<'static>, Examination) {
        let page = Page::measure(html.to_owned(), Subject::ALONE).expect("measurable");
        let examination = examine(&page);
        (page, examination)
    }

    #[test]
    fn every_accepted_step_lowers_the_potential_until_none_is_left() {
        let (mut page, mut examination) = measured(FAULTY);
        for steps in 0.. {
            assert!(steps < 6, "repairs go on and on");
            let before = examination.potential();
            let Some(improved) = improve(&page, &examination, Ambition::Everything) else { break };
            let after = improved.examination.potential();
            assert!(after.is_below(before) && !after.adds_must_fix(before), "{before:?} to {after:?}");
            (page, examination) = (improved.page, improved.examination);
        }
        // The image says nothing anywhere, so it alone is left to a person.
        let left: Vec<&str> = examination
            .findings()
            .filter(|(_, finding)| finding.severity.is_must_fix())
            .map(|(check, _)| check)
            .collect();
        assert_eq!(left, ["a11y/img-alt"]);
    }

    #[test]
    fn edits_leave_every_other_byte_alone() {
        let (page, examination) = measured(FAULTY);
        let improved = improve(&page, &examination, Ambition::MustFix).expect("something to repair");
        let html = &improved.page.html;
        assert!(html.contains("--muted:#7") || html.contains("--muted:#6"), "{html}");
        assert!(html.contains("<p>Warm at six.</p><a href=\"#prices\">Prices</a>"), "{html}");
        assert!(html.contains("<label for=\"mail\">Mail</label><input id=\"mail\" name=mail>"), "{html}");
        assert!(html.ends_with("<img src=a.png>"), "{html}");
    }

    #[test]
    fn a_repair_that_helps_nothing_is_dropped() {
        let (page, examination) = measured("<html lang=en><title>Bread</title><p>Warm at six.</p>");
        let useless = vec![Repair::insert("a11y/lang", 0, "<!-- hello -->", "useless")];
        let (improved, dropped) = step(&page, &examination, useless, &mut 5);
        assert!(improved.is_none());
        assert_eq!(dropped, ["useless"]);
    }
}
