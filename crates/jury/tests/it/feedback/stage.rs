//! A workspace with run records in it.

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::harness::Context;

/// A workspace.
pub(super) struct Stage {
    pub(super) context: Context,
}

/// What a call came to.
pub(super) struct Called {
    pub(super) code: Option<i32>,
    pub(super) out: String,
    pub(super) err: String,
}

impl Called {
    /// Both streams: scripts look at them together.
    pub(super) fn all(&self) -> String {
        format!("{}{}", self.out, self.err)
    }
}

impl From<Output> for Called {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Stage {
    pub(super) fn new() -> Self {
        let context = Context::new();
        std::fs::create_dir_all(context.path("state/runs")).unwrap();
        Self { context }
    }

    /// Writes a run record: a clean run, with these fields over it.
    pub(super) fn record(&self, bead: &str, over: &Value) -> String {
        let mut record = clean(bead);
        for (key, value) in over.as_object().unwrap() {
            record[key] = value.clone();
        }
        self.raw(bead, record.to_string())
    }

    /// Writes a file that is called like a run record.
    pub(super) fn raw(&self, name: &str, body: impl AsRef<[u8]>) -> String {
        let name = format!("state/runs/{name}.json");
        self.context.write(&name, body);
        name
    }

    pub(super) fn jury(&self, arguments: &[&str]) -> Command {
        let mut command = self.context.jury();
        for name in ["FEEDBACK_DIR", "REGISTRY_FILE", "WORKSPACE_ROOT", "STATE_DIR", "SCORES_DIR"] {
            command.env_remove(name);
        }
        command.args(arguments).env("JURY_NOW", "2026-02-21T12:00:00Z");
        command
    }

    pub(super) fn call(&self, arguments: &[&str]) -> Called {
        self.jury(arguments).output().unwrap().into()
    }

    pub(super) fn collect(&self, file: &str) -> Called {
        self.call(&["feedback", "collect", file])
    }

    pub(super) fn feedback_file(&self, bead: &str) -> PathBuf {
        self.context.path(&format!("state/feedback/{bead}.json"))
    }

    pub(super) fn feedback(&self, bead: &str) -> Value {
        serde_json::from_slice(&std::fs::read(self.feedback_file(bead)).unwrap()).unwrap()
    }

    pub(super) fn registry(&self) -> Value {
        let file = self.context.path("state/feedback/pattern-registry.json");
        serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
    }

    /// The names of everything in the feedback folder, without its lock.
    pub(super) fn kept(&self) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.context.path("state/feedback")) else { return Vec::new() };
        let names = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.filter(|name| name != ".lock").collect();
        names.sort();
        names
    }
}

fn clean(bead: &str) -> Value {
    json!({
        "schema_version": 1, "bead": bead, "status": "done", "exit_code": 0, "agent": "ada", "model": "m1",
        "template_name": "bug-fix", "prompt": "Mend it.", "prompt_hash": "h1", "failure_reason": null, "attempt": 1,
        "duration_seconds": 300, "started_at": "2026-02-20T09:55:00Z", "finished_at": "2026-02-20T10:00:00Z",
        "verification": {"lint": "pass", "tests": "pass", "ubs": "clean", "truthsayer": "pass"},
    })
}
