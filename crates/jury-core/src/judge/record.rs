//! Run records: what somebody's dispatcher wrote about a finished agent run. Input, and not to be trusted.
//!
//! A record is read field by field: a field that is missing, `null` or `false` has its default, one of a wrong type is
//! an error that names it. Nothing in a record is ever executed, and only its bead becomes a file name.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;
use utoipa::ToSchema;

use super::bead::{Bead, NotABead};
use super::moment::moment;
use super::twice::twice;
use crate::line;
use crate::outcome::{UnknownWord, words};

/// The largest record that is read. The prompt may be in it, the diff is not.
pub const LARGEST_RECORD: usize = 4 << 20;

/// The longest word (agent, model, template, …) that is kept.
const LONGEST_WORD: usize = 500;

/// The longest name of a file, a folder or a ref.
const LONGEST_PLACE: usize = 4096;

/// How many characters of a word in doubt are shown.
const LONGEST_DOUBT: usize = 60;

/// The words that say of a check that nothing is wrong, or that there was nothing to check.
const GOOD: [&str; 9] = ["pass", "passed", "clean", "ok", "success", "green", "skipped", "n/a", ""];

/// How a run stands, as its dispatcher says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// The agent is still working.
    Running,
    /// The agent came to its end.
    Done,
    /// The agent ended with an error.
    Failed,
    /// It took too long.
    Timeout,
    /// Some other word, or none.
    Unknown,
}

words!(RunStatus {
    Running = "running",
    Done = "done",
    Failed = "failed",
    Timeout = "timeout",
    Unknown = "unknown",
});

/// What one mechanical check said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CheckState {
    /// Nothing to object to: `pass`, or `clean` for `ubs`.
    Pass,
    /// Something: `fail`, or `issues` for `ubs`.
    Fail,
    /// It was not run, or nothing is said of it.
    Skipped,
    /// Another word. Neither a pass nor a skip.
    Unknown,
}

words!(CheckState { Pass = "pass", Fail = "fail", Skipped = "skipped", Unknown = "unknown" });

/// The four mechanical checks of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verification {
    /// The result of the linter.
    pub lint: CheckState,
    /// The result of the tests.
    pub tests: CheckState,
    /// The result of the bug scanner.
    pub ubs: CheckState,
    /// The checker of claims.
    pub truthsayer: CheckState,
}

impl Verification {
    /// The four, in the order of the files.
    pub fn all(&self) -> [CheckState; 4] {
        [self.lint, self.tests, self.ubs, self.truthsayer]
    }

    /// How many of the four are in this state.
    pub fn count(&self, state: CheckState) -> usize {
        self.all().into_iter().filter(|check| *check == state).count()
    }
}

/// A finished agent run.
#[derive(Debug, Clone, PartialEq)]
pub struct RunRecord {
    /// The name of the run.
    pub bead: Bead,
    /// Whether it goes on, and how it ended.
    pub status: RunStatus,
    /// How the agent's process ended; none when nobody knows.
    pub exit_code: Option<i64>,
    /// The agent that did the work.
    pub agent: String,
    /// The model that the agent used.
    pub model: String,
    /// From which prompt template.
    pub template: String,
    /// The prompt of the agent.
    pub prompt: Option<String>,
    /// The file that says what was asked, where the record does not.
    pub prompt_file: Option<String>,
    /// A hash of what was asked.
    pub prompt_hash: String,
    /// Why it failed, if it did.
    pub failure_reason: String,
    /// Which attempt it is, from 1.
    pub attempt: u64,
    /// How long it took.
    pub duration_seconds: f64,
    /// When it ended, if that is known.
    pub finished_at: Option<Timestamp>,
    /// What the mechanical checks said.
    pub verification: Verification,
    /// Where the work is.
    pub repo_path: Option<String>,
    /// The branch with the work on it.
    pub branch: Option<String>,
    /// What the branch is compared with.
    pub base_ref: Option<String>,
    /// The commit of the work.
    pub head_ref: Option<String>,
    /// What the tests printed.
    pub test_output: Option<String>,
    /// The file with what the tests printed.
    pub test_output_file: Option<String>,
    /// What the linter printed.
    pub lint_output: Option<String>,
    /// The file with what the linter printed.
    pub lint_output_file: Option<String>,
    /// What the record says that does not go with a run that was done and checked, in words of its own.
    pub doubts: Vec<String>,
}

