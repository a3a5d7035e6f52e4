//! The state: the state of a run of the judge as a fold of its log. [`JudgeState::apply`] is the only function that changes
//! it, live and in replay alike.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answer::JudgeAnswer;
use super::event::{
    Disputed, JudgeEvent, JudgeQueued, JudgeSignals, JudgeStarted, Redispatch, SeatAbsent, SeatJudged,
    SeatName, SeatRetried, Settled, Throttled,
};
use super::judgement::{JudgeCost, Judgement};
use super::panel::JudgeSeat;
use super::status::JudgeStatus;
use crate::critic::{CriterionId, Question};
use crate::event::Usage;

/// What the question of a dispute is filed under in the inbox.
pub const QUESTION_OF: &str = "VERDICT";

/// Everything that is known about a run of the judge.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JudgeState {
    /// What was asked for.
    #[schema(required)]
    pub queued: Option<JudgeQueued>,
    /// What holds it back, as long as something does.
    #[schema(required)]
    pub throttled: Option<Throttled>,
    /// Who sits, and about what; none before a worker took the run.
    #[schema(required)]
    pub started: Option<JudgeStarted>,
    /// What the checks of the judged run said.
    #[schema(required)]
    pub signals: Option<JudgeSignals>,
    /// The seats of the panel, in order.
    pub seats: Vec<SeatState>,
    /// What a person is asked.
    #[schema(required)]
    pub disputed: Option<Disputed>,
    /// What the person decided.
    #[schema(required)]
    pub settled: Option<Settled>,
    /// Whether the judged run should be dispatched again.
    #[schema(required)]
    pub redispatch: Option<Redispatch>,
    /// What the agents used so far.
    pub usage: Usage,
    /// The terminal event, once the run has ended.
    #[schema(required)]
    pub ended: Option<JudgeEvent>,
}

/// What is known of one seat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = JudgeSeatState)]
pub struct SeatState {
    /// The agent and model that sit there.
    pub name: SeatName,
    /// What was wrong with its first answer, if that was sent back.
    pub rejected: Vec<String>,
    /// Why it was asked once more, if it failed before.
    #[schema(required)]
    pub retried: Option<SeatRetried>,
    /// The answer of the seat, once it is there.
    #[schema(required)]
    pub judged: Option<SeatJudged>,
    /// Why it stays empty.
    #[schema(required)]
    pub absent: Option<SeatAbsent>,
}

impl SeatState {
    /// Whether nothing more comes from it.
    pub fn is_done(&self) -> bool {
        self.judged.is_some() || self.absent.is_some()
    }

    /// What it cost so far.
    pub fn cost(&self) -> Option<JudgeCost> {
        self.judged.as_ref().map(|judged| judged.cost).or(self.absent.as_ref().map(|absent| absent.cost))
    }

    /// The seat as a panel convenes it.
    pub(super) fn seat(&self) -> JudgeSeat {
        let answer = match (&self.judged, &self.absent) {
            (Some(judged), _) => Ok(JudgeAnswer {
                dimensions: judged.dimensions,
                issues: judged.issues.clone(),
                summary: judged.summary.clone(),
                confidence: judged.confidence,
                warnings: judged.warnings.clone(),
            }),
            (None, Some(absent)) => Err(absent.reason.clone()),
            (None, None) => Err("it did not answer".to_owned()),
        };
        JudgeSeat { judge: self.name.judge.clone(), repeat: self.name.repeat, answer }
    }
}

impl JudgeState {
    /// The state after these events.
    pub fn of<'a>(events: impl IntoIterator<Item = &'a JudgeEvent>) -> Self {
        let mut state = Self::default();
        for event in events {
            state.apply(event);
        }
        state
    }

    /// Takes one event over. Total: an event that does not fit changes nothing that matters.
    pub fn apply(&mut self, event: &JudgeEvent) {
        match event {
            JudgeEvent::Queued(queued) => self.queued = Some(queued.clone()),
            JudgeEvent::Throttled(throttled) => self.throttled = Some(throttled.clone()),
            JudgeEvent::RunStarted(started) => {
                self.throttled = None;
                self.seats = started.seats.iter().map(empty).collect();
                self.started = Some(started.clone());
            }
            JudgeEvent::Signals(signals) => self.signals = Some(signals.clone()),
            JudgeEvent::Agent(note) => {
                if let Some(usage) = note.usage {
                    self.usage = self.usage.plus(usage);
                }
            }
            JudgeEvent::Rejected(rejected) => {
                if let Some(seat) = self.seat_mut(rejected.seat) {
                    seat.rejected.clone_from(&rejected.problems);
                }
            }
            JudgeEvent::Retried(retried) => {
                if let Some(seat) = self.seat_mut(retried.seat) {
                    seat.retried = Some(retried.clone());
                }
            }
            JudgeEvent::SeatJudged(judged) => {
                if let Some(seat) = self.seat_mut(judged.seat) {
                    seat.judged = Some(judged.clone());
                }
            }
            JudgeEvent::SeatAbsent(absent) => {
                if let Some(seat) = self.seat_mut(absent.seat) {
                    seat.absent = Some(absent.clone());
                }
            }
            JudgeEvent::Disputed(disputed) => self.disputed = Some(disputed.clone()),
            JudgeEvent::Settled(settled) => self.settled = Some(settled.clone()),
            JudgeEvent::Redispatch(redispatch) => self.redispatch = Some(redispatch.clone()),
            JudgeEvent::Judged(_)
            | JudgeEvent::Skipped(_)
            | JudgeEvent::Inconclusive(_)
            | JudgeEvent::Interrupted(_)
            | JudgeEvent::Failed(_) => self.ended = Some(event.clone()),
        }
    }

    fn seat_mut(&mut self, number: u32) -> Option<&mut SeatState> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        self.seats.get_mut(index)
    }

    /// How the run stands.
    pub fn status(&self) -> JudgeStatus {
        match &self.ended {
            Some(event) => event.terminal().unwrap_or(JudgeStatus::Failed),
            None if self.disputed.is_some() && self.settled.is_none() => JudgeStatus::Disputed,
            None if self.throttled.is_some() => JudgeStatus::Throttled,
            None => JudgeStatus::Running,
        }
    }

    /// What it says about the judged run, if there is a judgement.
    pub fn judgement(&self) -> Option<&Judgement> {
        match &self.ended {
            Some(JudgeEvent::Judged(judged)) => Some(&judged.judgement),
            Some(_) | None => None,
        }
    }

    /// What all seats cost, with what agents used in attempts that came to nothing. The time is that of the longest.
    pub fn cost(&self) -> JudgeCost {
        let seats = self.seats.iter().filter_map(SeatState::cost);
        let (usage, longest) = seats.fold((Usage::default(), 0), |(usage, longest), cost| {
            (usage.plus(cost.usage()), longest.max(cost.duration_ms))
        });
        JudgeCost::new(usage, crate::unit::Millis(longest))
    }

    /// The question that a person is asked, in the form of the inbox.
    pub fn question(&self) -> Option<Question> {
        let dispute = &self.disputed.as_ref()?.dispute;
        Some(Question {
            number: 1,
            criterion: CriterionId::from_written(QUESTION_OF)?,
            finding: dispute.finding.clone(),
            measured: Vec::new(),
            question: dispute.question.clone(),
            issue: dispute.issue.clone(),
            why: dispute.why.clone(),
            trigger: None,
            options: dispute.options.clone(),
        })
    }
}

fn empty(name: &SeatName) -> SeatState {
    SeatState { name: name.clone(), rejected: Vec::new(), retried: None, judged: None, absent: None }
}
