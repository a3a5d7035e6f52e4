//! Feedback: one record for each run, with its mechanical signals, its patterns and, when there is one, its judgement.
//!
//! Collecting a run again never loses a judgement: what is new is taken, and what was there stays.

use jiff::Timestamp;
use jury_core::judge::number::plain_or_null;
use jury_core::judge::{
    Bead, Dimensions, JudgeIssue, JudgeVerdict, Judgement, OpusJudge, OpusJudgement, RunOutcome, RunRecord,
    SCHEMA_VERSION, Signals, moment, written,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;
use utoipa::ToSchema;

use crate::pattern::Pattern;

/// `state/feedback/<bead>.json`, in the order of its keys. Keys of a judgement are there even when there is none.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Feedback {
    /// The version of the format, [`SCHEMA_VERSION`].
    pub schema_version: String,
    /// The run that it is about.
    pub bead: Bead,
    /// When the run ended; when that is not known, when it was collected.
    pub timestamp: String,
    /// The name of the prompt template.
    pub template: String,
    /// The agent that did the work.
    pub agent: String,
    /// The model that the agent used.
    pub model: String,
    /// How it came out.
    pub outcome: RunOutcome,
    /// What the checks said.
    pub signals: Signals,
    /// In which ways it failed.
    pub failure_patterns: Vec<String>,
    /// The score of the judgement, for whoever reads the older shape.
    #[serde(serialize_with = "plain_or_null")]
    #[schema(required)]
    pub opus_quality_score: Option<f64>,
    /// The judgement in the older shape.
    #[schema(required, value_type = Option<OpusJudge>)]
    pub opus_judge: Option<RecordPart<OpusJudge>>,
    /// A hash of what was asked.
    pub prompt_hash: String,
    /// The judgement, if there is one.
    #[schema(required, value_type = Option<JudgementPart>)]
    pub judgment: Option<RecordPart<JudgementPart>>,
    /// What others wrote into the record.
    #[serde(flatten)]
    #[schema(ignore)]
    pub rest: Map<String, Value>,
}

/// The keys of a record that are ours.
const OURS: [&str; 13] = [
    "schema_version",
    "bead",
    "timestamp",
    "template",
    "agent",
    "model",
    "outcome",
    "signals",
    "failure_patterns",
    "opus_quality_score",
    "opus_judge",
    "prompt_hash",
    "judgment",
];

/// The keys of a judgement in the older shape.
const OPUS: [&str; 9] = [
    "judge_model",
    "style_rating",
    "maintainability_rating",
    "correctness_rating",
    "confidence",
    "verdict",
    "critique",
    "findings",
    "judged_at",
];

/// A part of a record. One that another program wrote otherwise is passed on word for word.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum RecordPart<T> {
    /// As we write it.
    Ours(T),
    /// As somebody else does.
    Theirs(Value),
}

impl<T> RecordPart<T> {
    /// The part, if it is as we write it.
    pub fn ours(&self) -> Option<&T> {
        match self {
            Self::Ours(part) => Some(part),
            Self::Theirs(_) => None,
        }
    }
}

impl RecordPart<OpusJudge> {
    fn read(value: &Value) -> Option<Self> {
        let keys = value.as_object()?;
        let known = keys.keys().all(|key| OPUS.contains(&key.as_str()));
        let ours = if known { OpusJudge::deserialize(value).ok() } else { None };
        Some(ours.map_or_else(|| Self::Theirs(value.clone()), Self::Ours))
    }

    /// When it was judged, as far as that can be read.
    pub fn judged_at(&self) -> Option<Timestamp> {
        match self {
            Self::Ours(part) => moment(&part.judged_at),
            Self::Theirs(value) => value.get("judged_at").and_then(Value::as_str).and_then(moment),
        }
    }
}

/// What the feedback keeps of a judgement; the whole is in its own file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct JudgementPart {
    /// The verdict of the judgement.
    pub verdict: JudgeVerdict,
    /// The score of the judgement.
    #[serde(serialize_with = "jury_core::judge::number::plain")]
    pub score: f64,
    /// The marks, one per dimension.
    pub dimensions: Dimensions,
    /// The issues that were found.
    pub issues: Vec<JudgeIssue>,
}

