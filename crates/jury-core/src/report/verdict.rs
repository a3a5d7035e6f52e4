//! What a verdict says, derived from what happened: the one place for the words of an ending. Nothing here is copied from
//! what an agent or an older version wrote.

use std::fmt::Write as _;

use crate::event::TheaterEvent;
use crate::evidence::{Evidence, EvidenceKind, EvidenceMode};
use crate::line::counted;
use crate::outcome::{DegradedReason, FailedCause, FallbackPolicy, TheaterStatus};
use crate::theater::Board;
use crate::unit::Round;

use super::ReportCase;

/// What ended a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunEnding {
    /// The rule: a round met it and was shipped, or none did.
    Rule,
    /// The final pass over a page that met the rule.
    FinalPass,
    /// Someone asked for it: Ctrl-C, a button, the end of the program.
    Request,
    /// The program that drove the run went away.
    Restart,
    /// The clock.
    Clock,
    /// The review could not be completed.
    Degraded(DegradedReason),
    /// A failure of the agent, the service or jury.
    Fault(FailedCause),
    /// No panel sat.
    NoPanel,
}

/// What the ship rule has to do with an ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleStanding {
    /// The round that shipped met it.
    Shipped,
    /// This round met it, and the run did not ship.
    Met(Round),
    /// So many rounds were closed, and none met it.
    Missed(usize),
    /// No round was closed, so it was not applied.
    NotApplied,
    /// There was no panel to apply it to.
    NoPanel,
}

/// What became of the page that was handed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GivenPage {
    /// Nothing is held against it.
    Kept,
    /// Parts of it are missing.
    Lost,
    /// Another page is in its place.
    Replaced,
}

/// What kept the round that a run ended with from shipping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoundHolds {
    /// Its composite does not reach the bar.
    pub is_below: bool,
    /// How many must-fixes are open in it, jury's own among them.
    pub must_fix: u32,
    /// How many of them say that something of the given page is missing.
    pub lost: u32,
    /// What they say of it.
    pub given: GivenPage,
    /// How many of them were measured and not asked for.
    pub measured: u32,
    /// Fewer than half of the panel, or no critic, gave a usable score.
    pub lacks_quorum: bool,
    /// Its page could not be measured, and the gate wants that.
    pub is_unmeasured: bool,
}

impl RoundHolds {
    fn of(board: &Board, round: Round) -> Option<Self> {
        let started = board.started.as_ref()?;
        let round = board.round(round)?;
        let end = round.end.as_ref()?;
        let own = || round.evidence.iter().filter(|item| item.holds(started.evidence));
        let count = |kind| u32::try_from(own().filter(|item| item.kind == kind).count()).unwrap_or(u32::MAX);
        let gap = round.evidence.iter().any(|item| item.kind == EvidenceKind::Measurement);
        let lost = count(EvidenceKind::Loss);
        let given = match lost {
            0 => GivenPage::Kept,
            _ if own().any(Evidence::is_replacement) => GivenPage::Replaced,
            _ => GivenPage::Lost,
        };
        Some(Self {
            is_below: !end.composite.reaches(started.threshold),
            must_fix: end.must_fix,
            lost,
            given,
            measured: count(EvidenceKind::Failure),
            lacks_quorum: !end.quorum,
            is_unmeasured: gap && started.evidence == EvidenceMode::Gate,
        })
    }

    /// The same in words, what weighs most first.
    fn words(&self) -> String {
        let mut holds = Vec::new();
        match self.given {
            GivenPage::Kept => {}
            GivenPage::Lost => holds.push("parts of the given page are missing".to_owned()),
            GivenPage::Replaced => {
                holds.push("another page came back in the place of the given one".to_owned());
            }
        }
        if self.is_below {
            holds.push("below the bar".to_owned());
        }
        if self.must_fix > self.lost {
            let whose = match self.measured {
                0 => String::new(),
                all if all == self.must_fix => ", measured by jury".to_owned(),
                some => format!(", {some} of them measured by jury"),
            };
            holds.push(format!("{} must-fix open{whose}", self.must_fix));
        }
        if self.lacks_quorum {
            holds.push("too few usable scores".to_owned());
        }
        if self.is_unmeasured {
            holds.push("the page could not be measured".to_owned());
        }
        if holds.is_empty() { "the rule was not met".to_owned() } else { holds.join(", ") }
    }
}

/// The facts that the words of an ending are made of. None while the run goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VerdictFacts {
    /// How it ended.
    pub status: TheaterStatus,
    /// What ended it.
    pub ending: RunEnding,
    /// What the rule says.
    pub rule: RuleStanding,
    /// Whether half of the panel reviewed a round that was closed.
    pub reviewed: bool,
    /// Whether a page was kept.
    pub kept: bool,
    /// Which round is kept when none ships.
    pub policy: FallbackPolicy,
    /// What kept the round that it ended with from shipping; none without such a round.
    pub holds: Option<RoundHolds>,
}

