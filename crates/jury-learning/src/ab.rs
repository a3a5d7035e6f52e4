//! A/B tests of templates: two arms, one question, decided by an interval.
//!
//! An interval is looked at when both arms have as many runs as the target, and again at twice, four and eight times as
//! many. Each look spends half of what the looks before left of five percent, so that looking often does not turn luck
//! into a result. At the last look a variant that is not better goes.

use std::fmt;
use std::str::FromStr;

use jury_core::judge::number::{plain, rounded};
use jury_core::outcome::{UnknownWord, words};
use jury_core::score::EPSILON;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::interval::{Estimate, upper_quantile};
use crate::tally::TemplateTally;

/// The runs of each arm before the first look.
pub const TARGET_RUNS: u64 = 10;
/// How often an interval is looked at.
pub const LOOKS: u32 = 4;
/// What all looks together may get wrong, both sides.
pub const ALPHA: f64 = 0.05;
/// A variant that cannot be better by this much is not worth more runs.
pub const LEAST_GAIN: f64 = 0.05;
/// The difference that the scripts before us promoted at.
pub const OLD_DIFFERENCE: f64 = 0.1;

/// How a test stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AbStatus {
    /// Runs are still being collected.
    Active,
    /// The test has a decision.
    Completed,
}

words!(AbStatus { Active = "active", Completed = "completed" });

/// What becomes of the variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AbDecision {
    /// The variant takes the place of the original.
    Promoted,
    /// The variant is not used any more.
    Discarded,
    /// The variant is better, and a person must agree.
    Gated,
    /// There were too many variants, and it was the oldest.
    DiscardedLimit,
}

words!(AbDecision {
    Promoted = "promoted",
    Discarded = "discarded",
    Gated = "gated",
    DiscardedLimit = "discarded_limit",
});

/// One of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Arm {
    /// The template as it is.
    Original,
    /// The one that might be better.
    Variant,
}

words!(Arm { Original = "original", Variant = "variant" });

/// The file `ab-tests.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AbTests {
    /// The version of the shape.
    #[serde(default = "version")]
    pub schema_version: String,
    /// In the order in which they were made.
    #[serde(default)]
    pub tests: Vec<AbTest>,
}

fn version() -> String {
    jury_core::judge::SCHEMA_VERSION.to_owned()
}

impl Default for AbTests {
    fn default() -> Self {
        Self { schema_version: version(), tests: Vec::new() }
    }
}

impl Default for ReviewQueue {
    fn default() -> Self {
        Self { schema_version: version(), entries: Vec::new() }
    }
}

/// A test of a template against its variant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AbTest {
    /// The template that is tested.
    pub original: String,
    /// The variant that is tried beside it.
    pub variant: String,
    /// Whether it still collects runs.
    pub status: AbStatus,
    /// The runs of each arm before the first look.
    #[serde(default = "target")]
    pub target_runs: u64,
    /// The runs of the original so far.
    #[serde(default)]
    pub original_runs: u64,
    /// The runs of the variant so far.
    #[serde(default)]
    pub variant_runs: u64,
    /// Since when: only runs from then on count.
    #[serde(default)]
    pub created_at: String,
    /// The decision, once there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub decision: Option<AbDecision>,
    /// When it was decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub completed_at: Option<String>,
    /// How often the interval was looked at.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub looks: u32,
    /// Whatever else is in the file.
    #[serde(flatten)]
    #[schema(ignore)]
    pub rest: Map<String, Value>,
}

fn target() -> u64 {
    TARGET_RUNS
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference over")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl AbTest {
    /// A test that begins.
    pub fn new(original: &str, variant: &str, target_runs: u64, created_at: String) -> Self {
        Self {
            original: original.to_owned(),
            variant: variant.to_owned(),
            status: AbStatus::Active,
            target_runs: target_runs.max(1),
            original_runs: 0,
            variant_runs: 0,
            created_at,
            decision: None,
            completed_at: None,
            looks: 0,
            rest: Map::new(),
        }
    }

    /// Whose turn it is: the arm with fewer runs, the original first.
    pub fn pick(&self) -> Arm {
        if self.original_runs <= self.variant_runs { Arm::Original } else { Arm::Variant }
    }

    /// The template of an arm.
    pub fn template(&self, arm: Arm) -> &str {
        match arm {
            Arm::Original => &self.original,
            Arm::Variant => &self.variant,
        }
    }

    /// A run of this arm.
    pub fn record(&mut self, arm: Arm) {
        match arm {
            Arm::Original => self.original_runs = self.original_runs.saturating_add(1),
            Arm::Variant => self.variant_runs = self.variant_runs.saturating_add(1),
        }
    }
}

