//! Answers: a model's text in, marks and issues out, or a list of what is wrong with it, precise enough for the one
//! attempt to repair it.
//!
//! What the model says of its own verdict and score is compared and never used. An answer with two objects in it is
//! refused: the judged code may have brought one along.

use crate::lenient_json;
use crate::protocol::without_thinking;
use crate::severity::TWO;
use std::fmt;
use std::ops::Range;

use jiff::Timestamp;
use serde_json::{Map, Value};
use thiserror::Error;

use super::avowed::{contradiction, taken_back};
use super::bead::Bead;
use super::judgement::{
    Confidence, Dimensions, IssueEvidence, JudgeDimension, JudgeIssue, JudgeStamp, JudgeVerdict, Judgement,
    SCHEMA_VERSION,
};
use super::record::{kind, shown};
use super::twice::twice;

/// The longest answer that is read.
pub const LONGEST_ANSWER_BYTES: usize = 1 << 20;
/// The most issues that are kept of an answer.
pub const MOST_ISSUES: usize = 100;
/// The longest text in an answer, in characters.
pub const LONGEST_TEXT: usize = 4000;
/// How far the model's own score may be off before it is worth a warning.
pub const SCORE_TOLERANCE: f64 = 0.05;
/// The most problems that are listed: a repair needs a handful.
const MOST_PROBLEMS: usize = 12;

/// The JSON schema of an answer, for services that constrain what they print and for the prompt.
pub const SCHEMA: &str = include_str!("answer.schema.json");

/// What a judge answered.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgeAnswer {
    /// The marks, one per dimension.
    pub dimensions: Dimensions,
    /// The issues that the judge found.
    pub issues: Vec<JudgeIssue>,
    /// One paragraph for people.
    pub summary: String,
    /// How sure the judge says it is.
    pub confidence: Confidence,
    /// Where it contradicts its own marks.
    pub warnings: Vec<String>,
}

/// One thing that is wrong with an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerProblem {
    /// Where: `dimensions.correctness`, `issues[2].severity`, or nothing for the whole.
    pub path: String,
    /// What was found and what is expected.
    pub message: String,
}

impl fmt::Display for AnswerProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.path, self.message)
        }
    }
}

/// An answer that cannot be used. As text it is what the judge is told when it is asked once more.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct InvalidAnswer {
    /// What is wrong, never empty.
    pub problems: Vec<AnswerProblem>,
}

impl fmt::Display for InvalidAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            if index > 0 {
                f.write_str("; ")?;
            }
            problem.fmt(f)?;
        }
        Ok(())
    }
}

impl JudgeAnswer {
    /// Reads a model's answer about this run.
    pub fn read(text: &str, bead: &Bead) -> Result<Self, InvalidAnswer> {
        let mut check = Check::default();
        let answer = check.answer(text, bead);
        match answer {
            Some(answer) if check.problems.is_empty() => Ok(answer),
            _ => {
                check.problems.truncate(MOST_PROBLEMS);
                Err(InvalidAnswer { problems: check.problems })
            }
        }
    }

    /// The judgement that this answer alone makes.
    pub fn judgement(self, bead: Bead, judge: JudgeStamp, now: Timestamp) -> Judgement {
        Judgement {
            schema_version: SCHEMA_VERSION.to_owned(),
            bead,
            verdict: self.dimensions.verdict(),
            score: self.dimensions.score(),
            dimensions: self.dimensions,
            issues: self.issues,
            summary: self.summary,
            confidence: self.confidence,
            judged_at: Some(now),
            judge: Some(judge),
            warnings: self.warnings,
            panel: None,
        }
    }
}

/// An object, and where it stands.
struct Found {
    value: Value,
    at: Range<usize>,
}

/// The objects in a text, two at most: prose, fences and stray braces around them are skipped. Linear: what begins like
/// an object and breaks ends the search, so that nothing is read twice and no inner object passes for the answer.
fn objects(text: &str) -> Result<Vec<Found>, String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((_, behind)) = rest.split_once('{') {
        if !behind.trim_start().starts_with(['"', '}']) {
            rest = behind;
            continue;
        }
        let start = rest.len() - behind.len() - 1;
        let object = rest.get(start..).unwrap_or_default();
        let length = match lenient_json::first_value(object) {
            Some(Ok((value, length))) => {
                let own = object.get(..length).unwrap_or_default();
                if let Some(key) = twice(own.as_bytes()) {
                    return Err(format!(
                        "{key:?} stands in it twice, and nobody knows which of the two counts"
                    ));
                }
                let begin = text.len() - object.len();
                found.push(Found { value, at: begin..begin + length });
                length
            }
            Some(Err(error)) => return Err(error.to_string()),
            None => break,
        };
        if found.len() > 1 {
            break;
        }
        rest = object.get(length..).unwrap_or_default();
    }
    Ok(found)
}

