//! A pass: what the critic said and what was measured become one verdict per criterion.
//!
//! What is measured beats what is said. A failing check cannot be passed or put off by a critic; a passing one that
//! needs no opinion refutes whoever sees a defect there. An answer without its evidence is sent back once.

use std::cmp::Reverse;

use super::criterion::{Criterion, CriterionId, Needs};
use super::event::{Adversarial, CriterionJudged, CriticEvent, CriticEvidence, Noted, Rejected};
use super::evidence::{one_line, spot_line};
use super::machine::{Asking, Critic, Heard, Phase};
use super::options::{self, GIVES_NONE};
use super::port::Rejection;
use super::reading::{CriticAnswer, Raised, Said, Scenario};
use super::trouble::{asks, is_bearable, rejection, trouble};
use super::verdict::{Basis, Choice, CriterionVerdict, DEFERRED_FOR, Deferral, Gap, Question};
use crate::finding::{FindingId, FindingState};
use crate::legible::has_words;
use crate::outcome::FailedCause;

/// What the identity of a critic's DEFER is made of: a reason that is worded anew is not a new matter.
const DEFERRED: &str = "deferred";

/// Why a person is asked, when the critic has asked and was silent about that.
const NO_REASON: &str = "the critic does not say";

/// How many concerns beside one verdict are kept, and how many options of one question: what a critic prints without
/// end must not fill the log.
const MOST_CONCERNS: usize = 20;
const MOST_OPTIONS: usize = 9;

impl Critic {
    pub(super) fn reviewed(&mut self, reading: CriticAnswer, out: &mut super::CriticOutbox) {
        if reading.verdicts.is_empty() && reading.scenario.is_none() {
            let detail = "the answer has no verdict that can be read".to_owned();
            self.critic_failed(FailedCause::AgentError, detail, out);
            return;
        }
        let wanted = self.wanted();
        let pass = self.pass();
        let known = |id: &CriterionId| self.started.criteria.iter().any(|own| own.id == *id);
        let verdicts: Vec<Said> =
            reading.verdicts.into_iter().filter(|said| known(&said.criterion)).collect();
        let questions =
            self.started.criteria.iter().map(|own| (own.id.clone(), own.question.clone())).collect();
        let Phase::Asking(asking) = &mut self.phase else { return };
        asking.heard.questions = questions;
        asking.heard.contents = reading.contents;
        hear(asking, verdicts, reading.scenario, reading.escalations);
        let heard = asking.heard.clone();
        if asking.rejected.is_empty() {
            let rejections: Vec<Rejection> =
                wanted.iter().filter_map(|id| trouble(id, &heard).map(|gap| rejection(id, gap))).collect();
            if !rejections.is_empty() {
                for Rejection { criterion, gap, reason } in &rejections {
                    let (criterion, reason) = (criterion.clone(), reason.clone());
                    let rejected = Rejected { pass, criterion, gap: *gap, reason };
                    self.emit(CriticEvent::Rejected(rejected), out);
                }
                if let Phase::Asking(asking) = &mut self.phase {
                    asking.rejected = rejections
                        .into_iter()
                        .map(|rejection| (rejection.criterion.clone(), rejection))
                        .collect();
                }
                self.ask_again(out);
                return;
            }
        }
        self.settle(&heard, out);
    }

    /// Every criterion gets its verdict, and the rule decides.
    pub(super) fn settle(&mut self, heard: &Heard, out: &mut super::CriticOutbox) {
        self.phase = Phase::Deciding;
        let mut judged: Vec<CriterionJudged> =
            self.started.criteria.iter().map(|criterion| self.judge(criterion, heard)).collect();
        self.number(&mut judged);
        for verdict in judged {
            self.emit(CriticEvent::Verdict(verdict), out);
        }
        let adversarial = self.scenario(heard);
        self.emit(CriticEvent::Adversarial(adversarial), out);
        self.decide(out);
    }

