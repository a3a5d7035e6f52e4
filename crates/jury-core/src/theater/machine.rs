//! The machine: decides what an input means, and says it as events and effects.
//!
//! It never reads its own events back: every fact goes through [`Board::apply`], so a replay of the log ends
//! in the same board. What it keeps beside the board (deadlines, a draft between two signals) is of no use
//! after the run and is not in the log.

use super::attempt::{Attempt, DeclaredScale, Sentences, Speaker};
use super::clock::Clock;
use super::fallback::Pass;
use super::held::Held;
use super::measuring::{Closing, Measuring};
use super::port::{
    ArtifactSource, Opening, Plan, RunBudget, TheaterEffect, TheaterInput, TheaterOutbox, TheaterOutput,
    TheaterSetup, Witness,
};
use super::{Board, Doubts, Evaluation};
use crate::artifact::Blob;
use crate::event::{
    AgentNote, AgentNoteKind, PanelistClose, PanelistDim, PanelistOpen, ParserWarning, RoundEnd, RunStarted,
    ShipStatus, TheaterEvent,
};
use crate::evidence::EvidenceMode;
use crate::outcome::{Decision, DegradedReason, FailedCause};
use crate::protocol::{Declared, RoundClaim, Signal};
use crate::role::Role;
use crate::score::{COMPOSITE_TOLERANCE, EPSILON, Score};
use crate::seat::PlayedBy;
use crate::settings::CritiqueConfig;
use crate::unit::{Bytes, Millis, Offset, Round};
use crate::warning::WarningKind;

/// How many notes of an agent about itself a log takes, its usage aside.
const MOST_NOTES: u32 = 200;

/// How many calls of tools are put down.
const MOST_TOOLS: u32 = 1_000;

/// How many warnings of one kind a log takes.
const MOST_WARNINGS: u32 = 100;

/// How many must-fixes that a panelist only counts a log takes for each review.
const MOST_UNWRITTEN: u32 = 9;

/// The machine of the theater.
#[derive(Debug)]
pub struct Theater {
    pub(super) config: CritiqueConfig,
    pub(super) subject: TheaterSetup,
    pub(super) plan: Plan,
    pub(super) board: Board,
    pub(super) started: RunStarted,
    pub(super) phase: Phase,
    pub(super) clock: Clock,
    /// Whether time ran out before the agent had said everything.
    pub(super) cut_off: bool,
    /// What is known of the agent's current attempt at an answer.
    pub(super) attempt: Attempt,
    /// What was measured and what is to be.
    pub(super) measuring: Measuring,
    /// How many notes the agent has made about itself.
    notes: u32,
    tools: u32,
    /// The moment of the input.
    pub(super) now: Millis,
    /// An agent was started and not yet ended.
    pub(super) speaking: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Phase {
    Waiting,
    Running,
    /// A round is over but for the measurement of its draft.
    Measuring(Closing),
    /// The run is over but for evidence that is owed.
    Owing(Box<TheaterEvent>),
    /// The artifact that is about to ship is being looked at.
    Linting(Candidate),
    /// The agent was asked once, without a panel.
    Fallback(Pass),
    Ended,
}

/// What is about to ship.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Candidate {
    pub(super) round: Round,
    pub(super) source: ArtifactSource,
    pub(super) blob: Option<Blob>,
    pub(super) summary: String,
}

impl Theater {
    /// A run that waits for its start.
    pub fn new(config: CritiqueConfig, subject: TheaterSetup) -> Self {
        let started = RunStarted {
            protocol_version: config.protocol_version,
            cast: config.cast.clone(),
            max_rounds: config.max_rounds,
            threshold: config.score_threshold,
            scale: config.score_scale,
            weights: config.weights,
            seats: config.seats.clone(),
            fallback_policy: config.fallback_policy,
            evidence: EvidenceMode::Off,
            project_id: subject.project.clone(),
            artifact_id: subject.artifact,
            agent: subject.agent.clone(),
        };
        Self {
            clock: Clock::new(&config),
            config,
            subject,
            plan: Plan {
                opening: Opening::Panel,
                generates: false,
                witness: Witness::Nobody,
                given: None,
                budget: RunBudget::default(),
            },
            board: Board::default(),
            started,
            phase: Phase::Waiting,
            cut_off: false,
            attempt: Attempt::default(),
            measuring: Measuring::default(),
            notes: 0,
            tools: 0,
            now: Millis(0),
            speaking: false,
        }
    }

