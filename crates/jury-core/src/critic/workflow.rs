//! What everything around a run of the critic asks of its state.

use super::criterion::{CriterionId, DefaultAnswer};
use super::event::{CriticEvent, CriticEvidence, CriticFailed, CriticInterrupted};
use super::options;
use super::outcome::CriticStatus;
use super::request::CriticRequest;
use super::state::CriticState;
use super::verdict::CriterionVerdict;
use crate::artifact::ArtifactRef;
use crate::finding::{Finding, Place};
use crate::held_back::HeldBack;
use crate::id::AgentId;
use crate::outcome::{FailedCause, RecoveryReason};
use crate::run::{OutcomeKind, OutcomeWord, RunPhase, RunSummary, Subject, Wait};
use crate::severity::Severity;
use crate::unit::Round;
use crate::workflow::{AnsweredQuestion, AskedQuestion, Workflow, WorkflowEvent as _, WorkflowState};

/// How often the same pass may be cut off and made again.
const MOST_TIMES_CUT_OFF: u32 = 2;

impl OutcomeWord for CriticStatus {
    const WORKFLOW: Workflow = CriticEvent::WORKFLOW;
    const ENDS: &'static [Self] = &[
        Self::Converged,
        Self::SafetyCap,
        Self::Stopped,
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
            Self::Converged => OutcomeKind::Passed,
            Self::SafetyCap | Self::Stopped => OutcomeKind::NotPassed,
            Self::Running | Self::Inconclusive | Self::Failed => OutcomeKind::Inconclusive,
            Self::Escalated => OutcomeKind::Waiting,
            Self::Interrupted => OutcomeKind::Interrupted,
        }
    }
}

impl WorkflowState for CriticState {
    type Event = CriticEvent;
    type Request = CriticRequest;
    type Status = CriticStatus;
    type View = Self;

    fn view(&self) -> Self {
        self.clone()
    }

    fn apply(&mut self, event: &CriticEvent) {
        Self::apply(self, event);
    }

    fn phase(&self) -> RunPhase {
        match Self::status(self) {
            CriticStatus::Running => RunPhase::Running,
            CriticStatus::Escalated => RunPhase::Waiting(Wait::Answer),
            ended @ (CriticStatus::Converged
            | CriticStatus::SafetyCap
            | CriticStatus::Stopped
            | CriticStatus::Inconclusive
            | CriticStatus::Interrupted
            | CriticStatus::Failed) => RunPhase::Ended(ended.into()),
        }
    }

    fn findings(&self) -> Vec<Finding> {
        let found = self.ledger.entries().map(|(id, entry)| {
            let criterion = &entry.role;
            let pass = self.passes.iter().find(|pass| pass.pass == entry.last);
            let measured = pass.and_then(|pass| {
                pass.evidence.iter().find(|own| own.criterion == *criterion && own.passed == Some(false))
            });
            let judged = pass.and_then(|pass| pass.verdict(criterion));
            let mut place = Place::named_in(&entry.text);
            if place.line.is_none() {
                place.line = measured.and_then(|own| own.places.first()?.line);
            }
            Finding {
                id: id.clone(),
                rule: Some(criterion.to_string()),
                // The failure scenario is no criterion of the document, and a realistic one must be ruled out.
                severity: self.criterion(criterion).map_or(Severity::Serious, |own| own.severity),
                place,
                text: entry.text.clone(),
                suggestion: judged.map(|judged| judged.fix.clone()).filter(|fix| !fix.is_empty()),
                figures: measured.map(CriticEvidence::numbers).unwrap_or_default(),
                state: entry.state,
            }
        });
        found.collect()
    }

