//! A run as a Markdown report.

use std::fmt::Write as _;

use crate::evidence::{ClaimVerdict, Evidence, EvidenceKind};
use crate::finding::FindingState;
use crate::line::counted;
use crate::theater::RoundBoard;

use super::{Report, ReportCase};

/// The report. Whatever the agent wrote is escaped: it is data.
pub fn document(case: &ReportCase) -> String {
    let mut text = String::new();
    head(case, &mut text);
    scores(case, &mut text);
    findings(case, &mut text);
    for round in &case.board.rounds {
        reviews(round, &mut text);
    }
    text.trim_end().to_owned()
}

fn head(case: &ReportCase, text: &mut String) {
    writeln!(text, "# {}\n", escaped(&case.title)).ok();
    write!(
        text,
        "**{}** ({}",
        escaped(&case.headline().replacen("  ", ": ", 1)),
        escaped(&case.status_words())
    )
    .ok();
    if let (Some(round), _) = case.result() {
        write!(text, ", round {round}").ok();
    }
    writeln!(text, ").\n\n{}\n", escaped(&case.because())).ok();
    for condition in case.conditions() {
        writeln!(text, "**{}**\n", escaped(&condition)).ok();
    }
    let seconds = case.took.0 / 1000;
    let run = case.run.map(|run| run.to_string()).unwrap_or_default();
    let did = if case.unreviewed() { "made" } else { "reviewed" };
    writeln!(text, "Run `{run}`, {did} by {}, {seconds} s.\n", escaped(case.agent.as_str())).ok();
}

fn scores(case: &ReportCase, text: &mut String) {
    let closed: Vec<_> = case.board.closed_rounds().collect();
    if closed.is_empty() {
        return;
    }
    let mut row = |name: &str, cells: Vec<String>| writeln!(text, "| {name} | {} |", cells.join(" | ")).ok();
    row("", closed.iter().map(|(round, _)| format!("round {}", round.round)).collect());
    row("---", closed.iter().map(|_| "---:".to_owned()).collect());
    for role in case.cast() {
        let cells = closed.iter().map(|(round, _)| match round.review(role) {
            None => "absent".to_owned(),
            Some(review) => review.score.map_or_else(|| "–".to_owned(), |score| score.to_string()),
        });
        row(role.as_str(), cells.collect());
    }
    row("**composite**", closed.iter().map(|(_, end)| format!("**{}**", end.composite)).collect());
    row("must-fix", closed.iter().map(|(_, end)| end.must_fix.to_string()).collect());
    text.push('\n');
}

fn findings(case: &ReportCase, text: &mut String) {
    let findings = case.findings();
    if findings.is_empty() {
        return;
    }
    writeln!(text, "## Findings\n").ok();
    for finding in findings {
        let state = match finding.state {
            FindingState::Open => "open",
            FindingState::Fixed => "fixed",
            FindingState::Regressed => "back again",
            FindingState::Refuted => "refuted",
            FindingState::Deferred => "deferred",
            FindingState::Escalated => "escalated",
            FindingState::Known => "known",
            FindingState::Waived => "waived",
            FindingState::Noted => "noted",
        };
        writeln!(
            text,
            "- **{state}** ({}): {}",
            finding.rule.as_deref().unwrap_or_default(),
            escaped(&finding.text)
        )
        .ok();
    }
    text.push('\n');
}

fn reviews(round: &RoundBoard, text: &mut String) {
    writeln!(text, "## Round {}\n", round.round).ok();
    if let Some(end) = &round.end {
        writeln!(text, "{}.\n", escaped(&end.reason)).ok();
    }
    for review in &round.reviews {
        let score = review.score.map(|score| format!(" {score}")).unwrap_or_default();
        writeln!(text, "### {}{score}\n", review.role).ok();
        if !review.notes.is_empty() {
            writeln!(text, "{}\n", escaped(&review.notes)).ok();
        }
        for dimension in &review.dimensions {
            let score = dimension.score.map(|score| format!(" {score}")).unwrap_or_default();
            writeln!(text, "- {}{score}: {}", escaped(&dimension.name), escaped(&dimension.note)).ok();
        }
        for must_fix in &review.must_fix {
            writeln!(text, "- must fix: {}", escaped(&must_fix.text)).ok();
        }
        text.push('\n');
    }
    measured(round, text);
}

