//! What follows from a pass: the four conditions, questions to a person, fixes, and every way in which a run ends.
//!
//! A run has converged when every criterion is clean, the failure scenario cannot happen, nothing new was found, and
//! the last of several passes changed nothing. The last one holds by construction: a pass that needs a fix is never
//! the one that converges.

use std::collections::BTreeSet;

use super::counted::is_of_nothing;
use super::criterion::{CriterionId, DefaultAnswer};
use super::event::{
    Answered, Converged, CriticEvent, Escalated, EvidenceSource, FixFailed, Fixed, Inconclusive, PassEnded,
    SafetyCap, Stopped,
};
use super::evidence::CHECKED;
use super::machine::{Critic, Phase};
use super::options;
use super::outcome::{Churn, PassResult, StopReason};
use super::port::{CriticEffect, CriticOutbox, CriticOutput, FixOrder, FixReport, Fixer};
use super::verdict::{Answer, Basis, CriterionVerdict, Deferral, Gap, Question};
use crate::decision::NOBODY;
use crate::line;
use crate::unit::Round;

/// How many questions a person is asked at once.
pub const BATCH: usize = 3;

/// How many criteria are named in a sentence.
const MOST_NAMED: usize = 6;

impl Critic {
    /// The pass has its verdicts: a person first, if one is needed.
    pub(super) fn decide(&mut self, out: &mut CriticOutbox) {
        let questions = self.questions_left();
        if questions.is_empty() {
            self.act(out);
            return;
        }
        let items = count(questions.len());
        let reason = format!("{items} to be decided by a person");
        self.end_pass(PassResult::Escalate { items }, reason, out);
        self.ask_person(out);
    }

    /// Goes on behind a pass that has its verdicts: with its questions, with what follows from them, or with the next pass
    /// when the document was changed already.
    pub(super) fn after_pass(&mut self, out: &mut CriticOutbox) {
        let Some(pass) = self.state.last_pass() else { return };
        let (ended, applied) = (pass.end.is_some(), pass.fixed.as_ref().map(|fixed| fixed.applied.len()));
        match applied {
            Some(applied) => {
                if !ended {
                    let reason = format!("{} fixed: look again", self.left());
                    self.end_pass(PassResult::Continue { fixed: count(applied) }, reason, out);
                }
                self.begin_pass(out);
            }
            None if ended => self.ask_person(out),
            None => self.decide(out),
        }
    }

    /// The questions of the last pass that were not yet asked.
    fn questions_left(&self) -> Vec<Question> {
        let asked: BTreeSet<u32> = self.state.questions.iter().map(|asked| asked.question.number).collect();
        let pass = self.state.last_pass();
        let mut left: Vec<Question> = pass
            .into_iter()
            .flat_map(|pass| pass.with(CriterionVerdict::Escalate))
            .filter_map(|judged| judged.question.clone())
            .filter(|question| !asked.contains(&question.number))
            .collect();
        left.sort_by_key(|question| question.number);
        left
    }

    /// Asks the next few questions, and answers what is clear when that is wanted.
    fn ask_person(&mut self, out: &mut CriticOutbox) {
        loop {
            let mut questions = self.questions_left();
            if questions.is_empty() {
                self.give_time();
                self.act(out);
                return;
            }
            let rest = questions.split_off(questions.len().min(BATCH));
            let clear: Vec<(u32, Answer)> = questions
                .iter()
                .filter_map(|question| self.clear(question).map(|answer| (question.number, answer)))
                .collect();
            let asked = questions.len();
            let escalated = Escalated { pass: self.pass(), questions, more: count(rest.len()) };
            self.phase = Phase::Escalated;
            self.emit(CriticEvent::Escalated(escalated), out);
            let answered = clear.len();
            for (number, answer) in clear {
                self.record(number, answer, "auto", out);
            }
            if answered < asked {
                return;
            }
        }
    }

    /// The answer to a question that needs nobody: its criterion says so, or there is one way out.
    fn clear(&self, question: &Question) -> Option<Answer> {
        if !self.started.auto {
            return None;
        }
        let default = self.criterion(&question.criterion).and_then(|own| own.default_answer);
        match options::default_for(question, default) {
            Some(DefaultAnswer::Skip) => Some(Answer::Skip),
            Some(DefaultAnswer::Option(number)) => usize::try_from(number)
                .is_ok_and(|number| (1..=question.options.len()).contains(&number))
                .then_some(Answer::Option(number)),
            None => (question.options.len() == 1).then_some(Answer::Option(1)),
        }
    }

