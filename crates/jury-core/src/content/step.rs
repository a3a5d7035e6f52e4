//! Steps: what comes next in a run, and the tools that do it, by the names their users know.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::advisor::AdvisorId;
use super::status::Quality;
use crate::outcome::{UnknownWord, words};
use crate::unit::Round;

/// A tool: it reads the state from the log, does one thing, and writes down what came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ContentTool)]
pub enum Tool {
    /// Writes the first draft.
    GenerateDraft,
    /// Chooses the panel, once, and lets it review.
    RunCritiques,
    /// Applies the editor's rule.
    EditorDecision,
    /// Sums the round up.
    SummarizeRound,
    /// Revises the draft under the brief.
    ReviseDraft,
    /// Keeps the draft that was approved.
    SaveContent,
    /// Decides on the look.
    DesignBrand,
    /// Makes the files of the site.
    AssembleSiteFiles,
    /// Checks the files of the site.
    ValidateCode,
    /// Creates the repository of the site.
    CreateRepo,
    /// Commits the files of the site.
    PushFiles,
    /// Serves the files as a release.
    Deploy,
    /// Looks whether that is so.
    Verify,
}

words!(Tool {
    GenerateDraft = "generate_draft",
    RunCritiques = "run_critiques",
    EditorDecision = "editor_decision",
    SummarizeRound = "summarize_round",
    ReviseDraft = "revise_draft",
    SaveContent = "save_content",
    DesignBrand = "design_brand",
    AssembleSiteFiles = "assemble_site_files",
    ValidateCode = "validate_code",
    CreateRepo = "create_repo",
    PushFiles = "push_files",
    Deploy = "deploy",
    Verify = "verify",
});

/// The step that a run has to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Nothing has happened yet: write down the start.
    Begin,
    /// Write the first draft.
    Draft,
    /// Choose the critics of the panel.
    Select,
    /// Let these review the draft of this round.
    Critique {
        /// The round to be reviewed.
        round: Round,
        /// Those of the panel who have not answered.
        missing: Vec<AdvisorId>,
    },
    /// Hold the draft of this round against the documents.
    Measure(Round),
    /// Apply the rule to this round.
    Decide(Round),
    /// Sum this round up.
    Summarise(Round),
    /// Revise the draft of this round.
    Revise(Round),
    /// Keep the draft of this round as what it is.
    Save {
        /// The round whose draft is kept.
        round: Round,
        /// How good it is.
        quality: Quality,
    },
    /// Second phase: one of the tools from [`Tool::DesignBrand`] on.
    Publish(Tool),
    /// Write down that it is done.
    Finish,
    /// Nothing, until a person hands in a draft.
    AwaitPerson,
    /// Nothing, until somebody takes it up again.
    AwaitResume,
    /// The run has ended; nothing is left.
    Done,
}

impl Step {
    /// The tool that does it.
    pub fn tool(&self) -> Option<Tool> {
        match self {
            Self::Draft => Some(Tool::GenerateDraft),
            Self::Select | Self::Critique { .. } | Self::Measure(_) => Some(Tool::RunCritiques),
            Self::Decide(_) => Some(Tool::EditorDecision),
            Self::Summarise(_) => Some(Tool::SummarizeRound),
            Self::Revise(_) => Some(Tool::ReviseDraft),
            Self::Save { .. } => Some(Tool::SaveContent),
            Self::Publish(tool) => Some(*tool),
            Self::Begin | Self::Finish | Self::AwaitPerson | Self::AwaitResume | Self::Done => None,
        }
    }
}
