//! What can be wrong with a transcript, each with a code, a line and a sentence.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::outcome::{UnknownWord, words};

/// Something in a transcript that breaks the rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Violation {
    /// The line of the transcript, from 1.
    pub line: u32,
    /// The rule that is violated.
    pub code: ViolationCode,
    /// What is wrong, and what would do.
    pub message: String,
}

impl Violation {
    pub(super) fn new(line: u32, code: ViolationCode, message: impl Into<String>) -> Self {
        Self { line, code, message: message.into() }
    }
}

/// A rule of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ViolationCode {
    /// There is no pass at all.
    NoPass,
    /// Passes are not numbered 1, 2, 3, …
    PassNumber,
    /// There are more passes than the cap allows, or the cap is named before it is reached.
    OverCap,
    /// Something follows the end.
    AfterEnd,
    /// The last pass says that there will be another.
    Unfinished,
    /// A pass without its result.
    MissingResult,
    /// A result that is none of the keywords, or without its figures.
    UnreadableResult,
    /// A result that the verdicts do not allow.
    WrongResult,
    /// A figure in a result or a summary that is not what the transcript has.
    WrongCount,
    /// `CONTINUE` with nothing fixed and nothing new.
    ContinueWithoutFix,
    /// A criterion without a verdict, or with a word that is none.
    MissingVerdict,
    /// `PASS` without a word of why.
    BarePass,
    /// `PASS`, or an unrealistic scenario, without a figure.
    NoFigure,
    /// `FAIL` without what is to be done.
    FailWithoutFix,
    /// `DEFER` without a reason.
    DeferWithoutReason,
    /// `ESCALATE` without a question, or a question that nobody escalated.
    EscalateWithoutQuestion,
    /// A question without what belongs to it.
    IncompleteQuestion,
    /// A criterion that an earlier pass had, or that the set has, is not in this one.
    MissingCriterion,
    /// A criterion that the first pass, or the set, does not have.
    UnknownCriterion,
    /// A criterion twice in one pass.
    DuplicateCriterion,
    /// A pass tells no failure scenario.
    MissingAdversarial,
    /// A failure scenario that is not called realistic or unrealistic.
    UndecidedAdversarial,
}

words!(ViolationCode {
    NoPass = "no_pass",
    PassNumber = "pass_number",
    OverCap = "over_cap",
    AfterEnd = "after_end",
    Unfinished = "unfinished",
    MissingResult = "missing_result",
    UnreadableResult = "unreadable_result",
    WrongResult = "wrong_result",
    WrongCount = "wrong_count",
    ContinueWithoutFix = "continue_without_fix",
    MissingVerdict = "missing_verdict",
    BarePass = "bare_pass",
    NoFigure = "no_figure",
    FailWithoutFix = "fail_without_fix",
    DeferWithoutReason = "defer_without_reason",
    EscalateWithoutQuestion = "escalate_without_question",
    IncompleteQuestion = "incomplete_question",
    MissingCriterion = "missing_criterion",
    UnknownCriterion = "unknown_criterion",
    DuplicateCriterion = "duplicate_criterion",
    MissingAdversarial = "missing_adversarial",
    UndecidedAdversarial = "undecided_adversarial",
});
