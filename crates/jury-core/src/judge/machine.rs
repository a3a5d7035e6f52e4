//! The machine of the judge: admissions, answers, failures and a person's word in; events and the next things to do out.
//! It knows no clock and no agent. Every event it emits it also folds, so that the log and its state cannot differ.

use jiff::Timestamp;

use super::answer::{Answer, InvalidAnswer};
use super::bead::Bead;
use super::coverage::Coverage;
use super::event::{
    AnswerRejected, Disputed, JudgeEvent, JudgeFailed, JudgeInconclusive, JudgeInterrupted, JudgeSignals,
    JudgeStarted, Redispatch, RunJudged, SeatAbsent, SeatJudged, SeatName, Settled, Skipped, Throttled,
};
use super::judgement::{Issue, JudgeCost, Judgement, Verdict};
use super::panel::{Conclusion, Seat, Spread, convene};
use super::settings::JudgeMode;
use super::state::{JudgeState, SeatState};
use crate::critic::Answer as PersonsAnswer;
use crate::event::AgentNote;
use crate::id::{ArtifactId, ProjectId};
use crate::machine;
use crate::outcome::FailedCause;

/// The word of a person who leaves it as the panel left it.
pub const DEFER: &str = "defer";

/// What a run of the judge is about.
#[derive(Debug, Clone, PartialEq)]
pub struct Setup {
    /// Whose run it is.
    pub project: ProjectId,
    /// What it judges.
    pub artifact: ArtifactId,
    /// The run to be judged.
    pub bead: Bead,
    /// The template it was made from.
    pub template: String,
    /// What its checks said.
    pub signals: JudgeSignals,
    /// Which way of judging it is.
    pub mode: JudgeMode,
    /// The seats; never none.
    pub seats: Vec<SeatName>,
    /// What was measured on the change.
    pub facts: Vec<Issue>,
    /// How much of the work judges get to see.
    pub coverage: Coverage,
    /// Whether it is judged even if there is nothing to judge.
    pub force: bool,
    /// Whether asking costs something, and has to be admitted.
    pub gated: bool,
}

/// What happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// A worker took it.
    Start,
    /// The throttle let it in.
    Admitted,
    /// It did not.
    Throttled(Throttled),
    /// It never will.
    Refused(String),
    /// An agent said something about itself.
    Note(AgentNote),
    /// A seat answered.
    Answered {
        /// Which, from 1.
        seat: u32,
        /// What it said.
        text: String,
        /// What was read in that.
        read: Result<Box<Answer>, InvalidAnswer>,
        /// What it cost.
        cost: JudgeCost,
    },
    /// A seat has its answer without words: it was computed.
    Computed {
        /// Which, from 1.
        seat: u32,
        /// The answer.
        answer: Box<Answer>,
        /// What it cost.
        cost: JudgeCost,
    },
    /// A seat failed or took too long.
    Absent {
        /// Which, from 1.
        seat: u32,
        /// Why.
        reason: String,
        /// What it cost.
        cost: JudgeCost,
    },
    /// A person has decided.
    Decided {
        /// What.
        answer: PersonsAnswer,
        /// Who.
        by: String,
    },
    /// Somebody stops it.
    Interrupt,
    /// We broke.
    Broken(String),
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Ask the throttle.
    Admit,
    /// Wait until this moment, then ask the throttle again; or put it back into the queue.
    Wait {
        /// The moment.
        until: Timestamp,
    },
    /// Ask a seat.
    Ask {
        /// Which, from 1.
        seat: u32,
    },
    /// Ask it again, with what was wrong.
    Repair {
        /// Which, from 1.
        seat: u32,
        /// What it said.
        said: String,
        /// What is wrong with that.
        problems: Vec<String>,
    },
    /// Stop everything that goes on.
    Stop,
}

/// What the machine says.
pub type Output = machine::Output<JudgeEvent, Effect>;