    pub(super) fn answered(&mut self, question: u32, answer: Answer, by: &str, out: &mut CriticOutbox) {
        let open = self.state.open_questions().find(|asked| asked.number == question);
        let fits = match (&answer, open) {
            (_, None) => false,
            (Answer::Option(number), Some(asked)) => {
                usize::try_from(*number).is_ok_and(|number| (1..=asked.options.len()).contains(&number))
            }
            (Answer::Text(text), Some(_)) => !text.trim().is_empty(),
            (Answer::Skip, Some(_)) => true,
        };
        // An answer to nothing, or one that is none, changes nothing.
        if !fits {
            return;
        }
        self.record(question, answer, by, out);
        if self.state.open_questions().next().is_none() {
            self.ask_person(out);
        }
    }

    fn has_default(&self, id: &CriterionId) -> bool {
        self.criterion(id).is_some_and(|own| own.default_answer.is_some())
    }

    fn record(&mut self, number: u32, answer: Answer, by: &str, out: &mut CriticOutbox) {
        let question = self.state.open_questions().find(|asked| asked.number == number);
        let deferral = question.filter(|_| answer == Answer::Skip).map(|question| Deferral {
            criterion: question.criterion.clone(),
            finding: question.finding.clone(),
            also: question.measured.clone(),
            reason: question.question.clone(),
            author: by.to_owned(),
            // What is answered without asking was decided by whoever wrote the criteria. That nobody answered in time
            // is no decision of anybody.
            by_person: by != NOBODY || self.has_default(&question.criterion),
            until: self.in_thirty_days(),
            release: self.started.release.clone(),
        });
        let answered = Answered { question: number, answer, by: by.to_owned(), deferral };
        self.emit(CriticEvent::Answered(answered), out);
    }

    /// Nobody is left to be asked: fix, go on, or end.
    fn act(&mut self, out: &mut CriticOutbox) {
        let Some(pass) = self.state.last_pass() else { return };
        let number = pass.pass;
        let gaps: Vec<(CriterionId, Gap)> = pass
            .verdicts
            .iter()
            .filter_map(|judged| judged.gap.map(|gap| (judged.criterion.clone(), gap)))
            .chain(
                pass.adversarial
                    .iter()
                    .filter_map(|said| said.gap.map(|gap| (CriterionId::adversarial(), gap))),
            )
            .collect();
        let decided =
            self.state.questions.iter().any(|asked| asked.pass == number && asked.decision().is_some());
        // What was skipped is put off from the next pass on.
        let unsettled = pass.with(CriterionVerdict::Escalate).next().is_some();
        let broken = pass.with(CriterionVerdict::Fail).next().is_some() || pass.is_realistic() || decided;
        if broken {
            self.mend(number, out);
        } else if !gaps.is_empty() {
            self.inconclusive(gaps, out);
        } else if unsettled || self.state.new_in(number) > 0 {
            if number.0 >= self.started.cap {
                self.cap(out);
            } else {
                let new = self.state.new_in(number);
                let reason = format!("all clean, but {new} not seen before: one more look");
                self.leave_pass(PassResult::Continue { fixed: 0 }, &reason, out);
                self.begin_pass(out);
            }
        } else if !self.has_looked() {
            self.vacuous(out);
        } else {
            let tally = self.state.tally();
            let (passes, fixes, escalations) = (tally.passes, tally.fixes, tally.escalations);
            let reason = "all four conditions hold".to_owned();
            self.end_pass(PassResult::Converged { passes, fixes, escalations }, reason, out);
            self.end(CriticEvent::Converged(Converged { fast: number == Round::FIRST, tally }), out);
        }
    }

