//! The machine: decides what an input means, and says it as events and effects.
//!
//! A pass goes like this: what can be measured is measured; then the critic is asked, who sees what was measured;
//! then every criterion gets its verdict; then the rule decides whether a person is asked, the document is changed,
//! another pass is made, or the run has come to its end.
//!
//! Every fact goes through [`CriticState::apply`], so a replay of the log ends in the same state. What the machine keeps
//! beside it (deadlines, answers that are not yet judged) matters only until a pass has its verdicts. So a run is taken up
//! again from its log alone: one that waits for a person with the answers, one that was cut off where its last pass was
//! left. A pass without verdicts is made again; one that has them is not.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};

use super::contents::Contents;
use super::criterion::{Criterion, CriterionId};
use super::event::{
    Absent, CriticEvent, CriticFailed, CriticInterrupted, CriticStarted, EvidenceSource, PassStarted,
    Reopened,
};
use super::evidence;
use super::port::{
    CheckResult, CriticAsk, CriticEffect, CriticInput, CriticLimits, CriticOutbox, CriticOutput, CriticSetup,
    DocumentMeasurement, Rejection,
};
use super::reading::{Raised, Said, Scenario};
use super::state::CriticState;
use super::verdict::{Deferral, Gap};
use crate::artifact::Blob;
use crate::event::{AgentNote, AgentNoteKind};
use crate::outcome::FailedCause;
use crate::unit::{Millis, Round};

/// How many notes of an agent about itself a log takes, its usage aside.
const MOST_NOTES: u32 = 200;

/// How many calls of tools are put down.
const MOST_TOOLS: u32 = 1_000;

/// The machine of the critic.
#[derive(Debug)]
pub struct Critic {
    pub(super) started: CriticStarted,
    pub(super) limits: CriticLimits,
    /// What earlier runs have put off, until the start.
    carried: Vec<Deferral>,
    pub(super) state: CriticState,
    pub(super) phase: Phase,
    total_deadline: Millis,
    step_deadline: Millis,
    pub(super) now: Millis,
    notes: u32,
    tools: u32,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Phase {
    Waiting,
    /// Nobody drives it since it was cut off in a pass, or after one.
    CutOff,
    /// These are being measured; the numbers say how often each was tried.
    Measuring(BTreeMap<(CriterionId, EvidenceSource), u32>),
    /// The critic is asked.
    Asking(Asking),
    /// The document is being changed, in this attempt.
    Fixing(u32),
    /// Nothing is being done: the machine is between two steps, within one input.
    Deciding,
    /// A person is asked.
    Escalated,
    Ended,
}

/// What is known of the critic's answer in this pass.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Asking {
    attempt: u32,
    failures: u32,
    /// What was sent back.
    pub(super) rejected: BTreeMap<CriterionId, Rejection>,
    pub(super) heard: Heard,
}

/// What the critic has said in this pass.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Heard {
    pub(super) verdicts: BTreeMap<CriterionId, Said>,
    pub(super) scenario: Option<Scenario>,
    pub(super) raised: BTreeMap<CriterionId, Raised>,
    /// What each criterion asks, in the words of its set.
    pub(super) questions: BTreeMap<CriterionId, String>,
    /// What the critic had before it.
    pub(super) contents: Option<Contents>,
    /// Why there is nothing, when there is nothing.
    pub(super) absent: Option<Gap>,
}

impl Critic {
    /// A run that waits for its start.
    pub fn new(setup: CriticSetup) -> Self {
        let CriticSetup { project, artifact, agent, fixer, set, document, auto, release, .. } = setup;
        let (holding, expired): (Vec<Deferral>, Vec<Deferral>) = setup
            .deferrals
            .into_iter()
            .partition(|deferral| deferral.holds(setup.started_at, release.as_deref()));
        let started = CriticStarted {
            project_id: project,
            artifact_id: artifact,
            agent,
            fixer,
            set: set.name,
            criteria: set.criteria,
            adversary: set.adversary,
            cap: set.cap.max(1),
            auto,
            document,
            started_at: setup.started_at,
            release,
            deferrals: holding,
        };
        Self {
            started,
            limits: setup.limits,
            carried: expired,
            state: CriticState::default(),
            phase: Phase::Waiting,
            total_deadline: Millis(u64::MAX),
            step_deadline: Millis(u64::MAX),
            now: Millis(0),
            notes: 0,
            tools: 0,
        }
    }

