//! What is to be run.

use std::time::Duration;

use jury_core::id::RunId;
use jury_core::request::RunRequest;
use jury_core::settings::CritiqueConfig;
use jury_core::theater::TheaterSetup;

use crate::Measuring;
use crate::agent::Agent;

/// A theater run to be driven.
#[derive(Debug, Clone)]
pub struct TheaterJob {
    /// The id of the run.
    pub run: RunId,
    /// What it is about and who plays it.
    pub subject: TheaterSetup,
    /// What the work is called.
    pub title: String,
    /// The settings of the run.
    pub config: CritiqueConfig,
    /// What was asked for, to be kept with it.
    pub request: Option<RunRequest>,
    /// Who plays the panel.
    pub agent: Agent,
    /// Whether there is a panel.
    pub panel: Panel,
    /// The same agent with the prompt for the page alone, for a run that has something to make: it is asked when
    /// there is no review. None for a run that reviews what it was given.
    pub legacy: Option<Agent>,
    /// How long the agent may take to end after TERM.
    pub grace: Duration,
    /// How its drafts are measured.
    pub measuring: Measuring,
}

/// Whether there is a panel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Panel {
    /// There is, unless its agent is marked as degraded.
    Sits,
    /// There is, whatever the marks say: how an agent is tested.
    SitsRegardless,
    /// It is off, for this reason.
    Off(String),
}
