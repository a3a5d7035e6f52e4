//! What everything around a run of the content pipeline asks of its state.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::event::{ContentEvent, Halted, PauseReason, Paused};
use super::request::ContentRequest;
use super::state::ContentState;
use super::status::ContentStatus;
use super::step::Tool;
use super::view::ContentView;
use crate::artifact::ArtifactRef;
use crate::finding::{Finding, FindingId, FindingState};
use crate::held_back::HeldBack;
use crate::id::AgentId;
use crate::outcome::FailedCause;
use crate::run::{OutcomeKind, OutcomeWord, RunPhase, RunSummary, Subject, Wait};
use crate::workflow::{Workflow, WorkflowEvent as _, WorkflowState};

impl OutcomeWord for ContentStatus {
    const WORKFLOW: Workflow = ContentEvent::WORKFLOW;
    const ENDS: &'static [Self] =
        &[Self::Approved, Self::Unreviewed, Self::Stalled, Self::MaxRoundsReached, Self::Abandoned];

    fn word(self) -> &'static str {
        self.as_str()
    }

    fn kind(self) -> OutcomeKind {
        match self {
            Self::Approved => OutcomeKind::Passed,
            Self::Stalled | Self::MaxRoundsReached => OutcomeKind::NotPassed,
            Self::Running | Self::Halted | Self::Unreviewed => OutcomeKind::Inconclusive,
            Self::NeedsHuman => OutcomeKind::Waiting,
            Self::Paused | Self::Abandoned => OutcomeKind::Interrupted,
        }
    }
}

impl WorkflowState for ContentState {
    const EXCLUSIVE: bool = true;
    const RESUMABLE: bool = true;

    type Event = ContentEvent;
    type Request = ContentRequest;
    type Status = ContentStatus;
    type View = ContentView;

    fn view(&self) -> ContentView {
        ContentView::of(self)
    }

    fn apply(&mut self, event: &ContentEvent) {
        Self::apply(self, event);
    }

    fn phase(&self) -> RunPhase {
        match Self::status(self) {
            ContentStatus::Running => RunPhase::Running,
            ContentStatus::Paused | ContentStatus::Halted | ContentStatus::NeedsHuman => {
                RunPhase::Waiting(Wait::Resume)
            }
            ended @ (ContentStatus::Approved
            | ContentStatus::Unreviewed
            | ContentStatus::Stalled
            | ContentStatus::MaxRoundsReached
            | ContentStatus::Abandoned) => RunPhase::Ended(ended.into()),
        }
    }

    /// What is open, what critics of the round say so far, and what was fixed on the way.
    fn findings(&self) -> Vec<Finding> {
        let known = |id: &FindingId| {
            let open = self.rounds.iter().rev().flat_map(|round| &round.open);
            open.map(|open| &open.issue).find(|issue| issue.id == *id)
        };
        let summary = self.rounds.iter().rev().find_map(|round| round.summary.as_ref());
        let fixed = summary.into_iter().flat_map(|summary| &summary.fixed_items);
        let mut findings: BTreeMap<FindingId, Finding> = fixed
            .filter_map(|item| known(&item.id))
            .map(|issue| (issue.id.clone(), issue.finding(FindingState::Fixed)))
            .collect();
        let open = self.rounds.iter().rev().find(|round| round.ruling.is_some());
        let open = open.into_iter().flat_map(|round| &round.open).map(|open| &open.issue);
        let said = self.rounds.last().into_iter().flat_map(|round| round.critiques.values());
        let measured = self.rounds.last().and_then(|round| round.measured.as_ref());
        let measured = measured.into_iter().flat_map(|measured| &measured.issues);
        for issue in open.chain(said.flat_map(|critique| &critique.issues)).chain(measured) {
            let is_back = summary.is_some_and(|summary| summary.regressed.contains(&issue.id));
            let state = if is_back { FindingState::Regressed } else { FindingState::Open };
            findings.insert(issue.id.clone(), issue.finding(state));
        }
        let mut findings: Vec<Finding> = findings.into_values().collect();
        findings.sort_by_key(|finding| Reverse(finding.severity));
        findings
    }

    /// High issues of the draft that was kept, when its mean is good enough and nobody is missing.
    fn held_back(&self) -> HeldBack {
        let kept = self.saved.as_ref().and_then(|saved| self.round(saved.round));
        let (Some(started), Some(round)) = (&self.started, kept) else {
            return HeldBack::beyond("no draft was kept");
        };
        let Some(ruling) = &round.ruling else { return HeldBack::beyond("the draft has no ruling") };
        let findings: Vec<Finding> = round
            .open
            .iter()
            .filter(|open| open.issue.severity.is_must_fix())
            .map(|open| open.issue.finding(FindingState::Open))
            .collect();
        let is_low = ruling.mean.is_none_or(|mean| mean < started.recipe.min_aggregate_score);
        let beyond = if is_low {
            Some("the mean of the critics is below the minimum")
        } else if ruling.answered < ruling.seats {
            Some("a critic did not answer")
        } else if findings.len() != ruling.high as usize {
            Some("the high issues of the ruling are not all known")
        } else {
            None
        };
        HeldBack { findings, beyond: beyond.map(str::to_owned) }
    }

    fn queued(event: &ContentEvent) -> Option<Subject> {
        let ContentEvent::Queued(queued) = event else { return None };
        Some(Subject {
            project: queued.project_id.clone(),
            artifact: queued.artifact_id,
            agent: queued.agent.clone().unwrap_or_else(AgentId::house),
            title: format!("{}/{}", queued.idea_id, queued.content_type),
        })
    }

    fn starts(event: &ContentEvent) -> bool {
        matches!(event, ContentEvent::RunStarted(_))
    }

    fn terminal(event: &ContentEvent) -> Option<ContentStatus> {
        event.terminal()
    }

    fn summarise(summary: &mut RunSummary, event: &ContentEvent) {
        if let ContentEvent::Decided(decided) = event {
            summary.rounds = decided.round.0;
        }
    }

    fn concerns_rows(event: &ContentEvent) -> bool {
        event.terminal().is_some()
            || matches!(
                event,
                ContentEvent::NeedsHuman(_) | ContentEvent::Halted(_) | ContentEvent::Paused(_)
            )
    }

    /// A run that has ended has the score of what was kept, which only the rounds know.
    fn conclude(&self, summary: &mut RunSummary) {
        if let (Some(_), Some(saved)) = (self.ended, &self.saved) {
            summary.round = Some(saved.round);
            summary.score = self.composite();
        }
    }

    /// A run is its log and can be resumed at any step: it waits for somebody to do so.
    fn cut_off(&self, _kept: Option<ArtifactRef>) -> Option<ContentEvent> {
        let paused = ContentEvent::Paused(Paused { reason: PauseReason::Restart });
        (Self::status(self) == ContentStatus::Running).then_some(paused)
    }

    fn withdrawn(&self) -> Option<ContentEvent> {
        let paused = ContentEvent::Paused(Paused { reason: PauseReason::Asked });
        (Self::status(self) == ContentStatus::Running).then_some(paused)
    }

    fn failed(&self, cause: FailedCause, detail: String) -> Option<ContentEvent> {
        let tool = self.next().tool().unwrap_or(Tool::GenerateDraft);
        let halted = ContentEvent::Halted(Halted { tool, cause, detail });
        (Self::status(self) == ContentStatus::Running).then_some(halted)
    }
}
