//! `jury templates score`: the scores of all feedback, as files and as a table.

use jury_learning::files::{Scoring, score as score_all};
use jury_learning::interval::Estimate;
use jury_learning::{TemplateScore, TemplateScores, regressions};

use super::{complain, learning_paths, shown};
use crate::cli::{ListFormat, ScoreArgs};
use crate::clock;
use crate::output::{Output, Tone};
use crate::refusal::Refusal;

pub(super) fn score(args: &ScoreArgs, output: Output) -> Result<u8, Refusal> {
    let paths = learning_paths()?;
    let now = clock::now()?;
    if !paths.feedback.is_dir() {
        return Ok(complain(
            &format!("feedback folder {} not found; collect feedback first", shown(&paths.feedback)),
            "jury templates score [--full] [--apply]   (FEEDBACK_DIR names another folder)",
        ));
    }
    if args.apply && matches!(args.format, ListFormat::Json) {
        return Ok(complain(
            "--apply says what it decides in lines, and --format json is one document: score, then 'jury templates ab evaluate'",
            "jury templates score [--full] [--apply | --format json]",
        ));
    }
    let scored = score_all(&paths, now, &Scoring { full: args.full, ..Scoring::default() })?;
    for left_out in &scored.left_out.named {
        output.note(&left_out.to_string());
    }
    let unnamed = scored.left_out.count - scored.left_out.named.len() as u64;
    if unnamed > 0 {
        output.note(&format!("and {}", jury_core::line::counted(unnamed, "more file", "more files")));
    }
    if let Some(before) = &scored.before {
        for (template, then, now) in regressions(before, &scored.templates) {
            output.note(&format!("score regression: {template} fell from {then:.2} to {now:.2}"));
        }
    }
    match args.format {
        ListFormat::Json => {
            Output::result(&serde_json::to_string_pretty(&scored.templates).unwrap_or_default());
        }
        ListFormat::Human => Output::result(&table(&scored.templates, output)),
    }
    output.progress(&format!(
        "{} of {}, {} read; see {}",
        jury_core::line::counted(scored.records, "record", "records"),
        jury_core::line::counted(scored.templates.templates.len(), "template", "templates"),
        jury_core::line::counted(scored.opened, "file", "files"),
        shown(&paths.scores.join("template-scores.json"))
    ));
    if args.apply {
        let code = super::ab::evaluate_all(&paths, false, false, now, output)?;
        super::guardrails::roll_back(&paths, None, now, output)?;
        return Ok(code);
    }
    Ok(0)
}

/// Both scores with their intervals.
fn table(scores: &TemplateScores, output: Output) -> String {
    if scores.templates.is_empty() {
        return "no feedback yet".to_owned();
    }
    let rows = scores.templates.iter().map(row);
    let mut lines = vec![[
        "template".to_owned(),
        "runs".to_owned(),
        "mechanical".to_owned(),
        "judged".to_owned(),
        "blended".to_owned(),
        "confidence".to_owned(),
        "trend".to_owned(),
    ]];
    lines.extend(rows);
    let mut widths = [0; 7];
    for line in &lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let text = lines.iter().enumerate().map(|(index, line)| {
        let cells: Vec<String> =
            line.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        let line = cells.join("  ").trim_end().to_owned();
        if index == 0 { output.paint_result(Tone::Bold, &line) } else { line }
    });
    text.collect::<Vec<_>>().join("\n")
}

fn row(score: &TemplateScore) -> [String; 7] {
    let shown = |estimate: Option<Estimate>| {
        estimate.map_or_else(
            || "–".to_owned(),
            |estimate| format!("{:.2} ({:.2} to {:.2})", estimate.value, estimate.low, estimate.high),
        )
    };
    [
        crate::render::printable(&score.template, 40),
        format!("{} of {}", score.scoreable_runs, score.total_runs),
        shown(score.mechanical),
        match score.judged_runs {
            0 => "–".to_owned(),
            runs => format!("{}, {}", shown(score.judged), jury_core::line::counted(runs, "run", "runs")),
        },
        shown(score.blended),
        score.confidence.to_string(),
        score.trend.to_string(),
    ]
}
