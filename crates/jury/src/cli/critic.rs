//! The command line of the critic, and of the decisions that it asks people for.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{Format, GateArgs};

/// The longest that a run or a step of it may be given, in seconds: a day.
const LONGEST_RUN: u64 = 24 * 3600;

#[derive(Debug, Args)]
pub(crate) struct CriticArgs {
    #[command(subcommand)]
    pub(crate) command: CriticCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CriticCommand {
    /// Review a document against criteria, pass after pass, with fixes in between
    Run(Box<CriticRunArgs>),
    /// Say what is wrong with a transcript of a critic, line by line
    Check(CheckArgs),
    /// Write a file of criteria to edit
    Init(InitArgs),
    /// List the sets of criteria and what can be measured, or explain one set
    Criteria(CriteriaArgs),
    /// Show a run: its passes, verdicts, questions and fixes
    Show(CriticShowArgs),
    /// Take a run up again that waited for answers
    Resume(ResumeArgs),
    /// End a run that waits for answers: it is interrupted, and its questions are closed
    Stop(StopArgs),
    /// List what was put off: by whom, why, until when
    Deferrals(DeferralsArgs),
}

#[derive(Debug, Args)]
pub(crate) struct CriticRunArgs {
    /// The document, or several, one run each; `-` reads one from stdin
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// What is asked of it: a set of `jury critic criteria`, one of ./criteria, or a TOML file
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) criteria: String,
    /// Who the critic is; without one, only what can be measured is
    #[arg(long, value_name = "ID", default_value = "house")]
    pub(crate) agent: String,
    /// The model, for agents that have a choice
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// The most passes [default: what the criteria say]
    #[arg(long, value_name = "N")]
    pub(crate) max_passes: Option<u32>,
    /// Decide clear cases without asking: one way out, or a default in the criteria
    #[arg(long)]
    pub(crate) auto: bool,
    /// Change nothing: review and stop
    #[arg(long)]
    pub(crate) no_fix: bool,
    #[command(flatten)]
    pub(crate) keep: KeepArgs,
    /// The release that the document belongs to; another one ends what was put off
    #[arg(long, value_name = "RELEASE")]
    pub(crate) release: Option<String>,
    /// How long people may take to answer before the default is taken, such as 12h or 3d [default: for ever]
    #[arg(long, value_name = "TIME")]
    pub(crate) answer_within: Option<String>,
    /// How long one step may take: the checks of a pass, one attempt of the critic or of a fix [default: 300]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=LONGEST_RUN))]
    pub(crate) step_timeout: Option<u64>,
    /// How long the whole run may take, without the time that people take to answer [default: 1800]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=LONGEST_RUN))]
    pub(crate) timeout: Option<u64>,
    /// The most that a model's service may cost in this run, in US dollars
    #[arg(long, value_name = "USD")]
    pub(crate) max_cost: Option<f64>,
    /// The most tokens that a model's service may use in this run
    #[arg(long, value_name = "N")]
    pub(crate) max_tokens: Option<u64>,
    /// The project that the run belongs to
    #[arg(long, value_name = "ID", default_value = "default")]
    pub(crate) project: String,
    #[command(flatten)]
    pub(crate) show: ShowOptions,
}

/// What becomes of the document.
#[derive(Debug, Args)]
pub(crate) struct KeepArgs {
    /// Replace the file with the last version, if the run converged
    #[arg(long, conflicts_with = "out")]
    pub(crate) write: bool,
    /// Write the last version to this file, whatever the verdict
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

impl KeepArgs {
    /// Whether the document is wanted somewhere.
    pub(crate) fn is_asked(&self) -> bool {
        self.write || self.out.is_some()
    }

    /// The same options on a command line, a space in front of them.
    pub(crate) fn as_typed(&self) -> String {
        match &self.out {
            Some(out) => format!(" --out {}", out.display()),
            None if self.write => " --write".to_owned(),
            None => String::new(),
        }
    }
}

/// How a run is shown, and whether questions are asked at the terminal.
#[derive(Debug, Args)]
pub(crate) struct ShowOptions {
    #[command(flatten)]
    pub(crate) gate: GateArgs,
    /// How the result is printed
    #[arg(long, value_name = "FORMAT", value_parser = Format::parser(&[Format::Text]), default_value = "human")]
    pub(crate) format: Format,
    /// Never ask at the terminal: a question ends the command with exit code 4
    #[arg(long)]
    pub(crate) no_input: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// The transcript; `-` reads it from stdin
    #[arg(value_name = "TRANSCRIPT")]
    pub(crate) transcript: PathBuf,
    /// Hold it against these criteria too
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) criteria: Option<String>,
    /// How violations are printed
    #[arg(long, value_name = "FORMAT", value_parser = Format::parser(&[]), default_value = "human")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// What the new set is called [default: the name of the set that it begins with]
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// The built-in set to begin with
    #[arg(long, value_name = "SET", default_value = "plan")]
    pub(crate) set: String,
    /// Where it is written [default: criteria/NAME.toml]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct CriteriaArgs {
    /// The set to explain
    #[arg(value_name = "NAME|FILE")]
    pub(crate) name: Option<String>,
    /// How it is printed
    #[arg(long, value_enum, default_value_t = ListFormat::Human)]
    pub(crate) format: ListFormat,
}

#[derive(Debug, Args)]
pub(crate) struct CriticShowArgs {
    /// The run: its id, the beginning of it, or `last`
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
    /// How it is printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// Write the last version of the document to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ResumeArgs {
    /// The run: its id, the beginning of it, or `last`
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
    #[command(flatten)]
    pub(crate) keep: KeepArgs,
    #[command(flatten)]
    pub(crate) show: ShowOptions,
}

#[derive(Debug, Args)]
pub(crate) struct StopArgs {
    /// The run: its id, the beginning of it, or `last`
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
}

#[derive(Debug, Args)]
pub(crate) struct DeferralsArgs {
    /// How they are printed
    #[arg(long, value_enum, default_value_t = ListFormat::Human)]
    pub(crate) format: ListFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListFormat {
    /// For people
    Human,
    /// One JSON document
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct DecisionsArgs {
    #[command(subcommand)]
    pub(crate) command: DecisionsCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum DecisionsCommand {
    /// List the questions that runs wait for
    List(DecisionsListArgs),
    /// Answer one, and take its run up again when it was the last
    Answer(AnswerArgs),
}

#[derive(Debug, Args)]
pub(crate) struct DecisionsListArgs {
    /// Those that have their answer as well
    #[arg(long)]
    pub(crate) all: bool,
    /// How they are printed
    #[arg(long, value_enum, default_value_t = ListFormat::Human)]
    pub(crate) format: ListFormat,
}

#[derive(Debug, Args)]
pub(crate) struct AnswerArgs {
    /// Which question
    #[arg(value_name = "ID")]
    pub(crate) id: String,
    /// The number of an option, `skip`, or words
    #[arg(value_name = "OPTION")]
    pub(crate) answer: String,
    /// Who answers [default: the name of the user]
    #[arg(long, value_name = "NAME")]
    pub(crate) by: Option<String>,
    /// Do not take the run up again
    #[arg(long, conflicts_with_all = ["write", "out"])]
    pub(crate) no_resume: bool,
    #[command(flatten)]
    pub(crate) keep: KeepArgs,
}
