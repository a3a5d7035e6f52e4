//! Checking whole transcripts: whether the results follow from the verdicts, the figures from the passes, and each
//! verdict has its evidence.

use std::collections::BTreeSet;

use super::parse::{PassText, Transcript, parse};
use super::violation::{Violation, ViolationCode};
use crate::critic::counted::has_amount;
use crate::critic::criteria::HIGHEST_CAP;
use crate::critic::criterion::{CriteriaSet, CriterionId};
use crate::critic::outcome::PassResult;
use crate::critic::reading::{Raised, Said};
use crate::critic::trouble::is_counted;
use crate::critic::verdict::CriterionVerdict;
use crate::legible::has_words;

/// What a transcript is held against, beside itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rules<'a> {
    /// The passes that are allowed, if that is checked.
    pub cap: Option<u32>,
    /// The criteria that each pass must have.
    pub set: Option<&'a CriteriaSet>,
}

/// What is wrong with a transcript, by line. Empty: nothing.
pub fn check_transcript(bytes: &[u8]) -> Vec<Violation> {
    check_with(bytes, Rules::default())
}

/// What is wrong with a transcript, held against these rules too.
pub fn check_with(bytes: &[u8], rules: Rules<'_>) -> Vec<Violation> {
    let mut transcript = parse(bytes);
    let mut found = std::mem::take(&mut transcript.violations);
    if transcript.passes.is_empty() {
        let message = "there is no pass: begin each with === CRITIC {N} ===";
        found.push(Violation::new(1, ViolationCode::NoPass, message));
        return found;
    }
    let mut known: BTreeSet<CriterionId> = match rules.set {
        Some(set) => set.criteria.iter().map(|own| own.id.clone()).collect(),
        None => transcript.passes.first().map(names).unwrap_or_default(),
    };
    let mut history = History::default();
    let last = transcript.passes.len() - 1;
    for (index, pass) in transcript.passes.iter().enumerate() {
        numbering(index, pass, &history, &mut found);
        criteria(pass, &mut known, rules.set.is_some(), &mut found);
        for said in &pass.verdicts {
            verdict(said, pass, &mut found);
        }
        questions(pass, &mut found);
        scenario(pass, &mut found);
        result(index, pass, &history, &mut found);
        history.take(pass);
        if index == last
            && let Some(PassResult::Continue { .. }) = pass.result
        {
            let message = "the last pass says CONTINUE: the transcript has no end";
            found.push(Violation::new(line_of_result(pass), ViolationCode::Unfinished, message));
        }
    }
    cap(&transcript, rules.cap.or(rules.set.map(|set| set.cap)), &mut found);
    summary(&transcript, &mut found);
    found.sort_by_key(|violation| (violation.line, violation.code));
    found
}

/// What the passes so far add up to.
#[derive(Debug, Default)]
struct History {
    fixed: u32,
    escalations: u32,
    /// Whether fixes may have been made that no result counts: those that follow an answer.
    uncounted: bool,
    /// The criteria that were put off, and the concerns.
    seen: BTreeSet<(CriterionId, String)>,
    /// The criteria that a person was asked about. Put off afterwards, they may be known or new: the text does not say
    /// whether the person or the critic did it.
    asked: BTreeSet<(CriterionId, String)>,
    ended: bool,
}

impl History {
    fn take(&mut self, pass: &PassText) {
        match &pass.result {
            Some(PassResult::Continue { fixed }) => self.fixed = self.fixed.saturating_add(*fixed),
            Some(PassResult::Escalate { items }) => {
                self.escalations = self.escalations.saturating_add(*items);
                self.uncounted = true;
            }
            Some(PassResult::Converged { .. } | PassResult::SafetyCap | PassResult::NotConverged { .. }) => {
                self.ended = true;
            }
            None => {}
        }
        self.seen.extend(concerns(pass));
        let asked = pass.verdicts.iter().filter(|said| said.verdict == Some(CriterionVerdict::Escalate));
        self.asked.extend(asked.map(|said| (said.criterion.clone(), String::new())));
    }
}