/// Why a record cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RecordError {
    /// It is larger than any record.
    #[error("the run record has {0} bytes, and {LARGEST_RECORD} are the most: keep logs and diffs beside it")]
    Oversize(usize),
    /// It is not JSON: cut off, nested too deeply, or a number that no machine can hold.
    #[error("the run record is not JSON: {0}")]
    NotJson(String),
    /// A key stands in it twice: which of the two holds is for nobody to guess.
    #[error("the run record has the key {0} twice")]
    Twice(String),
    /// It is JSON and no object.
    #[error("the run record is {0}, and must be an object")]
    NotAnObject(&'static str),
    /// It has no name.
    #[error("missing bead in run record")]
    NoBead,
    /// Its name is none.
    #[error("bead: {0}")]
    Bead(#[from] NotABead),
    /// A field is of a wrong type.
    #[error("{field}: found {found}, expected {expected}")]
    Field {
        /// Which, with a dot between its parts.
        field: &'static str,
        /// What would be accepted there.
        expected: &'static str,
        /// The value that is there.
        found: String,
    },
}

/// What a record says: a run that goes on has nothing to be collected yet, not even a name.
#[derive(Debug, Clone, PartialEq)]
pub enum RecordReading {
    /// The run goes on; there is nothing to collect.
    Running,
    /// The run has ended, with its record.
    Finished(Box<RunRecord>),
}

impl RunRecord {
    /// Reads a record of a run that is to be judged: it may not say two things.
    pub fn read(bytes: &[u8]) -> Result<RecordReading, RecordError> {
        let reading = Self::read_last(bytes)?;
        twice(bytes).map_or(Ok(reading), |key| Err(RecordError::Twice(line::printable(&key, 60))))
    }

    /// Reads a record of a run. Of two keys of one name the last counts, as it does for other readers of these files.
    pub fn read_last(bytes: &[u8]) -> Result<RecordReading, RecordError> {
        if bytes.len() > LARGEST_RECORD {
            return Err(RecordError::Oversize(bytes.len()));
        }
        let value: Value =
            serde_json::from_slice(bytes).map_err(|error| RecordError::NotJson(error.to_string()))?;
        Self::of(&value)
    }

    /// Reads a record that is JSON already.
    pub fn of(value: &Value) -> Result<RecordReading, RecordError> {
        let Value::Object(record) = value else { return Err(RecordError::NotAnObject(kind(value))) };
        let status = match word(record, "status", "status")? {
            Some(word) => word.parse().unwrap_or(RunStatus::Unknown),
            None => RunStatus::Unknown,
        };
        if status == RunStatus::Running {
            return Ok(RecordReading::Running);
        }
        let bead = match word(record, "bead", "bead")? {
            Some(name) if !name.is_empty() => name.parse()?,
            _ => return Err(RecordError::NoBead),
        };
        let or_unknown = |word: Option<String>| word.unwrap_or_else(|| "unknown".to_owned());
        let template = match word(record, "template_name", "template_name")? {
            Some(name) => Some(name),
            None => word(record, "template", "template")?,
        };
        let verification = match given(record, "verification") {
            None => Verification {
                lint: CheckState::Skipped,
                tests: CheckState::Skipped,
                ubs: CheckState::Skipped,
                truthsayer: CheckState::Skipped,
            },
            Some(Value::Object(checks)) => Verification {
                lint: check(checks, "lint", "verification.lint")?,
                tests: check(checks, "tests", "verification.tests")?,
                ubs: check(checks, "ubs", "verification.ubs")?,
                truthsayer: check(checks, "truthsayer", "verification.truthsayer")?,
            },
            Some(other) => return Err(wrong("verification", "an object", other)),
        };
        let duration_seconds = number(record, "duration_seconds")?.unwrap_or(0.0);
        if duration_seconds < 0.0 {
            return Err(RecordError::Field {
                field: "duration_seconds",
                expected: "a number from 0",
                found: duration_seconds.to_string(),
            });
        }
        Ok(RecordReading::Finished(Box::new(Self {
            bead,
            status,
            exit_code: whole(record, "exit_code")?,
            agent: or_unknown(word(record, "agent", "agent")?),
            model: or_unknown(word(record, "model", "model")?),
            template: template.unwrap_or_else(|| "custom".to_owned()),
            prompt: text(record, "prompt", "prompt")?,
            prompt_file: place(record, "prompt_file")?,
            prompt_hash: word(record, "prompt_hash", "prompt_hash")?.unwrap_or_default(),
            doubts: doubts(record, status),
            failure_reason: word(record, "failure_reason", "failure_reason")?.unwrap_or_default(),
            attempt: match whole(record, "attempt")? {
                None => 1,
                Some(number) => u64::try_from(number).map_err(|_| RecordError::Field {
                    field: "attempt",
                    expected: "a whole number from 0",
                    found: number.to_string(),
                })?,
            },
            duration_seconds,
            // A moment that cannot be read is none: it orders history, and decides nothing.
            finished_at: given(record, "finished_at").and_then(Value::as_str).and_then(moment),
            verification,
            repo_path: place(record, "repo_path")?,
            branch: place(record, "branch")?,
            base_ref: place(record, "base_ref")?,
            head_ref: place(record, "head_ref")?,
            test_output: text(record, "test_output", "test_output")?,
            test_output_file: place(record, "test_output_file")?,
            lint_output: text(record, "lint_output", "lint_output")?,
            lint_output_file: place(record, "lint_output_file")?,
        })))
    }
}

/// A field that is there: the scripts take `null` and `false` for missing, and so do we.
fn given<'a>(record: &'a Map<String, Value>, key: &str) -> Option<&'a Value> {
    record.get(key).filter(|value| !matches!(value, Value::Null | Value::Bool(false)))
}

