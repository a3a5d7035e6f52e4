//! The older judge: its shape, which scripts read, and its heuristic, which needs no model.
//!
//! `--format opus` prints a native judgement in this shape. The heuristic only restates the mechanical signals, and says
//! so: its model is `heuristic` unless the caller keeps the older label.

use crate::severity::{self, Severity};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;
use utoipa::ToSchema;

use super::answer::{JudgeAnswer, LONGEST_TEXT, MOST_ISSUES};
use super::bead::Bead;
use super::judgement::{Confidence, Dimensions, JudgeIssue, JudgeVerdict, Judgement, SCHEMA_VERSION};
use super::moment::{moment, written};
use super::number::{plain, rounded};
use super::record::{CheckState, RunRecord, RunStatus, shown};

/// What the older judge prints, in the order of its keys.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct OpusJudgement {
    /// The version of this format, [`SCHEMA_VERSION`].
    pub schema_version: String,
    /// The run that is judged.
    pub bead: Bead,
    /// When it was judged, as text.
    pub judged_at: String,
    /// The model that judged.
    pub judge_model: String,
    /// Between 0 and 1.
    #[serde(serialize_with = "plain")]
    pub quality_score: f64,
    /// Between 1 and 5.
    #[serde(serialize_with = "plain")]
    pub style_rating: f64,
    /// Between 1 and 5.
    #[serde(serialize_with = "plain")]
    pub maintainability_rating: f64,
    /// Between 1 and 5.
    #[serde(serialize_with = "plain")]
    pub correctness_rating: f64,
    /// How sure the judge is.
    pub confidence: Confidence,
    /// The verdict on the run.
    pub verdict: JudgeVerdict,
    /// One paragraph for people.
    pub critique: String,
    /// The issues that were found.
    pub findings: Vec<OpusFinding>,
    /// What was looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub input_summary: Option<InputSummary>,
    /// What does not go together in it, and what counts instead.
    #[serde(skip)]
    pub warnings: Vec<String>,
}

/// How far a score may lie from what the ratings make.
const ROUNDING: f64 = 0.05;

/// Something that is wrong, in the older shape.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OpusFinding {
    /// How bad the finding is.
    #[serde(with = "severity::two")]
    pub severity: Severity,
    /// In a few words.
    pub title: String,
    /// The finding in more words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub details: Option<String>,
}

/// What the heuristic looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InputSummary {
    /// What the tests said.
    pub tests_status: String,
    /// What the linter said.
    pub lint_status: String,
}

/// What the feedback record keeps of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct OpusJudge {
    /// The model that judged.
    pub judge_model: String,
    /// Between 1 and 5.
    #[serde(serialize_with = "plain")]
    pub style_rating: f64,
    /// Between 1 and 5.
    #[serde(serialize_with = "plain")]
    pub maintainability_rating: f64,
    /// Between 1 and 5.
    #[serde(serialize_with = "plain")]
    pub correctness_rating: f64,
    /// How sure the judge is.
    pub confidence: Confidence,
    /// The verdict on the run.
    pub verdict: JudgeVerdict,
    /// One paragraph for people.
    pub critique: String,
    /// The issues that were found.
    pub findings: Vec<OpusFinding>,
    /// When it was judged, as text.
    pub judged_at: String,
}

/// Why what a judge script printed cannot be merged. It is said, and the record stays without a judgement.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InvalidOpus {
    /// It is not JSON.
    #[error("the judge script printed no JSON: {0}")]
    NotJson(String),
    /// A field is missing or wrong.
    #[error("the judge script printed {found} for {field}, expected {expected}")]
    Field {
        /// The name of the field.
        field: &'static str,
        /// What would be accepted there.
        expected: &'static str,
        /// The value that is there.
        found: String,
    },
}

impl OpusJudgement {
    /// A native judgement in the older shape.
    pub fn from_native(judgement: &Judgement) -> Self {
        let marks = &judgement.dimensions;
        let rating = |mark: f64| rounded(1.0 + 4.0 * mark, 3);
        let model = judgement.judge.as_ref().map_or("unknown", |judge| judge.model.as_str());
        Self {
            schema_version: SCHEMA_VERSION.to_owned(),
            bead: judgement.bead.clone(),
            judged_at: judgement.judged_at.map(written).unwrap_or_default(),
            judge_model: model.to_owned(),
            quality_score: judgement.score,
            style_rating: rating(marks.code_quality),
            maintainability_rating: rating(f64::midpoint(marks.scope_adherence, marks.completeness)),
            correctness_rating: rating(marks.correctness),
            confidence: judgement.confidence,
            verdict: judgement.verdict,
            critique: judgement.summary.clone(),
            findings: judgement
                .issues
                .iter()
                .map(|issue| OpusFinding {
                    severity: issue.severity,
                    title: first_sentence(&issue.description),
                    details: Some(issue.description.clone()),
                })
                .collect(),
            input_summary: None,
            warnings: Vec::new(),
        }
    }