    /// A run that has begun and that nobody drives, from its log: it waits for a person, or was cut off. None for one that
    /// has not begun or has ended. One that was cut off goes on with [`CriticInput::Start`].
    pub fn resume(state: CriticState, limits: CriticLimits) -> Option<Self> {
        let started = state.started.clone().filter(|_| state.ended.is_none())?;
        let phase = if state.open_questions().next().is_some() { Phase::Escalated } else { Phase::CutOff };
        Some(Self {
            started,
            limits,
            carried: Vec::new(),
            state,
            phase,
            total_deadline: Millis(u64::MAX),
            step_deadline: Millis(u64::MAX),
            now: Millis(0),
            notes: 0,
            tools: 0,
        })
    }

    /// The state so far.
    pub fn state(&self) -> &CriticState {
        &self.state
    }

    /// Whether the terminal event is out.
    pub fn has_ended(&self) -> bool {
        self.phase == Phase::Ended
    }

    /// Whether it waits for a person.
    pub fn is_waiting(&self) -> bool {
        self.phase == Phase::Escalated
    }

    /// When to come back with [`CriticInput::Deadline`]. Ask again after every input. A person has all the time there is.
    pub fn deadline(&self) -> Option<Millis> {
        match self.phase {
            Phase::Measuring(_) | Phase::Asking(_) | Phase::Fixing(_) => {
                Some(self.step_deadline.min(self.total_deadline))
            }
            Phase::Waiting | Phase::CutOff | Phase::Deciding | Phase::Escalated | Phase::Ended => None,
        }
    }

    /// Takes an input at this moment of the run. What it means goes into the outbox, in order.
    pub fn handle(&mut self, input: CriticInput, now: Millis, out: &mut CriticOutbox) {
        self.now = self.now.max(now);
        match (&mut self.phase, input) {
            (Phase::Ended, _) => {}
            (_, CriticInput::Interrupt) => self.interrupt(out),
            (_, CriticInput::Broken(detail)) => self.fail(FailedCause::OrchestratorInternal, detail, out),
            (Phase::Waiting, CriticInput::Start) => self.start(out),
            (Phase::CutOff, CriticInput::Start) => self.go_on(out),
            (Phase::Measuring(_), CriticInput::Checked { criterion, result }) => {
                self.checked(&criterion, &result, out);
            }
            (Phase::Measuring(_), CriticInput::Measured { criterion, result }) => {
                self.measured(&criterion, result, out);
            }
            (Phase::Asking(_), CriticInput::Reviewed(reading)) => self.reviewed(reading, out),
            (Phase::Asking(_), CriticInput::CriticFailed { cause, detail }) => {
                self.critic_failed(cause, detail, out);
            }
            (Phase::Fixing(_), CriticInput::Fixed(report)) => self.fixed(report, out),
            (Phase::Fixing(_), CriticInput::FixFailed(detail)) => self.fix_failed(&detail, out),
            (Phase::Escalated, CriticInput::Answered { question, answer, by }) => {
                self.answered(question, answer, &by, out);
            }
            (Phase::Measuring(_) | Phase::Asking(_) | Phase::Fixing(_), CriticInput::Note(note)) => {
                self.note(note, out);
            }
            (Phase::Measuring(_) | Phase::Asking(_) | Phase::Fixing(_), CriticInput::Deadline) => {
                self.check_deadlines(out);
            }
            // What comes when nobody asked for it changes nothing: only evidence of the current pass counts.
            (
                Phase::Waiting
                | Phase::CutOff
                | Phase::Measuring(_)
                | Phase::Asking(_)
                | Phase::Fixing(_)
                | Phase::Deciding
                | Phase::Escalated,
                CriticInput::Start
                | CriticInput::Checked { .. }
                | CriticInput::Measured { .. }
                | CriticInput::Reviewed(_)
                | CriticInput::CriticFailed { .. }
                | CriticInput::Note(_)
                | CriticInput::Fixed(_)
                | CriticInput::FixFailed(_)
                | CriticInput::Answered { .. }
                | CriticInput::Deadline,
            ) => {}
        }
    }