    /// Numbers the questions: what matters most comes first, in whatever order the criteria stand.
    fn number(&self, judged: &mut [CriterionJudged]) {
        let asked = self.state.questions.iter().map(|asked| asked.question.number).max().unwrap_or_default();
        let rank = |question: &Question| {
            let own = self.criterion(&question.criterion);
            let severity = own.map(|own| Reverse(own.severity));
            (severity, own.map_or(0.0, |own| -own.weight), question.criterion.clone())
        };
        let mut questions: Vec<&mut Question> =
            judged.iter_mut().filter_map(|judged| judged.question.as_mut()).collect();
        questions.sort_by(|one, two| {
            let (one, two) = (rank(one), rank(two));
            one.0.cmp(&two.0).then(one.1.total_cmp(&two.1)).then(one.2.cmp(&two.2))
        });
        for (question, number) in questions.into_iter().zip(asked.saturating_add(1)..) {
            question.number = number;
        }
    }

    fn judge(&self, criterion: &Criterion, heard: &Heard) -> CriterionJudged {
        let id = &criterion.id;
        let evidence: Vec<&CriticEvidence> = self.evidence_for(id);
        let said = heard.verdicts.get(id);
        let verdict = said.and_then(|said| said.verdict);
        let failed: Vec<&&CriticEvidence> = evidence.iter().filter(|own| own.passed == Some(false)).collect();
        let summary = evidence.iter().map(|own| own.summary.as_str()).collect::<Vec<_>>().join("; ");
        if !failed.is_empty() {
            let mut findings: Vec<Noted> =
                failed.iter().flat_map(|own| self.measured_findings(criterion, own)).collect();
            if let Some(deferral) = self.put_off_by_person(id, &findings) {
                return CriterionJudged {
                    basis: Basis::Person,
                    overruled: verdict.filter(|verdict| *verdict != CriterionVerdict::Defer),
                    ..self.deferred(id, summary, deferral)
                };
            }
            if verdict == Some(CriterionVerdict::Escalate) && criterion.needs == Needs::Opinion {
                return self.escalated_failure(criterion, said, heard, &summary, findings);
            }
            let fix = said.filter(|_| verdict == Some(CriterionVerdict::Fail)).map(|said| {
                findings.extend(self.said_findings(said));
                said.detail.clone()
            });
            let places = failed.iter().flat_map(|own| own.places.iter().map(spot_line)).collect::<Vec<_>>();
            return CriterionJudged {
                verdict: Some(CriterionVerdict::Fail),
                basis: Basis::Measured,
                fix: joined(&[&places.join("; "), fix.as_deref().unwrap_or_default()]),
                overruled: verdict.filter(|verdict| *verdict != CriterionVerdict::Fail),
                findings: unique(findings),
                ..self.nothing(id, summary)
            };
        }
        let absent = evidence.iter().any(|own| own.passed.is_none());
        let nothing_measured = evidence.is_empty() && criterion.needs == Needs::Measure;
        if (absent || nothing_measured) && verdict != Some(CriterionVerdict::Fail) {
            let answer = if nothing_measured { "nothing was measured".to_owned() } else { summary };
            return CriterionJudged { gap: Some(Gap::CheckAbsent), ..self.nothing(id, answer) };
        }
        if absent || nothing_measured {
            // A FAIL counts without the measurement; anything that would let it pass does not.
            let judged = self.by_opinion(criterion, said, heard);
            return if judged.verdict.is_some_and(CriterionVerdict::is_clean) {
                CriterionJudged { gap: Some(Gap::CheckAbsent), ..self.nothing(id, summary) }
            } else {
                judged
            };
        }
        match criterion.needs {
            Needs::Measure => {
                let refuted = said.filter(|_| verdict == Some(CriterionVerdict::Fail)).map(|said| {
                    self.said_findings(said)
                        .into_iter()
                        .map(|noted| Noted { state: FindingState::Refuted, ..noted })
                        .collect()
                });
                CriterionJudged {
                    verdict: Some(CriterionVerdict::Pass),
                    basis: Basis::Measured,
                    overruled: verdict.filter(|verdict| *verdict != CriterionVerdict::Pass),
                    findings: refuted.unwrap_or_default(),
                    ..self.nothing(id, summary)
                }
            }
            Needs::Opinion => self.by_opinion(criterion, said, heard),
        }
    }