#[derive(Default)]
struct Check {
    problems: Vec<AnswerProblem>,
}

impl Check {
    fn wrong(&mut self, path: &str, message: impl Into<String>) {
        // Bounded, whatever an answer of a hundred broken issues brings.
        if self.problems.len() <= MOST_PROBLEMS {
            self.problems.push(AnswerProblem { path: path.to_owned(), message: message.into() });
        }
    }

    fn answer(&mut self, text: &str, bead: &Bead) -> Option<JudgeAnswer> {
        if text.len() > LONGEST_ANSWER_BYTES {
            self.wrong(
                "",
                format!("the answer has {} bytes, and {LONGEST_ANSWER_BYTES} are the most", text.len()),
            );
            return None;
        }
        // What a model says to itself is no answer, and a draft in there is none either.
        let text = without_thinking(text);
        let objects = match objects(&text) {
            Ok(objects) => objects,
            Err(error) => {
                self.wrong("", format!("the answer is not valid JSON: {error}"));
                return None;
            }
        };
        let mut objects = objects.into_iter();
        let (fields, more) = (objects.next(), objects.next().is_some());
        let Some(Found { value: Value::Object(fields), at }) = fields else {
            self.wrong("", "the answer has no JSON object: print exactly one, and nothing else");
            return None;
        };
        if more {
            self.wrong("", "the answer has more than one JSON object: print exactly one, and nothing else");
            return None;
        }
        let (before, behind) =
            (text.get(..at.start).unwrap_or_default(), text.get(at.end..).unwrap_or_default());
        if let Some(why) = taken_back(before, behind) {
            self.wrong("", why);
            return None;
        }
        if let Some(other) = fields.get("bead").filter(|other| other.as_str() != Some(bead.as_str())) {
            self.wrong("bead", format!("found {}, expected \"{bead}\"", shown(other)));
        }
        let dimensions = self.dimensions(&fields);
        let issues = self.issues(&fields);
        let summary = self.text(&fields, "summary", "summary", true);
        let confidence = self.word::<Confidence>(&fields, "confidence", "confidence", "high, medium or low");
        let (dimensions, summary, confidence) = (dimensions?, summary?, confidence?);
        if let Some(why) = contradiction(&dimensions, !issues.is_empty(), &summary) {
            self.wrong("summary", why);
            return None;
        }
        let warnings = contradictions(&fields, &dimensions);
        Some(JudgeAnswer { dimensions, issues, summary, confidence, warnings })
    }

    fn dimensions(&mut self, fields: &Map<String, Value>) -> Option<Dimensions> {
        let marks = match fields.get("dimensions") {
            Some(Value::Object(marks)) => marks,
            Some(other) => {
                self.wrong("dimensions", format!("found {}, expected an object", kind(other)));
                return None;
            }
            None => {
                self.wrong("dimensions", "missing, expected an object with the four marks");
                return None;
            }
        };
        let mut whole = true;
        let dimensions = Dimensions::from_fn(|dimension| {
            let path = format!("dimensions.{dimension}");
            let mark = match marks.get(dimension.as_str()) {
                None => Err("missing, expected a number from 0 to 1".to_owned()),
                Some(value) => match value.as_f64().filter(|mark| (0.0..=1.0).contains(mark)) {
                    Some(mark) => Ok(mark),
                    None => Err(format!("found {}, expected a number from 0 to 1", shown(value))),
                },
            };
            mark.unwrap_or_else(|message| {
                self.wrong(&path, message);
                whole = false;
                0.0
            })
        });
        for unknown in marks.keys().filter(|key| key.parse::<JudgeDimension>().is_err()).take(3) {
            let unknown: String = unknown.chars().take(40).collect();
            self.wrong("dimensions", format!("unknown dimension {unknown:?}"));
        }
        whole.then_some(dimensions)
    }

    fn issues(&mut self, fields: &Map<String, Value>) -> Vec<JudgeIssue> {
        let items = match fields.get("issues") {
            Some(Value::Array(items)) => items,
            Some(other) => {
                self.wrong("issues", format!("found {}, expected an array", kind(other)));
                return Vec::new();
            }
            None => {
                self.wrong("issues", "missing, expected an array; an empty one when nothing is wrong");
                return Vec::new();
            }
        };
        if items.len() > MOST_ISSUES {
            self.wrong("issues", format!("{} issues, and {MOST_ISSUES} are the most", items.len()));
            return Vec::new();
        }
        items.iter().enumerate().filter_map(|(index, item)| self.issue(index, item)).collect()
    }