    pub(super) fn emit(&mut self, event: CriticEvent, out: &mut CriticOutbox) {
        self.state.apply(&event);
        out.push(CriticOutput::Event(event));
    }

    pub(super) fn end(&mut self, terminal: CriticEvent, out: &mut CriticOutbox) {
        let busy = matches!(self.phase, Phase::Measuring(_) | Phase::Asking(_) | Phase::Fixing(_));
        self.emit(terminal, out);
        self.phase = Phase::Ended;
        if busy {
            out.push(CriticOutput::Effect(CriticEffect::Stop));
        }
    }

    /// The moment, as people count it.
    pub(super) fn moment(&self) -> Timestamp {
        let passed = i64::try_from(self.now.0).unwrap_or(i64::MAX);
        self.started.started_at.checked_add(SignedDuration::from_millis(passed)).unwrap_or(Timestamp::MAX)
    }

    pub(super) fn pass(&self) -> Round {
        self.state.last_pass().map_or(Round(0), |pass| pass.pass)
    }

    fn start(&mut self, out: &mut CriticOutbox) {
        self.total_deadline = self.now.after(self.limits.total);
        self.emit(CriticEvent::RunStarted(self.started.clone()), out);
        for deferral in std::mem::take(&mut self.carried) {
            self.emit(CriticEvent::Reopened(Reopened { deferral }), out);
        }
        self.begin_pass(out);
    }

    /// Goes on where the run was cut off. What the log says was said is not asked for again.
    fn go_on(&mut self, out: &mut CriticOutbox) {
        self.give_time();
        self.phase = Phase::Deciding;
        match self.state.last_pass() {
            Some(pass) if pass.fixed.is_some() || pass.has_verdicts() => self.after_pass(out),
            Some(_) | None => self.begin_pass(out),
        }
    }

    /// After a person has thought, the run has its time again.
    pub(super) fn give_time(&mut self) {
        self.total_deadline = self.now.after(self.limits.total);
    }

    pub(super) fn step_deadline_from_now(&mut self) {
        self.step_deadline = self.now.after(self.limits.step);
    }

    /// How long checks may take: as long as a step, unless one of them says longer.
    fn longest_check(&self) -> Millis {
        let own = self.started.criteria.iter().filter_map(|criterion| criterion.check.as_ref());
        let asked =
            own.chain(self.started.adversary.check.as_ref()).filter_map(|check| check.timeout_seconds);
        let longest = asked.max().map_or(Millis(0), |seconds| Millis(u64::from(seconds) * 1000));
        self.limits.step.max(longest)
    }

    pub(super) fn begin_pass(&mut self, out: &mut CriticOutbox) {
        let moment = self.moment();
        let release = self.started.release.as_deref();
        let expired: Vec<Deferral> = self
            .state
            .deferrals
            .iter()
            .filter(|deferral| !deferral.holds(moment, release))
            .cloned()
            .collect();
        for deferral in expired {
            self.emit(CriticEvent::Reopened(Reopened { deferral }), out);
        }
        let document: Blob = self.state.document().unwrap_or(&self.started.document).clone();
        // A pass that was cut off before its verdicts is made again.
        let pass = match self.state.last_pass() {
            Some(last) if !last.has_verdicts() => last.pass,
            Some(_) | None => self.pass().next(),
        };
        self.emit(CriticEvent::PassStarted(PassStarted { pass, document }), out);
        let mut left = BTreeMap::new();
        for criterion in &self.started.criteria {
            if criterion.check.is_some() {
                left.insert((criterion.id.clone(), EvidenceSource::Check), 1);
            }
            if criterion.measure.is_some() {
                left.insert((criterion.id.clone(), EvidenceSource::Measure), 1);
            }
        }
        if self.started.adversary.check.is_some() {
            left.insert((CriterionId::adversarial(), EvidenceSource::Check), 1);
        }
        self.step_deadline = self.now.after(self.longest_check());
        for (criterion, source) in left.keys() {
            self.order_measure(criterion, *source, out);
        }
        let nothing = left.is_empty();
        self.phase = Phase::Measuring(left);
        if nothing {
            self.ask_critic(out);
        }
    }

