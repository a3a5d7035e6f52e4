//! Selection: which template a task gets, and why.

use jury_core::judge::Confidence;
use jury_core::judge::number::{plain, rounded};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::ab::{AbTests, Arm};
use crate::calibration::Influence;
use crate::interval::Estimate;
use crate::scores::{TemplateScore, TemplateScores};
use crate::task::TaskType;

/// The runs an agent needs before it is recommended.
pub const AGENT_RUNS: u64 = 3;
/// The runs a template needs before it is preferred to another.
pub const TEMPLATE_RUNS: u64 = 5;

/// What is selected, as it is printed. The first nine keys are those of the scripts before us.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = Selection)]
pub struct TemplateSelection {
    /// The template to use, whichever arm of a test it is.
    pub template: String,
    /// The variant, only when it is the one to use.
    #[schema(required)]
    pub variant: Option<String>,
    /// The agent that does best with it.
    pub agent: String,
    /// The model, which is not known here.
    pub model: String,
    /// The kind of work.
    pub task_type: TaskType,
    /// The score that was compared.
    #[serde(serialize_with = "plain")]
    pub score: f64,
    /// How much the number of runs is worth: `high`, `medium`, `low`, or `none` without any.
    pub confidence: String,
    /// Why, in one text.
    pub reasoning: String,
    /// What to be careful about.
    pub warnings: Vec<String>,
    /// Why, one by one.
    pub reasons: Vec<String>,
    /// The score with its interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub interval: Option<Estimate>,
}

/// Selects a template for a task. Without a file of scores everything is a default.
pub fn select(
    task: &str,
    scores: Option<&TemplateScores>,
    tests: &mut AbTests,
    influence: &Influence,
) -> TemplateSelection {
    let (task_type, words) = TaskType::of(task);
    let mut reasons = vec![if words.is_empty() {
        format!("the task is {task_type}: no word of it says more")
    } else {
        format!("the task is {task_type}: {}", words.join(", "))
    }];
    let mut selection = TemplateSelection {
        template: task_type.as_str().to_owned(),
        variant: None,
        agent: "unknown".to_owned(),
        model: "unknown".to_owned(),
        task_type,
        score: 0.0,
        confidence: "none".to_owned(),
        reasoning: String::new(),
        warnings: Vec::new(),
        reasons: Vec::new(),
        interval: None,
    };
    match scores {
        None => {
            TaskType::Custom.as_str().clone_into(&mut selection.template);
            selection.warnings.push("No template-scores.json found — using defaults".to_owned());
            reasons.push("there are no scores".to_owned());
        }
        Some(scores) => score(&mut selection, scores, influence, &mut reasons),
    }
    if scores.is_some()
        && let Some(test) = tests.turn(&selection.template)
    {
        let arm = test.pick();
        reasons.push(format!(
            "{} and {} are compared, and it is the turn of the {arm}",
            test.original, test.variant
        ));
        test.template(arm).clone_into(&mut selection.template);
        // Set only for the arm that runs: whoever prefers `variant` to `template` must not starve the original.
        selection.variant = (arm == Arm::Variant).then(|| test.variant.clone());
    }
    selection.reasoning = reasons.join("; ");
    selection.reasons = reasons;
    selection
}

fn score(
    selection: &mut TemplateSelection,
    scores: &TemplateScores,
    influence: &Influence,
    reasons: &mut Vec<String>,
) {
    let kind = selection.task_type.as_str();
    let with_judges = influence.counts();
    let candidates: Vec<&TemplateScore> =
        scores.templates.iter().filter(|score| belongs(&score.template, kind)).collect();
    // Of templates with enough runs the one whose lower bound is highest: what is known beats what might be.
    let best = candidates.iter().copied().max_by(|one, two| {
        let key = |score: &TemplateScore| score.total_runs >= TEMPLATE_RUNS;
        let low = |score: &TemplateScore| score.effective(with_judges).low;
        key(one)
            .cmp(&key(two))
            .then_with(|| low(one).total_cmp(&low(two)))
            // The shorter and then the earlier name: the plain template before its relatives.
            .then_with(|| (two.template.len(), &two.template).cmp(&(one.template.len(), &one.template)))
    });
    let Some(best) = best else {
        reasons.push(format!("no template of this kind has been run; {kind} is its name"));
        return;
    };
    let estimate = best.effective(with_judges);
    best.template.clone_into(&mut selection.template);
    selection.score = if best.mechanical.is_some() { rounded(estimate.value, 4) } else { best.score };
    selection.interval = Some(estimate.rounded(4));
    best.confidence.as_str().clone_into(&mut selection.confidence);
    let what = if with_judges && best.judged_runs > 0 { "blended" } else { "mechanical" };
    reasons.push(format!(
        "{} has a {what} score of {} ({} to {}) over {}",
        best.template,
        rounded(estimate.value, 2),
        rounded(estimate.low, 2),
        rounded(estimate.high, 2),
        jury_core::line::counted(best.total_runs, "run", "runs")
    ));
    for other in candidates.iter().filter(|other| other.template != best.template) {
        let theirs = other.effective(with_judges);
        reasons.push(format!(
            "{} has {} ({} to {}) over {}",
            other.template,
            rounded(theirs.value, 2),
            rounded(theirs.low, 2),
            rounded(theirs.high, 2),
            other.total_runs
        ));
    }
    if best.judged_runs > 0 {
        reasons.push(influence.reason());
    }
    if best.confidence == Confidence::Low {
        selection.warnings.push(format!(
            "Low confidence: {} has {}, and {TEMPLATE_RUNS} make it medium",
            best.template,
            jury_core::line::counted(best.total_runs, "run", "runs")
        ));
    }
    let agent = best.agents.iter().filter(|agent| agent.total_runs >= AGENT_RUNS).max_by(|one, two| {
        one.full_pass_rate.total_cmp(&two.full_pass_rate).then_with(|| two.agent.cmp(&one.agent))
    });
    if let Some(agent) = agent {
        agent.agent.clone_into(&mut selection.agent);
        reasons.push(format!(
            "{} passes {} of its {} with it",
            agent.agent,
            rounded(agent.full_pass_rate, 2),
            jury_core::line::counted(agent.total_runs, "run", "runs")
        ));
    }
}

/// Whether a template is for this kind: its name, or its name and more. Variants under test are not chosen by score.
fn belongs(template: &str, kind: &str) -> bool {
    match template.strip_prefix(kind) {
        Some("") => true,
        Some(rest) => rest.starts_with('-') && variant_number(template).is_none(),
        None => false,
    }
}

/// The number of a variant: 3 of `bug-fix-v3`.
pub fn variant_number(template: &str) -> Option<u32> {
    template.rsplit_once("-v").and_then(|(_, number)| {
        number.bytes().all(|b| b.is_ascii_digit()).then(|| number.parse().ok()).flatten()
    })
}
