//! A run that has ended, with everything that a rendering needs.

use crate::artifact::Digest;
use crate::event::{BestSoFar, TheaterEvent};
use crate::evidence::{Evidence, EvidenceKind, EvidenceMode};
use crate::finding::{Finding, FindingId, FindingState, Place};
use crate::held_back::HeldBack;
use crate::id::{AgentId, ArtifactId, ProjectId, RunId};
use crate::line;
use crate::lint::LintFinding;
use crate::outcome::TheaterStatus;
use crate::record::Record;
use crate::role::Role;
use crate::run::{Outcome, OutcomeKind, OutcomeWord as _};
use crate::score::Composite;
use crate::theater::{ADVICE, Board, Review};
use crate::unit::{Millis, Round};
use crate::workflow::WorkflowState as _;

use super::review::{PartResult, Report, ReportPart};
use super::verdict::{RuleStanding, RunEnding, VerdictFacts};

/// A run, and what is known about it beside its events.
#[derive(Debug, Clone)]
pub struct ReportCase {
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

impl ReportCase {
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
    pub fn status(&self) -> Option<TheaterStatus> {
        self.board.status()
    }

    /// The exit code of a command that gates on this run. A run without an end is not a pass.
    pub fn exit_code(&self) -> u8 {
        self.status().map_or(OutcomeKind::Inconclusive, TheaterStatus::kind).exit_code()
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
        let Some(facts) = VerdictFacts::of(&self.board) else { return self.told() };
        match (facts.ending, facts.rule) {
            (RunEnding::Rule, RuleStanding::Missed(_)) => self.board.missed(facts.policy),
            (RunEnding::Rule | RunEnding::FinalPass | RunEnding::NoPanel, _)
            | (
                _,
                RuleStanding::Shipped
                | RuleStanding::Missed(_)
                | RuleStanding::NotApplied
                | RuleStanding::NoPanel,
            ) => self.told(),
            (_, RuleStanding::Met(round)) => format!("{}; round {round} had met the bar", self.told()),
        }
    }

    /// The same as the event tells it.
    fn told(&self) -> String {
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

    /// What a reader of the verdict has to know: settings that made it easier to get, see
    /// [`RunStarted::conditions`](crate::event::RunStarted::conditions), and tools that the agent called.
    pub fn conditions(&self) -> Vec<String> {
        let of_settings = self.board.started.as_ref().map(crate::event::RunStarted::conditions);
        let tools = crate::event::called_tools(&self.board.tools);
        of_settings.into_iter().flatten().chain(tools).collect()
    }

    /// How many must-fixes were open in the round that the run ended with.
    pub fn open_must_fix(&self) -> u32 {
        let (round, _) = self.result();
        round
            .and_then(|round| self.board.round(round))
            .and_then(|round| round.end.as_ref())
            .map_or(0, |end| end.must_fix)
    }

    /// Everything that was asked for, what was measured to fail in the round that the run ended with, and what the final pass
    /// found. Where a panelist is wrong about a figure is told with the rounds and is not here.
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
        let mut findings = self.measured();
        findings.extend(self.board.findings().into_iter().filter_map(placed));
        findings
    }

    /// What was measured to fail, or to be lost of a page that was handed in, in the round that the run ended with and that
    /// no panelist asked for. It is open where it holds a ship.
    pub fn measured(&self) -> Vec<Finding> {
        let (round, _) = self.result();
        let Some(board) = round.and_then(|round| self.board.round(round)) else { return Vec::new() };
        let gates = self.board.started.as_ref().is_some_and(|started| started.evidence == EvidenceMode::Gate);
        let mut told: Vec<FindingId> = Vec::new();
        let mut findings = Vec::new();
        let failed = |item: &&Evidence| item.is_unasked_failure() || item.kind == EvidenceKind::Loss;
        for item in board.evidence.iter().filter(failed) {
            let Some(finding) = item.finding().filter(|finding| !told.contains(&finding.id)) else {
                continue;
            };
            told.push(finding.id.clone());
            let line = finding.place.line.filter(|_| self.is_file_of(board.round));
            findings.push(Finding {
                place: Place { file: self.file.clone(), line, ..finding.place },
                state: if gates || item.is_replacement() { FindingState::Open } else { FindingState::Noted },
                ..finding
            });
        }
        findings
    }

    /// What keeps it from passing, with the names that its findings have here.
    fn held_back(&self) -> HeldBack {
        let mut held_back = self.board.held_back();
        for finding in &mut held_back.findings {
            finding.place.file.clone_from(&self.file);
        }
        held_back
    }

