//! How a run of the content pipeline stands, for a person.

use jury_core::content::{ContentState, EditorDecision, OpenIssue, Standing};
use jury_core::id::RunId;
use jury_core::severity::{Severity, THREE};

use crate::output::{Output, Tone};
use crate::render::printable;

/// How many open issues are listed.
const MOST_ISSUES: usize = 12;
/// The longest line of somebody's words.
const WIDEST: usize = 200;

/// The whole of it.
pub(crate) fn verdict(run: RunId, studio: &ContentState, output: Output) -> String {
    let mut lines = vec![headline(studio, output)];
    if let Some(started) = &studio.started {
        let by = started.agent.as_ref().map_or("without a model".to_owned(), |agent| format!("with {agent}"));
        lines.push(format!("  {} for {}, {by}", started.recipe.content_type, started.idea_id));
    }
    if let Some(halted) = &studio.halted {
        lines.push(format!("  {}: {}", halted.tool, printable(&halted.detail, 400)));
    }
    table(studio, &mut lines);
    absent(studio, &mut lines);
    open(studio, &mut lines);
    lost(studio, &mut lines);
    if let (Standing::NeedsHuman, Some(needs)) = (studio.standing(), &studio.needs) {
        lines.push(String::new());
        lines.push(format!("  {}", printable(&needs.reason, 400)));
    }
    lines.push(String::new());
    for (name, text) in ways(run, studio) {
        lines.push(format!("  {name:<9} {text}"));
    }
    lines.join("\n")
}

fn headline(studio: &ContentState, output: Output) -> String {
    let standing = studio.standing();
    let (tone, words) = match standing {
        Standing::Approved => (Tone::Good, "APPROVED"),
        Standing::Unreviewed => (Tone::Bad, "NOT REVIEWED: the panel is empty, and nobody has read it"),
        Standing::Stalled => (Tone::Bad, "NOT APPROVED: stalled"),
        Standing::MaxRoundsReached => (Tone::Bad, "NOT APPROVED: no rounds left"),
        Standing::NeedsHuman => (Tone::Poor, "NEEDS A PERSON"),
        Standing::Halted => (Tone::Bad, "HALTED"),
        Standing::Paused => (Tone::Poor, "PAUSED"),
        Standing::Running => (Tone::Poor, "RUNNING"),
        Standing::Abandoned => (Tone::Bad, "ABANDONED"),
    };
    let words = output.paint_result(tone, words);
    let round =
        studio.saved.as_ref().map(|saved| saved.round).or(studio.rounds.last().map(|last| last.round));
    let ruling = round.and_then(|round| studio.round(round)?.ruling.as_ref());
    match (round, ruling) {
        (Some(round), Some(ruling)) => {
            let mean = ruling.mean.map_or("-".to_owned(), |mean| format!("{mean:.1}"));
            // A quorum is not everybody: whoever reads the verdict is told who was missing.
            let of = if ruling.answered < ruling.seats {
                format!(", by {} of {} critics", ruling.answered, ruling.seats)
            } else {
                String::new()
            };
            format!("{words}  round {round}, mean {mean}, {} high open{of}", ruling.high)
        }
        _ => words,
    }
}