    fn issue(&mut self, index: usize, item: &Value) -> Option<JudgeIssue> {
        let path = format!("issues[{index}]");
        let Value::Object(issue) = item else {
            self.wrong(&path, format!("found {}, expected an object", kind(item)));
            return None;
        };
        let severity = self.read(issue, "severity", &format!("{path}.severity"), "major or minor", |word| {
            TWO.read(word).ok()
        });
        let description = self.text(issue, "description", &format!("{path}.description"), true);
        let dimension = match issue.get("dimension") {
            None | Some(Value::Null) => None,
            Some(_) => self.word::<JudgeDimension>(
                issue,
                "dimension",
                &format!("{path}.dimension"),
                "correctness, scope_adherence, code_quality or completeness",
            ),
        };
        let evidence = match issue.get("evidence") {
            None | Some(Value::Null) => None,
            Some(Value::Object(evidence)) => self.evidence(&format!("{path}.evidence"), evidence),
            Some(other) => {
                self.wrong(&format!("{path}.evidence"), format!("found {}, expected an object", kind(other)));
                None
            }
        };
        Some(JudgeIssue { severity: severity?, description: description?, dimension, evidence, seats: None })
    }

    fn evidence(&mut self, path: &str, evidence: &Map<String, Value>) -> Option<IssueEvidence> {
        let line = match evidence.get("line") {
            None | Some(Value::Null) => None,
            Some(value) => {
                let line = value.as_u64().and_then(|line| u32::try_from(line).ok()).filter(|line| *line > 0);
                if line.is_none() {
                    let message = format!("found {}, expected a line from 1", shown(value));
                    self.wrong(&format!("{path}.line"), message);
                }
                line
            }
        };
        let optional = |check: &mut Self, key: &str| match evidence.get(key) {
            None | Some(Value::Null) => None,
            Some(_) => check.text(evidence, key, &format!("{path}.{key}"), false),
        };
        let (file, quote) = (optional(self, "file"), optional(self, "quote"));
        (file.is_some() || quote.is_some()).then_some(IssueEvidence { file, line, quote })
    }

    fn word<T: std::str::FromStr>(
        &mut self,
        fields: &Map<String, Value>,
        key: &str,
        path: &str,
        expected: &str,
    ) -> Option<T> {
        // Models write such words with a capital, too.
        self.read(fields, key, path, expected, |word| word.trim().to_ascii_lowercase().parse().ok())
    }

    fn read<T>(
        &mut self,
        fields: &Map<String, Value>,
        key: &str,
        path: &str,
        expected: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let Some(found) = fields.get(key) else {
            self.wrong(path, format!("missing, expected {expected}"));
            return None;
        };
        let word = found.as_str().and_then(read);
        if word.is_none() {
            self.wrong(path, format!("found {}, expected {expected}", shown(found)));
        }
        word
    }

    fn text(&mut self, fields: &Map<String, Value>, key: &str, path: &str, needed: bool) -> Option<String> {
        let text = match fields.get(key) {
            Some(Value::String(text)) => text,
            Some(other) => {
                self.wrong(path, format!("found {}, expected a text", shown(other)));
                return None;
            }
            None => {
                self.wrong(path, "missing, expected a text");
                return None;
            }
        };
        let length = text.chars().count();
        if length > LONGEST_TEXT {
            self.wrong(path, format!("{length} characters, and {LONGEST_TEXT} are the most"));
            return None;
        }
        let text: String = text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect();
        let text = text.trim();
        if text.is_empty() {
            if needed {
                self.wrong(path, "empty, expected a text");
            }
            return None;
        }
        Some(text.to_owned())
    }
}

/// What the model says of its own marks. A wrong type here changes nothing either: it is not used.
fn contradictions(fields: &Map<String, Value>, marks: &Dimensions) -> Vec<String> {
    let mut warnings = Vec::new();
    if let Some(said) = fields.get("verdict") {
        let ours = marks.verdict();
        if said.as_str().and_then(|word| word.parse::<JudgeVerdict>().ok()) != Some(ours) {
            warnings.push(format!("the judge says {} where its marks make {ours}", shown(said)));
        }
    }
    if let Some(said) = fields.get("score") {
        let ours = marks.score();
        if said.as_f64().is_none_or(|said| (said - ours).abs() > SCORE_TOLERANCE) {
            warnings.push(format!("the judge gives a score of {} where its marks make {ours}", shown(said)));
        }
    }
    warnings
}
