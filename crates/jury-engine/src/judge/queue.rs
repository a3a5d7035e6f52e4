//! A run of the judge in the queue: its first event, and how it is taken out, to be judged or with a person's word.

use jury_core::id::{AgentId, ArtifactId, ProjectId};
use jury_core::judge::{Bead, JudgeEvent, JudgeQueued, JudgeRequest, JudgeState, RecordReading, RunRecord};
use jury_core::record::Record;
use jury_core::request::BadRequest;
use jury_store::RunRow;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::run::{end_inconclusive, resume_claimed, settle_claimed};
use crate::scheduler::Shared;
use crate::scheduler::scheduled::{Conducted, NOT_KEPT, Scheduled};
use crate::{Casting, EngineError};

/// The setting that names who judges.
const AGENTS: &str = "JUDGE_AGENT";

impl Scheduled for JudgeState {
    /// Whether its parts are there shows when they are gathered, which takes too long for whoever asks.
    fn check(_: &dyn Casting, request: &JudgeRequest, _: &Map<String, Value>) -> Result<(), BadRequest> {
        bead(request).map(drop)
    }

    fn first(
        project: ProjectId,
        artifact: ArtifactId,
        request: &JudgeRequest,
    ) -> Result<JudgeEvent, BadRequest> {
        let agents = request.settings.get(AGENTS).map(String::as_str).unwrap_or_default();
        let agent: Option<AgentId> = agents.split(',').next().and_then(|first| first.trim().parse().ok());
        let bead = bead(request)?;
        Ok(JudgeEvent::Queued(JudgeQueued { project_id: project, artifact_id: artifact, agent, bead }))
    }
}

/// What the judged run is called. One that goes on has no name yet.
fn bead(request: &JudgeRequest) -> Result<Bead, BadRequest> {
    let bad = |problem| BadRequest { field: "record", problem };
    match RunRecord::read(request.record.as_bytes()).map_err(|error| bad(error.to_string()))? {
        RecordReading::Finished(record) => Ok(record.bead),
        RecordReading::Running => Err(bad("the run has not ended; ask again when it has".to_owned())),
    }
}

impl Conducted for JudgeState {
    async fn conduct(shared: &Shared, row: &RunRow, token: CancellationToken) -> Result<(), EngineError> {
        let (store, owner) = (&shared.store, &shared.owner);
        let nobody = &mut |_: &[Record]| {};
        let state = store.state::<Self>(row.run).await?;
        // What is left of one that has its answer needs nobody to be asked.
        if state.disputed.is_some() {
            return Box::pin(settle_claimed(store, owner, row.run, row.head, nobody)).await.map(drop);
        }
        let task = match store.request::<Self>(row.run).await? {
            Some(request) => shared.casting.judge(&request).await,
            None => Err(NOT_KEPT.to_owned()),
        };
        match task {
            // Others may use the place while the rate limit holds this one back.
            Ok(mut task) => {
                task.wait = false;
                Box::pin(resume_claimed(store, owner, row, task, nobody, token)).await.map(drop)
            }
            Err(why) => Ok(end_inconclusive(store, owner, row, why).await?),
        }
    }
}
