//! Writing a report for people, in the form that [`parse`](super::parse()) reads.
//!
//! A text that could be taken for a part of the form is put on one line and loses what would divide it.

use std::fmt::Write as _;

use super::doubt::quoted;
use super::line::{ARROWS, plain};
use super::parse::{PassText, SummaryText, Transcript};
use crate::critic::criterion::CriterionId;
use crate::critic::event::{Adversarial, CriterionJudged, CriticEvent, CriticTally};
use crate::critic::outcome::PassResult;
use crate::critic::reading::{Raised, Said, Scenario};
use crate::critic::state::{CriticState, PassState};
use crate::critic::verdict::{CriterionVerdict, Question};
use crate::finding::FindingState;
use crate::line;

/// A run as text: its passes, its questions, its last line.
pub fn write(state: &CriticState) -> String {
    let mut text = write_transcript(&transcript(state));
    if let Some(end) = &state.ended {
        let _ = writeln!(text, "{}", write_summary(end));
    }
    text
}

/// The last line of a run.
pub fn write_summary(end: &CriticEvent) -> String {
    match end {
        CriticEvent::Converged(converged) => {
            let CriticTally { passes, fixes, escalations, .. } = &converged.tally;
            format!(
                "✓ Critic converged ({}, {}, {})",
                counted(*passes, "passes"),
                counted(*fixes, "fixes"),
                counted(*escalations, "escalations")
            )
        }
        CriticEvent::SafetyCap(cap) => {
            let passes = counted(cap.tally.passes, "passes");
            format!("⚠ Critic safety cap ({passes}). Review recommended.")
        }
        CriticEvent::Stopped(stopped) => format!("✗ Not converged: {}", one_line(&stopped.detail)),
        CriticEvent::Inconclusive(none) => format!("? Inconclusive: {}", one_line(&none.detail)),
        CriticEvent::Interrupted(_) => "✗ Interrupted".to_owned(),
        CriticEvent::Failed(failed) => format!("✗ Failed: {}", one_line(&failed.detail)),
        CriticEvent::Queued(_)
        | CriticEvent::RunStarted(_)
        | CriticEvent::Reopened(_)
        | CriticEvent::PassStarted(_)
        | CriticEvent::Evidence(_)
        | CriticEvent::Agent(_)
        | CriticEvent::Absent(_)
        | CriticEvent::Rejected(_)
        | CriticEvent::Verdict(_)
        | CriticEvent::Adversarial(_)
        | CriticEvent::Fixed(_)
        | CriticEvent::FixFailed(_)
        | CriticEvent::PassEnded(_)
        | CriticEvent::Escalated(_)
        | CriticEvent::Answered(_) => String::new(),
    }
}

/// A question as text, with the option to skip it.
pub fn write_escalation(question: &Question) -> String {
    escalation(&Raised {
        line: 0,
        number: Some(question.number),
        criterion: question.criterion.clone(),
        question: question.question.clone(),
        issue: question.issue.clone(),
        why: question.why.clone(),
        trigger: written(question),
        options: question.options.clone(),
    })
}

/// The trigger of a question as a critic writes it.
fn written(question: &Question) -> String {
    question.trigger.map_or_else(String::new, |trigger| trigger.to_string())
}

/// A transcript as text.
pub fn write_transcript(transcript: &Transcript) -> String {
    let mut text = String::new();
    for pass in &transcript.passes {
        text.push_str(&write_pass(pass));
        text.push('\n');
    }
    if let Some(SummaryText { converged, figures, .. }) = &transcript.summary {
        let figure = |index: usize| figures.get(index).copied().unwrap_or_default();
        let _ = if *converged {
            writeln!(
                text,
                "✓ Critic converged ({}, {}, {})",
                counted(figure(0), "passes"),
                counted(figure(1), "fixes"),
                counted(figure(2), "escalations")
            )
        } else {
            let passes = counted(figure(0), "passes");
            writeln!(text, "⚠ Critic safety cap ({passes}). Review recommended.")
        };
    }
    text
}

/// One pass as text, its questions behind it.
pub fn write_pass(pass: &PassText) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "=== CRITIC {} ===", pass.number.unwrap_or(1));
    for said in &pass.verdicts {
        item(said, &mut text);
    }
    if let Some(scenario) = &pass.scenario {
        adversarial(scenario, &mut text);
    }
    if let Some(result) = &pass.result {
        let _ = writeln!(text, "=== Result: {} ===", result_words(result));
    }
    for raised in &pass.escalations {
        let _ = write!(text, "\n{}", escalation(raised));
    }
    text
}

fn item(said: &Said, text: &mut String) {
    let _ = writeln!(text, "[{}] {} → {}", said.criterion, divided(&said.question), one_line(&said.answer));
    if let Some(verdict) = said.verdict {
        let detail = quoted(verdict, one_line(&said.detail));
        let detail = if detail.is_empty() { String::new() } else { format!(" ({detail})") };
        let _ = writeln!(text, "  Verdict: {verdict}{detail}");
    }
    for concern in &said.concerns {
        let _ = writeln!(text, "  Concern: {}", one_line(concern));
    }
}

fn adversarial(scenario: &Scenario, text: &mut String) {
    let what = one_line(&scenario.scenario);
    let what = unlike(&what, "realistic?");
    let _ = writeln!(text, "[{}] Failure scenario: {what}", CriterionId::ADVERSARIAL);
    if let Some(realistic) = scenario.realistic {
        let word = if realistic { "Y" } else { "N" };
        let rationale = one_line(&scenario.rationale);
        let _ = writeln!(text, "{}", format!("  → Realistic? {word} → {rationale}").trim_end());
    }
}