    /// What a script of somebody's printed about this run, checked. Where its score or its verdict is better than its ratings
    /// make it, the ratings count.
    pub fn read(bytes: &[u8], bead: &Bead, now: Timestamp) -> Result<Self, InvalidOpus> {
        let value: Value =
            serde_json::from_slice(bytes).map_err(|error| InvalidOpus::NotJson(error.to_string()))?;
        let wrong = |field: &'static str, expected: &'static str| InvalidOpus::Field {
            field,
            expected,
            found: value.get(field).map_or_else(|| "nothing".to_owned(), shown),
        };
        let text = |field: &'static str| {
            value.get(field).and_then(Value::as_str).map(str::to_owned).ok_or_else(|| wrong(field, "a text"))
        };
        let rating = |field: &'static str| {
            let rating = value.get(field).and_then(Value::as_f64).filter(|r| (1.0..=5.0).contains(r));
            rating.ok_or_else(|| wrong(field, "a number from 1 to 5"))
        };
        if value.get("bead").is_some_and(|other| other.as_str() != Some(bead.as_str())) {
            return Err(wrong("bead", "the bead of the run"));
        }
        let score = value.get("quality_score").and_then(Value::as_f64).filter(|s| (0.0..=1.0).contains(s));
        let findings = match value.get("findings") {
            None | Some(Value::Null) => Vec::new(),
            Some(findings) => serde_json::from_value(findings.clone())
                .map_err(|_| wrong("findings", "an array of {severity: major or minor, title, details}"))?,
        };
        let parsed = |field: &'static str| value.get(field).and_then(Value::as_str).unwrap_or_default();
        let at = text("judged_at").ok().filter(|text| moment(text).is_some());
        let mut read = Self {
            schema_version: SCHEMA_VERSION.to_owned(),
            bead: bead.clone(),
            judged_at: at.unwrap_or_else(|| written(now)),
            judge_model: text("judge_model")?,
            quality_score: score.ok_or_else(|| wrong("quality_score", "a number from 0 to 1"))?,
            style_rating: rating("style_rating")?,
            maintainability_rating: rating("maintainability_rating")?,
            correctness_rating: rating("correctness_rating")?,
            confidence: parsed("confidence")
                .parse()
                .map_err(|_| wrong("confidence", "high, medium or low"))?,
            verdict: parsed("verdict").parse().map_err(|_| wrong("verdict", "pass, partial or fail"))?,
            critique: text("critique")?,
            findings,
            input_summary: None,
            warnings: Vec::new(),
        };
        read.compare();
        Ok(read)
    }

    /// Compares the score and the verdict with the ratings. There are two ways to make them of ratings, the older one and
    /// ours; what either of them makes is not contradicted. The stricter counts.
    fn compare(&mut self) {
        let marks = self.dimensions();
        let older = older_score(self.correctness_rating, self.style_rating, self.maintainability_rating);
        let (low, high) = (older.min(marks.score()), older.max(marks.score()));
        let said = self.quality_score;
        if said > high + ROUNDING {
            self.quality_score = high;
            self.warnings.push(format!("quality_score is {said} where its ratings make {high}; that counts"));
        } else if said < low - ROUNDING {
            self.warnings
                .push(format!("quality_score is {said} where its ratings make {low}; the lower counts"));
        }
        let made = older_verdict(older).min(marks.verdict());
        if made > self.verdict {
            self.warnings
                .push(format!("verdict is {} where its ratings make {made}; that counts", self.verdict));
            self.verdict = made;
        }
    }

    /// The same as an answer: the marks of the ratings, of which maintainability is that of scope and of completeness.
    pub fn answer(&self) -> JudgeAnswer {
        let dimensions = self.dimensions();
        let ours = dimensions.verdict();
        let differs = (self.verdict != ours)
            .then(|| format!("the judge says {} where its ratings make {ours}", self.verdict));
        JudgeAnswer {
            dimensions,
            issues: self.findings.iter().take(MOST_ISSUES).map(OpusFinding::issue).collect(),
            summary: short(&self.critique),
            confidence: self.confidence,
            warnings: self.warnings.iter().cloned().chain(differs).collect(),
        }
    }

    fn dimensions(&self) -> Dimensions {
        let mark = |rating: f64| rounded((rating - 1.0) / 4.0, 4);
        Dimensions {
            correctness: mark(self.correctness_rating),
            scope_adherence: mark(self.maintainability_rating),
            code_quality: mark(self.style_rating),
            completeness: mark(self.maintainability_rating),
        }
    }

    /// What the feedback record keeps.
    pub fn part(&self) -> OpusJudge {
        OpusJudge {
            judge_model: self.judge_model.clone(),
            style_rating: self.style_rating,
            maintainability_rating: self.maintainability_rating,
            correctness_rating: self.correctness_rating,
            confidence: self.confidence,
            verdict: self.verdict,
            critique: self.critique.clone(),
            findings: self.findings.clone(),
            judged_at: self.judged_at.clone(),
        }
    }

    /// The heuristic: marks from the mechanical signals of the record alone.
    pub fn heuristic(run: &RunRecord, model: &str, now: Timestamp) -> Self {
        let checks = &run.verification;
        let (mut correct, mut style, mut maintain) = (3.0_f64, 3.0_f64, 3.0_f64);
        let ended_badly = matches!(run.status, RunStatus::Timeout | RunStatus::Failed);
        if ended_badly {
            correct = 1.0;
        }
        if run.status == RunStatus::Failed {
            maintain = 2.0;
        }
        correct += match run.exit_code {
            Some(0) => 1.0,
            Some(_) => -1.0,
            None => 0.0,
        };
        let step = |check: CheckState, pass: f64, fail: f64| match check {
            CheckState::Pass => pass,
            CheckState::Fail => fail,
            CheckState::Skipped | CheckState::Unknown => 0.0,
        };
        correct += step(checks.tests, 1.0, -2.0);
        style += step(checks.lint, 1.0, -1.0);
        maintain += step(checks.ubs, 1.0, -1.0) + step(checks.truthsayer, 1.0, -1.0);
        let [correct, style, maintain] = [correct, style, maintain].map(|rating| rating.clamp(1.0, 5.0));
        let quality = older_score(correct, style, maintain);
        let verdict = older_verdict(quality);
        let confidence = match verdict {
            JudgeVerdict::Pass => Confidence::High,
            JudgeVerdict::Fail => Confidence::Low,
            JudgeVerdict::Partial if ended_badly => Confidence::Low,
            JudgeVerdict::Partial => Confidence::Medium,
        };
        let seen = [
            (checks.tests == CheckState::Fail, Severity::Serious, "Tests failing"),
            (checks.lint == CheckState::Fail, Severity::Minor, "Lint issues present"),
            (checks.ubs == CheckState::Fail, Severity::Serious, "UBS issues detected"),
            (checks.truthsayer == CheckState::Fail, Severity::Minor, "Truthsayer violations"),
            (run.status == RunStatus::Timeout, Severity::Serious, "Execution timeout"),
        ];
        let findings = seen
            .into_iter()
            .filter(|(shows, _, _)| *shows)
            .map(|(_, severity, title)| OpusFinding { severity, title: title.to_owned(), details: None });
        let findings: Vec<OpusFinding> = findings.collect();
        Self {
            schema_version: SCHEMA_VERSION.to_owned(),
            bead: run.bead.clone(),
            judged_at: written(now),
            judge_model: model.to_owned(),
            quality_score: quality,
            style_rating: style,
            maintainability_rating: maintain,
            correctness_rating: correct,
            confidence,
            verdict,
            critique: format!(
                "From the signals of the record alone: status {}, tests {}, lint {}; {} of them speak against it.",
                run.status,
                checks.tests,
                checks.lint,
                findings.len()
            ),
            findings,
            input_summary: Some(InputSummary {
                tests_status: checks.tests.as_str().to_owned(),
                lint_status: checks.lint.as_str().to_owned(),
            }),
            warnings: Vec::new(),
        }
    }
}

