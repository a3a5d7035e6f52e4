//! `jury reindex`: the tables are a fold of the log; here they are folded again.

use crate::cli::Global;
use crate::output::Output;
use crate::refusal::Refusal;

pub(crate) async fn reindex(global: &Global, output: Output) -> Result<u8, Refusal> {
    let store = jury_store::Store::open_existing(&global.data_dir).await?;
    let runs = store.reindex().await?;
    output.progress(&format!("rebuilt {} from the log", jury_core::line::counted(runs, "run", "runs")));
    Ok(0)
}