    /// Has what is broken fixed, if that makes sense.
    fn mend(&mut self, pass: Round, out: &mut CriticOutbox) {
        if pass.0 >= self.started.cap {
            self.cap(out);
            return;
        }
        let twice = self.state.times_fixed.iter().find(|(_, times)| **times >= 2);
        if let Some((finding, _)) = twice {
            let text = self.state.ledger.get(finding).map_or("", |entry| entry.text.as_str());
            let what = format!("'{}' was fixed, came back and was fixed again", short(text));
            self.churn(Churn::FindingOscillates, &what, out);
            return;
        }
        let orders = self.orders();
        if orders.is_empty() {
            let what = match self.started.fixer {
                Fixer::Nobody => "nobody is to change the document",
                Fixer::Commands => "no fix command covers it",
                Fixer::Agent => "nothing can be ordered for it",
            };
            let detail = format!("{} left: {what}; fix it by hand and run again", self.left());
            self.stop(StopReason::Unfixable, None, detail, out);
            return;
        }
        self.phase = Phase::Fixing(1);
        self.step_deadline_from_now();
        out.push(CriticOutput::Effect(CriticEffect::Fix(orders)));
    }

    /// What is to be done to the document: by command where there is one, by the agent where there is none.
    fn orders(&self) -> Vec<FixOrder> {
        let Some(pass) = self.state.last_pass() else { return Vec::new() };
        let mut orders = Vec::new();
        let by_agent = self.started.fixer == Fixer::Agent;
        for judged in pass.with(CriterionVerdict::Fail) {
            let own = self.criterion(&judged.criterion).and_then(|own| own.fix.clone());
            let command = own.filter(|_| self.started.fixer != Fixer::Nobody);
            if command.is_some() || by_agent {
                let text = [judged.answer.as_str(), judged.fix.as_str()]
                    .into_iter()
                    .filter(|part| !part.is_empty())
                    .collect::<Vec<_>>()
                    .join(" → ");
                orders.push(FixOrder {
                    criterion: judged.criterion.clone(),
                    command,
                    text,
                    decision: None,
                    findings: judged.findings.iter().map(|noted| noted.finding.clone()).collect(),
                });
            }
        }
        let scenario = pass.adversarial.as_ref().filter(|_| pass.is_realistic() && by_agent);
        orders.extend(scenario.map(|said| FixOrder {
            criterion: CriterionId::adversarial(),
            command: None,
            text: format!("{} {}", said.scenario, said.rationale).trim().to_owned(),
            decision: None,
            findings: said.findings.iter().map(|noted| noted.finding.clone()).collect(),
        }));
        if by_agent {
            for asked in self.state.questions.iter().filter(|asked| asked.pass == pass.pass) {
                if let Some(decision) = asked.decision() {
                    orders.push(FixOrder {
                        criterion: asked.question.criterion.clone(),
                        command: None,
                        // The issue alone may say no more than "there are two".
                        text: format!("{} {}", asked.question.question, asked.question.issue)
                            .trim()
                            .to_owned(),
                        decision: Some(decision),
                        findings: vec![asked.question.finding.clone()],
                    });
                }
            }
        }
        orders
    }

    pub(super) fn fixed(&mut self, report: FixReport, out: &mut CriticOutbox) {
        let pass = self.pass();
        let ordered: BTreeSet<CriterionId> = self.orders().into_iter().map(|order| order.criterion).collect();
        let applied: BTreeSet<CriterionId> =
            report.applied.into_iter().filter(|id| ordered.contains(id)).collect();
        if applied.is_empty() {
            self.fix_failed("nothing of what was ordered was done", out);
            return;
        }
        let before = self.state.document().map(|document| document.sha256);
        let seen = self.state.passes.iter().any(|own| own.document.sha256 == report.document.sha256);
        let back = self.back_and_forth(&report.changes);
        let unchanged = before == Some(report.document.sha256);
        let fixed = count(applied.len());
        let event = Fixed {
            pass,
            document: report.document,
            applied: applied.into_iter().collect(),
            changes: report.changes,
            summary: report.summary,
        };
        self.emit(CriticEvent::Fixed(event), out);
        self.phase = Phase::Deciding;
        if unchanged {
            self.churn(Churn::DocumentUnchanged, "the fix left the document as it was", out);
        } else if seen {
            self.churn(Churn::DocumentSeenBefore, "the fix brought an earlier document back", out);
        } else if let Some(place) = back {
            let what = format!("'{}' has again the words that an earlier fix had changed", short(&place));
            self.churn(Churn::PlaceBackAndForth, &what, out);
        } else {
            let reason = format!("{} fixed: look again", self.left());
            // A pass that asked a person has its result; its fixes belong to the answers.
            if self.state.last_pass().is_some_and(|own| own.end.is_none()) {
                self.end_pass(PassResult::Continue { fixed }, reason, out);
            }
            self.begin_pass(out);
        }
    }