    /// The criterion of this name; for the failure scenario, one that stands for it.
    pub(super) fn criterion(&self, id: &CriterionId) -> Option<&Criterion> {
        self.started.criteria.iter().find(|criterion| criterion.id == *id)
    }

    fn order_measure(&self, id: &CriterionId, source: EvidenceSource, out: &mut CriticOutbox) {
        let criterion = self.criterion(id);
        let effect = match source {
            EvidenceSource::Check => {
                let check = criterion.map_or(self.started.adversary.check.as_ref(), |own| own.check.as_ref());
                check.map(|check| CriticEffect::RunCheck { criterion: id.clone(), check: check.clone() })
            }
            EvidenceSource::Measure => criterion
                .and_then(|own| own.measure)
                .map(|measure| CriticEffect::Measure { criterion: id.clone(), measure }),
        };
        out.extend(effect.map(CriticOutput::Effect));
    }

    fn checked(&mut self, id: &CriterionId, result: &CheckResult, out: &mut CriticOutbox) {
        let Some(tries) = self.tries(id, EvidenceSource::Check) else { return };
        if matches!(result, CheckResult::NotRun(_)) && tries <= self.limits.retries {
            self.try_again(id, EvidenceSource::Check, out);
            return;
        }
        let pass = self.pass();
        let criterion = self.criterion(id);
        let check = criterion.map_or(self.started.adversary.check.as_ref(), |own| own.check.as_ref());
        let Some(check) = check else { return };
        let bounds = criterion.map(|own| &own.bounds);
        let evidence = evidence::of_check(pass, id, check, bounds, result);
        self.emit(CriticEvent::Evidence(evidence), out);
        self.done_measuring(id, EvidenceSource::Check, out);
    }

    fn measured(
        &mut self,
        id: &CriterionId,
        result: Result<DocumentMeasurement, String>,
        out: &mut CriticOutbox,
    ) {
        let Some(tries) = self.tries(id, EvidenceSource::Measure) else { return };
        if result.is_err() && tries <= self.limits.retries {
            self.try_again(id, EvidenceSource::Measure, out);
            return;
        }
        let Some(criterion) = self.criterion(id) else { return };
        let evidence = evidence::of_measure(self.pass(), criterion, result);
        self.emit(CriticEvent::Evidence(evidence), out);
        self.done_measuring(id, EvidenceSource::Measure, out);
    }

    /// How often this was tried, if it is wanted.
    fn tries(&self, id: &CriterionId, source: EvidenceSource) -> Option<u32> {
        match &self.phase {
            Phase::Measuring(left) => left.get(&(id.clone(), source)).copied(),
            Phase::Waiting
            | Phase::CutOff
            | Phase::Asking(_)
            | Phase::Fixing(_)
            | Phase::Deciding
            | Phase::Escalated
            | Phase::Ended => None,
        }
    }

    fn try_again(&mut self, id: &CriterionId, source: EvidenceSource, out: &mut CriticOutbox) {
        if let Phase::Measuring(left) = &mut self.phase {
            *left.entry((id.clone(), source)).or_default() += 1;
        }
        self.order_measure(id, source, out);
    }

    fn done_measuring(&mut self, id: &CriterionId, source: EvidenceSource, out: &mut CriticOutbox) {
        if let Phase::Measuring(left) = &mut self.phase {
            left.remove(&(id.clone(), source));
            if left.is_empty() {
                self.ask_critic(out);
            }
        }
    }

    /// Asks the critic, if there is one and something that only a critic can say.
    fn ask_critic(&mut self, out: &mut CriticOutbox) {
        let wanted = self.wanted();
        if wanted.is_empty() {
            self.settle(&Heard::default(), out);
        } else if self.started.agent.is_none() {
            self.settle(&Heard { absent: Some(Gap::NoModel), ..Heard::default() }, out);
        } else {
            self.phase = Phase::Asking(Asking::default());
            self.ask_again(out);
        }
    }

    /// What only a critic can say.
    pub(super) fn wanted(&self) -> BTreeSet<CriterionId> {
        let adversary = self.started.adversary.check.is_none().then(CriterionId::adversarial);
        let criteria = self.started.criteria.iter().filter(|own| own.needs == super::Needs::Opinion);
        criteria.map(|own| own.id.clone()).chain(adversary).collect()
    }

