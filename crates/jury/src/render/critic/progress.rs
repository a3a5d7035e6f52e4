//! A run of the critic as it happens: passes, what is measured, verdicts, fixes. Live and in replay alike.

use jury_core::critic::{
    Adversarial, Answer, CriterionId, CriterionJudged, CriterionVerdict, CriticEvent, CriticEvidence, Fixed,
    PassResult,
};
use jury_core::event::AgentNoteKind;

use super::{counted, scenario_of, why};
use crate::output::{Output, Tone};
use crate::render::printable;
use crate::render::progress::{Progress, Shown};

/// The longest line of a verdict's words.
const WIDEST_LINE_CHARS: usize = 160;

impl Shown for CriticEvent {
    fn show(&self, progress: &mut Progress) {
        event(self, progress.output);
    }
}

/// Shows one event.
fn event(event: &CriticEvent, output: Output) {
    match event {
        CriticEvent::Queued(queued) => {
            let by = queued.agent.as_ref().map_or_else(String::new, |agent| format!(", by {agent}"));
            let title = printable(&queued.title, 60);
            output.progress(&format!(
                "{} {title} against {}{by}",
                output.paint(Tone::Bold, "jury critic"),
                queued.criteria
            ));
        }
        CriticEvent::RunStarted(started) => output.progress(&format!(
            "converges when {} and the failure scenario are clean, within {}",
            counted(started.criteria.len(), "criterion", "criteria"),
            counted(usize::try_from(started.cap).unwrap_or(usize::MAX), "pass", "passes")
        )),
        CriticEvent::Reopened(reopened) => output.progress(&format!(
            "  {} {}: {}",
            output.paint(Tone::Poor, "open again"),
            reopened.deferral.criterion,
            printable(&reopened.deferral.reason, WIDEST_LINE_CHARS)
        )),
        CriticEvent::PassStarted(started) => {
            output.transient("");
            output.progress(&format!("\n{}", output.paint(Tone::Bold, &format!("pass {}", started.pass))));
            output.transient("  measuring …");
        }
        CriticEvent::Evidence(evidence) => measured(evidence, output),
        CriticEvent::Agent(note) => {
            if output.is_verbose() || matches!(note.kind, AgentNoteKind::Error | AgentNoteKind::Tool) {
                line(output, &output.paint(Tone::Dim, &format!("agent: {}", printable(&note.detail, 200))));
            }
        }
        CriticEvent::Absent(absent) => {
            let again = if absent.retried { "; asked again" } else { "" };
            let what = format!(
                "{}: {}{again}",
                absent.cause,
                printable(&why::tidy(&absent.detail), WIDEST_LINE_CHARS)
            );
            line(output, &format!("{} {what}", output.paint(Tone::Bad, "no answer")));
        }
        CriticEvent::Rejected(rejected) => line(
            output,
            &format!(
                "{} {}: {}",
                output.paint(Tone::Poor, "sent back"),
                rejected.criterion,
                printable(&rejected.reason, WIDEST_LINE_CHARS)
            ),
        ),
        CriticEvent::Verdict(judged) => judged_line(judged, output),
        CriticEvent::Adversarial(said) => scenario(said, output),
        CriticEvent::Fixed(fixed) => fixed_line(fixed, output),
        CriticEvent::FixFailed(failed) => {
            let again = if failed.retried { "; tried again" } else { "" };
            let what = format!("{}{again}", printable(&why::tidy(&failed.detail), WIDEST_LINE_CHARS));
            line(output, &format!("{} {what}", output.paint(Tone::Bad, "not fixed:")));
        }
        CriticEvent::PassEnded(end) => {
            let words = match &end.result {
                // What is left, and what can be done about it, is in the verdict: it follows at once.
                PassResult::NotConverged { open, reason } => {
                    format!("not converged: {open} not clean ({})", printable(reason, 60))
                }
                PassResult::Converged { .. }
                | PassResult::Continue { .. }
                | PassResult::Escalate { .. }
                | PassResult::SafetyCap => printable(&why::tidy(&end.reason), WIDEST_LINE_CHARS),
            };
            line(output, &output.paint(Tone::Dim, &format!("→ {words}")));
        }
        CriticEvent::Escalated(asked) => {
            let more = if asked.more > 0 { format!(", {} more later", asked.more) } else { String::new() };
            let questions = counted(asked.questions.len(), "question", "questions");
            let what = format!("asks a person {questions}{more}");
            line(output, &output.paint(Tone::Poor, &what));
        }
        CriticEvent::Answered(answered) => {
            let words = match &answered.answer {
                Answer::Option(number) => format!("option {number}"),
                Answer::Text(text) => printable(text, WIDEST_LINE_CHARS),
                Answer::Skip => "skip".to_owned(),
            };
            let by = printable(&answered.by, 60);
            line(output, &format!("question {} is answered by {by}: {words}", answered.question));
        }
        CriticEvent::Converged(_)
        | CriticEvent::SafetyCap(_)
        | CriticEvent::Stopped(_)
        | CriticEvent::Inconclusive(_)
        | CriticEvent::Interrupted(_)
        | CriticEvent::Failed(_) => output.transient(""),
    }
}

