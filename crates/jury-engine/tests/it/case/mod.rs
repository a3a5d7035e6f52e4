//! What a judge gets to see, from real repositories and real files.

mod command;
mod hidden;
mod hostile;
mod shown;

use std::path::{Path, PathBuf};
use std::process::Command;

use jury_core::judge::settings::JudgeSettings;
use jury_engine::judge::{CaseError, GatheredCase, Sources};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

/// A workspace with a repository in it: `main` has `src/lib.rs`, `work` is where the tests commit.
pub(super) struct Workspace {
    dir: TempDir,
}

impl Workspace {
    pub(super) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let workspace = Self { dir };
        std::fs::create_dir_all(workspace.repo().join("src")).unwrap();
        workspace.git(&["init", "-q", "-b", "main"]);
        workspace.write("src/lib.rs", "pub fn total() -> u32 {\n    1\n}\n");
        workspace.commit("first");
        workspace.git(&["switch", "-q", "-c", "work"]);
        workspace
    }

    pub(super) fn root(&self) -> &Path {
        self.dir.path()
    }

    pub(super) fn repo(&self) -> PathBuf {
        self.dir.path().join("repo")
    }

    pub(super) fn git(&self, args: &[&str]) {
        let run = Command::new("git")
            .current_dir(self.repo())
            .args(["-c", "user.name=Kim", "-c", "user.email=kim@example.org", "-c", "commit.gpgsign=false"])
            .args(args)
            .env_remove("GIT_DIR")
            .output()
            .unwrap();
        assert!(run.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&run.stderr));
    }

    pub(super) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let place = self.repo().join(path);
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        std::fs::write(place, text).unwrap();
    }

    pub(super) fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", message]);
    }

    /// A change that is worth a look.
    pub(super) fn worked(self) -> Self {
        self.write("src/lib.rs", "pub fn total() -> u32 {\n    2\n}\n\npub fn later() {\n    todo!()\n}\n");
        self.commit("second");
        self
    }

    pub(super) fn sources(&self, more: &Value) -> Sources {
        let mut record = json!({"bead": "bd-1", "status": "done", "exit_code": 0, "prompt": "Make the total 2.",
            "repo_path": "repo", "branch": "work", "base_ref": "main", "agent": "kim-bot", "model": "opus",
            "verification": {"tests": "pass", "lint": "pass", "ubs": "clean"}});
        for (key, value) in more.as_object().unwrap() {
            record[key] = value.clone();
        }
        Sources {
            record: serde_json::to_vec(&record).unwrap(),
            root: self.root().to_owned(),
            workspace: self.root().to_owned(),
            scratch: self.root().to_owned(),
            ..Sources::default()
        }
    }

    pub(super) async fn case(&self, more: &Value) -> GatheredCase {
        gather(&self.sources(more)).await.unwrap()
    }
}

pub(super) async fn gather(sources: &Sources) -> Result<GatheredCase, CaseError> {
    GatheredCase::gather(sources, &JudgeSettings::default(), &CancellationToken::new()).await
}
