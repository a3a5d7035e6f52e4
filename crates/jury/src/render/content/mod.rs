//! What people see of a run of the content pipeline.

pub(crate) mod human;
pub(crate) mod progress;

use jury_core::content::event::ContentMeasured;
use jury_core::content::{ContentEvent, ContentSeat, ContentState, ContentStatus, PipelineProgress};
use jury_core::evidence::EvidenceMode;
use jury_core::id::RunId;
use jury_core::record::Record;
use jury_core::report::{PartResult, Report, ReportPart};
use jury_core::run::OutcomeWord as _;
use jury_core::score::{Threshold, cut};
use jury_core::unit::Millis;
use jury_core::workflow::{WorkflowEvent as _, WorkflowState as _};
use serde_json::{Value, json};

use super::Told;
use crate::output::Output;

/// The state of a run, folded from its records.
pub(crate) fn state(records: &[Record]) -> ContentState {
    ContentState::of(records.iter().filter_map(|record| ContentEvent::of(&record.event)))
}

/// A run of the content pipeline.
pub(crate) struct ContentCase<'a> {
    pub(crate) run: RunId,
    pub(crate) state: &'a ContentState,
    /// How long it took, or has taken so far.
    pub(crate) took: Millis,
}

impl ContentCase<'_> {
    /// The critics of the last round.
    fn parts(&self) -> Vec<ReportPart> {
        let Some(round) = self.state.rounds.last() else { return Vec::new() };
        let part = |seat: &ContentSeat| {
            let name = seat.name.as_str();
            match (round.critiques.get(&seat.advisor_id), round.absent.get(&seat.advisor_id)) {
                (Some(critique), _) if critique.issues.iter().any(|issue| issue.severity.is_must_fix()) => {
                    let grave = critique.issues.iter().filter(|issue| issue.severity.is_must_fix());
                    let texts: Vec<&str> = grave.map(|issue| issue.description.as_str()).collect();
                    ReportPart::of(
                        name,
                        PartResult::Failed,
                        &format!("{} high", texts.len()),
                        &texts.join("\n"),
                    )
                }
                (Some(_), _) => ReportPart::passed(name),
                (None, Some(absent)) => ReportPart::of(name, PartResult::Missing, "absent", &absent.detail),
                (None, None) => ReportPart::of(name, PartResult::Missing, "not asked yet", ""),
            }
        };
        let measured = round.measured.as_ref().filter(|measured| measured.mode == EvidenceMode::Gate);
        let measured = measured.map(|measured| {
            let grave = measured.issues.iter().filter(|issue| issue.severity.is_must_fix());
            let texts: Vec<&str> = grave.map(|issue| issue.description.as_str()).collect();
            if texts.is_empty() {
                return ReportPart::passed(ContentMeasured::NAME);
            }
            let high = format!("{} high", texts.len());
            ReportPart::of(ContentMeasured::NAME, PartResult::Failed, &high, &texts.join("\n"))
        });
        self.state.seats().iter().map(part).chain(measured).collect()
    }

    /// Why it stands so, in one line.
    fn because(&self) -> String {
        let state = self.state;
        if let Some(halted) = &state.halted {
            return format!("{}: {}", halted.tool, halted.detail);
        }
        if let Some(needs) = &state.needs {
            return needs.reason.clone();
        }
        let ruling = state.rounds.iter().rev().find_map(|round| Some((round.round, round.ruling.as_ref()?)));
        ruling.map_or_else(String::new, |(round, ruling)| {
            let mean = ruling.mean.map_or("-".to_owned(), |mean| cut(mean, 1));
            let evidence = human::evidence(state).map_or(String::new(), |said| format!("; {said}"));
            format!("round {round}, mean {mean}, {} high open{evidence}", ruling.high)
        })
    }
}

impl Told for ContentCase<'_> {
    fn report(&self) -> Report {
        let standing = self.state.status();
        let queued = self.state.queued.as_ref();
        let title = queued.map(|own| format!("{}/{}", own.idea_id, own.content_type)).unwrap_or_default();
        Report {
            run_id: Some(self.run),
            project_id: queued.map(|queued| queued.project_id.clone()),
            agent: queued.and_then(|queued| queued.agent.clone()),
            status: Some(standing.into()),
            reason: self.because(),
            composite: self.state.composite(),
            threshold: self.state.started.as_ref().map(|own| Threshold(own.recipe.min_aggregate_score)),
            duration_ms: self.took,
            unreviewed: standing == ContentStatus::Unreviewed,
            findings: self.state.findings(),
            parts: self.parts(),
            held_back: self.state.held_back(),
            what: "draft",
            ..Report::new(ContentState::WORKFLOW, title, standing.kind())
        }
    }

    fn human(&self, output: Output) -> String {
        human::verdict(self.run, self.state, output)
    }

    /// The progress, with which run it is and how it stands. What the progress calls its status is whether a step is at work;
    /// the status of every result is the word of its workflow.
    fn json(&self) -> Value {
        let progress = PipelineProgress::of(self.state).and_then(|own| serde_json::to_value(own).ok());
        let mut document = progress.unwrap_or_else(|| json!({}));
        if let Some(fields) = document.as_object_mut() {
            if let Some(status) = fields.remove("status") {
                fields.insert("progressStatus".to_owned(), status);
            }
            fields.insert("runId".to_owned(), json!(self.run));
            fields.insert("standing".to_owned(), json!(self.state.status()));
            if let Some(started) = &self.state.started {
                fields.insert("ideaId".to_owned(), json!(started.idea_id));
            }
        }
        document
    }
}
