//! How a run of the content pipeline stands, for a person.

use jury_core::content::event::ContentMeasured;
use jury_core::content::rule::{GOOD_MEAN, Ruling};
use jury_core::content::state::RoundState;
use jury_core::content::{ContentIssue, ContentState, ContentStatus, EditorDecision};
use jury_core::evidence::EvidenceMode;
use jury_core::id::RunId;
use jury_core::line::counted;
use jury_core::score::cut;
use jury_core::severity::{Severity, THREE};

use crate::output::{Output, Tone};
use crate::render::printable;

/// How many open issues are listed.
const MOST_ISSUES: usize = 12;
/// The longest line of somebody's words.
const WIDEST_LINE_CHARS: usize = 200;
/// The longest name of a critic.
const WIDEST_NAME_CHARS: usize = 60;

/// The whole of it.
pub(crate) fn verdict(run: RunId, state: &ContentState, output: Output) -> String {
    let mut lines = vec![headline(state, output)];
    if let Some(started) = &state.started {
        let by = started.agent.as_ref().map_or("without a model".to_owned(), |agent| format!("with {agent}"));
        lines.push(format!("  {} for {}, {by}", started.recipe.content_type, started.idea_id));
    }
    lines.extend(evidence(state).map(|said| format!("  {said}")));
    lines.extend(
        shown(state)
            .and_then(|round| barely_approved(round.ruling.as_ref()?))
            .map(|said| format!("  {said}")),
    );
    if let Some(halted) = &state.halted {
        lines.push(format!("  {}: {}", halted.tool, printable(&halted.detail, 400)));
    }
    table(state, &mut lines);
    absent(state, &mut lines);
    open(state, &mut lines);
    lost(state, &mut lines);
    if let (ContentStatus::NeedsHuman, Some(needs)) = (state.status(), &state.needs) {
        lines.push(String::new());
        lines.push(format!("  {}", printable(&needs.reason, 400)));
    }
    lines.push(String::new());
    for (name, text) in ways(run, state) {
        lines.push(format!("  {name:<9} {text}"));
    }
    lines.join("\n")
}

fn headline(state: &ContentState, output: Output) -> String {
    let standing = state.status();
    let (tone, words) = match standing {
        ContentStatus::Approved => (Tone::Good, "APPROVED"),
        ContentStatus::Unreviewed => (Tone::Bad, "NOT REVIEWED: the panel is empty, and nobody has read it"),
        ContentStatus::Stalled => (Tone::Bad, "NOT APPROVED: stalled"),
        ContentStatus::MaxRoundsReached => (Tone::Bad, "NOT APPROVED: no rounds left"),
        ContentStatus::NeedsHuman => (Tone::Poor, "NEEDS A PERSON"),
        ContentStatus::Halted => (Tone::Bad, "HALTED"),
        ContentStatus::Paused => (Tone::Poor, "PAUSED"),
        ContentStatus::Running => (Tone::Poor, "RUNNING"),
        ContentStatus::Abandoned => (Tone::Bad, "ABANDONED"),
    };
    let words = output.paint_result(tone, words);
    let round = state.saved.as_ref().map(|saved| saved.round).or(state.rounds.last().map(|last| last.round));
    let ruling = round.and_then(|round| state.round(round)?.ruling.as_ref());
    match (round, ruling) {
        (Some(round), Some(ruling)) => {
            let mean = ruling.mean.map_or("-".to_owned(), |mean| cut(mean, 1));
            // A quorum is not everybody: whoever reads the verdict is told who was missing.
            let of = if ruling.answered < ruling.seats {
                format!(", by {} of {}", ruling.answered, counted(ruling.seats, "critic", "critics"))
            } else {
                String::new()
            };
            format!("{words}  round {round}, mean {mean}, {} high open{of}", ruling.high)
        }
        _ => words,
    }
}

/// What a reader has to know about what was measured: nothing was, or it did not decide.
pub(crate) fn evidence(state: &ContentState) -> Option<String> {
    match state.started.as_ref()?.evidence? {
        EvidenceMode::Gate => None,
        EvidenceMode::Off => Some("evidence off: nothing was held against the documents".to_owned()),
        EvidenceMode::Warn => {
            let round = shown(state)?;
            let issues = &round.measured.as_ref()?.issues;
            let high = issues.iter().filter(|issue| issue.severity.is_must_fix()).count();
            let what = if high == 1 { "finding does" } else { "findings do" };
            Some(format!("evidence warn: {high} measured high {what} not decide"))
        }
    }
}

/// That a draft was approved with a mean that good work does not have, if it was.
pub(crate) fn barely_approved(ruling: &Ruling) -> Option<String> {
    let mean = ruling.mean.filter(|mean| *mean < GOOD_MEAN)?;
    (ruling.decision == EditorDecision::Approve).then(|| {
        let (mean, good) = (cut(mean, 1), cut(GOOD_MEAN, 1));
        format!("approved with a mean of {mean}: nothing is high, and below {good} it is usable, not good; read it first")
    })
}

/// The round of what was kept, or the last one with a decision.
fn shown(state: &ContentState) -> Option<&RoundState> {
    match &state.saved {
        Some(saved) => state.round(saved.round),
        None => state.rounds.iter().rev().find(|round| round.ruling.is_some()),
    }
}

