//! The single pass: what becomes of a run that has something to make and no review.
//!
//! When the panel is off, or a run would end degraded with no closed round to keep, the agent is asked once more,
//! for the page alone. The log says so before the answer is there, and what is handed over in the end is never
//! called shipped. The pass has the time of one round. The policy `fail` hands over nothing that did not meet the
//! bar: under it, a degraded run ends without a second try.

use super::machine::{Phase, Theater};
use super::port::{ArtifactSource, TheaterEffect, TheaterOutbox, TheaterOutput};
use crate::artifact::Blob;
use crate::event::{BestSoFar, Degraded, Fallback, Ship, ShipStatus, TheaterEvent};
use crate::outcome::{DegradedReason, FailedCause, FallbackPolicy, FallbackReason};
use crate::unit::{Millis, Offset};

/// What is said of a page that no panel saw.
const UNREVIEWED: &str = "the page was made in a single pass and nobody reviewed it";

/// What the page of a single pass is.
const MIME: &str = "text/html";

/// A single pass under way.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pass {
    /// Why the review did not take place, and where that showed; none when the panel is off.
    degraded: Option<(DegradedReason, Option<Offset>)>,
    /// Why, for a person.
    detail: String,
}

impl Theater {
    /// Whether a run that has no review can still have a page: there is something to make, nothing of a closed round
    /// to keep, and the policy does not keep everything back.
    pub(super) fn can_fall_back(&self) -> bool {
        self.plan.generates
            && self.config.fallback_policy != FallbackPolicy::Fail
            && self.board.closed_rounds().next().is_none()
    }

    /// The panel is off.
    pub(super) fn sit_out(&mut self, why: String, out: &mut TheaterOutbox) {
        if self.plan.generates {
            self.fall_back(None, why, out);
        } else {
            let summary = format!("the panel is off, and there is nothing to make: {why}");
            self.end_unreviewed(None, summary, out);
        }
    }

    pub(super) fn fall_back(
        &mut self,
        degraded: Option<(DegradedReason, Option<Offset>)>,
        detail: String,
        out: &mut TheaterOutbox,
    ) {
        let reason = degraded.map_or(FallbackReason::Disabled, |(reason, _)| reason.into());
        self.emit(TheaterEvent::Fallback(Fallback { reason, detail: detail.clone() }), out);
        self.hush(out);
        self.speaking = true;
        out.push(TheaterOutput::Effect(TheaterEffect::AskOnce));
        self.clock.begin_pass(self.now);
        self.phase = Phase::Fallback(Pass { degraded, detail });
    }

    fn take_pass(&mut self) -> Option<Pass> {
        match std::mem::replace(&mut self.phase, Phase::Running) {
            Phase::Fallback(pass) => Some(pass),
            other @ (Phase::Waiting
            | Phase::Running
            | Phase::Measuring(_)
            | Phase::Owing(_)
            | Phase::Linting(_)
            | Phase::Ended) => {
                self.phase = other;
                None
            }
        }
    }

    /// The pass brought a page.
    pub(super) fn made(&mut self, body: Vec<u8>, out: &mut TheaterOutbox) {
        let Some(Pass { degraded, detail }) = self.take_pass() else { return };
        let blob = Blob::of(&body, MIME);
        out.push(TheaterOutput::Effect(TheaterEffect::KeepFinal(ArtifactSource::Body(body))));
        let summary = format!("{detail}; {UNREVIEWED}");
        match degraded {
            None => self.end_unreviewed(Some(blob), summary, out),
            Some((reason, position)) => self.end_degraded(reason, position, summary, Some(blob), out),
        }
    }

    /// The pass brought none.
    pub(super) fn not_made(&mut self, cause: FailedCause, why: &str, out: &mut TheaterOutbox) {
        let Some(Pass { degraded, detail }) = self.take_pass() else { return };
        match degraded {
            // Nothing was promised but a page: that there is none is a failure.
            None => self.fail(cause, format!("{detail}; the single pass failed: {why}"), out),
            Some((reason, position)) => {
                let detail = format!("{detail}; the single pass without a panel failed too: {why}");
                self.end_degraded(reason, position, detail, None, out);
            }
        }
    }

    pub(super) fn check_pass(&mut self, now: Millis, out: &mut TheaterOutbox) {
        let Phase::Fallback(pass) = &self.phase else { return };
        let Some(passed) = self.clock.passed(now) else { return };
        let why = format!("it took {}", passed.bound());
        if pass.degraded.is_some() {
            self.not_made(FailedCause::Silent, &why, out);
            return;
        }
        let ship = Ship {
            round: None,
            composite: None,
            status: ShipStatus::TimedOut,
            artifact_ref: None,
            summary: format!("{}; the single pass failed: {why}", pass.detail),
            cause: Some(passed.cause()),
            partial: true,
            artifact: None,
        };
        self.end(TheaterEvent::Ship(ship), out);
    }

    fn end_degraded(
        &mut self,
        reason: DegradedReason,
        position: Option<Offset>,
        detail: String,
        artifact: Option<Blob>,
        out: &mut TheaterOutbox,
    ) {
        let best = BestSoFar {
            best_round: None,
            composite: None,
            artifact_ref: artifact.is_some().then(|| self.artifact_ref()),
            artifact,
        };
        let adapter = self.subject.agent.clone();
        self.end(TheaterEvent::Degraded(Degraded { reason, adapter, detail, position, best }), out);
    }

    fn end_unreviewed(&mut self, artifact: Option<Blob>, summary: String, out: &mut TheaterOutbox) {
        let ship = Ship {
            round: None,
            composite: None,
            status: ShipStatus::Legacy,
            artifact_ref: artifact.is_some().then(|| self.artifact_ref()),
            summary,
            cause: None,
            partial: false,
            artifact,
        };
        self.end(TheaterEvent::Ship(ship), out);
    }
}
