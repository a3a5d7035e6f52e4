//! The command line: what can be typed.

mod calibrate;
mod check;
mod content;
mod critic;
mod feedback;
mod inspect;
mod judge;
mod store;
mod templates;
mod templates_reports;

pub(crate) use calibrate::{
    AnchorsAddArgs, AnchorsArgs, AnchorsCommand, AnchorsJudgeArgs, AnchorsListArgs, CalibrateArgs,
    CalibrateCommand, LabelArgs, ReportOptions, VerdictName,
};
pub(crate) use check::{ChecksArgs, ExplainArgs, LookOptions, PageCheckArgs};
pub(crate) use content::{
    AdvisorsArgs, ContentAbandonArgs, ContentArgs, ContentBriefArgs, ContentCommand, ContentDraftArgs,
    ContentEvalArgs, ContentPageArgs, ContentReleasesArgs, ContentResumeArgs, ContentRollbackArgs,
    ContentRunArgs, ContentStatusArgs, EvalGroup, RecipesArgs,
};
pub(crate) use critic::{
    AnswerArgs, CheckArgs, CriteriaArgs, CriticArgs, CriticCommand, CriticRunArgs, CriticShowArgs,
    DecisionsArgs, DecisionsCommand, DecisionsListArgs, DeferralsArgs, InitArgs, KeepArgs, ListFormat,
    ResumeArgs, ShowOptions, StopArgs,
};
pub(crate) use feedback::{
    BackfillArgs, CollectArgs, DetailArgs, DetectArgs, EffectivenessArgs, FeedbackArgs, FeedbackCommand,
    MitigateArgs, PatternListArgs, PatternsArgs, PatternsCommand,
};
pub(crate) use inspect::InspectArgs;
pub(crate) use store::{StoreArgs, StoreCommand, StoreMigrateArgs};
pub(crate) use templates::{
    AbArgs, AbCommand, AbCreateArgs, AbListArgs, AbRecordArgs, ArmName, GuardrailsArgs, GuardrailsCommand,
    PurposeName, RefineArgs, ScoreArgs, SelectArgs, TemplatesArgs, TemplatesCommand,
};
pub(crate) use templates_reports::{AuditArgs, RetrospectiveArgs, WeeklyArgs};

pub(crate) use judge::JudgeArgs;

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::output;
use crate::refusal::{NOT_DONE, USAGE};
use crate::telemetry::LogFormat;

