//! What people and other programs get to see of a run.

pub(crate) mod check;
pub(crate) mod content;
pub(crate) mod critic;
pub(crate) mod human;
pub(crate) mod judge;
mod progress;

pub(crate) use jury_core::line::printable;
pub(crate) use jury_core::report::{ReportCase, github, json, junit, markdown, sarif};
pub(crate) use progress::Progress;

use std::fmt::Write as _;
use std::path::Path;

use jury_core::finding::FindingState;
use jury_core::record::Record;
use jury_core::report::{LET_THROUGH, Report, page};
use jury_core::unit::Millis;
use jury_core::workflow::WorkflowState;
use serde_json::Value;

use crate::cli::Format;
use crate::gate::Gate;
use crate::output::{Output, Tone};
use crate::refusal::Refusal;

/// The most characters of a waiver for a person.
const WIDEST_WAIVER: usize = 400;

/// Whether it is a run of this workflow.
pub(crate) fn is_run_of<W: WorkflowState>(records: &[Record]) -> bool {
    records.first().is_some_and(|record| record.event.workflow() == W::WORKFLOW)
}

/// How long the run of these records took, or has taken so far.
pub(crate) fn took(records: &[Record]) -> Millis {
    records.last().map_or(Millis(0), |record| record.at)
}

/// The case of a run that is kept in this folder.
pub(crate) fn case(records: &[Record], dir: &Path) -> ReportCase {
    let mut case = ReportCase::new(records);
    let final_body = dir.join("artifacts").join(case.artifact_id.to_string()).join("final.html");
    case.artifact = (case.hands_over() && final_body.is_file()).then(|| final_body.display().to_string());
    case
}

/// A run as its workflow tells it. The formats that are the same for all are made of its report.
pub(crate) trait Told {
    /// What the review came to.
    fn report(&self) -> Report;

    /// For a person.
    fn human(&self, output: Output) -> String;

    /// What only this workflow has, for programs.
    fn json(&self) -> Value;

    /// A format that only this workflow has.
    fn own(&self, _format: Format) -> Option<String> {
        None
    }
}

/// A result as text, and the exit code of a command that gates on it.
pub(crate) struct Printed {
    pub(crate) text: String,
    pub(crate) code: u8,
    /// Whether the gate had nothing to say: nothing was known or waived.
    pub(crate) as_the_run_ended: bool,
}

/// A run in this format, behind this gate.
pub(crate) fn print(
    told: &impl Told,
    gate: &Gate,
    format: Format,
    output: Output,
) -> Result<Printed, Refusal> {
    let report = gate.pass(told.report(), output)?;
    let text = match format {
        Format::Human => human_with_gate(told, &report, output),
        Format::Json => pretty(&report.document(told.json())),
        Format::Sarif => sarif::document(&report),
        Format::Junit => junit::document(&report),
        Format::Github => github::annotations(&report),
        Format::Markdown => markdown::summary(&report),
        Format::Html => page::document(&report),
        Format::Text | Format::Opus => told.own(format).ok_or_else(|| {
            let (name, whose) = if format == Format::Text { ("text", "critic") } else { ("opus", "judge") };
            Refusal::usage(format!("--format {name} is one of the {whose}; use markdown or json"))
        })?,
    };
    let said = said_by_gate(&report, output);
    let as_the_run_ended = said.is_empty();
    let text = if format == Format::Text && !as_the_run_ended {
        format!("{text}\n\n{}", said.join("\n"))
    } else {
        text
    };
    Ok(Printed { text, code: report.exit_code, as_the_run_ended })
}

/// For a person, with what the gate lets through below it.
fn human_with_gate(told: &impl Told, report: &Report, output: Output) -> String {
    let mut text = told.human(output);
    for line in said_by_gate(report, output) {
        write!(text, "\n  {line}").ok();
    }
    text
}

/// What the gate has to say, line by line.
fn said_by_gate(report: &Report, output: Output) -> Vec<String> {
    let known = report.findings.iter().filter(|finding| finding.state == FindingState::Known).count();
    let mut lines: Vec<String> =
        (known > 0).then(|| format!("known: {}", check::findings(known))).into_iter().collect();
    lines.extend(report.waivers.iter().map(|waiver| printable(&waiver.line(), WIDEST_WAIVER)));
    if report.reason.starts_with(LET_THROUGH) {
        lines.push(output.paint_result(Tone::Good, LET_THROUGH));
    }
    lines
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

/// A panel's run that is kept in this folder.
pub(crate) struct PanelCase<'a> {
    pub(crate) case: &'a ReportCase,
    pub(crate) dir: &'a Path,
}

impl Told for PanelCase<'_> {
    fn report(&self) -> Report {
        self.case.report()
    }

    fn human(&self, output: Output) -> String {
        human::verdict(self.case, self.dir, output)
    }

    fn json(&self) -> Value {
        json::value(self.case)
    }
}
