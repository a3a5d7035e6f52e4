//! The cast: who judges, and what that may cost.

use std::path::PathBuf;
use std::sync::Arc;

use jiff::Timestamp;
use jury_core::id::AgentId;
use jury_core::judge::settings::JudgeMode;
use jury_core::judge::{Allowance, SeatName};
use jury_core::unit::Millis;

use super::context::GatheredCase;
use crate::critic::AskWith;

/// Somebody who can be asked.
#[derive(Clone)]
pub struct Juror {
    /// The id of the agent.
    pub agent: AgentId,
    /// The model, where it has several.
    pub model: Option<String>,
    /// Gives it a prompt.
    pub ask: AskWith,
}

impl Juror {
    /// The name that stands in records.
    pub fn name(&self) -> String {
        match &self.model {
            Some(model) => format!("{}/{model}", self.agent),
            None => self.agent.to_string(),
        }
    }
}

impl std::fmt::Debug for Juror {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Juror").field("name", &self.name()).finish_non_exhaustive()
    }
}

/// Who judges, and what that may cost.
#[derive(Debug, Clone)]
pub struct JudgeCast {
    /// Which way of judging.
    pub mode: JudgeMode,
    /// The jurors; nobody for the heuristic and for a command.
    pub jurors: Vec<Juror>,
    /// How often each of them is asked.
    pub repeats: u32,
    /// The user's program and its arguments.
    pub command: Option<String>,
    /// Secrets of the environment that the command gets.
    pub pass_env: Vec<String>,
    /// Where that program runs.
    pub dir: PathBuf,
    /// How long one seat may take.
    pub timeout: Millis,
    /// How many judgements an hour and how many dollars a day.
    pub allowance: Allowance,
    /// The folder of the judgements.
    pub judgements: PathBuf,
}

impl JudgeCast {
    /// The seats, in the order of their numbers.
    pub(super) fn seats(&self, case: &GatheredCase) -> Vec<SeatName> {
        let repeats = 1..=self.repeats.max(1);
        let name = |model: &str, repeat| SeatName { judge: case.stamp(model), repeat };
        match self.mode {
            JudgeMode::Heuristic => vec![name(JudgeMode::Heuristic.as_str(), 1)],
            JudgeMode::Command => repeats.map(|repeat| name(JudgeMode::Command.as_str(), repeat)).collect(),
            JudgeMode::Model => self
                .jurors
                .iter()
                .flat_map(|juror| repeats.clone().map(|repeat| name(&juror.name(), repeat)))
                .collect(),
        }
    }

    /// Who sits on this seat, from 1.
    pub(super) fn juror(&self, seat: u32) -> Option<&Juror> {
        let index = usize::try_from(seat).ok()?.checked_sub(1)?;
        self.jurors.get(index / usize::try_from(self.repeats.max(1)).ok()?)
    }
}

/// What time it is. Whoever fixes the clock of a command fixes it here.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Timestamp + Send + Sync>);

impl Clock {
    /// The time of the system.
    pub fn system() -> Self {
        Self(Arc::new(Timestamp::now))
    }

    /// A clock that always shows this moment.
    pub fn fixed(moment: Timestamp) -> Self {
        Self(Arc::new(move || moment))
    }

    /// The moment that the clock shows.
    pub fn now(&self) -> Timestamp {
        (self.0)()
    }
}

impl std::fmt::Debug for Clock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Clock").field(&self.now()).finish()
    }
}