/// A gate for work that agents hand in: a panel scores it, sends it back with what must be fixed, and lets
/// it ship only when the bar is met
#[derive(Debug, Parser)]
#[command(
    name = "jury",
    version,
    after_help = "Exit codes: 0 shipped, converged, pass or approved, 1 the bar was not met, 2 wrong call or setting, 3 the review did not take place, \
                  4 waiting for a person, 130 interrupted."
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options of every command.
#[derive(Debug, Args)]
pub(crate) struct Global {
    /// Where runs are kept
    #[arg(long, global = true, value_name = "DIR", env = "OD_DATA_DIR", default_value = ".od")]
    pub(crate) data_dir: PathBuf,
    /// Print results and errors only
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// Print details of errors
    #[arg(long, short, global = true, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
    /// When to use colour; `NO_COLOR` is honoured
    #[arg(long, global = true, value_enum, default_value_t = ColorChoice::Auto, hide_possible_values = true)]
    pub(crate) color: ColorChoice,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ColorChoice {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Review a page, have it improved, and decide whether it ships
    Run(Box<RunArgs>),
    /// Measure many pages as they stand, with one summary and one exit code
    Check(Box<PageCheckArgs>),
    /// Say how a finding came about, or what a check measures
    Explain(Box<ExplainArgs>),
    /// List what the house checks
    Checks(ChecksArgs),
    /// Review a document, plan, spec or diff against criteria, pass after pass
    Critic(CriticArgs),
    /// Write, review, revise and publish a piece from an idea's documents
    Content(ContentArgs),
    /// Judge a finished run of a coding agent by its change, its prompt and its tests
    Judge(Box<JudgeArgs>),
    /// Answer what runs ask people
    Decisions(DecisionsArgs),
    /// Keep what came of finished agent runs
    Feedback(FeedbackArgs),
    /// Find the ways in which agent runs fail again and again, and what helps
    Patterns(PatternsArgs),
    /// Score prompt templates, choose one for a task, change and compare them
    Templates(TemplatesArgs),
    /// Say what you think of a run, so that judges can be compared with you
    Label(LabelArgs),
    /// Say how far judges agree with people
    Calibrate(CalibrateArgs),
    /// Show what is measured of a page: boxes, styles, what is missing
    Inspect(InspectArgs),
    /// Show what the parser sees in an agent's answer, one event per line
    Parse(ParseArgs),
    /// Play a run again
    Replay(ReplayArgs),
    /// Report a run: verdict, reviews, findings
    Report(ReportArgs),
    /// Compare two runs of one workflow: what was fixed, what is new, what is still open
    Compare(CompareArgs),
    /// List the runs that are kept here
    Runs(RunsArgs),
    /// Serve the API: many runs, many viewers
    Serve(ServeArgs),
    /// Say who can play the panel, and test how well
    Agents(AgentsArgs),
    /// Say what is installed, configured, reachable, and how to fix it
    Doctor(DoctorArgs),
    /// Rebuild the tables of runs and artifacts from the log
    Reindex,
    /// Take the data directory to another schema, for an older program or a newer one
    Store(StoreArgs),
    /// The built-in panel as a process: requests on stdin, a line each; transcripts, figures or reports on stdout
    #[command(hide = true)]
    House,
    /// Waits for a program to end, and ends what its agents left
    #[command(hide = true)]
    Guard(GuardArgs),
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// The page; `-` reads it from stdin
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// What the page is for; without a page, what to make (needs an agent that can write)
    #[arg(long, value_name = "TEXT")]
    pub(crate) brief: Option<String>,
    /// Who plays the panel: `house`, or an agent from jury.toml
    #[arg(long, value_name = "ID", default_value = "house")]
    pub(crate) agent: String,
    /// The model, for agents that have a choice
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// The most that a model's service may cost in this run, in US dollars
    #[arg(long, value_name = "USD")]
    pub(crate) max_cost: Option<f64>,
    /// The most tokens that a model's service may use in this run
    #[arg(long, value_name = "N")]
    pub(crate) max_tokens: Option<u64>,
    /// The brand: a DESIGN.md to measure colours and fonts against
    #[arg(long, value_name = "FILE")]
    pub(crate) design: Option<PathBuf>,
    /// The folder of the site: addresses that begin with `/` are looked up there, and nothing outside it is loaded
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// How work of this kind is done: a skill of `./skills/`, or one that jury brings along
    #[arg(long, value_name = "NAME")]
    pub(crate) skill: Option<String>,
    /// The project that the run belongs to
    #[arg(long, value_name = "ID", default_value = "default")]
    pub(crate) project: String,
    /// The bar: a composite below it does not ship [default: 80 % of the scale, 8.0]
    #[arg(long, value_name = "N")]
    pub(crate) threshold: Option<String>,
    /// Take a --threshold below half of the scale
    #[arg(long)]
    pub(crate) force: bool,
    /// Add a measured seat to the panel, or weigh one of jury.toml: `perf=0.1`, `i18n=0.1`, `motion=0.1`, `cost=0.1`
    #[arg(long, value_name = "NAME=WEIGHT")]
    pub(crate) seat: Vec<String>,
    /// What is made of measured facts: `off`, `warn`, or `gate`, where they hold a ship [default: gate]
    #[arg(long, value_name = "MODE")]
    pub(crate) evidence: Option<String>,
    /// The most rounds [default: 3]
    #[arg(long, value_name = "N")]
    pub(crate) max_rounds: Option<String>,
    /// Which round is kept when none meets the bar: `ship_best`, `ship_last` or `fail` [default: `ship_best`]
    #[arg(long, value_name = "POLICY")]
    pub(crate) fallback: Option<String>,
    /// How long one round may take, in milliseconds [default: 90000, without the time in which a page keeps arriving]
    #[arg(long, value_name = "N")]
    pub(crate) round_timeout_ms: Option<String>,
    /// How long the panel may take, in milliseconds [default: 240000, without the time in which a page keeps arriving]
    #[arg(long, value_name = "N")]
    pub(crate) total_timeout_ms: Option<String>,
    /// How long the run may take, whatever it does, in milliseconds [default: 900000]
    #[arg(long, value_name = "N")]
    pub(crate) run_timeout_ms: Option<String>,
    /// Write the artifact that is handed over to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) gate: GateArgs,
    /// How the result is printed
    #[arg(long, value_name = "FORMAT", value_parser = Format::parser(&[]), default_value = "human")]
    pub(crate) format: Format,
}

/// What a gate lets through although it is open.
#[derive(Debug, Default, Args)]
pub(crate) struct GateArgs {
    /// Findings that are known and hold nothing back; new ones do
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write what is found into the baseline
    #[arg(long, requires = "baseline")]
    pub(crate) update_baseline: bool,
    /// Findings that a person lets through for a while: a TOML file of `[[waiver]]` with `finding` or `rule`, `reason`,
    /// `author` and `expires`
    #[arg(long, value_name = "FILE")]
    pub(crate) waivers: Option<PathBuf>,
}

/// How a result is printed, with the short way for programs.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    pub(crate) gate: GateArgs,
    /// How the result is printed
    #[arg(long, value_name = "FORMAT", value_parser = Format::parser(&[]), default_value = "human")]
    format: Format,
    /// The same as `--format json`
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl ShowArgs {
    pub(crate) fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

/// How the result of a review is printed. The same for every command that gates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Human,
    /// One JSON document
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// JUnit XML, for test reports
    Junit,
    /// GitHub workflow annotations
    Github,
    /// Markdown, for a pull request or a wiki
    Markdown,
    /// One HTML file that needs nothing else
    Html,
    /// The critic's report of every pass, as `jury critic check` reads it
    Text,
    /// The shape of the older judge
    Opus,
}

impl Format {
    /// The formats that every command has which gates, and these of its own.
    pub(crate) fn parser(own: &'static [Self]) -> impl TypedValueParser<Value = Self> {
        let is_taken =
            move |format: &&Self| !matches!(format, Self::Text | Self::Opus) || own.contains(format);
        let values = Self::value_variants().iter().filter(is_taken).filter_map(Self::to_possible_value);
        PossibleValuesParser::new(values.collect::<Vec<_>>())
            .map(|name| Self::from_str(&name, false).unwrap_or(Self::Human))
    }

