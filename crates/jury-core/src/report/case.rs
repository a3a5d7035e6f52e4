//! A run that has ended, with everything that a rendering needs.

use crate::artifact::Digest;
use crate::event::{BestSoFar, TheaterEvent};
use crate::finding::{Finding, Place};
use crate::id::{AgentId, ArtifactId, ProjectId, RunId};
use crate::outcome::Status;
use crate::record::Record;
use crate::role::Role;
use crate::run::{OutcomeKind, OutcomeWord as _};
use crate::score::Composite;
use crate::theater::Board;
use crate::unit::{Millis, Round};
use crate::workflow::WorkflowState as _;

/// A run, and what is known about it beside its events.
#[derive(Debug, Clone)]
pub struct Case {
    /// The run; none if there is no event.
    pub run: Option<RunId>,
    /// What it reviews.
    pub artifact_id: ArtifactId,
    /// Whose it is.
    pub project: ProjectId,
    /// Who plays the panel.
    pub agent: AgentId,
    /// What the work is called.
    pub title: String,
    /// Its state.
    pub board: Board,
    /// How long it took, or has taken so far.
    pub took: Millis,
    /// Where the artifact that was handed over can be found, if one was and somebody knows.
    pub artifact: Option<String>,
    /// The page that was given, as it was named.
    pub file: Option<String>,
    /// The page that was given: findings about an artifact with this digest have lines in the file.
    pub input: Option<Digest>,
}

impl Case {
    /// The case of a run with these events.
    pub fn new(records: &[Record]) -> Self {
        let board = Board::folded(records.iter().map(|record| &record.event));
        let queued = board.queued.as_ref();
        Self {
            run: records.first().map(|record| record.run_id),
            artifact_id: queued.map_or(ArtifactId(uuid::Uuid::nil()), |queued| queued.artifact_id),
            project: queued.map_or_else(ProjectId::default_project, |queued| queued.project_id.clone()),
            agent: queued.map_or_else(AgentId::house, |queued| queued.agent.clone()),
            title: queued.map_or_else(String::new, |queued| queued.title.clone()),
            took: records.last().map_or(Millis(0), |record| record.at),
            artifact: None,
            file: None,
            input: None,
            board,
        }
    }

    /// Whether an artifact was handed over.
    pub fn hands_over(&self) -> bool {
        match &self.board.ended {
            Some(TheaterEvent::Ship(ship)) => ship.artifact_ref.is_some(),
            _ => ended_early(&self.board).is_some_and(|best| best.artifact_ref.is_some()),
        }
    }

    /// How the run ended; none while it goes on.
    pub fn status(&self) -> Option<Status> {
        self.board.status()
    }

    /// The exit code of a command that gates on this run. A run without an end is not a pass.
    pub fn exit_code(&self) -> u8 {
        self.status().map_or(OutcomeKind::Inconclusive, Status::kind).exit_code()
    }

    /// The round that the run ended with, and its composite.
    pub fn result(&self) -> (Option<Round>, Option<Composite>) {
        match &self.board.ended {
            Some(TheaterEvent::Ship(ship)) => (ship.round, ship.composite),
            _ => match ended_early(&self.board) {
                Some(best) => (best.best_round, best.composite),
                None => self.board.best_round().unzip(),
            },
        }
    }

    /// Whether what was handed over was made without a panel.
    pub fn unreviewed(&self) -> bool {
        self.board.unreviewed()
    }

    /// The status for people and reports. What nobody reviewed is called that.
    pub fn status_words(&self) -> String {
        let status = self.status().map_or("running", |status| status.as_str());
        if self.unreviewed() { format!("{status}, not reviewed") } else { status.to_owned() }
    }

    /// Why it ended so, in one line.
    pub fn because(&self) -> String {
        match &self.board.ended {
            Some(TheaterEvent::Ship(ship)) => ship.summary.clone(),
            Some(TheaterEvent::Degraded(degraded)) => format!("{}: {}", degraded.reason, degraded.detail),
            Some(TheaterEvent::Interrupted(interrupted)) => match interrupted.recovery_reason {
                Some(_) => "the program went away in the middle of the run".to_owned(),
                None => "stopped on request".to_owned(),
            },
            Some(TheaterEvent::Failed(failed)) => format!("{}: {}", failed.cause, failed.detail),
            _ => "still going on".to_owned(),
        }
    }

    /// How many must-fixes were open in the round that the run ended with.
    pub fn open_must_fix(&self) -> u32 {
        let (round, _) = self.result();
        round
            .and_then(|round| self.board.round(round))
            .and_then(|round| round.end.as_ref())
            .map_or(0, |end| end.must_fix)
    }

    /// Everything that was asked for, and what the final pass found. What was measured beside the panel's words is told with
    /// the rounds and is not here.
    pub fn findings(&self) -> Vec<Finding> {
        let file = self.file.clone();
        let placed = |finding: Finding| {
            let line = match self.board.ledger.get(&finding.id) {
                Some(entry) => finding.place.line.filter(|_| self.is_file_of(entry.last)),
                None if finding.rule.as_deref().is_some_and(|rule| rule.starts_with("lint/")) => None,
                None => return None,
            };
            Some(Finding { place: Place { file: file.clone(), line, ..finding.place }, ..finding })
        };
        self.board.findings().into_iter().filter_map(placed).collect()
    }

    /// Whether a round reviewed the file as it was given, so that its lines are lines of the file.
    fn is_file_of(&self, round: Round) -> bool {
        let reviewed = self.board.round(round).and_then(|round| round.artifact.as_ref());
        self.input.is_some() && reviewed.map(|artifact| artifact.sha256) == self.input
    }

    /// The roles of the cast in the order of the lanes.
    pub fn cast(&self) -> Vec<Role> {
        self.board.started.as_ref().map_or_else(|| Role::ALL.to_vec(), |started| started.cast.clone())
    }
}

/// What a run had when it ended before its verdict, if it ended so.
fn ended_early(board: &Board) -> Option<&BestSoFar> {
    board.ended.as_ref()?.best()
}