    /// A place that this fix gives the words that it had before an earlier fix.
    fn back_and_forth(&self, changes: &[super::DocumentChange]) -> Option<String> {
        let earlier: Vec<&super::DocumentChange> = self
            .state
            .passes
            .iter()
            .filter_map(|pass| pass.fixed.as_ref())
            .flat_map(|fixed| &fixed.changes)
            .collect();
        let back = |change: &&super::DocumentChange| {
            earlier.iter().any(|old| old.place == change.place && old.before == change.after)
        };
        changes.iter().find(back).map(|change| change.place.clone())
    }

    pub(super) fn fix_failed(&mut self, detail: &str, out: &mut CriticOutbox) {
        let pass = self.pass();
        let Phase::Fixing(attempt) = self.phase else { return };
        let retried = attempt <= self.limits.retries;
        self.emit(
            CriticEvent::FixFailed(FixFailed { pass, attempt, detail: detail.to_owned(), retried }),
            out,
        );
        if retried {
            self.phase = Phase::Fixing(attempt.saturating_add(1));
            self.step_deadline_from_now();
            out.push(CriticOutput::Effect(CriticEffect::Fix(self.orders())));
        } else {
            self.phase = Phase::Deciding;
            let detail = format!("{} left: {detail}; fix it by hand and run again", self.left());
            self.stop(StopReason::FixFailed, None, detail, out);
        }
    }

    fn end_pass(&mut self, result: PassResult, reason: String, out: &mut CriticOutbox) {
        let pass = self.pass();
        let open = self.state.tally().open;
        let new_findings = count(self.state.new_in(pass));
        self.emit(CriticEvent::PassEnded(PassEnded { pass, result, open, new_findings, reason }), out);
    }

    /// Ends the pass in these words, unless it has its result already.
    fn leave_pass(&mut self, result: PassResult, reason: &str, out: &mut CriticOutbox) {
        if self.state.last_pass().is_some_and(|pass| pass.end.is_none()) {
            self.end_pass(result, reason.to_owned(), out);
        }
    }

    fn cap(&mut self, out: &mut CriticOutbox) {
        let cap = self.started.cap;
        let passes = line::counted(cap, "pass", "passes");
        let detail = format!("{} left after {passes}; review it by hand", self.left());
        self.leave_pass(PassResult::SafetyCap, &detail, out);
        let tally = self.state.tally();
        self.end(CriticEvent::SafetyCap(SafetyCap { tally, detail }), out);
    }

    fn churn(&mut self, churn: Churn, what: &str, out: &mut CriticOutbox) {
        self.stop(StopReason::Churn, Some(churn), format!("{what}: {}", churn.advice()), out);
    }

    fn stop(&mut self, reason: StopReason, churn: Option<Churn>, detail: String, out: &mut CriticOutbox) {
        let word = churn.map_or(reason.as_str(), Churn::as_str).to_owned();
        let open = self.state.tally().open;
        self.leave_pass(PassResult::NotConverged { open, reason: word }, &detail, out);
        let tally = self.state.tally();
        self.end(CriticEvent::Stopped(Stopped { tally, reason, churn, detail }), out);
    }

    /// Whether anything at all was looked at in the last pass. One criterion may have nothing to look at, as links have in a
    /// document without any; a pass in which none had anything says nothing about the document.
    fn has_looked(&self) -> bool {
        let Some(pass) = self.state.last_pass() else { return false };
        let measured = pass.evidence.iter().any(|own| {
            !own.criterion.is_adversarial()
                && match own.source {
                    EvidenceSource::Check => own.exit.is_some(),
                    EvidenceSource::Measure => own.figures.get(CHECKED).is_some_and(|checked| *checked > 0.0),
                }
        });
        let judged = pass.verdicts.iter().any(|own| match own.basis {
            Basis::Person => true,
            Basis::Opinion => own.verdict == Some(CriterionVerdict::Pass) && !is_of_nothing(&own.answer),
            Basis::Measured => false,
        });
        measured || judged
    }

