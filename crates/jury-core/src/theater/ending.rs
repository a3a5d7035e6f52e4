//! How a run ends: by a ship that is obeyed, by the scoreboard, by the clock, by a fault, by the user.
//!
//! Each ending keeps the artifact first and says so afterwards, in one terminal event.

use super::clock::Passed;
use super::machine::{Candidate, Phase, Theater};
use super::port::{ArtifactSource, TheaterEffect, TheaterOutbox, TheaterOutput};
use crate::artifact::ArtifactRef;
use crate::avowal::{refusal, unlooked};
use crate::event::{BestSoFar, Degraded, Failed, Interrupted, Lint, Ship, ShipStatus, TheaterEvent};
use crate::lint::LintFinding;
use crate::outcome::{Decision, DegradedReason, FailedCause, FallbackPolicy, TimeoutCause};
use crate::process::Exit;
use crate::protocol::{Body, Fault};
use crate::score::{COMPOSITE_TOLERANCE, EPSILON};
use crate::unit::{Millis, Offset, Round};
use crate::warning::WarningKind;

impl Theater {
    pub(super) fn shipped(
        &mut self,
        declared: Option<u32>,
        claimed: Option<f64>,
        artifact: Option<Body<'_>>,
        summary: &str,
        position: Offset,
        out: &mut TheaterOutbox,
    ) {
        let round = declared
            .and_then(|declared| {
                self.attempt.declared_rounds.iter().rposition(|round| *round == Some(declared))
            })
            .and_then(|index| u32::try_from(index + 1).ok())
            .map(Round);
        let cleared = round
            .and_then(|round| self.board.round(round))
            .filter(|board| board.end.as_ref().is_some_and(|end| end.decision == Decision::Ship))
            .filter(|board| self.board.overruled(board.round).is_none());
        let Some(board) = cleared else {
            // The scoreboard decides: at the end of the run, or when the next round closes.
            self.warn(WarningKind::ShipNotObeyed, position, None, out);
            return;
        };
        // Who says behind all of it that it must not ship has the last word.
        if let Some(said) = refusal(summary).or_else(|| unlooked(summary)) {
            let said = format!("the summary of the agent does not let it through: {said}");
            self.warn(WarningKind::ShipNotObeyed, position, None, out);
            self.end_below(ShipStatus::BelowThreshold, said, None, out);
            return;
        }
        let (round, reviewed) = (board.round, board.artifact.clone());
        let composite = board.end.as_ref().map(|end| end.composite.0).unwrap_or_default();
        let is_other =
            claimed.is_some_and(|claimed| (claimed - composite).abs() > COMPOSITE_TOLERANCE + EPSILON);
        if is_other && self.can_be_computed() {
            self.warn(WarningKind::CompositeMismatch, position, None, out);
        }
        match (artifact, &reviewed) {
            (Some(Body { bytes, .. }), Some(draft)) if !self.is_draft(draft, bytes) => {
                self.warn(WarningKind::ShipArtifactDiffers, position, None, out);
            }
            (Some(_), _) => {}
            (None, _) => self.warn(WarningKind::ShipWithoutArtifact, position, None, out),
        }
        // What the panel reviewed is what ships. Another body is compared and never used.
        let source = ArtifactSource::Round(self.drafted_in(round));
        self.lint(Candidate { round, source, blob: reviewed, summary: summary.to_owned() }, out);
    }

    /// The round whose draft this round reviewed: its own, or the last one before that had one.
    fn drafted_in(&self, round: Round) -> Round {
        let blob = self.board.round(round).and_then(|board| board.artifact.as_ref());
        self.board
            .rounds
            .iter()
            .find(|board| board.artifact.as_ref() == blob)
            .map_or(round, |board| board.round)
    }

    fn lint(&mut self, candidate: Candidate, out: &mut TheaterOutbox) {
        out.push(TheaterOutput::Effect(TheaterEffect::Lint(candidate.source.clone())));
        self.phase = Phase::Linting(candidate);
    }