/// What is new in a pass is a concern or something put off; a defect is dealt with by itself.
fn concerns(pass: &PassText) -> BTreeSet<(CriterionId, String)> {
    let mut all = BTreeSet::new();
    for said in &pass.verdicts {
        if said.verdict == Some(CriterionVerdict::Defer) {
            all.insert((said.criterion.clone(), String::new()));
        }
        all.extend(said.concerns.iter().map(|text| (said.criterion.clone(), text.to_lowercase())));
    }
    all
}

fn names(pass: &PassText) -> BTreeSet<CriterionId> {
    pass.verdicts.iter().map(|said| said.criterion.clone()).collect()
}

fn line_of_result(pass: &PassText) -> u32 {
    pass.result_line.unwrap_or(pass.line)
}

fn numbering(index: usize, pass: &PassText, history: &History, found: &mut Vec<Violation>) {
    let wanted = u32::try_from(index + 1).unwrap_or(u32::MAX);
    if pass.number != Some(wanted) {
        let is = pass.number.map_or("without a number".to_owned(), |number| format!("called {number}"));
        let message = format!("pass {wanted} is {is}: number passes 1, 2, 3");
        found.push(Violation::new(pass.line, ViolationCode::PassNumber, message));
    }
    if history.ended {
        let message = "an earlier result has ended the loop: nothing may follow it";
        found.push(Violation::new(pass.line, ViolationCode::AfterEnd, message));
    }
}

fn criteria(pass: &PassText, known: &mut BTreeSet<CriterionId>, fixed: bool, found: &mut Vec<Violation>) {
    let mut here = BTreeSet::new();
    for said in &pass.verdicts {
        if !here.insert(said.criterion.clone()) {
            let message = format!("{} is judged twice in this pass", said.criterion);
            found.push(Violation::new(said.line, ViolationCode::DuplicateCriterion, message));
        }
        if !known.contains(&said.criterion) {
            let of = if fixed { "the set" } else { "the first pass" };
            let message = format!("{} is not in {of}", said.criterion);
            found.push(Violation::new(said.line, ViolationCode::UnknownCriterion, message));
            known.insert(said.criterion.clone());
        }
    }
    if known.is_empty() && here.is_empty() {
        let message = "no criterion is judged: write [NAME] question → answer, and Verdict: below it";
        found.push(Violation::new(pass.line, ViolationCode::MissingVerdict, message));
    }
    for missing in known.difference(&here) {
        let message = format!("{missing} has no verdict in this pass: judge every criterion in every pass");
        found.push(Violation::new(pass.line, ViolationCode::MissingCriterion, message));
    }
}

fn verdict(said: &Said, pass: &PassText, found: &mut Vec<Violation>) {
    let id = &said.criterion;
    let mut wrong = |code, message: String| found.push(Violation::new(said.line, code, message));
    let silent = !has_words(&said.answer) && !has_words(&said.detail);
    match said.verdict {
        None => wrong(
            ViolationCode::MissingVerdict,
            format!("{id} has no verdict: write Verdict: and one of PASS, FAIL, ESCALATE, DEFER"),
        ),
        Some(CriterionVerdict::Pass) if silent => wrong(
            ViolationCode::BarePass,
            format!("{id} is a bare PASS: say what was looked at, how much of it, and what was found"),
        ),
        Some(CriterionVerdict::Fail) if !has_words(&said.detail) => wrong(
            ViolationCode::FailWithoutFix,
            format!("{id} is a FAIL that does not say what to do: write FAIL (what is to be changed)"),
        ),
        Some(CriterionVerdict::Defer) if !has_words(&said.detail) => wrong(
            ViolationCode::DeferWithoutReason,
            format!("{id} is put off without a reason: write DEFER (why it cannot be settled here)"),
        ),
        Some(CriterionVerdict::Escalate) if pass.escalations.iter().all(|raised| raised.criterion != *id) => {
            wrong(
                ViolationCode::EscalateWithoutQuestion,
                format!("{id} is escalated, but no question is asked: add === CRITIC ESCALATION ({{N}}) ==="),
            );
        }
        Some(verdict) if !is_counted(said, pass.escalations.iter().find(|own| own.criterion == *id)) => {
            wrong(
                ViolationCode::NoFigure,
                format!(
                    "{id} is {} {verdict} without a figure: say how many were checked and how many are affected",
                    if verdict == CriterionVerdict::Escalate { "an" } else { "a" }
                ),
            );
        }
        Some(
            CriterionVerdict::Pass
            | CriterionVerdict::Fail
            | CriterionVerdict::Defer
            | CriterionVerdict::Escalate,
        ) => {}
    }
}