    /// Every criterion is clean, and none of them has looked at anything.
    fn vacuous(&mut self, out: &mut CriticOutbox) {
        let mut criteria: Vec<CriterionId> = self.started.criteria.iter().map(|own| own.id.clone()).collect();
        criteria.sort();
        let detail = if criteria.is_empty() {
            "there are no criteria, so nothing was reviewed: name a set that has some".to_owned()
        } else {
            format!("nothing was reviewed: {} had nothing to look at in this document", named(&criteria))
        };
        self.end_inconclusive(Gap::CheckAbsent, criteria, detail, out);
    }

    fn inconclusive(&mut self, gaps: Vec<(CriterionId, Gap)>, out: &mut CriticOutbox) {
        let gap = gaps.iter().map(|(_, gap)| *gap).min().unwrap_or(Gap::NoVerdict);
        let mut criteria: Vec<CriterionId> = gaps.into_iter().map(|(id, _)| id).collect();
        criteria.sort();
        // A check says best why it did not run. Which of several ended first is chance.
        let silent = self.state.last_pass().into_iter().flat_map(|pass| &pass.evidence);
        let silent = silent.filter(|own| own.passed.is_none() && !own.summary.is_empty());
        let said = silent.min_by(|one, two| one.criterion.cmp(&two.criterion));
        let named = named(&criteria);
        let detail = match said {
            Some(said) if gap == Gap::CheckAbsent => format!("{}; no verdict on {named}", said.summary),
            Some(_) | None => format!("no verdict on {named}: {}", gap.remedy()),
        };
        self.end_inconclusive(gap, criteria, detail, out);
    }

    fn end_inconclusive(
        &mut self,
        gap: Gap,
        criteria: Vec<CriterionId>,
        detail: String,
        out: &mut CriticOutbox,
    ) {
        let open = self.state.tally().open;
        self.leave_pass(PassResult::NotConverged { open, reason: gap.to_string() }, &detail, out);
        let tally = self.state.tally();
        self.end(CriticEvent::Inconclusive(Inconclusive { tally, gap, criteria, detail }), out);
    }

    pub(super) fn time_out(&mut self, out: &mut CriticOutbox) {
        let gap = Gap::TimedOut;
        let detail = format!("the run took longer than {}: {}", self.limits.total, gap.remedy());
        let criteria = self.without_verdict();
        let tally = self.state.tally();
        self.end(CriticEvent::Inconclusive(Inconclusive { tally, gap, criteria, detail }), out);
    }

    fn without_verdict(&self) -> Vec<CriterionId> {
        let pass = self.state.last_pass();
        let has = |id: &CriterionId| {
            pass.and_then(|pass| pass.verdict(id)).is_some_and(|judged| judged.verdict.is_some())
        };
        let mut left: Vec<CriterionId> =
            self.started.criteria.iter().map(|own| own.id.clone()).filter(|id| !has(id)).collect();
        left.sort();
        left
    }

    /// What is not clean, in words.
    fn left(&self) -> String {
        let Some(pass) = self.state.last_pass() else { return "everything".to_owned() };
        let mut left: Vec<CriterionId> = pass
            .verdicts
            .iter()
            .filter(|judged| !judged.verdict.is_some_and(CriterionVerdict::is_clean))
            .map(|judged| judged.criterion.clone())
            .collect();
        if pass.adversarial.as_ref().is_none_or(|said| said.realistic != Some(false)) {
            left.push(CriterionId::adversarial());
        }
        left.sort();
        if left.is_empty() { "nothing but what is new".to_owned() } else { named(&left) }
    }
}

fn named(criteria: &[CriterionId]) -> String {
    let first: Vec<&str> = criteria.iter().take(MOST_NAMED).map(CriterionId::as_str).collect();
    let more = criteria.len().saturating_sub(MOST_NAMED);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{rest}", first.join(", "))
}

fn short(text: &str) -> String {
    line::fitted(text, 80)
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
