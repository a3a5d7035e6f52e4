//! The command line of labels and calibration.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::ListFormat;

#[derive(Debug, Args)]
pub(crate) struct LabelArgs {
    /// The run: its bead, or the id of a run of the judge
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
    /// What you say of it
    #[arg(long, value_enum)]
    pub(crate) verdict: VerdictName,
    /// Who says it [default: the name of the user]
    #[arg(long, value_name = "NAME")]
    pub(crate) by: Option<String>,
    /// Does it do what was asked? Between 0 and 1, as the other marks; give all four or none
    #[arg(long, value_name = "MARK")]
    pub(crate) correctness: Option<f64>,
    /// Nothing beside the task?
    #[arg(long, value_name = "MARK")]
    pub(crate) scope_adherence: Option<f64>,
    /// Does it fit the project?
    #[arg(long, value_name = "MARK")]
    pub(crate) code_quality: Option<f64>,
    /// Nothing left out?
    #[arg(long, value_name = "MARK")]
    pub(crate) completeness: Option<f64>,
    /// Why
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum VerdictName {
    /// It can be merged
    Pass,
    /// It can be mended
    Partial,
    /// It is of no use
    Fail,
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct CalibrateArgs {
    #[command(subcommand)]
    pub(crate) command: Option<CalibrateCommand>,
    #[command(flatten)]
    pub(crate) report: ReportOptions,
}

#[derive(Debug, Args)]
pub(crate) struct ReportOptions {
    /// How the report is printed
    #[arg(long, value_enum, default_value_t = ListFormat::Human)]
    pub(crate) format: ListFormat,
    /// Where the resampling begins: the same seed gives the same report
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) seed: u64,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CalibrateCommand {
    /// Runs that are judged again and again
    Anchors(AnchorsArgs),
    /// Say whether the judge has changed, by the anchors
    Drift(ReportOptions),
}

#[derive(Debug, Args)]
pub(crate) struct AnchorsArgs {
    #[command(subcommand)]
    pub(crate) command: AnchorsCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AnchorsCommand {
    /// Set anchors: runs that were judged
    Add(AnchorsAddArgs),
    /// List them, and which are due
    List(AnchorsListArgs),
    /// Judge those again that are due
    Judge(AnchorsJudgeArgs),
}

#[derive(Debug, Args)]
pub(crate) struct AnchorsJudgeArgs {
    /// Who judges; given several times, a panel does
    #[arg(long, value_name = "ID")]
    pub(crate) agent: Vec<String>,
    /// The model, for agents that have a choice
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// Those that are not due as well
    #[arg(long)]
    pub(crate) all: bool,
    /// Do not wait for the throttle: what does not fit stays in the queue
    #[arg(long)]
    pub(crate) no_wait: bool,
}

#[derive(Debug, Args)]
pub(crate) struct AnchorsAddArgs {
    /// The runs
    #[arg(value_name = "BEAD", required = true)]
    pub(crate) beads: Vec<String>,
    /// The folder of their records, `BEAD.json` each, for judging them again
    #[arg(long, value_name = "DIR")]
    pub(crate) records: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct AnchorsListArgs {
    /// How the list is printed
    #[arg(long, value_enum, default_value_t = ListFormat::Human)]
    pub(crate) format: ListFormat,
}