    /// A person is asked about something that fails by measure, and sees what was measured.
    fn escalated_failure(
        &self,
        criterion: &Criterion,
        said: Option<&Said>,
        heard: &Heard,
        summary: &str,
        findings: Vec<Noted>,
    ) -> CriterionJudged {
        let mut judged = self.by_opinion(criterion, said, heard);
        // What a person put off was something else: nobody has seen this measurement and let it pass. And without a
        // question there is nobody to wait for.
        if judged.verdict.is_none_or(|verdict| verdict == CriterionVerdict::Defer) {
            return CriterionJudged {
                verdict: Some(CriterionVerdict::Fail),
                basis: Basis::Measured,
                overruled: Some(CriterionVerdict::Escalate),
                findings: unique(findings),
                ..self.nothing(&criterion.id, summary.to_owned())
            };
        }
        judged.answer = joined(&[summary, &judged.answer]);
        if let Some(question) = &mut judged.question {
            question.issue = joined(&[summary, &question.issue]);
            question.measured = findings.iter().map(|noted| noted.finding.clone()).collect();
        }
        judged.findings.extend(findings);
        judged.findings = unique(std::mem::take(&mut judged.findings));
        judged
    }

    /// The verdict of the critic, as far as it can be used.
    fn by_opinion(&self, criterion: &Criterion, said: Option<&Said>, heard: &Heard) -> CriterionJudged {
        let id = &criterion.id;
        let Some(said) = said else {
            let gap = heard.absent.unwrap_or(Gap::NoVerdict);
            return CriterionJudged { gap: Some(gap), ..self.nothing(id, String::new()) };
        };
        let gap = trouble(id, heard).filter(|gap| !is_bearable(*gap, said.verdict) || !asks(id, heard));
        let (Some(verdict), None) = (said.verdict, gap) else {
            let gap = gap.unwrap_or(Gap::NoVerdict);
            return CriterionJudged { gap: Some(gap), ..self.nothing(id, said.answer.clone()) };
        };
        let base = CriterionJudged {
            verdict: Some(verdict),
            basis: Basis::Opinion,
            ..self.nothing(id, said.answer.clone())
        };
        match verdict {
            CriterionVerdict::Pass => CriterionJudged { findings: self.said_findings(said), ..base },
            CriterionVerdict::Fail => {
                let findings = self.said_findings(said);
                match self.put_off_by_person(id, &findings) {
                    Some(deferral) => CriterionJudged {
                        overruled: Some(CriterionVerdict::Fail),
                        ..self.deferred(id, said.answer.clone(), deferral)
                    },
                    None => CriterionJudged { fix: said.detail.clone(), findings, ..base },
                }
            }
            CriterionVerdict::Defer => {
                let finding = FindingId::of(id.as_str(), DEFERRED);
                if self.state.reopened.iter().any(|deferral| deferral.finding == finding) {
                    return self.expired(criterion, said, finding);
                }
                let known = self.state.deferrals.iter().find(|deferral| deferral.finding == finding);
                let deferral = known.cloned().unwrap_or_else(|| Deferral {
                    criterion: id.clone(),
                    finding,
                    also: Vec::new(),
                    reason: said.detail.clone(),
                    author: self.started.agent.as_ref().map_or_else(String::new, ToString::to_string),
                    by_person: false,
                    until: self.in_thirty_days(),
                    release: self.started.release.clone(),
                });
                self.deferred(id, said.answer.clone(), deferral)
            }
            CriterionVerdict::Escalate => self.escalated(criterion, said, heard.raised.get(id)),
        }
    }