fn questions(pass: &PassText, found: &mut Vec<Violation>) {
    for (index, raised) in pass.escalations.iter().enumerate() {
        let escalated = pass.verdicts.iter().any(|said| {
            said.criterion == raised.criterion && said.verdict == Some(CriterionVerdict::Escalate)
        });
        if !escalated {
            let message = format!("a question about {}, which this pass does not escalate", raised.criterion);
            found.push(Violation::new(raised.line, ViolationCode::EscalateWithoutQuestion, message));
        }
        let skippable = pass.skippable.get(index).copied().unwrap_or_default();
        if let Some(missing) = missing_in(raised, skippable) {
            let message = format!("the question about {} has no {missing}", raised.criterion);
            found.push(Violation::new(raised.line, ViolationCode::IncompleteQuestion, message));
        }
    }
}

fn missing_in(raised: &Raised, skippable: bool) -> Option<&'static str> {
    let blank = |text: &String| !has_words(text);
    let weighed = |raised: &Raised| raised.options.iter().all(|own| !blank(&own.pro) && !blank(&own.con));
    [
        (blank(&raised.question), "question behind its criterion"),
        (blank(&raised.issue), "Issue:"),
        (blank(&raised.why), "Why escalation:"),
        (raised.options.is_empty(), "option beside the skip"),
        (raised.options.len() == 1, "second option beside the skip"),
        (!weighed(raised), "Pro: and Con: for each option"),
        (!skippable, "option to skip it"),
    ]
    .into_iter()
    .find(|(missing, _)| *missing)
    .map(|(_, what)| what)
}

fn scenario(pass: &PassText, found: &mut Vec<Violation>) {
    let Some(scenario) = pass.scenario.as_ref().filter(|own| has_words(&own.scenario)) else {
        let line = pass.scenario.as_ref().map_or(line_of_result(pass), |own| own.line);
        let message = "no failure scenario: every pass ends with [ADVERSARIAL] Failure scenario: …";
        found.push(Violation::new(line, ViolationCode::MissingAdversarial, message));
        return;
    };
    match scenario.realistic {
        None => {
            let message = "the failure scenario is not decided: write → Realistic? Y or N, and why";
            found.push(Violation::new(scenario.line, ViolationCode::UndecidedAdversarial, message));
        }
        Some(false) if !has_amount(&scenario.rationale) => {
            let message = "the failure scenario is called unrealistic without a figure";
            found.push(Violation::new(scenario.line, ViolationCode::NoFigure, message));
        }
        Some(_) => {}
    }
}