    /// What the review came to.
    pub fn report(&self) -> Report {
        Report {
            run_id: self.run,
            project_id: Some(self.project.clone()),
            agent: Some(self.agent.clone()),
            file: self.file.clone(),
            status: self.status().map(Outcome::from),
            reason: self.because(),
            conditions: self.conditions(),
            composite: self.result().1,
            threshold: self.board.started.as_ref().map(|started| started.threshold),
            unreviewed: self.unreviewed(),
            findings: self.findings(),
            parts: self.parts(),
            duration_ms: self.took,
            held_back: self.held_back(),
            what: "page",
            ..Report::new(
                Board::WORKFLOW,
                &self.title,
                self.status().map_or(OutcomeKind::Inconclusive, TheaterStatus::kind),
            )
        }
    }

    /// The panelists in the round that the run ended with, and the final pass.
    fn parts(&self) -> Vec<ReportPart> {
        let (round, _) = self.result();
        let board = round.and_then(|round| self.board.round(round));
        // Who was added to the cast is there to give a score, whatever it weighs.
        let scores = |role| {
            let run = self.board.started.as_ref();
            run.is_none_or(|run| run.weight(role) > 0.0 || run.seat(role).is_some())
        };
        let mut parts = Vec::new();
        for role in self.cast() {
            let name = role.as_str();
            let review = board.and_then(|board| board.review(role));
            let problems: Vec<&str> =
                review.iter().flat_map(|review| &review.must_fix).map(|asked| asked.text.as_str()).collect();
            parts.push(match review {
                None if board.is_some() => ReportPart::of(name, PartResult::Skipped, "absent", ""),
                None => ReportPart::of(name, PartResult::Skipped, "no round was closed", ""),
                Some(review) if problems.is_empty() && review.score.is_none() && scores(role) => {
                    ReportPart::of(name, PartResult::Skipped, "gave no score", &review.notes)
                }
                Some(review) if problems.is_empty() => {
                    let advice: Vec<&str> = advice(review).collect();
                    let message = if advice.is_empty() { "" } else { "advises, and holds nothing" };
                    ReportPart::of(name, PartResult::Passed, message, &advice.join("\n"))
                }
                Some(_) => {
                    let message = format!("{} must-fix", problems.len());
                    ReportPart::of(name, PartResult::Failed, &message, &problems.join("\n"))
                }
            });
        }
        let measured = self.measured();
        if !measured.is_empty() {
            let said: Vec<String> = measured.iter().map(measured_line).collect();
            let message = line::counted(measured.len(), "measured failure", "measured failures");
            let held = measured.iter().any(|finding| finding.state.is_open());
            let result = if held { PartResult::Failed } else { PartResult::Skipped };
            parts.push(ReportPart::of("measured", result, &message, &said.join("\n")));
        }
        if let Some(lint) = &self.board.lint {
            let placed = |finding: &LintFinding| format!("line {}: {}", finding.line, finding.message);
            let problems: Vec<String> = lint.findings.iter().map(placed).collect();
            parts.push(if problems.is_empty() {
                ReportPart::passed("lint")
            } else {
                let message = line::counted(problems.len(), "lint finding", "lint findings");
                ReportPart::of("lint", PartResult::Failed, &message, &problems.join("\n"))
            });
        }
        parts
    }

    /// What seats without a weight would have asked for, in the round that the run ended with.
    pub fn advice(&self) -> Vec<(Role, &str)> {
        let board = self.result().0.and_then(|round| self.board.round(round));
        let reviews = board.into_iter().flat_map(|board| &board.reviews);
        reviews.flat_map(|review| advice(review).map(move |text| (review.role, text))).collect()
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

/// What a seat without a weight would have asked for.
fn advice(review: &Review) -> impl Iterator<Item = &str> {
    let seat = matches!(review.role, Role::Seat(_));
    let said = review.dimensions.iter().filter(move |one| seat && one.name == ADVICE && one.score.is_none());
    said.map(|one| one.note.as_str())
}

/// A measured failure in one line, behind the check that found it.
pub fn measured_line(finding: &Finding) -> String {
    let line = finding.place.line.map(|line| format!(" (line {line})")).unwrap_or_default();
    format!("{}: {}{line}", finding.rule.as_deref().unwrap_or("measured"), finding.text)
}

/// What a run had when it ended before its verdict, if it ended so.
fn ended_early(board: &Board) -> Option<&BestSoFar> {
    board.ended.as_ref()?.best()
}
