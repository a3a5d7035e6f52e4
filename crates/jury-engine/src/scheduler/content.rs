//! Runs of the content pipeline in the scheduler: they wait for a place like others, and outlive the program that drives them.

use std::sync::Arc;

use jury_core::content::{ContentRequest, ContentState};
use jury_core::id::{ProjectId, RunId};
use jury_core::request::BadRequest;

use super::{Driving, Scheduler, SchedulerError, Ticket};
use crate::content::{self, PersonsDraft};

impl Scheduler {
    /// Puts a run of the content pipeline into the queue, with a person's draft if there is one. While one of the same idea
    /// and kind goes on or waits, this is a conflict that names it.
    pub async fn submit_content(
        &self,
        project: ProjectId,
        request: ContentRequest,
        draft: Option<PersonsDraft>,
    ) -> Result<Ticket, SchedulerError> {
        let ticket = Ticket::mint();
        self.begin_content(ticket, project, request, draft, Driving::Scheduler).await?;
        Ok(ticket)
    }

    /// Takes up a run of the content pipeline that waits, with a person's draft if there is one. It goes on as soon as
    /// there is a place.
    pub async fn resume_content(
        &self,
        run: RunId,
        draft: Option<PersonsDraft>,
    ) -> Result<(), SchedulerError> {
        if self.is_closing() {
            return Err(SchedulerError::Closing);
        }
        let shared = Arc::clone(&self.shared);
        // Whoever asked may go away in the middle of it; the run must not be left in nobody's hands.
        self.apart(async move {
            let request =
                shared.store.request::<ContentState>(run).await?.ok_or(SchedulerError::NotKept(run))?;
            let cast = shared
                .casting
                .content(&request)
                .map_err(|problem| BadRequest { field: "content", problem })?;
            content::hand_over(&shared.store, &shared.owner, run, draft, &cast).await?;
            shared.wake.notify_one();
            Ok(())
        })
        .await
    }
}
