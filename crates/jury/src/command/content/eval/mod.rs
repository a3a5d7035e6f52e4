//! `jury content eval`: those who choose, review and revise, on scenarios with a known answer.

mod comparison;
mod critique;
mod protection;
mod scratch;
mod selection;

use std::collections::BTreeMap;

use jury_core::content::eval::{ScenarioResult, Went};
use jury_core::content::{AdvisorRegistry, Recipe};
use jury_core::id::AgentId;
use jury_core::run::OutcomeKind;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::cli::{ContentEvalArgs, EvalGroup};
use crate::command::run::{INTERRUPTED, pass_on_signals};
use crate::output::{Output, Tone};
use crate::refusal::Refusal;
use crate::settings::{self, Settings};
use crate::{evals, registry};

/// Whom the scenarios are tried on.
struct Trial<'a> {
    /// None: the vote, the measured critics and the safe corrections.
    agent: Option<AgentId>,
    args: &'a ContentEvalArgs,
    settings: Settings,
    registry: AdvisorRegistry,
    interrupt: CancellationToken,
}

impl Trial<'_> {
    fn recipe(&self, name: &str) -> Result<Recipe, Refusal> {
        registry::recipe(name, &self.registry).map(|loaded| loaded.recipe)
    }
}

pub(super) async fn eval(args: ContentEvalArgs, output: Output) -> Result<u8, Refusal> {
    let agent: AgentId = args.agent.parse().map_err(|error| Refusal::usage(format!("--agent: {error}")))?;
    let agent = (agent != AgentId::house()).then_some(agent);
    if agent.is_none() && args.model.is_some() {
        return Err(Refusal::usage("--model does not go with the house, which measures and has no model"));
    }
    let trial = Trial {
        agent,
        args: &args,
        settings: settings::load(BTreeMap::new())?,
        registry: registry::advisors()?.registry,
        interrupt: CancellationToken::new(),
    };
    let guard = trial.agent.is_some().then(crate::reaper::post);
    let outcomes = tokio::select! {
        outcomes = tried(&trial, output) => outcomes?,
        () = pass_on_signals(trial.interrupt.clone()) => Vec::new(),
    };
    drop(guard);
    if trial.interrupt.is_cancelled() {
        return Ok(INTERRUPTED);
    }
    if args.json {
        let count = |went: Went| outcomes.iter().filter(|outcome| outcome.result == went).count();
        Output::result(&super::pretty(&json!({
            "agent": args.agent,
            "outcomes": outcomes,
            "passed": count(Went::Passed),
            "failed": count(Went::Failed),
            "skipped": count(Went::Skipped),
            "absent": count(Went::Absent),
        })));
    } else {
        Output::result(&table(&outcomes, output));
    }
    Ok(code(&outcomes))
}

/// Fails when something failed; inconclusive when somebody did not answer, or nothing was tried at all.
fn code(outcomes: &[ScenarioResult]) -> u8 {
    let any = |went: Went| outcomes.iter().any(|outcome| outcome.result == went);
    if any(Went::Failed) {
        OutcomeKind::NotPassed
    } else if any(Went::Absent) || !any(Went::Passed) {
        OutcomeKind::Inconclusive
    } else {
        OutcomeKind::Passed
    }
    .exit_code()
}

async fn tried(trial: &Trial<'_>, output: Output) -> Result<Vec<ScenarioResult>, Refusal> {
    let wanted = |group: EvalGroup| trial.args.group.is_empty() || trial.args.group.contains(&group);
    let all = evals::all()?;
    let mut outcomes = Vec::new();
    let mut say = |outcome: ScenarioResult| {
        output.progress(&format!("{} {}: {}", word(outcome.result), outcome.group, outcome.name));
        outcomes.push(outcome);
    };
    if wanted(EvalGroup::Selection) {
        for scenarios in &all {
            for case in &scenarios.file.selection {
                say(selection::tried(trial, case, &scenarios.guests).await?);
            }
        }
    }
    if wanted(EvalGroup::Critique) {
        for case in all.iter().flat_map(|scenarios| &scenarios.file.critique) {
            say(critique::tried(trial, case).await?);
        }
    }
    if wanted(EvalGroup::Guard) {
        for case in all.iter().flat_map(|scenarios| &scenarios.file.guard) {
            say(protection::tried(trial, case)?);
        }
    }
    if wanted(EvalGroup::Comparison) {
        for case in all.iter().flat_map(|scenarios| &scenarios.file.comparison) {
            say(comparison::tried(trial, case).await?);
        }
    }
    Ok(outcomes)
}

fn word(went: Went) -> &'static str {
    match went {
        Went::Passed => "passed",
        Went::Failed => "FAILED",
        Went::Skipped => "skipped",
        Went::Absent => "ABSENT",
    }
}

fn table(outcomes: &[ScenarioResult], output: Output) -> String {
    let mut lines = Vec::new();
    let mut group = "";
    for outcome in outcomes {
        if outcome.group != group {
            group = outcome.group;
            lines.push(format!(
                "{}{}",
                if lines.is_empty() { "" } else { "\n" },
                output.paint_result(Tone::Bold, group)
            ));
        }
        let tone = match outcome.result {
            Went::Passed => Tone::Good,
            Went::Failed | Went::Absent => Tone::Bad,
            Went::Skipped => Tone::Dim,
        };
        let result = output.paint_result(tone, &format!("{:<7}", word(outcome.result)));
        lines.push(format!("  {result}  {}", outcome.name));
        lines.push(super::wrapped("", &outcome.detail));
    }
    let count = |went: Went| outcomes.iter().filter(|outcome| outcome.result == went).count();
    lines.push(format!(
        "\n{} of {} passed, {} failed, {} skipped, {} without an answer.",
        count(Went::Passed),
        outcomes.len(),
        count(Went::Failed),
        count(Went::Skipped),
        count(Went::Absent)
    ));
    lines.join("\n")
}