    /// The same run by this plan. Without one there is a panel, nothing is made without a review, and nothing is measured.
    #[must_use]
    pub fn by(mut self, plan: Plan) -> Self {
        self.plan = plan;
        self.started.evidence = self.evidence_mode();
        self
    }

    /// The state so far.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whether the terminal event is out.
    pub fn has_ended(&self) -> bool {
        self.phase == Phase::Ended
    }

    /// Whether the panel is being listened to.
    pub fn has_panel(&self) -> bool {
        matches!(self.phase, Phase::Running | Phase::Measuring(_) | Phase::Owing(_))
    }

    /// Whether nothing goes on before [`TheaterInput::Measured`] comes. What the agent says until then is held back.
    pub fn is_measuring(&self) -> bool {
        matches!(self.phase, Phase::Measuring(_) | Phase::Owing(_))
    }

    /// When to come back with [`TheaterInput::Deadline`]. Ask again after every input.
    pub fn deadline(&self) -> Option<Millis> {
        match &self.phase {
            Phase::Running | Phase::Measuring(_) | Phase::Owing(_) | Phase::Fallback(_) => {
                Some(self.clock.next())
            }
            Phase::Waiting | Phase::Linting(_) | Phase::Ended => None,
        }
    }

    /// Takes an input at this moment of the run. What it means goes into the outbox, in order.
    pub fn handle(&mut self, input: TheaterInput<'_>, now: Millis, out: &mut TheaterOutbox) {
        self.now = now;
        if matches!(input, TheaterInput::Signal(_) | TheaterInput::Arrived(_)) {
            self.clock.heard(now);
        }
        match (&self.phase, input) {
            (_, TheaterInput::Arrived(part)) => self.clock.amid(part, now),
            (Phase::Waiting, TheaterInput::Start) => self.start(out),
            (Phase::Linting(_), TheaterInput::Linted(findings)) => self.linted(findings, out),
            (Phase::Running, TheaterInput::Signal(signal)) => self.signal(signal, now, out),
            (
                Phase::Running | Phase::Measuring(_) | Phase::Linting(_) | Phase::Owing(_),
                TheaterInput::Measured { digest, result },
            ) => self.measured(digest, *result, out),
            (Phase::Measuring(_), TheaterInput::Signal(signal)) => self.hold_back(Held::signal(signal)),
            (Phase::Measuring(_), TheaterInput::Fault(fault)) => self.hold_back(Held::Fault(fault)),
            (Phase::Measuring(_), TheaterInput::Ended { exit, fault }) => {
                self.hold_back(Held::Ended { exit, fault });
            }
            (Phase::Measuring(_), TheaterInput::Note(note)) => self.hold_back(Held::Note(note)),
            (Phase::Measuring(_), TheaterInput::AgentFailed { cause, detail }) => {
                self.hold_back(Held::AgentFailed { cause, detail });
            }
            (Phase::Running | Phase::Measuring(_), TheaterInput::Deadline) => self.check_deadlines(now, out),
            // How it ends is decided, and nothing changes it any more.
            (Phase::Owing(_), TheaterInput::Deadline | TheaterInput::Interrupt | TheaterInput::Broken(_)) => {
                self.stop_owing(out);
            }
            (Phase::Running, TheaterInput::Fault(fault)) => self.give_up(fault, out),
            (Phase::Running, TheaterInput::Ended { exit, fault }) => self.agent_ended(exit, fault, out),
            (Phase::Running, TheaterInput::Note(note)) => self.note(note, out),
            (Phase::Running, TheaterInput::AgentFailed { cause, detail }) => {
                self.agent_failed(cause, detail, out);
            }
            (Phase::Running, TheaterInput::NotStarted(detail)) => {
                self.fail(FailedCause::SpawnFailed, detail, out);
            }
            (Phase::Fallback(_), TheaterInput::Legacy { body: Some(body), .. }) => self.made(body, out),
            (Phase::Fallback(_), TheaterInput::Legacy { body: None, detail }) => {
                self.not_made(FailedCause::AgentError, &detail, out);
            }
            (Phase::Fallback(_), TheaterInput::AgentFailed { cause, detail }) => {
                self.not_made(cause, &detail, out);
            }
            (Phase::Fallback(_), TheaterInput::NotStarted(detail)) => {
                self.not_made(FailedCause::SpawnFailed, &detail, out);
            }
            (Phase::Fallback(_), TheaterInput::Deadline) => self.check_pass(now, out),
            (Phase::Fallback(_), TheaterInput::Note(note)) => self.note(note, out),
            (
                Phase::Running
                | Phase::Waiting
                | Phase::Measuring(_)
                | Phase::Linting(_)
                | Phase::Fallback(_),
                TheaterInput::Broken(detail),
            ) => {
                self.fail(FailedCause::OrchestratorInternal, detail, out);
            }
            (
                Phase::Running | Phase::Waiting | Phase::Measuring(_) | Phase::Fallback(_),
                TheaterInput::Interrupt,
            ) => {
                self.interrupt(out);
            }
            // Whatever comes after the end, or before the start, changes nothing.
            (
                Phase::Waiting
                | Phase::Running
                | Phase::Measuring(_)
                | Phase::Owing(_)
                | Phase::Linting(_)
                | Phase::Fallback(_)
                | Phase::Ended,
                TheaterInput::Start
                | TheaterInput::Signal(_)
                | TheaterInput::Fault(_)
                | TheaterInput::Ended { .. }
                | TheaterInput::Note(_)
                | TheaterInput::AgentFailed { .. }
                | TheaterInput::NotStarted(_)
                | TheaterInput::Deadline
                | TheaterInput::Interrupt
                | TheaterInput::Linted(_)
                | TheaterInput::Measured { .. }
                | TheaterInput::Legacy { .. }
                | TheaterInput::Broken(_),
            ) => {}
        }
    }

