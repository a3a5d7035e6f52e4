//! A folder with feedback, scores and templates, and a clock that stands still.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use crate::harness::Context;

pub(super) const NOW: &str = "2026-03-01T12:00:00Z";

pub(super) struct Stage {
    pub(super) cx: Context,
}

/// What a call came to.
pub(super) struct Said {
    pub(super) code: i32,
    pub(super) out: String,
    pub(super) err: String,
}

impl Said {
    /// Both streams, as `2>&1` has them.
    pub(super) fn all(&self) -> String {
        format!("{}{}", self.out, self.err)
    }

    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.all()))
    }
}

impl Stage {
    pub(super) fn new() -> Self {
        let stage = Self { cx: Context::new() };
        for folder in ["state/feedback", "state/scores", "templates"] {
            fs::create_dir_all(stage.cx.path(folder)).unwrap();
        }
        stage
    }

    /// The program, with no variable of ours but the clock.
    pub(super) fn jury(&self, args: &[&str]) -> Command {
        let mut command = self.cx.jury();
        for name in [
            "WORKSPACE_ROOT",
            "STATE_DIR",
            "FEEDBACK_DIR",
            "REGISTRY_FILE",
            "JUDGMENTS_DIR",
            "SCORES_DIR",
            "AB_TESTS_FILE",
            "REFINEMENT_LOG",
            "REVIEW_QUEUE_FILE",
            "REPORTS_DIR",
            "TEMPLATES_DIR",
            "NO_AUTO_PROMOTE",
            "AB_TEST_TARGET_RUNS",
            "AB_RULE",
        ] {
            command.env_remove(name);
        }
        command.env("JURY_NOW", NOW).args(args);
        command
    }

    pub(super) fn run(&self, args: &[&str]) -> Said {
        run(&mut self.jury(args))
    }

    /// One that must go well.
    pub(super) fn ok(&self, args: &[&str]) -> Said {
        let said = self.run(args);
        assert_eq!(said.code, 0, "{args:?}: {}", said.all());
        said
    }

    pub(super) fn put(&self, name: &str, value: &Value) {
        fs::create_dir_all(self.cx.path(name).parent().unwrap()).unwrap();
        self.cx.write(name, value.to_string());
    }

    pub(super) fn get(&self, name: &str) -> Value {
        serde_json::from_slice(&fs::read(self.cx.path(name)).unwrap()).unwrap()
    }

    pub(super) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.cx.path(name)).unwrap()
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.cx.path(name).exists()
    }

    pub(super) fn feedback(&self, over: &Value) {
        let mut record = json!({
            "schema_version": "1.0.0", "bead": "bd-1", "timestamp": "2026-02-20T10:00:00Z", "template": "docs",
            "agent": "ada", "model": "m1", "outcome": "full_pass",
            "signals": {"exit_clean": true, "tests_pass": true, "lint_pass": true, "ubs_clean": true,
                "truthsayer_clean": true, "duration_ratio": 0.6, "retried": false},
            "failure_patterns": [], "opus_quality_score": null, "opus_judge": null, "prompt_hash": "h1",
        });
        for (key, value) in over.as_object().unwrap() {
            record[key] = value.clone();
        }
        let name = format!("state/feedback/{}.json", record["bead"].as_str().unwrap());
        self.put(&name, &record);
    }

    /// So many runs of a template that came out like this.
    pub(super) fn runs(&self, prefix: &str, template: &str, outcome: &str, count: usize) {
        for number in 0..count {
            self.feedback(
                &json!({"bead": format!("{prefix}{number:03}"), "template": template, "outcome": outcome}),
            );
        }
    }

    /// Scores as the scripts before us wrote them.
    pub(super) fn old_scores(&self, templates: &[Value]) {
        let templates: Vec<Value> = templates
            .iter()
            .map(|over| {
                let mut score = json!({
                    "template": "docs", "total_runs": 12, "scoreable_runs": 12, "full_pass_rate": 0.8,
                    "partial_pass_rate": 0, "retry_rate": 0, "timeout_rate": 0, "score": 0.8,
                    "confidence": "medium", "trend": "stable", "agents": [],
                });
                for (key, value) in over.as_object().unwrap() {
                    score[key] = value.clone();
                }
                score
            })
            .collect();
        self.put(
            "state/scores/template-scores.json",
            &json!({"schema_version": "1.0.0", "generated_at": NOW, "templates": templates}),
        );
    }
}

pub(super) fn run(command: &mut Command) -> Said {
    let output = command.output().unwrap();
    Said {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

pub(super) fn near(value: &Value, expected: f64, by: f64) {
    let found = value.as_f64().unwrap_or_else(|| panic!("{value} is no number"));
    assert!((found - expected).abs() <= by, "{found} is not {expected}");
}
