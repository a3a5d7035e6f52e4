//! Decisions: what a person is asked by a run that cannot go on without one, and what they say.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use utoipa::ToSchema;

use crate::critic::{Answer, DefaultAnswer, Question};
use crate::id::{ProjectId, RunId, checked_text};
use crate::outcome::{UnknownWord, words};
use crate::unit::Round;
use crate::workflow::Workflow;

/// How much of a run's id is in the id of its decisions: the end of it, which is random.
const TAIL: usize = 8;

/// The name of a decision, short enough to be typed: the end of its run's id and the number of the question.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String", into = "String")]
#[schema(value_type = String, example = "5f0c9a1e-2")]
pub struct DecisionId(String);

checked_text!(DecisionId);

/// A text that names no decision.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{0}' is not the id of a decision, such as 5f0c9a1e-2; see 'jury decisions list'")]
pub struct NotADecision(pub String);

impl DecisionId {
    /// The id of a run's question.
    pub fn of(run: RunId, number: u32) -> Self {
        let run = run.0.simple().to_string();
        let tail: String = run.chars().skip(run.len() - TAIL).collect();
        Self(format!("{tail}-{number}"))
    }
}

impl FromStr for DecisionId {
    type Err = NotADecision;

    fn from_str(text: &str) -> Result<Self, NotADecision> {
        let wrong = || NotADecision(text.to_owned());
        let (run, number) = text.split_once('-').ok_or_else(wrong)?;
        let is_tail = run.len() == TAIL && run.bytes().all(|b| b.is_ascii_hexdigit());
        let number: u32 = number.parse().map_err(|_| wrong())?;
        if is_tail { Ok(Self(format!("{}-{number}", run.to_ascii_lowercase()))) } else { Err(wrong()) }
    }
}

/// How a decision stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DecisionState {
    /// Waits for a person's answer.
    Open,
    /// A person has answered, or the default answer was taken.
    Answered,
    /// Nobody has, and the run has ended without it.
    Closed,
}

words!(DecisionState { Open = "open", Answered = "answered", Closed = "closed" });

/// A question in the inbox.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InboxDecision {
    /// The id by which it is answered.
    pub id: DecisionId,
    /// The run that waits for it.
    pub run_id: RunId,
    /// Which way of reviewing it is.
    pub workflow: Workflow,
    /// Whose run it is.
    pub project_id: ProjectId,
    /// What the work is called.
    pub title: String,
    /// The pass or round after which it was asked.
    pub round: Round,
    /// The question with its options.
    pub question: Question,
    /// What is answered for a person who says nothing until the deadline; a skip if nothing else was set.
    pub default_answer: DefaultAnswer,
    /// When it was asked.
    #[schema(value_type = String, format = DateTime)]
    pub asked_at: Timestamp,
    /// Until when it can be answered before the default is taken; none: for ever.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub answer_by: Option<Timestamp>,
    /// Whether it is open, answered or closed.
    pub state: DecisionState,
    /// The answer, once there is one.
    #[schema(required)]
    pub answer: Option<Given>,
}

/// An answer that was given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Given {
    /// The answer that was given.
    pub answer: Answer,
    /// Who gave it; `deadline` when nobody did in time.
    pub by: String,
    /// When it was given.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
}

/// Who answers when nobody does in time.
pub const NOBODY: &str = "deadline";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_short_and_comes_back() {
        let run = RunId(uuid::Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_5f0c_9a1e));
        let id = DecisionId::of(run, 2);
        assert_eq!(id.as_str(), "5f0c9a1e-2");
        assert_eq!("5F0C9A1E-2".parse(), Ok(id));
        for bad in ["", "5f0c9a1e", "5f0c9a1e-", "5f0c9a1-2", "5f0c9a1e-x", "../../etc-1"] {
            assert!(bad.parse::<DecisionId>().is_err(), "{bad}");
        }
    }
}