    fn start(&mut self, out: &mut TheaterOutbox) {
        self.phase = Phase::Running;
        self.clock.start(self.now);
        self.emit(TheaterEvent::RunStarted(self.started.clone()), out);
        match self.plan.opening.clone() {
            Opening::Panel => {
                self.speaking = true;
                out.push(TheaterOutput::Effect(TheaterEffect::StartAgent));
            }
            Opening::Refused(detail) => {
                self.degrade(DegradedReason::AdapterUnsupported, detail, None, out);
            }
            Opening::Off(why) => self.sit_out(why, out),
        }
    }

    pub(super) fn emit(&mut self, event: TheaterEvent, out: &mut TheaterOutbox) {
        self.board.apply(&event);
        out.push(TheaterOutput::Event(event));
    }

    /// Ends the run. A verdict waits for the evidence that is still owed; nothing else does.
    pub(super) fn end(&mut self, terminal: TheaterEvent, out: &mut TheaterOutbox) {
        self.let_out_notes(out);
        let verdict = matches!(&terminal, TheaterEvent::Ship(ship) if ship.status != ShipStatus::TimedOut)
            || matches!(&terminal, TheaterEvent::Degraded(_));
        if verdict && self.owes() && matches!(self.phase, Phase::Running) {
            self.hush(out);
            self.clock.close_round();
            self.phase = Phase::Owing(Box::new(terminal));
        } else {
            self.forgive(out);
            self.finish(terminal, out);
        }
    }

    pub(super) fn finish(&mut self, terminal: TheaterEvent, out: &mut TheaterOutbox) {
        self.emit(terminal, out);
        self.phase = Phase::Ended;
        self.hush(out);
    }

    fn stop_owing(&mut self, out: &mut TheaterOutbox) {
        if let Phase::Owing(terminal) = std::mem::replace(&mut self.phase, Phase::Running) {
            self.forgive(out);
            self.finish(*terminal, out);
        }
    }

