//! Pages for people: what stands against each, worst first, with the id that `jury explain` takes.

use std::fmt::Write as _;

use jury_core::evidence::Span;
use jury_core::line::spaced;
use jury_core::severity::Severity;
use jury_house::{Report, ReportedFinding};

use super::{NOT_JUDGED, Shown, verdict};
use crate::command::check::{Checked, PageStatus, Totals};
use crate::output::{Output, Tone};
use crate::render::printable;

/// How many findings of one page are shown if nobody says.
const MOST_FINDINGS: usize = 20;

/// How many places of one finding are named.
const MOST_PLACES: usize = 3;

/// The widest a finding is told.
const WIDEST_FINDING_CHARS: usize = 220;

/// One page.
pub(super) fn page(page: &Checked, shown: Shown, output: Output) -> String {
    let report = match &page.report {
        Ok(report) => report,
        Err(why) => {
            let mark = output.paint_result(Tone::Bad, "NOT MEASURED");
            return format!("{mark}  {}: {}", spaced(&page.path), printable(why, WIDEST_FINDING_CHARS));
        }
    };
    let mut text = head(page, report, output);
    for note in &page.notes {
        write!(text, "\n  note: {}", printable(note, WIDEST_FINDING_CHARS)).ok();
    }
    for waiver in &page.waivers {
        write!(text, "\n  {}", printable(&waiver.line(), WIDEST_FINDING_CHARS)).ok();
    }
    if let Some(gap) = &page.gap {
        write!(
            text,
            "\n  {} {}",
            output.paint_result(Tone::Bad, "in part:"),
            printable(gap, WIDEST_FINDING_CHARS)
        )
        .ok();
    }
    if page.below {
        write!(text, "\n  {}", below(page, shown)).ok();
    }
    repairs(page, &mut text, output);
    let most = shown.most(MOST_FINDINGS);
    // With a baseline, what is known is told as a number: the rest is what somebody has to act on.
    let is_known =
        |found: &&ReportedFinding| page.against.as_ref().is_some_and(|against| !against.is_worse(&found.id));
    let told: Vec<&ReportedFinding> = report.findings.iter().filter(|found| !is_known(found)).collect();
    for found in told.iter().take(most) {
        text.push('\n');
        text.push_str(&finding(page, found, output));
    }
    if told.len() > most {
        let more = told.len() - most;
        write!(
            text,
            "\n  {}",
            output.paint_result(Tone::Dim, &format!("… and {more} more; --max-findings 0 shows all"))
        )
        .ok();
    }
    if output.is_verbose() {
        for found in &report.undecided {
            let mark = output.paint_result(Tone::Dim, "undecided");
            write!(text, "\n  {mark} {}  {}", found.id, printable(&found.what, WIDEST_FINDING_CHARS)).ok();
        }
    }
    if let Some(against) = &page.against {
        if !against.known.is_empty() {
            write!(text, "\n  {}", output.paint_result(Tone::Dim, &format!("{} known", against.known.len())))
                .ok();
        }
        for id in &against.fixed {
            write!(text, "\n  {} {id}", output.paint_result(Tone::Good, "fixed")).ok();
        }
    }
    text
}

/// `PASS  page.html  8.4 of 10 (critic 8.0, a11y 9.2)  1 moderate, 2 undecided`.
fn head(page: &Checked, report: &Report, output: Output) -> String {
    let (mark, tone) = match page.status() {
        PageStatus::Pass => ("PASS", Tone::Good),
        PageStatus::Fail => ("FAIL", Tone::Bad),
        PageStatus::Partial => ("IN PART", Tone::Bad),
        PageStatus::Unmeasured => ("NOT MEASURED", Tone::Bad),
    };
    let mut text = format!(
        "{}  {}  ",
        output.paint_result(tone, mark),
        output.paint_result(Tone::Bold, &spaced(&page.path))
    );
    match page.composite {
        Some(score) => write!(text, "{} of 10", span(score)).ok(),
        None => write!(text, "no score").ok(),
    };
    if let Some(before) = page.before {
        write!(text, " ({} before)", span(before)).ok();
    }
    let seats: Vec<String> = report
        .seats
        .iter()
        .map(|seat| {
            let score = seat.score.map_or_else(|| "-".to_owned(), span);
            let place = seat.percentile.map(|place| format!(" (p{place})")).unwrap_or_default();
            format!("{} {score}{place}", seat.role)
        })
        .collect();
    write!(text, "  {}", output.paint_result(Tone::Dim, &seats.join(", "))).ok();
    write!(text, "  {}", counts(report)).ok();
    text
}

