//! The static part of a report: what can be read without any script, and what gets printed. Title, status, the rule,
//! scores per round and role, findings, pages, reviews.

use std::fmt::Write as _;

use super::pages::{self, Pages};
use super::words::{self, number, say, say_with};
use super::{created_at, escape, reviews, verdict};
use crate::evidence::Evidence;
use crate::finding::FindingState;
use crate::record::Record;
use crate::report::ReportCase;
use crate::score::EPSILON;
use crate::theater::{LedgerEntry, RoundBoard};

/// The scales, as strokes on a grid of 16.
const SCALES: &str =
    "M8 2.5v11M5 13.5h6M3 4.5h10M3 4.5L1.3 9a1.9 1.9 0 003.4 0zM13 4.5L11.3 9a1.9 1.9 0 003.4 0z";

/// Writes it.
pub(super) fn write(case: &ReportCase, records: &[Record], pages: &Pages, html: &mut String) {
    html.push_str("<article class=\"paper\" id=\"verdict\" aria-labelledby=\"paper-title\">\n");
    head(case, html);
    verdict::write(case, html);
    scores(case, html);
    findings(case, html);
    pages::write(case, records, pages, html);
    reviews::write(case, html);
    let foot = "Made from the log of the run. This file carries all that it shows and loads nothing.";
    writeln!(html, "<footer class=\"paper-foot\">{}</footer>\n</article>", say("report.foot", foot)).ok();
}

fn head(case: &ReportCase, html: &mut String) {
    let title = case.title.trim();
    let title = if title.is_empty() { say("run.untitled", "Untitled run") } else { escape::text(title) };
    writeln!(
        html,
        "<header class=\"paper-head\">\n<p class=\"paper-mark\">{}jury <span>{}</span></p>\n\
         <h1 id=\"paper-title\">{title}</h1>\n<dl class=\"paper-facts\">",
        icon(SCALES),
        say("report.name", "Report"),
    )
    .ok();
    let seconds = format!("{}.{}", case.took.0 / 1000, case.took.0 % 1000 / 100);
    let created = case.run.and_then(created_at).map(|time| {
        // Readable as it is; the script writes it as the reader's language does.
        format!("<time datetime=\"{time}\">{} UTC</time>", time.replace('T', " ").trim_end_matches('Z'))
    });
    let facts = [
        (say("report.agent", "Agent"), Some(escape::text(case.agent.as_str()))),
        (say("report.project", "Project"), Some(escape::text(&case.project.to_string()))),
        (say("report.asked", "Asked for"), created),
        (say("measured.took", "Took"), Some(say_with("measured.seconds", "{n} s", &[("n", seconds)]))),
        (say("report.run", "Run"), case.run.map(|run| format!("<code>{run}</code>"))),
    ];
    for (name, value) in facts.into_iter().filter_map(|(name, value)| Some((name, value?))) {
        writeln!(html, "<div><dt>{name}</dt><dd>{value}</dd></div>").ok();
    }
    html.push_str("</dl>\n</header>\n");
}