/// The score that the older judge makes of its ratings.
fn older_score(correctness: f64, style: f64, maintainability: f64) -> f64 {
    rounded((0.5 * correctness + 0.2 * style + 0.3 * maintainability) / 5.0, 3)
}

/// And the verdict that it makes of that.
fn older_verdict(score: f64) -> JudgeVerdict {
    match score {
        score if score >= 0.8 => JudgeVerdict::Pass,
        score if score < 0.45 => JudgeVerdict::Fail,
        _ => JudgeVerdict::Partial,
    }
}

impl OpusFinding {
    fn issue(&self) -> JudgeIssue {
        let description = match &self.details {
            Some(details) if details.contains(&self.title) => short(details),
            Some(details) => short(&format!("{}. {details}", self.title)),
            None => short(&self.title),
        };
        JudgeIssue { severity: self.severity, description, dimension: None, evidence: None, seats: None }
    }
}

/// A text of somebody's, without control characters and not for ever.
fn short(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).take(LONGEST_TEXT).collect()
}

/// Up to the first full stop, question or exclamation mark that ends a word, and not for ever.
fn first_sentence(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let end = line.char_indices().find(|(index, c)| {
        let behind = line.get(index + c.len_utf8()..).unwrap_or_default();
        matches!(c, '.' | '!' | '?') && (behind.is_empty() || behind.starts_with(char::is_whitespace))
    });
    let sentence = end.and_then(|(index, _)| line.get(..index)).unwrap_or(line);
    sentence.trim().chars().take(120).collect()
}
