//! What the cycle is worth: the draft that went in and the one that came out, scored by the same measured critics.

use jury_core::content::eval::{ComparisonCase, ScenarioResult, Went};
use jury_core::content::select::vote;
use jury_core::content::{ContentStatus, Draft, Foundation, Recipe};
use jury_core::score::{EPSILON, cut};
use jury_core::severity::Severity;

use super::critique::measured;
use super::{Trial, scratch};
use crate::evals;
use crate::refusal::Refusal;

/// How good a draft is.
struct Worth {
    mean: f64,
    high: usize,
    medium: usize,
    each: Vec<(String, f64)>,
}

pub(super) async fn tried(trial: &Trial<'_>, case: &ComparisonCase) -> Result<ScenarioResult, Refusal> {
    let mut recipe = trial.recipe(case.recipe.as_str())?;
    recipe.publish = false;
    let foundation = evals::foundation(&case.idea)?;
    let draft = match &case.draft {
        Some(name) => Some(evals::draft(name, &case.change, recipe.form)?),
        None => None,
    };
    let none = |why: String| Ok(ScenarioResult::without("comparison", &case.name, Went::Absent, why));
    let cycle = match scratch::cycle(trial, &recipe, &foundation, draft).await? {
        Ok(cycle) => cycle,
        Err(why) => return none(why),
    };
    let scored = |draft: &Draft| worth(trial, &recipe, &foundation, draft);
    let (before, after) = match (scored(&cycle.first), scored(&cycle.last)) {
        (Ok(before), Ok(after)) => (before, after),
        (Err(why), _) | (_, Err(why)) => return none(why),
    };
    let rounds = cycle.means.len();
    let at_once = rounds == 1 && cycle.standing == ContentStatus::Approved;
    let reached = case.reaches(&cycle.means);
    // Going round must make it better, and never change what nobody asked to be changed. A draft that was approved as it came
    // did not go round: there is nothing to compare, and nothing has passed but the mean, where one is wanted.
    let went = match reached {
        Some(false) => Went::Failed,
        Some(true) if at_once => Went::Passed,
        None if at_once => Went::Skipped,
        Some(true) | None => {
            let is_better = after.mean > before.mean + EPSILON || after.high < before.high;
            let is_worse = after.mean + EPSILON < before.mean || after.high > before.high;
            Went::of(is_better && !is_worse && cycle.lost == 0)
        }
    };
    let each: Vec<String> = before
        .each
        .iter()
        .zip(&after.each)
        .map(|((name, before), (_, after))| format!("{name} {before:.2} to {after:.2}"))
        .collect();
    let by_round = case.by_round.map_or_else(String::new, |round| format!(" by round {round}"));
    let own: Vec<String> =
        cycle.means.iter().map(|mean| mean.map_or_else(|| "-".to_owned(), |mean| cut(mean, 1))).collect();
    let wanted = case.mean.map_or_else(String::new, |mean| {
        format!("; its own critics {} on average, {}{by_round} is wanted", own.join(", "), cut(mean, 1))
    });
    let detail = format!(
        "single pass {:.2} ({} high, {} medium), after {} {:.2} ({} high, {} medium), {}; {}{}{wanted}",
        before.mean,
        before.high,
        before.medium,
        jury_core::line::counted(rounds, "round", "rounds"),
        after.mean,
        after.high,
        after.medium,
        if at_once {
            format!("{}: one pass was enough, so there is nothing to compare", cycle.standing)
        } else {
            cycle.standing.to_string()
        },
        each.join(", "),
        if cycle.lost == 0 {
            String::new()
        } else {
            format!("; {} protected passages were changed", cycle.lost)
        }
    );
    Ok(ScenarioResult::without("comparison", &case.name, went, detail))
}

fn worth(
    trial: &Trial<'_>,
    recipe: &Recipe,
    foundation: &Foundation,
    draft: &Draft,
) -> Result<Worth, String> {
    let panel = vote(recipe, &trial.registry).map_err(|error| error.to_string())?;
    let advisors = panel.seats.iter().filter_map(|seat| trial.registry.get(&seat.advisor_id));
    let critiques = advisors
        .filter(|advisor| advisor.measured_by.is_some())
        .map(|advisor| measured(advisor, draft, recipe, foundation))
        .collect::<Result<Vec<_>, _>>()?;
    if critiques.is_empty() {
        return Err("nobody of the panel is measured".to_owned());
    }
    let count = |severity| critiques.iter().map(|critique| critique.count(severity)).sum();
    let (high, medium) = (count(Severity::Serious), count(Severity::Moderate));
    let sum: f64 = critiques.iter().map(|critique| critique.score).sum();
    let of = f64::from(u32::try_from(critiques.len()).unwrap_or(u32::MAX));
    let each = critiques.into_iter().map(|critique| (critique.name, critique.score)).collect();
    Ok(Worth { mean: sum / of, high, medium, each })
}
