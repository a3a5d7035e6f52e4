//! The verdict for a person: what happened, round by round, and where things are.

use std::path::Path;

use jury_core::event::RoundEnd;
use jury_core::outcome::TheaterStatus;
use jury_core::report::measured_line;
use jury_core::warning::WarningKind;

use super::{ReportCase, printable};
use crate::output::{Output, Tone};

/// The most characters of a measured failure.
const WIDEST: usize = 400;

/// The verdict, the table of scores, and where to look next.
pub(crate) fn verdict(case: &ReportCase, dir: &Path, output: Output) -> String {
    let mut lines = vec![String::new(), headline(case, output)];
    let because = case.because();
    if !because.is_empty() {
        lines.push(format!("  {because}"));
    }
    if case.board.warnings.contains_key(&WarningKind::ShipArtifactDiffers) {
        lines.push(
            "  note: the agent sent another page with SHIP; the page that was reviewed is handed over"
                .to_owned(),
        );
    }
    lines.extend(case.conditions().iter().map(|condition| format!("  note: {condition}")));
    lines.extend(measured(case));
    lines.extend(advice(case));
    lines.extend(scores(case));
    if let Some(started) = &case.board.started {
        lines.push(String::new());
        lines.push(format!("  bar       {} of {} and no must-fix open", started.threshold, started.scale));
    }
    let round = case.result().0.map(|round| format!("round {round}, ")).unwrap_or_default();
    lines.push(match &case.artifact {
        Some(path) if case.status() == Some(TheaterStatus::Shipped) => format!("  page      {path}"),
        Some(path) if case.unreviewed() => format!("  page      {path} (not reviewed)"),
        Some(path) => format!("  kept      {path} ({round}not shipped)"),
        None => "  page      none was kept".to_owned(),
    });
    if let Some(run) = case.run {
        // Wherever the runs are kept, the line can be pasted.
        let dir =
            if dir == Path::new(".od") { String::new() } else { format!("--data-dir {} ", dir.display()) };
        lines.push(format!("  replay    jury {dir}replay {run}"));
    }
    lines.join("\n")
}

fn headline(case: &ReportCase, output: Output) -> String {
    let tone = match case.status() {
        Some(TheaterStatus::Shipped) => Tone::Good,
        Some(TheaterStatus::BelowThreshold) => Tone::Poor,
        Some(
            TheaterStatus::TimedOut
            | TheaterStatus::Interrupted
            | TheaterStatus::Degraded
            | TheaterStatus::Failed
            | TheaterStatus::Legacy,
        ) => Tone::Bad,
        None => Tone::Bold,
    };
    let line = case.headline();
    // The word and its reason are painted; the numbers stand beside them.
    let end = line.find("  ").or_else(|| line.rfind(" (score ")).unwrap_or(line.len());
    let (word, numbers) = line.split_at(end);
    format!("{}{numbers}", output.paint_result(tone, word))
}

/// How many measured failures are told to a person.
const MOST_MEASURED: usize = 8;

/// What was measured to fail and nobody asked for: without it, nobody would know why the page does not ship.
fn measured(case: &ReportCase) -> Vec<String> {
    let measured = case.measured();
    let told = measured.iter().take(MOST_MEASURED);
    let mut lines: Vec<String> =
        told.map(|finding| format!("  measured  {}", printable(&measured_line(finding), WIDEST))).collect();
    if let Some(more) = measured.len().checked_sub(MOST_MEASURED).filter(|more| *more > 0) {
        lines.push(format!("  measured  and {more} more"));
    }
    lines
}

/// What seats without a weight would have asked for.
fn advice(case: &ReportCase) -> Vec<String> {
    let advice = case.advice();
    let told = advice.iter().take(MOST_MEASURED);
    let mut lines: Vec<String> =
        told.map(|(role, text)| format!("  advice    {role}: {}", printable(text, WIDEST))).collect();
    if let Some(more) = advice.len().checked_sub(MOST_MEASURED).filter(|more| *more > 0) {
        lines.push(format!("  advice    and {more} more"));
    }
    lines
}

/// One row per panelist, one column per round.
fn scores(case: &ReportCase) -> Vec<String> {
    let closed: Vec<_> = case.board.closed_rounds().collect();
    if closed.is_empty() {
        return Vec::new();
    }
    // Names of added seats may be longer than those of the five.
    let width = case.cast().iter().map(|role| role.as_str().len() + 2).fold(10, usize::max);
    let row = |name: &str, cells: Vec<String>| {
        let cells: Vec<String> = cells.iter().map(|cell| format!("{cell:>8}")).collect();
        format!("  {name:<width$}{}", cells.join("")).trim_end().to_owned()
    };
    let mut lines = vec![String::new()];
    lines.push(row("", closed.iter().map(|(round, _)| format!("round {}", round.round)).collect()));
    for role in case.cast() {
        let run = case.board.started.as_ref();
        let weighs = run.is_none_or(|run| run.weight(role) > 0.0);
        // Who was added was added to be seen.
        if !weighs && run.is_none_or(|run| run.seat(role).is_none()) {
            continue;
        }
        let cells = closed.iter().map(|(round, _)| match round.review(role) {
            None => "absent".to_owned(),
            Some(review) => review.score.map_or_else(|| "-".to_owned(), |score| score.to_string()),
        });
        let note = if weighs { "" } else { "  no weight" };
        lines.push(format!("{}{note}", row(role.as_str(), cells.collect())));
    }
    let column = |show: fn(&RoundEnd) -> String| closed.iter().map(|(_, end)| show(end)).collect();
    lines.push(row("composite", column(|end| end.composite.to_string())));
    lines.push(row("must-fix", column(|end| end.must_fix.to_string())));
    lines
}
