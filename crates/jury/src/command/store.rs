//! `jury store`: the data directory as a whole.

use jury_store::{SchemaMigration, Store};

use crate::cli::{Global, StoreArgs, StoreCommand, StoreMigrateArgs};
use crate::output::Output;
use crate::refusal::Refusal;

pub(crate) async fn store(args: StoreArgs, global: &Global, output: Output) -> Result<u8, Refusal> {
    match args.command {
        StoreCommand::Migrate(args) => migrate(args, global, output).await,
    }
}

async fn migrate(args: StoreMigrateArgs, global: &Global, output: Output) -> Result<u8, Refusal> {
    let [_, newest] = Store::SCHEMAS;
    let to = args.to.unwrap_or(newest);
    let SchemaMigration { from, to, dropped, rebuilt } =
        Store::migrate(&global.data_dir, to, args.force).await?;
    if from == to {
        output.progress(&format!("it has schema {to} already"));
        return Ok(0);
    }
    output.progress(&format!("schema {from} -> {to}"));
    for loss in dropped {
        output.progress(&format!("dropped: {loss}"));
    }
    if let Some(runs) = rebuilt {
        output.progress(&format!("rebuilt {} from the log", jury_core::line::counted(runs, "run", "runs")));
    }
    if to < newest {
        output.progress("an older jury can open it now; this one takes it up again as soon as it opens it");
    }
    Ok(0)
}
