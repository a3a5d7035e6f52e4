//! The end of a dispute, once a person has decided.
use jury_core::judge::JudgeState;
use jury_core::run::OutcomeWord as _;

use jury_core::id::RunId;
use jury_core::record::Record;
use jury_engine::judge::settle_judge;
use jury_store::{Owner, Store};

use super::rejoin::rejoin;
use crate::cli::Format;
use crate::gate::Gate;
use crate::output::Output;
use crate::refusal::Refusal;
use crate::render::judge::JudgeCase;
use crate::render::{Progress, print, took};

/// Settles a run that has its answer, prints what came of it and gives its exit code.
pub(in crate::command) async fn settle_here(
    store: &Store,
    run: RunId,
    output: Output,
) -> Result<u8, Refusal> {
    let owner = Owner::register(store)?;
    let mut progress = Progress::new(output);
    let mut observer = |records: &[Record]| progress.show(records);
    let state = settle_judge(store, &owner, run, &mut observer).await?;
    let standing = state.status();
    if let Some(request) = store.request::<JudgeState>(run).await?.filter(|_| state.judgement().is_some()) {
        rejoin(&request, output);
    }
    let took = took(&store.records(run).await?);
    Output::result(
        &print(&JudgeCase::new(run, state).lasting(took), &Gate::shut(), Format::Human, output)?.text,
    );
    Ok(standing.exit_code())
}
