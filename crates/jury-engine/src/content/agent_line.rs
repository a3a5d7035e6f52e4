//! The line to an agent: one question, one answer, within a time and a budget.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jury_agents::AGENT_GRACE;
use jury_agents::api::{ApiError, Client, ModelAnswer, Refused, Retries, helps};
use jury_agents::prompt::ContentPrompt;
use jury_core::content::ContentRequest;
use jury_core::event::{AgentNote, AgentNoteKind, Usage};
use jury_core::outcome::FailedCause;
use jury_core::unit::Bytes;
use tokio_util::sync::CancellationToken;

use super::worker::{Stuck, Trouble};
use crate::agent::Agent;
use crate::ask::{AskLimits, NoAnswer, ask};
use crate::critic::AskWith;
use crate::split_prompt::SplitPrompt;

/// The most that somebody may answer.
const LONGEST_ANSWER: Bytes = Bytes(8 << 20);

/// The most that a program may print around it.
const MOST_OUTPUT: Bytes = Bytes(64 << 20);

/// What may still be spent. Every call looks before it is made and pays afterwards.
#[derive(Debug, Clone)]
pub(super) struct RunBudget {
    dollars: Option<f64>,
    tokens: Option<u64>,
    spent: Arc<Mutex<Usage>>,
}

impl RunBudget {
    pub(super) fn new(request: &ContentRequest, spent: Usage) -> Self {
        Self { dollars: request.max_cost_usd, tokens: request.max_tokens, spent: Arc::new(Mutex::new(spent)) }
    }

    fn pay(&self, usage: Usage) {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        *spent = spent.plus(usage);
    }

