//! The verdict of the static part: how the run ended, the numbers that decided, the rule, and why.

use std::fmt::Write as _;

use super::escape;
use super::paper::{icon, mark, tone};
use super::words::{self, number, say, say_with};
use crate::event::RunStarted;
use crate::evidence::EvidenceMode;
use crate::report::{GivenPage, ReportCase, RoundHolds, RuleStanding, RunEnding, VerdictFacts};
use crate::score::EPSILON;
use crate::theater::RoundBoard;
use crate::unit::Round;

/// Writes it.
pub(super) fn write(case: &ReportCase, html: &mut String) {
    let (phase, key, status) = words::phase(case);
    let facts = VerdictFacts::of(&case.board);
    let status = facts.and_then(|facts| title(case, &facts)).unwrap_or_else(|| say(key, status));
    writeln!(
        html,
        "<section class=\"paper-verdict is-{phase}\" aria-labelledby=\"paper-status\">\n\
         <h2 class=\"paper-status\" id=\"paper-status\">{}{status}</h2>",
        icon(mark(phase)),
    )
    .ok();
    // Without a panel there is no score, and no room is kept for one.
    let sits = !case.board.rounds.is_empty() || case.status().is_none();
    let started = case.board.started.as_ref().filter(|_| sits);
    if let Some(started) = started {
        figures(case, started, html);
    }
    if let Some(rule) = rule(case, started) {
        writeln!(html, "<p class=\"rule\">{rule}</p>").ok();
    }
    let holds = facts.filter(|facts| facts.rule != RuleStanding::Shipped).and_then(|facts| facts.holds);
    for sentence in holds.iter().flat_map(own) {
        writeln!(html, "<p class=\"paper-strong\">{sentence}</p>").ok();
    }
    if case.status().is_none() {
        let text = "This run has not ended. The report shows it as far as it had come.";
        writeln!(html, "<p class=\"paper-strong\">{}</p>", say("report.unfinished", text)).ok();
    }
    if case.unreviewed() {
        let text = say("notice.unreviewed", "Nobody reviewed this page.");
        writeln!(html, "<p class=\"paper-strong\">{text}</p>").ok();
    }
    if case.status().is_some() {
        writeln!(html, "<p class=\"paper-because\">{}</p>", escape::text(case.because().trim())).ok();
    }
    for condition in conditions(case) {
        writeln!(html, "<p class=\"paper-strong\">{condition}</p>").ok();
    }
    html.push_str("</section>\n");
}

/// The numbers that decided.
fn figures(case: &ReportCase, started: &RunStarted, html: &mut String) {
    let (round, composite) = case.result();
    let none = || "–".to_owned();
    let tone = composite.map_or("is-none", |composite| tone(composite.reaches(started.threshold)));
    let of = |whole: String| say_with("card.of", "of {scale}", &[("scale", whole)]);
    let composite = composite.map_or_else(none, |composite| number(&composite.to_string()));
    let open = case.open_must_fix();
    let figures = [
        (tone, say("card.composite", "Composite"), composite, Some(of(started.scale.to_string()))),
        ("", say("card.bar", "Threshold"), number(&started.threshold.to_string()), None),
        (
            if open > 0 { "is-under" } else { "" },
            say("card.mustFix", "Open must-fix"),
            open.to_string(),
            None,
        ),
        (
            "",
            say("report.round", "Round"),
            round.map_or_else(none, |round| round.to_string()),
            Some(of(started.max_rounds.to_string())),
        ),
    ];
    html.push_str("<dl class=\"paper-figures\">\n");
    for (tone, name, value, of) in figures {
        let class = if tone.is_empty() { String::new() } else { format!(" class=\"{tone}\"") };
        let of = of.map(|of| format!(" <small>{of}</small>")).unwrap_or_default();
        writeln!(html, "<div{class}><dt>{name}</dt><dd>{value}{of}</dd></div>").ok();
    }
    html.push_str("</dl>\n");
}

