//! Guardrails: what keeps the loop from running away. Each is a question with an answer in one line.
//!
//! No line has an apostrophe: scripts put them into quotes of their own.

use std::collections::BTreeMap;
use std::fmt;

use jury_core::judge::number::rounded;

use crate::ab::{AbDecision, AbStatus, AbTest, AbTests};
use crate::interval::Estimate;
use crate::refine::{LogEntry, RefinementLog};

/// How many variants of a template are tested at once.
pub const MOST_VARIANTS: usize = 3;
/// The runs before a score says something.
pub const SCORING_RUNS: u64 = 5;
/// The runs before a template is changed.
pub const REFINEMENT_RUNS: u64 = 10;
/// The runs of a promoted template before it can be rolled back.
pub const ROLLBACK_RUNS: u64 = 10;
/// So many variants of a template without a better pass rate are a loop.
pub const LOOP: usize = 5;

/// What a sample is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To score a template.
    Scoring,
    /// To change a template.
    Refinement,
}

/// What a guardrail says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuardrailRuling {
    /// Whether all is well.
    pub ok: bool,
    /// The ruling in one line, for a person.
    pub line: String,
}

impl fmt::Display for GuardrailRuling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.line)
    }
}

fn ruling(ok: bool, line: &str) -> GuardrailRuling {
    // Names come from files; whatever they are, the line stays one line without quotes that are not closed.
    let line = line.chars().filter(|c| !c.is_control() && *c != '\'').collect();
    GuardrailRuling { ok, line }
}

/// Whether there are enough runs.
pub fn sample_size(runs: u64, purpose: Purpose) -> GuardrailRuling {
    let (needed, what) = match purpose {
        Purpose::Scoring => (SCORING_RUNS, "scoring"),
        Purpose::Refinement => (REFINEMENT_RUNS, "refinement"),
    };
    let ok = runs >= needed;
    let word = if ok { "sufficient" } else { "insufficient" };
    ruling(ok, &format!("{word}: {runs} of {needed} runs for {what}"))
}

/// Whether a template has too many active variants.
pub fn variant_limit(tests: &AbTests, template: &str) -> GuardrailRuling {
    let active = active(tests, template).count();
    let ok = active <= MOST_VARIANTS;
    let word = if ok { "ok" } else { "over the limit" };
    ruling(ok, &format!("{word}: {template} has {active} of {MOST_VARIANTS} active variants"))
}

fn active<'a>(tests: &'a AbTests, template: &'a str) -> impl Iterator<Item = &'a AbTest> {
    tests.tests.iter().filter(move |test| test.status == AbStatus::Active && test.original == template)
}

/// Ends the oldest tests of a template until no more than the most are active. Their variants, to be archived.
pub fn enforce_variant_limit(tests: &mut AbTests, template: &str, now: &str) -> Vec<String> {
    let mut ended = Vec::new();
    while active(tests, template).count() > MOST_VARIANTS {
        let oldest = tests
            .tests
            .iter_mut()
            .filter(|test| test.status == AbStatus::Active && test.original == template)
            .min_by(|one, two| one.created_at.cmp(&two.created_at));
        let Some(oldest) = oldest else { break };
        oldest.status = AbStatus::Completed;
        oldest.decision = Some(AbDecision::DiscardedLimit);
        oldest.completed_at = Some(now.to_owned());
        ended.push(oldest.variant.clone());
    }
    ended
}

/// Whether a promotion should be taken back: what the template scores since then, against what the one before it scored.
/// By the interval: a bad day is no reason.
pub fn rollback(template: &str, since: Estimate, runs: u64, before: f64) -> GuardrailRuling {
    if runs < ROLLBACK_RUNS {
        return ruling(
            true,
            &format!("ok: {template} has {runs} of {ROLLBACK_RUNS} runs since its promotion"),
        );
    }
    let (now, was) = (rounded(since.value, 3), rounded(before, 3));
    if since.high < before {
        ruling(
            false,
            &format!("rollback: {template} scores {now} since its promotion and scored {was} before"),
        )
    } else {
        ruling(true, &format!("ok: {template} scores {now} since its promotion, {was} before"))
    }
}

/// Whether a variant may be promoted without a person.
pub fn promotion(original: &str, variant: &str, scores: (f64, f64), asks_a_person: bool) -> GuardrailRuling {
    let (was, is) = (rounded(scores.0, 3), rounded(scores.1, 3));
    if asks_a_person {
        ruling(false, &format!("gated: {variant} ({is}) over {original} ({was}) waits for review"))
    } else {
        ruling(true, &format!("allowed: {variant} ({is}) over {original} ({was}) may proceed"))
    }
}

/// Whether a template is changed again and again without getting better.
pub fn refinement_loop(log: &RefinementLog, template: &str) -> GuardrailRuling {
    let rates: Vec<f64> = log
        .entries
        .iter()
        .filter_map(|entry| match entry {
            LogEntry::Refined(entry) if entry.template == template => Some(entry.full_pass_rate),
            LogEntry::Refined(_) | LogEntry::Other(_) => None,
        })
        .collect();
    let better = matches!((rates.first(), rates.last()), (Some(first), Some(last)) if last > first);
    if rates.len() >= LOOP && !better {
        ruling(
            false,
            &format!(
                "loop breaker: {template} was refined {} times and is no better; human review needed",
                rates.len()
            ),
        )
    } else {
        ruling(
            true,
            &format!(
                "ok: no loop, {template} was refined {}",
                jury_core::line::counted(rates.len(), "time", "times")
            ),
        )
    }
}

/// The prompts that a template was run with more than once, the commonest first, given the hash of each run.
pub fn duplicates<'a>(hashes: impl Iterator<Item = &'a str>) -> Vec<(&'a str, u64)> {
    let mut counts = counted(hashes);
    counts.retain(|(_, count)| *count > 1);
    counts.sort_by(|one, two| two.1.cmp(&one.1).then_with(|| one.0.cmp(two.0)));
    counts
}

/// How many different prompts a template was run with.
pub fn unique<'a>(hashes: impl Iterator<Item = &'a str>) -> usize {
    counted(hashes).len()
}

fn counted<'a>(hashes: impl Iterator<Item = &'a str>) -> Vec<(&'a str, u64)> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for hash in hashes.filter(|hash| !hash.is_empty()) {
        *counts.entry(hash).or_default() += 1;
    }
    counts.into_iter().collect()
}
