//! The commands, one file each.

pub(crate) mod agents;
mod atomic_write;
pub(crate) mod calibrate;
mod casting;
pub(crate) mod check;
pub(crate) mod checks;
pub(crate) mod compare;
pub(crate) mod content;
mod content_cast;
pub(crate) mod critic;
pub(crate) mod decisions;
pub(crate) mod doctor;
pub(crate) mod explain;
pub(crate) mod feedback;
pub(crate) mod house;
pub(crate) mod inspect;
mod intake;
pub(crate) mod judge;
pub(crate) mod label;
mod page;
pub(crate) mod parse;
pub(crate) mod patterns;
mod prompt;
pub(crate) mod reindex;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod runs;
pub(crate) mod serve;
mod server_context;
pub(crate) mod store;
pub(crate) mod templates;

pub(crate) use content_cast::content_cast;
pub(crate) use prompt::house_request;

use jury_store::Store;

use crate::cli::Global;
use crate::output::Output;
use crate::refusal::Refusal;

/// Opens the store of a command that only looks. Runs that died are ended first, if that is possible; a store
/// that cannot be written to can still be read.
async fn open_to_read(global: &Global) -> Result<Store, Refusal> {
    let store = Store::open_existing(&global.data_dir).await?;
    store.recover().await.ok();
    Ok(store)
}

/// Opens the store of a command that writes, and says what was found broken in it.
async fn open_to_write(global: &Global, output: Output) -> Result<Store, Refusal> {
    recovered(Store::open(&global.data_dir).await?, output).await
}

/// The same where there must be one already.
async fn open_to_existing(global: &Global, output: Output) -> Result<Store, Refusal> {
    recovered(Store::open_existing(&global.data_dir).await?, output).await
}

async fn recovered(store: Store, output: Output) -> Result<Store, Refusal> {
    let recovery = store.recover().await?;
    for run in &recovery.interrupted {
        output.note(&format!("run {run} was cut off and is now marked interrupted; see 'jury report {run}'"));
    }
    for (run, error) in &recovery.troubled {
        output.note(&format!("run {run} could not be recovered: {error}"));
    }
    Ok(store)
}
