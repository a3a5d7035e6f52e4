//! What is missing in what a critic said, and what counts all the same.
//!
//! Every verdict rests on figures: how many were looked at, and how many of them are affected. What lets a criterion
//! through (PASS, DEFER) does not count without them. What holds the gate shut (FAIL, ESCALATE) is asked for them once,
//! and then holds without them.

use super::counted::{
    Matter, affirms, has_amount, has_figure, is_against, is_look, looked_at_none, says_the_opposite,
};
use super::criterion::CriterionId;
use super::machine::Heard;
use super::port::Rejection;
use super::reading::{Raised, Said};
use super::verdict::{CriterionVerdict, Gap};
use crate::avowal::unlooked;
use crate::legible::has_words;
use crate::line;

/// What is missing in what was said.
pub(super) fn trouble(id: &CriterionId, heard: &Heard) -> Option<Gap> {
    if id.is_adversarial() {
        let Some(scenario) = &heard.scenario else { return Some(Gap::NoScenario) };
        return match scenario.realistic {
            _ if !tells(&scenario.scenario) => Some(Gap::NoScenario),
            None => Some(Gap::NoScenario),
            Some(false)
                if !has_amount(&scenario.rationale)
                    || looked_at_none(&scenario.rationale)
                    || affirms(&scenario.rationale, &scenario.scenario)
                    || unlooked(&scenario.rationale).is_some() =>
            {
                Some(Gap::NoFigure)
            }
            Some(_) => None,
        };
    }
    let Some(said) = heard.verdicts.get(id) else { return Some(Gap::NoVerdict) };
    let raised = heard.raised.get(id);
    let silent = !has_words(&said.answer) && !has_words(&said.detail);
    let without_words = match said.verdict {
        None => Some(Gap::NoVerdict),
        Some(CriterionVerdict::Pass) => silent.then_some(Gap::BareVerdict),
        Some(CriterionVerdict::Fail) => (!has_words(&said.detail)).then_some(Gap::NoFix),
        Some(CriterionVerdict::Defer) => (!has_words(&said.detail)).then_some(Gap::NoReason),
        Some(CriterionVerdict::Escalate) => {
            let whole = |raised: &Raised| {
                has_words(&raised.question) && has_words(&raised.why) && !raised.options.is_empty()
            };
            match raised {
                Some(raised) if whole(raised) && raised.options.len() == 1 => Some(Gap::OneWay),
                Some(raised) if whole(raised) && has_words(&raised.trigger) && raised.trigger().is_none() => {
                    Some(Gap::UnknownTrigger)
                }
                Some(raised) if whole(raised) => None,
                Some(_) | None => Some(Gap::NoQuestion),
            }
        }
    };
    let question = heard.questions.get(id).map_or(said.question.as_str(), String::as_str);
    let matter = Matter { question, contents: heard.contents.as_ref() };
    let rests_on_figures = is_counted(said, raised) && is_to_the_matter(said, matter);
    without_words.or_else(|| (!rests_on_figures).then_some(Gap::NoFigure))
}

/// What is said instead of a way to fail.
const NOTHING_TOLD: &str = "none nothing no not n a na any applicable scenario scenarios failure failures known found identified \
    there is are i can think of could find it tbd todo unknown keine keins nichts kein szenario \
    realistic unrealistic plausible possible see above below same this the document plan text perfect fine good ok everything \
    all works well one would will cannot couldn t wrong goes go";

/// Whether a scenario tells a way to fail, and not that there is none.
pub(super) fn tells(scenario: &str) -> bool {
    let lower = scenario.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    line::has_words(scenario) && words.any(|word| !NOTHING_TOLD.split_whitespace().any(|known| known == word))
}

/// Whether a verdict rests on a figure, and a PASS on one that says so: in the answer, behind the verdict, or in the issue that a person is asked about.
pub(super) fn is_counted(said: &Said, raised: Option<&Raised>) -> bool {
    let asked = raised.filter(|_| said.verdict == Some(CriterionVerdict::Escalate));
    let opposite = |text: &str| says_the_opposite(text, &said.question);
    if said.verdict == Some(CriterionVerdict::Pass) && (opposite(&said.answer) || opposite(&said.detail)) {
        return false;
    }
    has_figure(&said.answer)
        || has_figure(&said.detail)
        || asked.is_some_and(|raised| has_figure(&raised.issue))
}

/// Whether the figures of a PASS are of what its criterion asks about, and say that it holds. What holds the gate shut is not
/// asked for so much.
fn is_to_the_matter(said: &Said, matter: Matter<'_>) -> bool {
    let words = [said.answer.as_str(), said.detail.as_str()];
    let denied = |text: &&str| {
        says_the_opposite(text, matter.question) || is_against(text, matter) || unlooked(text).is_some()
    };
    said.verdict != Some(CriterionVerdict::Pass)
        || !words.iter().any(denied) && words.iter().any(|text| has_figure(text) && is_look(text, matter))
}

/// Whether an ESCALATE asks a person something: in a question of its own, in the words behind the verdict, or at least in
/// what it answers. What the criterion asks of everybody is no question to a person. Any other verdict asks nobody and needs
/// none.
pub(super) fn asks(id: &CriterionId, heard: &Heard) -> bool {
    let Some(said) = heard.verdicts.get(id) else { return true };
    let raised = heard.raised.get(id);
    said.verdict != Some(CriterionVerdict::Escalate)
        || has_words(&said.detail)
        || has_words(&said.answer)
        || raised.is_some_and(|raised| {
            has_words(&raised.why) || (has_words(&raised.question) && !raised.options.is_empty())
        })
}

/// Whether a verdict counts all the same when it comes back without what was missing: one that holds the gate shut
/// needs no more evidence to do so.
pub(super) fn is_bearable(gap: Gap, verdict: Option<CriterionVerdict>) -> bool {
    let holds = matches!(verdict, Some(CriterionVerdict::Fail | CriterionVerdict::Escalate));
    holds && matches!(gap, Gap::NoFix | Gap::NoQuestion | Gap::NoFigure | Gap::OneWay | Gap::UnknownTrigger)
}

pub(super) fn rejection(id: &CriterionId, gap: Gap) -> Rejection {
    Rejection { criterion: id.clone(), gap, reason: gap.advice().to_owned() }
}
