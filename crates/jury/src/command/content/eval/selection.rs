//! Who sits on a panel: by the vote, or by a model that is asked as in a run.

use jury_core::content::eval::{ScenarioResult, SelectionCase, Went};
use jury_core::content::select::vote;
use jury_core::content::{Advisor, AdvisorRegistry, PanelSelection};

use super::{Trial, scratch};
use crate::refusal::Refusal;

/// Asks as often as is wanted. The vote is always the same, and is taken once.
pub(super) async fn tried(
    trial: &Trial<'_>,
    case: &SelectionCase,
    guests: &[Advisor],
) -> Result<ScenarioResult, Refusal> {
    let times = if trial.agent.is_some() { trial.args.repeat } else { 1 };
    let mut results = Vec::new();
    for _ in 0..times {
        results.push(once(trial, case, guests).await?);
    }
    Ok(case.all(&results))
}

async fn once(
    trial: &Trial<'_>,
    case: &SelectionCase,
    guests: &[Advisor],
) -> Result<ScenarioResult, Refusal> {
    let registry = case.registry(&trial.registry, guests);
    let none = |why: String| Ok(ScenarioResult::without("selection", &case.name, Went::Absent, why));
    let panel = match chosen(trial, case.recipe.as_str(), &registry).await? {
        Ok(panel) => panel,
        Err(why) => return none(why),
    };
    let larger = match &case.smaller_than {
        None => None,
        Some(recipe) => match chosen(trial, recipe.as_str(), &registry).await? {
            Ok(panel) => Some(panel),
            Err(why) => return none(why),
        },
    };
    Ok(case.judge(&panel, larger.as_ref()))
}

async fn chosen(
    trial: &Trial<'_>,
    recipe: &str,
    registry: &AdvisorRegistry,
) -> Result<Result<PanelSelection, String>, Refusal> {
    let recipe = trial.recipe(recipe)?;
    if trial.agent.is_none() {
        return Ok(vote(&recipe, registry).map_err(|error| error.to_string()));
    }
    scratch::panel(trial, recipe, registry).await
}
