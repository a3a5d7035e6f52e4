//! A panel's run in the queue: its first event, and how it is taken out.

use jury_agents::AGENT_GRACE;
use jury_core::event::{Event, Queued, TheaterEvent};
use jury_core::id::{ArtifactId, ProjectId};
use jury_core::record::Record;
use jury_core::request::{BadRequest, RunRequest};
use jury_core::settings::CritiqueConfig;
use jury_core::theater::{Board, Theater, TheaterInput, TheaterOutbox, TheaterOutput, TheaterSetup};
use jury_core::unit::Millis;
use jury_store::{RunRow, StoreError};
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::carry_out;
use crate::scheduler::scheduled::{Conducted, NOT_KEPT, Scheduled};
use crate::scheduler::{HEAD_START, Shared};
use crate::{Casting, EngineError, TheaterJob};

impl Scheduled for Board {
    fn check(
        casting: &dyn Casting,
        request: &RunRequest,
        project: &Map<String, Value>,
    ) -> Result<(), BadRequest> {
        casting.theater(request, project).map(drop)
    }

    fn first(
        project: ProjectId,
        artifact: ArtifactId,
        request: &RunRequest,
    ) -> Result<TheaterEvent, BadRequest> {
        Ok(TheaterEvent::Queued(Queued {
            project_id: project,
            artifact_id: artifact,
            agent: request.agent(),
            title: request.title(),
            skill: request.skill.clone(),
        }))
    }
}

impl Conducted for Board {
    async fn conduct(shared: &Shared, row: &RunRow, token: CancellationToken) -> Result<(), EngineError> {
        let subject =
            TheaterSetup { project: row.project.clone(), artifact: row.artifact, agent: row.agent.clone() };
        let request = shared.store.request::<Self>(row.run).await?;
        let part = match &request {
            Some(request) => shared
                .casting
                .theater(request, &shared.metadata(&row.project).await?)
                .map_err(|error| error.to_string()),
            None => Err(NOT_KEPT.to_owned()),
        };
        let part = match part {
            Ok(part) => part,
            Err(detail) => return Ok(refuse(shared, row, subject, detail).await?),
        };
        let job = TheaterJob {
            run: row.run,
            subject,
            title: row.title.clone(),
            config: part.config,
            request,
            agent: part.agent,
            panel: part.panel,
            legacy: part.legacy,
            grace: AGENT_GRACE,
            measuring: part.measuring,
        };
        let turn = tokio::select! {
            turn = shared.turns.acquire() => turn.ok(),
            () = token.cancelled() => None,
        };
        let nobody = &mut |_: &[Record]| {};
        let run = carry_out(&shared.store, &shared.owner, job, row.head, nobody, token);
        let mut run = std::pin::pin!(run);
        tokio::select! {
            biased;
            ended = run.as_mut() => return ended,
            () = tokio::time::sleep(HEAD_START) => drop(turn),
        }
        run.await
    }
}

/// Ends a run that cannot begin.
async fn refuse(
    shared: &Shared,
    row: &RunRow,
    subject: TheaterSetup,
    detail: String,
) -> Result<(), StoreError> {
    let mut theater = Theater::new(CritiqueConfig::default(), subject);
    let mut out = TheaterOutbox::new();
    for input in [TheaterInput::Start, TheaterInput::NotStarted(detail)] {
        theater.handle(input, Millis(0), &mut out);
    }
    let events: Vec<(Millis, Event)> = out
        .into_iter()
        .filter_map(|output| match output {
            TheaterOutput::Event(event) => Some((Millis(0), Event::from(event))),
            TheaterOutput::Effect(_) => None,
        })
        .collect();
    shared.store.append(row.run, shared.owner.id(), row.head, &events).await?;
    shared.store.export(row.run).await?;
    Ok(())
}
