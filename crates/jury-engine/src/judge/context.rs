//! A case: everything that a judge gets to see of a run, and nothing else.

use std::path::PathBuf;

use jury_core::artifact::Digest;
use jury_core::judge::settings::JudgeSettings;
use jury_core::judge::{Answer, Coverage, Issue, JudgeStamp, Reading, RecordError, RunRecord};
use jury_house::diff::{Evidence, Omission};
use thiserror::Error;
use tokio_util::sync::CancellationToken;

/// The version of what is asked: the four dimensions, what each of them means, and the rule of the verdict.
pub const RUBRIC_VERSION: &str = "1";

/// Where the parts of a case are. What a person names is taken as it is; what the record names only if it lies in `root`.
#[derive(Debug, Clone)]
pub struct Sources {
    /// The run record, as it is in its file.
    pub record: Vec<u8>,
    /// The folder that relative paths of the record are looked for in, and in which everything it names must lie.
    pub root: PathBuf,
    /// `config/judge-prompt.md` is looked for here.
    pub workspace: PathBuf,
    /// The folder of the judgements, for what was found in earlier runs of the template; none: not shown.
    pub judgements: Option<PathBuf>,
    /// A file with what was asked.
    pub prompt: Option<PathBuf>,
    /// A file with the diff; git is not asked.
    pub diff: Option<PathBuf>,
    /// The repository.
    pub repo: Option<PathBuf>,
    /// What the work is compared with.
    pub base: Option<String>,
    /// The work: a branch or a commit.
    pub head: Option<String>,
    /// A file with what the tests printed.
    pub test_output: Option<PathBuf>,
    /// A file with what the linter printed.
    pub lint_output: Option<PathBuf>,
    /// Where spools are made.
    pub scratch: PathBuf,
}

/// A case.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// The run.
    pub record: RunRecord,
    /// Its record, as it is in its file: what a program of the user's gets.
    pub raw: Vec<u8>,
    /// The rules of the judge.
    pub system: String,
    /// What is to be judged, fenced, with how to answer behind it.
    pub context: String,
    /// What was measured in the diff.
    pub facts: Vec<Evidence>,
    /// A hash of the rules, of how they are put, and of the shape of the answer.
    pub prompt_hash: String,
    /// [`RUBRIC_VERSION`].
    pub rubric_version: &'static str,
    /// A hash of what was shown.
    pub context_hash: String,
    /// How much of the work is shown.
    pub coverage: Coverage,
    /// What is not shown, and why.
    pub omitted: Vec<Omission>,
    /// What could not be had, one line each.
    pub notes: Vec<String>,
    /// Why there is nothing to judge; none when there is a diff.
    pub nothing: Option<String>,
}

/// Why there is no case.
#[derive(Debug, Error)]
pub enum CaseError {
    /// The record cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The run goes on.
    #[error("the run goes on; judge it when it has ended")]
    Running,
    /// Something that a person named cannot be read.
    #[error("{0}")]
    Unreadable(String),
    /// The templates of the prompt cannot be used.
    #[error(transparent)]
    Prompt(#[from] jury_agents::prompt::PromptError),
    /// Somebody stopped it.
    #[error("it was stopped")]
    Interrupted,
}

impl Case {
    /// Gathers a case. What cannot be had is noted and not an error, unless a person named it.
    pub async fn gather(
        sources: &Sources,
        settings: &JudgeSettings,
        interrupt: &CancellationToken,
    ) -> Result<Self, CaseError> {
        let record = match RunRecord::read(&sources.record)? {
            Reading::Running => return Err(CaseError::Running),
            Reading::Finished(record) => *record,
        };
        if interrupt.is_cancelled() {
            return Err(CaseError::Interrupted);
        }
        let tokens = settings.diff_tokens;
        let context = format!("{} {tokens}", record.bead);
        Ok(Self {
            record,
            raw: sources.record.clone(),
            system: String::new(),
            context_hash: hash(&context),
            context,
            facts: Vec::new(),
            prompt_hash: hash(""),
            rubric_version: RUBRIC_VERSION,
            coverage: Coverage::default(),
            omitted: Vec::new(),
            notes: Vec::new(),
            nothing: Some("nothing is read yet".to_owned()),
        })
    }

    /// Who judges this case, for the record.
    pub fn stamp(&self, model: &str) -> JudgeStamp {
        JudgeStamp {
            model: model.to_owned(),
            prompt: self.prompt_hash.clone(),
            context: self.context_hash.clone(),
            rubric: self.rubric_version.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    /// All of it in one text, for agents that take no rules apart.
    pub fn prompt(&self) -> String {
        format!("{}\n\n{}", self.system, self.context)
    }

    /// The same once more, with what is wrong with the answer: the one attempt to repair it.
    pub fn repair(&self, answer: &str, problems: &[String]) -> String {
        format!("{}\n{}\n{}", self.context, answer, problems.join("\n"))
    }

    /// What was measured, as issues of a judgement.
    pub fn issues(&self) -> Vec<Issue> {
        Vec::new()
    }

    /// The answer of a judge with what was measured beside it, and no surer than what was shown allows.
    #[must_use]
    pub fn completed(&self, mut answer: Answer) -> Answer {
        answer.issues.extend(self.issues());
        answer.confidence = answer.confidence.min(self.coverage.confidence());
        answer
    }

    /// The judgement without a model; an error says why there is none.
    pub fn offline(&self) -> Result<Answer, String> {
        Err(self.nothing.clone().unwrap_or_default())
    }
}

fn hash(text: &str) -> String {
    Digest::of(text.as_bytes()).to_string()
}