/// What the machine says at once.
pub type Outbox = Vec<Output>;

/// A run of the judge.
#[derive(Debug, Clone, PartialEq)]
pub struct Judge {
    setup: Setup,
    sitting: JudgeState,
    /// What first answers that were sent back cost, by seat.
    before: Vec<JudgeCost>,
}

impl Judge {
    /// A run that begins, or one that waited for the throttle.
    pub fn new(setup: Setup) -> Self {
        let before = vec![JudgeCost::default(); setup.seats.len()];
        Self { setup, sitting: JudgeState::default(), before }
    }

    /// A run that was put down before anybody was asked, or that waits for a person. None if it is neither.
    pub fn resume(sitting: JudgeState, setup: Setup) -> Option<Self> {
        let waits = sitting.ended.is_none() && (sitting.started.is_none() || sitting.disputed.is_some());
        waits.then(|| Self { sitting, ..Self::new(setup) })
    }

    /// A run that waits for a person. What is left of it needs nobody but that person.
    pub fn disputed(sitting: JudgeState) -> Option<Self> {
        let (started, signals) = (sitting.started.clone()?, sitting.signals.clone()?);
        let setup = Setup {
            project: started.project_id,
            artifact: started.artifact_id,
            bead: started.bead,
            template: started.template,
            signals,
            mode: started.mode,
            seats: started.seats,
            facts: Vec::new(),
            coverage: started.coverage,
            force: false,
            gated: false,
        };
        Self::resume(sitting, setup).filter(Self::is_disputed)
    }

    /// The state.
    pub fn sitting(&self) -> &JudgeState {
        &self.sitting
    }

    /// Whether nothing more comes.
    pub fn has_ended(&self) -> bool {
        self.sitting.ended.is_some()
    }

    /// Whether it waits for a person.
    pub fn is_disputed(&self) -> bool {
        self.sitting.disputed.is_some() && !self.has_ended()
    }

    /// Takes what happened. What does not fit changes nothing.
    pub fn handle(&mut self, input: Input, now: Timestamp, out: &mut Outbox) {
        if self.has_ended() {
            return;
        }
        let (began, disputed) = (self.sitting.started.is_some(), self.sitting.disputed.is_some());
        match input {
            Input::Start if !began => self.start(now, out),
            Input::Admitted if !began => self.begin(now, out),
            Input::Throttled(throttled) if !began => {
                let until = throttled.until;
                self.emit(JudgeEvent::Throttled(throttled), out);
                out.push(Output::Effect(Effect::Wait { until }));
            }
            Input::Refused(detail) if !began => self.fail(FailedCause::BudgetExceeded, detail, out),
            Input::Note(note) if began && !disputed => self.emit(JudgeEvent::Agent(note), out),
            Input::Answered { seat, text, read, cost } if self.is_asked(seat) => match read {
                Ok(answer) => {
                    let claimed = answer.dimensions;
                    let answer = answer.with_facts(&self.setup.facts);
                    let claimed = (claimed != answer.dimensions).then_some(claimed);
                    self.judged(seat, answer, claimed, cost, now, out);
                }
                Err(invalid) => self.unusable(seat, text, &invalid, cost, now, out),
            },
            Input::Computed { seat, answer, cost } if self.is_asked(seat) => {
                self.judged(seat, *answer, None, cost, now, out);
            }
            Input::Absent { seat, reason, cost } if self.is_asked(seat) => {
                self.absent(seat, reason, cost, now, out);
            }
            Input::Decided { answer, by } if disputed => self.decided(answer, by, out),
            Input::Interrupt => {
                out.push(Output::Effect(Effect::Stop));
                self.emit(JudgeEvent::Interrupted(JudgeInterrupted { recovery_reason: None }), out);
            }
            Input::Broken(detail) => self.fail(FailedCause::OrchestratorInternal, detail, out),
            Input::Start
            | Input::Admitted
            | Input::Throttled(_)
            | Input::Refused(_)
            | Input::Note(_)
            | Input::Answered { .. }
            | Input::Computed { .. }
            | Input::Absent { .. }
            | Input::Decided { .. } => {}
        }
    }

