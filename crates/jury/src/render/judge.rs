//! What people and other programs get to see of a run of the judge.

pub(crate) mod human;
pub(crate) mod progress;

use jury_core::decision::DecisionId;
use jury_core::id::RunId;
use jury_core::judge::settings::JudgeMode;
use jury_core::judge::{
    JudgeCost, JudgeEvent, JudgeInconclusive, JudgeState, JudgeStatus, Judgement, OpusJudgement, SeatState,
    WorkCoverage,
};
use jury_core::record::Record;
use jury_core::report::{PartResult, Report, ReportPart, ReportQuestion};
use jury_core::run::OutcomeWord as _;
use jury_core::unit::Millis;
use jury_core::workflow::WorkflowEvent as _;
use jury_core::workflow::WorkflowState as _;
use jury_engine::judge::GatheredCase;
use jury_text::diff::Omission;
use serde::Serialize;
use serde_json::Value;

use super::{Printed, Told, took};
use crate::cli::Format;
use crate::gate::Gate;
use crate::output::Output;
use crate::refusal::Refusal;

/// What programs get to read. The keys of the native shape come first.
#[derive(Debug, Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    judgement: Option<&'a Judgement>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bead: Option<String>,
    status: JudgeStatus,
    run: RunId,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<JudgeMode>,
    #[serde(skip_serializing_if = "Option::is_none")]
    template: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<WorkCoverage>,
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
    pub(crate) state: JudgeState,
    /// How long it took, or has taken so far.
    pub(crate) took: Millis,
    /// What no judge got to see.
    pub(crate) omitted: Vec<Omission>,
    /// What could not be had.
    pub(crate) notes: Vec<String>,
}

impl JudgeCase {
    pub(crate) fn new(run: RunId, state: JudgeState) -> Self {
        Self { run, state, took: Millis(0), omitted: Vec::new(), notes: Vec::new() }
    }

    /// The run in these records.
    pub(crate) fn of(records: &[Record]) -> Self {
        let events = records.iter().filter_map(|record| JudgeEvent::of(&record.event));
        let run = records.first().map_or(RunId(uuid::Uuid::nil()), |record| record.run_id);
        Self::new(run, JudgeState::of(events)).lasting(took(records))
    }

    /// With how long it took.
    pub(crate) fn lasting(self, took: Millis) -> Self {
        Self { took, ..self }
    }

    /// With what the judges were shown.
    pub(crate) fn with(mut self, case: &GatheredCase) -> Self {
        self.omitted.clone_from(&case.omitted);
        self.notes.clone_from(&case.notes);
        self
    }

    pub(crate) fn has_judgement(&self) -> bool {
        self.state.judgement().is_some()
    }

    /// The result in this format. Of several, each on a line of its own where a program reads it.
    pub(crate) fn print(
        &self,
        gate: &Gate,
        format: Format,
        several: bool,
        output: Output,
    ) -> Result<Printed, Refusal> {
        if several && format == Format::Json {
            let report = gate.pass(self.report(), output)?;
            let text = json(&report.document(self.json()), true);
            return Ok(Printed { text, code: report.exit_code, as_the_run_ended: true });
        }
        let mut printed = super::print(self, gate, format, output)?;
        if several && format == Format::Opus {
            printed.text = self.older(true);
        }
        Ok(printed)
    }

    fn older(&self, several: bool) -> String {
        let judgement = self.state.judgement();
        judgement.map(|native| json(&OpusJudgement::from_native(native), several)).unwrap_or_default()
    }

    /// The seats, and whether each answered.
    fn parts(&self) -> Vec<ReportPart> {
        let seat = |(number, seat): (usize, &SeatState)| {
            let name = format!("{} ({})", seat.name.judge.model, number + 1);
            match (&seat.judged, &seat.absent) {
                (Some(_), _) => ReportPart::passed(name),
                (None, Some(absent)) => ReportPart::of(name, PartResult::Missing, &absent.reason, ""),
                (None, None) => ReportPart::of(name, PartResult::Missing, "no answer", ""),
            }
        };
        self.state.seats.iter().enumerate().map(seat).collect()
    }

