//! A run of the judge as it happens.

use jury_core::event::AgentNoteKind;
use jury_core::judge::{JudgeEvent, JudgeVerdict};
use jury_core::score::cut;

use crate::output::{Output, Tone};
use crate::render::printable;
use crate::render::progress::{Progress, Shown};

/// The longest line of somebody's words.
const WIDEST_LINE_CHARS: usize = 160;

impl Shown for JudgeEvent {
    fn show(&self, progress: &mut Progress) {
        event(self, progress.output);
    }
}

/// Shows one event.
fn event(event: &JudgeEvent, output: Output) {
    match event {
        JudgeEvent::Queued(queued) => {
            output.progress(&format!("{} {}", output.paint(Tone::Bold, "jury judge"), queued.bead));
        }
        JudgeEvent::Throttled(held) => line(
            output,
            &format!(
                "{} there were {} already; the next one can begin at {}",
                output.paint(Tone::Poor, "held back:"),
                printable(&held.bound, WIDEST_LINE_CHARS),
                held.until.strftime("%F %T UTC")
            ),
        ),
        JudgeEvent::RunStarted(started) => {
            let mut names: Vec<&str> = started.seats.iter().map(|seat| seat.judge.model.as_str()).collect();
            names.dedup();
            let seats = started.seats.len();
            let panel = if seats > 1 { format!(", {seats} seats") } else { String::new() };
            line(output, &format!("by {}{panel}", printable(&names.join(", "), WIDEST_LINE_CHARS)));
            output.transient("  judging …");
        }
        JudgeEvent::Agent(note) => {
            if output.is_verbose() || matches!(note.kind, AgentNoteKind::Error | AgentNoteKind::Tool) {
                line(output, &output.paint(Tone::Dim, &format!("agent: {}", printable(&note.detail, 200))));
            }
        }
        JudgeEvent::Rejected(rejected) => line(
            output,
            &format!(
                "{} {}: {}",
                output.paint(Tone::Poor, "sent back to seat"),
                rejected.seat,
                printable(&rejected.problems.join("; "), WIDEST_LINE_CHARS)
            ),
        ),
        JudgeEvent::Retried(retried) => {
            let why = printable(&retried.reason, WIDEST_LINE_CHARS);
            line(
                output,
                &format!("seat {}: {} {why}", retried.seat, output.paint(Tone::Poor, "asked again:")),
            );
        }
        JudgeEvent::SeatJudged(judged) => {
            let word = output.paint(tone(judged.verdict), judged.verdict.as_str());
            line(output, &format!("seat {}: {word} {}", judged.seat, cut(judged.dimensions.score(), 2)));
        }
        JudgeEvent::SeatAbsent(absent) => {
            let why = printable(&absent.reason, WIDEST_LINE_CHARS);
            line(output, &format!("seat {}: {} {why}", absent.seat, output.paint(Tone::Bad, "absent:")));
        }
        JudgeEvent::Disputed(disputed) => {
            line(output, &output.paint(Tone::Poor, &printable(&disputed.dispute.issue, WIDEST_LINE_CHARS)));
        }
        JudgeEvent::Settled(settled) => {
            line(output, &format!("{} decides: {}", printable(&settled.by, 60), settled.verdict));
        }
        JudgeEvent::Redispatch(note) => {
            line(output, &format!("{} {}", output.paint(Tone::Poor, "dispatch it again:"), note.bead));
        }
        JudgeEvent::Signals(_) => {}
        JudgeEvent::Judged(_)
        | JudgeEvent::Skipped(_)
        | JudgeEvent::Inconclusive(_)
        | JudgeEvent::Interrupted(_)
        | JudgeEvent::Failed(_) => output.transient(""),
    }
}

/// How a verdict looks.
pub(super) fn tone(verdict: JudgeVerdict) -> Tone {
    match verdict {
        JudgeVerdict::Pass => Tone::Good,
        JudgeVerdict::Partial => Tone::Poor,
        JudgeVerdict::Fail => Tone::Bad,
    }
}

fn line(output: Output, text: &str) {
    output.transient("");
    output.progress(&format!("  {text}"));
}