    fn emit(&mut self, event: JudgeEvent, out: &mut Outbox) {
        self.sitting.apply(&event);
        out.push(Output::Event(event));
    }

    fn fail(&mut self, cause: FailedCause, detail: String, out: &mut Outbox) {
        out.push(Output::Effect(Effect::Stop));
        self.emit(JudgeEvent::Failed(JudgeFailed { cause, detail }), out);
    }

    fn start(&mut self, now: Timestamp, out: &mut Outbox) {
        let outcome = self.setup.signals.outcome;
        if !outcome.is_judgeable() && !self.setup.force {
            self.open(now, out);
            self.emit(JudgeEvent::Skipped(Skipped { outcome }), out);
        } else if self.setup.gated {
            out.push(Output::Effect(Effect::Admit));
        } else {
            self.begin(now, out);
        }
    }

    fn open(&mut self, now: Timestamp, out: &mut Outbox) {
        let Setup { project, artifact, bead, template, signals, seats, mode, coverage, .. } =
            self.setup.clone();
        let started = JudgeStarted {
            project_id: project,
            artifact_id: artifact,
            bead,
            template,
            mode,
            seats,
            coverage,
            started_at: now,
        };
        self.emit(JudgeEvent::RunStarted(started), out);
        self.emit(JudgeEvent::Signals(signals), out);
    }

    fn begin(&mut self, now: Timestamp, out: &mut Outbox) {
        self.open(now, out);
        let seats = number(self.sitting.seats.len());
        if seats == 0 {
            let none = JudgeInconclusive { answered: 0, seats, reasons: vec!["nobody sits".to_owned()] };
            self.emit(JudgeEvent::Inconclusive(none), out);
            return;
        }
        out.extend((1..=seats).map(|seat| Output::Effect(Effect::Ask { seat })));
    }

    fn seat(&self, seat: u32) -> Option<&SeatState> {
        self.sitting.seats.get(index(seat)?)
    }

    /// Whether an answer of this seat is wanted.
    fn is_asked(&self, seat: u32) -> bool {
        self.seat(seat).is_some_and(|seat| !seat.is_done())
    }

    /// Sends an answer back, once.
    fn unusable(
        &mut self,
        seat: u32,
        said: String,
        invalid: &InvalidAnswer,
        cost: JudgeCost,
        now: Timestamp,
        out: &mut Outbox,
    ) {
        if self.seat(seat).is_some_and(|seat| !seat.rejected.is_empty()) {
            self.absent(seat, format!("its answer cannot be used: {invalid}"), cost, now, out);
            return;
        }
        if let Some(spent) = index(seat).and_then(|index| self.before.get_mut(index)) {
            *spent = spent.plus(&cost);
        }
        let problems: Vec<String> = invalid.problems.iter().map(ToString::to_string).collect();
        self.emit(JudgeEvent::Rejected(AnswerRejected { seat, problems: problems.clone() }), out);
        out.push(Output::Effect(Effect::Repair { seat, said, problems }));
    }

    fn total(&self, seat: u32, cost: JudgeCost) -> JudgeCost {
        index(seat).and_then(|index| self.before.get(index)).map_or(cost, |before| before.plus(&cost))
    }

    fn judged(
        &mut self,
        seat: u32,
        answer: Answer,
        claimed: Option<super::judgement::Dimensions>,
        cost: JudgeCost,
        now: Timestamp,
        out: &mut Outbox,
    ) {
        let judged = SeatJudged {
            seat,
            dimensions: answer.dimensions,
            claimed,
            verdict: answer.dimensions.verdict(),
            issues: answer.issues,
            summary: answer.summary,
            confidence: answer.confidence,
            warnings: answer.warnings,
            cost: self.total(seat, cost),
        };
        self.emit(JudgeEvent::SeatJudged(judged), out);
        self.conclude(now, out);
    }

