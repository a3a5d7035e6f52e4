//! The state: the state of a run as a fold of its log.
//!
//! [`CriticState::apply`] is the only function that changes it, live and in replay alike. Clocks are not facts and are not
//! here.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::criterion::{Criterion, CriterionId};
use super::event::{
    Absent, Adversarial, Answered, CriterionJudged, CriticEvent, CriticEvidence, CriticQueued, CriticStarted,
    CriticTally, Fixed, Noted, PassEnded, Rejected,
};
use super::outcome::CriticStatus;
use super::verdict::{Answer, CriterionVerdict, Deferral, Question};
use crate::artifact::Blob;
use crate::event::Usage;
use crate::finding::{FindingId, FindingState};
use crate::ledger::Ledger;
use crate::unit::Round;

/// Everything that is known about a run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CriticState {
    /// What was asked for.
    #[schema(required)]
    pub queued: Option<CriticQueued>,
    /// What is asked of the document; none before a worker took the run.
    #[schema(required)]
    pub started: Option<CriticStarted>,
    /// The passes so far.
    pub passes: Vec<PassState>,
    /// Every finding with its fate.
    pub ledger: Ledger<CriterionId>,
    /// How often each finding was seen to be fixed, for those that were.
    pub times_fixed: BTreeMap<FindingId, u32>,
    /// What is put off.
    pub deferrals: Vec<Deferral>,
    /// What had been put off and is open again.
    pub reopened: Vec<Deferral>,
    /// The questions to a person.
    pub questions: Vec<QuestionState>,
    /// How many more will be asked once those have their answers.
    pub more_questions: u32,
    /// How many fixes were applied.
    pub fixes: u32,
    /// What the agent used so far.
    pub usage: Usage,
    /// How often the last pass was begun again because the program that made it was gone.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub passes_cut_off: u32,
    /// The terminal event, once the run has ended.
    #[schema(required)]
    pub ended: Option<CriticEvent>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// What happened in one pass.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PassState {
    /// The number of the pass.
    pub pass: Round,
    /// The document that it is about.
    pub document: Blob,
    /// What was measured, in its order.
    pub evidence: Vec<CriticEvidence>,
    /// The attempts of the critic that failed.
    pub absences: Vec<Absent>,
    /// What was sent back to the critic.
    pub rejections: Vec<Rejected>,
    /// The verdicts, in the order of the answer.
    pub verdicts: Vec<CriterionJudged>,
    /// The failure scenario of this pass.
    #[schema(required)]
    pub adversarial: Option<Adversarial>,
    /// What was changed after it.
    #[schema(required)]
    pub fixed: Option<Fixed>,
    /// The end of the pass, once it has ended.
    #[schema(required)]
    pub end: Option<PassEnded>,
}

/// A question and its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuestionState {
    /// After which pass it was asked.
    pub pass: Round,
    /// The question as it was asked.
    pub question: Question,
    /// The answer, if there is one.
    #[schema(required)]
    pub answer: Option<Answered>,
}

