//! What there is to work with: settings, agents, skills.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use jiff::Timestamp;
use jury_core::enablement::{Enablement, EnablementInputs, SkillPolicy};
use jury_core::id::{AgentId, SkillId};
use jury_core::settings::CritiqueConfig;
use serde::Serialize;
use utoipa::ToSchema;

use super::conformance::CycleSummary;
use crate::answer::json;
use crate::context::{AgentKind, Lookup};
use crate::error::ApiError;
use crate::server::Shared;

/// The settings of the moment.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SettingsView {
    /// How runs are carried out if they do not say otherwise.
    critique: CritiqueConfig,
    /// The master switch, if anybody gave it.
    enabled_given: Option<bool>,
    /// Whether the panel sits where neither a skill nor a project says anything.
    enablement: Enablement,
}

/// Everybody who can be asked by name.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Agents {
    /// In the order in which names are looked up.
    agents: Vec<AgentView>,
}

/// Somebody who can be asked by name.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AgentView {
    /// The name that requests use.
    id: AgentId,
    /// Whether it is the house, a program or a service.
    kind: AgentKind,
    /// Whether it is here to be asked, as far as can be told without asking it.
    available: bool,
    /// What it is, or what is missing, in one line.
    detail: String,
    /// Until when it is not asked, if it is marked as degraded.
    #[schema(value_type = Option<String>, format = DateTime)]
    degraded_until: Option<Timestamp>,
    /// Why, if it is.
    degraded_reason: Option<String>,
    /// Its last conformance cycle.
    last_cycle: Option<CycleSummary>,
}

/// The skills there are.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Skills {
    /// The skills, in the order of names.
    skills: Vec<SkillView>,
}

/// A skill that can be named in a request.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SkillView {
    /// The name that requests use.
    id: SkillId,
    /// Whether the program brings it along. One of the same name in the folder of skills replaces it.
    shipped: bool,
    /// What it is for.
    description: Option<String>,
    /// What it says about the panel.
    policy: Option<SkillPolicy>,
    /// What is wrong with it, if something is: then it cannot be used.
    trouble: Option<String>,
}

/// The settings of the moment.
#[utoipa::path(get, path = "/api/settings", operation_id = "getSettings", tag = "daemon", responses((status = 200, body = SettingsView)))]
pub(crate) async fn settings(State(shared): State<Shared>) -> Result<Response, ApiError> {
    let setting = (shared.context.setting)();
    let question = EnablementInputs {
        setting: setting.enabled_given,
        ..EnablementInputs::at(setting.critique.rollout_phase)
    };
    let view = SettingsView {
        critique: setting.critique,
        enabled_given: setting.enabled_given,
        enablement: question.answer(),
    };
    Ok(json(StatusCode::OK, &view))
}

/// Everybody who can be asked by name, whether they are here, and whether they are marked as degraded.
#[utoipa::path(get, path = "/api/agents", operation_id = "listAgents", tag = "daemon", responses((status = 200, body = Agents)))]
pub(crate) async fn agents(State(shared): State<Shared>) -> Result<Response, ApiError> {
    let marks = shared.store.degraded(Timestamp::now()).await?;
    let mut agents = Vec::new();
    for known in asked(&shared.context.agents).await? {
        let mark = marks.iter().find(|mark| mark.agent == known.id);
        let cycle = shared.store.cycles(&known.id, 1).await?.into_iter().next();
        agents.push(AgentView {
            degraded_until: mark.map(|mark| mark.until),
            degraded_reason: mark.map(|mark| mark.reason.clone()),
            last_cycle: cycle.map(CycleSummary::from),
            id: known.id,
            kind: known.kind,
            available: known.available,
            detail: known.detail,
        });
    }
    Ok(json(StatusCode::OK, &Agents { agents }))
}

/// The skills there are.
#[utoipa::path(get, path = "/api/skills", operation_id = "listSkills", tag = "daemon", responses((status = 200, body = Skills)))]
pub(crate) async fn skills(State(shared): State<Shared>) -> Result<Response, ApiError> {
    let skills = asked(&shared.context.skills).await?;
    let skills = skills
        .into_iter()
        .map(|known| SkillView {
            id: known.id,
            shipped: known.shipped,
            description: known.description,
            policy: known.policy,
            trouble: known.trouble,
        })
        .collect();
    Ok(json(StatusCode::OK, &Skills { skills }))
}

/// The answer to a question that may look at files, without making others wait for them.
async fn asked<T: Send + 'static>(ask: &Lookup<T>) -> Result<T, ApiError> {
    let ask = Lookup::clone(ask);
    tokio::task::spawn_blocking(move || ask()).await.map_err(|error| {
        tracing::error!(error = %error, "the surroundings cannot be looked at");
        ApiError::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "the daemon broke on this request",
            "see its log, and report it",
        )
    })
}