    /// A question, unless a person has already said something about it.
    fn escalated(&self, criterion: &Criterion, said: &Said, raised: Option<&Raised>) -> CriterionJudged {
        let id = &criterion.id;
        let own = |text: &str, instead: &str| {
            if has_words(text) { one_line(text) } else { instead.to_owned() }
        };
        let asked = raised.map_or("", |raised| raised.question.as_str());
        let asked = own(asked, &own(&said.detail, &own(&said.question, &criterion.question)));
        let finding = FindingId::of(id.as_str(), anchor(&asked));
        let base = self.nothing(id, said.answer.clone());
        // "Leave it as it is" was said of the criterion, in whatever words it is asked about again.
        let put_off =
            self.state.deferrals.iter().find(|deferral| deferral.criterion == *id && deferral.by_person);
        if let Some(deferral) = put_off {
            return CriterionJudged {
                overruled: Some(CriterionVerdict::Escalate),
                ..self.deferred(id, said.answer.clone(), deferral.clone())
            };
        }
        let decided = self.state.questions.iter().rev().find(|asked| asked.question.finding == finding);
        if let Some(decision) = decided.and_then(super::QuestionState::decision) {
            let text = format!("{asked} It was decided: {decision}");
            let state = self.state.ledger.state_when_asked(&finding);
            return CriterionJudged {
                verdict: Some(CriterionVerdict::Fail),
                basis: Basis::Person,
                fix: decision,
                overruled: Some(CriterionVerdict::Escalate),
                findings: vec![Noted { finding, state, text }],
                ..base
            };
        }
        let issue = own(raised.map_or("", |raised| raised.issue.as_str()), &own(&said.answer, &asked));
        let why = own(raised.map_or("", |raised| raised.why.as_str()), &own(&said.detail, NO_REASON));
        let given = raised.into_iter().flat_map(|raised| &raised.options).take(MOST_OPTIONS);
        let given: Vec<Choice> = given.cloned().collect();
        let (why, options) = if given.is_empty() {
            (joined(&[&why, GIVES_NONE]), options::made_from(&own(&said.detail, &issue)))
        } else {
            (why, given)
        };
        if let [only] = options.as_slice() {
            // It was asked for a second way and has none: that is a defect with one remedy, and nobody is asked about it.
            let state = self.state.ledger.state_when_asked(&finding);
            return CriterionJudged {
                verdict: Some(CriterionVerdict::Fail),
                basis: Basis::Opinion,
                fix: one_line(&joined(&[&only.label, &only.description])),
                overruled: Some(CriterionVerdict::Escalate),
                findings: vec![Noted { finding, state, text: issue }],
                ..base
            };
        }
        let question = Question {
            number: 0,
            criterion: id.clone(),
            finding: finding.clone(),
            measured: Vec::new(),
            question: asked.clone(),
            issue,
            why,
            trigger: raised.and_then(Raised::trigger),
            options,
        };
        CriterionJudged {
            verdict: Some(CriterionVerdict::Escalate),
            basis: Basis::Opinion,
            question: Some(question),
            findings: vec![Noted { finding, state: FindingState::Escalated, text: asked }],
            ..base
        }
    }

    /// What was put off and is open again is not put off by a critic once more: a person is asked.
    fn expired(&self, criterion: &Criterion, said: &Said, finding: FindingId) -> CriterionJudged {
        let id = &criterion.id;
        let text = format!("{} was put off, and its time is up. Put it off again?", id.as_str());
        let question = Question {
            number: 0,
            criterion: id.clone(),
            finding: finding.clone(),
            measured: Vec::new(),
            question: text.clone(),
            issue: one_line(&said.detail),
            why: "whoever puts something off a second time should be a person".to_owned(),
            trigger: None,
            options: Vec::new(),
        };
        CriterionJudged {
            verdict: Some(CriterionVerdict::Escalate),
            basis: Basis::Opinion,
            overruled: Some(CriterionVerdict::Defer),
            question: Some(question),
            findings: vec![Noted { finding, state: FindingState::Escalated, text }],
            ..self.nothing(id, said.answer.clone())
        }
    }