    pub(super) fn ask_again(&mut self, out: &mut CriticOutbox) {
        let pass = self.pass();
        self.step_deadline_from_now();
        if let Phase::Asking(asking) = &mut self.phase {
            asking.attempt += 1;
            let rejected = asking.rejected.values().cloned().collect();
            out.push(CriticOutput::Effect(CriticEffect::AskCritic(CriticAsk {
                pass,
                attempt: asking.attempt,
                rejected,
            })));
        }
    }

    pub(super) fn critic_failed(&mut self, cause: FailedCause, detail: String, out: &mut CriticOutbox) {
        let pass = self.pass();
        let Phase::Asking(asking) = &mut self.phase else { return };
        asking.failures += 1;
        // What has cost too much costs no less the second time.
        let retried = asking.failures <= self.limits.retries && cause != FailedCause::BudgetExceeded;
        let absent = Absent { pass, attempt: asking.attempt, cause, detail, retried };
        self.emit(CriticEvent::Absent(absent), out);
        if retried {
            self.ask_again(out);
        } else if let Phase::Asking(asking) = &mut self.phase {
            // What it had said before it failed stays said; what was sent back has no answer.
            let mut heard = std::mem::take(&mut asking.heard);
            heard.absent = Some(Gap::CriticAbsent);
            self.settle(&heard, out);
        }
    }

    /// Notes are for whoever looks into the agent. One that retries for ever does not fill the log with it.
    fn note(&mut self, note: AgentNote, out: &mut CriticOutbox) {
        if note.kind == AgentNoteKind::Tool {
            // Each is in the log, as far as a log can hold what a model calls without end.
            self.tools += 1;
            if self.tools <= MOST_TOOLS {
                self.emit(CriticEvent::Agent(note), out);
            }
            return;
        }
        self.notes += 1;
        if self.notes <= MOST_NOTES || note.kind == AgentNoteKind::Usage {
            self.emit(CriticEvent::Agent(note), out);
        }
    }

    fn check_deadlines(&mut self, out: &mut CriticOutbox) {
        if self.now >= self.total_deadline {
            self.time_out(out);
            return;
        }
        if self.now < self.step_deadline {
            return;
        }
        let limit = self.limits.step;
        match &self.phase {
            Phase::Measuring(left) => {
                let late: Vec<_> = left.keys().cloned().collect();
                out.push(CriticOutput::Effect(CriticEffect::Stop));
                self.step_deadline = self.now.after(limit);
                for (id, source) in late {
                    self.give_up_measuring(&id, source, limit, out);
                }
            }
            Phase::Asking(_) => {
                out.push(CriticOutput::Effect(CriticEffect::Stop));
                self.critic_failed(FailedCause::Silent, format!("no answer within {limit}"), out);
            }
            Phase::Fixing(_) => {
                out.push(CriticOutput::Effect(CriticEffect::Stop));
                self.fix_failed(&format!("not done within {limit}"), out);
            }
            Phase::Waiting | Phase::CutOff | Phase::Deciding | Phase::Escalated | Phase::Ended => {}
        }
    }

    /// What took too long once is not tried again: it would take as long.
    fn give_up_measuring(
        &mut self,
        id: &CriterionId,
        source: EvidenceSource,
        limit: Millis,
        out: &mut CriticOutbox,
    ) {
        if let Phase::Measuring(left) = &mut self.phase {
            left.insert((id.clone(), source), u32::MAX);
        }
        let detail = format!("not done within {limit}");
        match source {
            EvidenceSource::Check => self.checked(id, &CheckResult::NotRun(detail), out),
            EvidenceSource::Measure => self.measured(id, Err(detail), out),
        }
    }

    fn interrupt(&mut self, out: &mut CriticOutbox) {
        let tally = self.state.tally();
        self.end(CriticEvent::Interrupted(CriticInterrupted { tally, recovery_reason: None }), out);
    }

    pub(super) fn fail(&mut self, cause: FailedCause, detail: String, out: &mut CriticOutbox) {
        let tally = self.state.tally();
        self.end(CriticEvent::Failed(CriticFailed { tally, cause, detail }), out);
    }
}
