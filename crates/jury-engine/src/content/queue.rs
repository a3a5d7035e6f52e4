//! A run of the content pipeline in the queue: its first event, and how it is taken out, to begin or to go on.

use jury_core::content::{ContentEvent, ContentRequest, ContentState};
use jury_core::id::{ArtifactId, ProjectId};
use jury_core::record::Record;
use jury_core::request::BadRequest;
use jury_store::RunRow;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::{carry_on, problem, queued};
use crate::scheduler::Shared;
use crate::scheduler::scheduled::{Conducted, NOT_KEPT, Scheduled};
use crate::{Casting, EngineError};

impl Scheduled for ContentState {
    fn check(
        casting: &dyn Casting,
        request: &ContentRequest,
        _: &Map<String, Value>,
    ) -> Result<(), BadRequest> {
        let refused = |problem| BadRequest { field: "content", problem };
        if let Some(problem) = problem(request) {
            return Err(refused(problem));
        }
        casting.content(request).map(drop).map_err(refused)
    }

    fn first(
        project: ProjectId,
        artifact: ArtifactId,
        request: &ContentRequest,
    ) -> Result<ContentEvent, BadRequest> {
        Ok(ContentEvent::Queued(queued(project, artifact, request)))
    }
}

impl Conducted for ContentState {
    async fn conduct(shared: &Shared, row: &RunRow, token: CancellationToken) -> Result<(), EngineError> {
        let cast = match shared.store.request::<Self>(row.run).await? {
            Some(request) => shared.casting.content(&request),
            None => Err(NOT_KEPT.to_owned()),
        };
        match cast {
            Ok(cast) => {
                let nobody = &mut |_: &[Record]| {};
                let going = carry_on(&shared.store, &shared.owner, row.run, &cast, nobody, token);
                Box::pin(going).await.map(drop)
            }
            Err(detail) => Ok(shared.fail(row.run, &detail).await?),
        }
    }
}