    /// Has the agent ended, if there is one.
    pub(super) fn hush(&mut self, out: &mut TheaterOutbox) {
        if std::mem::take(&mut self.speaking) {
            out.push(TheaterOutput::Effect(TheaterEffect::StopAgent));
        }
    }

    pub(super) fn warn(
        &mut self,
        kind: WarningKind,
        position: Offset,
        role: Option<Role>,
        out: &mut TheaterOutbox,
    ) {
        // A restart is a fact that the board needs. Of everything else a hundred are enough to see what is
        // wrong, and an agent that prints nothing but trouble must not fill the log with it.
        let said = self.board.warnings.get(&kind).copied().unwrap_or_default();
        if said < MOST_WARNINGS || kind == WarningKind::Restarted {
            self.emit(TheaterEvent::ParserWarning(ParserWarning { kind, position, role }), out);
        }
    }

    /// Notes are for whoever looks into the agent. One that retries for ever does not fill the log with it.
    pub(super) fn note(&mut self, note: AgentNote, out: &mut TheaterOutbox) {
        if note.kind == AgentNoteKind::Tool {
            // Each is in the log, as far as a log can hold what a model calls without end.
            self.tools += 1;
            if self.tools <= MOST_TOOLS {
                self.emit(TheaterEvent::Agent(note), out);
            }
            return;
        }
        self.notes += 1;
        if self.notes <= MOST_NOTES || note.kind == AgentNoteKind::Usage {
            self.emit(TheaterEvent::Agent(note), out);
        }
    }

    fn signal(&mut self, signal: Signal<'_>, now: Millis, out: &mut TheaterOutbox) {
        match signal {
            Signal::RunOpened(declared) => self.compare_settings(declared, out),
            Signal::RoundOpened { round, declared } => self.round_opened(round, declared, now, out),
            Signal::PanelistOpened { round, role, position } => {
                self.panelist_opened(round, role, position, out);
            }
            Signal::Warning { kind: WarningKind::Restarted, position, role } => {
                self.warn(WarningKind::Restarted, position, role, out);
                self.owe_nothing();
                self.clock.restart();
                self.attempt = Attempt::default();
            }
            Signal::Warning { kind, position, role } => {
                // A dimension has a position of its own; the panelist's is that of its tag.
                let speaker = &mut self.attempt.speaker;
                speaker.clamped |= kind == WarningKind::ScoreClamped && position == speaker.position;
                self.warn(kind, position, role, out);
            }
            Signal::Dimension { .. }
            | Signal::MustFix { .. }
            | Signal::Artifact { .. }
            | Signal::PanelistClosed { .. }
                if self.attempt.speaker.dropped => {}
            Signal::Dimension { round, role, name, score, note } => {
                self.attempt.hear(note);
                let dim = PanelistDim {
                    round,
                    role,
                    dim_name: name.to_owned(),
                    dim_score: score,
                    dim_note: note.to_owned(),
                };
                self.emit(TheaterEvent::PanelistDim(dim), out);
            }
            Signal::MustFix { round, role, text } => {
                self.attempt.hear(text);
                self.must_fix(round, role, text, out);
            }
            Signal::Artifact { round, mime, body } => self.draft(round, mime, body, out),
            Signal::PanelistClosed { round, role, score, notes, unwritten } => {
                self.attempt.hear(notes);
                // What is counted and not written down is open all the same.
                for number in 1..=unwritten.min(MOST_UNWRITTEN) {
                    self.must_fix(
                        round,
                        role,
                        &format!("must-fix {number} of {unwritten}, without a text"),
                        out,
                    );
                }
                if unwritten == 0 {
                    self.say_refusals(round, role, notes, out);
                }
                self.panelist_closed(round, role, score, notes, out);
            }
            Signal::RoundClosed { round, claim, reason, bytes, position } => {
                self.round_closed(round, claim, reason, bytes, position, out);
            }
            Signal::Shipped { round, composite, artifact, summary, position } => {
                self.shipped(round, composite, artifact, summary, position, out);
            }
            Signal::RunClosed { position } => self.conclude(Some(position), out),
        }
    }

