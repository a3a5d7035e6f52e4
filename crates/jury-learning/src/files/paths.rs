//! Where the files of the learning loop are.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Where the files of the learning loop are. The variables are those of the scripts that had these folders before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LearningPaths {
    /// `STATE_DIR`, or `state` in the workspace: everything that is not placed on its own.
    pub state: PathBuf,
    /// `FEEDBACK_DIR`: a file for every finished run.
    pub feedback: PathBuf,
    /// `REGISTRY_FILE`: how often each pattern was seen.
    pub registry: PathBuf,
    /// `JUDGMENTS_DIR`: a file for every judged run.
    pub judgements: PathBuf,
    /// `SCORES_DIR`: what follows from the feedback.
    pub scores: PathBuf,
    /// `AB_TESTS_FILE`: tests of variants.
    pub ab_tests: PathBuf,
    /// `REFINEMENT_LOG`: variants that were written, and what became of them.
    pub refinement_log: PathBuf,
    /// `REVIEW_QUEUE_FILE`: promotions that wait for a person.
    pub review_queue: PathBuf,
    /// `REPORTS_DIR`: what people read.
    pub reports: PathBuf,
    /// `BACKUP_DIR`: copies of the state.
    pub backups: PathBuf,
    /// The folder of prompt templates, `TEMPLATES_DIR`.
    pub templates: PathBuf,
    /// `WORKSPACE_ROOT`, or the working directory: where relative run records are looked for.
    pub workspace: PathBuf,
}

impl LearningPaths {
    /// Reads the variables; what they leave open follows from the workspace, which is `here` unless `WORKSPACE_ROOT` is
    /// set. An empty variable counts as unset.
    pub fn read(variable: impl Fn(&str) -> Option<OsString>, here: &Path) -> Self {
        let place = |name: &str| {
            variable(name).filter(|value| !value.is_empty()).map(|value| here.join(PathBuf::from(value)))
        };
        let workspace = place("WORKSPACE_ROOT").unwrap_or_else(|| here.to_owned());
        let feedback = place("FEEDBACK_DIR");
        // A feedback folder that is placed alone takes its neighbours along if it has the usual name.
        let around = feedback.as_deref().filter(|own| own.ends_with("feedback")).and_then(Path::parent);
        let state = place("STATE_DIR")
            .or_else(|| around.map(Path::to_owned))
            .unwrap_or_else(|| workspace.join("state"));
        let feedback = feedback.unwrap_or_else(|| state.join("feedback"));
        let scores = place("SCORES_DIR").unwrap_or_else(|| state.join("scores"));
        let or = |name: &str, usual: PathBuf| place(name).unwrap_or(usual);
        Self {
            registry: or("REGISTRY_FILE", feedback.join("pattern-registry.json")),
            judgements: or("JUDGMENTS_DIR", state.join("judgments")),
            ab_tests: or("AB_TESTS_FILE", scores.join("ab-tests.json")),
            refinement_log: or("REFINEMENT_LOG", scores.join("refinement-log.json")),
            review_queue: or("REVIEW_QUEUE_FILE", scores.join("promotion-review-queue.json")),
            reports: or("REPORTS_DIR", state.join("reports")),
            backups: or("BACKUP_DIR", state.join("backups")),
            templates: or("TEMPLATES_DIR", workspace.join("templates")),
            state,
            feedback,
            scores,
            workspace,
        }
    }
}
