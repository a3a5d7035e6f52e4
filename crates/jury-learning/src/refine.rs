//! Refinement: which templates should be changed, for which reason, and how their variants read.
//!
//! Every trigger looks at the runs of its own template. What fails elsewhere, or on the machine, changes nothing here.

use std::fmt;
use std::str::FromStr;

use jury_core::judge::number::plain;
use jury_core::judge::{JudgeDimension, SCHEMA_VERSION};
use jury_core::outcome::{UnknownWord, words};
use jury_core::score::EPSILON;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::calibration::Influence;
use crate::pattern::Pattern;
use crate::registry::PatternRegistry;
use crate::scores::{PatternCount, TemplateScore, TemplateScores};
use crate::select::variant_number;
use crate::tally::Trend;

/// The runs a template needs before it is changed.
pub const LEAST_RUNS: u64 = 10;
/// A pass rate below this is low.
pub const LOW_PASS_RATE: f64 = 0.5;
/// A pattern seen this often is one.
pub const PATTERN_COUNT: u64 = 5;
/// The judgements a template needs before they can ask for a change.
pub const LEAST_JUDGED: u64 = 5;
/// What the judges give on average below this is low.
pub const LOW_JUDGEMENT: f64 = 0.5;
/// The heading under which a variant has its notes.
pub const NOTES: &str = "## Refinement Notes (auto-generated)";

/// Why a template should be changed. In the order in which they are named when several hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RefinementTrigger {
    /// It passes too seldom.
    LowPassRate,
    /// It passes less often than it did.
    DecliningTrend,
    /// It fails in the same way again and again.
    HighPatternCount,
    /// The judges think little of what it makes, though the checks pass.
    LowJudgement,
}

words!(RefinementTrigger {
    LowPassRate = "low_pass_rate",
    DecliningTrend = "declining_trend",
    HighPatternCount = "high_pattern_count",
    LowJudgement = "low_judgement",
});

/// A template that should be changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The template that should be changed.
    pub template: String,
    /// Why; the first is the one that is logged.
    pub triggers: Vec<RefinementTrigger>,
    /// The patterns that its notes are about.
    pub patterns: Vec<String>,
    /// The part that passed fully.
    pub full_pass_rate: f64,
    /// All runs of the template.
    pub total_runs: u64,
}

/// The templates that should be changed. Variants are left alone: their test decides about them.
pub fn candidates(scores: &TemplateScores, influence: &Influence) -> Vec<Candidate> {
    scores.templates.iter().filter_map(|score| candidate(score, influence)).collect()
}

/// Scores that the scripts before us wrote do not say which patterns the runs of a template show. There the registry has
/// to do, with the patterns of all templates, until the scores are computed anew.
pub fn fill_patterns(scores: &mut TemplateScores, registry: &PatternRegistry) {
    for score in scores.templates.iter_mut().filter(|score| score.mechanical.is_none()) {
        let mendable = registry.0.iter().filter(|(name, _)| !crate::pattern::is_infra(name));
        score.patterns = mendable
            .map(|(name, entry)| PatternCount { pattern: name.clone(), count: entry.count })
            .collect();
    }
}

fn candidate(score: &TemplateScore, influence: &Influence) -> Option<Candidate> {
    if score.total_runs < LEAST_RUNS || variant_number(&score.template).is_some() {
        return None;
    }
    let patterns: Vec<String> = score
        .patterns
        .iter()
        .filter(|seen| seen.count >= PATTERN_COUNT && !crate::pattern::is_infra(&seen.pattern))
        .map(|seen| seen.pattern.clone())
        .collect();
    // The upper bound: a few harsh judgements are not yet a low mean.
    let judged_low = influence.counts()
        && score.judged_runs >= LEAST_JUDGED
        && score.judged.is_some_and(|judged| judged.high < LOW_JUDGEMENT);
    let holds = |trigger: &RefinementTrigger| match trigger {
        RefinementTrigger::LowPassRate => score.full_pass_rate < LOW_PASS_RATE - EPSILON,
        RefinementTrigger::DecliningTrend => score.trend == Trend::Declining,
        RefinementTrigger::HighPatternCount => !patterns.is_empty(),
        RefinementTrigger::LowJudgement => judged_low,
    };
    let triggers: Vec<RefinementTrigger> = RefinementTrigger::ALL.iter().copied().filter(holds).collect();
    (!triggers.is_empty()).then(|| Candidate {
        template: score.template.clone(),
        triggers,
        patterns,
        full_pass_rate: score.full_pass_rate,
        total_runs: score.total_runs,
    })
}