    fn panelist_opened(&mut self, round: Round, role: Role, position: Offset, out: &mut TheaterOutbox) {
        let spoke = self.board.round(round).is_some_and(|board| board.review(role).is_some());
        let cast = self.started.cast.contains(&role) && self.started.player(role) == PlayedBy::Agent;
        self.attempt.speaker = Speaker { position, dropped: spoke || !cast, ..Speaker::default() };
        if spoke {
            self.warn(WarningKind::DuplicateRole, position, Some(role), out);
        } else if cast {
            self.emit(TheaterEvent::PanelistOpen(PanelistOpen { round, role }), out);
        } else {
            self.warn(WarningKind::UnknownRole, position, Some(role), out);
        }
    }

    fn panelist_closed(
        &mut self,
        round: Round,
        role: Role,
        mut score: Option<Score>,
        notes: &str,
        out: &mut TheaterOutbox,
    ) {
        let Speaker { position, clamped, draft, .. } = std::mem::take(&mut self.attempt.speaker);
        if clamped && score.is_some_and(|score| score.0 > 0.0) {
            self.attempt.beyond_scale.push(role);
            // On a scale of the agent's own, the end of ours is not what the panelist meant.
            if self.attempt.scale != DeclaredScale::Ours {
                score = None;
                self.warn(WarningKind::ScoreUnusable, position, Some(role), out);
            }
        } else if score.is_none() && role == Role::Designer && self.started.weight(role) > 0.0 {
            // The parser expects no score of the one who drafts; these settings do.
            self.warn(WarningKind::ScoreUnusable, position, Some(role), out);
        }
        if score.is_some() {
            let board = self.board.round(round);
            let review = board.and_then(|board| board.review(role));
            let others: Vec<&super::Review> = board
                .into_iter()
                .flat_map(|board| &board.reviews)
                .filter(|other| other.role != role)
                .collect();
            // Who only measures says the same of the same for every seat.
            let others = if matches!(self.plan.witness, Witness::Panel) { &[] } else { others.as_slice() };
            let trouble = match Sentences::of(review, notes, others) {
                // A number alone is no review.
                Sentences::None | Sentences::Disclaimed | Sentences::Repeated if role != Role::Designer => {
                    Some(WarningKind::ScoreUnusable)
                }
                Sentences::Copied => Some(WarningKind::ExampleRepeated),
                Sentences::None | Sentences::Disclaimed | Sentences::Repeated | Sentences::Own => None,
            };
            if let Some(trouble) = trouble {
                score = None;
                self.warn(trouble, position, Some(role), out);
            }
        }
        let score = score.map(|score| self.no_better_than_its_parts(round, role, score));
        let close = PanelistClose { round, role, score, notes: notes.to_owned(), artifact: draft };
        self.emit(TheaterEvent::PanelistClose(close), out);
    }

    fn compare_settings(&mut self, declared: Declared, out: &mut TheaterOutbox) {
        let differs =
            |claimed: Option<f64>, ours: f64| claimed.is_some_and(|claimed| (claimed - ours).abs() > EPSILON);
        self.attempt.scale = DeclaredScale::of(declared.scale, self.started.scale.0);
        if differs(declared.max_rounds, f64::from(self.started.max_rounds))
            || differs(declared.threshold, self.started.threshold.0)
            || self.attempt.scale != DeclaredScale::Ours
        {
            self.warn(WarningKind::SettingMismatch, declared.position, None, out);
        }
    }

    fn round_opened(&mut self, round: Round, declared: Option<u32>, now: Millis, out: &mut TheaterOutbox) {
        if round.0 > self.started.max_rounds && !self.attempt.is_echo() {
            self.conclude(None, out);
            return;
        }
        self.attempt.declared_rounds.push(declared);
        self.attempt.beyond_scale.clear();
        self.attempt.unusable = None;
        self.clock.open_round(now);
    }

