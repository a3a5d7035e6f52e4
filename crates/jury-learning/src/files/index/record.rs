//! The files of one run, read with a wary eye: its newest judgement, its history, its feedback.

use std::path::Path;

use jury_core::event::Usage;
use jury_core::judge::{Bead, JudgeDimension, Judgement, RunOutcome, WorkCoverage};
use serde::Deserialize as _;
use serde_json::Value;

use crate::files::read::{LONGEST_TEXT, bounded, bytes, not_json};

use crate::FeedbackLine;

/// The largest judgement, and the largest feedback, that is read.
const LARGEST_RECORD_BYTES: u64 = 4 * 1024 * 1024;
/// The largest history of a run that is read.
const LARGEST_HISTORY: u64 = 32 * 1024 * 1024;

/// What the feedback says of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct RunLine {
    /// The name of the prompt template.
    pub template: String,
    /// The agent that did the work.
    pub agent: String,
    /// How it came out, if the word is known.
    pub outcome: Option<RunOutcome>,
    /// In which ways it failed.
    pub failure_patterns: Vec<String>,
}

/// A judgement as its file has it.
pub(super) struct Record {
    pub(super) judgement: Judgement,
    pub(super) usage: Option<Usage>,
    /// How much of the work was shown, where that is known.
    pub(super) coverage: Option<WorkCoverage>,
    /// The template, where the record names it; the feedback knows more.
    pub(super) run: Option<RunLine>,
}

/// The judgement in a file; none when there is no file.
pub(super) fn record(path: &Path, bead: &Bead) -> Result<Option<Record>, String> {
    let Some(bytes) = bytes(path, LARGEST_RECORD_BYTES)? else { return Ok(None) };
    let value: Value = serde_json::from_slice(&bytes).map_err(|error| not_json(&error))?;
    checked(&value, bead).map(Some)
}

/// Every judgement of a run, the oldest first, and how many lines are none.
pub(super) fn history(path: &Path, bead: &Bead) -> Result<(Vec<Record>, usize), String> {
    let bytes = bytes(path, LARGEST_HISTORY)?.unwrap_or_default();
    let (mut said, mut broken) = (Vec::new(), 0);
    for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let value = serde_json::from_slice::<Value>(line).map_err(|error| not_json(&error));
        match value.and_then(|value| checked(&value, bead)) {
            Ok(record) => said.push(record),
            Err(_) => broken += 1,
        }
    }
    Ok((said, broken))
}

/// A judgement that can be one: of this run, with marks between 0 and 1.
fn checked(value: &Value, bead: &Bead) -> Result<Record, String> {
    if !value.is_object() {
        return Err("is not a judgement: it is no object".to_owned());
    }
    let judgement = Judgement::deserialize(value).map_err(|error| format!("is not a judgement: {error}"))?;
    if judgement.bead != *bead {
        return Err(format!("is about the run {}", bounded(judgement.bead.as_str(), 80)));
    }
    let outside = |mark: f64| !(0.0..=1.0).contains(&mark);
    if outside(judgement.score) {
        return Err("has a score that is not between 0 and 1".to_owned());
    }
    let marks = &judgement.dimensions;
    if let Some(dimension) = JudgeDimension::ALL.iter().find(|dimension| outside(marks.of(**dimension))) {
        return Err(format!("has a mark for {dimension} that is not between 0 and 1"));
    }
    let template = value.get("template").and_then(Value::as_str).filter(|name| !name.is_empty());
    let run = template.map(|template| RunLine {
        template: bounded(template, LONGEST_TEXT),
        agent: String::new(),
        outcome: None,
        failure_patterns: Vec::new(),
    });
    let coverage = value.get("coverage").and_then(|part| WorkCoverage::deserialize(part).ok());
    Ok(Record { judgement, usage: usage(value), coverage, run })
}

/// What a judgement cost: the whole of it, or its seats together.
fn usage(value: &Value) -> Option<Usage> {
    let seats = value.pointer("/panel/seats").and_then(Value::as_array);
    spent(value).or_else(|| seats?.iter().filter_map(spent).reduce(Usage::plus))
}

fn spent(value: &Value) -> Option<Usage> {
    let cost = value.get("cost").filter(|cost| cost.is_object())?;
    let tokens = |name: &str| cost.get(name).and_then(Value::as_u64).unwrap_or(0);
    let dollars = cost.get("cost_usd").or_else(|| cost.get("dollars")).and_then(Value::as_f64);
    Some(Usage {
        input_tokens: tokens("input_tokens"),
        output_tokens: tokens("output_tokens"),
        // A sum that no judgement costs is none.
        cost_usd: dollars.filter(|dollars| (0.0..1e6).contains(dollars)),
    })
}

/// The feedback in a file, and what matters of it; none when there is no file.
pub(super) fn feedback(path: &Path, bead: &Bead) -> Result<Option<(RunLine, Value)>, String> {
    let Some(bytes) = bytes(path, LARGEST_RECORD_BYTES)? else { return Ok(None) };
    let value: Value = serde_json::from_slice(&bytes).map_err(|error| not_json(&error))?;
    let line = FeedbackLine::of(&value).map_err(|error| format!("is not feedback: {error}"))?;
    if line.bead != bead.as_str() {
        return Err(format!("is about the run {}", bounded(&line.bead, 80)));
    }
    let run = RunLine {
        template: bounded(&line.template, LONGEST_TEXT),
        agent: bounded(&line.agent, LONGEST_TEXT),
        outcome: line.outcome,
        failure_patterns: line.failure_patterns.iter().take(50).map(|name| bounded(name, 200)).collect(),
    };
    Ok(Some((run, value)))
}