fn line(output: Output, text: &str) {
    output.transient("");
    output.progress(&format!("  {text}"));
}

/// What is out of its bounds or could not be measured; everything, for whoever wants it.
fn measured(evidence: &CriticEvidence, output: Output) {
    if evidence.passed == Some(true) && !output.is_verbose() {
        return;
    }
    let (word, tone) = match evidence.passed {
        Some(true) => ("measured", Tone::Dim),
        Some(false) => ("measured", Tone::Poor),
        None => ("not measured", Tone::Bad),
    };
    let text = format!("{} {}", evidence.criterion, printable(&evidence.summary, WIDEST_LINE_CHARS));
    line(output, &format!("{} {text}", output.paint(tone, word)));
}

fn judged_line(judged: &CriterionJudged, output: Output) {
    let (word, tone) = match judged.verdict {
        Some(CriterionVerdict::Pass) => ("PASS", Tone::Good),
        Some(CriterionVerdict::Fail) => ("FAIL", Tone::Bad),
        Some(CriterionVerdict::Escalate) => ("ESCALATE", Tone::Poor),
        Some(CriterionVerdict::Defer) => ("DEFER", Tone::Poor),
        None => ("none", Tone::Bad),
    };
    let word = output.paint(tone, &format!("{word:<8}"));
    let answer = match judged.gap {
        Some(gap) if judged.verdict.is_none() => gap.remedy().to_owned(),
        _ => printable(&judged.answer, WIDEST_LINE_CHARS),
    };
    line(output, format!("{word}  {:<16}  {answer}", judged.criterion).trim_end());
}

fn scenario(said: &Adversarial, output: Output) {
    let (word, tone) = match said.realistic {
        Some(true) => ("FAIL", Tone::Bad),
        Some(false) => ("PASS", Tone::Good),
        None => ("none", Tone::Bad),
    };
    let word = output.paint(tone, &format!("{word:<8}"));
    let text = match said.gap {
        Some(gap) => gap.remedy().to_owned(),
        None => printable(&scenario_of(said), WIDEST_LINE_CHARS),
    };
    line(output, format!("{word}  {:<16}  {text}", "ADVERSARIAL").trim_end());
}

fn fixed_line(fixed: &Fixed, output: Output) {
    let named: Vec<&str> = fixed.applied.iter().map(CriterionId::as_str).collect();
    let places: Vec<String> = fixed
        .changes
        .iter()
        .take(3)
        .map(
            |change| {
                if change.place.is_empty() { "the top".to_owned() } else { printable(&change.place, 60) }
            },
        )
        .collect();
    let places = if places.is_empty() { String::new() } else { format!(" in {}", places.join("; ")) };
    line(output, &format!("{} {}{places}", output.paint(Tone::Good, "fixed"), named.join(", ")));
    if !fixed.summary.is_empty() {
        line(
            output,
            &format!("  {}", output.paint(Tone::Dim, &printable(&fixed.summary, WIDEST_LINE_CHARS))),
        );
    }
}
