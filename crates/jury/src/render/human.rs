//! The verdict for a person: what happened, round by round, and where things are.

use std::fmt::Write as _;
use std::path::Path;

use jury_core::event::RoundEnd;
use jury_core::outcome::Status;
use jury_core::warning::WarningKind;

use super::Case;
use crate::output::{Output, Tone};

/// The verdict, the table of scores, and where to look next.
pub(crate) fn verdict(case: &Case, dir: &Path, output: Output) -> String {
    let mut lines = vec![String::new(), headline(case, output)];
    let because = case.because();
    if !because.is_empty() {
        lines.push(format!("  {because}"));
    }
    if case.board.warnings.contains_key(&WarningKind::ShipArtifactDiffers) {
        lines.push(
            "  note: the page that was handed over is not byte for byte the one that the round reviewed"
                .to_owned(),
        );
    }
    lines.extend(scores(case));
    if let Some(started) = &case.board.started {
        lines.push(String::new());
        lines.push(format!("  bar       {} of {} and no must-fix open", started.threshold, started.scale));
    }
    match &case.artifact {
        Some(path) if case.status() == Some(Status::Shipped) => {
            lines.push(format!("  page      {path}"));
        }
        Some(path) if case.unreviewed() => {
            lines.push(format!("  page      {path} (nobody reviewed it)"));
        }
        Some(path) => lines.push(format!("  kept      {path} (not shipped)")),
        None => lines.push("  page      none was kept".to_owned()),
    }
    if let Some(run) = case.run {
        // Wherever the runs are kept, the line can be pasted.
        let dir =
            if dir == Path::new(".od") { String::new() } else { format!("--data-dir {} ", dir.display()) };
        lines.push(format!("  replay    jury {dir}replay {run}"));
    }
    lines.join("\n")
}

fn headline(case: &Case, output: Output) -> String {
    let (word, tone) = match case.status() {
        Some(Status::Shipped) => ("SHIPPED", Tone::Good),
        Some(Status::BelowThreshold) => ("NOT SHIPPED: below the bar", Tone::Poor),
        Some(Status::TimedOut) => ("NOT SHIPPED: out of time", Tone::Bad),
        Some(Status::Interrupted) => ("NOT SHIPPED: interrupted", Tone::Bad),
        Some(Status::Degraded) => ("NOT REVIEWED: the review did not take place as promised", Tone::Bad),
        Some(Status::Failed) => ("NOT REVIEWED: something broke", Tone::Bad),
        Some(Status::Legacy) => ("NOT REVIEWED: made without a jury", Tone::Bad),
        None => ("RUNNING", Tone::Bold),
    };
    let mut line = output.paint_result(tone, word);
    if let (Some(round), Some(composite)) = case.result() {
        let open = case.open_must_fix();
        write!(line, "  round {round}, composite {composite}, {open} must-fix open").ok();
    }
    line
}

/// One row per panelist, one column per round.
fn scores(case: &Case) -> Vec<String> {
    let closed: Vec<_> = case.board.closed_rounds().collect();
    if closed.is_empty() {
        return Vec::new();
    }
    let row = |name: &str, cells: Vec<String>| {
        let cells: Vec<String> = cells.iter().map(|cell| format!("{cell:>8}")).collect();
        format!("  {name:<10}{}", cells.join("")).trim_end().to_owned()
    };
    let mut lines = vec![String::new()];
    lines.push(row("", closed.iter().map(|(round, _)| format!("round {}", round.round)).collect()));
    for role in case.cast() {
        let weight = case.board.started.as_ref().map_or(1.0, |started| started.weights.of(role));
        if weight <= 0.0 {
            continue;
        }
        let cells = closed.iter().map(|(round, _)| match round.review(role) {
            None => "absent".to_owned(),
            Some(review) => review.score.map_or_else(|| "-".to_owned(), |score| score.to_string()),
        });
        lines.push(row(role.as_str(), cells.collect()));
    }
    let column = |show: fn(&RoundEnd) -> String| closed.iter().map(|(_, end)| show(end)).collect();
    lines.push(row("composite", column(|end| end.composite.to_string())));
    lines.push(row("must-fix", column(|end| end.must_fix.to_string())));
    lines
}
