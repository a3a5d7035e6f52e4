//! What is asked: the record, where the parts of its case are, and the case itself.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jury_core::judge::settings::{JudgeMode, JudgeSettings};
use jury_core::judge::{JudgeRequest, LARGEST_RECORD};
use jury_core::unit::Bytes;
use jury_engine::judge::{CaseError, GatheredCase, Sources};
use jury_learning::files::LearningPaths;
use tokio_util::sync::CancellationToken;

use crate::agent::PROMPTS;
use crate::cli::JudgeArgs;
use crate::document::{self, Given};
use crate::refusal::Refusal;

/// A record that somebody wants judged.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    pub(super) request: JudgeRequest,
}

impl Asked {
    pub(super) fn new(
        file: &Path,
        args: &JudgeArgs,
        paths: &LearningPaths,
        here: &Path,
        mut given: BTreeMap<String, String>,
        mode: JudgeMode,
    ) -> Result<Self, Refusal> {
        // Whoever takes it up later does not know what was typed.
        given.insert("JUDGE_MODE".to_owned(), mode.to_string());
        let (path, bytes) = read_record(file, paths)?;
        let record = String::from_utf8(bytes)
            .map_err(|_| Refusal::usage(format!("{} is not UTF-8; convert it first", file.display())))?;
        let whole = |path: &Path| -> Result<String, Refusal> { text(&here.join(path)) };
        let maybe = |path: &Option<PathBuf>| path.as_deref().map(whole).transpose();
        let root = match given.get("JUDGE_REPO_ROOT") {
            Some(root) => here.join(root),
            None => paths.workspace.clone(),
        };
        let request = JudgeRequest {
            file: whole(&path)?,
            record,
            settings: given,
            workspace: text(&paths.workspace)?,
            root: text(&root)?,
            judgements: text(&paths.judgements)?,
            repo: maybe(&args.repo)?,
            base: args.base.clone(),
            branch: args.branch.clone(),
            diff: maybe(&args.diff)?,
            tests: maybe(&args.tests)?,
            lint: maybe(&args.lint)?,
            prompt: maybe(&args.prompt)?,
            force: args.force,
        };
        Ok(Self { request })
    }

    /// The folder of the judgements.
    pub(super) fn judgements(&self) -> PathBuf {
        PathBuf::from(&self.request.judgements)
    }

    /// What a judge gets to see of it.
    pub(super) async fn gather(
        &self,
        own: &JudgeSettings,
        scratch: &Path,
        interrupt: &CancellationToken,
    ) -> Result<GatheredCase, Refusal> {
        let request = &self.request;
        let path = |text: &Option<String>| text.as_ref().map(PathBuf::from);
        let sources = Sources {
            record: request.record.clone().into_bytes(),
            root: PathBuf::from(&request.root),
            workspace: PathBuf::from(&request.workspace),
            prompts: Path::new(PROMPTS).is_dir().then(|| PathBuf::from(PROMPTS)),
            judgements: own.history.then(|| self.judgements()),
            prompt: path(&request.prompt),
            diff: path(&request.diff),
            repo: path(&request.repo),
            base: request.base.clone(),
            head: request.branch.clone(),
            test_output: path(&request.tests),
            lint_output: path(&request.lint),
            scratch: if scratch.is_dir() { scratch.to_owned() } else { std::env::temp_dir() },
        };
        GatheredCase::gather(&sources, own, interrupt).await.map_err(|error| match error {
            CaseError::Record(error) => Refusal::usage(format!("{}: {error}", request.file)),
            CaseError::Running => Refusal::inconclusive(format!("{}: {error}", request.file)),
            error @ (CaseError::Unreadable(_) | CaseError::Prompt(_) | CaseError::Interrupted) => {
                Refusal::usage(error.to_string())
            }
        })
    }
}

/// Reads a record: from here, or from the workspace where it is not here. Says where it was.
pub(super) fn read_record(file: &Path, places: &LearningPaths) -> Result<(PathBuf, Vec<u8>), Refusal> {
    let there = places.workspace.join(file);
    let path = if file.is_relative() && !file.exists() && there.exists() { there } else { file.to_owned() };
    let largest = Bytes(LARGEST_RECORD as u64);
    let Given { bytes, .. } =
        document::read(&path, "run record", largest, "a record has the paths of large parts, not the parts")?;
    Ok((path, bytes))
}

fn text(path: &Path) -> Result<String, Refusal> {
    path.to_str()
        .map(ToOwned::to_owned)
        .ok_or_else(|| Refusal::usage(format!("the path {} is not UTF-8", path.display())))
}
