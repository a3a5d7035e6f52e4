//! The command line of the content pipeline.

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct ContentArgs {
    #[command(subcommand)]
    pub(crate) command: ContentCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ContentCommand {
    /// List the advisors: who can write, who can review, by what; or explain one
    Advisors(AdvisorsArgs),
    /// List the recipes; or explain one: whom it chooses as critics, and why
    Recipes(RecipesArgs),
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
