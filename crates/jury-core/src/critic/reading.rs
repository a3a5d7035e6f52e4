//! A reading: what a critic said in one answer, taken out of its text. Strict in content: what is not there is not
//! guessed; what it is worth, the machine decides.

use super::contents::Contents;
use super::criterion::{CriterionId, Trigger};
use super::outcome::PassResult;
use super::verdict::{Choice, CriterionVerdict};

/// What a critic said in one answer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CriticAnswer {
    /// On each criterion. Of two on one criterion the stricter one counts.
    pub verdicts: Vec<Said>,
    /// The failure scenario, if one was told.
    pub scenario: Option<Scenario>,
    /// The questions to a person.
    pub escalations: Vec<Raised>,
    /// What the critic thinks that it comes to. It is compared and never used.
    pub claim: Option<PassResult>,
    /// What the critic had before it, if somebody counted it. Figures are held against it.
    pub contents: Option<Contents>,
}

/// What was said on one criterion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// The line of the answer it is in.
    pub line: u32,
    /// The criterion that it is about.
    pub criterion: CriterionId,
    /// The question, as it was repeated.
    pub question: String,
    /// The answer to it, with its figures.
    pub answer: String,
    /// The verdict, if it is one of the four.
    pub verdict: Option<CriterionVerdict>,
    /// What stands in brackets behind it: the fix, the reason.
    pub detail: String,
    /// Concerns beside the verdict.
    pub concerns: Vec<String>,
}

/// How the document could fail its readers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scenario {
    /// The line of the answer it is in.
    pub line: u32,
    /// What happens in the scenario.
    pub scenario: String,
    /// Whether it can happen, if that was said.
    pub realistic: Option<bool>,
    /// Why, or why not.
    pub rationale: String,
}

/// A question to a person, as a critic raises it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Raised {
    /// The line of the answer it is in.
    pub line: u32,
    /// The number that the critic gave it.
    pub number: Option<u32>,
    /// The criterion that it is about.
    pub criterion: CriterionId,
    /// The question to the person.
    pub question: String,
    /// The finding that raised it.
    pub issue: String,
    /// Why nobody but a person can settle it.
    pub why: String,
    /// Which of the [triggers](super::Trigger) it is, as it was written; empty when the critic names none.
    pub trigger: String,
    /// The ways out, without the skip.
    pub options: Vec<Choice>,
}

impl Raised {
    /// The trigger, if it is one of those there are.
    pub fn trigger(&self) -> Option<Trigger> {
        let written = self.trigger.trim_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase();
        written.replace([' ', '_'], "-").parse().ok()
    }
}