impl CriticState {
    /// The state after these events.
    pub fn of<'a>(events: impl IntoIterator<Item = &'a CriticEvent>) -> Self {
        let mut state = Self::default();
        for event in events {
            state.apply(event);
        }
        state
    }

    /// Takes one event over. Total: an event that does not fit changes nothing that matters.
    pub fn apply(&mut self, event: &CriticEvent) {
        match event {
            CriticEvent::Queued(queued) => self.queued = Some(queued.clone()),
            CriticEvent::RunStarted(started) => {
                for deferral in &started.deferrals {
                    self.put_off(deferral, Round(0));
                }
                self.started = Some(started.clone());
            }
            CriticEvent::Reopened(reopened) => self.reopen(&reopened.deferral),
            CriticEvent::PassStarted(started) => {
                let again = self.passes.pop_if(|last| last.pass == started.pass && !last.has_verdicts());
                self.passes_cut_off = if again.is_some() { self.passes_cut_off + 1 } else { 0 };
                self.passes.push(PassState {
                    pass: started.pass,
                    document: started.document.clone(),
                    evidence: Vec::new(),
                    absences: Vec::new(),
                    rejections: Vec::new(),
                    verdicts: Vec::new(),
                    adversarial: None,
                    fixed: None,
                    end: None,
                });
            }
            CriticEvent::Evidence(evidence) => {
                if let Some(pass) = self.pass_mut(evidence.pass) {
                    pass.evidence.push(evidence.clone());
                }
            }
            CriticEvent::Agent(note) => {
                if let Some(usage) = note.usage {
                    self.usage = self.usage.plus(usage);
                }
            }
            CriticEvent::Absent(absent) => {
                if let Some(pass) = self.pass_mut(absent.pass) {
                    pass.absences.push(absent.clone());
                }
            }
            CriticEvent::Rejected(rejected) => {
                if let Some(pass) = self.pass_mut(rejected.pass) {
                    pass.rejections.push(rejected.clone());
                }
            }
            CriticEvent::Verdict(judged) => {
                self.noted(judged.pass, &judged.criterion, &judged.findings, judged.verdict.is_some());
                if let Some(deferral) = &judged.deferral {
                    self.put_off(deferral, judged.pass);
                }
                if let Some(pass) = self.pass_mut(judged.pass) {
                    pass.verdicts.push(judged.clone());
                }
            }
            CriticEvent::Adversarial(said) => {
                let id = CriterionId::adversarial();
                self.noted(said.pass, &id, &said.findings, said.realistic.is_some());
                if let Some(pass) = self.pass_mut(said.pass) {
                    pass.adversarial = Some(said.clone());
                }
            }
            CriticEvent::Fixed(fixed) => {
                self.fixes += u32::try_from(fixed.applied.len()).unwrap_or(u32::MAX);
                if let Some(pass) = self.pass_mut(fixed.pass) {
                    pass.fixed = Some(fixed.clone());
                }
            }
            CriticEvent::FixFailed(_) => {}
            CriticEvent::PassEnded(end) => {
                if let Some(pass) = self.pass_mut(end.pass) {
                    pass.end = Some(end.clone());
                }
            }
            CriticEvent::Escalated(escalated) => {
                self.more_questions = escalated.more;
                let pass = escalated.pass;
                self.questions.extend(escalated.questions.iter().map(|question| QuestionState {
                    pass,
                    question: question.clone(),
                    answer: None,
                }));
            }
            CriticEvent::Answered(answered) => {
                if let Some(deferral) = &answered.deferral {
                    let pass = self.passes.last().map_or(Round(0), |pass| pass.pass);
                    self.put_off(deferral, pass);
                }
                let asked = self
                    .questions
                    .iter_mut()
                    .find(|asked| asked.question.number == answered.question && asked.answer.is_none());
                if let Some(asked) = asked {
                    asked.answer = Some(answered.clone());
                }
            }
            CriticEvent::Converged(_)
            | CriticEvent::SafetyCap(_)
            | CriticEvent::Stopped(_)
            | CriticEvent::Inconclusive(_)
            | CriticEvent::Interrupted(_)
            | CriticEvent::Failed(_) => self.ended = Some(event.clone()),
        }
    }

    /// What was found on a criterion. What it had before and was not asked for again is fixed, if anybody looked.
    fn noted(&mut self, pass: Round, criterion: &CriterionId, findings: &[Noted], looked: bool) {
        for noted in findings {
            self.ledger.asked(&noted.finding, criterion, &noted.text, pass, noted.state);
        }
        if looked {
            let gone = self.ledger.round_ended(pass, std::slice::from_ref(criterion));
            // Only what a fix was made for has been fixed by it. A critic that merely changes its mind fixes nothing.
            let before = self.passes.iter().rev().find(|state| state.pass < pass);
            let mended = before
                .and_then(|state| state.fixed.as_ref())
                .is_some_and(|fixed| fixed.applied.contains(criterion));
            if mended {
                for finding in gone {
                    *self.times_fixed.entry(finding).or_default() += 1;
                }
            }
        }
    }

    fn put_off(&mut self, deferral: &Deferral, pass: Round) {
        if self.ledger.get(&deferral.finding).is_none() {
            self.ledger.asked(
                &deferral.finding,
                &deferral.criterion,
                &deferral.reason,
                pass,
                FindingState::Deferred,
            );
        }
        self.ledger.deferred(&deferral.finding, deferral.until);
        for measured in &deferral.also {
            self.ledger.deferred(measured, deferral.until);
        }
        self.deferrals.retain(|known| known.finding != deferral.finding);
        self.reopened.retain(|known| known.finding != deferral.finding);
        self.deferrals.push(deferral.clone());
    }

    fn reopen(&mut self, deferral: &Deferral) {
        self.deferrals.retain(|known| known.finding != deferral.finding);
        if self.ledger.get(&deferral.finding).is_none() {
            self.ledger.asked(
                &deferral.finding,
                &deferral.criterion,
                &deferral.reason,
                Round(0),
                FindingState::Open,
            );
        }
        self.ledger.reopened(&deferral.finding);
        self.reopened.push(deferral.clone());
    }

    fn pass_mut(&mut self, pass: Round) -> Option<&mut PassState> {
        self.passes.iter_mut().rev().find(|state| state.pass == pass)
    }

    /// The pass that goes on or was the last one.
    pub fn last_pass(&self) -> Option<&PassState> {
        self.passes.last()
    }

    /// How the run stands.
    pub fn status(&self) -> CriticStatus {
        match &self.ended {
            Some(event) => event.terminal().unwrap_or(CriticStatus::Failed),
            None if self.open_questions().next().is_some() => CriticStatus::Escalated,
            None => CriticStatus::Running,
        }
    }

    /// The questions that wait for an answer.
    pub fn open_questions(&self) -> impl Iterator<Item = &Question> {
        self.questions.iter().filter(|asked| asked.answer.is_none()).map(|asked| &asked.question)
    }

    /// The criterion of this name.
    pub fn criterion(&self, id: &CriterionId) -> Option<&Criterion> {
        self.started.as_ref()?.criteria.iter().find(|criterion| criterion.id == *id)
    }

    /// The document as it is now.
    pub fn document(&self) -> Option<&Blob> {
        let fixed =
            self.passes.iter().rev().find_map(|pass| pass.fixed.as_ref()).map(|fixed| &fixed.document);
        fixed.or_else(|| self.started.as_ref().map(|started| &started.document))
    }

    /// Findings that no pass before this one had.
    pub fn new_in(&self, pass: Round) -> usize {
        let is_one = |state| match state {
            FindingState::Open
            | FindingState::Fixed
            | FindingState::Regressed
            | FindingState::Deferred
            | FindingState::Escalated
            | FindingState::Known
            | FindingState::Waived
            | FindingState::Noted => true,
            FindingState::Refuted => false,
        };
        self.ledger.entries().filter(|(_, entry)| entry.first == pass && is_one(entry.state)).count()
    }

    /// How many criteria, the failure scenario among them, are not clean in the last pass. Before it has verdicts: all.
    fn open_in_last_pass(&self) -> u32 {
        let criteria = self.started.as_ref().map_or(0, |started| started.criteria.len()) + 1;
        let clean = self.passes.last().map_or(0, PassState::clean);
        u32::try_from(criteria.saturating_sub(clean)).unwrap_or(u32::MAX)
    }

    /// The run in figures.
    pub fn tally(&self) -> CriticTally {
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        CriticTally {
            passes: count(self.passes.len()),
            fixes: self.fixes,
            escalations: count(self.questions.len()),
            open: self.open_in_last_pass(),
            document: self.document().cloned(),
        }
    }
}

