//! The command line of the content pipeline.

use std::path::PathBuf;

use super::ShowArgs;
use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct ContentArgs {
    #[command(subcommand)]
    pub(crate) command: ContentCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ContentCommand {
    /// Write a piece from an idea's documents, have it reviewed and revised, and publish it
    Run(Box<ContentRunArgs>),
    /// Show how a run stands: steps, critics and their scores, what is open
    Status(ContentStatusArgs),
    /// Go on with a run that was stopped, halted, or waits for a person's draft
    Resume(ContentResumeArgs),
    /// Give a run up that is not done
    Abandon(ContentAbandonArgs),
    /// Print a draft of a run, as a person edits it
    Draft(ContentDraftArgs),
    /// Print the brief of a run: what to mend, and what must not get worse
    Brief(ContentBriefArgs),
    /// List the releases of a published site, and which one is served
    Releases(ContentReleasesArgs),
    /// Print the page of a published site as one file, for 'jury run'
    Page(ContentPageArgs),
    /// Serve an earlier release of a published site again
    Rollback(ContentRollbackArgs),
    /// List the advisors: who can write, who can review, by what; or explain one
    Advisors(AdvisorsArgs),
    /// List the recipes; or explain one: whom it chooses as critics, and why
    Recipes(RecipesArgs),
    /// Try those who choose, review and revise on scenarios with a known answer
    Eval(ContentEvalArgs),
}

#[derive(Debug, Args)]
pub(crate) struct ContentPageArgs {
    /// The site: the name of the idea
    #[arg(value_name = "SITE")]
    pub(crate) site: String,
}

#[derive(Debug, Args)]
pub(crate) struct ContentReleasesArgs {
    /// The site: the name of the idea's folder
    #[arg(value_name = "SITE")]
    pub(crate) site: String,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ContentRollbackArgs {
    /// The site: the name of the idea's folder
    #[arg(value_name = "SITE")]
    pub(crate) site: String,
    /// The release, or the beginning of its name [default: the one before what is served]
    #[arg(long, value_name = "RELEASE")]
    pub(crate) to: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct AdvisorsArgs {
    /// The advisor to explain
    #[arg(value_name = "ID")]
    pub(crate) id: Option<String>,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RecipesArgs {
    /// The recipe to explain
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ContentRunArgs {
    /// What is made: a recipe of `jury content recipes`, or a file ./recipes/NAME.toml
    #[arg(value_name = "RECIPE")]
    pub(crate) recipe: String,
    /// The folder with the idea's documents: positioning.md, brand-voice.md, …
    #[arg(long, value_name = "DIR")]
    pub(crate) idea: PathBuf,
    /// A person's draft, Markdown or JSON, instead of the author's first; `-` reads stdin
    #[arg(long, value_name = "FILE")]
    pub(crate) draft: Option<PathBuf>,
    /// What this piece is about: a subject, keywords, what somebody has found out; at most 20000 bytes, for agents
    #[arg(long, value_name = "TEXT")]
    pub(crate) topic: Option<String>,
    /// Who writes and reviews; without one, the draft comes from the documents and the built-in critics review
    #[arg(long, value_name = "ID", default_value = "house")]
    pub(crate) agent: String,
    /// The model, for agents that have a choice
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// The most rounds [default: what the recipe says]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10))]
    pub(crate) max_rounds: Option<u32>,
    /// What to make of proof and figures that no document knows: off, warn or gate [default: what the settings say]
    #[arg(long, value_name = "MODE")]
    pub(crate) evidence: Option<String>,
    /// Stop when the draft is approved: build no site
    #[arg(long)]
    pub(crate) no_publish: bool,
    /// Push the site's commits there as well: any address that git knows
    #[arg(long, value_name = "URL")]
    pub(crate) remote: Option<String>,
    /// The address that the site will have [default: its place under the daemon]
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// How many critics are asked at once
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=16))]
    pub(crate) concurrency: u32,
    /// How long one call may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 180, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub(crate) call_timeout: u64,
    /// How often a critic is asked again when it does not answer
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(0..=10))]
    pub(crate) retries: u32,
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
    pub(crate) show: ShowArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ContentStatusArgs {
    /// A run: its id, the beginning of it, or `last`
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ContentResumeArgs {
    /// A run: its id, the beginning of it, or `last`
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
    /// A person's draft, Markdown or JSON, for the same critics; `-` reads stdin
    #[arg(long, value_name = "FILE")]
    pub(crate) draft: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ContentAbandonArgs {
    /// A run: its id, the beginning of it, or `last`
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
    /// Why, for the log
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) reason: String,
}

#[derive(Debug, Args)]
pub(crate) struct ContentDraftArgs {
    /// A run: its id, the beginning of it, or `last`
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
    /// The draft of this round [default: what was kept, or the last one]
    #[arg(long, value_name = "N")]
    pub(crate) round: Option<u32>,
    /// As it is kept: a page as JSON
    #[arg(long)]
    pub(crate) raw: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ContentBriefArgs {
    /// A run: its id, the beginning of it, or `last`
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
    /// The brief after this round [default: the last one]
    #[arg(long, value_name = "N")]
    pub(crate) round: Option<u32>,
}

#[derive(Debug, Args)]
pub(crate) struct ContentEvalArgs {
    /// Who is tried; without one, the vote, the measured critics and the safe corrections
    #[arg(long, value_name = "ID", default_value = "house")]
    pub(crate) agent: String,
    /// The model, for agents that have a choice
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// Only scenarios of this group; may be given several times
    #[arg(long, value_enum, value_name = "GROUP")]
    pub(crate) group: Vec<EvalGroup>,
    /// How often each selection is asked for: a model does not always say the same, and every answer has to fit
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) repeat: u32,
    /// How long one call may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 180, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub(crate) call_timeout: u64,
    /// The most that a model's service may cost in one scenario, in US dollars
    #[arg(long, value_name = "USD")]
    pub(crate) max_cost: Option<f64>,
    /// The most tokens that a model's service may use in one scenario
    #[arg(long, value_name = "N")]
    pub(crate) max_tokens: Option<u64>,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EvalGroup {
    /// Who sits on a panel
    Selection,
    /// What critics find
    Critique,
    /// What stays mended
    Guard,
    /// What the cycle is worth
    Comparison,
}
