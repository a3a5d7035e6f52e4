//! Verdicts, what they rest on, and the words for what is missing.

use std::fmt;
use std::str::FromStr;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::criterion::{CriterionId, Trigger};
use crate::finding::FindingId;
use crate::outcome::{UnknownWord, words};

/// What is said of a criterion. In the order of strictness: of two verdicts on one criterion the later one counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
#[schema(as = Verdict)]
pub enum CriterionVerdict {
    /// No defect, with a figure.
    Pass,
    /// It cannot be settled here; somebody puts it off, with a reason.
    Defer,
    /// A person must decide.
    Escalate,
    /// The document has a defect.
    Fail,
}

words!(CriterionVerdict { Pass = "PASS", Defer = "DEFER", Escalate = "ESCALATE", Fail = "FAIL" });

impl CriterionVerdict {
    /// Whether the criterion is clean.
    pub fn is_clean(self) -> bool {
        match self {
            Self::Pass | Self::Defer => true,
            Self::Escalate | Self::Fail => false,
        }
    }
}

/// What a verdict rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// What the critic says.
    Opinion,
    /// A measurement of the document.
    Measured,
    /// What a person has decided.
    Person,
}

words!(Basis { Opinion = "opinion", Measured = "measured", Person = "person" });

/// Why an answer of the critic cannot be used as it is, or why there is no verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Gap {
    /// It takes a critic, and there is none.
    NoModel,
    /// The critic failed, and failed again.
    CriticAbsent,
    /// The critic said nothing about it.
    NoVerdict,
    /// A verdict without a word of why.
    BareVerdict,
    /// A verdict, or an unrealistic scenario, without a figure.
    NoFigure,
    /// A FAIL that does not say what to do.
    NoFix,
    /// A DEFER without a reason.
    NoReason,
    /// An ESCALATE without a question and its options.
    NoQuestion,
    /// An ESCALATE with one way out only: that is a defect with its remedy.
    OneWay,
    /// An ESCALATE for a reason that is no reason to ask a person.
    UnknownTrigger,
    /// No failure scenario, or one that is not called realistic or unrealistic.
    NoScenario,
    /// A check could not be run, or did not print its figures.
    CheckAbsent,
    /// The critic did not answer in time.
    TimedOut,
}

words!(Gap {
    NoModel = "no_model",
    CriticAbsent = "critic_absent",
    NoVerdict = "no_verdict",
    BareVerdict = "bare_verdict",
    NoFigure = "no_figure",
    NoFix = "no_fix",
    NoReason = "no_reason",
    NoQuestion = "no_question",
    OneWay = "one_way",
    UnknownTrigger = "unknown_trigger",
    NoScenario = "no_scenario",
    CheckAbsent = "check_absent",
    TimedOut = "timed_out",
});

impl Gap {
    /// What the critic must add, or what a person can do.
    pub fn advice(self) -> &'static str {
        match self {
            Self::NoModel => "it takes a critic and there is none: name an agent",
            Self::CriticAbsent => {
                "the critic failed more often than it may: look at its messages, and run again"
            }
            Self::NoVerdict => {
                "give one of PASS, FAIL, ESCALATE, DEFER for it, in the form that was asked for"
            }
            Self::BareVerdict => "say why: what was looked at, how much of it, and what was found",
            Self::NoFigure => {
                "give the figures, of what the question asks about: how many were checked, and how many of them are affected"
            }
            Self::NoFix => "say in brackets what is to be changed",
            Self::NoReason => "say in brackets why it cannot be settled here",
            Self::NoQuestion => {
                "add an escalation block with the question, why it is asked, and at least two options"
            }
            Self::OneWay => {
                "one way is no choice: name a second one with its price, or give FAIL with that way as its fix"
            }
            Self::UnknownTrigger => {
                "the trigger must be several-ways, judgement, scope, conflict or missing-information; if it is none of \
                 them, give FAIL with its fix"
            }
            Self::NoScenario => "describe one failure, and say Y or N to whether it is realistic",
            Self::CheckAbsent => "the check did not run or printed no figure: run it by hand and mend it",
            Self::TimedOut => "give it more time, or a smaller document",
        }
    }

    /// What is missing and what a person can do about it.
    pub fn remedy(self) -> &'static str {
        match self {
            Self::NoModel | Self::CriticAbsent | Self::CheckAbsent | Self::TimedOut => self.advice(),
            Self::NoVerdict => "the critic gave none, and none when it was asked again; try another agent",
            Self::BareVerdict => "the critic said PASS and not why, twice; try another agent",
            Self::NoFigure => "the critic gave no figure, twice; try another agent",
            Self::NoFix | Self::NoQuestion | Self::OneWay | Self::UnknownTrigger => {
                "the critic did not say what to do, twice; try another agent"
            }
            Self::NoReason => "the critic put it off without a reason, twice; try another agent",
            Self::NoScenario => "the critic described no failure that is decided, twice; try another agent",
        }
    }
}