impl PassState {
    /// The verdict on this criterion.
    pub fn verdict(&self, id: &CriterionId) -> Option<&CriterionJudged> {
        self.verdicts.iter().find(|judged| judged.criterion == *id)
    }

    /// Whether everything that the critic and the measures had to say is judged. The failure scenario is judged last.
    pub fn has_verdicts(&self) -> bool {
        self.adversarial.is_some()
    }

    /// The criteria with this verdict.
    pub fn with(&self, verdict: CriterionVerdict) -> impl Iterator<Item = &CriterionJudged> {
        self.verdicts.iter().filter(move |judged| judged.verdict == Some(verdict))
    }

    /// How many criteria are clean, the failure scenario among them when it cannot happen.
    fn clean(&self) -> usize {
        let clean = |judged: &&CriterionJudged| judged.verdict.is_some_and(CriterionVerdict::is_clean);
        let harmless = self.adversarial.as_ref().is_some_and(|said| said.realistic == Some(false));
        self.verdicts.iter().filter(clean).count() + usize::from(harmless)
    }

    /// Whether the failure scenario can happen.
    pub fn is_realistic(&self) -> bool {
        self.adversarial.as_ref().is_some_and(|said| said.realistic == Some(true))
    }
}

impl QuestionState {
    /// What a person decided, as an order; none while there is no answer, and for a skip.
    pub fn decision(&self) -> Option<String> {
        match &self.answer.as_ref()?.answer {
            Answer::Option(number) => {
                let index = usize::try_from(*number).ok()?.checked_sub(1)?;
                let choice = self.question.options.get(index)?;
                Some(if choice.description.is_empty() {
                    choice.label.clone()
                } else {
                    format!("{}: {}", choice.label, choice.description)
                })
            }
            Answer::Text(text) => Some(text.clone()),
            Answer::Skip => None,
        }
    }
}
