//! What every panelist said in every round.

use std::fmt::Write as _;

use super::escape;
use super::paper::tone;
use super::words::{self, number, say, say_with};
use crate::outcome::Decision;
use crate::report::ReportCase;
use crate::score::EPSILON;
use crate::theater::{Review, RoundBoard};

/// Writes it, round by round.
pub(super) fn write(case: &ReportCase, html: &mut String) {
    for round in &case.board.rounds {
        let number = round.round;
        writeln!(html, "<section class=\"paper-round\" aria-labelledby=\"paper-round-{number}\">").ok();
        let name = say_with("round.name", "Round {n}", &[("n", number.to_string())]);
        writeln!(html, "<h2 id=\"paper-round-{number}\">{name}</h2>").ok();
        if let Some(end) = &round.end {
            writeln!(html, "<p class=\"paper-reason\">{}</p>", escape::text(end.reason.trim())).ok();
            if !end.note.trim().is_empty() {
                writeln!(html, "<blockquote>{}</blockquote>", escape::text(end.note.trim())).ok();
            }
        }
        for one in &round.reviews {
            review(case, one, html);
        }
        html.push_str("</section>\n");
    }
}

/// What the rule said at the end of a round, or that it has none.
pub(super) fn decision(case: &ReportCase, round: &RoundBoard) -> String {
    match &round.end {
        Some(end) if !end.quorum => say("round.noQuorum", "no quorum"),
        Some(end) => match end.decision {
            Decision::Ship => say("decision.ship", "ship"),
            Decision::Continue => say("decision.continue", "continue"),
        },
        None if case.status().is_some() => say("round.cut", "cut off"),
        None => say("round.open", "in progress"),
    }
}

fn review(case: &ReportCase, review: &Review, html: &mut String) {
    let bar = case.board.started.as_ref().map_or(0.0, |started| started.threshold.0);
    write!(html, "<section class=\"paper-review ink-{0}\">\n<h3>{1}", review.role, words::role(review.role))
        .ok();
    if let Some(score) = review.score {
        let tone = tone(score.0 >= bar - EPSILON);
        write!(html, "<b class=\"{tone}\">{}</b>", number(&score.to_string())).ok();
    }
    html.push_str("</h3>\n");
    if !review.notes.trim().is_empty() {
        writeln!(html, "<p class=\"paper-notes\">{}</p>", escape::text(review.notes.trim())).ok();
    }
    if !review.dimensions.is_empty() {
        html.push_str("<table class=\"paper-dims\">\n");
        for dimension in &review.dimensions {
            let score = dimension.score.map_or_else(|| "–".to_owned(), |score| number(&score.to_string()));
            writeln!(
                html,
                "<tr><th scope=\"row\">{}</th><td>{score}</td><td>{}</td></tr>",
                escape::text(dimension.name.trim()),
                escape::text(dimension.note.trim()),
            )
            .ok();
        }
        html.push_str("</table>\n");
    }
    if !review.must_fix.is_empty() {
        writeln!(html, "<p class=\"paper-fixes-name\">{}</p>", say("lane.mustFixes", "Must-fix")).ok();
        html.push_str("<ul class=\"paper-fixes\">\n");
        for must_fix in &review.must_fix {
            writeln!(html, "<li>{}</li>", escape::text(must_fix.text.trim())).ok();
        }
        html.push_str("</ul>\n");
    }
    html.push_str("</section>\n");
}
