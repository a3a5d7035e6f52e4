//! The judgement for a person: the verdict, the marks, what is wrong and where, what nobody saw, what it cost.

use jury_core::decision::DecisionId;
use jury_core::judge::settings::JudgeMode;
use jury_core::judge::{
    JudgeCost, JudgeDimension, JudgeIssue, JudgeStatus, JudgeVerdict, Judgement, PASS_FROM, PanelRecord,
    WorkCoverage,
};
use jury_core::line::counted;
use jury_core::score::cut;
use jury_core::severity::TWO;

use super::JudgeCase;
use super::progress::tone;
use crate::output::{Output, Tone};
use crate::render::printable;

/// The longest line of somebody's words.
const WIDEST_LINE_CHARS: usize = 400;

/// How many characters a bar has.
const BAR: usize = 20;

/// How many files that nobody saw are named.
const NAMED: usize = 5;

/// Everything that a person needs to go on.
pub(crate) fn verdict(case: &JudgeCase, output: Output) -> String {
    let mut lines = vec![headline(case, output)];
    match case.state.judgement() {
        Some(judgement) => lines.extend(judged(case, judgement, output)),
        None => lines.extend(without(case)),
    }
    lines.push(format!("  {:<11}jury report {}", "report", case.run));
    lines.join("\n")
}

fn headline(case: &JudgeCase, output: Output) -> String {
    let bead = case.bead();
    if let Some(judgement) = case.state.judgement() {
        let word = judgement.verdict.as_str().to_uppercase();
        let word = output.paint_result(tone(judgement.verdict), &word);
        let by = judgement.judge.as_ref().map_or("", |judge| judge.model.as_str());
        // A pass is the one verdict that would be taken for more than it is.
        let measured = by == JudgeMode::Heuristic.as_str() && judgement.verdict == JudgeVerdict::Pass;
        let unjudged = if measured { "; correctness was not judged" } else { "" };
        let score = cut(judgement.score, 2);
        return format!("{word}  {score}  {bead}, judged by {}{unjudged}", printable(by, 120));
    }
    if case.state.status() == JudgeStatus::Inconclusive {
        let word = output.paint_result(Tone::Bad, "INCONCLUSIVE");
        let why = case.because().unwrap_or_else(|| "it was not judged".to_owned());
        return format!("{word}  {bead}: {}", printable(&why, WIDEST_LINE_CHARS));
    }
    let (word, tone) = match case.state.status() {
        JudgeStatus::Throttled => ("QUEUED: it waits for its turn", Tone::Poor),
        JudgeStatus::Disputed => ("WAITING for a person: the judges do not agree", Tone::Poor),
        JudgeStatus::Skipped => ("SKIPPED: not judged", Tone::Poor),
        JudgeStatus::Interrupted => ("INTERRUPTED: not judged", Tone::Bad),
        JudgeStatus::Failed => ("FAILED: something broke", Tone::Bad),
        JudgeStatus::Running
        | JudgeStatus::Pass
        | JudgeStatus::Partial
        | JudgeStatus::Fail
        | JudgeStatus::Inconclusive => ("RUNNING", Tone::Bold),
    };
    format!("{}  {bead}", output.paint_result(tone, word))
}

/// What is to be said when there is no judgement.
fn without(case: &JudgeCase) -> Vec<String> {
    // Why a run is inconclusive stands first of all.
    let why = case.because().filter(|_| case.state.status() != JudgeStatus::Inconclusive);
    let mut lines: Vec<String> =
        why.iter().map(|why| format!("  {}", printable(why, WIDEST_LINE_CHARS))).collect();
    match case.state.status() {
        JudgeStatus::Throttled => {
            if let Some(held) = &case.state.throttled {
                let until = held.until.strftime("%F %T UTC");
                lines.push(format!("  {:<11}after {until}: jury judge --drain", "goes on"));
            }
        }
        JudgeStatus::Disputed => {
            let id = DecisionId::of(case.run, 1);
            lines.push(format!(
                "  {:<11}jury decisions answer {id} pass   (or partial, fail, defer)",
                "answer"
            ));
        }
        JudgeStatus::Running
        | JudgeStatus::Pass
        | JudgeStatus::Partial
        | JudgeStatus::Fail
        | JudgeStatus::Skipped
        | JudgeStatus::Inconclusive
        | JudgeStatus::Interrupted
        | JudgeStatus::Failed => {}
    }
    lines.extend(case.notes.iter().map(|note| row("note", &printable(note, WIDEST_LINE_CHARS))));
    lines
}

