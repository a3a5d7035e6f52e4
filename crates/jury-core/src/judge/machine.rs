//! The machine of the judge: admissions, answers, failures and a person's word in; events and the next things to do out.
//! It knows no clock and no agent. Every event it emits it also folds, so that the log and its state cannot differ.

use jiff::Timestamp;

use super::answer::{InvalidAnswer, JudgeAnswer};
use super::bead::Bead;
use super::coverage::WorkCoverage;
use super::event::{
    AnswerRejected, Disputed, JudgeEvent, JudgeFailed, JudgeInconclusive, JudgeInterrupted, JudgeSignals,
    JudgeStarted, Redispatch, RunJudged, SeatAbsent, SeatJudged, SeatName, SeatRetried, Settled, Skipped,
    Throttled,
};
use super::judgement::{JudgeCost, JudgeIssue, JudgeVerdict, Judgement};
use super::panel::{Conclusion, JudgeSeat, Spread, convene};
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
pub struct JudgeSetup {
    /// Whose run it is.
    pub project: ProjectId,
    /// The finished run that is judged.
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
    pub facts: Vec<JudgeIssue>,
    /// How much of the work judges get to see.
    pub coverage: WorkCoverage,
    /// Whether it is judged even if there is nothing to judge.
    pub force: bool,
    /// Whether asking costs something, and has to be admitted.
    pub gated: bool,
}

/// What can happen to a run of the judge.
#[derive(Debug, Clone, PartialEq)]
pub enum JudgeInput {
    /// A worker took it.
    Start,
    /// The throttle let it in.
    Admitted,
    /// The throttle holds the run back.
    Throttled(Throttled),
    /// The throttle will never admit it.
    Refused(String),
    /// An agent said something about itself.
    Note(AgentNote),
    /// A seat answered with text.
    Answered {
        /// The number of the seat, from 1.
        seat: u32,
        /// The answer as it was printed.
        text: String,
        /// What was read in that.
        read: Result<Box<JudgeAnswer>, InvalidAnswer>,
        /// Tokens and money of the seat.
        cost: JudgeCost,
    },
    /// A seat has its answer without words: it was computed.
    Computed {
        /// The number of the seat, from 1.
        seat: u32,
        /// The answer that was computed.
        answer: Box<JudgeAnswer>,
        /// Tokens and money of the seat.
        cost: JudgeCost,
    },
    /// A seat failed or took too long.
    Absent {
        /// The number of the seat, from 1.
        seat: u32,
        /// Whether it is worth asking again.
        failure: SeatFailure,
        /// The reason, for a person.
        reason: String,
        /// Tokens and money of the seat.
        cost: JudgeCost,
    },
    /// A person has decided.
    Decided {
        /// The answer that was given.
        answer: PersonsAnswer,
        /// The person who answered.
        by: String,
    },
    /// The user or a shutdown stops it.
    Interrupt,
    /// An error in jury itself.
    Broken(String),
}

/// Whether a seat that failed may answer if it is asked again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeatFailure {
    /// It crashed, took too long, or its service broke off. The next attempt may succeed.
    Passing,
    /// It cannot be started, its money is spent, there is nothing to judge, or somebody stopped it. The next attempt would
    /// end in the same way.
    Lasting,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JudgeEffect {
    /// Ask the throttle for admission.
    Admit,
    /// Wait until this moment, then ask the throttle again; or put it back into the queue.
    Wait {
        /// When to ask again.
        until: Timestamp,
    },
    /// Ask a seat for its judgement.
    Ask {
        /// The number of the seat, from 1.
        seat: u32,
    },
    /// Ask it again, with what was wrong.
    Repair {
        /// The number of the seat, from 1.
        seat: u32,
        /// The answer that was refused.
        said: String,
        /// What is wrong with that.
        problems: Vec<String>,
    },
    /// Stop everything that goes on.
    Stop,
}

/// What the machine says.
pub type JudgeOutput = machine::Output<JudgeEvent, JudgeEffect>;

/// What the machine says at once.
pub type JudgeOutbox = Vec<JudgeOutput>;

/// A run of the judge.
#[derive(Debug, Clone, PartialEq)]
pub struct Judge {
    setup: JudgeSetup,
    state: JudgeState,
    /// What answers that were sent back and attempts that failed cost, by seat.
    before: Vec<JudgeCost>,
}

