//! The end of a dispute, once a person has decided.
use jury_core::judge::JudgeState;
use jury_core::run::OutcomeWord as _;

use jury_core::id::RunId;
use jury_core::record::Record;
use jury_engine::judge::settle_judge;
use jury_store::{Owner, Store};

use super::rejoin::rejoin;
use crate::cli::JudgeFormat;
use crate::output::Output;
use crate::refusal::Refusal;
use crate::render::Progress;
use crate::render::judge::JudgeCase;

/// Settles a run that has its answer, prints what came of it and gives its exit code.
pub(in crate::command) async fn settle_here(
    store: &Store,
    run: RunId,
    output: Output,
) -> Result<u8, Refusal> {
    let owner = Owner::register(store)?;
    let mut progress = Progress::new(output);
    let mut observer = |records: &[Record]| progress.show(records);
    let sitting = settle_judge(store, &owner, run, &mut observer).await?;
    let standing = sitting.standing();
    if let Some(request) = store.request::<JudgeState>(run).await?.filter(|_| sitting.judgement().is_some()) {
        rejoin(&request, output);
    }
    Output::result(&JudgeCase::new(run, sitting).print(JudgeFormat::Human, false, output));
    Ok(standing.exit_code())
}