    pub(super) fn linted(&mut self, findings: Vec<LintFinding>, out: &mut TheaterOutbox) {
        let Phase::Linting(candidate) = std::mem::replace(&mut self.phase, Phase::Running) else {
            return;
        };
        let Candidate { round, source, blob, summary } = candidate;
        let clean = findings.is_empty();
        let count = findings.len();
        self.emit(TheaterEvent::Lint(Lint { round, findings }), out);
        let composite = self.board.round(round).and_then(|board| board.end.as_ref()).map(|end| end.composite);
        let keeps = clean || self.config.fallback_policy != FallbackPolicy::Fail;
        if keeps {
            out.push(TheaterOutput::Effect(TheaterEffect::KeepFinal(source)));
        }
        let ship = Ship {
            round: Some(round),
            composite,
            status: if clean { ShipStatus::Shipped } else { ShipStatus::BelowThreshold },
            artifact_ref: keeps.then(|| self.artifact_ref()),
            summary: if clean {
                summary
            } else {
                let findings = if count == 1 { "finding" } else { "findings" };
                format!(
                    "round {round} met the bar, but its artifact is not finished: {count} lint {findings}"
                )
            },
            cause: None,
            partial: self.cut_off,
            artifact: blob.filter(|_| keeps),
        };
        self.end(TheaterEvent::Ship(ship), out);
    }

    /// The agent has nothing more to say, or may say no more: the scoreboard decides.
    pub(super) fn conclude(&mut self, position: Option<Offset>, out: &mut TheaterOutbox) {
        if let Some((round, _)) = self.board.cleared_round() {
            let blob = self.board.round(round).and_then(|board| board.artifact.clone());
            let summary = format!("round {round} met the bar");
            self.lint(
                Candidate { round, source: ArtifactSource::Round(self.drafted_in(round)), blob, summary },
                out,
            );
            return;
        }
        if let Some(end) = self.unmeasured_round().and_then(|board| board.end.as_ref()) {
            let detail = format!("round {} met the bar and was not measured: {}", end.round, end.reason);
            self.degrade(DegradedReason::Unmeasured, detail, position, out);
            return;
        }
        let best = self.board.best_round().and_then(|(round, _)| self.board.round(round));
        let Some(end) = best.and_then(|board| board.end.as_ref()) else {
            let detail = "the run was closed without a finished round".to_owned();
            self.degrade(DegradedReason::MalformedBlock, detail, position, out);
            return;
        };
        if !end.quorum {
            // The best round is one that the panel did not review: there is no verdict, not a poor one.
            let detail = format!("no round has a quorum; round {}: {}", end.round, end.reason);
            self.degrade(DegradedReason::QuorumMissed, detail, position, out);
            return;
        }
        let summary = self.board.missed(self.config.fallback_policy);
        self.end_below(ShipStatus::BelowThreshold, summary, None, out);
    }

    fn end_below(
        &mut self,
        status: ShipStatus,
        summary: String,
        cause: Option<TimeoutCause>,
        out: &mut TheaterOutbox,
    ) {
        let kept = self.keep_best(out);
        let ship = Ship {
            round: kept.best_round,
            composite: kept.composite,
            status,
            artifact_ref: kept.artifact_ref,
            summary,
            cause,
            partial: self.cut_off,
            artifact: kept.artifact,
        };
        self.end(TheaterEvent::Ship(ship), out);
    }

    /// Keeps the artifact of the round that the policy names, and says which round that is. When the policy
    /// keeps none, the best round is still named.
    fn keep_best(&self, out: &mut TheaterOutbox) -> BestSoFar {
        let kept = self.board.kept_round(self.config.fallback_policy);
        let blob =
            kept.and_then(|(round, _)| self.board.round(round)).and_then(|board| board.artifact.clone());
        if let (Some((round, _)), Some(_)) = (kept, &blob) {
            out.push(TheaterOutput::Effect(TheaterEffect::KeepFinal(ArtifactSource::Round(
                self.drafted_in(round),
            ))));
        }
        let named = kept.or_else(|| self.board.best_round());
        BestSoFar {
            best_round: named.map(|(round, _)| round),
            composite: named.map(|(_, composite)| composite),
            artifact_ref: blob.is_some().then(|| self.artifact_ref()),
            artifact: blob,
        }
    }

