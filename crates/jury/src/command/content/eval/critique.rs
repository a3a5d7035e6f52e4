//! What critics find in drafts with a known flaw: the measured ones, or a model that is asked as in a run.

use jury_core::content::eval::{CritiqueCase, ScenarioResult, Went};
use jury_core::content::{Advisor, Critique, Draft, Foundation, Recipe};
use jury_text::content::{DraftSubject, review};

use super::{Trial, scratch};
use crate::evals;
use crate::refusal::Refusal;

pub(super) async fn tried(trial: &Trial<'_>, case: &CritiqueCase) -> Result<ScenarioResult, Refusal> {
    let none = |went, why: String| Ok(ScenarioResult::without("critique", &case.name, went, why));
    if case.only_model && trial.agent.is_none() {
        return none(Went::Skipped, "nothing that can be measured tells it; try it with --agent".to_owned());
    }
    let recipe = trial.recipe(case.recipe.as_str())?;
    let advisor = trial
        .registry
        .get(&case.critic)
        .ok_or_else(|| Refusal::usage(format!("'{}': there is no advisor '{}'", case.name, case.critic)))?;
    let foundation = evals::foundation(&case.idea)?;
    let draft = evals::draft(&case.draft, &case.change, recipe.form)?;
    let critique = match said(trial, advisor, &draft, &recipe, &foundation).await? {
        Ok(critique) => critique,
        Err(why) => return none(Went::Absent, why),
    };
    let mut before = None;
    if case.lower {
        let draft = evals::draft(&case.draft, &[], recipe.form)?;
        match said(trial, advisor, &draft, &recipe, &foundation).await? {
            Ok(critique) => before = Some(critique),
            Err(why) => return none(Went::Absent, why),
        }
    }
    Ok(case.judge(&critique, before.as_ref()))
}

async fn said(
    trial: &Trial<'_>,
    advisor: &Advisor,
    draft: &Draft,
    recipe: &Recipe,
    foundation: &Foundation,
) -> Result<Result<Critique, String>, Refusal> {
    if trial.agent.is_some() {
        return scratch::critique(trial, advisor, draft, recipe, foundation).await;
    }
    Ok(measured(advisor, draft, recipe, foundation))
}

/// What the built-in critic of an advisor says.
pub(super) fn measured(
    advisor: &Advisor,
    draft: &Draft,
    recipe: &Recipe,
    foundation: &Foundation,
) -> Result<Critique, String> {
    let critic = advisor.measured_by.ok_or_else(|| {
        format!("{} is measured by nothing, and there is no model to speak for it", advisor.id)
    })?;
    review(critic, advisor, draft, &DraftSubject { recipe, foundation }).map_err(|error| error.to_string())
}
