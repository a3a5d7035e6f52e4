//! How well agents play.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use jiff::Timestamp;
use jury_core::conformance::CycleTally;
use jury_core::id::AgentId;
use jury_store::PastCycle;
use serde::Serialize;
use utoipa::ToSchema;

use crate::answer::json;
use crate::error::ApiError;
use crate::server::Shared;

/// How many cycles of each agent are shown.
const CYCLES: u32 = 14;

/// How well agents play the jury.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Conformance {
    /// Agents that were tested or are marked, by name.
    agents: Vec<AgentConformance>,
}

/// How well one agent plays the jury.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AgentConformance {
    /// The agent that was tested.
    agent: AgentId,
    /// Until when it is not asked, if it is marked as degraded.
    #[schema(value_type = Option<String>, format = DateTime)]
    degraded_until: Option<Timestamp>,
    /// Why, if it is.
    degraded_reason: Option<String>,
    /// The cycles, the newest first.
    cycles: Vec<CycleSummary>,
}

/// One sitting of the conformance briefs.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CycleSummary {
    /// When the cycle ended.
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    /// The briefs that were tried.
    runs: u32,
    /// The briefs that were shipped.
    shipped: u32,
    /// How many were read without a flaw.
    clean: u32,
}

impl From<PastCycle> for CycleSummary {
    fn from(past: PastCycle) -> Self {
        let CycleTally { runs, shipped, clean } = past.tally;
        Self { at: past.cycle.at, runs, shipped, clean }
    }
}

/// How well agents play: their conformance cycles, and who is marked as degraded.
#[utoipa::path(
    get, path = "/api/critique/conformance", operation_id = "getConformance", tag = "critique", responses((status = 200, body = Conformance))
)]
pub(crate) async fn conformance(State(shared): State<Shared>) -> Result<Response, ApiError> {
    let marks = shared.store.degraded(Timestamp::now()).await?;
    let mut agents = shared.store.tested_agents().await?;
    agents.extend(marks.iter().map(|mark| mark.agent.clone()));
    agents.sort();
    agents.dedup();
    let mut answer = Vec::with_capacity(agents.len());
    for agent in agents {
        let cycles = shared.store.cycles(&agent, CYCLES).await?;
        let mark = marks.iter().find(|mark| mark.agent == agent);
        answer.push(AgentConformance {
            degraded_until: mark.map(|mark| mark.until),
            degraded_reason: mark.map(|mark| mark.reason.clone()),
            cycles: cycles.into_iter().map(CycleSummary::from).collect(),
            agent,
        });
    }
    Ok(json(StatusCode::OK, &Conformance { agents: answer }))
}
