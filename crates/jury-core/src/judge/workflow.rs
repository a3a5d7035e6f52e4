//! What everything around a run of the judge asks of its state.

use super::event::{JudgeEvent, JudgeFailed, JudgeInterrupted};
use super::judgement::{Issue, Verdict};
use super::machine::verdict_of;
use super::request::JudgeRequest;
use super::standing::Standing as Status;
use super::state::JudgeState;
use crate::artifact::ArtifactRef;
use crate::critic::{DefaultAnswer, Question};
use crate::decision::Given;
use crate::finding::Finding;
use crate::id::AgentId;
use crate::outcome::{FailedCause, RecoveryReason};
use crate::run::{OutcomeKind, OutcomeWord, RunSummary, Standing, Subject, Wait};
use crate::unit::Round;
use crate::workflow::{AnsweredQuestion, AskedQuestion, Workflow, WorkflowEvent as _, WorkflowState};

impl OutcomeWord for Status {
    const WORKFLOW: Workflow = JudgeEvent::WORKFLOW;
    const ENDS: &'static [Self] = &[
        Self::Pass,
        Self::Partial,
        Self::Fail,
        Self::Skipped,
        Self::Inconclusive,
        Self::Interrupted,
        Self::Failed,
    ];

    fn word(self) -> &'static str {
        self.as_str()
    }

    /// A run that goes on has no verdict, which is not a green one.
    fn kind(self) -> OutcomeKind {
        match self {
            Self::Pass => OutcomeKind::Passed,
            Self::Partial | Self::Fail => OutcomeKind::NotPassed,
            Self::Running | Self::Skipped | Self::Inconclusive | Self::Failed => OutcomeKind::Inconclusive,
            Self::Throttled | Self::Disputed => OutcomeKind::Waiting,
            Self::Interrupted => OutcomeKind::Interrupted,
        }
    }
}

impl WorkflowState for JudgeState {
    const ASKS_FOR_VERDICT: bool = true;

    type Event = JudgeEvent;
    type Request = JudgeRequest;
    type Status = Status;
    type View = Self;

    fn view(&self) -> Self {
        self.clone()
    }

    fn apply(&mut self, event: &JudgeEvent) {
        Self::apply(self, event);
    }

    fn standing(&self) -> Standing {
        match Self::standing(self) {
            Status::Running => Standing::Running,
            Status::Disputed => Standing::Waiting(Wait::Answer),
            Status::Throttled => Standing::Waiting(Wait::RateLimit),
            ended @ (Status::Pass
            | Status::Partial
            | Status::Fail
            | Status::Skipped
            | Status::Inconclusive
            | Status::Interrupted
            | Status::Failed) => Standing::Ended(ended.into()),
        }
    }

    fn findings(&self) -> Vec<Finding> {
        self.judgement().into_iter().flat_map(|judgement| &judgement.issues).map(Issue::finding).collect()
    }

    fn queued(event: &JudgeEvent) -> Option<Subject> {
        let JudgeEvent::Queued(queued) = event else { return None };
        Some(Subject {
            project: queued.project_id.clone(),
            artifact: queued.artifact_id,
            agent: queued.agent.clone().unwrap_or_else(AgentId::house),
            title: queued.bead.to_string(),
        })
    }

    fn starts(event: &JudgeEvent) -> bool {
        matches!(event, JudgeEvent::RunStarted(_))
    }

    fn terminal(event: &JudgeEvent) -> Option<Status> {
        event.terminal()
    }

    fn summarise(_summary: &mut RunSummary, _event: &JudgeEvent) {}

    fn concerns_rows(event: &JudgeEvent) -> bool {
        event.terminal().is_some() || matches!(event, JudgeEvent::Disputed(_) | JudgeEvent::Settled(_))
    }

    fn questions(&self, event: &JudgeEvent) -> Vec<AskedQuestion> {
        let question = matches!(event, JudgeEvent::Disputed(_)).then(|| self.question()).flatten();
        let asked = question.map(|question| AskedQuestion {
            round: Round(1),
            question,
            default: DefaultAnswer::Skip,
        });
        asked.into_iter().collect()
    }

    fn answered(event: &JudgeEvent) -> Option<AnsweredQuestion> {
        let JudgeEvent::Settled(settled) = event else { return None };
        Some(AnsweredQuestion { number: 1, answer: settled.answer.clone(), by: settled.by.clone() })
    }

    /// A verdict is wanted, and words that are none would have the run wait for ever.
    fn accepts(question: &Question, given: &Given) -> bool {
        verdict_of(&given.answer, &question.options, Verdict::Partial).is_some()
    }

    /// A run that waited, for a person or for the throttle, has nothing to lose: it waits again.
    fn cut_off(&self, _kept: Option<ArtifactRef>) -> Option<JudgeEvent> {
        let waits = matches!(Self::standing(self), Status::Disputed | Status::Throttled);
        let recovery_reason = Some(RecoveryReason::DaemonRestart);
        (!waits).then_some(JudgeEvent::Interrupted(JudgeInterrupted { recovery_reason }))
    }

    fn withdrawn(&self) -> Option<JudgeEvent> {
        Some(JudgeEvent::Interrupted(JudgeInterrupted { recovery_reason: None }))
    }

    fn failed(&self, cause: FailedCause, detail: String) -> Option<JudgeEvent> {
        Some(JudgeEvent::Failed(JudgeFailed { cause, detail }))
    }
}