/// What was repaired, edit by edit, and where the copy is.
fn repairs(page: &Checked, text: &mut String, output: Output) {
    let Some(mended) = &page.mended else { return };
    for repair in &mended.repairs {
        let mark = output.paint_result(Tone::Good, "repaired");
        let confirm = if repair.to_confirm { " (to be confirmed)" } else { "" };
        let reason = printable(&repair.reason, WIDEST_FINDING_CHARS);
        write!(text, "\n  {mark} line {}  {}: {reason}{confirm}", repair.line, repair.check).ok();
        if output.is_verbose() {
            for edit in &repair.edits {
                let (was, now) = (printable(&edit.was, 80), printable(&edit.now, 80));
                let change = format!("line {}: '{was}' becomes '{now}'", edit.line);
                write!(text, "\n           {}", output.paint_result(Tone::Dim, &change)).ok();
            }
        }
    }
    for question in &mended.questions {
        let mark = output.paint_result(Tone::Poor, "asked");
        let asks = printable(&question.asks, WIDEST_FINDING_CHARS);
        write!(text, "\n  {mark}    {}: {asks}", question.check).ok();
    }
    for defect in &mended.design_defects {
        write!(
            text,
            "\n  {} {}",
            output.paint_result(Tone::Poor, "DESIGN.md:"),
            printable(defect, WIDEST_FINDING_CHARS)
        )
        .ok();
    }
    if let Some(written) = &page.written {
        write!(text, "\n  written to {written}; lines below are of that file").ok();
    }
}

/// Two ends where they differ.
pub(crate) fn span(score: Span) -> String {
    // A score is rounded down: 7.96 does not meet 8.0 and must not look like it.
    let down = |value: f64| (value * 10.0 + 1e-6).floor() / 10.0;
    let (low, high) = (down(score.low), down(score.high));
    if high - low < 0.05 { format!("{low:.1}") } else { format!("{low:.1} to {high:.1}") }
}

fn counts(report: &Report) -> String {
    let of = |severity: Severity| report.findings.iter().filter(|found| found.severity == severity).count();
    let mut parts = Vec::new();
    for severity in [Severity::Critical, Severity::Serious, Severity::Moderate, Severity::Minor] {
        let count = of(severity);
        if count > 0 {
            parts.push(format!("{count} {}", severity.as_str()));
        }
    }
    if parts.is_empty() {
        parts.push("nothing found".to_owned());
    }
    if !report.undecided.is_empty() {
        parts.push(format!("{} undecided", report.undecided.len()));
    }
    parts.join(", ")
}

/// Why the score fails the page.
pub(super) fn below(page: &Checked, shown: Shown) -> String {
    let bar = shown.bar.threshold.unwrap_or_default();
    match page.composite {
        Some(score) => format!("score {} is below {bar:.1}", span(score)),
        None => format!("no score, and {bar:.1} is needed"),
    }
}

/// `  serious  line 12  a11y/contrast#1a2b3c  what it is`, and where else.
pub(crate) fn finding(page: &Checked, found: &ReportedFinding, output: Output) -> String {
    let tone = if page.is_failed_by(found) {
        Tone::Bad
    } else if found.severity >= Severity::Moderate {
        Tone::Poor
    } else {
        Tone::Dim
    };
    let severity = output.paint_result(tone, &format!("{:<8}", found.severity.as_str()));
    let state = page
        .against
        .as_ref()
        .map_or("", |against| if against.new.contains(&found.id) { "new " } else { "grown " });
    let mut text =
        format!("  {severity} {state}{}  {}", found.id, printable(&found.what, WIDEST_FINDING_CHARS));
    if let Some(window) = found.viewport {
        write!(text, " (at {}x{})", window.width, window.height).ok();
    }
    let places = places(found);
    // Most findings name their first place themselves.
    let told = found.places.len() == 1 && found.what.contains(" line ");
    if !places.is_empty() && !told {
        write!(text, "\n           {}", output.paint_result(Tone::Dim, &places)).ok();
    }
    text
}

/// `line 12 p.note, line 40 p.note and 7 more`.
fn places(found: &ReportedFinding) -> String {
    let mut parts: Vec<String> = found
        .places
        .iter()
        .take(MOST_PLACES)
        .map(|place| {
            let line = place.line.map(|line| format!("line {line} ")).unwrap_or_default();
            format!("{line}{}", printable(&place.selector, 60))
        })
        .collect();
    if found.places.len() > MOST_PLACES {
        parts.push(format!("{} more", found.places.len() - MOST_PLACES));
    }
    match parts.split_last() {
        Some((last, first)) if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => parts.concat(),
    }
}

/// What all of them come to.
pub(super) fn summary(totals: &Totals, aftermath: &[String], output: Output) -> String {
    let tone = if totals.code() == 0 { Tone::Good } else { Tone::Bad };
    let mut text = format!("\n{}", output.paint_result(tone, &verdict(totals)));
    let found: Vec<String> = [
        (totals.critical, "critical"),
        (totals.serious, "serious"),
        (totals.moderate, "moderate"),
        (totals.minor, "minor"),
        (totals.undecided, "undecided"),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, what)| format!("{count} {what}"))
    .collect();
    if !found.is_empty() {
        write!(text, "\nfound: {}", found.join(", ")).ok();
    }
    for line in aftermath {
        write!(text, "\n{line}").ok();
    }
    if totals.critical + totals.serious + totals.moderate + totals.minor > 0 {
        text.push_str("\n'jury explain ID PAGE' says how a finding came about");
    }
    write!(text, "\n{}", output.paint_result(Tone::Dim, NOT_JUDGED)).ok();
    text
}