/// The scores, critic by critic and round by round.
fn table(studio: &ContentState, lines: &mut Vec<String>) {
    let seats = studio.seats();
    if seats.is_empty() || studio.rounds.is_empty() {
        return;
    }
    let names: Vec<String> = seats.iter().map(|seat| printable(&seat.name, 24)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max("decision".len());
    let pad = |name: &str| format!("  {name}{}", " ".repeat(width.saturating_sub(name.chars().count())));
    let row = |name: &str, cells: Vec<String>| {
        let cells: Vec<String> = cells.iter().map(|cell| format!(" {cell:>9}")).collect();
        format!("{}{}", pad(name), cells.concat())
    };
    lines.push(String::new());
    lines.push(row("", studio.rounds.iter().map(|round| format!("round {}", round.round)).collect()));
    for (seat, name) in seats.iter().zip(&names) {
        let cells = studio.rounds.iter().map(|round| match round.critiques.get(&seat.advisor_id) {
            Some(critique) => format!("{:.1}", critique.score),
            None if round.absent.contains_key(&seat.advisor_id) => "absent".to_owned(),
            None => "-".to_owned(),
        });
        lines.push(row(name, cells.collect()));
    }
    let rulings = || studio.rounds.iter().map(|round| round.ruling.as_ref());
    let mean = rulings().map(|ruling| {
        ruling.and_then(|ruling| ruling.mean).map_or("-".to_owned(), |mean| format!("{mean:.1}"))
    });
    lines.push(row("mean", mean.collect()));
    let high = rulings().map(|ruling| ruling.map_or("-".to_owned(), |ruling| ruling.high.to_string()));
    lines.push(row("high", high.collect()));
    let decision = rulings()
        .map(|ruling| ruling.map_or("-", |ruling| EditorDecision::as_str(ruling.decision)).to_owned());
    lines.push(row("decision", decision.collect()));
}

/// Who did not answer last, and why.
fn absent(studio: &ContentState, lines: &mut Vec<String>) {
    let Some(round) = studio.rounds.last() else { return };
    for absent in round.absent.values() {
        lines.push(format!("  {} did not answer: {}", absent.advisor_id, printable(&absent.detail, WIDEST)));
    }
}

/// What is open in what was kept, or in the last draft.
fn open(studio: &ContentState, lines: &mut Vec<String>) {
    let round = match &studio.saved {
        Some(saved) => studio.round(saved.round),
        None => studio.rounds.iter().rev().find(|round| round.ruling.is_some()),
    };
    let Some(round) = round else { return };
    let grave: Vec<&OpenIssue> =
        round.open.iter().filter(|open| open.issue.severity != Severity::Minor).collect();
    if grave.is_empty() {
        return;
    }
    lines.push(String::new());
    for open in grave.iter().take(MOST_ISSUES) {
        let issue = &open.issue;
        lines.push(format!(
            "  {:<6} {} ({})",
            THREE.word(issue.severity),
            printable(&issue.description, WIDEST),
            printable(&open.name, 40)
        ));
        if !issue.suggestion.trim().is_empty() {
            lines.push(format!("         {}", printable(&issue.suggestion, WIDEST)));
        }
    }
    if grave.len() > MOST_ISSUES {
        lines.push(format!("         and {} more", grave.len() - MOST_ISSUES));
    }
}

/// What the last revision changed without being asked to.
fn lost(studio: &ContentState, lines: &mut Vec<String>) {
    let Some(round) = studio.rounds.last() else { return };
    for lost in &round.lost {
        lines.push(format!(
            "  changed unasked in round {}: \"{}\"",
            round.round,
            printable(&lost.passage, WIDEST)
        ));
    }
}

/// What can be done now.
fn ways(run: RunId, studio: &ContentState) -> Vec<(&'static str, String)> {
    let mut ways = Vec::new();
    if let Some(deployed) = &studio.site.deployed {
        let here = deployed.url.starts_with('/');
        let how = if here { " ('jury serve' shows it)" } else { "" };
        ways.push(("site", format!("{}{how}", printable(&deployed.url, WIDEST))));
    }
    if let Some(pushed) = &studio.site.pushed {
        ways.push(("commit", pushed.commit.chars().take(12).collect()));
    }
    match studio.standing() {
        Standing::NeedsHuman if studio.rounds.is_empty() => {
            ways.push(("go on", format!("jury content resume {run} --draft FILE, a draft that you write")));
            ways.push((
                "give up",
                format!("jury content abandon {run}, then mend the documents and run again"),
            ));
        }
        Standing::NeedsHuman => {
            ways.push(("brief", format!("jury content brief {run}")));
            ways.push(("edit", format!("jury content draft {run} > draft.md")));
            ways.push(("go on", format!("jury content resume {run} --draft draft.md")));
        }
        Standing::Paused | Standing::Halted => {
            ways.push(("go on", format!("jury content resume {run}")));
            ways.push(("give up", format!("jury content abandon {run}")));
        }
        Standing::Running
        | Standing::Approved
        | Standing::Unreviewed
        | Standing::Stalled
        | Standing::MaxRoundsReached
        | Standing::Abandoned => {}
    }
    if !studio.rounds.is_empty() && studio.standing() != Standing::NeedsHuman {
        ways.push(("draft", format!("jury content draft {run}")));
    }
    ways.push(("status", format!("jury content status {run}")));
    ways
}
