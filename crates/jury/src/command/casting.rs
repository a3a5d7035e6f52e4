//! Who does the runs of the daemon: with the settings of the moment.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use jury_agents::api::Budget;
use jury_agents::prompt::{Ask, Material};
use jury_core::content::ContentRequest;
use jury_core::critic::CriticRequest;
use jury_core::enablement::{EnablementInputs, SkillPolicy};
use jury_core::judge::JudgeRequest;
use jury_core::request::{BadRequest, RunRequest};
use jury_engine::content::ContentCast;
use jury_engine::content::site::Publishing;
use jury_engine::{Casting, CriticCast, GatheredTask, Measuring, Panel, SKILLS, TheaterCast, load_skill};
use serde_json::{Map, Value};

use super::critic::cast;
use super::serve::Current;
use super::{house, judge};
use crate::agent::{self, Task, Wanted};
use crate::refusal::Refusal;
use crate::settings::Settings;

/// Knows the settings as they are now.
pub(super) struct DaemonCasting {
    current: Current,
    /// One for all of them: together they measure no more pages at once than the machine bears.
    measuring: Measuring,
    publishing: Publishing,
    data_dir: PathBuf,
}

impl DaemonCasting {
    pub(super) fn new(current: Current, publishing: Publishing, data_dir: PathBuf) -> Self {
        Self { current, measuring: Measuring::with(house::measure_elsewhere), publishing, data_dir }
    }

    fn settings(&self) -> Arc<Settings> {
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Casting for DaemonCasting {
    fn theater(&self, request: &RunRequest, project: &Map<String, Value>) -> Result<TheaterCast, BadRequest> {
        part(request, project, &self.settings(), self.measuring.clone())
    }

    fn critic(&self, request: &CriticRequest) -> Result<CriticCast, String> {
        cast(request, &self.settings()).map_err(|refusal| refusal.message)
    }

    fn judge<'a>(&'a self, request: &'a JudgeRequest) -> GatheredTask<'a> {
        Box::pin(async move { judge::task(request, &self.data_dir).await.map_err(|refusal| refusal.message) })
    }

    fn content(&self, request: &ContentRequest) -> Result<ContentCast, String> {
        super::content_cast(request, &self.settings(), self.publishing.clone())
            .map_err(|refusal| refusal.message)
    }
}

fn part(
    request: &RunRequest,
    project: &Map<String, Value>,
    settings: &Settings,
    measuring: Measuring,
) -> Result<TheaterCast, BadRequest> {
    let config = request.settings(&settings.critique)?;
    let design = request.design.as_deref().filter(|design| !design.trim().is_empty());
    if let Some(kind) = design.and_then(jury_text::brand::no_design) {
        let problem = format!("{}; send the text of a DESIGN.md, or leave it out", kind.words());
        return Err(BadRequest { field: "design", problem });
    }
    let skill = request
        .skill
        .as_ref()
        .map(|skill| load_skill(Path::new(SKILLS), skill))
        .transpose()
        .map_err(|error| BadRequest { field: "skill", problem: error.to_string() })?;
    let question = EnablementInputs {
        skill: skill.as_ref().and_then(|skill| skill.policy),
        project: project.get("critiqueTheaterEnabled").and_then(Value::as_bool),
        setting: settings.enabled_given,
        phase: config.rollout_phase,
    };
    let budget = (request.max_cost_usd.is_some() || request.max_tokens.is_some())
        .then(|| Budget::new(request.max_cost_usd, request.max_tokens));
    let scratch = std::env::temp_dir();
    let task = Task {
        wanted: Wanted::Page(
            Ask::Panel,
            Material {
                skill: skill.as_ref().map(|skill| skill.prompt.as_str()),
                page: request.page.as_deref(),
                brief: request.brief.as_deref(),
                design: request.design.as_deref(),
            },
        ),
        model: request.model.as_deref(),
        budget,
        scratch: &scratch,
        beside: None,
        temperature: None,
    };
    let settings = Settings { critique: config.clone(), ..settings.clone() };
    let unknown = |refusal: Refusal| BadRequest { field: "agent", problem: refusal.message };
    let agent = agent::find(&request.agent(), &settings, &task).map_err(unknown)?;
    let legacy = agent::find_for_page(&request.agent(), &settings, &task).map_err(unknown)?;
    Ok(TheaterCast { config, agent, panel: panel(request, question), legacy, measuring })
}

/// Whether the panel sits. A request that asks for it gets it, and so does one that holds a page, whatever else it holds. For
/// a page that is to be made, the skill, the project, the settings and the rollout decide.
fn panel(request: &RunRequest, question: EnablementInputs) -> Panel {
    let required = question.skill == Some(SkillPolicy::Required);
    match request.critique {
        _ if request.page.is_some() => Panel::Sits,
        Some(true) => Panel::Sits,
        Some(false) if !required => Panel::Off("the request switches it off".to_owned()),
        Some(false) | None => {
            let answer = question.answer();
            if answer.on { Panel::Sits } else { Panel::Off(answer.why) }
        }
    }
}
