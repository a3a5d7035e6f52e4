//! What people and other programs get to see of a run of the judge.

pub(crate) mod human;
pub(crate) mod progress;

use jury_core::decision::DecisionId;
use jury_core::id::RunId;
use jury_core::judge::settings::JudgeMode;
use jury_core::judge::{Coverage, JudgeCost, JudgeEvent, JudgeState, Judgement, OpusJudgement, Standing};
use jury_core::record::Record;
use jury_core::workflow::WorkflowEvent as _;
use jury_engine::judge::Case;
use jury_text::diff::Omission;
use serde::Serialize;

use crate::cli::JudgeFormat;
use crate::output::Output;

/// What programs get to read. The keys of the native shape come first.
#[derive(Debug, Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    judgement: Option<&'a Judgement>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bead: Option<String>,
    status: Standing,
    run: RunId,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<JudgeMode>,
    #[serde(skip_serializing_if = "Option::is_none")]
    template: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<Coverage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<JudgeCost>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<DecisionId>,
}

/// A run of the judge, with what is known beside its log.
#[derive(Debug)]
pub(crate) struct JudgeCase {
    pub(crate) run: RunId,
    pub(crate) sitting: JudgeState,
    /// What no judge got to see.
    pub(crate) omitted: Vec<Omission>,
    /// What could not be had.
    pub(crate) notes: Vec<String>,
}

impl JudgeCase {
    pub(crate) fn new(run: RunId, sitting: JudgeState) -> Self {
        Self { run, sitting, omitted: Vec::new(), notes: Vec::new() }
    }

    /// The run in these records.
    pub(crate) fn of(records: &[Record]) -> Self {
        let events = records.iter().filter_map(|record| JudgeEvent::of(&record.event));
        let run = records.first().map_or(RunId(uuid::Uuid::nil()), |record| record.run_id);
        Self::new(run, JudgeState::of(events))
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
        match format {
            JudgeFormat::Human => human::verdict(self, output),
            JudgeFormat::Json => json(&self.document(), several),
            JudgeFormat::Opus => match self.sitting.judgement() {
                Some(judgement) => json(&OpusJudgement::from_native(judgement), several),
                None => String::new(),
            },
        }
    }

    /// The judgement in the native shape, with how the run stands; without one, why there is none.
    fn document(&self) -> Document<'_> {
        let sitting = &self.sitting;
        let (judgement, started) = (sitting.judgement(), sitting.started.as_ref());
        Document {
            judgement,
            bead: judgement.is_none().then(|| self.bead()),
            status: sitting.standing(),
            run: self.run,
            mode: started.map(|started| started.mode),
            template: started.map(|started| started.template.as_str()),
            coverage: started.map(|started| started.coverage),
            cost: started.map(|_| sitting.cost()),
            reason: self.because(),
            until: sitting.throttled.as_ref().map(|held| held.until.to_string()),
            decision: (sitting.standing() == Standing::Disputed).then(|| DecisionId::of(self.run, 1)),
        }
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

fn json(value: &impl Serialize, several: bool) -> String {
    let text = if several { serde_json::to_string(value) } else { serde_json::to_string_pretty(value) };
    text.unwrap_or_default()
}