fn judged(case: &JudgeCase, judgement: &Judgement, output: Output) -> Vec<String> {
    let mut lines = vec![String::new()];
    lines.extend(JudgeDimension::ALL.iter().map(|dimension| {
        let mark = judgement.dimensions.of(*dimension);
        let tone = if mark + 1e-9 >= PASS_FROM { Tone::Good } else { Tone::Poor };
        format!("  {:<15}  {}  {}", dimension.as_str(), output.paint_result(tone, &bar(mark)), cut(mark, 2))
    }));
    if !judgement.issues.is_empty() {
        lines.push(String::new());
        lines.extend(judgement.issues.iter().map(|issue| issue_line(issue, output)));
    }
    lines.push(String::new());
    lines.push(format!("  {}", printable(&judgement.summary, 2 * WIDEST_LINE_CHARS)));
    lines.push(String::new());
    lines.extend(judgement.panel.as_ref().map(|panel| row("panel", &seats(panel))));
    lines.push(row("confidence", judgement.confidence.as_str()));
    if let Some(started) = &case.state.started {
        lines.push(row("seen", &seen(&started.coverage)));
    }
    lines.extend(not_seen(case).map(|text| row("not seen", &text)));
    lines.extend(case.notes.iter().map(|note| row("note", &printable(note, WIDEST_LINE_CHARS))));
    lines.extend(
        judgement.warnings.iter().map(|warning| row("warning", &printable(warning, WIDEST_LINE_CHARS))),
    );
    lines.extend(cost(&case.state.cost()).map(|text| row("cost", &text)));
    if let Some(note) = &case.state.redispatch {
        lines.push(row("again", &format!("{} should be dispatched again", note.bead)));
    }
    lines
}

fn row(name: &str, text: &str) -> String {
    format!("  {name:<11}{text}")
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "between 0 and the width of a bar"
)]
fn bar(mark: f64) -> String {
    let full = ((mark.clamp(0.0, 1.0) * BAR as f64).round() as usize).min(BAR);
    format!("{}{}", "█".repeat(full), "░".repeat(BAR - full))
}

fn issue_line(issue: &JudgeIssue, output: Output) -> String {
    let tone = if issue.severity.is_must_fix() { Tone::Bad } else { Tone::Poor };
    let severity = output.paint_result(tone, TWO.word(issue.severity));
    let place = issue.evidence.as_ref().and_then(|evidence| {
        let file = printable(evidence.file.as_deref()?, 120);
        Some(match evidence.line {
            Some(line) => format!("{file}:{line}  "),
            None => format!("{file}  "),
        })
    });
    let dimension = issue.dimension.map(|dimension| format!(" [{dimension}]")).unwrap_or_default();
    let seats = match issue.seats {
        Some(seats) if seats > 1 => format!(" ({seats} judges)"),
        Some(_) | None => String::new(),
    };
    let text = printable(&issue.description, WIDEST_LINE_CHARS);
    format!("  {severity}  {}{text}{dimension}{seats}", place.unwrap_or_default())
}

fn seats(panel: &PanelRecord) -> String {
    let mut parts: Vec<String> = JudgeVerdict::ALL
        .iter()
        .filter_map(|verdict| {
            let count = panel.seats.iter().filter(|seat| seat.verdict == Some(*verdict)).count();
            (count > 0).then(|| format!("{count} {verdict}"))
        })
        .collect();
    let empty = panel.seats.iter().filter(|seat| seat.verdict.is_none()).count();
    if empty > 0 {
        parts.push(format!("{empty} absent"));
    }
    let seats = counted(panel.seats.len(), "seat", "seats");
    format!("{seats}: {}; scores lie {:.2} apart", parts.join(", "), panel.spread.score)
}

fn seen(coverage: &WorkCoverage) -> String {
    let mut text = format!("{:.0} % of the change", coverage.share * 100.0);
    let missing: Vec<&str> = [
        (coverage.prompt, "the prompt"),
        (coverage.tests, "the output of the tests"),
        (coverage.lint, "the output of the linter"),
    ]
    .into_iter()
    .filter_map(|(there, name)| (!there).then_some(name))
    .collect();
    if coverage.cut {
        text.push_str(", which goes on behind what was read");
    }
    if !missing.is_empty() {
        text.push_str("; without ");
        text.push_str(&missing.join(", "));
    }
    text
}

fn not_seen(case: &JudgeCase) -> Option<String> {
    if case.omitted.is_empty() {
        return None;
    }
    let lines: u64 = case.omitted.iter().map(|omission| omission.lines).sum();
    let mut named: Vec<String> = case
        .omitted
        .iter()
        .take(NAMED)
        .map(|omission| {
            let path = printable(&omission.path, 80);
            format!("{path} ({}, {})", counted(omission.lines, "line", "lines"), printable(&omission.why, 60))
        })
        .collect();
    let more = case.omitted.len().saturating_sub(NAMED);
    if more > 0 {
        named.push(format!("{more} more"));
    }
    Some(format!("{}: {}", counted(lines, "line", "lines"), named.join(", ")))
}

#[expect(clippy::cast_precision_loss, reason = "milliseconds of a judgement fit")]
fn cost(cost: &JudgeCost) -> Option<String> {
    if *cost == JudgeCost::default() {
        return None;
    }
    let seconds = cost.duration_ms as f64 / 1000.0;
    let dollars = cost.cost_usd.map(|dollars| format!(", ${dollars:.4}")).unwrap_or_default();
    let tokens = match (cost.input_tokens, cost.output_tokens) {
        (0, 0) => "tokens not reported".to_owned(),
        (input, output) => format!("{input} tokens in, {output} out"),
    };
    Some(format!("{tokens}{dollars}, {seconds:.1} s"))
}
