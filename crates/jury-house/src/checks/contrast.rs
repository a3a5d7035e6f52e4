//! Text contrast, WCAG 1.4.3: 4.5:1, or 3:1 for large text.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::colour::contrast as ratio;
use crate::finding::{Finding, Measure, Outcome, Severity, count};
use crate::page::Page;
use crate::text_run::{TextRun, Verdict};

/// The share of characters at which contrast is worth nothing: a third of a page that cannot be read.
const ZERO_AT: f64 = 0.30;

/// Below this ratio text is hardly there.
const HARDLY_THERE: f64 = 2.0;

/// The finding itself, for people with low vision.
pub(super) fn contrast(page: &Page<'_>) -> Outcome {
    let mut outcome = legibility(page);
    outcome.findings = groups(page).into_values().filter_map(|group| finding(page, &group)).collect();
    outcome
        .findings
        .sort_by(|one, other| other.severity.cmp(&one.severity).then(one.nodes.cmp(&other.nodes)));
    outcome
}

/// The same measurement for the eye of a critic, who scores it but leaves the demand to the other seat.
pub(super) fn legibility(page: &Page<'_>) -> Outcome {
    let total: usize = page.runs.iter().map(|run| run.characters).sum();
    if total == 0 {
        return Outcome::not_applicable();
    }
    let sum = |verdict: Verdict| -> usize {
        page.runs.iter().filter(|run| run.verdict == verdict).map(|run| run.characters).sum()
    };
    let (failing, unknown) = (sum(Verdict::Fails), sum(Verdict::Unknown));
    let worst = page
        .runs
        .iter()
        .filter(|run| run.verdict == Verdict::Fails)
        .min_by(|one, other| one.ratio.total_cmp(&other.ratio));
    let lowest_passing = page
        .runs
        .iter()
        .filter(|run| run.verdict == Verdict::Passes)
        .map(|run| run.ratio)
        .fold(f64::INFINITY, f64::min);
    let mut note = match worst {
        Some(run) => format!(
            "{:.1}:1 on {failing} of {total} characters, needs {}:1 ({})",
            floor_tenth(run.ratio),
            run.required,
            page.place(run.node)
        ),
        None if lowest_passing.is_finite() => {
            format!("lowest ratio {:.1}:1 over {total} characters", floor_tenth(lowest_passing))
        }
        None => format!("no contrast decided over {total} characters"),
    };
    if unknown > 0 {
        let _ = write!(note, "; {unknown} characters over images or mixed backdrops undecided");
    }
    Outcome {
        measure: Measure::Share {
            failing: count(failing),
            unknown: count(unknown),
            total: count(total),
            zero_at: ZERO_AT,
        },
        note,
        findings: Vec::new(),
        undecided: Vec::new(),
    }
}

/// Failing runs by what causes them: one colour on one backdrop.
fn groups<'a>(page: &'a Page<'_>) -> BTreeMap<(String, String), Vec<&'a TextRun>> {
    let passing: BTreeSet<Vec<[u8; 3]>> =
        page.runs.iter().filter(|run| run.verdict == Verdict::Passes).map(colours).collect();
    let mut groups: BTreeMap<(String, String), Vec<&TextRun>> = BTreeMap::new();
    for run in page.runs.iter().filter(|run| run.verdict == Verdict::Fails) {
        let foreground = run.foregrounds.iter().map(|colour| colour.hex()).collect::<Vec<_>>().join("/");
        // A colour that passes elsewhere is let down by this backdrop; one that never passes is itself
        // the cause, whatever it stands on.
        let passes_elsewhere = passing.contains(&colours(run));
        let backdrop = run
            .only_backdrop()
            .filter(|_| passes_elsewhere)
            .map_or_else(|| "any".to_owned(), |colour| colour.rounded().hex());
        groups.entry((foreground, backdrop)).or_default().push(run);
    }
    groups
}

fn colours(run: &TextRun) -> Vec<[u8; 3]> {
    run.foregrounds.iter().map(|colour| colour.bytes()).collect()
}

fn finding(page: &Page<'_>, group: &[&TextRun]) -> Option<Finding> {
    let worst = group.iter().min_by(|one, other| one.ratio.total_cmp(&other.ratio))?;
    let severity = if worst.ratio < HARDLY_THERE { Severity::Critical } else { Severity::Serious };
    let nodes: Vec<_> = group.iter().map(|run| run.node).collect();
    let characters: usize = group.iter().map(|run| run.characters).sum();
    let (text, backdrop) = worst
        .painted
        .iter()
        .flat_map(|painted| worst.foregrounds.iter().map(|colour| painted.seen(*colour, worst.alpha)))
        .min_by(|one, other| ratio(one.0, one.1).total_cmp(&ratio(other.0, other.1)))?;
    let what = format!(
        "text contrast {:.2}:1, needs {}:1: {} on {}, {characters} characters ({})",
        (worst.ratio * 100.0).floor() / 100.0,
        worst.required,
        text.rounded().hex(),
        backdrop.rounded().hex(),
        page.places(&nodes)
    );
    let cause = format!("{} on {}", text.rounded().hex(), backdrop.rounded().hex());
    Some(
        Finding::on(severity, nodes, what)
            .because(cause)
            .figure("ratio", worst.ratio, ":1")
            .figure("needs", worst.required, ":1")
            .figure("characters", count(characters), ""),
    )
}

/// Ratios are never rounded up to their bound.
fn floor_tenth(ratio: f64) -> f64 {
    (ratio * 10.0).floor() / 10.0
}