impl Candidate {
    /// The name of its next variant, given all that there are or ever were, in the archive as well: a number is never
    /// given twice, because its runs are counted under it.
    pub fn next_variant<'a>(&self, known: impl Iterator<Item = &'a str>) -> String {
        let taken = known.filter_map(|name| {
            let name = name.strip_suffix(".md").unwrap_or(name);
            let family = name.rsplit_once("-v").is_some_and(|(family, _)| family == self.template);
            family.then(|| variant_number(name)).flatten()
        });
        format!("{}-v{}", self.template, taken.max().unwrap_or(0).saturating_add(1))
    }

    /// The text of a variant: the original and the notes, one for each pattern and for each dimension that judges found
    /// wanting. All of them are texts of ours: what a judge says is about somebody's diff, and whoever gets a sentence
    /// quoted would give orders to every later run.
    pub fn variant_text(&self, original: &str, wanting: &[JudgeDimension]) -> String {
        let mut text = original.trim_end().to_owned();
        text.push_str("\n\n");
        text.push_str(NOTES);
        text.push('\n');
        let patterns = self.patterns.iter();
        let mut notes: Vec<&str> =
            patterns.filter_map(|name| name.parse::<Pattern>().ok().and_then(Pattern::instruction)).collect();
        notes.extend(wanting.iter().map(|dimension| instruction(*dimension)));
        if notes.is_empty() {
            notes.push(
                "Earlier runs from this template fell short. Read the task twice, do all of it and nothing else, run \
                 the tests and the lint command, and check that the work is complete before you finish.",
            );
        }
        for note in notes {
            text.push_str("\n- ");
            text.push_str(note);
        }
        text.push('\n');
        text
    }

    /// What the log names as applied.
    pub fn applied(&self) -> Vec<String> {
        if self.patterns.is_empty() { vec!["generic".to_owned()] } else { self.patterns.clone() }
    }
}

/// What a variant says about a dimension that judges found wanting.
fn instruction(dimension: JudgeDimension) -> &'static str {
    match dimension {
        JudgeDimension::Correctness => {
            "Reviewers found mistakes in earlier runs. Check each requirement against what the code does, and write tests \
             that would fail without it."
        }
        JudgeDimension::ScopeAdherence => {
            "Reviewers found changes beside the task in earlier runs. Change what the task asks for, and nothing else."
        }
        JudgeDimension::CodeQuality => {
            "Reviewers found poor code in earlier runs. Write as the code around yours does, handle errors, and leave \
             nothing behind that is not needed."
        }
        JudgeDimension::Completeness => {
            "Reviewers found parts missing in earlier runs. Leave no stub and no open point, and go through the task once \
             more before you finish."
        }
    }
}

/// The file `refinement-log.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RefinementLog {
    /// The version of the shape.
    #[serde(default)]
    pub schema_version: String,
    /// The oldest first. What we do not know is kept as it is.
    #[serde(default)]
    #[schema(value_type = Vec<Object>)]
    pub entries: Vec<LogEntry>,
}

impl Default for RefinementLog {
    fn default() -> Self {
        Self { schema_version: SCHEMA_VERSION.to_owned(), entries: Vec::new() }
    }
}

/// One entry of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum LogEntry {
    /// A variant was made.
    Refined(Refined),
    /// Something else: the result of a test, or an entry of somebody's.
    Other(Value),
}

/// A variant was made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Refined {
    /// The template that was changed.
    pub template: String,
    /// The name of the new variant.
    #[serde(default)]
    pub variant: String,
    /// Why: one of the triggers, or a word of somebody's.
    pub trigger: String,
    /// When it was made.
    #[serde(default)]
    pub timestamp: String,
    /// The part of runs that passed fully at that time.
    #[serde(default, serialize_with = "plain")]
    pub full_pass_rate: f64,
    /// The runs at that time.
    #[serde(default)]
    pub total_runs: u64,
    /// What its notes are about.
    #[serde(default)]
    pub patterns_applied: Vec<String>,
}