    /// Open findings of the last pass, when every criterion and the failure scenario have a verdict.
    fn held_back(&self) -> HeldBack {
        let Some((pass, started)) = self.last_pass().zip(self.started.as_ref()) else {
            return HeldBack::beyond("there was no pass");
        };
        let findings: Vec<Finding> =
            self.findings().into_iter().filter(|finding| finding.state.is_open()).collect();
        let has_finding =
            |id: &CriterionId| findings.iter().any(|own| own.rule.as_deref() == Some(id.as_str()));
        for criterion in &started.criteria {
            match pass.verdict(&criterion.id).and_then(|judged| judged.verdict) {
                Some(CriterionVerdict::Pass | CriterionVerdict::Defer) => {}
                Some(CriterionVerdict::Fail | CriterionVerdict::Escalate) if has_finding(&criterion.id) => {}
                Some(CriterionVerdict::Fail | CriterionVerdict::Escalate) => {
                    return HeldBack::beyond(format!("{} failed without a finding", criterion.id));
                }
                None => return HeldBack::beyond(format!("{} has no verdict", criterion.id)),
            }
        }
        let beyond = match pass.adversarial.as_ref().and_then(|said| said.realistic) {
            None => Some("the failure scenario has no answer"),
            Some(true) if !has_finding(&CriterionId::adversarial()) => {
                Some("the failure scenario is realistic")
            }
            // What was changed after the last pass, nobody has looked at.
            Some(_) if pass.fixed.is_some() => Some("the last fix was not reviewed"),
            Some(_) => None,
        };
        HeldBack { findings, beyond: beyond.map(str::to_owned) }
    }

    fn queued(event: &CriticEvent) -> Option<Subject> {
        let CriticEvent::Queued(queued) = event else { return None };
        Some(Subject {
            project: queued.project_id.clone(),
            artifact: queued.artifact_id,
            agent: queued.agent.clone().unwrap_or_else(AgentId::house),
            title: queued.title.clone(),
        })
    }

    fn starts(event: &CriticEvent) -> bool {
        matches!(event, CriticEvent::RunStarted(_))
    }

    fn terminal(event: &CriticEvent) -> Option<CriticStatus> {
        event.terminal()
    }

    fn summarise(summary: &mut RunSummary, event: &CriticEvent) {
        if let CriticEvent::PassEnded(end) = event {
            summary.rounds = end.pass.0;
        } else if event.terminal().is_some() {
            summary.round = (summary.rounds > 0).then_some(Round(summary.rounds));
        }
    }

    fn concerns_rows(event: &CriticEvent) -> bool {
        event.terminal().is_some() || matches!(event, CriticEvent::Escalated(_) | CriticEvent::Answered(_))
    }

    fn questions(&self, event: &CriticEvent) -> Vec<AskedQuestion> {
        let CriticEvent::Escalated(escalated) = event else { return Vec::new() };
        let asked = escalated.questions.iter().map(|question| AskedQuestion {
            round: escalated.pass,
            question: question.clone(),
            default: options::default_for(
                question,
                self.criterion(&question.criterion).and_then(|criterion| criterion.default_answer),
            )
            .unwrap_or(DefaultAnswer::Skip),
        });
        asked.collect()
    }

    fn answered(event: &CriticEvent) -> Option<AnsweredQuestion> {
        let CriticEvent::Answered(answered) = event else { return None };
        let (answer, by) = (answered.answer.clone(), answered.by.clone());
        Some(AnsweredQuestion { number: answered.question, answer, by })
    }

    /// Nothing that a pass has come to is lost: the run waits for its answers, or goes on from the queue. A pass that takes
    /// the program with it again and again is not made once more.
    fn cut_off(&self, _kept: Option<ArtifactRef>) -> Option<CriticEvent> {
        let hopeless =
            self.passes_cut_off >= MOST_TIMES_CUT_OFF && Self::status(self) == CriticStatus::Running;
        hopeless.then(|| {
            let recovery_reason = Some(RecoveryReason::DaemonRestart);
            CriticEvent::Interrupted(CriticInterrupted { tally: self.tally(), recovery_reason })
        })
    }

    fn withdrawn(&self) -> Option<CriticEvent> {
        Some(CriticEvent::Interrupted(CriticInterrupted { tally: self.tally(), recovery_reason: None }))
    }

    fn failed(&self, cause: FailedCause, detail: String) -> Option<CriticEvent> {
        Some(CriticEvent::Failed(CriticFailed { tally: self.tally(), cause, detail }))
    }
}
