//! What becomes of a variant: its files, its test, the log. Whoever calls holds the lock.

use jiff::Timestamp;
use jury_core::judge::written;
use jury_learning::ab::{AbDecision, AbStatus, AbTest, AbTests};
use jury_learning::files::{LearningPaths, Templates};
use jury_learning::refine::{LogEntry, RefinementLog};
use serde_json::{Value, json};

use super::named;
use crate::output::Output;
use crate::refusal::Refusal;

/// How the log names a blended score.
pub(super) const BLENDED: &str = "blended";

/// The figures that were compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Compared {
    /// The score of the original.
    pub(super) original: f64,
    /// The score of the variant.
    pub(super) variant: f64,
    /// Whether both are blended; otherwise both are mechanical.
    pub(super) blended: bool,
    /// The mechanical score of the original, for the time when judgements do not count any more.
    pub(super) original_mechanical: f64,
}

impl Compared {
    /// Compares two mechanical scores.
    pub(super) fn mechanical(original: f64, variant: f64) -> Self {
        Self { original, variant, blended: false, original_mechanical: original }
    }
}

/// Puts the variant in the place of the original, and begins the other tests of the original anew: it is another one now.
/// False when there is no such variant; then nothing is changed.
pub(super) fn promote(
    paths: &LearningPaths,
    tests: &mut AbTests,
    index: usize,
    now: Timestamp,
    output: Output,
) -> Result<bool, Refusal> {
    let (original, variant) = match tests.tests.get(index) {
        Some(test) => (test.original.clone(), test.variant.clone()),
        None => return Ok(false),
    };
    if !Templates::new(paths).promote(&named(&original)?, &named(&variant)?)? {
        return Ok(false);
    }
    end(&mut tests.tests[index], AbDecision::Promoted, now);
    for test in &mut tests.tests {
        if test.status == AbStatus::Active && test.original == original {
            let rest = std::mem::take(&mut test.rest);
            *test = AbTest { rest, ..AbTest::new(&original, &test.variant, test.target_runs, written(now)) };
            output
                .note(&format!("{original} vs {} begins anew: {original} is another one now", test.variant));
        }
    }
    Ok(true)
}

/// Ends a test with its decision.
pub(super) fn end(test: &mut AbTest, decision: AbDecision, now: Timestamp) {
    test.status = AbStatus::Completed;
    test.decision = Some(decision);
    test.completed_at = Some(written(now));
}

/// Moves a variant that lost to the archive.
pub(super) fn retire(paths: &LearningPaths, variant: &str) -> Result<(), Refusal> {
    Templates::new(paths).retire(&named(variant)?)?;
    Ok(())
}

/// The result of a test, as the log has it.
pub(super) fn note_result(
    log: &mut RefinementLog,
    test: &AbTest,
    decision: AbDecision,
    scores: Compared,
    rule: &str,
    now: Timestamp,
) {
    log.entries.push(LogEntry::Other(json!({
        "type": "ab_test_result", "original": test.original, "variant": test.variant,
        "decision": decision.as_str(), "original_score": number(scores.original), "variant_score": number(scores.variant),
        "timestamp": written(now), "rule": rule, "compared": if scores.blended { BLENDED } else { "mechanical" },
        "original_mechanical": number(scores.original_mechanical),
    })));
}

/// A score as the files have it: four decimals, and `1` rather than `1.0`.
pub(super) fn number(score: f64) -> Value {
    let rounded = (score * 1e4).round() / 1e4;
    #[expect(clippy::cast_possible_truncation, reason = "a whole score is 0 or 1")]
    if rounded.fract() == 0.0 && rounded.abs() < 1e9 { json!(rounded as i64) } else { json!(rounded) }
}