    fn scenario(&self, heard: &Heard) -> Adversarial {
        let id = CriterionId::adversarial();
        let pass = self.pass();
        let empty = Adversarial {
            pass,
            scenario: String::new(),
            realistic: None,
            basis: Basis::Opinion,
            rationale: String::new(),
            gap: None,
            findings: Vec::new(),
        };
        let noted = |text: &str, key: &str| {
            let finding = FindingId::of(id.as_str(), key);
            let state = self.state.ledger.state_when_asked(&finding);
            vec![Noted { finding, state, text: text.to_owned() }]
        };
        if self.started.adversary.check.is_some() {
            let evidence = self.evidence_for(&id);
            let rationale = evidence.iter().map(|own| own.summary.as_str()).collect::<Vec<_>>().join("; ");
            let realistic =
                evidence.iter().try_fold(false, |bad, own| own.passed.map(|passed| bad || !passed));
            let realistic = realistic.filter(|_| !evidence.is_empty());
            let question = self.started.adversary.question.trim();
            let command = self.started.adversary.check.as_ref().map(|check| check.command.to_string());
            return Adversarial {
                // No critic thought of a failure here: a command looked for this one and for no other.
                scenario: if question.is_empty() {
                    format!("what the command `{}` looks for", command.unwrap_or_default())
                } else {
                    format!("{question} (looked for by a command)")
                },
                realistic,
                basis: Basis::Measured,
                gap: realistic.is_none().then_some(Gap::CheckAbsent),
                findings: if realistic == Some(true) { noted(&rationale, "check") } else { Vec::new() },
                rationale,
                ..empty
            };
        }
        let gap = match &heard.scenario {
            None => Some(heard.absent.unwrap_or(Gap::NoScenario)),
            Some(_) => trouble(&id, heard),
        };
        let Some(Scenario { scenario, realistic, rationale, .. }) = heard.scenario.clone() else {
            return Adversarial { gap, ..empty };
        };
        let realistic = realistic.filter(|_| gap.is_none());
        let findings = if realistic == Some(true) { noted(&scenario, anchor(&scenario)) } else { Vec::new() };
        Adversarial { scenario, realistic, rationale, gap, findings, ..empty }
    }

    fn evidence_for(&self, id: &CriterionId) -> Vec<&CriticEvidence> {
        let pass = self.state.last_pass();
        pass.into_iter().flat_map(|pass| &pass.evidence).filter(|own| own.criterion == *id).collect()
    }

    /// The findings of evidence that is out of its bounds: its places, or the evidence itself.
    fn measured_findings(&self, criterion: &Criterion, evidence: &CriticEvidence) -> Vec<Noted> {
        let id = &criterion.id;
        let noted = |key: &str, text: String| {
            let finding = FindingId::of(id.as_str(), key);
            Noted { state: self.state.ledger.state_when_asked(&finding), finding, text }
        };
        if evidence.places.is_empty() {
            let source = match evidence.source {
                super::EvidenceSource::Check => criterion.check.as_ref().map(|own| own.command.to_string()),
                super::EvidenceSource::Measure => criterion.measure.map(|own| own.to_string()),
            };
            return vec![noted(&source.unwrap_or_default(), evidence.summary.clone())];
        }
        unique(evidence.places.iter().map(|spot| noted(&spot.text, spot_line(spot))).collect())
    }

    /// The defect that the critic sees, and its concerns.
    fn said_findings(&self, said: &Said) -> Vec<Noted> {
        let id = said.criterion.as_str();
        let noted = |key: String, text: &str| {
            let finding = FindingId::of(id, &key);
            let state = self.state.ledger.state_when_asked(&finding);
            Noted { finding, state, text: one_line(text) }
        };
        let defect = (said.verdict == Some(CriterionVerdict::Fail)).then(|| {
            let text = if has_words(&said.detail) { &said.detail } else { &said.answer };
            noted(anchor(text).to_owned(), text)
        });
        let concerns = said
            .concerns
            .iter()
            .take(MOST_CONCERNS)
            .map(|text| noted(format!("concern {}", anchor(text)), text));
        unique(defect.into_iter().chain(concerns).collect())
    }

    /// What a person has put off, when it is all that there is.
    fn put_off_by_person(&self, id: &CriterionId, findings: &[Noted]) -> Option<Deferral> {
        let put_off = |finding: &FindingId| {
            let mut all = self.state.deferrals.iter();
            all.find(|own| own.by_person && own.criterion == *id && own.covers(finding))
        };
        let first = findings.first().and_then(|noted| put_off(&noted.finding))?;
        findings.iter().all(|noted| put_off(&noted.finding).is_some()).then(|| first.clone())
    }