impl AbTests {
    /// The active test of a template that has had the fewest runs: with several variants each gets its turn.
    pub fn turn(&mut self, template: &str) -> Option<&mut AbTest> {
        let active = self.tests.iter_mut();
        active
            .filter(|test| test.status == AbStatus::Active && test.original == template)
            .min_by_key(|test| test.original_runs.saturating_add(test.variant_runs))
    }
}

/// `promotion-review-queue.json`: variants that are better and wait for a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ReviewQueue {
    /// The version of the shape.
    #[serde(default = "version")]
    pub schema_version: String,
    /// The entries, the oldest first.
    #[serde(default)]
    pub entries: Vec<ReviewEntry>,
}

/// One variant that waits, or waited.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ReviewEntry {
    /// The template that is tested.
    pub original: String,
    /// The variant that is tried beside it.
    pub variant: String,
    /// What the template scored.
    #[serde(default, serialize_with = "plain")]
    pub original_score: f64,
    /// What the variant scored.
    #[serde(default, serialize_with = "plain")]
    pub variant_score: f64,
    /// The second less the first.
    #[serde(default, serialize_with = "plain")]
    pub score_diff: f64,
    /// `pending` or `approved`, or a word of somebody's.
    #[serde(default)]
    pub status: String,
    /// When it was put into the queue.
    #[serde(default)]
    pub queued_at: String,
    /// When a person looked at it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub resolved_at: Option<String>,
}

/// What a look at a test says.
#[derive(Debug, Clone, PartialEq)]
pub enum Look {
    /// Not before both arms have this many runs.
    NotReady {
        /// The runs of the variant so far.
        runs: u64,
    },
    /// Nothing can be said yet; the next look is at this many runs.
    Undecided {
        /// The variant less the original.
        difference: Estimate,
        /// The runs of the variant so far.
        runs: u64,
    },
    /// The variant is better.
    Promote {
        /// The variant less the original.
        difference: Estimate,
    },
    /// It is worse, or not better by enough to go on, or was looked at often enough.
    Discard {
        /// The variant less the original.
        difference: Estimate,
        /// The reason, for a person.
        why: &'static str,
    },
}

/// Looks at a test. The tallies are of the runs since it began. `with_judges` says whether their part counts.
pub fn look(test: &AbTest, original: &TemplateTally, variant: &TemplateTally, with_judges: bool) -> Look {
    let due = |look: u32| test.target_runs.max(1).saturating_mul(1_u64.checked_shl(look).unwrap_or(u64::MAX));
    let runs = original.counts.scoreable.min(variant.counts.scoreable);
    let at = test.looks.min(LOOKS - 1);
    if runs < due(at) {
        return Look::NotReady { runs: due(at) };
    }
    // Who comes late has missed looks, and has not spent them.
    let z = upper_quantile(ALPHA / 2.0_f64.powi(i32::try_from(at).unwrap_or(0) + 1) / 2.0);
    // A blended score is compared with a blended one only.
    let judged = with_judges && original.judged.count > 0 && variant.judged.count > 0;
    let score = |tally: &TemplateTally| if judged { tally.blended(z) } else { tally.mechanical(z) };
    let difference = score(variant).minus(score(original)).rounded(4);
    if difference.low > EPSILON {
        Look::Promote { difference }
    } else if difference.high < -EPSILON {
        Look::Discard { difference, why: "it is worse" }
    } else if difference.high < LEAST_GAIN {
        Look::Discard { difference, why: "it is not better by enough" }
    } else if at + 1 >= LOOKS {
        Look::Discard { difference, why: "it was looked at often enough and is not better" }
    } else {
        Look::Undecided { difference, runs: due(at + 1) }
    }
}

/// The rule of the scripts before us, for those who ask for it: a difference of the scores, and no more. Two templates
/// that are the same are told apart by it in four cases of ten.
pub fn old_rule(original: f64, variant: f64) -> bool {
    variant - original >= OLD_DIFFERENCE - EPSILON
}

impl Look {
    /// The line that is printed.
    pub fn line(&self, test: &AbTest) -> String {
        let shown = |estimate: &Estimate| {
            let two = |value| rounded(value, 3);
            format!("{} ({} to {})", two(estimate.value), two(estimate.low), two(estimate.high))
        };
        let (original, variant) = (&test.original, &test.variant);
        match self {
            Self::NotReady { runs } => format!(
                "{original} vs {variant}: not ready, {} and {} of {}",
                test.original_runs,
                test.variant_runs,
                jury_core::line::counted(*runs, "run", "runs")
            ),
            Self::Undecided { difference, runs } => format!(
                "{original} vs {variant}: not ready, the difference is {}; next look at {}",
                shown(difference),
                jury_core::line::counted(*runs, "run", "runs")
            ),
            Self::Promote { difference } => {
                format!("Promoted {variant} over {original}: the difference is {}", shown(difference))
            }
            Self::Discard { difference, why } => {
                format!("Discarded {variant}: {why}; the difference is {}", shown(difference))
            }
        }
    }
}