impl From<&Judgement> for JudgementPart {
    fn from(judgement: &Judgement) -> Self {
        Self {
            verdict: judgement.verdict,
            score: judgement.score,
            dimensions: judgement.dimensions,
            issues: judgement.issues.clone(),
        }
    }
}

/// What came of judging a run, as far as its feedback is concerned.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum JudgingResult<'a> {
    /// Nobody judged this time: what was there stays.
    #[default]
    Not,
    /// A judgement in the shape of this program.
    Native(&'a Judgement),
    /// By a script that speaks the older shape.
    Opus(&'a OpusJudgement),
}

impl Feedback {
    /// The feedback of a run. `before` is what was collected earlier under the same bead.
    pub fn collect(
        run: &RunRecord,
        judged: &JudgingResult<'_>,
        before: Option<&FeedbackLine>,
        now: Timestamp,
    ) -> Self {
        let (score, opus, part) = match judged {
            JudgingResult::Native(judgement) => {
                let opus = OpusJudgement::from_native(judgement).part();
                let part = JudgementPart::from(*judgement);
                (Some(judgement.score), Some(RecordPart::Ours(opus)), Some(RecordPart::Ours(part)))
            }
            JudgingResult::Opus(opus) => {
                (Some(opus.quality_score), Some(RecordPart::Ours(opus.part())), None)
            }
            JudgingResult::Not => before.map_or((None, None, None), |before| {
                let part = before.judgment.clone().map(RecordPart::Ours);
                let part = part.or_else(|| before.odd_judgment.clone().map(RecordPart::Theirs));
                (before.opus_quality_score, before.opus_judge.clone(), part)
            }),
        };
        let mut made = Self {
            schema_version: SCHEMA_VERSION.to_owned(),
            bead: run.bead.clone(),
            timestamp: written(run.finished_at.unwrap_or(now)),
            template: run.template.clone(),
            agent: run.agent.clone(),
            model: run.model.clone(),
            outcome: RunOutcome::of(run),
            signals: Signals::of(run),
            failure_patterns: Pattern::detect(run)
                .iter()
                .map(|pattern| pattern.as_str().to_owned())
                .collect(),
            opus_quality_score: score,
            opus_judge: opus,
            prompt_hash: run.prompt_hash.clone(),
            judgment: part,
            rest: before.map(|before| before.rest.clone()).unwrap_or_default(),
        };
        // A run that does not say when it ended keeps the moment at which it was first collected, as long as it says
        // the same: collecting it again is no news.
        if let (None, Some(before)) = (run.finished_at, before)
            && let Some(at) = before.at
            && before.says_the_same_as(&FeedbackLine::from(&made))
        {
            made.timestamp = written(at);
        }
        made
    }
}

/// A feedback record as it is read back. Records are often partial, and written by other programs: what is missing or
/// of a wrong type has a default, and only what is no feedback at all is none.
#[derive(Debug, Clone, PartialEq)]
pub struct FeedbackLine {
    /// The run that it is about.
    pub bead: String,
    /// When the run ended, if that can be read.
    pub at: Option<Timestamp>,
    /// The name of the prompt template.
    pub template: String,
    /// The agent that did the work.
    pub agent: String,
    /// How it came out; none when the word is not known.
    pub outcome: Option<RunOutcome>,
    /// It was not the first attempt.
    pub retried: bool,
    /// How long it took, in parts of what is expected.
    pub duration_ratio: f64,
    /// In which ways it failed.
    pub failure_patterns: Vec<String>,
    /// A hash of what was asked.
    pub prompt_hash: String,
    /// The score of the judgement, in either shape.
    pub opus_quality_score: Option<f64>,
    /// The judgement in the older shape.
    pub opus_judge: Option<RecordPart<OpusJudge>>,
    /// The judgement, if there is one.
    pub judgment: Option<JudgementPart>,
    /// A judgement that cannot be one. It counts nowhere, and is not lost.
    pub odd_judgment: Option<Value>,
    /// What others wrote into the record.
    pub rest: Map<String, Value>,
}

/// Why a file is not a feedback record. One such file stops nothing: it is named and left out.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NotFeedback {
    /// It is not JSON.
    #[error("not JSON: {0}")]
    NotJson(String),
    /// It has no bead: the registry lies in the same folder, for one.
    #[error("no bead in it")]
    NoBead,
}