/// How long something is put off when nobody says otherwise.
pub const DEFERRED_FOR: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Something that is put off, by somebody, for a reason, and not for ever.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Deferral {
    /// The criterion that it was found under.
    pub criterion: CriterionId,
    /// What is put off.
    pub finding: FindingId,
    /// What was measured and shown with the question, and is put off with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<FindingId>,
    /// Why it is put off.
    pub reason: String,
    /// Who put it off.
    pub author: String,
    /// Whether the author is a person. What was measured can be put off by a person only.
    pub by_person: bool,
    /// When it is open again.
    #[schema(value_type = String, format = DateTime)]
    pub until: Timestamp,
    /// The release it was made in: another one ends it before its time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub release: Option<String>,
}

impl Deferral {
    /// Whether this finding is put off by it.
    pub fn covers(&self, finding: &FindingId) -> bool {
        self.finding == *finding || self.also.contains(finding)
    }

    /// Whether it still holds at this moment and in this release.
    pub fn holds(&self, now: Timestamp, release: Option<&str>) -> bool {
        now < self.until && (self.release.is_none() || self.release.as_deref() == release)
    }
}

/// What a person answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Answer {
    /// This option, from 1.
    Option(u32),
    /// In their own words.
    Text(String),
    /// Leave it as it is, and put it off.
    Skip,
}

impl Answer {
    /// What somebody typed: the number of an option, `skip`, or words. The number behind the last option is the skip
    /// that every list of options ends with.
    pub fn from_typed(text: &str, options: usize) -> Option<Self> {
        let text = text.trim();
        if text.is_empty() {
            return None;
        }
        if text.eq_ignore_ascii_case("skip") {
            return Some(Self::Skip);
        }
        match text.parse::<u32>() {
            Ok(number) if usize::try_from(number).is_ok_and(|number| number == options + 1) => {
                Some(Self::Skip)
            }
            Ok(number) if number >= 1 && usize::try_from(number).is_ok_and(|number| number <= options) => {
                Some(Self::Option(number))
            }
            Ok(_) => None,
            Err(_) => Some(Self::Text(text.to_owned())),
        }
    }
}

/// One way out that a person can choose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Choice {
    /// What it is called.
    pub label: String,
    /// What choosing it means.
    pub description: String,
    /// What speaks for it.
    pub pro: String,
    /// What speaks against it.
    pub con: String,
}

/// A question to a person. Beside its options there is always one more: to skip it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Question {
    /// Its number within the run, from 1.
    pub number: u32,
    /// The criterion that it was found under.
    pub criterion: CriterionId,
    /// What it is about, across passes.
    pub finding: FindingId,
    /// What was measured and is shown with it. Whoever skips it puts that off too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measured: Vec<FindingId>,
    /// The question to the person.
    pub question: String,
    /// The finding that raised it.
    pub issue: String,
    /// Why nobody but a person can settle it.
    pub why: String,
    /// Which kind of question it is, where the critic says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub trigger: Option<Trigger>,
    /// The ways out, without the skip.
    pub options: Vec<Choice>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_an_option_words_or_a_skip() {
        assert_eq!(Answer::from_typed("2", 2), Some(Answer::Option(2)));
        assert_eq!(Answer::from_typed("3", 2), Some(Answer::Skip));
        assert_eq!(Answer::from_typed(" SKIP ", 0), Some(Answer::Skip));
        assert_eq!(Answer::from_typed("4", 2), None);
        assert_eq!(Answer::from_typed("0", 2), None);
        assert_eq!(Answer::from_typed(" ", 2), None);
        assert_eq!(Answer::from_typed("both", 2), Some(Answer::Text("both".to_owned())));
    }

    #[test]
    fn words_are_what_serde_writes() {
        for verdict in CriterionVerdict::ALL {
            assert_eq!(serde_json::to_value(verdict).unwrap(), verdict.as_str());
        }
        for gap in Gap::ALL {
            assert_eq!(serde_json::to_value(gap).unwrap(), gap.as_str());
        }
    }
}
