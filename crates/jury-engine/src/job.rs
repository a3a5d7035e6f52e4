//! What is to be run.

use std::time::Duration;

use jury_core::id::RunId;
use jury_core::request::RunRequest;
use jury_core::settings::CritiqueConfig;
use jury_core::theater::Subject;

use crate::voice::Agent;

/// A theater run to be driven.
#[derive(Debug, Clone)]
pub struct Job {
    /// Its id.
    pub run: RunId,
    /// What it is about and who plays it.
    pub subject: Subject,
    /// What the work is called.
    pub title: String,
    /// Its settings.
    pub config: CritiqueConfig,
    /// What was asked for, to be kept with it.
    pub request: Option<RunRequest>,
    /// Who plays the panel.
    pub agent: Agent,
    /// How long the agent may take to end after TERM.
    pub grace: Duration,
}
