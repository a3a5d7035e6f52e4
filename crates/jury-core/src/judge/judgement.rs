//! Judgements: what a judge, or a panel of judges, says about a run, in the shape of the files.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::bead::Bead;
use super::number::{plain, rounded};
use super::panel::PanelRecord;
use crate::event::Usage;
use crate::finding::{Finding, FindingId, FindingState, Place};
use crate::outcome::{UnknownWord, words};
use crate::score::EPSILON;
use crate::severity::{self, Severity};
use crate::unit::Millis;

/// The version of the shape.
pub const SCHEMA_VERSION: &str = "1.0.0";

/// What is said of a run. In the order of strictness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum JudgeVerdict {
    /// Every dimension is good enough. The only green one.
    Pass,
    /// Neither good enough nor a failure.
    Partial,
    /// The score is too low, or the work is not correct.
    Fail,
}

words!(JudgeVerdict { Pass = "pass", Partial = "partial", Fail = "fail" });

impl JudgeVerdict {
    /// The verdict as a number between 0 and 1, for statistics.
    pub fn value(self) -> f64 {
        match self {
            Self::Pass => 1.0,
            Self::Partial => 0.5,
            Self::Fail => 0.0,
        }
    }
}

/// How much weight a judgement has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = JudgeConfidence)]
pub enum Confidence {
    /// Little weight: the judge is unsure or saw too little.
    Low,
    /// Some weight: the judge is fairly sure.
    Medium,
    /// Full weight: the judge is sure and saw enough.
    High,
}

words!(Confidence { Low = "low", Medium = "medium", High = "high" });

/// One of the four things a run is judged by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum JudgeDimension {
    /// Does the code do what was asked, and do the tests test it?
    Correctness,
    /// Nothing beside the task?
    ScopeAdherence,
    /// Does it fit the project, and is it clean?
    CodeQuality,
    /// No stubs, nothing left out?
    Completeness,
}

words!(JudgeDimension {
    Correctness = "correctness",
    ScopeAdherence = "scope_adherence",
    CodeQuality = "code_quality",
    Completeness = "completeness",
});

impl JudgeDimension {
    /// How much it counts in the score. The four make 1.
    pub fn weight(self) -> f64 {
        match self {
            Self::Correctness => 0.4,
            Self::ScopeAdherence | Self::CodeQuality | Self::Completeness => 0.2,
        }
    }
}

/// The four marks, each between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Dimensions {
    /// The mark of [`JudgeDimension::Correctness`].
    #[serde(serialize_with = "plain")]
    pub correctness: f64,
    /// The mark of [`JudgeDimension::ScopeAdherence`].
    #[serde(serialize_with = "plain")]
    pub scope_adherence: f64,
    /// The mark of [`JudgeDimension::CodeQuality`].
    #[serde(serialize_with = "plain")]
    pub code_quality: f64,
    /// The mark of [`JudgeDimension::Completeness`].
    #[serde(serialize_with = "plain")]
    pub completeness: f64,
}

/// Each dimension of a pass reaches this.
pub const PASS_FROM: f64 = 0.7;
/// A score below this is a fail.
pub const FAIL_BELOW: f64 = 0.45;
/// A correctness below this is a fail, whatever the rest.
pub const INCORRECT_BELOW: f64 = 0.4;

impl Dimensions {
    /// From a mark for each.
    pub fn from_fn(mut mark: impl FnMut(JudgeDimension) -> f64) -> Self {
        Self {
            correctness: mark(JudgeDimension::Correctness),
            scope_adherence: mark(JudgeDimension::ScopeAdherence),
            code_quality: mark(JudgeDimension::CodeQuality),
            completeness: mark(JudgeDimension::Completeness),
        }
    }

    /// The mark of one.
    pub fn of(&self, dimension: JudgeDimension) -> f64 {
        match dimension {
            JudgeDimension::Correctness => self.correctness,
            JudgeDimension::ScopeAdherence => self.scope_adherence,
            JudgeDimension::CodeQuality => self.code_quality,
            JudgeDimension::Completeness => self.completeness,
        }
    }

    /// The weighted mean, to four decimals.
    pub fn score(&self) -> f64 {
        rounded(self.exact(), 4)
    }

    fn exact(&self) -> f64 {
        JudgeDimension::ALL.iter().map(|dimension| dimension.weight() * self.of(*dimension)).sum()
    }

    /// The verdict. Ours, and never the model's. Compared with what was not rounded.
    pub fn verdict(&self) -> JudgeVerdict {
        let below = |value: f64, bar: f64| value < bar - EPSILON;
        if JudgeDimension::ALL.iter().all(|dimension| !below(self.of(*dimension), PASS_FROM)) {
            JudgeVerdict::Pass
        } else if below(self.exact(), FAIL_BELOW) || below(self.correctness, INCORRECT_BELOW) {
            JudgeVerdict::Fail
        } else {
            JudgeVerdict::Partial
        }
    }
}

