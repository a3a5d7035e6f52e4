//! What everything around a run of the judge asks of its state.

use super::answer::MOST_ISSUES;
use super::event::{JudgeEvent, JudgeFailed, JudgeInterrupted};
use super::judgement::{JudgeDimension, JudgeIssue, JudgeVerdict, PASS_FROM};
use super::machine::verdict_of;
use super::measured::MEASURED_CAP;
use super::request::JudgeRequest;
use super::state::JudgeState;
use super::status::JudgeStatus;
use crate::artifact::ArtifactRef;
use crate::critic::{DefaultAnswer, Question};
use crate::decision::Given;
use crate::finding::Finding;
use crate::held_back::HeldBack;
use crate::id::AgentId;
use crate::outcome::{FailedCause, RecoveryReason};
use crate::run::{OutcomeKind, OutcomeWord, RunPhase, RunSummary, Subject, Wait};
use crate::score::EPSILON;
use crate::unit::Round;
use crate::workflow::{AnsweredQuestion, AskedQuestion, Workflow, WorkflowEvent as _, WorkflowState};

impl OutcomeWord for JudgeStatus {
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
            // Waiting for a person is a question. Waiting for the rate limit is a review that has not happened yet.
            Self::Running | Self::Throttled | Self::Skipped | Self::Inconclusive | Self::Failed => {
                OutcomeKind::Inconclusive
            }
            Self::Disputed => OutcomeKind::Waiting,
            Self::Interrupted => OutcomeKind::Interrupted,
        }
    }
}

impl WorkflowState for JudgeState {
    const ASKS_FOR_VERDICT: bool = true;

    type Event = JudgeEvent;
    type Request = JudgeRequest;
    type Status = JudgeStatus;
    type View = Self;

    fn view(&self) -> Self {
        self.clone()
    }

    fn apply(&mut self, event: &JudgeEvent) {
        Self::apply(self, event);
    }

    fn phase(&self) -> RunPhase {
        match Self::status(self) {
            JudgeStatus::Running => RunPhase::Running,
            JudgeStatus::Disputed => RunPhase::Waiting(Wait::Answer),
            JudgeStatus::Throttled => RunPhase::Waiting(Wait::RateLimit),
            ended @ (JudgeStatus::Pass
            | JudgeStatus::Partial
            | JudgeStatus::Fail
            | JudgeStatus::Skipped
            | JudgeStatus::Inconclusive
            | JudgeStatus::Interrupted
            | JudgeStatus::Failed) => RunPhase::Ended(ended.into()),
        }
    }

    fn findings(&self) -> Vec<Finding> {
        self.judgement()
            .into_iter()
            .flat_map(|judgement| &judgement.issues)
            .map(JudgeIssue::finding)
            .collect()
    }

    /// The verdict rests on marks. A mark is held down by issues only where it lies at the cap that a measured major one puts
    /// on it. A mark that is lower says more than its issues do, and nothing excuses it.
    fn held_back(&self) -> HeldBack {
        let beyond = HeldBack::beyond("the marks are below the bar for more than what was measured");
        let Some(judgement) = self.judgement().filter(|own| own.issues.len() < MOST_ISSUES) else {
            return beyond;
        };
        let mut findings = Vec::new();
        for &dimension in JudgeDimension::ALL {
            let mark = judgement.dimensions.of(dimension);
            if mark >= PASS_FROM - EPSILON {
                continue;
            }
            let is_of = |issue: &&JudgeIssue| {
                issue.severity.is_must_fix()
                    && issue.dimension.unwrap_or(JudgeDimension::Correctness) == dimension
            };
            let before = findings.len();
            findings.extend(judgement.issues.iter().filter(is_of).map(JudgeIssue::finding));
            if findings.len() == before || mark < MEASURED_CAP - EPSILON {
                return beyond;
            }
        }
        HeldBack { findings, beyond: None }
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

    fn terminal(event: &JudgeEvent) -> Option<JudgeStatus> {
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
        verdict_of(&given.answer, &question.options, JudgeVerdict::Partial).is_some()
    }

    /// A run that waited, for a person or for the throttle, has nothing to lose: it waits again.
    fn cut_off(&self, _kept: Option<ArtifactRef>) -> Option<JudgeEvent> {
        let waits = matches!(Self::status(self), JudgeStatus::Disputed | JudgeStatus::Throttled);
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