    pub(super) fn round_closed(
        &mut self,
        round: Round,
        claim: RoundClaim,
        note: &str,
        bytes: Bytes,
        position: Offset,
        out: &mut TheaterOutbox,
    ) {
        self.clock.close_round();
        self.attempt.hear(note);
        // The agent says the prompt over, with its example. It has not reviewed, and its answer may follow.
        if self.attempt.is_echo() {
            return;
        }
        // A round in which nobody spoke has no board yet; it is judged like any other.
        let empty =
            super::RoundBoard { round, reviews: Vec::new(), artifact: None, evidence: Vec::new(), end: None };
        let board = self.board.round(round).unwrap_or(&empty);
        if round == Round::FIRST && board.artifact.is_none() {
            let detail = match &self.attempt.unusable {
                Some(why) => format!("the <ARTIFACT> of the first round is no page: {why}"),
                None => "the first round has no <ARTIFACT> from the designer".to_owned(),
            };
            self.degrade(DegradedReason::MissingArtifact, detail, Some(position), out);
            return;
        }
        if self.waits_for_measurement(round, claim, note, bytes, position) {
            return;
        }
        self.say_measured_seats(round, out);
        self.testify(round, out);
        self.say_uncounted(round, claim, note, out);
        let board = self.board.round(round).unwrap_or(&empty);
        // Who is on another scale has not voted on ours, and one who gives it away speaks for all. On a larger one nobody needs
        // to: nine of a hundred looks like nine of ten.
        let Attempt { scale, beyond_scale, last_round_bytes, unusable, .. } = &self.attempt;
        let foreign = match scale {
            DeclaredScale::Ours => false,
            DeclaredScale::Smaller => !beyond_scale.is_empty(),
            DeclaredScale::Larger => true,
        };
        // What jury measured is on its own scale.
        let spoke = |role: &Role| self.started.player(*role) == PlayedBy::Agent;
        let all: Vec<Role> = self.started.cast.iter().copied().filter(spoke).collect();
        let doubted = if foreign { &all } else { beyond_scale };
        let doubts = Doubts { scores: doubted, artifact: unusable.as_deref() };
        let evaluation = Evaluation::of(board, &self.started, &self.board.ledger, doubts);
        let advised = self.advised(board);
        let grew = last_round_bytes.is_some_and(|before| bytes >= before);
        for role in &evaluation.missing {
            self.warn(WarningKind::MissingRole, position, Some(*role), out);
        }
        let knows = self.can_be_computed();
        let claimed_other = |claimed: Option<f64>, ours: f64, tolerance: f64| {
            claimed.is_some_and(|claimed| (claimed - ours).abs() > tolerance + EPSILON)
        };
        let troubles = [
            (!evaluation.quorum, WarningKind::QuorumMissed),
            (
                knows && claimed_other(claim.composite, evaluation.composite.0, COMPOSITE_TOLERANCE),
                WarningKind::CompositeMismatch,
            ),
            (
                claimed_other(claim.must_fix, f64::from(evaluation.asked), 0.0)
                    && claimed_other(claim.must_fix, f64::from(evaluation.asked + advised), 0.0),
                WarningKind::MustFixMismatch,
            ),
            (
                knows && claim.decision.is_some_and(|decision| decision != evaluation.decision),
                WarningKind::DecisionMismatch,
            ),
            (evaluation.decision == Decision::Continue && !evaluation.debate, WarningKind::WeakDebate),
            (grew, WarningKind::RoundGrew),
        ];
        for (_, kind) in troubles.into_iter().filter(|(applies, _)| *applies) {
            self.warn(kind, position, None, out);
        }
        self.attempt.last_round_bytes = Some(bytes);
        let end = RoundEnd {
            round,
            composite: evaluation.stored(&self.started),
            must_fix: evaluation.must_fix,
            quorum: evaluation.quorum,
            decision: evaluation.decision,
            reason: evaluation.reason(&self.started),
            note: note.to_owned(),
            bytes,
        };
        self.emit(TheaterEvent::RoundEnd(end), out);
        // The last round is over and none met the bar: nothing that the agent could still say, or fail to
        // say in time, changes that.
        if round.0 >= self.started.max_rounds && self.board.cleared_round().is_none() {
            self.conclude(Some(position), out);
        }
    }
}