/// Rounds across, roles down.
fn scores(case: &ReportCase, html: &mut String) {
    let rounds = &case.board.rounds;
    if rounds.is_empty() {
        return;
    }
    let bar = case.board.started.as_ref().map_or(0.0, |started| started.threshold.0);
    html.push_str("<section aria-labelledby=\"paper-scores\">\n<h2 id=\"paper-scores\">");
    html.push_str(&say("report.scores", "Scores"));
    html.push_str("</h2>\n<table class=\"paper-scores\">\n<thead><tr><td></td>");
    for round in rounds {
        let name = say_with("round.name", "Round {n}", &[("n", round.round.to_string())]);
        write!(html, "<th scope=\"col\">{name}</th>").ok();
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for role in case.cast() {
        write!(html, "<tr class=\"ink-{role}\"><th scope=\"row\">{}</th>", words::role(role)).ok();
        for round in rounds {
            match round.review(role).map(|review| review.score) {
                None => write!(html, "<td class=\"is-none\">{}</td>", say("report.absent", "absent")),
                Some(None) => write!(html, "<td class=\"is-none\">–</td>"),
                Some(Some(score)) => {
                    let tone = tone(score.0 >= bar - EPSILON);
                    write!(html, "<td class=\"{tone}\">{}</td>", number(&score.to_string()))
                }
            }
            .ok();
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody>\n<tfoot>\n");
    row(html, rounds, &say("card.composite", "Composite"), |round| {
        round.end.as_ref().map_or_else(|| "–".to_owned(), |end| number(&end.composite.to_string()))
    });
    row(html, rounds, &say("card.mustFix", "Open must-fix"), |round| {
        round.end.as_ref().map_or_else(|| "–".to_owned(), |end| end.must_fix.to_string())
    });
    row(html, rounds, &say("report.decision", "Rule says"), |round| reviews::decision(case, round));
    html.push_str("</tfoot>\n</table>\n</section>\n");
}

fn row(html: &mut String, rounds: &[RoundBoard], name: &str, cell: impl Fn(&RoundBoard) -> String) {
    write!(html, "<tr><th scope=\"row\">{name}</th>").ok();
    for round in rounds {
        write!(html, "<td>{}</td>", cell(round)).ok();
    }
    html.push_str("</tr>\n");
}

/// Every must-fix with its fate, those that hold the ship back first; then what was measured and what the final pass found.
fn findings(case: &ReportCase, html: &mut String) {
    let mut entries: Vec<&LedgerEntry> = case.board.ledger.entries().map(|(_, entry)| entry).collect();
    entries.sort_by_key(|entry| (rank(entry.state), entry.first, entry.role.as_str()));
    let lint: Vec<_> = case.board.lint.iter().flat_map(|lint| &lint.findings).collect();
    let own = own(case);
    html.push_str("<section aria-labelledby=\"paper-findings\">\n<h2 id=\"paper-findings\">");
    html.push_str(&say("findings.name", "Must-fix ledger"));
    html.push_str("</h2>\n");
    if entries.is_empty() && lint.is_empty() && own.is_empty() {
        let none = say("report.nothing", "Nobody asked for a fix.");
        writeln!(html, "<p class=\"paper-none\">{none}</p>\n</section>").ok();
        return;
    }
    html.push_str("<ul class=\"paper-findings\">\n");
    for item in own {
        let needs = match (&item.bound, &item.criterion) {
            (Some(bound), _) => format!(" ({bound})"),
            (None, Some(criterion)) => format!(" ({criterion})"),
            (None, None) => String::new(),
        };
        writeln!(
            html,
            "<li class=\"is-open\"><b>{}</b><i>{}</i><span>{}{}</span><small>{}</small></li>",
            say("finding.open", "Open"),
            say("own.name", "Measured by jury"),
            escape::text(item.measured.trim()),
            escape::text(&needs),
            say_with("round.short", "R{n}", &[("n", item.round.to_string())]),
        )
        .ok();
    }
    for entry in entries {
        let (state, class) = match entry.state {
            FindingState::Open => (say("finding.open", "Open"), "open"),
            FindingState::Fixed => (say("finding.fixed", "Fixed"), "fixed"),
            FindingState::Regressed => (say("finding.regressed", "Back"), "regressed"),
            // A panel says none of these; whoever does has settled it otherwise.
            FindingState::Refuted
            | FindingState::Deferred
            | FindingState::Escalated
            | FindingState::Known
            | FindingState::Waived
            | FindingState::Noted => (entry.state.as_str().to_owned(), "fixed"),
        };
        let rounds = if entry.first == entry.last {
            say_with("round.short", "R{n}", &[("n", entry.first.to_string())])
        } else {
            let span = [("from", entry.first.to_string()), ("to", entry.last.to_string())];
            say_with("round.span", "R{from}–{to}", &span)
        };
        writeln!(
            html,
            "<li class=\"is-{class} ink-{}\"><b>{state}</b><i>{}</i><span>{}</span><small>{rounds}</small></li>",
            entry.role,
            words::role(entry.role),
            escape::text(entry.text.trim()),
        )
        .ok();
    }
    for finding in lint {
        let line = say_with("measured.line", "line {n}", &[("n", finding.line.to_string())]);
        writeln!(
            html,
            "<li class=\"is-open\"><b>{}</b><i>{}</i><span>{}</span><small>{line}</small></li>",
            say("finding.open", "Open"),
            say("measured.lint", "Final pass"),
            escape::text(finding.message.trim()),
        )
        .ok();
    }
    html.push_str("</ul>\n</section>\n");
}

/// The must-fixes that are jury's own, of the round that the run ended with or has come to.
fn own(case: &ReportCase) -> Vec<&Evidence> {
    let Some(started) = &case.board.started else { return Vec::new() };
    let (round, _) = case.result();
    let round = round.and_then(|round| case.board.round(round)).or_else(|| case.board.rounds.last());
    let evidence = round.map(|round| round.evidence.as_slice()).unwrap_or_default();
    evidence.iter().filter(|item| item.holds(started.evidence)).collect()
}

fn rank(state: FindingState) -> u8 {
    match state {
        FindingState::Regressed => 0,
        FindingState::Open => 1,
        FindingState::Fixed
        | FindingState::Refuted
        | FindingState::Deferred
        | FindingState::Escalated
        | FindingState::Known
        | FindingState::Waived
        | FindingState::Noted => 2,
    }
}

pub(super) fn tone(met: bool) -> &'static str {
    if met { "is-met" } else { "is-under" }
}

pub(super) fn icon(path: &str) -> String {
    format!("<svg class=\"icon\" viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"{path}\"/></svg>")
}

/// The mark of a status, as the badge of the page has it.
pub(super) fn mark(phase: &str) -> &'static str {
    match phase {
        "shipped" => "M3 8.5l3.2 3.2L13 4.8",
        "below_threshold" | "legacy" => "M3.5 8h9",
        "timed_out" | "queued" => "M8 2.5a5.5 5.5 0 100 11 5.5 5.5 0 000-11zM8 5v3.2l2 1.3",
        "interrupted" => "M4.5 4.5h7v7h-7z",
        "degraded" => "M8 2.5l6 10.8H2zM8 6.7v3M8 11.4v.1",
        "failed" => "M4 4l8 8M12 4l-8 8",
        _ => "M8 3.2a4.8 4.8 0 100 9.6 4.8 4.8 0 000-9.6z",
    }
}