    /// Why nothing more may be spent, if that is so.
    fn is_empty(&self) -> Option<String> {
        let spent = *self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        let tokens = spent.input_tokens.saturating_add(spent.output_tokens);
        if let Some(most) = self.tokens.filter(|most| tokens >= *most) {
            return Some(format!("{tokens} of {most} tokens are used; start another run with more"));
        }
        let cost = spent.cost_usd.unwrap_or(0.0);
        let most = self.dollars.filter(|most| cost >= *most)?;
        Some(format!("{cost:.2} of {most:.2} dollars are spent; start another run with more"))
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Unanswered {
    /// The user or a shutdown stopped it.
    Interrupted,
    /// It would cost more than may be spent.
    TooDear(String),
    /// The agent failed to answer.
    Failed {
        /// The part that failed.
        cause: FailedCause,
        /// The reason, for a person.
        detail: String,
        /// Whether asking again may help.
        again: bool,
        /// How long to wait at the least.
        after: Option<Duration>,
    },
}

impl Unanswered {
    fn of_agent(cause: FailedCause, detail: String) -> Self {
        Self::Failed { cause, detail, again: false, after: None }
    }

    /// The same as what keeps a step from being done.
    pub(super) fn stuck(self) -> Stuck {
        match self {
            Self::Interrupted => Stuck::Interrupted,
            Self::TooDear(detail) => Trouble::new(FailedCause::BudgetExceeded, detail).into(),
            Self::Failed { cause, detail, .. } => Trouble::new(cause, detail).into(),
        }
    }
}

/// What came of a call.
#[derive(Debug)]
pub(super) struct Called<T> {
    pub(super) answer: Result<T, Unanswered>,
    /// What it took, whatever came of it.
    pub(super) usage: Usage,
    /// What the agent said about itself; what it took is in [`Called::usage`] alone.
    pub(super) notes: Vec<AgentNote>,
}

impl<T> Called<T> {
    fn none(why: Unanswered) -> Self {
        Self { answer: Err(why), usage: Usage::default(), notes: Vec::new() }
    }
}

/// The line to the agent of a run.
#[derive(Clone)]
pub(super) struct AgentLine {
    pub(super) ask: AskWith,
    pub(super) budget: RunBudget,
    pub(super) spool: PathBuf,
    pub(super) patience: Duration,
    pub(super) stop: CancellationToken,
}

/// Whom a question is put to.
pub(super) enum Callee {
    /// A program, or a model that answers in prose: what it says is a text.
    Speaker(Box<Agent>),
    /// A service that can be made to answer in a shape, and how long its answer may be.
    Service(Box<Client>, u32),
}

impl AgentLine {
    /// Looks who answers, as far as there is money left.
    pub(super) fn callee(&self, asked: &ContentPrompt) -> Result<Callee, Unanswered> {
        Ok(match self.agent(asked)? {
            Agent::Model { client, prompt } => Callee::Service(client, prompt.max_tokens),
            program @ Agent::Program { .. } => Callee::Speaker(Box::new(program)),
        })
    }

    fn agent(&self, asked: &ContentPrompt) -> Result<Agent, Unanswered> {
        if let Some(detail) = self.budget.is_empty() {
            return Err(Unanswered::TooDear(detail));
        }
        // What the user says and what others wrote stay apart where that is possible.
        let split = SplitPrompt { rules: asked.system.clone(), case: asked.user.clone() };
        let agent = (self.ask)(split.clone())
            .map_err(|detail| Unanswered::of_agent(FailedCause::SpawnFailed, detail))?;
        Ok(split.split_for(agent))
    }

    /// Asks for a text.
    pub(super) async fn text(&self, asked: &ContentPrompt) -> Called<String> {
        match self.agent(asked) {
            Ok(agent) => self.said(agent).await,
            Err(why) => Called::none(why),
        }
    }

    /// What an agent says.
    pub(super) async fn said(&self, agent: Agent) -> Called<String> {
        let limits = AskLimits {
            answer: LONGEST_ANSWER,
            output: MOST_OUTPUT,
            patience: self.patience,
            grace: AGENT_GRACE,
        };
        let said = ask(agent, &self.spool, limits, &self.stop).await;
        let usage = said.notes.iter().filter_map(|note| note.usage).fold(said.unreported, Usage::plus);
        self.budget.pay(usage);
        let status = said.notes.iter().rev().find_map(|note| note.status);
        let answer = said.answer.map_err(|why| match why {
            NoAnswer::Interrupted => Unanswered::Interrupted,
            NoAnswer::Failed { cause: FailedCause::BudgetExceeded, detail } => Unanswered::TooDear(detail),
            NoAnswer::TimedOut => self.late(),
            NoAnswer::Failed { cause, detail } => Unanswered::Failed {
                again: cause != FailedCause::SpawnFailed && status.is_none_or(helps),
                cause,
                detail,
                after: None,
            },
        });
        Called { answer, usage, notes: said.notes.into_iter().filter_map(without_usage).collect() }
    }

    /// Waits for a service that was asked for a value in a shape. It corrects itself once.
    pub(super) async fn shaped<T>(
        &self,
        asking: impl Future<Output = Result<ModelAnswer<T>, ApiError>>,
    ) -> Called<T> {
        let answered = tokio::select! {
            biased;
            () = self.stop.cancelled() => return Called::none(Unanswered::Interrupted),
            answered = tokio::time::timeout(self.patience, asking) => answered,
        };
        let (answer, usage) = match answered {
            Err(_) => (Err(self.late()), Usage::default()),
            Ok(Err(error @ ApiError::Budget { .. })) => {
                (Err(Unanswered::TooDear(error.to_string())), Usage::default())
            }
            Ok(Err(error)) => {
                let detail = error.to_string();
                (Err(Unanswered::of_agent(FailedCause::AgentError, detail)), Usage::default())
            }
            Ok(Ok(ModelAnswer::Given(value, usage))) => (Ok(value), usage),
            Ok(Ok(ModelAnswer::Absent { why, usage, refused })) => {
                let Refused { helps, after, .. } =
                    refused.unwrap_or(Refused { status: None, helps: false, after: None });
                let failed =
                    Unanswered::Failed { cause: FailedCause::AgentError, detail: why, again: helps, after };
                (Err(failed), usage)
            }
        };
        self.budget.pay(usage);
        Called { answer, usage, notes: Vec::new() }
    }

    fn late(&self) -> Unanswered {
        let detail = format!(
            "no answer within {}",
            jury_core::line::counted(self.patience.as_secs(), "second", "seconds")
        );
        Unanswered::Failed { cause: FailedCause::Silent, detail, again: true, after: None }
    }
}

/// The same question with what was wrong about the first answer.
pub(super) fn again(asked: &ContentPrompt, problem: &str) -> ContentPrompt {
    ContentPrompt {
        system: asked.system.clone(),
        user: format!(
            "{}\n\nYou have answered this before, and the answer could not be used: {problem}. Answer again, whole.",
            asked.user
        ),
    }
}

/// The client for a question that is asked again by us and not by itself.
pub(super) fn once_only(client: Client) -> Client {
    client.with_retries(Retries::NONE)
}

/// What an agent said about itself beside what it took.
fn without_usage(note: AgentNote) -> Option<AgentNote> {
    (note.kind != AgentNoteKind::Usage).then_some(AgentNote { usage: None, ..note })
}
