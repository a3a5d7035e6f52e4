//! Text contrast for those who see little, WCAG 1.4.6: 7:1, or 4.5:1 for large text. Level AAA: said, and asked of nobody.

use jury_core::unit::ContrastRatio;

use crate::finding::{Finding, Outcome, Severity, count, counted};
use crate::page::Page;
use crate::text_run::{TextRun, Verdict};

/// The ratio that a text which needs `required` for level AA needs for level AAA.
fn enhanced(required: f64) -> f64 {
    if required < 4.0 { 4.5 } else { 7.0 }
}

/// What level AAA says of a run. Over many colours only a failure of the lower level is certain.
fn is_too_faint(run: &TextRun) -> bool {
    match run.verdict {
        Verdict::Fails => true,
        Verdict::Passes => {
            !run.from_pixels && run.only_backdrop().is_some() && run.ratio < enhanced(run.required)
        }
        Verdict::Unknown => false,
    }
}

/// One finding for the page: nearly every page has many such texts.
pub(super) fn contrast(page: &Page<'_>) -> Outcome {
    let faint: Vec<&TextRun> = page.texts().filter(|run| is_too_faint(run)).collect();
    let Some(worst) = faint.iter().min_by(|one, other| one.ratio.total_cmp(&other.ratio)) else {
        return Outcome::not_applicable();
    };
    let mut nodes: Vec<_> = faint.iter().map(|run| run.node).collect();
    nodes.sort_unstable();
    let characters: usize = faint.iter().map(|run| run.characters).sum();
    let what = format!(
        "{} under {}:1, or {}:1 where large, the least {}: level AAA asks for more ({})",
        counted(characters, "character"),
        enhanced(4.5),
        enhanced(3.0),
        ContrastRatio(worst.ratio),
        page.places(&nodes)
    );
    let finding = Finding::on(Severity::Minor, nodes, what)
        .because("contrast of level AAA")
        .figure("ratio", worst.ratio, ":1")
        .figure("characters", count(characters), "");
    Outcome::said(vec![finding])
}
