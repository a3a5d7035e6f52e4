//! `jury calibrate drift`: whether the judge changed, or the work, by the anchors.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jury_core::judge::{Bead, Judgement, written};
use jury_core::random::Random;
use jury_learning::drift::{Anchor, Drift, Moved, drift};
use jury_learning::files::{LearningPaths, each_feedback};
use jury_learning::interval::{Estimate, Marks, Z_95};
use serde::Serialize;

use super::anchors::{Listed, judgements, listed, read};
use super::{learning_paths, shown};
use crate::cli::{ListFormat, ReportOptions};
use crate::clock;
use crate::output::{Output, Tone};
use crate::refusal::Refusal;

/// The report, as it is printed.
#[derive(Debug, Serialize)]
struct Report {
    generated_at: String,
    #[serde(flatten)]
    drift: Drift,
    /// How much the scores of other runs moved meanwhile.
    work: Option<Estimate>,
    /// Who judged the anchors, with which prompt and rubric.
    judges: Vec<JudgedBy>,
    /// Anchors that should be judged again.
    due: Vec<Bead>,
    every_days: u32,
}

/// A judge, and what it gave the anchors on average.
#[derive(Debug, Serialize)]
struct JudgedBy {
    model: String,
    prompt: String,
    rubric: String,
    judgements: u64,
    score: Option<Estimate>,
    first_at: Option<String>,
}

pub(super) fn report(options: &ReportOptions, output: Output) -> Result<u8, Refusal> {
    let paths = learning_paths()?;
    let now = clock::now()?;
    let set = read(&paths)?;
    let mut compared = Vec::new();
    let mut histories = Vec::new();
    let (mut until, mut since): (Option<Timestamp>, Option<Timestamp>) = (None, None);
    for anchor in &set.anchors {
        let history = judgements(&paths, &anchor.bead)?;
        // What it was given when it was set: the newest of that time, or else the first there is.
        let then = history
            .iter()
            .rfind(|judgement| judgement.judged_at.is_some_and(|at| at <= anchor.set_at))
            .or_else(|| history.first());
        if let (Some(then), Some(now), true) = (then, history.last(), history.len() > 1) {
            until = until.max(then.judged_at);
            since = [since, now.judged_at].into_iter().flatten().min();
            compared.push(Anchor { bead: anchor.bead.clone(), then: then.dimensions, now: now.dimensions });
        }
        histories.extend(history);
    }
    let work = match (until, since) {
        (Some(until), Some(since)) => work(
            &paths,
            &set.anchors.iter().map(|anchor| anchor.bead.as_str()).collect::<Vec<_>>(),
            until,
            since,
        )?,
        _ => None,
    };
    let anchors = listed(&paths, &set, now)?;
    let report = Report {
        generated_at: written(now),
        drift: drift(&compared, work, &mut Random::new(options.seed)),
        work,
        judges: judges(&histories),
        due: anchors.into_iter().filter(|anchor: &Listed| anchor.due).map(|anchor| anchor.bead).collect(),
        every_days: set.every_days,
    };
    match options.format {
        ListFormat::Json => Output::result(&serde_json::to_string_pretty(&report).unwrap_or_default()),
        ListFormat::Human => Output::result(&told(&report, output)),
    }
    Ok(0)
}

/// How much the judged scores of other runs moved, from those that ended before the first judgements of the anchors to those
/// that ended after.
fn work(
    paths: &LearningPaths,
    anchors: &[&str],
    until: Timestamp,
    since: Timestamp,
) -> Result<Option<Estimate>, Refusal> {
    let (mut then, mut now) = (Marks::default(), Marks::default());
    each_feedback(paths, |line| {
        let (Some(score), Some(at)) = (line.opus_quality_score, line.at) else { return };
        if anchors.contains(&line.bead.as_str()) {
            return;
        }
        if at <= until {
            then.add(score);
        } else if at >= since || since <= until {
            now.add(score);
        }
    })?;
    Ok(now.estimate(Z_95).zip(then.estimate(Z_95)).map(|(now, then)| now.minus(then).rounded(4)))
}

fn judges(history: &[Judgement]) -> Vec<JudgedBy> {
    let mut grouped: BTreeMap<(String, String, String), (Marks, Option<Timestamp>)> = BTreeMap::new();
    for judgement in history {
        let stamp = judgement.judge.clone().unwrap_or_default();
        let (marks, first) = grouped.entry((stamp.model, stamp.prompt, stamp.rubric)).or_default();
        marks.add(judgement.score);
        *first = [*first, judgement.judged_at].into_iter().flatten().min();
    }
    let mut judges: Vec<(Option<Timestamp>, JudgedBy)> = grouped
        .into_iter()
        .map(|((model, prompt, rubric), (marks, first))| {
            let score = marks.estimate(Z_95).map(|score| score.rounded(4));
            let first_at = first.map(written);
            (first, JudgedBy { model, prompt, rubric, judgements: marks.count, score, first_at })
        })
        .collect();
    judges.sort_by_key(|(first, _)| *first);
    judges.into_iter().map(|(_, judge)| judge).collect()
}

fn told(report: &Report, output: Output) -> String {
    let drift = &report.drift;
    let moved = match drift.moved {
        Moved::Nothing => "nothing moved that can be told from chance",
        Moved::Judge => "the judge has changed: runs that stay the same are judged differently",
        Moved::Work => "the work has changed, and the judge has not",
        Moved::Unknown => "too few anchors were judged twice to say anything; five are needed",
    };
    let mut lines = vec![
        output.paint_result(Tone::Bold, moved),
        format!(
            "{} anchors judged twice or more; their score moved by {}",
            drift.anchors,
            shown(drift.shift)
        ),
        format!("the scores of other runs moved by {}", shown(report.work)),
    ];
    for shift in &drift.dimensions {
        lines.push(format!("  {:<16} {:+.2}", shift.dimension.as_str(), shift.by));
    }
    for flip in &drift.flipped {
        lines.push(format!("  {} was {} and is {}", flip.bead, flip.then, flip.now));
    }
    for judge in &report.judges {
        let or = |text: &str| {
            if text.is_empty() { "unknown".to_owned() } else { crate::render::printable(text, 40) }
        };
        lines.push(format!(
            "judged by {} (prompt {}, rubric {}): {} over {} judgements",
            or(&judge.model),
            or(&judge.prompt),
            or(&judge.rubric),
            shown(judge.score),
            judge.judgements
        ));
    }
    if !report.due.is_empty() {
        let due: Vec<&str> = report.due.iter().map(Bead::as_str).collect();
        lines.push(format!(
            "due, every {}: {}",
            jury_core::line::counted(report.every_days, "day", "days"),
            due.join(", ")
        ));
    }
    lines.join("\n")
}