fn text(record: &Map<String, Value>, key: &str, field: &'static str) -> Result<Option<String>, RecordError> {
    match given(record, key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(other) => Err(wrong(field, "a text", other)),
    }
}

/// A text of one line that goes into other records and onto terminals: without control characters, and not for ever.
fn word(record: &Map<String, Value>, key: &str, field: &'static str) -> Result<Option<String>, RecordError> {
    let Some(text) = text(record, key, field)? else { return Ok(None) };
    // The bead is checked whole: a long name that is cut would be another name.
    if key == "bead" {
        return Ok(Some(text));
    }
    Ok(Some(line::cut(&text, LONGEST_WORD)))
}

/// The name of a file, a folder or a ref: as it is, because without a character it would be another.
fn place(record: &Map<String, Value>, field: &'static str) -> Result<Option<String>, RecordError> {
    let Some(text) = text(record, field, field)? else { return Ok(None) };
    if text.len() > LONGEST_PLACE {
        let found = format!("one of {} bytes", text.len());
        return Err(RecordError::Field { field, expected: "a name of at most 4096 bytes", found });
    }
    Ok(Some(text))
}

/// What a record says in words that have no place here, and that may mean that something is wrong. Nobody guesses what they
/// mean: only plain words for good are taken for good.
fn doubts(record: &Map<String, Value>, status: RunStatus) -> Vec<String> {
    let mut doubts = Vec::new();
    if status == RunStatus::Unknown {
        doubts.push(match record.get("status") {
            Some(Value::String(word)) if !word.trim().is_empty() => {
                format!("a run that is done: its status is \"{}\"", line::printable(word, LONGEST_DOUBT))
            }
            _ => "a status that says that the run is done".to_owned(),
        });
    }
    for key in ["error", "timed_out", "killed", "aborted", "cancelled", "canceled"] {
        if record.get(key).is_some_and(|value| !is_nothing(value)) {
            doubts.push(format!("a run without \"{key}\" in its record"));
        }
    }
    let checks = record.get("verification").and_then(Value::as_object);
    for (key, value) in checks.into_iter().flatten() {
        let good = match value {
            Value::Null | Value::Bool(true) => true,
            Value::String(word) => GOOD.iter().any(|good| word.trim().eq_ignore_ascii_case(good)),
            Value::Bool(false) | Value::Number(_) | Value::Array(_) | Value::Object(_) => false,
        };
        // What the checks that are known say when they fail is told by themselves.
        let known = ["lint", "tests", "ubs", "truthsayer"].contains(&key.as_str());
        let fails = known && value.as_str().is_some_and(|word| matches!(word, "fail" | "issues"));
        if !good && !fails {
            let (key, said) =
                (line::printable(key, LONGEST_DOUBT), line::printable(&value.to_string(), LONGEST_DOUBT));
            doubts.push(format!("a check that passed: verification.{key} is {said}"));
        }
    }
    doubts
}

/// A value that says nothing.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(true) | Value::Number(_) => false,
    }
}

fn check(checks: &Map<String, Value>, key: &str, field: &'static str) -> Result<CheckState, RecordError> {
    let (pass, fail) = if key == "ubs" { ("clean", "issues") } else { ("pass", "fail") };
    Ok(match text(checks, key, field)?.as_deref() {
        None | Some("skipped") => CheckState::Skipped,
        Some(word) if word == pass => CheckState::Pass,
        Some(word) if word == fail => CheckState::Fail,
        Some(_) => CheckState::Unknown,
    })
}

/// A number, or a text that is nothing but one: the scripts never told them apart.
fn number(record: &Map<String, Value>, field: &'static str) -> Result<Option<f64>, RecordError> {
    let expected = "a number";
    let read = match given(record, field) {
        None => return Ok(None),
        Some(Value::Number(number)) => number.as_f64(),
        Some(Value::String(text)) if text.len() < 32 => text.trim().parse().ok(),
        Some(other) => return Err(wrong(field, expected, other)),
    };
    match read.filter(|number| number.is_finite()) {
        Some(number) => Ok(Some(number)),
        None => Err(wrong(field, expected, record.get(field).unwrap_or(&Value::Null))),
    }
}

fn whole(record: &Map<String, Value>, field: &'static str) -> Result<Option<i64>, RecordError> {
    let expected = "a whole number";
    let Some(number) = number(record, field)? else { return Ok(None) };
    if number.fract() != 0.0 || number.abs() > 9e15 {
        return Err(wrong(field, expected, record.get(field).unwrap_or(&Value::Null)));
    }
    #[expect(clippy::cast_possible_truncation, reason = "whole and below 2^53, as was just checked")]
    Ok(Some(number as i64))
}

fn wrong(field: &'static str, expected: &'static str, found: &Value) -> RecordError {
    RecordError::Field { field, expected, found: shown(found) }
}

/// A value in a few words: what it is, and its beginning.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) => {
            let start: String = text.chars().take(40).collect();
            format!("the text {start:?}")
        }
        Value::Array(items) => format!("an array of {}", items.len()),
        Value::Object(fields) => format!("an object of {}", fields.len()),
    }
}

/// What a value is.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
