//! What somebody asks for over HTTP, before it is looked up: names instead of files, texts instead of paths.

use jury_core::critic::CriticRequest;
use jury_core::id::AgentId;
use jury_core::judge::JudgeRequest;
use jury_core::request::{BadRequest, RunRequest};
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::routes::content::start::ContentAsk;

/// What is asked of a new run, by its workflow.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(tag = "workflow", content = "request", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum StartRun {
    /// A panel over a page.
    Theater(RunRequest),
    /// Criteria over a document.
    Critic(CriticStart),
    /// Judges over a finished run of a coding agent.
    Judge(JudgeStart),
    /// A piece that is written, reviewed and published.
    Content(ContentStart),
}

/// What is asked of a run of the critic.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CriticStart {
    /// The text of the document.
    pub document: String,
    /// The name of its file, which checks go by. `document.md` if nobody says.
    #[serde(default)]
    pub title: Option<String>,
    /// The name of a set of criteria: one of the daemon's own, or one that comes with the program.
    pub criteria: String,
    /// Who the critic is. Without one only what can be measured is.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub agent: Option<AgentId>,
    /// The model, where the agent has several.
    #[serde(default)]
    pub model: Option<String>,
    /// Whether the document is changed between passes. It is, if nobody says.
    #[serde(default)]
    pub fix: Option<bool>,
    /// Whether clear cases are decided without asking.
    #[serde(default)]
    pub auto: bool,
    /// The passes that are allowed; those of the criteria if not given.
    #[serde(default)]
    pub max_passes: Option<u32>,
    /// The release that the document belongs to.
    #[serde(default)]
    pub release: Option<String>,
    /// How many seconds a person may take to answer before the default is taken.
    #[serde(default)]
    pub answer_within: Option<u64>,
    /// The most it may cost, in US dollars.
    #[serde(default)]
    pub max_cost_usd: Option<f64>,
    /// The most tokens it may use.
    #[serde(default)]
    pub max_tokens: Option<u64>,
}

/// What is asked of a run of the judge.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct JudgeStart {
    /// The record of the finished run.
    #[schema(value_type = Object)]
    pub record: Map<String, Value>,
    /// The change, as a diff. Without one it is looked for where the record says.
    #[serde(default)]
    pub diff: Option<String>,
    /// The output of the tests.
    #[serde(default)]
    pub tests: Option<String>,
    /// The output of lint.
    #[serde(default)]
    pub lint: Option<String>,
    /// What the coding agent was asked for.
    #[serde(default)]
    pub prompt: Option<String>,
    /// How it is judged: `heuristic`, `command` or `model`. What the daemon's settings say if nobody does.
    #[serde(default)]
    pub mode: Option<String>,
    /// The agents that judge.
    #[serde(default)]
    #[schema(value_type = Vec<String>)]
    pub agents: Vec<AgentId>,
    /// The model, where the agent has several.
    #[serde(default)]
    pub model: Option<String>,
    /// Whether a run without anything to judge is judged all the same.
    #[serde(default)]
    pub force: bool,
}

/// What is asked of a run of the content pipeline.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ContentStart {
    /// The idea that the content is about.
    pub(crate) idea_id: String,
    /// What is asked of it.
    #[serde(flatten)]
    pub(crate) ask: ContentAsk,
}

/// Turns what is asked for into a request that can be kept.
pub trait Intake: Send + Sync {
    /// Finds the criteria and the file of a document.
    fn critic(&self, start: CriticStart) -> Result<CriticRequest, BadRequest>;

    /// Keeps the texts where the judge looks for them.
    fn judge(&self, start: JudgeStart) -> Result<JudgeRequest, BadRequest>;
}