fn result(index: usize, pass: &PassText, history: &History, found: &mut Vec<Violation>) {
    let line = line_of_result(pass);
    let mut wrong = |code, message: String| found.push(Violation::new(line, code, message));
    let count =
        |verdict: CriterionVerdict| pass.verdicts.iter().filter(|said| said.verdict == Some(verdict)).count();
    let realistic = pass.scenario.as_ref().is_some_and(|own| own.realistic == Some(true));
    let (fails, escalated) =
        (count(CriterionVerdict::Fail) + usize::from(realistic), count(CriterionVerdict::Escalate));
    let undecided = pass.verdicts.iter().any(|said| said.verdict.is_none())
        || pass.scenario.as_ref().is_none_or(|own| own.realistic.is_none());
    let new: BTreeSet<_> = concerns(pass).difference(&history.seen).cloned().collect();
    let (fresh, maybe_fresh) = (new.difference(&history.asked).count(), new.len());
    let Some(result) = &pass.result else {
        if pass.result_line.is_none() {
            let message = "the pass has no result: end it with === Result: … ===".to_owned();
            wrong(ViolationCode::MissingResult, message);
        }
        return;
    };
    if escalated > 0 && !matches!(result, PassResult::Escalate { .. }) {
        let message = format!(
            "{escalated} escalated: the result is ESCALATE ({escalated} items) until a person answers"
        );
        wrong(ViolationCode::WrongResult, message);
    }
    match result {
        PassResult::Converged { passes, fixes, escalations } => {
            if fails == 0 && undecided {
                let message = "CONVERGED, but not everything is decided in this pass".to_owned();
                wrong(ViolationCode::WrongResult, message);
            } else if fails > 0 {
                let message = format!(
                    "CONVERGED with {fails} FAIL: all must be PASS or DEFER, and the scenario unrealistic"
                );
                wrong(ViolationCode::WrongResult, message);
            } else if fresh > 0 {
                let message = format!("CONVERGED with {fresh} not seen before: it takes one more pass");
                wrong(ViolationCode::WrongResult, message);
            }
            let before = u32::try_from(index + 1).unwrap_or(u32::MAX);
            let fixes_fit = *fixes == history.fixed || (history.uncounted && *fixes > history.fixed);
            if *passes != before || !fixes_fit || *escalations != history.escalations {
                let message = format!(
                    "CONVERGED says {passes} passes, {fixes} fixes, {escalations} escalations; the transcript has \
                     {before}, {}, {}",
                    history.fixed, history.escalations
                );
                wrong(ViolationCode::WrongCount, message);
            }
        }
        PassResult::Continue { fixed } => {
            let fixed = usize::try_from(*fixed).unwrap_or(usize::MAX);
            if fixed == 0 && (fails > 0 || maybe_fresh == 0) {
                let message = "CONTINUE with nothing fixed: fix a FAIL, or end the loop".to_owned();
                wrong(ViolationCode::ContinueWithoutFix, message);
            } else if fixed > fails {
                let message = format!("CONTINUE says {fixed} fixed, but only {fails} failed");
                wrong(ViolationCode::WrongCount, message);
            }
        }
        PassResult::Escalate { items } => {
            if usize::try_from(*items).is_ok_and(|items| items != escalated) {
                let message = format!("ESCALATE says {items} items; {escalated} are escalated");
                wrong(ViolationCode::WrongCount, message);
            }
        }
        PassResult::SafetyCap => {
            let clean = fails == 0 && escalated == 0 && !undecided && maybe_fresh == 0;
            if clean {
                let message = "SAFETY CAP, but all four conditions hold: it is CONVERGED".to_owned();
                wrong(ViolationCode::WrongResult, message);
            }
        }
        PassResult::NotConverged { .. } => {}
    }
}

fn cap(transcript: &Transcript, cap: Option<u32>, found: &mut Vec<Violation>) {
    let most = usize::try_from(cap.unwrap_or(HIGHEST_CAP)).unwrap_or(usize::MAX);
    if let Some(pass) = transcript.passes.get(most) {
        let message = format!("this is pass {} of at most {most}", most + 1);
        found.push(Violation::new(pass.line, ViolationCode::OverCap, message));
    }
    let early =
        |(index, pass): &(usize, &PassText)| pass.result == Some(PassResult::SafetyCap) && index + 1 < most;
    if let Some((index, pass)) = transcript.passes.iter().enumerate().find(early).filter(|_| cap.is_some()) {
        let message = format!("SAFETY CAP after pass {} of at most {most}", index + 1);
        found.push(Violation::new(line_of_result(pass), ViolationCode::OverCap, message));
    }
}

fn summary(transcript: &Transcript, found: &mut Vec<Violation>) {
    let Some(summary) = &transcript.summary else { return };
    let last = transcript.passes.last().and_then(|pass| pass.result.as_ref());
    let passes = u32::try_from(transcript.passes.len()).unwrap_or(u32::MAX);
    let (fits, wanted) = match last {
        Some(PassResult::Converged { passes, fixes, escalations }) => {
            (summary.converged, vec![*passes, *fixes, *escalations])
        }
        Some(PassResult::SafetyCap) => (!summary.converged, vec![passes]),
        _ => (false, Vec::new()),
    };
    if !fits {
        let message = "the last line does not say what the last result says";
        found.push(Violation::new(summary.line, ViolationCode::WrongResult, message));
    } else if summary.figures != wanted {
        let message =
            format!("the last line has the figures {:?}; the result has {wanted:?}", summary.figures);
        found.push(Violation::new(summary.line, ViolationCode::WrongCount, message));
    }
}
