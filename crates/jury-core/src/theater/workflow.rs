//! What everything around a panel's run asks of its state.

use std::collections::BTreeMap;

use serde::Serialize;

use super::board::Board;
use super::event::{BestSoFar, Failed, Interrupted, TheaterEvent};
use crate::artifact::{ArtifactRef, Blob};
use crate::evidence::{Evidence, EvidenceMode};
use crate::finding::{Finding, FindingId, FindingState, Place};
use crate::held_back::HeldBack;
use crate::lint::LintFinding;
use crate::outcome::{DegradedReason, FailedCause, RecoveryReason, TheaterStatus, TimeoutCause};
use crate::request::RunRequest;
use crate::run::{OutcomeKind, OutcomeWord, RunPhase, RunSummary, Subject};
use crate::score::Composite;
use crate::severity::Severity;
use crate::unit::Round;
use crate::warning::WarningKind;
use crate::workflow::{ArtifactColumns, Workflow, WorkflowEvent as _, WorkflowState};

impl OutcomeWord for TheaterStatus {
    const WORKFLOW: Workflow = TheaterEvent::WORKFLOW;
    const ENDS: &'static [Self] = Self::ALL;

    fn word(self) -> &'static str {
        self.as_str()
    }

    fn kind(self) -> OutcomeKind {
        match self {
            Self::Shipped => OutcomeKind::Passed,
            Self::BelowThreshold => OutcomeKind::NotPassed,
            Self::TimedOut | Self::Degraded | Self::Failed | Self::Legacy => OutcomeKind::Inconclusive,
            Self::Interrupted => OutcomeKind::Interrupted,
        }
    }
}

/// Each finding once, as it was last seen. What was measured again in a later round is the same matter.
fn latest(findings: impl Iterator<Item = Finding>) -> impl Iterator<Item = Finding> {
    let mut seen: BTreeMap<FindingId, Finding> = BTreeMap::new();
    for finding in findings {
        seen.insert(finding.id.clone(), finding);
    }
    seen.into_values()
}

impl WorkflowState for Board {
    type Event = TheaterEvent;
    type Request = RunRequest;
    type Status = TheaterStatus;
    type View = Self;

    fn view(&self) -> Self {
        self.clone()
    }

    fn apply(&mut self, event: &TheaterEvent) {
        Self::apply(self, event);
    }

    fn phase(&self) -> RunPhase {
        self.status().map_or(RunPhase::Running, |status| RunPhase::Ended(status.into()))
    }

    fn findings(&self) -> Vec<Finding> {
        let asked = self.ledger.entries().map(|(id, entry)| Finding {
            id: id.clone(),
            rule: Some(entry.role.as_str().to_owned()),
            severity: Severity::Serious,
            place: Place::named_in(&entry.text),
            text: entry.text.clone(),
            suggestion: None,
            figures: Vec::new(),
            state: entry.state,
        });
        let measured = self.rounds.iter().flat_map(|round| &round.evidence).filter_map(Evidence::finding);
        let linted = self.lint.iter().flat_map(|lint| &lint.findings).map(LintFinding::finding);
        asked.chain(latest(measured)).chain(linted).collect()
    }

    /// The must-fixes of the round that was handed over, when its composite reaches the bar and each of them was written
    /// down by a panelist or measured.
    fn held_back(&self) -> HeldBack {
        let round = match &self.ended {
            Some(TheaterEvent::Ship(ship)) => ship.round,
            _ => None,
        };
        let round = round.and_then(|round| self.round(round));
        let Some((round, end)) = round.and_then(|round| Some((round, round.end.as_ref()?))) else {
            return HeldBack::beyond("no round was closed");
        };
        let asked = round.reviews.iter().flat_map(|review| {
            review.must_fix.iter().map(|must_fix| Finding {
                id: must_fix.finding.clone(),
                rule: Some(review.role.as_str().to_owned()),
                severity: Severity::Serious,
                place: Place::named_in(&must_fix.text),
                text: must_fix.text.clone(),
                suggestion: None,
                figures: Vec::new(),
                state: FindingState::Open,
            })
        });
        let mode = self.started.as_ref().map_or(EvidenceMode::Off, |started| started.evidence);
        let measured = round.evidence.iter().filter(|item| item.holds(mode));
        let mut findings: Vec<Finding> = asked.chain(measured.filter_map(Evidence::finding)).collect();
        let is_low = self.started.as_ref().is_none_or(|started| !end.composite.reaches(started.threshold));
        let beyond = if is_low {
            Some("the composite is below the bar")
        } else if findings.len() != end.must_fix as usize {
            Some("a must-fix is open that is not written down")
        } else {
            None
        };
        findings.extend(self.lint.iter().flat_map(|lint| &lint.findings).map(LintFinding::finding));
        HeldBack { findings, beyond: beyond.map(str::to_owned) }
    }

    fn queued(event: &TheaterEvent) -> Option<Subject> {
        let TheaterEvent::Queued(queued) = event else { return None };
        Some(Subject {
            project: queued.project_id.clone(),
            artifact: queued.artifact_id,
            agent: queued.agent.clone(),
            title: queued.title.clone(),
        })
    }

    fn starts(event: &TheaterEvent) -> bool {
        matches!(event, TheaterEvent::RunStarted(_))
    }

    fn terminal(event: &TheaterEvent) -> Option<TheaterStatus> {
        event.terminal()
    }