fn escalation(raised: &Raised) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "=== CRITIC ESCALATION ({}) ===", raised.number.unwrap_or(1));
    let _ = writeln!(text, "[{}] {}", raised.criterion, one_line(&raised.question));
    let _ = writeln!(text, "\nIssue: {}", one_line(&raised.issue));
    let _ = writeln!(text, "Why escalation: {}", one_line(&raised.why));
    if !raised.trigger.trim().is_empty() {
        let _ = writeln!(text, "Trigger: {}", one_line(&raised.trigger));
    }
    let _ = writeln!(text, "\nOptions:");
    let mut number = 1;
    for choice in &raised.options {
        let label = undashed(&choice.label);
        let description = one_line(&choice.description);
        let _ =
            writeln!(text, "{}", format!("  {number}. {label} — {description}").trim_end_matches([' ', '—']));
        let (pro, con) = (unlike(&one_line(&choice.pro), "con:"), one_line(&choice.con));
        let _ = writeln!(text, "{}", format!("     Pro: {pro}  Con: {con}").trim_end());
        number += 1;
    }
    let _ = writeln!(text, "  {number}. Skip — keep current state, mark as [DEFERRED]");
    text
}

pub(super) fn result_words(result: &PassResult) -> String {
    match result {
        PassResult::Converged { passes, fixes, escalations } => {
            format!("CONVERGED ({passes} passes, {fixes} fixes, {escalations} escalations)")
        }
        PassResult::Continue { fixed } => format!("CONTINUE ({fixed} fixed)"),
        PassResult::Escalate { items } => format!("ESCALATE ({items} items)"),
        PassResult::SafetyCap => "SAFETY CAP".to_owned(),
        PassResult::NotConverged { open, reason } => {
            format!("NOT CONVERGED ({open} open, {})", one_line(reason).replace([',', ')', '('], " "))
        }
    }
}

/// A run in the words of the format.
fn transcript(state: &CriticState) -> Transcript {
    let passes = state.passes.iter().map(|pass| pass_text(state, pass)).collect();
    Transcript { passes, summary: None, violations: Vec::new() }
}

fn pass_text(state: &CriticState, pass: &PassState) -> PassText {
    let asked = state.questions.iter().filter(|asked| asked.pass == pass.pass);
    let escalations: Vec<Raised> = asked
        .map(|asked| Raised {
            line: 0,
            number: Some(asked.question.number),
            criterion: asked.question.criterion.clone(),
            question: asked.question.question.clone(),
            issue: asked.question.issue.clone(),
            why: asked.question.why.clone(),
            trigger: written(&asked.question),
            options: asked.question.options.clone(),
        })
        .collect();
    PassText {
        line: 0,
        number: Some(pass.pass.0),
        verdicts: pass.verdicts.iter().map(|judged| said(state, judged)).collect(),
        scenario: pass.adversarial.as_ref().map(scenario),
        skippable: vec![true; escalations.len()],
        escalations,
        result: pass.end.as_ref().map(|end| end.result.clone()),
        result_line: None,
    }
}

fn said(state: &CriticState, judged: &CriterionJudged) -> Said {
    let question = state.criterion(&judged.criterion).map(|own| own.question.clone());
    let detail = match judged.verdict {
        Some(CriterionVerdict::Fail) if judged.fix.is_empty() => "see what was measured".to_owned(),
        Some(CriterionVerdict::Fail) => judged.fix.clone(),
        Some(CriterionVerdict::Defer) => judged.deferral.as_ref().map_or_else(String::new, |deferral| {
            let day = deferral.until.strftime("%F");
            format!("{}; by {} until {day}", deferral.reason, deferral.author)
        }),
        Some(CriterionVerdict::Pass | CriterionVerdict::Escalate) | None => String::new(),
    };
    let answer = match judged.gap {
        Some(gap) => format!("{} [no verdict: {gap}]", judged.answer),
        None => judged.answer.clone(),
    };
    let is_concern = |state: FindingState| state.is_open() && judged.verdict == Some(CriterionVerdict::Pass);
    let concerns = judged.findings.iter().filter(|noted| is_concern(noted.state));
    Said {
        line: 0,
        criterion: judged.criterion.clone(),
        question: question.unwrap_or_default(),
        answer: answer.trim().to_owned(),
        verdict: judged.verdict,
        detail,
        concerns: concerns.map(|noted| noted.text.clone()).collect(),
    }
}

fn scenario(said: &Adversarial) -> Scenario {
    Scenario {
        line: 0,
        scenario: said.scenario.clone(),
        realistic: said.realistic,
        rationale: said.rationale.clone(),
    }
}

fn counted(number: u32, what: &str) -> String {
    format!("{number} {what}")
}

/// A text on one line, without emphasis.
pub(super) fn one_line(text: &str) -> String {
    let joined = line::joined(&plain(text.as_bytes()));
    joined.replace("**", "").trim_start_matches(['`', '*', '_', ':', ' ']).trim_end().to_owned()
}

/// A text in which nobody reads a word of the format, whatever its case: its mark stands apart.
fn unlike(text: &str, word: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let mut written = String::with_capacity(text.len());
    let mut from = 0;
    for (at, found) in lower.match_indices(word) {
        let mark = at + found.len() - 1;
        written.push_str(text.get(from..mark).unwrap_or_default());
        written.push(' ');
        from = mark;
    }
    written.push_str(text.get(from..).unwrap_or_default());
    written
}

/// A text that stands before an arrow.
fn divided(text: &str) -> String {
    ARROWS.iter().fold(one_line(text), |text, arrow| text.replace(arrow, "›"))
}

/// A text that stands before a dash.
fn undashed(text: &str) -> String {
    let text = one_line(text);
    [" — ", " – ", " - ", ": "].iter().fold(text, |text, dash| text.replace(dash, ", "))
}