    fn absent(&mut self, seat: u32, reason: String, cost: JudgeCost, now: Timestamp, out: &mut Outbox) {
        let cost = self.total(seat, cost);
        self.emit(JudgeEvent::SeatAbsent(SeatAbsent { seat, reason, cost }), out);
        self.conclude(now, out);
    }

    /// Once no seat is waited for: what they say together.
    fn conclude(&mut self, now: Timestamp, out: &mut Outbox) {
        if !self.sitting.seats.iter().all(SeatState::is_done) {
            return;
        }
        let seats: Vec<Seat> = self.sitting.seats.iter().map(SeatState::seat).collect();
        match convene(&self.setup.bead, &seats, now) {
            Conclusion::Agreed(judgement) => {
                let judgement = self.completed(judgement);
                self.finish(judgement, out);
            }
            Conclusion::Disagreed(judgement, dispute) => {
                let judgement = self.completed(judgement);
                let spread = judgement.panel.as_ref().map_or_else(
                    || Spread { score: 0.0, dimensions: judgement.dimensions, agreement: 0.0 },
                    |panel| panel.spread,
                );
                self.emit(JudgeEvent::Disputed(Disputed { dispute, spread, judgement }), out);
            }
            Conclusion::Inconclusive { answered, seats, reasons } => {
                let (answered, seats) = (number(answered), number(seats));
                let none = JudgeInconclusive { answered, seats, reasons };
                self.emit(JudgeEvent::Inconclusive(none), out);
            }
        }
    }

    /// The judgement with what each seat cost, and no surer than what was shown allows.
    fn completed(&self, judgement: Judgement) -> Judgement {
        let confidence = judgement.confidence.min(self.setup.coverage.confidence());
        let mut judgement = Judgement { confidence, ..judgement };
        if let Some(panel) = &mut judgement.panel {
            for (record, seat) in panel.seats.iter_mut().zip(&self.sitting.seats) {
                record.cost = seat.cost();
            }
        }
        judgement
    }

    fn finish(&mut self, judgement: Judgement, out: &mut Outbox) {
        if let Some(note) = Redispatch::of(&judgement) {
            self.emit(JudgeEvent::Redispatch(note), out);
        }
        self.emit(JudgeEvent::Judged(RunJudged { judgement }), out);
    }

    /// A person's word. What is no verdict changes nothing; who puts it off leaves it as the panel did.
    fn decided(&mut self, answer: PersonsAnswer, by: String, out: &mut Outbox) {
        let Some(disputed) = &self.sitting.disputed else { return };
        let mut judgement = disputed.judgement.clone();
        let Some(verdict) = verdict_of(&answer, &disputed.dispute.options, judgement.verdict) else { return };
        judgement.warnings.push(format!("the panel did not agree; {by} decided: {verdict}"));
        judgement.verdict = verdict;
        self.emit(JudgeEvent::Settled(Settled { answer, verdict, by }), out);
        self.finish(judgement, out);
    }
}

/// The verdict that a person's answer comes to; the one there is, for whoever puts it off.
pub fn verdict_of(
    answer: &PersonsAnswer,
    options: &[crate::critic::Choice],
    standing: Verdict,
) -> Option<Verdict> {
    match answer {
        PersonsAnswer::Option(chosen) => options.get(index(*chosen)?)?.label.parse().ok(),
        PersonsAnswer::Text(text) => {
            let word = text.trim().to_ascii_lowercase();
            if word == DEFER { Some(standing) } else { word.parse().ok() }
        }
        PersonsAnswer::Skip => Some(standing),
    }
}

fn index(number: u32) -> Option<usize> {
    usize::try_from(number).ok()?.checked_sub(1)
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
