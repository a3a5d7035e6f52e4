//! The verdict for a person: how it ended, what is open, what changed, and what to do next.

use std::fmt::Write as _;

use jury_core::critic::{Answer, CriterionVerdict, CriticStatus, CriticTally, QuestionState, format};
use jury_core::decision::DecisionId;
use jury_core::line::spaced;

use super::{CriticCase, asked, counted, printed, verdict_in, words_in};
use crate::output::{Output, Tone};
use crate::render::printable;

/// The longest line of a verdict's words.
const WIDEST_LINE_CHARS: usize = 300;

/// The longest line of why it stands so: it names criteria, what to do, and what an agent said last.
const WIDEST_REASON: usize = 600;

/// Everything that a person needs to go on.
pub(crate) fn verdict(case: &CriticCase, output: Output) -> String {
    let mut lines = vec![String::new(), headline(case, output)];
    // What failed and what has no verdict stand apart.
    let because = case.because();
    lines.extend(
        because
            .replace("; no verdict on ", "\nno verdict on ")
            .lines()
            .map(|line| format!("  {}", printable(line, WIDEST_REASON))),
    );
    lines.extend(table(case, output));
    lines.extend(open(case, output));
    lines.extend(answered(case));
    lines.extend(changed(case, output));
    lines.extend(questions(case));
    lines.push(String::new());
    if let Some(path) = case.where_document_is().map(|path| spaced(&path)) {
        let note = if case.status() == CriticStatus::Converged { "" } else { "   (not converged)" };
        lines.push(format!("  document  {path}{note}"));
    }
    if let Some(run) = case.run {
        // Wherever the runs are kept, the line can be pasted.
        lines.push(format!("  report    jury {}critic show {run}", case.at));
    }
    lines.join("\n")
}

fn headline(case: &CriticCase, output: Output) -> String {
    let (word, tone) = match case.status() {
        CriticStatus::Converged => ("CONVERGED", Tone::Good),
        CriticStatus::SafetyCap => ("SAFETY CAP: not converged", Tone::Poor),
        CriticStatus::Stopped => ("STOPPED: not converged", Tone::Poor),
        CriticStatus::Escalated => ("WAITING for a person", Tone::Poor),
        CriticStatus::Inconclusive => ("INCONCLUSIVE: the review did not take place as promised", Tone::Bad),
        CriticStatus::Interrupted => ("INTERRUPTED: not converged", Tone::Bad),
        CriticStatus::Failed => ("FAILED: something broke", Tone::Bad),
        CriticStatus::Running => ("RUNNING", Tone::Bold),
    };
    let CriticTally { passes, fixes, escalations, .. } = case.state.tally();
    let figures =
        [(passes, "pass", "passes"), (fixes, "fix", "fixes"), (escalations, "question", "questions")]
            .map(|(number, one, several)| format!("{number} {}", if number == 1 { one } else { several }));
    format!("{}  {}", output.paint_result(tone, word), figures.join(", "))
}

/// One row per criterion, one column per pass.
fn table(case: &CriticCase, output: Output) -> Vec<String> {
    let passes = &case.state.passes;
    if passes.is_empty() {
        return Vec::new();
    }
    let criteria = asked(&case.state);
    let widest = criteria.iter().map(|id| id.as_str().len()).max().unwrap_or_default();
    let mut head = format!("  {:<widest$}", "");
    for pass in passes {
        write!(head, "  {:<8}", format!("pass {}", pass.pass)).ok();
    }
    let mut lines = vec![String::new(), head.trim_end().to_owned()];
    for id in criteria {
        let mut line = format!("  {id:<widest$}");
        for (index, pass) in passes.iter().enumerate() {
            let (word, tone) = match verdict_in(pass, &id) {
                Some(verdict @ CriterionVerdict::Pass) => (verdict.as_str(), Tone::Good),
                Some(verdict @ (CriterionVerdict::Defer | CriterionVerdict::Escalate)) => {
                    (verdict.as_str(), Tone::Poor)
                }
                Some(verdict @ CriterionVerdict::Fail) => (verdict.as_str(), Tone::Bad),
                None => ("none", Tone::Bad),
            };
            let word = if index + 1 == passes.len() { word.to_owned() } else { format!("{word:<8}") };
            write!(line, "  {}", output.paint_result(tone, &word)).ok();
        }
        lines.push(line);
    }
    lines
}