    /// Whether it is one document, which cannot hold several results one after the other.
    pub(crate) fn is_one_document(self) -> bool {
        match self {
            Self::Json | Self::Sarif | Self::Junit | Self::Html => true,
            Self::Human | Self::Github | Self::Markdown | Self::Text | Self::Opus => false,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct ParseArgs {
    /// The answer; stdin when absent
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Feed the parser this many bytes at a time
    #[arg(long, value_name = "BYTES", default_value = "65536", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) chunk: u32,
}

#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// The run: its id, the beginning of it, `last`, or a transcript file
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
    /// How fast: `1x`, `4x`, `instant`, or a fixed interval such as `250ms`
    #[arg(long, value_name = "SPEED", default_value = "1x")]
    pub(crate) speed: String,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// The run: its id, the beginning of it, or `last`
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
    /// As Markdown; the default for a panel's run, which otherwise is the text of its workflow
    #[arg(long, conflicts_with = "json")]
    pub(crate) markdown: bool,
    /// As one JSON document
    #[arg(long)]
    pub(crate) json: bool,
    /// As one HTML file that needs nothing else and plays the run again; `-` writes it to stdout
    #[arg(long, value_name = "FILE", conflicts_with_all = ["markdown", "json"])]
    pub(crate) html: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// The run that the other one is held against: its id, the beginning of it, or `last`
    #[arg(value_name = "BASE")]
    pub(crate) base: String,
    /// The run that is compared
    #[arg(value_name = "RUN")]
    pub(crate) other: String,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t = ListFormat::Human)]
    pub(crate) format: ListFormat,
}

#[derive(Debug, Args)]
pub(crate) struct RunsArgs {
    /// Only runs that ended like this
    #[arg(long, value_name = "STATUS")]
    pub(crate) status: Option<String>,
    /// Only runs of this agent
    #[arg(long, value_name = "ID")]
    pub(crate) agent: Option<String>,
    /// The most runs to list
    #[arg(long, value_name = "N", default_value = "50")]
    pub(crate) limit: u32,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Where to listen; an address that others can reach needs a token
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7878")]
    pub(crate) addr: String,
    /// The file that holds the token; without it, the variable `JURY_TOKEN` does
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
    /// A name that the daemon goes by, beside its address; may be given several times
    #[arg(long, value_name = "NAME")]
    pub(crate) allow_host: Vec<String>,
    /// What is made of measured facts: `off`, `warn`, or `gate`, where they hold a ship [default: gate]
    #[arg(long, value_name = "MODE")]
    pub(crate) evidence: Option<String>,
    /// How log lines look on stderr [default: `text` on a terminal, `json` elsewhere]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) log_format: Option<LogFormat>,
    /// Other limits than the usual ones, for tests
    #[arg(long, value_name = "NAME=NUMBER", hide = true, value_delimiter = ',')]
    pub(crate) limits: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct GuardArgs {
    /// The program's process id
    pub(crate) program: u32,
}

#[derive(Debug, Args)]
pub(crate) struct AgentsArgs {
    #[command(subcommand)]
    pub(crate) command: AgentsCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AgentsCommand {
    /// List everybody who can play the panel
    List(AgentsListArgs),
    /// Give an agent the conformance briefs and say how well it plays
    Test(AgentsTestArgs),
    /// Ask an agent again that is marked as degraded
    ClearDegraded(ClearDegradedArgs),
}

#[derive(Debug, Args)]
pub(crate) struct AgentsListArgs {
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// As a Markdown table
    #[arg(long, conflicts_with = "json")]
    pub(crate) markdown: bool,
}

#[derive(Debug, Args)]
pub(crate) struct AgentsTestArgs {
    /// The agents; without any, the house and those of jury.toml
    #[arg(value_name = "ID")]
    pub(crate) agents: Vec<String>,
    /// How many of the ten briefs; fewer than ten are a try that neither marks nor clears
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u32).range(1..=10))]
    pub(crate) briefs: u32,
    /// The model, where the agent has several
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// What is made of measured facts: `off`, `warn`, or `gate`, where they hold a ship [default: gate]
    #[arg(long, value_name = "MODE")]
    pub(crate) evidence: Option<String>,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// As Markdown
    #[arg(long, conflicts_with = "json")]
    pub(crate) markdown: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ClearDegradedArgs {
    /// The agent
    #[arg(value_name = "ID")]
    pub(crate) agent: String,
}

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Prints help as it is, and errors as one line.
pub(crate) fn usage(error: &clap::Error) -> u8 {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        output::help(&error.render().to_string());
        return 0;
    }
    let text = error.render().to_string();
    let mut lines = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
    let first = lines.next().unwrap_or_default();
    let first = first.strip_prefix("error: ").unwrap_or(first).to_owned();
    // Advice on quoting is not worth a second half of a line; a likely spelling is.
    let rest: Vec<&str> =
        lines.filter(|line| !line.is_empty() && !line.starts_with("tip: to pass")).collect();
    let what = if rest.is_empty() { first } else { format!("{first} {}", rest.join(", ")) };
    let script = was_a_script();
    let what = missing_command(error.kind(), &text).unwrap_or(what);
    output::usage_error(&format!("{what}; see 'jury --help'"));
    if script {
        // Scripts that call it expect the word and the code of the one that they called before.
        let usage = text.lines().find(|line| line.trim_start().starts_with("Usage:"));
        output::help(&format!("{}\n", usage.unwrap_or("Usage: jury --help").trim()));
        return NOT_DONE;
    }
    USAGE
}

/// Which commands there are, when none was given.
fn missing_command(kind: ErrorKind, text: &str) -> Option<String> {
    if kind != ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return None;
    }
    let commands: Vec<&str> = text
        .lines()
        .map(str::trim)
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|command| *command != "help")
        .collect();
    Some(format!("a command is missing: {}", commands.join(", ")))
}

/// Whether the command had a script of its own before, whose exit code for a wrong call was 1.
fn was_a_script() -> bool {
    const SCRIPTS: [&str; 3] = ["feedback", "patterns", "templates"];
    let words: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let command = words.iter().find(|word| !word.starts_with('-'));
    // The judge was one in its older shape.
    let opus = words.iter().any(|word| word == "--format=opus")
        || words.iter().zip(words.iter().skip(1)).any(|(one, two)| one == "--format" && two == "opus");
    command.is_some_and(|command| SCRIPTS.contains(&command.as_str()) || (opus && command == "judge"))
}