impl FeedbackLine {
    /// Whether two records tell of the same ending, whenever it was and whatever a judge said.
    fn says_the_same_as(&self, other: &Self) -> bool {
        let told = |line: &Self| {
            (
                line.outcome,
                line.retried,
                line.duration_ratio,
                line.prompt_hash.clone(),
                line.failure_patterns.clone(),
            )
        };
        (&self.bead, &self.template, &self.agent) == (&other.bead, &other.template, &other.agent)
            && told(self) == told(other)
    }

    /// Reads the bytes of a feedback file.
    pub fn read(bytes: &[u8]) -> Result<Self, NotFeedback> {
        let value = serde_json::from_slice(bytes).map_err(|error| NotFeedback::NotJson(error.to_string()))?;
        Self::of(&value)
    }

    /// Reads what is JSON already.
    pub fn of(value: &Value) -> Result<Self, NotFeedback> {
        let word = |key: &str, default: &str| {
            value
                .get(key)
                .and_then(Value::as_str)
                .filter(|word| !word.is_empty())
                .unwrap_or(default)
                .to_owned()
        };
        let bead = value.get("bead").and_then(Value::as_str).filter(|bead| !bead.is_empty());
        let bead = bead.ok_or(NotFeedback::NoBead)?.to_owned();
        let signal = |key: &str| value.get("signals").and_then(|signals| signals.get(key));
        let part = |key: &str| value.get(key).filter(|part| part.is_object());
        let judgment = part("judgment").and_then(|part| JudgementPart::deserialize(part).ok());
        let within = |score: &f64| (0.0..=1.0).contains(score);
        // A score that somebody else computed counts only when it is one.
        let score = judgment.as_ref().map(|part| part.dimensions.score()).filter(within);
        let opus = value.get("opus_quality_score").and_then(Value::as_f64).filter(within);
        let judgment = judgment.filter(|_| score.is_some());
        let rest = value.as_object().into_iter().flatten();
        let rest = rest.filter(|(key, _)| !OURS.contains(&key.as_str()));
        Ok(Self {
            bead,
            at: value.get("timestamp").and_then(Value::as_str).and_then(moment),
            template: word("template", "custom"),
            agent: word("agent", "unknown"),
            outcome: value.get("outcome").and_then(Value::as_str).and_then(|word| word.parse().ok()),
            retried: signal("retried").and_then(Value::as_bool).unwrap_or(false),
            duration_ratio: signal("duration_ratio").and_then(Value::as_f64).unwrap_or(0.0),
            failure_patterns: match value.get("failure_patterns") {
                Some(Value::Array(names)) => {
                    names.iter().filter_map(Value::as_str).map(str::to_owned).collect()
                }
                _ => Vec::new(),
            },
            prompt_hash: word("prompt_hash", ""),
            opus_quality_score: score.or(opus),
            opus_judge: part("opus_judge").and_then(RecordPart::read),
            odd_judgment: part("judgment").filter(|_| judgment.is_none()).cloned(),
            judgment,
            rest: rest.map(|(key, value)| (key.clone(), value.clone())).collect(),
        })
    }
}

impl From<&Feedback> for FeedbackLine {
    fn from(feedback: &Feedback) -> Self {
        Self {
            bead: feedback.bead.as_str().to_owned(),
            at: moment(&feedback.timestamp),
            template: feedback.template.clone(),
            agent: feedback.agent.clone(),
            outcome: Some(feedback.outcome),
            retried: feedback.signals.retried,
            duration_ratio: feedback.signals.duration_ratio,
            failure_patterns: feedback.failure_patterns.clone(),
            prompt_hash: feedback.prompt_hash.clone(),
            opus_quality_score: feedback.opus_quality_score,
            opus_judge: feedback.opus_judge.clone(),
            judgment: feedback.judgment.as_ref().and_then(RecordPart::ours).cloned(),
            odd_judgment: match &feedback.judgment {
                Some(RecordPart::Theirs(odd)) => Some(odd.clone()),
                Some(RecordPart::Ours(_)) | None => None,
            },
            rest: feedback.rest.clone(),
        }
    }
}
