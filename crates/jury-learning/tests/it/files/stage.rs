//! Folders with feedback in them.

use std::fs;
use std::path::Path;
use std::time::Duration;

use jiff::Timestamp;
use jury_learning::files::{LearningPaths, Scoring, ScoringResult, score};
use serde_json::{Value, json};
use tempfile::TempDir;

pub(super) struct Stage {
    pub(super) paths: LearningPaths,
    dir: TempDir,
}

impl Stage {
    pub(super) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let paths = LearningPaths::read(|_| None, dir.path());
        fs::create_dir_all(&paths.feedback).unwrap();
        Self { paths, dir }
    }

    pub(super) fn root(&self) -> &Path {
        self.dir.path()
    }

    pub(super) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.paths.feedback.join(name), content).unwrap();
    }

    /// Waits until files that were written are older than those that will be, by the clock that stamps them.
    pub(super) fn tick(&self) {
        let probe = self.root().join("probe");
        let stamp = || {
            fs::write(&probe, "x").unwrap();
            fs::metadata(&probe).unwrap().modified().unwrap()
        };
        let before = stamp();
        while stamp() == before {}
    }

    pub(super) fn score(&self, full: bool) -> ScoringResult {
        let how = Scoring { full, settled: Duration::ZERO };
        score(&self.paths, Timestamp::UNIX_EPOCH, &how).unwrap()
    }

    pub(super) fn file(&self, name: &str) -> Value {
        serde_json::from_slice(&fs::read(self.paths.scores.join(name)).unwrap()).unwrap()
    }
}

pub(super) fn feedback(bead: &str, template: &str, outcome: &str, score: Option<f64>) -> Value {
    json!({"schema_version": "1.0.0", "bead": bead, "timestamp": "2026-02-20T10:00:00Z", "template": template,
        "agent": "ada", "model": "m", "outcome": outcome,
        "signals": {"duration_ratio": 0.1, "retried": false},
        "failure_patterns": ["scope-creep"], "opus_quality_score": score, "opus_judge": null, "prompt_hash": "h"})
}
