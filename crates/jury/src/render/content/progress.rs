//! A run of the content pipeline as it happens.

use jury_core::content::event::PauseReason;
use jury_core::content::{ContentEvent, EditorDecision, Severity, Writer};
use jury_core::event::AgentNoteKind;

use crate::output::{Output, Tone};
use crate::render::printable;

/// The longest line of somebody's words.
const WIDEST: usize = 160;

/// Shows one event.
pub(crate) fn event(event: &ContentEvent, output: Output) {
    match event {
        ContentEvent::Queued(queued) => output.progress(&format!(
            "{} {} of {}",
            output.paint(Tone::Bold, "jury content"),
            queued.content_type,
            queued.idea_id
        )),
        ContentEvent::RunStarted(started) => {
            line(output, &format!("author: {}", printable(&started.author, WIDEST)));
            output.transient("  writing …");
        }
        ContentEvent::Drafted(drafted) => {
            let writer = written(drafted.writer);
            line(output, &format!("draft {}: {} words, {writer}", drafted.round, drafted.words));
            for remark in &drafted.remarks {
                line(output, &output.paint(Tone::Dim, &printable(remark, WIDEST)));
            }
        }
        ContentEvent::PanelSelected(selection) => {
            let names: Vec<&str> = selection.seats.iter().map(|seat| seat.name.as_str()).collect();
            let names = if names.is_empty() { "nobody".to_owned() } else { names.join(", ") };
            line(output, &format!("panel: {}", printable(&names, WIDEST)));
            for warning in &selection.warnings {
                line(output, &output.paint(Tone::Dim, &printable(warning, WIDEST)));
            }
        }
        ContentEvent::CriticStarted(begun) => output.transient(&format!("  {} reads …", begun.advisor_id)),
        ContentEvent::Critiqued(said) => {
            let critique = &said.critique;
            let high = critique.count(Severity::High);
            let tone = if high > 0 { Tone::Bad } else { Tone::Good };
            let score = output.paint(tone, &format!("{:.1}", critique.score));
            let (medium, low) = (critique.count(Severity::Medium), critique.count(Severity::Low));
            let name = printable(&critique.name, 60);
            line(output, &format!("  {name}: {score}  {high} high, {medium} medium, {low} low"));
        }
        ContentEvent::CriticAbsent(absent) => line(
            output,
            &format!(
                "  {}: {} {}",
                absent.advisor_id,
                output.paint(Tone::Bad, "absent:"),
                printable(&absent.detail, WIDEST)
            ),
        ),
        ContentEvent::Decided(decided) => {
            let ruling = &decided.ruling;
            let tone = match ruling.decision {
                EditorDecision::Approve => Tone::Good,
                EditorDecision::Revise | EditorDecision::Stop => Tone::Poor,
                EditorDecision::Error => Tone::Bad,
            };
            let mean = ruling.mean.map_or_else(|| "no score".to_owned(), |mean| format!("mean {mean:.1}"));
            let word = output.paint(tone, ruling.decision.as_str());
            line(output, &format!("round {}: {word}, {mean}, {} high open", decided.round, ruling.high));
        }
        ContentEvent::Summarised(_) => {}
        ContentEvent::Revised(revised) => {
            let writer = written(revised.writer);
            line(output, &format!("draft {}: {} words, {writer}", revised.round, revised.words));
            if !revised.lost.is_empty() {
                let lost = format!("{} protected passages changed", revised.lost.len());
                line(output, &output.paint(Tone::Poor, &lost));
            }
        }
        ContentEvent::NeedsHuman(needs) => {
            let head = output.paint(Tone::Poor, "a person is needed:");
            line(output, &format!("{head} {}", printable(&needs.reason, WIDEST)));
        }
        ContentEvent::Saved(saved) => {
            line(output, &format!("saved the draft of round {} as {}", saved.round, saved.quality));
        }
        ContentEvent::Branded(branded) => {
            for note in &branded.notes {
                line(output, &output.paint(Tone::Dim, &printable(note, WIDEST)));
            }
        }
        ContentEvent::Assembled(site) => line(output, &format!("site: {} files", site.files)),
        ContentEvent::Validated(_) | ContentEvent::RepoCreated(_) => {}
        ContentEvent::Pushed(pushed) => {
            let commit: String = pushed.commit.chars().take(12).collect();
            line(output, &format!("commit {}: {} files changed", printable(&commit, 12), pushed.changed));
        }
        ContentEvent::Deployed(deployed) => {
            line(output, &format!("served at {}", printable(&deployed.url, WIDEST)));
        }
        ContentEvent::Verified(verified) => {
            line(output, &format!("{} addresses fetched and compared", verified.fetched));
        }
        ContentEvent::Agent(note) => {
            if output.is_verbose() || note.kind == AgentNoteKind::Error {
                line(output, &output.paint(Tone::Dim, &format!("agent: {}", printable(&note.detail, 200))));
            }
        }
        ContentEvent::Halted(halted) => {
            let head = output.paint(Tone::Bad, &format!("{} could not be done:", halted.tool));
            line(output, &format!("{head} {}", printable(&halted.detail, WIDEST)));
        }
        ContentEvent::Paused(paused) => {
            let why = match paused.reason {
                PauseReason::Asked => "paused",
                PauseReason::Restart => "paused: the program that drove it went away",
            };
            line(output, &output.paint(Tone::Poor, why));
        }
        ContentEvent::Resumed(_) => line(output, "taken up again"),
        ContentEvent::Finished(_) | ContentEvent::Abandoned(_) => output.transient(""),
    }
}

fn written(writer: Writer) -> &'static str {
    match writer {
        Writer::Model => "by the author",
        Writer::Template => "from the documents",
        Writer::Repairs => "by safe corrections",
        Writer::Person => "by a person",
    }
}

fn line(output: Output, text: &str) {
    output.transient("");
    output.progress(&format!("  {text}"));
}
