//! Runs of the content pipeline in the docket: they wait for a place like others, and outlive the program that drives them.

use jiff::Timestamp;
use jury_core::content::ContentRequest;
use jury_core::id::{ArtifactId, ProjectId, RunId};
use jury_core::record::Record;
use jury_core::request::BadRequest;
use jury_store::RunRow;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{Docket, DocketError, Shared, Ticket};
use crate::EngineError;
use crate::content::{self, ContentJob, PersonsDraft};

impl Docket {
    /// Puts a run of the content pipeline into the queue, with a person's draft if there is one. While one of the same idea
    /// and kind goes on or waits, this is a conflict that names it.
    pub async fn submit_content(
        &self,
        project: ProjectId,
        request: ContentRequest,
        draft: Option<PersonsDraft>,
    ) -> Result<Ticket, DocketError> {
        let shared = &self.shared;
        if shared.closing.is_cancelled() {
            return Err(DocketError::Closing);
        }
        let refused = |problem| BadRequest { field: "content", problem };
        if let Some(problem) = content::problem(&request) {
            return Err(refused(problem).into());
        }
        let desk = (shared.prepare_content)(&request).map_err(refused)?;
        let ticket = Ticket { run: RunId(Uuid::now_v7()), artifact: ArtifactId(Uuid::now_v7()) };
        if draft.is_some() {
            let Ticket { run, artifact } = ticket;
            let job = ContentJob { run, project, artifact, request, draft, desk };
            content::begin_content(&shared.store, &shared.owner, job, &mut |_| {}).await?;
            shared.store.requeue_content(run).await?;
        } else {
            let queued = content::queued(project, ticket.artifact, &request);
            shared.store.enqueue_content(ticket.run, queued, &request, None, Timestamp::now()).await?;
        }
        shared.wake.notify_one();
        Ok(ticket)
    }

    /// Takes up a run of the content pipeline that waits, with a person's draft if there is one. It goes on as soon as
    /// there is a place.
    pub async fn resume_content(&self, run: RunId, draft: Option<PersonsDraft>) -> Result<(), DocketError> {
        let shared = &self.shared;
        if shared.closing.is_cancelled() {
            return Err(DocketError::Closing);
        }
        let request = shared.store.content_request(run).await?.ok_or(DocketError::NotKept(run))?;
        let desk =
            (shared.prepare_content)(&request).map_err(|problem| BadRequest { field: "content", problem })?;
        content::hand_over(&shared.store, &shared.owner, run, draft, &desk).await?;
        shared.wake.notify_one();
        Ok(())
    }
}

impl Shared {
    /// Begins a run of the content pipeline, or takes it up again.
    pub(super) async fn conduct_content(
        &self,
        row: &RunRow,
        token: CancellationToken,
    ) -> Result<(), EngineError> {
        let desk = match self.store.content_request(row.run).await? {
            Some(request) => (self.prepare_content)(&request),
            None => Err("what was asked for was not kept".to_owned()),
        };
        match desk {
            Ok(desk) => {
                let nobody = &mut |_: &[Record]| {};
                Box::pin(content::carry_on(&self.store, &self.owner, row.run, &desk, nobody, token)).await?;
            }
            Err(detail) => self.fail(row.run, &detail).await?,
        }
        Ok(())
    }
}