impl Judge {
    /// A run that begins, or one that waited for the throttle.
    pub fn new(setup: JudgeSetup) -> Self {
        let before = vec![JudgeCost::default(); setup.seats.len()];
        Self { setup, state: JudgeState::default(), before }
    }

    /// A run that was put down before anybody was asked, or that waits for a person. None if it is neither.
    pub fn resume(state: JudgeState, setup: JudgeSetup) -> Option<Self> {
        let waits = state.ended.is_none() && (state.started.is_none() || state.disputed.is_some());
        waits.then(|| Self { state, ..Self::new(setup) })
    }

    /// A run that waits for a person. What is left of it needs nobody but that person.
    pub fn disputed(state: JudgeState) -> Option<Self> {
        let (started, signals) = (state.started.clone()?, state.signals.clone()?);
        let setup = JudgeSetup {
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
        Self::resume(state, setup).filter(Self::is_disputed)
    }

    /// The state that its events fold to.
    pub fn state(&self) -> &JudgeState {
        &self.state
    }

    /// Whether nothing more comes.
    pub fn has_ended(&self) -> bool {
        self.state.ended.is_some()
    }

    /// Whether it waits for a person.
    pub fn is_disputed(&self) -> bool {
        self.state.disputed.is_some() && !self.has_ended()
    }

    /// Takes what happened. What does not fit changes nothing.
    pub fn handle(&mut self, input: JudgeInput, now: Timestamp, out: &mut JudgeOutbox) {
        if self.has_ended() {
            return;
        }
        let (began, disputed) = (self.state.started.is_some(), self.state.disputed.is_some());
        match input {
            JudgeInput::Start if !began => self.start(now, out),
            JudgeInput::Admitted if !began => self.begin(now, out),
            JudgeInput::Throttled(throttled) if !began => {
                let until = throttled.until;
                self.emit(JudgeEvent::Throttled(throttled), out);
                out.push(JudgeOutput::Effect(JudgeEffect::Wait { until }));
            }
            JudgeInput::Refused(detail) if !began => self.fail(FailedCause::BudgetExceeded, detail, out),
            JudgeInput::Note(note) if began && !disputed => self.emit(JudgeEvent::Agent(note), out),
            JudgeInput::Answered { seat, text, read, cost } if self.is_asked(seat) => match read {
                Ok(answer) => {
                    let claimed = answer.dimensions;
                    let answer = answer.with_facts(&self.setup.facts);
                    let claimed = (claimed != answer.dimensions).then_some(claimed);
                    self.judged(seat, answer, claimed, cost, now, out);
                }
                Err(invalid) => self.unusable(seat, text, &invalid, cost, now, out),
            },
            JudgeInput::Computed { seat, answer, cost } if self.is_asked(seat) => {
                self.judged(seat, *answer, None, cost, now, out);
            }
            JudgeInput::Absent { seat, failure, reason, cost } if self.is_asked(seat) => match failure {
                SeatFailure::Passing if self.seat(seat).is_some_and(|seat| seat.retried.is_none()) => {
                    self.retry(seat, reason, cost, out);
                }
                SeatFailure::Passing | SeatFailure::Lasting => self.absent(seat, reason, cost, now, out),
            },
            JudgeInput::Decided { answer, by } if disputed => self.decided(answer, by, out),
            JudgeInput::Interrupt => {
                out.push(JudgeOutput::Effect(JudgeEffect::Stop));
                self.emit(JudgeEvent::Interrupted(JudgeInterrupted { recovery_reason: None }), out);
            }
            JudgeInput::Broken(detail) => self.fail(FailedCause::OrchestratorInternal, detail, out),
            JudgeInput::Start
            | JudgeInput::Admitted
            | JudgeInput::Throttled(_)
            | JudgeInput::Refused(_)
            | JudgeInput::Note(_)
            | JudgeInput::Answered { .. }
            | JudgeInput::Computed { .. }
            | JudgeInput::Absent { .. }
            | JudgeInput::Decided { .. } => {}
        }
    }

    fn emit(&mut self, event: JudgeEvent, out: &mut JudgeOutbox) {
        self.state.apply(&event);
        out.push(JudgeOutput::Event(event));
    }

    fn fail(&mut self, cause: FailedCause, detail: String, out: &mut JudgeOutbox) {
        out.push(JudgeOutput::Effect(JudgeEffect::Stop));
        self.emit(JudgeEvent::Failed(JudgeFailed { cause, detail }), out);
    }

    fn start(&mut self, now: Timestamp, out: &mut JudgeOutbox) {
        let outcome = self.setup.signals.outcome;
        if !outcome.is_judgeable() && !self.setup.force {
            self.open(now, out);
            self.emit(JudgeEvent::Skipped(Skipped { outcome }), out);
        } else if self.setup.gated {
            out.push(JudgeOutput::Effect(JudgeEffect::Admit));
        } else {
            self.begin(now, out);
        }
    }

    fn open(&mut self, now: Timestamp, out: &mut JudgeOutbox) {
        let JudgeSetup { project, artifact, bead, template, signals, seats, mode, coverage, .. } =
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

    fn begin(&mut self, now: Timestamp, out: &mut JudgeOutbox) {
        self.open(now, out);
        let seats = number(self.state.seats.len());
        if seats == 0 {
            let none = JudgeInconclusive { answered: 0, seats, reasons: vec!["nobody sits".to_owned()] };
            self.emit(JudgeEvent::Inconclusive(none), out);
            return;
        }
        out.extend((1..=seats).map(|seat| JudgeOutput::Effect(JudgeEffect::Ask { seat })));
    }

    fn seat(&self, seat: u32) -> Option<&SeatState> {
        self.state.seats.get(index(seat)?)
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
        out: &mut JudgeOutbox,
    ) {
        if self.seat(seat).is_some_and(|seat| !seat.rejected.is_empty()) {
            self.absent(seat, format!("its answer cannot be used: {invalid}"), cost, now, out);
            return;
        }
        self.spend(seat, &cost);
        let problems: Vec<String> = invalid.problems.iter().map(ToString::to_string).collect();
        self.emit(JudgeEvent::Rejected(AnswerRejected { seat, problems: problems.clone() }), out);
        out.push(JudgeOutput::Effect(JudgeEffect::Repair { seat, said, problems }));
    }

    /// Asks a seat that failed once more.
    fn retry(&mut self, seat: u32, reason: String, cost: JudgeCost, out: &mut JudgeOutbox) {
        self.spend(seat, &cost);
        self.emit(JudgeEvent::Retried(SeatRetried { seat, reason, cost }), out);
        out.push(JudgeOutput::Effect(JudgeEffect::Ask { seat }));
    }

    /// Remembers what an attempt cost that is not the last one.
    fn spend(&mut self, seat: u32, cost: &JudgeCost) {
        if let Some(spent) = index(seat).and_then(|index| self.before.get_mut(index)) {
            *spent = spent.plus(cost);
        }
    }

    fn total(&self, seat: u32, cost: JudgeCost) -> JudgeCost {
        index(seat).and_then(|index| self.before.get(index)).map_or(cost, |before| before.plus(&cost))
    }

    fn judged(
        &mut self,
        seat: u32,
        answer: JudgeAnswer,
        claimed: Option<super::judgement::Dimensions>,
        cost: JudgeCost,
        now: Timestamp,
        out: &mut JudgeOutbox,
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

    fn absent(&mut self, seat: u32, reason: String, cost: JudgeCost, now: Timestamp, out: &mut JudgeOutbox) {
        let cost = self.total(seat, cost);
        self.emit(JudgeEvent::SeatAbsent(SeatAbsent { seat, reason, cost }), out);
        self.conclude(now, out);
    }

    /// Once no seat is waited for: what they say together.
    fn conclude(&mut self, now: Timestamp, out: &mut JudgeOutbox) {
        if !self.state.seats.iter().all(SeatState::is_done) {
            return;
        }
        let seats: Vec<JudgeSeat> = self.state.seats.iter().map(SeatState::seat).collect();
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
            for (record, seat) in panel.seats.iter_mut().zip(&self.state.seats) {
                record.cost = seat.cost();
            }
        }
        judgement
    }

    fn finish(&mut self, judgement: Judgement, out: &mut JudgeOutbox) {
        if let Some(note) = Redispatch::of(&judgement) {
            self.emit(JudgeEvent::Redispatch(note), out);
        }
        self.emit(JudgeEvent::Judged(RunJudged { judgement }), out);
    }

    /// A person's word. What is no verdict changes nothing; who puts it off leaves it as the panel did.
    fn decided(&mut self, answer: PersonsAnswer, by: String, out: &mut JudgeOutbox) {
        let Some(disputed) = &self.state.disputed else { return };
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
    standing: JudgeVerdict,
) -> Option<JudgeVerdict> {
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
