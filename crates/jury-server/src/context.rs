//! What the server is told about where it runs. Settings may be read again and programs come and go, so it asks
//! each time.

use std::sync::Arc;

use jury_core::enablement::SkillPolicy;
use jury_core::id::{AgentId, SkillId};
use jury_core::settings::CritiqueConfig;
use jury_learning::files::LearningPaths;
use jury_store::Mirror;
use serde::Serialize;
use utoipa::ToSchema;

use crate::intake::Intake;
use crate::library::Library;

/// The settings as they are at the moment.
#[derive(Debug, Clone)]
pub struct Setting {
    /// How runs are carried out.
    pub critique: CritiqueConfig,
    /// The master switch, if anybody gave it.
    pub enabled_given: Option<bool>,
}

/// What an agent is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AgentKind {
    /// The built-in panel of jury.
    House,
    /// An agent of `jury.toml`.
    Own,
    /// A program on this machine.
    Program,
    /// The API of a model.
    Service,
}

/// Somebody who can be asked by name.
#[derive(Debug, Clone)]
pub struct KnownAgent {
    /// The name that requests use.
    pub id: AgentId,
    /// Whether it is the house, a program or a service.
    pub kind: AgentKind,
    /// Whether it is here to be asked, as far as can be told without asking it.
    pub available: bool,
    /// What it is, or what is missing, in one line.
    pub detail: String,
}

/// A skill that runs can be made with.
#[derive(Debug, Clone)]
pub struct KnownSkill {
    /// The name that requests use.
    pub id: SkillId,
    /// Whether the program brings it along.
    pub shipped: bool,
    /// What it is for, if it says so.
    pub description: Option<String>,
    /// What it says about the panel.
    pub policy: Option<SkillPolicy>,
    /// What is wrong with it, if something is.
    pub trouble: Option<String>,
}

/// A question that is asked anew each time. The answer may look at files.
pub type Lookup<T> = Arc<dyn Fn() -> T + Send + Sync>;

/// What the server is told about where it runs.
#[derive(Clone)]
pub struct ServerContext {
    /// The settings of the moment.
    pub setting: Lookup<Setting>,
    /// Everybody who can be asked by name.
    pub agents: Lookup<Vec<KnownAgent>>,
    /// The skills there are.
    pub skills: Lookup<Vec<KnownSkill>>,
    /// Where the judge's learning loop keeps its files.
    pub learning: LearningPaths,
    /// What the content pipeline can work with.
    pub library: Arc<dyn Library>,
    /// How what is asked for over HTTP becomes a request.
    pub intake: Arc<dyn Intake>,
    /// The mirror of content runs, where there is a Redis.
    pub mirror: Option<Mirror>,
}

impl std::fmt::Debug for ServerContext {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ServerContext").finish_non_exhaustive()
    }
}