    /// The judgement in the native shape, with how the run stands; without one, why there is none.
    fn document(&self) -> Document<'_> {
        let state = &self.state;
        let (judgement, started) = (state.judgement(), state.started.as_ref());
        Document {
            judgement,
            bead: judgement.is_none().then(|| self.bead()),
            status: state.status(),
            run: self.run,
            mode: started.map(|started| started.mode),
            template: started.map(|started| started.template.as_str()),
            coverage: started.map(|started| started.coverage),
            cost: started.map(|_| state.cost()),
            reason: self.because(),
            until: state.throttled.as_ref().map(|held| held.until.to_string()),
            decision: (state.status() == JudgeStatus::Disputed).then(|| DecisionId::of(self.run, 1)),
        }
    }

    /// The run that is judged.
    pub(crate) fn bead(&self) -> String {
        let queued = self.state.queued.as_ref().map(|queued| queued.bead.to_string());
        queued.or_else(|| Some(self.state.started.as_ref()?.bead.to_string())).unwrap_or_default()
    }

    /// Why there is no judgement.
    pub(crate) fn because(&self) -> Option<String> {
        match &self.state.ended {
            Some(JudgeEvent::Skipped(skipped)) => {
                Some(format!("there was nothing to judge: {}", skipped.outcome))
            }
            Some(JudgeEvent::Inconclusive(none)) => Some(without_judgement(none)),
            Some(JudgeEvent::Interrupted(interrupted)) => Some(match interrupted.recovery_reason {
                Some(_) => "the program went away in the middle of it".to_owned(),
                None => "somebody stopped it".to_owned(),
            }),
            Some(JudgeEvent::Failed(failed)) => Some(format!("{}: {}", failed.cause, failed.detail)),
            Some(_) => None,
            None => match (&self.state.disputed, &self.state.throttled) {
                (Some(disputed), _) => Some(disputed.dispute.issue.clone()),
                (None, Some(held)) => Some(format!("there were {} already", held.bound)),
                (None, None) => None,
            },
        }
    }
}

impl Told for JudgeCase {
    fn report(&self) -> Report {
        let state = &self.state;
        let standing = state.status();
        let queued = state.queued.as_ref();
        let reason = self.because().or_else(|| state.judgement().map(|own| own.summary.clone()));
        let asks = state.question().filter(|_| standing == JudgeStatus::Disputed);
        Report {
            run_id: Some(self.run),
            project_id: queued.map(|queued| queued.project_id.clone()),
            agent: queued.and_then(|queued| queued.agent.clone()),
            status: Some(standing.into()),
            reason: reason.unwrap_or_default(),
            findings: state.findings(),
            parts: self.parts(),
            questions: asks
                .into_iter()
                .map(|question| ReportQuestion {
                    id: Some(DecisionId::of(self.run, 1)),
                    asks: "judge".to_owned(),
                    question: question.question,
                    answer_with: format!("jury decisions answer {} OPTION", DecisionId::of(self.run, 1)),
                })
                .collect(),
            duration_ms: self.took,
            held_back: self.state.held_back(),
            what: "change",
            ..Report::new(JudgeState::WORKFLOW, self.bead(), standing.kind())
        }
    }

    fn human(&self, output: Output) -> String {
        human::verdict(self, output)
    }

    fn json(&self) -> Value {
        serde_json::to_value(self.document()).unwrap_or_default()
    }

    fn own(&self, format: Format) -> Option<String> {
        (format == Format::Opus).then(|| self.older(false))
    }
}

/// The reasons first. That the judge without a model is the one who did not answer goes without saying.
fn without_judgement(none: &JudgeInconclusive) -> String {
    let alone = format!("{}: ", JudgeMode::Heuristic);
    let seats = jury_core::line::counted(none.seats, "judge", "judges");
    match none.reasons.as_slice() {
        [] => format!("{} of {seats} answered", none.answered),
        [reason] if reason.starts_with(&alone) => reason.trim_start_matches(&alone).to_owned(),
        reasons => format!("{}; {} of {seats} answered", reasons.join("; "), none.answered),
    }
}

fn json(value: &impl Serialize, several: bool) -> String {
    let text = if several { serde_json::to_string(value) } else { serde_json::to_string_pretty(value) };
    text.unwrap_or_default()
}