/// What is not clean in the last pass, and what was put off.
fn open(case: &CriticCase, output: Output) -> Vec<String> {
    let Some(pass) = case.state.last_pass() else { return Vec::new() };
    let mut lines = Vec::new();
    for id in asked(&case.state) {
        let verdict = verdict_in(pass, &id);
        if verdict == Some(CriterionVerdict::Pass) || (verdict.is_none() && pass.verdicts.is_empty()) {
            continue;
        }
        let (answer, more) = words_in(pass, &id);
        let printed = printed(pass, id.as_str());
        if answer.is_empty() && more.is_empty() && printed.is_empty() {
            continue;
        }
        if lines.is_empty() {
            lines.push(String::new());
        }
        let name = output.paint_result(Tone::Bold, id.as_str());
        if answer.is_empty() {
            lines.push(format!("  {name} {}", printable(&more, WIDEST_LINE_CHARS)));
        } else {
            lines.push(format!("  {name} {}", printable(&answer, WIDEST_LINE_CHARS)));
            if !more.is_empty() {
                lines.push(format!("    → {}", printable(&more, WIDEST_LINE_CHARS)));
            }
        }
        lines.extend(printed.iter().map(|line| format!("    | {line}")));
    }
    for deferral in &case.state.reopened {
        lines.push(format!(
            "  {} open again: it was put off by {} until {}",
            deferral.criterion,
            printable(&deferral.author, 60),
            deferral.until.strftime("%F")
        ));
    }
    lines
}

fn answered(case: &CriticCase) -> Vec<String> {
    let words = |asked: &QuestionState| -> Option<String> {
        let given = asked.answer.as_ref()?;
        let answer = match &given.answer {
            Answer::Option(number) => format!("option {number}"),
            Answer::Text(text) => format!("\"{}\"", printable(text, 80)),
            Answer::Skip => "skip".to_owned(),
        };
        let question = printable(&asked.question.question, 120);
        Some(format!("  {} {question}: {answer}, by {}", asked.question.criterion, printable(&given.by, 60)))
    };
    let mut lines: Vec<String> = case.state.questions.iter().filter_map(words).collect();
    if !lines.is_empty() {
        lines.insert(0, "\n  decided".to_owned());
    }
    lines
}

/// What the fixes changed.
fn changed(case: &CriticCase, output: Output) -> Vec<String> {
    let mut lines = Vec::new();
    for (pass, diff) in &case.diffs {
        let lines_in = counted(diff.added, "line", "lines");
        let head = format!("changed after pass {pass}: {lines_in} in, {} out", diff.removed);
        lines.push(format!("\n  {}", output.paint_result(Tone::Bold, &head)));
        lines.extend(diff.show(output).iter().map(|line| format!("  {line}").trim_end().to_owned()));
    }
    lines
}

/// What people are asked, and how they answer.
fn questions(case: &CriticCase) -> Vec<String> {
    let Some(run) = case.run.filter(|_| case.status() == CriticStatus::Escalated) else { return Vec::new() };
    let mut lines = Vec::new();
    for question in case.state.open_questions() {
        lines.push(format!("\n{}", format::write_escalation(question).trim_end()));
        let id = DecisionId::of(run, question.number);
        let keep = &case.keep;
        lines.push(format!(
            "\n  answer    jury {}decisions answer {id} 1{keep}   (or skip, or \"words\")",
            case.at
        ));
    }
    if !lines.is_empty() {
        let later = case.document_command();
        lines.push(format!(
            "  written   with --write or --out FILE behind the last answer, or later: {later}"
        ));
    }
    lines
}
