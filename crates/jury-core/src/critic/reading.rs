//! A reading: what a critic said in one answer, taken out of its text. Strict in content: what is not there is not
//! guessed; what it is worth, the machine decides.

use super::criterion::CriterionId;
use super::outcome::PassResult;
use super::verdict::{Choice, Verdict};

/// What a critic said in one answer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reading {
    /// On each criterion. Of two on one criterion the stricter one counts.
    pub verdicts: Vec<Said>,
    /// The failure scenario.
    pub scenario: Option<Scenario>,
    /// The questions to a person.
    pub escalations: Vec<Raised>,
    /// What the critic thinks that it comes to. It is compared and never used.
    pub claim: Option<PassResult>,
}

/// What was said on one criterion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// In which line.
    pub line: u32,
    /// On which criterion.
    pub criterion: CriterionId,
    /// The question, as it was repeated.
    pub question: String,
    /// The answer to it, with its figures.
    pub answer: String,
    /// The verdict, if it is one of the four.
    pub verdict: Option<Verdict>,
    /// What stands in brackets behind it: the fix, the reason.
    pub detail: String,
    /// Concerns beside the verdict.
    pub concerns: Vec<String>,
}

/// A failure scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scenario {
    /// In which line.
    pub line: u32,
    /// What happens.
    pub scenario: String,
    /// Whether it can happen, if that was said.
    pub realistic: Option<bool>,
    /// Why, or why not.
    pub rationale: String,
}

/// A question to a person, as a critic raises it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Raised {
    /// In which line.
    pub line: u32,
    /// The number that the critic gave it.
    pub number: Option<u32>,
    /// On which criterion.
    pub criterion: CriterionId,
    /// What is asked.
    pub question: String,
    /// What was found.
    pub issue: String,
    /// Why nobody but a person can settle it.
    pub why: String,
    /// The ways out, without the skip.
    pub options: Vec<Choice>,
}
