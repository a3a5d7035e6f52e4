//! What everything around a run of the content pipeline asks of its state.

use super::event::{ContentEvent, Halted, PauseReason, Paused};
use super::request::ContentRequest;
use super::standing::Standing as Status;
use super::state::ContentState;
use super::step::Tool;
use crate::artifact::ArtifactRef;
use crate::id::AgentId;
use crate::outcome::FailedCause;
use crate::run::{OutcomeKind, OutcomeWord, RunSummary, Standing, Subject, Wait};
use crate::score::Composite;
use crate::workflow::{Workflow, WorkflowState};

impl OutcomeWord for Status {
    const WORKFLOW: Workflow = Workflow::Content;
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
    const WORKFLOW: Workflow = Workflow::Content;
    const EXCLUSIVE: bool = true;
    const RESUMABLE: bool = true;

    type Event = ContentEvent;
    type Request = ContentRequest;
    type Status = Status;

    fn apply(&mut self, event: &ContentEvent) {
        Self::apply(self, event);
    }

    fn standing(&self) -> Standing {
        match Self::standing(self) {
            Status::Running => Standing::Running,
            Status::Paused | Status::Halted | Status::NeedsHuman => Standing::Waiting(Wait::Resume),
            ended @ (Status::Approved
            | Status::Unreviewed
            | Status::Stalled
            | Status::MaxRoundsReached
            | Status::Abandoned) => Standing::Ended(ended.into()),
        }
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

    fn terminal(event: &ContentEvent) -> Option<Status> {
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
            let mean = self.round(saved.round).and_then(|round| round.ruling.as_ref()?.mean);
            summary.score = mean.map(|mean| Composite(mean).stored());
        }
    }

    /// A run is its log and can be resumed at any step: it waits for somebody to do so.
    fn cut_off(&self, _kept: Option<ArtifactRef>) -> Option<ContentEvent> {
        let paused = ContentEvent::Paused(Paused { reason: PauseReason::Restart });
        (Self::standing(self) == Status::Running).then_some(paused)
    }

    fn withdrawn(&self) -> Option<ContentEvent> {
        let paused = ContentEvent::Paused(Paused { reason: PauseReason::Asked });
        (Self::standing(self) == Status::Running).then_some(paused)
    }

    fn failed(&self, cause: FailedCause, detail: String) -> Option<ContentEvent> {
        let tool = self.next().tool().unwrap_or(Tool::GenerateDraft);
        let halted = ContentEvent::Halted(Halted { tool, cause, detail });
        (Self::standing(self) == Status::Running).then_some(halted)
    }
}
