//! The options of `jury store`.

use clap::{Args, Subcommand};
use jury_store::Store;

#[derive(Debug, Args)]
pub(crate) struct StoreArgs {
    #[command(subcommand)]
    pub(crate) command: StoreCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum StoreCommand {
    /// Take the data directory down to an older schema, or up again
    Migrate(StoreMigrateArgs),
}

#[derive(Debug, Args)]
pub(crate) struct StoreMigrateArgs {
    /// The number of the schema [default: the newest]
    #[arg(long, value_name = "VERSION", value_parser = schemas())]
    pub(crate) to: Option<u32>,
    /// Drop what the older schema has no place for
    #[arg(long)]
    pub(crate) force: bool,
}

fn schemas() -> clap::builder::RangedI64ValueParser<u32> {
    let [oldest, newest] = Store::SCHEMAS;
    clap::value_parser!(u32).range(i64::from(oldest)..=i64::from(newest))
}