/// What was measured, beside what was said. What agrees is counted; what does not is shown.
fn measured(round: &RoundBoard, text: &mut String) {
    if round.evidence.is_empty() {
        return;
    }
    writeln!(text, "### Measured\n").ok();
    let agree =
        |item: &&Evidence| item.standing == ClaimVerdict::Consistent && item.kind != EvidenceKind::Failure;
    let agreed = round.evidence.iter().filter(agree).count();
    if agreed > 0 {
        writeln!(text, "- **consistent**: {agreed} of {}", counted(round.evidence.len(), "claim", "claims"))
            .ok();
    }
    for item in round.evidence.iter().filter(|item| !agree(item)) {
        let mut about = item.role.map_or_else(String::new, |role| format!("{role} "));
        if let Some(dimension) = &item.dimension {
            write!(about, "{} ", escaped(dimension)).ok();
        }
        let standing = if item.kind == EvidenceKind::Loss { "missing" } else { item.standing.as_str() };
        write!(text, "- **{standing}** ({about}{}): {}", item.check, escaped(&item.measured)).ok();
        if let Some(bound) = item.bound.as_ref().filter(|_| item.kind != EvidenceKind::Score) {
            write!(text, ", needs {}", escaped(bound)).ok();
        }
        if let Some(criterion) = &item.criterion {
            write!(text, ", {}", escaped(criterion)).ok();
        }
        if let Some(place) = &item.place {
            write!(text, ", at {}", escaped(place)).ok();
        }
        if let Some(line) = item.line {
            write!(text, ", line {line}").ok();
        }
        match &item.claim {
            Some(claim) => writeln!(text, "; claimed: {}", escaped(claim)).ok(),
            None if item.kind == EvidenceKind::Failure => writeln!(text, "; nobody asked for it").ok(),
            None => writeln!(text).ok(),
        };
    }
    text.push('\n');
}

/// A review of any workflow: the verdict, what is open, who looked, and what became of the rest.
pub fn summary(report: &Report) -> String {
    let mut text = String::new();
    writeln!(text, "# {}\n\n**{}**.\n", escaped(&report.title), escaped(&report.verdict())).ok();
    let by = report.agent.as_ref().map_or("the house", |agent| agent.as_str());
    if let Some(run) = report.run_id {
        writeln!(text, "Run `{run}` of the {}, by {}.\n", report.workflow, escaped(by)).ok();
    }
    for question in &report.questions {
        let (asks, question) =
            (escaped(&question.asks), (escaped(&question.question), &question.answer_with));
        writeln!(text, "- **asked** ({asks}): {} Answer with `{}`", question.0, question.1).ok();
    }
    if !report.findings.is_empty() {
        writeln!(text, "## Findings\n").ok();
    }
    for finding in &report.findings {
        let place = match (&finding.place.file, finding.place.line) {
            (Some(file), Some(line)) => format!(", {} line {line}", escaped(file)),
            (None, Some(line)) => format!(", line {line}"),
            (Some(_) | None, None) => String::new(),
        };
        let rule = escaped(finding.rule.as_deref().unwrap_or("jury"));
        let (state, severity) = (finding.state, finding.severity.as_str());
        write!(text, "- **{state}** ({rule}, {severity}{place}): {}", escaped(&finding.text)).ok();
        match &finding.suggestion {
            Some(suggestion) => writeln!(text, " → {}", escaped(suggestion)).ok(),
            None => writeln!(text).ok(),
        };
    }
    for waiver in &report.waivers {
        writeln!(text, "- {}", escaped(&waiver.line())).ok();
    }
    if !report.parts.is_empty() {
        writeln!(text, "\n## Who looked\n\n| | |\n|---|---|").ok();
    }
    for part in &report.parts {
        let why =
            if part.message.is_empty() { String::new() } else { format!(": {}", escaped(&part.message)) };
        writeln!(text, "| {} | {}{why} |", escaped(&part.name), part.result.as_str()).ok();
    }
    text.trim_end().to_owned()
}

/// Text in which nothing is markup.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars().filter(|c| !c.is_control()) {
        if matches!(character, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|') {
            safe.push('\\');
        }
        safe.push(character);
    }
    safe
}