    fn summarise(summary: &mut RunSummary, event: &TheaterEvent) {
        match event {
            TheaterEvent::PanelistClose(close) => {
                if let Some(score) = close.score {
                    summary.scores_open.insert(close.role, score);
                }
            }
            TheaterEvent::Evidence(evidence) if evidence.is_claim() => {
                summary.claims_checked += u32::from(evidence.standing.is_checked());
                summary.claims_wrong += u32::from(evidence.standing.is_wrong());
            }
            TheaterEvent::RoundEnd(end) => {
                summary.rounds = end.round.0;
                summary.scores = std::mem::take(&mut summary.scores_open);
            }
            TheaterEvent::ParserWarning(warning) if warning.kind == WarningKind::Restarted => {
                *summary = RunSummary::default();
            }
            TheaterEvent::Ship(ship) => ended(summary, ship.round, ship.composite),
            TheaterEvent::Degraded(degraded) => ended_early(summary, &degraded.best),
            TheaterEvent::Interrupted(interrupted) => ended_early(summary, &interrupted.best),
            TheaterEvent::Failed(failed) => ended_early(summary, &failed.best),
            TheaterEvent::Queued(_)
            | TheaterEvent::RunStarted(_)
            | TheaterEvent::PanelistOpen(_)
            | TheaterEvent::PanelistDim(_)
            | TheaterEvent::PanelistMustFix(_)
            | TheaterEvent::Evidence(_)
            | TheaterEvent::Agent(_)
            | TheaterEvent::Lint(_)
            | TheaterEvent::Fallback(_)
            | TheaterEvent::ParserWarning(_) => {}
        }
    }

    fn artifact_columns(&self) -> Option<ArtifactColumns> {
        let rounds_json = serde_json::to_string(&RoundsJson::of(self)).ok()?;
        let protocol_version = self.started.as_ref().map(|started| started.protocol_version);
        Some(ArtifactColumns { rounds_json, protocol_version })
    }

    fn kept(&self) -> Option<(Round, Blob)> {
        let policy = self.started.as_ref()?.fallback_policy;
        let (round, _) = self.kept_round(policy)?;
        Some((round, self.round(round)?.artifact.clone()?))
    }

    fn cut_off(&self, kept: Option<ArtifactRef>) -> Option<TheaterEvent> {
        let policy = self.started.as_ref().map(|started| started.fallback_policy);
        let best = policy.and_then(|policy| self.kept_round(policy)).or_else(|| self.best_round());
        let artifact = kept.as_ref().and_then(|_| self.kept()).map(|(_, artifact)| artifact);
        Some(TheaterEvent::Interrupted(Interrupted {
            best: BestSoFar { artifact_ref: kept, artifact, ..best_so_far(best) },
            recovery_reason: Some(RecoveryReason::DaemonRestart),
        }))
    }

    fn withdrawn(&self) -> Option<TheaterEvent> {
        let best = best_so_far(self.best_round());
        Some(TheaterEvent::Interrupted(Interrupted { best, recovery_reason: None }))
    }

    fn failed(&self, cause: FailedCause, detail: String) -> Option<TheaterEvent> {
        let best = best_so_far(self.best_round());
        Some(TheaterEvent::Failed(Failed { cause, detail, best }))
    }
}

fn best_so_far(best: Option<(Round, Composite)>) -> BestSoFar {
    BestSoFar {
        best_round: best.map(|(round, _)| round),
        composite: best.map(|(_, composite)| composite),
        ..BestSoFar::default()
    }
}

fn ended_early(summary: &mut RunSummary, best: &BestSoFar) {
    ended(summary, best.best_round, best.composite);
}

fn ended(summary: &mut RunSummary, round: Option<Round>, composite: Option<Composite>) {
    summary.round = round;
    summary.score = composite.map(Composite::stored);
}

/// The value of the column `critique_rounds_json`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct RoundsJson {
    rounds: Vec<RoundJson>,
    /// What broke, took too long or kept the review from taking place.
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<&'static str>,
    /// Whether the transcript ends before the agent had said everything.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    partial: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    recovery_reason: Option<&'static str>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct RoundJson {
    n: u32,
    composite: f64,
    must_fix: u32,
    decision: &'static str,
}

impl RoundsJson {
    fn of(board: &Board) -> Self {
        let rounds = board.closed_rounds().map(|(round, end)| RoundJson {
            n: round.round.0,
            composite: end.composite.stored().0,
            must_fix: end.must_fix,
            decision: end.decision.as_str(),
        });
        let rounds = rounds.collect();
        let (cause, recovery_reason) = match &board.ended {
            Some(TheaterEvent::Ship(ship)) => (ship.cause.map(TimeoutCause::as_str), None),
            Some(TheaterEvent::Degraded(degraded)) => (Some(DegradedReason::as_str(degraded.reason)), None),
            Some(TheaterEvent::Failed(failed)) => (Some(FailedCause::as_str(failed.cause)), None),
            Some(TheaterEvent::Interrupted(interrupted)) => {
                (None, interrupted.recovery_reason.map(RecoveryReason::as_str))
            }
            _ => (None, None),
        };
        let partial = matches!(&board.ended, Some(TheaterEvent::Ship(ship)) if ship.partial);
        Self { rounds, cause, partial, recovery_reason }
    }
}
