//! What the tests of the judge share: runs, answers and a moment.

use jiff::Timestamp;
use jury_core::judge::{
    Bead, Confidence, Dimensions, JudgeAnswer, JudgeSeat, JudgeStamp, RecordReading, RunRecord,
};
use serde_json::{Value, json};

pub(super) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_770_000_000 + seconds).unwrap()
}

pub(super) fn bead(name: &str) -> Bead {
    name.parse().unwrap()
}

/// A clean run, with these fields put over it.
pub(super) fn record(over: &Value) -> Value {
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

pub(super) fn run(over: &Value) -> RunRecord {
    match RunRecord::of(&record(over)).unwrap() {
        RecordReading::Finished(run) => *run,
        RecordReading::Running => panic!("it goes on"),
    }
}

pub(super) fn marks(correctness: f64, scope: f64, quality: f64, completeness: f64) -> Dimensions {
    Dimensions { correctness, scope_adherence: scope, code_quality: quality, completeness }
}

pub(super) fn answer(marks: Dimensions) -> JudgeAnswer {
    JudgeAnswer {
        dimensions: marks,
        issues: Vec::new(),
        summary: format!("correctness {}", marks.correctness),
        confidence: Confidence::High,
        warnings: Vec::new(),
    }
}

pub(super) fn seat(model: &str, repeat: u32, answer: Result<JudgeAnswer, &str>) -> JudgeSeat {
    let judge = JudgeStamp { model: model.to_owned(), prompt: "p".to_owned(), ..JudgeStamp::default() };
    JudgeSeat { judge, repeat, answer: answer.map_err(str::to_owned) }
}