/// Where an issue can be seen. A place that was not shown to the judge is no evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct IssueEvidence {
    /// The file, as the diff names it; none for what stands in the output of tests or lint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub file: Option<String>,
    /// The line in it, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub line: Option<u32>,
    /// What stands there, word for word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub quote: Option<String>,
}

/// Something that is wrong with the work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Issue)]
pub struct JudgeIssue {
    /// How bad it is.
    #[serde(with = "severity::two")]
    #[schema(value_type = severity::two::Schema)]
    pub severity: Severity,
    /// The issue, for a person.
    pub description: String,
    /// Which mark it lowered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub dimension: Option<JudgeDimension>,
    /// Where it can be seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub evidence: Option<IssueEvidence>,
    /// How many seats of the panel raised it, where there is a panel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub seats: Option<u32>,
}

impl JudgeIssue {
    /// The same as a finding.
    pub fn finding(&self) -> Finding {
        let dimension = self.dimension.map(JudgeDimension::as_str);
        let place = self.evidence.as_ref().map_or_else(Place::default, |seen| Place {
            file: seen.file.clone(),
            line: seen.line,
            quote: seen.quote.clone(),
            ..Place::default()
        });
        let about = place.file.as_deref().unwrap_or_default();
        Finding {
            id: FindingId::of("judge", &format!("{about} {}", self.description)),
            rule: dimension.map(ToOwned::to_owned),
            severity: self.severity,
            place,
            text: self.description.clone(),
            suggestion: None,
            figures: Vec::new(),
            state: FindingState::Open,
        }
    }
}

/// Who judged, and what exactly was asked: two judgements with the same of this can be compared.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct JudgeStamp {
    /// The model's name at its vendor.
    pub model: String,
    /// A hash of the prompt and the rubric in it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub prompt: String,
    /// A hash of what was shown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub context: String,
    /// The version of the rubric that was judged by.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rubric: String,
    /// The version of jury.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub version: String,
}

/// What asking cost, of one seat or of all of them.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, ToSchema)]
pub struct JudgeCost {
    /// Read by the model.
    pub input_tokens: u64,
    /// Written by the model.
    pub output_tokens: u64,
    /// In US dollars, when it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub cost_usd: Option<f64>,
    /// How long it took. Seats are asked side by side, so that those of a panel do not add up to its own.
    pub duration_ms: u64,
}

impl JudgeCost {
    /// What was used, in this time.
    pub fn new(usage: Usage, duration: Millis) -> Self {
        Self {
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            cost_usd: usage.cost_usd,
            duration_ms: duration.0,
        }
    }

    /// Tokens and money as a usage.
    pub fn usage(&self) -> Usage {
        Usage { input_tokens: self.input_tokens, output_tokens: self.output_tokens, cost_usd: self.cost_usd }
    }

    /// Both, one after the other.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let duration = Millis(self.duration_ms.saturating_add(other.duration_ms));
        Self::new(self.usage().plus(other.usage()), duration)
    }
}

/// What was said about a run, as `state/judgments/<bead>.json` has it. The first eight keys are the native shape; the
/// others say where it comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Judgement {
    /// The version of this format, [`SCHEMA_VERSION`].
    pub schema_version: String,
    /// The run that is judged.
    pub bead: Bead,
    /// The verdict, computed from score and issues.
    pub verdict: JudgeVerdict,
    /// The score, computed from the marks.
    #[serde(serialize_with = "plain")]
    pub score: f64,
    /// The marks that both are computed from.
    pub dimensions: Dimensions,
    /// The issues of all seats.
    pub issues: Vec<JudgeIssue>,
    /// One paragraph for people.
    pub summary: String,
    /// How much weight it has.
    pub confidence: Confidence,
    /// When it was judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime, nullable = false)]
    pub judged_at: Option<Timestamp>,
    /// The agent and model that judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub judge: Option<JudgeStamp>,
    /// What the judge said of itself and was not believed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The seats, where there was more than one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub panel: Option<PanelRecord>,
}

impl Judgement {
    /// Whether the run should be dispatched again at once instead of waiting for a pattern.
    pub fn asks_for_another_try(&self) -> bool {
        self.verdict == JudgeVerdict::Fail
    }

    /// The judgement as it counts: the score is that of its marks. A panel has the verdict of most of its seats, or of the
    /// person who was asked, and neither follows from the medians. Of anybody else the stricter counts: what is said,
    /// or what the marks make. None when a mark is none.
    #[must_use]
    pub fn counted(mut self) -> Option<Self> {
        let marks = self.dimensions;
        if !JudgeDimension::ALL.iter().all(|one| (0.0..=1.0).contains(&marks.of(*one))) {
            return None;
        }
        self.score = marks.score();
        if self.panel.is_none() {
            self.verdict = self.verdict.max(marks.verdict());
        }
        Some(self)
    }
}