    pub(super) fn artifact_ref(&self) -> ArtifactRef {
        ArtifactRef { project_id: self.subject.project.clone(), artifact_id: self.subject.artifact }
    }

    pub(super) fn check_deadlines(&mut self, now: Millis, out: &mut TheaterOutbox) {
        let Some(passed) = self.clock.passed(now) else { return };
        self.cut_off = true;
        if self.ship_what_met_the_rule(None, out) {
            return;
        }
        let what = match passed {
            Passed::Round(_) => format!("round {}", self.attempt.declared_rounds.len()),
            Passed::Total(_) | Passed::Run(_) => "the run".to_owned(),
        };
        let summary = format!("{what} took {}", passed.bound());
        self.end_below(ShipStatus::TimedOut, summary, Some(passed.cause()), out);
    }

    /// Ships the last closed round if it met the rule: what is missing is only the word of the agent for it.
    fn ship_what_met_the_rule(&mut self, position: Option<Offset>, out: &mut TheaterOutbox) -> bool {
        let last = self.board.closed_rounds().next_back().map(|(_, end)| end.decision);
        let met = last == Some(Decision::Ship);
        if met {
            self.conclude(position, out);
        }
        met
    }

    /// The transcript cannot be read on.
    pub(super) fn give_up(&mut self, fault: Fault, out: &mut TheaterOutbox) {
        if self.ship_what_met_the_rule(Some(fault.position), out) {
            return;
        }
        let Fault { reason, detail, position } = fault;
        // An agent that cannot run a jury was not asked: its output has no places.
        let place = (reason != DegradedReason::AdapterUnsupported).then_some(position);
        self.degrade(reason, detail, place, out);
    }

    pub(super) fn degrade(
        &mut self,
        reason: DegradedReason,
        detail: String,
        position: Option<Offset>,
        out: &mut TheaterOutbox,
    ) {
        if self.can_fall_back() {
            self.fall_back(Some((reason, position)), detail, out);
            return;
        }
        let best = self.keep_best(out);
        let adapter = self.subject.agent.clone();
        self.end(TheaterEvent::Degraded(Degraded { reason, adapter, detail, position, best }), out);
    }

    /// The agent says that it cannot go on, or had to be given up on.
    pub(super) fn agent_failed(&mut self, cause: FailedCause, detail: String, out: &mut TheaterOutbox) {
        if !self.ship_what_met_the_rule(None, out) {
            self.fail(cause, detail, out);
        }
    }

    pub(super) fn fail(&mut self, cause: FailedCause, detail: String, out: &mut TheaterOutbox) {
        let best = self.keep_best(out);
        self.end(TheaterEvent::Failed(Failed { cause, detail, best }), out);
    }

    /// The output ended too early. An exit code does not prove success, but it does tell a crash from an
    /// answer that was merely cut off.
    pub(super) fn agent_ended(&mut self, exit: Exit, fault: Fault, out: &mut TheaterOutbox) {
        if self.ship_what_met_the_rule(Some(fault.position), out) {
            return;
        }
        match exit {
            Exit::Code(0) | Exit::Unknown => self.give_up(fault, out),
            Exit::Code(code) => {
                let detail = format!("the agent exited with code {code}; {fault}");
                self.fail(FailedCause::CliExitNonzero, detail, out);
            }
            Exit::Signal(signal) => {
                let detail = format!("the agent was killed by signal {signal}; {fault}");
                self.fail(FailedCause::CliSignal, detail, out);
            }
        }
    }

    pub(super) fn interrupt(&mut self, out: &mut TheaterOutbox) {
        let best = self.keep_best(out);
        self.end(TheaterEvent::Interrupted(Interrupted { best, recovery_reason: None }), out);
    }
}
