//! `jury critic show`: a run as its report, or in any of the formats.

use jury_core::critic::CriticState;
use jury_core::id::RunId;
use jury_core::workflow::WorkflowState as _;
use jury_store::Store;

use crate::cli::{CriticShowArgs, Global};
use crate::document;
use crate::gate::Gate;
use crate::output::Output;
use crate::refusal::Refusal;
use crate::render::critic::CriticCase;
use crate::render::print;

pub(super) async fn show(args: CriticShowArgs, global: &Global, output: Output) -> Result<u8, Refusal> {
    if let Some(out) = &args.out {
        document::check_out(out)?;
    }
    let store = crate::command::open_to_read(global).await?;
    let run = find(&store, &args.run).await?;
    let mut case = CriticCase::load(&store, run).await?;
    if let Some(out) = &args.out {
        let Some(body) = store.read_final(case.artifact()).await? else {
            return Err(Refusal::usage(format!("run {run} has kept no document yet")));
        };
        document::write_out(out, &body)?;
        case.document = Some(out.display().to_string());
    }
    Output::result(&print(&case, &Gate::shut(), args.format, output)?.text);
    // Showing gates nothing: the exit code of the run is in its JSON.
    Ok(0)
}

/// The run of the critic that a person means.
pub(super) async fn find(store: &Store, given: &str) -> Result<RunId, Refusal> {
    let run = store.find_run(given).await?;
    match store.run(run).await? {
        Some(row) if row.workflow == CriticState::WORKFLOW => Ok(run),
        _ => Err(Refusal::usage(format!("run {run} is not one of the critic; see 'jury report {run}'"))),
    }
}
