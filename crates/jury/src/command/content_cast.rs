//! Who does the steps of a run of the content pipeline: with the settings of the moment.

use std::path::Path;

use jury_agents::prompt::ContentTemplate;
use jury_core::content::ContentRequest;
use jury_engine::content::ContentCast;
use jury_engine::content::site::{Publishing, publish_with};

use super::run::budget;
use crate::agent::{self, PROMPTS};
use crate::refusal::Refusal;
use crate::settings::Settings;

/// Who is asked, what that may cost, and where sites are served.
pub(crate) fn content_cast(
    request: &ContentRequest,
    settings: &Settings,
    publishing: Publishing,
) -> Result<ContentCast, Refusal> {
    let budget = budget(request.max_cost_usd, request.max_tokens)?;
    let agent = request
        .agent
        .as_ref()
        .map(|id| agent::find_for_prompts(id, settings, request.model.as_deref(), budget))
        .transpose()?;
    let own = Path::new(PROMPTS);
    let prompts = if own.is_dir() { ContentTemplate::load(own) } else { Ok(ContentTemplate::built_in()) };
    let prompts = prompts.map_err(|error| Refusal::usage(error.to_string()))?;
    let cast = ContentCast { agent, prompts, ..ContentCast::offline() };
    Ok(cast.publishing(publish_with(publishing)))
}