/// The scores, critic by critic and round by round.
fn table(state: &ContentState, lines: &mut Vec<String>) {
    let seats = state.seats();
    if seats.is_empty() || state.rounds.is_empty() {
        return;
    }
    let names: Vec<String> = seats.iter().map(|seat| printable(&seat.name, WIDEST_NAME_CHARS)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max("decision".len());
    let pad = |name: &str| format!("  {name}{}", " ".repeat(width.saturating_sub(name.chars().count())));
    let row = |name: &str, cells: Vec<String>| {
        let cells: Vec<String> = cells.iter().map(|cell| format!(" {cell:>9}")).collect();
        format!("{}{}", pad(name), cells.concat())
    };
    lines.push(String::new());
    lines.push(row("", state.rounds.iter().map(|round| format!("round {}", round.round)).collect()));
    for (seat, name) in seats.iter().zip(&names) {
        let cells = state.rounds.iter().map(|round| match round.critiques.get(&seat.advisor_id) {
            Some(critique) => cut(critique.score, 1),
            None if round.absent.contains_key(&seat.advisor_id) => "absent".to_owned(),
            None => "-".to_owned(),
        });
        lines.push(row(name, cells.collect()));
    }
    let rulings = || state.rounds.iter().map(|round| round.ruling.as_ref());
    let mean = rulings()
        .map(|ruling| ruling.and_then(|ruling| ruling.mean).map_or("-".to_owned(), |mean| cut(mean, 1)));
    lines.push(row("mean", mean.collect()));
    let high = rulings().map(|ruling| ruling.map_or("-".to_owned(), |ruling| ruling.high.to_string()));
    lines.push(row("high", high.collect()));
    let decision = rulings()
        .map(|ruling| ruling.map_or("-", |ruling| EditorDecision::as_str(ruling.decision)).to_owned());
    lines.push(row("decision", decision.collect()));
}

/// Who did not answer last, and why.
fn absent(state: &ContentState, lines: &mut Vec<String>) {
    let Some(round) = state.rounds.last() else { return };
    for absent in round.absent.values() {
        lines.push(format!(
            "  {} did not answer: {}",
            printable(state.name_of(&absent.advisor_id), WIDEST_NAME_CHARS),
            printable(&absent.detail, WIDEST_LINE_CHARS)
        ));
    }
}

/// What is open in what was kept, or in the last draft.
fn open(state: &ContentState, lines: &mut Vec<String>) {
    let Some(round) = shown(state) else { return };
    let mut grave: Vec<(&ContentIssue, &str)> =
        round.open.iter().map(|open| (&open.issue, open.name.as_str())).collect();
    // What is only a warning is listed all the same.
    if let Some(measured) = round.measured.as_ref().filter(|measured| measured.mode == EvidenceMode::Warn) {
        grave.extend(measured.issues.iter().map(|issue| (issue, ContentMeasured::NAME)));
    }
    grave.retain(|(issue, _)| issue.severity != Severity::Minor);
    if grave.is_empty() {
        return;
    }
    lines.push(String::new());
    for (issue, name) in grave.iter().take(MOST_ISSUES) {
        lines.push(format!(
            "  {:<6} {} ({})",
            THREE.word(issue.severity),
            printable(&issue.description, WIDEST_LINE_CHARS),
            printable(name, WIDEST_NAME_CHARS)
        ));
        if !issue.suggestion.trim().is_empty() {
            lines.push(format!("         {}", printable(&issue.suggestion, WIDEST_LINE_CHARS)));
        }
    }
    if grave.len() > MOST_ISSUES {
        lines.push(format!("         and {} more", grave.len() - MOST_ISSUES));
    }
}

/// What the last revision changed without being asked to.
fn lost(state: &ContentState, lines: &mut Vec<String>) {
    let Some(round) = state.rounds.last() else { return };
    for lost in &round.lost {
        lines.push(format!(
            "  changed unasked in round {}: \"{}\"",
            round.round,
            printable(&lost.passage, WIDEST_LINE_CHARS)
        ));
    }
}

/// What can be done now.
fn ways(run: RunId, state: &ContentState) -> Vec<(&'static str, String)> {
    let mut ways = Vec::new();
    if let Some(deployed) = &state.site.deployed {
        let here = deployed.url.starts_with('/');
        let how = if here { " ('jury serve' shows it)" } else { "" };
        ways.push(("site", format!("{}{how}", printable(&deployed.url, WIDEST_LINE_CHARS))));
    }
    if let Some(pushed) = &state.site.pushed {
        ways.push(("commit", pushed.commit.chars().take(12).collect()));
    }
    match state.status() {
        ContentStatus::NeedsHuman if state.rounds.is_empty() => {
            ways.push(("go on", format!("jury content resume {run} --draft FILE, a draft that you write")));
            ways.push((
                "give up",
                format!("jury content abandon {run}, then mend the documents and run again"),
            ));
        }
        ContentStatus::NeedsHuman => {
            ways.push(("brief", format!("jury content brief {run}")));
            ways.push(("edit", format!("jury content draft {run} > draft.md")));
            ways.push(("go on", format!("jury content resume {run} --draft draft.md")));
        }
        ContentStatus::Paused | ContentStatus::Halted => {
            ways.push(("go on", format!("jury content resume {run}")));
            ways.push(("give up", format!("jury content abandon {run}")));
        }
        ContentStatus::Running
        | ContentStatus::Approved
        | ContentStatus::Unreviewed
        | ContentStatus::Stalled
        | ContentStatus::MaxRoundsReached
        | ContentStatus::Abandoned => {}
    }
    if !state.rounds.is_empty() && state.status() != ContentStatus::NeedsHuman {
        ways.push(("draft", format!("jury content draft {run}")));
    }
    ways.push(("status", format!("jury content status {run}")));
    ways
}
