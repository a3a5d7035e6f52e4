//! The command line of the judge.

use std::path::PathBuf;

use clap::Args;

use super::{Format, GateArgs};

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag that somebody types")]
pub(crate) struct JudgeArgs {
    /// The record of a finished run, or several
    #[arg(value_name = "RUN.json", required_unless_present = "drain")]
    pub(crate) records: Vec<PathBuf>,
    /// Who judges; given several times, a panel does
    #[arg(long, value_name = "ID")]
    pub(crate) agent: Vec<String>,
    /// How often each of them judges [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) repeat: Option<String>,
    /// The model, for agents that have a choice
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// How it is judged: heuristic, model or command [default: model with an agent, otherwise heuristic]
    #[arg(long, value_name = "MODE")]
    pub(crate) mode: Option<String>,
    /// The repository of the change [default: what the record says]
    #[arg(long, value_name = "DIR")]
    pub(crate) repo: Option<PathBuf>,
    /// What the change is compared with [default: what the record says]
    #[arg(long, value_name = "REF")]
    pub(crate) base: Option<String>,
    /// Where the change is [default: what the record says]
    #[arg(long, value_name = "REF")]
    pub(crate) branch: Option<String>,
    /// The change as a unified diff, instead of a repository
    #[arg(long, value_name = "FILE", conflicts_with_all = ["repo", "base", "branch"])]
    pub(crate) diff: Option<PathBuf>,
    /// What the tests printed
    #[arg(long, value_name = "FILE")]
    pub(crate) tests: Option<PathBuf>,
    /// What the linter printed
    #[arg(long, value_name = "FILE")]
    pub(crate) lint: Option<PathBuf>,
    /// What the agent was asked
    #[arg(long, value_name = "FILE")]
    pub(crate) prompt: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) gate: GateArgs,
    /// How the result is printed
    #[arg(long, value_name = "FORMAT", value_parser = Format::parser(&[Format::Opus]), default_value = "human")]
    pub(crate) format: Format,
    /// Print what a judge would get to see, and ask nobody
    #[arg(long, conflicts_with = "drain")]
    pub(crate) context: bool,
    /// Judge timeouts and infrastructure failures as well
    #[arg(long)]
    pub(crate) force: bool,
    /// Do not wait for the throttle: the run stays in the queue, with exit code 4
    #[arg(long)]
    pub(crate) no_wait: bool,
    /// Work off what waits in the queue
    #[arg(long, conflicts_with = "records")]
    pub(crate) drain: bool,
    /// The project that the run belongs to
    #[arg(long, value_name = "ID", default_value = "default")]
    pub(crate) project: String,
}
