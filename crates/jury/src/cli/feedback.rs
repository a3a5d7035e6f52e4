//! The command line of feedback and of the patterns in it.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::ListFormat;

#[derive(Debug, Args)]
pub(crate) struct FeedbackArgs {
    #[command(subcommand)]
    pub(crate) command: FeedbackCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum FeedbackCommand {
    /// Turn run records into feedback, and count the patterns in them
    Collect(CollectArgs),
    /// Collect every run record of a folder and the folders in it, then score the templates
    Backfill(BackfillArgs),
}

#[derive(Debug, Args)]
pub(crate) struct CollectArgs {
    /// Run records; looked for here, then in the workspace
    #[arg(value_name = "RUN.json", required = true)]
    pub(crate) runs: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct BackfillArgs {
    /// The folder
    #[arg(value_name = "DIR")]
    pub(crate) dir: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct PatternsArgs {
    #[command(subcommand)]
    pub(crate) command: PatternsCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PatternsCommand {
    /// Print the patterns of a run as a JSON array
    Detect(DetectArgs),
    /// List the patterns by how often they were seen
    List(PatternListArgs),
    /// Show one pattern: when it was seen, in which runs, what is done against it
    Detail(DetailArgs),
    /// Note what is done against a pattern
    Mitigate(MitigateArgs),
    /// Say how many of the runs since its mitigation still show a pattern
    Effectiveness(EffectivenessArgs),
}

#[derive(Debug, Args)]
pub(crate) struct DetectArgs {
    /// Count them in the registry as well; a run that was counted is not counted again
    #[arg(long)]
    pub(crate) update_registry: bool,
    /// The run record
    #[arg(value_name = "RUN.json")]
    pub(crate) run: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct PatternListArgs {
    /// How the list is printed
    #[arg(long, value_enum, default_value_t = ListFormat::Human)]
    pub(crate) format: ListFormat,
}

#[derive(Debug, Args)]
pub(crate) struct DetailArgs {
    /// The pattern
    #[arg(value_name = "PATTERN")]
    pub(crate) pattern: String,
    /// How it is printed
    #[arg(long, value_enum, default_value_t = ListFormat::Human)]
    pub(crate) format: ListFormat,
}

#[derive(Debug, Args)]
pub(crate) struct MitigateArgs {
    /// The pattern
    #[arg(value_name = "PATTERN")]
    pub(crate) pattern: String,
    /// What is done against it
    #[arg(value_name = "TEXT")]
    pub(crate) text: String,
}

#[derive(Debug, Args)]
pub(crate) struct EffectivenessArgs {
    /// The pattern
    #[arg(value_name = "PATTERN")]
    pub(crate) pattern: String,
}
