//! What people and other programs get to see of a run of the judge.

pub(crate) mod human;
pub(crate) mod progress;

use jury_core::event::Event;
use jury_core::id::RunId;
use jury_core::judge::{JudgeEvent, OpusJudgement, Sitting};
use jury_core::record::Record;
use jury_engine::judge::Case;
use jury_house::diff::Omission;
use serde_json::{Value, json};

use crate::cli::JudgeFormat;
use crate::output::Output;

/// A run of the judge, with what is known beside its log.
#[derive(Debug)]
pub(crate) struct JudgeCase {
    pub(crate) run: RunId,
    pub(crate) sitting: Sitting,
    /// What no judge got to see.
    pub(crate) omitted: Vec<Omission>,
    /// What could not be had.
    pub(crate) notes: Vec<String>,
}

impl JudgeCase {
    pub(crate) fn new(run: RunId, sitting: Sitting) -> Self {
        Self { run, sitting, omitted: Vec::new(), notes: Vec::new() }
    }

    /// The run in these records.
    pub(crate) fn of(records: &[Record]) -> Self {
        let events = records
            .iter()
            .filter_map(|record| if let Event::Judge(event) = &record.event { Some(event) } else { None });
        let run = records.first().map_or(RunId(uuid::Uuid::nil()), |record| record.run_id);
        Self::new(run, Sitting::of(events))
    }

    /// With what the judges were shown.
    pub(crate) fn with(mut self, case: &Case) -> Self {
        self.omitted.clone_from(&case.omitted);
        self.notes.clone_from(&case.notes);
        self
    }

    pub(crate) fn has_judgement(&self) -> bool {
        self.sitting.judgement().is_some()
    }

    /// The result in this format. Of several, each on a line of its own where a program reads it.
    pub(crate) fn print(&self, format: JudgeFormat, several: bool, output: Output) -> String {
        let json = |value: &Value| {
            let text =
                if several { serde_json::to_string(value) } else { serde_json::to_string_pretty(value) };
            text.unwrap_or_default()
        };
        match format {
            JudgeFormat::Human => human::verdict(self, output),
            JudgeFormat::Json => json(&self.document()),
            JudgeFormat::Opus => match self.sitting.judgement() {
                Some(judgement) => {
                    json(&serde_json::to_value(OpusJudgement::from_native(judgement)).unwrap_or_default())
                }
                None => String::new(),
            },
        }
    }

    /// The judgement in the native shape, with how the run stands; without one, why there is none.
    pub(crate) fn document(&self) -> Value {
        let sitting = &self.sitting;
        let mut document = sitting
            .judgement()
            .and_then(|judgement| serde_json::to_value(judgement).ok())
            .unwrap_or_else(|| json!({ "bead": self.bead(), "verdict": null }));
        let Some(fields) = document.as_object_mut() else { return document };
        fields.insert("status".to_owned(), json!(sitting.standing()));
        fields.insert("run".to_owned(), json!(self.run));
        if let Some(started) = &sitting.started {
            fields.insert("mode".to_owned(), json!(started.mode));
            fields.insert("template".to_owned(), json!(started.template));
            fields.insert("coverage".to_owned(), json!(started.coverage));
            fields.insert("cost".to_owned(), json!(sitting.cost()));
        }
        if let Some(why) = self.because() {
            fields.insert("reason".to_owned(), json!(why));
        }
        if let Some(held) = &sitting.throttled {
            fields.insert("until".to_owned(), json!(held.until));
        }
        document
    }

    /// The run that is judged.
    pub(crate) fn bead(&self) -> String {
        let queued = self.sitting.queued.as_ref().map(|queued| queued.bead.to_string());
        queued.or_else(|| Some(self.sitting.started.as_ref()?.bead.to_string())).unwrap_or_default()
    }

    /// Why there is no judgement.
    pub(crate) fn because(&self) -> Option<String> {
        match &self.sitting.ended {
            Some(JudgeEvent::Skipped(skipped)) => {
                Some(format!("there was nothing to judge: {}", skipped.outcome))
            }
            Some(JudgeEvent::Inconclusive(none)) => Some(format!(
                "{} of {} judges answered; {}",
                none.answered,
                none.seats,
                none.reasons.join("; ")
            )),
            Some(JudgeEvent::Interrupted(interrupted)) => Some(match interrupted.recovery_reason {
                Some(_) => "the program went away in the middle of it".to_owned(),
                None => "somebody stopped it".to_owned(),
            }),
            Some(JudgeEvent::Failed(failed)) => Some(format!("{}: {}", failed.cause, failed.detail)),
            Some(_) => None,
            None => match (&self.sitting.disputed, &self.sitting.throttled) {
                (Some(disputed), _) => Some(disputed.dispute.issue.clone()),
                (None, Some(held)) => Some(format!("there were {} already", held.bound)),
                (None, None) => None,
            },
        }
    }
}
