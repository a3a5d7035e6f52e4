//! `jury critic stop`: the end of a run that waits for answers which will not come.

use jury_core::critic::{CriticState, CriticStatus};
use jury_core::run::OutcomeWord as _;

use jury_store::Owner;

use super::show;
use crate::cli::{Global, StopArgs};
use crate::output::Output;
use crate::refusal::Refusal;

pub(super) async fn stop(args: StopArgs, global: &Global, output: Output) -> Result<u8, Refusal> {
    let store = crate::command::open_to_existing(global, output).await?;
    let run = show::find(&store, &args.run).await?;
    let standing = store.state::<CriticState>(run).await?.status();
    if standing.is_end() {
        return Err(Refusal::usage(format!("run {run} has ended already: {standing}")));
    }
    if standing == CriticStatus::Running {
        return Err(Refusal::usage(format!(
            "run {run} goes on: end it where it runs, with Ctrl-C, or on the page of its daemon"
        )));
    }
    let owner = Owner::register(&store)?;
    match jury_engine::stop(&store, &owner, run).await {
        Err(error) if error.is_conflict() => {
            return Err(Refusal::usage(format!("somebody else goes on with run {run}; nothing was stopped")));
        }
        stopped => stopped?,
    }
    output.progress(&format!("run {run} is stopped; its document: 'jury critic show {run} --out FILE'"));
    store.close().await.ok();
    Ok(0)
}
