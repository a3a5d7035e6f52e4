//! A run of the content pipeline as it happens.

use jury_core::content::{AdvisorId, ContentEvent, EditorDecision, Quality, Writer};
use jury_core::event::AgentNoteKind;
use jury_core::evidence::EvidenceMode;
use jury_core::score::cut;
use jury_core::severity::Severity;

use crate::output::{Output, Tone};
use crate::render::printable;
use crate::render::progress::{Progress, Shown};

/// The longest line of somebody's words.
const WIDEST_LINE_CHARS: usize = 160;
/// The longest name of a critic.
const WIDEST_NAME_CHARS: usize = 60;

impl Shown for ContentEvent {
    fn show(&self, progress: &mut Progress) {
        if let Self::PanelSelected(panel) = self {
            progress.names =
                panel.seats.iter().map(|seat| (seat.advisor_id.clone(), seat.name.clone())).collect();
        }
        event(self, progress);
    }
}

/// Shows one event.
fn event(event: &ContentEvent, progress: &Progress) {
    let output = progress.output;
    let name = |id: &AdvisorId| {
        let known = progress.names.get(id).map_or(id.as_str(), String::as_str);
        printable(known, WIDEST_NAME_CHARS)
    };
    match event {
        ContentEvent::Queued(queued) => {
            output.progress(&format!(
                "{} {} for {}",
                output.paint(Tone::Bold, "jury content"),
                queued.content_type,
                queued.idea_id
            ));
        }
        ContentEvent::RunStarted(started) => {
            let docs: Vec<&str> = started.docs.iter().map(|doc| doc.kind.as_str()).collect();
            let by =
                started.agent.as_ref().map_or("without a model".to_owned(), |agent| format!("with {agent}"));
            line(output, &format!("{by}, from {}", printable(&docs.join(", "), WIDEST_LINE_CHARS)));
            output.transient("  writing …");
        }
        ContentEvent::Drafted(drafted) => {
            line(
                output,
                &format!(
                    "draft {}: {}, {}",
                    drafted.round,
                    jury_core::line::counted(drafted.words, "word", "words"),
                    written(drafted.writer)
                ),
            );
            for remark in &drafted.remarks {
                line(
                    output,
                    &output.paint(Tone::Dim, &format!("  {}", printable(remark, WIDEST_LINE_CHARS))),
                );
            }
        }
        ContentEvent::PanelSelected(panel) => {
            let names: Vec<&str> = panel.seats.iter().map(|seat| seat.name.as_str()).collect();
            let names = if names.is_empty() { "nobody".to_owned() } else { names.join("; ") };
            line(output, &format!("panel: {}", printable(&names, WIDEST_LINE_CHARS)));
            for warning in &panel.warnings {
                line(
                    output,
                    &output.paint(Tone::Poor, &format!("  {}", printable(warning, WIDEST_LINE_CHARS))),
                );
            }
        }
        ContentEvent::CriticStarted(begun) => {
            let again =
                if begun.attempt > 1 { format!(", attempt {}", begun.attempt) } else { String::new() };
            output.transient(&format!("  {} reads{again} …", name(&begun.advisor_id)));
        }
        ContentEvent::Critiqued(said) => {
            let critique = &said.critique;
            let high = critique.count(Severity::Serious);
            let tone = if high > 0 { Tone::Bad } else { Tone::Good };
            let score = output.paint(tone, &format!("{:>4.1}", critique.score));
            line(
                output,
                &format!(
                    "{:<18} {score}  {}",
                    printable(&critique.name, WIDEST_NAME_CHARS),
                    counted(critique)
                ),
            );
            for issue in critique.issues.iter().filter(|issue| issue.severity == Severity::Serious) {
                line(output, &format!("    high: {}", printable(&issue.description, WIDEST_LINE_CHARS)));
            }
        }
        ContentEvent::CriticAbsent(absent) => line(
            output,
            &format!(
                "{:<18} {} {}",
                name(&absent.advisor_id),
                output.paint(Tone::Bad, "absent:"),
                printable(&absent.detail, WIDEST_LINE_CHARS)
            ),
        ),
        ContentEvent::Measured(measured) => {
            let high = measured.issues.iter().filter(|issue| issue.severity.is_must_fix());
            let mode = if measured.mode == EvidenceMode::Warn { " (a warning)" } else { "" };
            for issue in high {
                line(
                    output,
                    &format!("measured{mode}: {}", printable(&issue.description, WIDEST_LINE_CHARS)),
                );
            }
        }
        ContentEvent::Decided(decided) => {
            let ruling = &decided.ruling;
            let tone = match ruling.decision {
                EditorDecision::Approve => Tone::Good,
                EditorDecision::Revise | EditorDecision::Stop => Tone::Poor,
                EditorDecision::Error => Tone::Bad,
            };
            let mean = ruling.mean.map_or("-".to_owned(), |mean| cut(mean, 1));
            line(
                output,
                &format!(
                    "round {}: mean {mean}, {} high open: {} ({})",
                    decided.round,
                    ruling.high,
                    output.paint(tone, ruling.decision.as_str()),
                    ruling.reason.as_str().replace('_', " ")
                ),
            );
            if let Some(said) = super::human::barely_approved(ruling) {
                line(output, &output.paint(Tone::Poor, &format!("    {said}")));
            }
        }
        ContentEvent::Summarised(_) => {}
        ContentEvent::Revised(revised) => {
            line(
                output,
                &format!(
                    "draft {}: {}, {}",
                    revised.round,
                    jury_core::line::counted(revised.words, "word", "words"),
                    written(revised.writer)
                ),
            );
            for done in &revised.done {
                line(output, &format!("    {}", printable(done, WIDEST_LINE_CHARS)));
            }
            for lost in &revised.lost {
                let text =
                    format!("    changed unasked: \"{}\"", printable(&lost.passage, WIDEST_LINE_CHARS));
                line(output, &output.paint(Tone::Poor, &text));
            }
        }
        ContentEvent::NeedsHuman(needs) => {
            line(output, &output.paint(Tone::Poor, &printable(&needs.reason, WIDEST_LINE_CHARS)));
        }
        ContentEvent::Saved(saved) => {
            let tone =
                if saved.quality == Quality::Approved && !saved.unreviewed { Tone::Good } else { Tone::Poor };
            let word = if saved.unreviewed { "nobody has reviewed it" } else { saved.quality.as_str() };
            line(output, &format!("kept draft {}: {}", saved.round, output.paint(tone, word)));
        }
        ContentEvent::Branded(branded) => {
            line(
                output,
                &format!("brand: {} on {}", branded.brand.colors.primary, branded.brand.colors.background),
            );
            for note in &branded.notes {
                line(output, &format!("    {}", printable(note, WIDEST_LINE_CHARS)));
            }
        }
        ContentEvent::Assembled(assembled) => {
            line(
                output,
                &format!(
                    "site: {}, {}{}",
                    jury_core::line::counted(assembled.files, "file", "files"),
                    assembled.bytes,
                    match assembled.posts.len() {
                        0 => String::new(),
                        some => format!(", with {}", jury_core::line::counted(some, "article", "articles")),
                    }
                ),
            );
            for left in &assembled.left_out {
                let text = format!("    without the article of run {}: {}", left.run_id, left.why);
                line(output, &printable(&text, WIDEST_LINE_CHARS));
            }
        }
        ContentEvent::Validated(validated) => {
            line(output, &format!("checked: {} pieces of copy are there word for word", validated.sentences));
            for warning in &validated.warnings {
                line(output, &format!("    {}", printable(warning, WIDEST_LINE_CHARS)));
            }
        }
        ContentEvent::RepoCreated(_) => {}
        ContentEvent::Pushed(pushed) => {
            let commit: String = pushed.commit.chars().take(12).collect();
            let to = pushed
                .remote
                .as_ref()
                .map_or(String::new(), |to| format!(", pushed to {}", printable(to, 80)));
            line(
                output,
                &format!(
                    "committed {commit}, {} changed{to}",
                    jury_core::line::counted(pushed.changed, "file", "files")
                ),
            );
        }
        ContentEvent::Deployed(deployed) => {
            line(output, &format!("served: {}", printable(&deployed.url, WIDEST_LINE_CHARS)));
        }
        ContentEvent::Verified(verified) => {
            line(output, &format!("fetched and compared: {} addresses", verified.fetched));
        }
        ContentEvent::Agent(note) => {
            if output.is_verbose() || matches!(note.kind, AgentNoteKind::Error | AgentNoteKind::Tool) {
                line(output, &output.paint(Tone::Dim, &format!("agent: {}", printable(&note.detail, 200))));
            }
        }
        ContentEvent::Halted(halted) => line(
            output,
            &format!(
                "{} {}: {}",
                output.paint(Tone::Bad, "halted in"),
                halted.tool,
                printable(&halted.detail, 300)
            ),
        ),
        ContentEvent::Paused(_) => line(output, &output.paint(Tone::Poor, "paused")),
        ContentEvent::Resumed(resumed) => {
            let at = resumed.tool.map_or(String::new(), |tool| format!(" with {tool}"));
            line(output, &format!("goes on{at}"));
        }
        ContentEvent::Finished(_) | ContentEvent::Abandoned(_) => output.transient(""),
    }
}

/// Who made a draft.
fn written(writer: Writer) -> &'static str {
    match writer {
        Writer::Model => "by the author",
        Writer::Template => "put together from the documents",
        Writer::Repairs => "by safe corrections",
        Writer::Person => "by a person",
    }
}

/// How many issues of each kind.
fn counted(critique: &jury_core::content::Critique) -> String {
    let [high, medium, low] =
        [Severity::Serious, Severity::Moderate, Severity::Minor].map(|severity| critique.count(severity));
    if high + medium + low == 0 {
        return "nothing to say".to_owned();
    }
    format!("{high} high, {medium} medium, {low} low")
}

fn line(output: Output, text: &str) {
    output.transient("");
    output.progress(&format!("  {text}"));
}
