//! A run of the critic in the queue: its first event, and how it is taken out, to begin or with a person's answers.

use std::path::Path;

use jury_core::critic::{CriticEvent, CriticQueued, CriticRequest, CriticState};
use jury_core::id::{ArtifactId, ProjectId};
use jury_core::record::Record;
use jury_core::request::BadRequest;
use jury_store::RunRow;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::carry_on;
use crate::scheduler::Shared;
use crate::scheduler::scheduled::{Conducted, NOT_KEPT, Scheduled};
use crate::{Casting, EngineError};

impl Scheduled for CriticState {
    const HAS_DOCUMENT: bool = true;

    fn check(
        casting: &dyn Casting,
        request: &CriticRequest,
        _: &Map<String, Value>,
    ) -> Result<(), BadRequest> {
        casting.critic(request).map(drop).map_err(|problem| BadRequest { field: "agent", problem })
    }

    fn first(
        project: ProjectId,
        artifact: ArtifactId,
        request: &CriticRequest,
    ) -> Result<CriticEvent, BadRequest> {
        let name = Path::new(&request.file).file_name().map(|name| name.to_string_lossy().into_owned());
        Ok(CriticEvent::Queued(CriticQueued {
            project_id: project,
            artifact_id: artifact,
            agent: request.agent.clone(),
            title: name.unwrap_or_else(|| request.file.clone()),
            criteria: request.set.name.clone(),
        }))
    }
}

impl Conducted for CriticState {
    async fn conduct(shared: &Shared, row: &RunRow, token: CancellationToken) -> Result<(), EngineError> {
        let (store, owner) = (&shared.store, &shared.owner);
        let request = store.request::<Self>(row.run).await?.ok_or_else(|| NOT_KEPT.to_owned());
        match request.and_then(|request| shared.casting.critic(&request)) {
            Ok(cast) => {
                let nobody = &mut |_: &[Record]| {};
                Box::pin(carry_on(store, owner, row.run, &cast, nobody, token)).await.map(drop)
            }
            Err(detail) => Ok(shared.fail(row.run, &detail).await?),
        }
    }
}