impl VerdictFacts {
    /// The facts of a run that has ended.
    pub fn of(board: &Board) -> Option<Self> {
        let ended = board.ended.as_ref()?;
        let status = ended.terminal()?;
        let found = board.lint.as_ref().is_some_and(|lint| !lint.findings.is_empty());
        let ending = if let TheaterEvent::Degraded(degraded) = ended {
            RunEnding::Degraded(degraded.reason)
        } else if let TheaterEvent::Failed(failed) = ended {
            RunEnding::Fault(failed.cause)
        } else if let TheaterEvent::Interrupted(interrupted) = ended {
            interrupted.recovery_reason.map_or(RunEnding::Request, |_| RunEnding::Restart)
        } else {
            match status {
                TheaterStatus::TimedOut => RunEnding::Clock,
                TheaterStatus::Legacy => RunEnding::NoPanel,
                TheaterStatus::BelowThreshold if found => RunEnding::FinalPass,
                TheaterStatus::Shipped
                | TheaterStatus::BelowThreshold
                | TheaterStatus::Interrupted
                | TheaterStatus::Degraded
                | TheaterStatus::Failed => RunEnding::Rule,
            }
        };
        let closed = board.closed_rounds().count();
        let rule = match (status, board.cleared_round()) {
            (TheaterStatus::Shipped, _) => RuleStanding::Shipped,
            (_, Some((round, _))) => RuleStanding::Met(round),
            (TheaterStatus::Legacy, None) => RuleStanding::NoPanel,
            (_, None) if closed > 0 => RuleStanding::Missed(closed),
            (_, None) if board.started.is_none() => RuleStanding::NoPanel,
            (_, None) => RuleStanding::NotApplied,
        };
        let (kept, named) = if let TheaterEvent::Ship(ship) = ended {
            (ship.artifact_ref.is_some(), ship.round)
        } else {
            let best = ended.best();
            (best.is_some_and(|best| best.artifact_ref.is_some()), best.and_then(|best| best.best_round))
        };
        let holds = named.and_then(|round| RoundHolds::of(board, round));
        let policy =
            board.started.as_ref().map_or(FallbackPolicy::ShipBest, |started| started.fallback_policy);
        let reviewed = board.closed_rounds().any(|(_, end)| end.quorum);
        Some(Self { status, ending, rule, reviewed, kept, policy, holds })
    }

    /// Whether the run was stopped before a round met the rule, and the page of the best one was kept.
    pub fn stopped_with_the_best_kept(&self) -> bool {
        self.ending == RunEnding::Request && self.kept && self.policy == FallbackPolicy::ShipBest
    }

    /// Whether it shipped, was reviewed and did not, or was not reviewed.
    pub fn word(&self) -> &'static str {
        match self.status {
            TheaterStatus::Shipped => "SHIPPED",
            TheaterStatus::BelowThreshold | TheaterStatus::TimedOut | TheaterStatus::Interrupted => {
                "NOT SHIPPED"
            }
            TheaterStatus::Degraded | TheaterStatus::Failed if self.reviewed => "NOT SHIPPED",
            TheaterStatus::Degraded | TheaterStatus::Failed | TheaterStatus::Legacy => "NOT REVIEWED",
        }
    }
}

impl ReportCase {
    /// The verdict in one line: whether it shipped, why not, and the numbers of the round that it ended with.
    pub fn headline(&self) -> String {
        let Some(facts) = VerdictFacts::of(&self.board) else {
            return "RUNNING".to_owned();
        };
        let word = facts.word();
        let (round, composite) = self.result();
        if facts.status == TheaterStatus::Shipped {
            return match (round, composite) {
                (Some(round), Some(composite)) => {
                    format!(
                        "{word}  round {round}, composite {composite}, {} must-fix open",
                        self.open_must_fix()
                    )
                }
                _ => word.to_owned(),
            };
        }
        let mut line = format!("{word}: {}", self.held_by(&facts));
        if let RuleStanding::Met(met) = facts.rule
            && facts.ending != RunEnding::FinalPass
        {
            write!(line, ", after round {met} met the bar").ok();
        }
        let bar = self.board.started.as_ref().map(|started| started.threshold);
        if let (Some(composite), Some(bar)) = (composite, bar) {
            // What is open holds a page back as a score does; where the rule ended the run, it is told already.
            let open = facts.holds.map_or(0, |holds| holds.must_fix);
            let open = if open == 0 || facts.ending == RunEnding::Rule {
                String::new()
            } else {
                format!(", {open} must-fix open")
            };
            write!(line, " (score {}, bar {bar}{open})", composite.beside(bar)).ok();
        }
        line
    }

    /// What kept it from shipping.
    fn held_by(&self, facts: &VerdictFacts) -> String {
        match facts.ending {
            RunEnding::Rule => {
                facts.holds.map_or_else(|| "no round was closed".to_owned(), |holds| holds.words())
            }
            RunEnding::FinalPass => {
                let count = self.board.lint.as_ref().map_or(0, |lint| lint.findings.len());
                format!("the final pass found {}", counted(count, "problem", "problems"))
            }
            RunEnding::Request => "stopped on request".to_owned(),
            RunEnding::Restart => "cut off, the jury process that ran it ended".to_owned(),
            RunEnding::Clock => "out of time".to_owned(),
            RunEnding::Degraded(reason) => match reason {
                DegradedReason::MalformedBlock => "the agent's answer is not a whole review",
                DegradedReason::OversizeBlock => "the agent's answer is too long",
                DegradedReason::AdapterUnsupported => "the agent is marked as degraded",
                DegradedReason::ProtocolVersionMismatch => "the agent speaks another protocol version",
                DegradedReason::MissingArtifact => "the agent brought no page",
                DegradedReason::QuorumMissed => "too few usable scores",
                DegradedReason::Unmeasured => "the page could not be measured",
            }
            .to_owned(),
            RunEnding::Fault(cause) => match cause {
                FailedCause::CliExitNonzero => "the agent exited with an error",
                FailedCause::CliSignal => "the agent was killed",
                FailedCause::AgentError => "the agent reported an error",
                FailedCause::BudgetExceeded => "the budget is used up",
                FailedCause::Silent => "the agent was silent for too long",
                FailedCause::SpawnFailed => "the agent could not be started",
                FailedCause::OrchestratorInternal => "jury itself failed",
            }
            .to_owned(),
            RunEnding::NoPanel => "made without a panel".to_owned(),
        }
    }
}
