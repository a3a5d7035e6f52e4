//! What somebody asks of the judge. It is kept with the run, so that one that waits can be taken up later, by whoever is
//! there then.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What is asked of a run of the judge. Paths are absolute.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct JudgeRequest {
    /// The file that the record of the judged run was read from.
    pub file: String,
    /// The record, as it was.
    pub record: String,
    /// The settings of the judge that were not the standard ones, by the names of their variables.
    #[serde(default)]
    pub settings: BTreeMap<String, String>,
    /// Where `config/judge-prompt.md` is looked for.
    pub workspace: String,
    /// The folder in which everything that the record names must lie.
    pub root: String,
    /// The folder of the judgements.
    pub judgements: String,
    /// The repository of the change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repo: Option<String>,
    /// What the change is against.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// Where the change is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// A file with the change, instead of a repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    /// A file with the output of the tests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tests: Option<String>,
    /// A file with the output of lint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lint: Option<String>,
    /// A file with what the agent was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// Whether a run without anything to judge is judged all the same.
    #[serde(default)]
    pub force: bool,
}
