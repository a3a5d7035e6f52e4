//! What the tests share: runs, feedback, answers and a moment.

use jiff::Timestamp;
use jury_core::judge::{Bead, Confidence, Dimensions, JudgeAnswer, RecordReading, RunOutcome, RunRecord};
use jury_learning::FeedbackLine;
use serde_json::{Value, json};

pub(crate) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_770_000_000 + seconds).unwrap()
}

pub(crate) fn bead(name: &str) -> Bead {
    name.parse().unwrap()
}

/// A clean run, with these fields put over it.
pub(crate) fn record(over: &Value) -> Value {
    let mut record = json!({
        "schema_version": 1, "bead": "bd-one", "status": "done", "exit_code": 0, "agent": "ada", "model": "m1",
        "template_name": "bug-fix", "prompt_hash": "h1", "attempt": 1, "duration_seconds": 300,
        "finished_at": "2026-02-20T10:00:00Z",
        "verification": {"lint": "pass", "tests": "pass", "ubs": "clean", "truthsayer": "pass"},
    });
    for (key, value) in over.as_object().unwrap() {
        record[key] = value.clone();
    }
    record
}

pub(crate) fn run(over: &Value) -> RunRecord {
    match RunRecord::of(&record(over)).unwrap() {
        RecordReading::Finished(run) => *run,
        RecordReading::Running => panic!("it goes on"),
    }
}

pub(crate) fn line(template: &str, number: i64, outcome: RunOutcome) -> FeedbackLine {
    FeedbackLine {
        bead: format!("bd-{number}"),
        at: Some(at(number * 60)),
        template: template.to_owned(),
        agent: "ada".to_owned(),
        outcome: Some(outcome),
        retried: false,
        duration_ratio: 0.5,
        failure_patterns: Vec::new(),
        prompt_hash: String::new(),
        opus_quality_score: None,
        opus_judge: None,
        judgment: None,
        odd_judgment: None,
        rest: serde_json::Map::new(),
    }
}

pub(crate) fn marks(correctness: f64, scope: f64, quality: f64, completeness: f64) -> Dimensions {
    Dimensions { correctness, scope_adherence: scope, code_quality: quality, completeness }
}

pub(crate) fn answer(marks: Dimensions) -> JudgeAnswer {
    JudgeAnswer {
        dimensions: marks,
        issues: Vec::new(),
        summary: format!("correctness {}", marks.correctness),
        confidence: Confidence::High,
        warnings: Vec::new(),
    }
}
