//! `jury templates retrospective`, `weekly` and `audit`: reports as files, and in short on the terminal.

use jury_learning::ab::AbTests;
use jury_learning::audit::{AuditInput, audit as audit_all};
use jury_learning::files::{LeftOuts, load, reports};
use jury_learning::guardrail::GuardrailRuling;
use jury_learning::refine::RefinementLog;
use jury_learning::retrospective::{Period, Retrospective};
use jury_learning::weekly::{Weekly, week};
use jury_learning::{Book, scores as scores_of};
use serde::Serialize;

use super::{complain, guardrails, learning_paths, scores, shown};
use crate::cli::{AuditArgs, ListFormat, RetrospectiveArgs, WeeklyArgs};
use crate::clock;
use crate::command::feedback::told as told_of;
use crate::output::Output;
use crate::refusal::Refusal;
use crate::render::printable;

pub(super) fn retrospective(args: &RetrospectiveArgs, output: Output) -> Result<u8, Refusal> {
    let paths = learning_paths()?;
    if !paths.feedback.is_dir() {
        return Ok(complain(
            &format!("feedback folder {} not found; collect feedback first", shown(&paths.feedback)),
            "jury templates retrospective [--boundary YYYY-MM-DD]   (FEEDBACK_DIR names another folder)",
        ));
    }
    let (report, left_out) = reports::retrospective(&paths, args.boundary, clock::now()?)?;
    note(&left_out, output);
    let place = reports::write_report(&paths, "retrospective.json", &report)?;
    say(args.format, &report, || told(&report));
    output.progress(&format!("see {}", shown(&place)));
    Ok(0)
}

pub(super) fn weekly(args: &WeeklyArgs, output: Output) -> Result<u8, Refusal> {
    let paths = learning_paths()?;
    if !paths.scores.is_dir() {
        return Ok(complain(
            &format!("scores folder {} not found; score templates first", shown(&paths.scores)),
            "jury templates weekly   (SCORES_DIR names another folder)",
        ));
    }
    let now = clock::now()?;
    let (report, warning) =
        reports::week_report(&paths, now).map_err(|error| Refusal::usage(told_of(&error)))?;
    if let Some(warning) = warning {
        output.note(&warning);
    }
    let place = reports::write_report(&paths, &format!("strategy-{}.json", week(now)), &report)?;
    say(args.format, &report, || of_week(&report));
    output.progress(&format!("see {}", shown(&place)));
    Ok(0)
}

pub(super) fn audit(args: &AuditArgs, output: Output) -> Result<u8, Refusal> {
    let paths = learning_paths()?;
    let now = clock::now()?;
    let promotions: Vec<GuardrailRuling> =
        guardrails::promotions(&paths, None, output)?.into_iter().map(|watched| watched.ruling).collect();
    let (prompts, left_out) = reports::prompt_runs(&paths)?;
    note(&left_out, output);
    let report = audit_all(
        AuditInput {
            scores: &scores(&paths)?.unwrap_or_else(|| scores_of(&Book::default(), now).0),
            tests: &load::<AbTests>(&paths.ab_tests)?.unwrap_or_default(),
            log: &load::<RefinementLog>(&paths.refinement_log)?.unwrap_or_default(),
            promotions: &promotions,
            prompts: &prompts,
        },
        now,
    );
    let name = format!("guardrail-audit-{}.json", now.strftime("%Y%m%dT%H%M%SZ"));
    let place = reports::write_report(&paths, &name, &report)?;
    say(args.format, &report, || {
        let mut lines = vec![format!(
            "{} guardrails asked, {} concerns; see {}",
            report.summary.checks_run,
            report.summary.concerns,
            shown(&place)
        )];
        for check in report.checks.iter().filter(|check| !check.output.is_empty()) {
            lines.push(format!("{}:", check.id));
            lines.extend(check.output.lines().map(|line| format!("  {}", printable(line, 200))));
        }
        lines.join("\n")
    });
    Ok(0)
}

fn note(left_out: &LeftOuts, output: Output) {
    for left_out in &left_out.named {
        output.note(&left_out.to_string());
    }
}

fn say(format: ListFormat, report: &impl Serialize, human: impl FnOnce() -> String) {
    Output::result(&match format {
        ListFormat::Json => serde_json::to_string_pretty(report).unwrap_or_default(),
        ListFormat::Human => human(),
    });
}

fn told(report: &Retrospective) -> String {
    let period = |name: &str, period: &Period| {
        format!(
            "{name}: {}, pass rate {:.2}, templates used in {:.0} %, score {:.2} ({:.2} to {:.2}) mechanical, {:.2} ({:.2} to {:.2}) blended",
            jury_core::line::counted(period.total_runs, "run", "runs"),
            period.full_pass_rate,
            period.template_usage_rate * 100.0,
            period.mechanical.value,
            period.mechanical.low,
            period.mechanical.high,
            period.blended.value,
            period.blended.low,
            period.blended.high,
        )
    };
    let better = &report.improvement;
    let mut lines = vec![
        format!("Retrospective with {} as the first day after", report.boundary),
        period("before", &report.pre_loop),
        period("after", &report.post_loop),
        format!(
            "change: pass rate {:+.2}, score {:+.2} ({:+.2} to {:+.2})",
            better.pass_rate_delta,
            better.blended_delta.value,
            better.blended_delta.low,
            better.blended_delta.high
        ),
    ];
    if report.undated_runs > 0 {
        lines.push(format!(
            "{} no date and count in neither",
            jury_core::line::counted(report.undated_runs, "run has", "runs have")
        ));
    }
    lines.join("\n")
}

fn of_week(report: &Weekly) -> String {
    let mut lines = vec![printable(&report.summary, 300)];
    lines.extend(report.highlights.iter().map(|line| format!("- {}", printable(line, 200))));
    lines.push("To do:".to_owned());
    lines.extend(report.recommendations.iter().take(20).map(|line| format!("- {}", printable(line, 200))));
    lines.join("\n")
}