/// The contract in plain words: what it takes, how it was met, or why it was not. None before it is known.
fn rule(case: &ReportCase, started: Option<&RunStarted>) -> Option<String> {
    let facts = VerdictFacts::of(&case.board);
    let Some(started) = started else {
        return facts.map(|_| say("report.norule", "No panel sat, so the ship rule was not applied."));
    };
    let threshold = || ("threshold", started.threshold.to_string());
    let max = || ("max", started.max_rounds.to_string());
    let one = started.max_rounds == 1;
    let Some(facts) = facts else {
        return Some(if one {
            say_with(
                "rule.running_one",
                "Ships when composite score ≥ {threshold} and open must-fix == 0. There is one round.",
                &[threshold()],
            )
        } else {
            say_with(
                "rule.running_other",
                "Ships when composite score ≥ {threshold} and open must-fix == 0. Otherwise refine, up to {max} rounds.",
                &[threshold(), max()],
            )
        });
    };
    let composite = |round: Round| {
        let end = case.board.round(round).and_then(|round| round.end.as_ref());
        ("composite", end.map(|end| end.composite.beside(started.threshold)).unwrap_or_default())
    };
    let said = match facts.rule {
        RuleStanding::Shipped => {
            let (round, _) = case.result();
            let content =
                round.and_then(|round| case.board.round(round)).map_or(0, |round| consensus(started, round));
            say_with(
                "rule.shipped",
                "Shipped: composite {composite} ≥ threshold {threshold} with 0 open must-fix. Consensus {n} of {of} panelists.",
                &[
                    composite(round.unwrap_or(Round::FIRST)),
                    threshold(),
                    ("n", content.to_string()),
                    ("of", started.cast.len().to_string()),
                ],
            )
        }
        RuleStanding::Met(round) => say_with(
            "rule.met",
            "Round {round} met the ship rule: composite {composite} ≥ {threshold} with 0 open must-fix.",
            &[("round", round.to_string()), composite(round), threshold()],
        ),
        RuleStanding::Missed(_) if facts.stopped_with_the_best_kept() => {
            return Some(say_with(
                "rule.interrupted",
                "Did not meet ship rule ({threshold} + 0 must-fix), but the run was stopped early. Best-of-N was kept, transcript stays available.",
                &[threshold()],
            ));
        }
        RuleStanding::Missed(_) if one => say_with(
            "rule.missed_one",
            "Did not meet ship rule: composite ≥ {threshold} and open must-fix == 0, in one round.",
            &[threshold()],
        ),
        RuleStanding::Missed(_) => say_with(
            "rule.missed_other",
            "Did not meet ship rule: composite ≥ {threshold} and open must-fix == 0, within {max} rounds.",
            &[threshold(), max()],
        ),
        RuleStanding::NotApplied => say_with(
            "rule.unapplied",
            "No round closed, so the ship rule ({threshold} + 0 must-fix) was not applied.",
            &[threshold()],
        ),
        RuleStanding::NoPanel => say("report.norule", "No panel sat, so the ship rule was not applied."),
    };
    let ended = match facts.ending {
        RunEnding::Rule | RunEnding::NoPanel => return Some(said),
        RunEnding::FinalPass => say("ended.lint", "The final pass over the page stopped it."),
        RunEnding::Request => say("ended.request", "The run was stopped early."),
        RunEnding::Restart => say("ended.restart", "The program that ran it went away in the middle."),
        RunEnding::Clock => say("ended.clock", "Time ran out."),
        RunEnding::Degraded(_) => say("ended.degraded", "The review could not be completed."),
        RunEnding::Fault(_) => say("ended.failed", "The run failed."),
    };
    Some(format!("{said} {ended}"))
}

/// How many of the panel are content: they reached the bar, or do not score, and ask for nothing.
fn consensus(started: &RunStarted, round: &RoundBoard) -> usize {
    let content = |role: &&_| {
        round.review(**role).is_some_and(|review| {
            let reaches = match review.score {
                Some(score) => score.0 >= started.threshold.0 - EPSILON,
                None => started.weight(**role) <= 0.0,
            };
            review.closed && review.must_fix.is_empty() && reaches
        })
    };
    started.cast.iter().filter(content).count()
}

/// The status with what held the page back, where the rule or the final pass did.
fn title(case: &ReportCase, facts: &VerdictFacts) -> Option<String> {
    if facts.rule == RuleStanding::Shipped {
        return None;
    }
    if facts.ending == RunEnding::FinalPass {
        return Some(say("below.found", "Not shipped: the final pass found something"));
    }
    let holds = facts.holds.filter(|_| facts.ending == RunEnding::Rule)?;
    let threshold = case.board.started.as_ref()?.threshold;
    let composite = case.result().1.map(|composite| composite.beside(threshold))?;
    let values =
        [("composite", composite), ("threshold", threshold.to_string()), ("n", holds.must_fix.to_string())];
    let numbers = &values[..2];
    Some(match (holds.is_below, holds.must_fix) {
        (true, 0) => {
            say_with("below.score", "Not shipped: composite {composite} is below {threshold}", numbers)
        }
        (true, 1) => say_with(
            "below.both_one",
            "Not shipped: composite {composite} is below {threshold}, {n} must-fix open",
            &values,
        ),
        (true, _) => say_with(
            "below.both_other",
            "Not shipped: composite {composite} is below {threshold}, {n} must-fix open",
            &values,
        ),
        (false, 0) => say_with(
            "below.rule",
            "Not shipped: the rule was not met (composite {composite}, threshold {threshold})",
            numbers,
        ),
        (false, 1) => say_with(
            "below.open_one",
            "Not shipped: {n} must-fix open (composite {composite}, threshold {threshold})",
            &values,
        ),
        (false, _) => say_with(
            "below.open_other",
            "Not shipped: {n} must-fix open (composite {composite}, threshold {threshold})",
            &values,
        ),
    })
}

/// What of it is jury's own.
fn own(holds: &RoundHolds) -> impl Iterator<Item = String> {
    let lost = match holds.given {
        GivenPage::Kept => None,
        GivenPage::Lost => {
            Some(say("own.lost", "Parts of the given page are missing. That is a must-fix of jury’s own."))
        }
        GivenPage::Replaced => Some(say(
            "own.replaced",
            "Another page came back in the place of the given one. That is a must-fix of jury’s own.",
        )),
    };
    let measured = (holds.measured > 0).then(|| {
        let count = [("n", holds.measured.to_string())];
        say_with("own.measured", "Measured to fail, and not asked for by the panel: {n}.", &count)
    });
    lost.into_iter().chain(measured)
}

/// Settings that made the verdict easier to get; see [`RunStarted::conditions`].
fn conditions(case: &ReportCase) -> Vec<String> {
    let Some(started) = &case.board.started else { return Vec::new() };
    let bar = started.has_low_bar().then(|| {
        let values = [("threshold", started.threshold.to_string()), ("scale", started.scale.to_string())];
        say_with("condition.low", "bar {threshold} of {scale}, below half of the scale", &values)
    });
    let evidence = match started.weak_evidence() {
        Some(EvidenceMode::Warn) => {
            Some(say("condition.warn", "evidence: warn (measured failures do not hold a ship)"))
        }
        Some(EvidenceMode::Off) => Some(say("condition.off", "evidence: off (nothing was measured)")),
        Some(EvidenceMode::Gate) | None => None,
    };
    bar.into_iter().chain(evidence).collect()
}