    fn deferred(&self, id: &CriterionId, answer: String, deferral: Deferral) -> CriterionJudged {
        let noted = Noted {
            finding: deferral.finding.clone(),
            state: FindingState::Deferred,
            text: deferral.reason.clone(),
        };
        let basis = if deferral.by_person { Basis::Person } else { Basis::Opinion };
        CriterionJudged {
            verdict: Some(CriterionVerdict::Defer),
            basis,
            findings: vec![noted],
            deferral: Some(deferral),
            ..self.nothing(id, answer)
        }
    }

    pub(super) fn in_thirty_days(&self) -> jiff::Timestamp {
        self.moment().checked_add(DEFERRED_FOR).unwrap_or(jiff::Timestamp::MAX)
    }

    fn nothing(&self, id: &CriterionId, answer: String) -> CriterionJudged {
        CriterionJudged {
            pass: self.pass(),
            criterion: id.clone(),
            verdict: None,
            basis: Basis::Opinion,
            answer,
            fix: String::new(),
            overruled: None,
            gap: None,
            deferral: None,
            question: None,
            findings: Vec::new(),
        }
    }
}

/// Takes an answer over: the first one whole, a second one only where the first was sent back.
fn hear(asking: &mut Asking, verdicts: Vec<Said>, scenario: Option<Scenario>, raised: Vec<Raised>) {
    let rejected = asking.rejected.clone();
    let taken = |id: &CriterionId| rejected.is_empty() || rejected.contains_key(id);
    let heard = &mut asking.heard;
    let mut fresh: std::collections::BTreeMap<CriterionId, Said> = std::collections::BTreeMap::new();
    for said in verdicts.into_iter().filter(|said| taken(&said.criterion)) {
        // Of two verdicts the stricter one counts; one that cannot be read counts least.
        let stricter = fresh.get(&said.criterion).is_none_or(|known| said.verdict > known.verdict);
        if stricter {
            fresh.insert(said.criterion.clone(), said);
        }
    }
    for (id, said) in fresh {
        // What was sent back for more words and holds the gate shut does so until the next pass: asking for the words is
        // no offer to take it back.
        let holds = heard.verdicts.get(&id).is_some_and(|known| {
            let sent_back = rejected.get(&id);
            sent_back.is_some_and(|rejection| is_bearable(rejection.gap, known.verdict))
                && said.verdict < known.verdict
        });
        if !holds {
            heard.verdicts.insert(id, said);
        }
    }
    if let Some(scenario) = scenario.filter(|_| taken(&CriterionId::adversarial())) {
        heard.scenario = Some(scenario);
    }
    // Of several questions about one criterion the first counts; one that was sent back for more gives way to the new one.
    let mut asked = std::collections::BTreeSet::new();
    for raised in raised.into_iter().filter(|raised| taken(&raised.criterion)) {
        if asked.insert(raised.criterion.clone()) {
            heard.raised.insert(raised.criterion.clone(), raised);
        }
    }
}

/// What a finding is about: the words that it quotes from the document, or else all of its words. Wordings change from
/// pass to pass, quotations do not.
fn anchor(text: &str) -> &str {
    for quotes in [('`', '`'), ('"', '"'), ('“', '”'), ('«', '»')] {
        let quoted = text.split_once(quotes.0).and_then(|(_, rest)| rest.split_once(quotes.1));
        if let Some((quoted, _)) = quoted
            && quoted.chars().filter(|c| c.is_alphabetic()).count() >= 3
        {
            return quoted;
        }
    }
    text
}

fn joined(parts: &[&str]) -> String {
    parts.iter().filter(|part| !part.trim().is_empty()).copied().collect::<Vec<_>>().join("; ")
}

fn unique(findings: Vec<Noted>) -> Vec<Noted> {
    let mut kept: Vec<Noted> = Vec::new();
    for noted in findings {
        if kept.iter().all(|known| known.finding != noted.finding) {
            kept.push(noted);
        }
    }
    kept
}
