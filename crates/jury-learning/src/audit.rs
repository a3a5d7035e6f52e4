//! All guardrails at once, for the files: what each says about every template.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use jury_core::judge::{SCHEMA_VERSION, written};
use serde::Serialize;
use utoipa::ToSchema;

use crate::ab::AbTests;
use crate::guardrail::{GuardrailRuling, Purpose, refinement_loop, sample_size, variant_limit};
use crate::refine::{LogEntry, RefinementLog};
use crate::scores::TemplateScores;

/// How often a template was run with each prompt, by the hash of the prompt.
pub type PromptRuns = BTreeMap<String, BTreeMap<String, u64>>;

/// The most prompts that are named for one template.
const MOST_PROMPTS: usize = 10;

/// The file `guardrail-audit-….json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct GuardrailAudit {
    /// The version of the shape.
    pub schema_version: String,
    /// When it was made.
    pub generated_at: String,
    /// Counts over all guardrails.
    pub summary: AuditSummary,
    /// The result of each guardrail.
    pub checks: Vec<AuditCheck>,
}

/// Counts over all guardrails.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct AuditSummary {
    /// How many guardrails were asked.
    pub checks_run: u64,
    /// How many said something.
    pub checks_with_output: u64,
    /// How many lines say that something is not well.
    pub concerns: u64,
}

/// The result of one guardrail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct AuditCheck {
    /// The id of the guardrail.
    pub id: String,
    /// How to ask it alone.
    pub command: String,
    /// What it says, a line for each template.
    pub output: String,
}

/// What an audit looks at.
#[derive(Debug, Clone, Copy)]
pub struct AuditInput<'a> {
    /// The scores of templates.
    pub scores: &'a TemplateScores,
    /// The A/B tests that are audited.
    pub tests: &'a AbTests,
    /// The log of refinements.
    pub log: &'a RefinementLog,
    /// What is to be said about each promotion that is in place.
    pub promotions: &'a [GuardrailRuling],
    /// The prompts of all runs.
    pub prompts: &'a PromptRuns,
}

/// Asks every guardrail about every template.
pub fn audit(input: AuditInput<'_>, now: Timestamp) -> GuardrailAudit {
    let scored = || input.scores.templates.iter();
    let tested: BTreeSet<&str> = input.tests.tests.iter().map(|test| test.original.as_str()).collect();
    let refined: BTreeSet<&str> = input
        .log
        .entries
        .iter()
        .filter_map(|entry| match entry {
            LogEntry::Refined(entry) => Some(entry.template.as_str()),
            LogEntry::Other(_) => None,
        })
        .collect();
    let sample = |purpose: Purpose| {
        let rulings = scored().map(|score| {
            let ruling = sample_size(score.total_runs, purpose);
            GuardrailRuling { line: plain(&format!("{}: {ruling}", score.template)), ok: ruling.ok }
        });
        rulings.collect::<Vec<_>>()
    };
    let checks: [(&str, &str, Vec<GuardrailRuling>); 6] = [
        (
            "variant_limit",
            "check-variant-limit TEMPLATE",
            tested.iter().map(|template| variant_limit(input.tests, template)).collect(),
        ),
        ("sample_scoring", "check-sample-size RUNS scoring", sample(Purpose::Scoring)),
        ("sample_refinement", "check-sample-size RUNS refinement", sample(Purpose::Refinement)),
        ("rollback_check", "check-rollback", input.promotions.to_vec()),
        (
            "refinement_loop",
            "check-refinement-loop TEMPLATE",
            refined.iter().map(|template| refinement_loop(input.log, template)).collect(),
        ),
        ("duplicate_detection", "check-duplicates TEMPLATE", duplicates(input.prompts)),
    ];
    // Too few runs are a state and not a concern.
    let concerns = checks
        .iter()
        .filter(|(id, _, _)| !id.starts_with("sample_"))
        .flat_map(|(_, _, rulings)| rulings)
        .filter(|ruling| !ruling.ok)
        .count();
    let checks: Vec<AuditCheck> = checks
        .into_iter()
        .map(|(id, command, rulings)| AuditCheck {
            id: id.to_owned(),
            command: format!("jury templates guardrails {command}"),
            output: rulings.iter().map(|ruling| ruling.line.as_str()).collect::<Vec<_>>().join("\n"),
        })
        .collect();
    GuardrailAudit {
        schema_version: SCHEMA_VERSION.to_owned(),
        generated_at: written(now),
        summary: AuditSummary {
            checks_run: checks.len() as u64,
            checks_with_output: checks.iter().filter(|check| !check.output.is_empty()).count() as u64,
            concerns: concerns as u64,
        },
        checks,
    }
}

fn duplicates(prompts: &PromptRuns) -> Vec<GuardrailRuling> {
    let mut rulings = Vec::new();
    for (template, hashes) in prompts {
        let mut often: Vec<(&str, u64)> = hashes
            .iter()
            .filter(|(_, count)| **count > 1)
            .map(|(hash, count)| (hash.as_str(), *count))
            .collect();
        often.sort_by(|one, two| two.1.cmp(&one.1).then_with(|| one.0.cmp(two.0)));
        let line = |(hash, count): &(&str, u64)| plain(&format!("{template}: {hash} was run {count} times"));
        rulings.extend(
            often.iter().take(MOST_PROMPTS).map(|often| GuardrailRuling { ok: false, line: line(often) }),
        );
        if often.len() > MOST_PROMPTS {
            let more = often.len() - MOST_PROMPTS;
            rulings.push(GuardrailRuling {
                ok: false,
                line: plain(&format!(
                    "{template}: {} run again",
                    jury_core::line::counted(more, "more prompt was", "more prompts were")
                )),
            });
        }
    }
    rulings
}

/// One line without an apostrophe, whatever the names are.
fn plain(line: &str) -> String {
    line.chars().filter(|character| !character.is_control() && *character != '\'').collect()
}
