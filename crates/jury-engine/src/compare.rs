//! Two runs of one workflow beside each other.

use jury_core::comparison::{ComparedRun, RunComparison};
use jury_core::finding::Finding;
use jury_core::run::Outcome;
use jury_core::workflow::{WorkflowState as _, dispatch};
use jury_store::{RunRow, Store, StoreError};

/// Compares two runs. None when they are of different workflows: their findings have nothing in common.
pub async fn compare(
    store: &Store,
    base: &RunRow,
    other: &RunRow,
) -> Result<Option<RunComparison>, StoreError> {
    if base.workflow != other.workflow {
        return Ok(None);
    }
    let sides = (side(store, base).await?, side(store, other).await?);
    Ok(Some(RunComparison::of(base.workflow, sides.0, sides.1)))
}

async fn side(store: &Store, row: &RunRow) -> Result<(ComparedRun, Vec<Finding>), StoreError> {
    let findings = dispatch!(row.workflow, State => store.state::<State>(row.run).await?.findings());
    let run = ComparedRun {
        run_id: row.run,
        title: row.title.clone(),
        agent: row.agent.clone(),
        status: row.summary.status,
        outcome: row.summary.status.map(Outcome::kind),
        composite: row.summary.score,
        open: 0,
    };
    Ok((run, findings))
}
