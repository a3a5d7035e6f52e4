//! Recovery: what the next start does for runs whose process died in the middle of them. They are ended
//! with one `critique.interrupted`, through the same append as everything else, and never taken up again. Those of the content
//! pipeline are not ended: they wait where they were.

use jury_core::artifact::{ArtifactRef, Blob, Digest};
use jury_core::content::Standing as ContentStanding;
use jury_core::content::event::{ContentEvent, PauseReason, Paused};
use jury_core::critic::Standing;
use jury_core::event::{BestSoFar, Event, Interrupted};
use jury_core::id::{ArtifactId, RunId};
use jury_core::judge::{Sitting, Standing as JudgeStanding};
use jury_core::outcome::{RecoveryReason, RunState};
use jury_core::theater::Board;
use jury_core::unit::{Millis, Round};
use jury_core::workflow::Workflow;

use crate::error::{StoreError, sql};
use crate::file::{self, blocking};
use crate::owner;
use crate::row::{RunRow, run_columns};
use crate::store::Store;

/// What a recovery did.
#[derive(Debug, Default)]
pub struct Recovery {
    /// The runs that were ended, or wait.
    pub interrupted: Vec<RunId>,
    /// The runs whose transcript was written: those above, and those that died before they could.
    pub exported: Vec<RunId>,
    /// The runs that something is wrong with. One of them does not keep the others from being recovered.
    pub troubled: Vec<(RunId, StoreError)>,
}

impl Store {
    /// Ends the runs of owners that died, writes the transcripts that are missing and removes what dead
    /// processes left behind. Runs of living owners are not touched, and neither are runs that wait in the
    /// queue for anybody.
    pub async fn recover(&self) -> Result<Recovery, StoreError> {
        let place = self.layout().owners().join("recover.lock");
        // One at a time: the second one finds everything done.
        let turn = blocking(&place.clone(), move || file::lock(&place)).await?;
        let mut recovery = Recovery::default();
        for row in
            self.orphans(concat!("SELECT ", run_columns!(), " FROM run WHERE state <> 'ended'")).await?
        {
            match self.interrupt(&row).await {
                Ok(()) => recovery.interrupted.push(row.run),
                Err(error) if error.is_conflict() => {}
                Err(error) => recovery.troubled.push((row.run, error)),
            }
        }
        let unwritten = concat!(
            "SELECT ",
            run_columns!(),
            " FROM run JOIN artifacts ON artifacts.run_id = run.id \
                         WHERE run.state = 'ended' AND artifacts.critique_transcript_path IS NULL"
        );
        for row in self.orphans(unwritten).await? {
            match self.finish(&row).await {
                Ok(()) => recovery.exported.push(row.run),
                Err(error) => recovery.troubled.push((row.run, error)),
            }
        }
        let layout = self.layout().clone();
        blocking(self.dir(), move || owner::bury_the_dead(&layout)).await?;
        drop(turn);
        Ok(recovery)
    }

    /// Those of these runs that nobody drives any more.
    async fn orphans(&self, query: &'static str) -> Result<Vec<RunRow>, StoreError> {
        let fail = sql(self.layout().database());
        let mut reader = self.reader().await?;
        let rows = sqlx::query(query).fetch_all(&mut *reader).await.map_err(fail)?;
        reader.keep();
        let rows: Vec<RunRow> = rows.iter().map(RunRow::read).collect::<sqlx::Result<_>>().map_err(fail)?;
        let layout = self.layout().clone();
        blocking(self.dir(), move || {
            Ok(rows
                .into_iter()
                .filter(|row| match row.owner {
                    Some(owner) => !owner::is_alive(&layout, owner),
                    None => !matches!(row.state, RunState::Queued | RunState::Waiting),
                })
                .collect())
        })
        .await
    }

    async fn interrupt(&self, row: &RunRow) -> Result<(), StoreError> {
        let records = self.events(row.run, before(row), 1).await?;
        let at = records.last().map_or(Millis(0), |(_, last)| last.at);
        if row.workflow == Workflow::Critic {
            return self.interrupt_critic(row, at).await;
        }
        if row.workflow == Workflow::Judge {
            return self.interrupt_judge(row, at).await;
        }
        if row.workflow == Workflow::Content {
            return self.pause_content(row, at).await;
        }
        let board = self.board(row.run).await?;
        let interrupted = Event::Interrupted(Interrupted {
            best: self.best_so_far(row, &board).await?,
            recovery_reason: Some(RecoveryReason::DaemonRestart),
        });
        self.append_as(row.run, row.owner, row.head, &[(at, interrupted)]).await.map(drop)
    }

    /// A run whose log ends in a question had not yet done anything with the answers: it is not lost, and waits again.
    async fn interrupt_critic(&self, row: &RunRow, at: Millis) -> Result<(), StoreError> {
        let docket = self.docket(row.run).await?;
        if docket.standing() == Standing::Escalated {
            return self.let_go(row.run, row.owner).await;
        }
        let interrupted = Event::Critic(docket.interrupted_by_restart());
        self.append_as(row.run, row.owner, row.head, &[(at, interrupted)]).await.map(drop)
    }

    /// One that waited, for a person or for the throttle, has nothing to lose: it waits again.
    async fn interrupt_judge(&self, row: &RunRow, at: Millis) -> Result<(), StoreError> {
        let standing = self.sitting(row.run).await?.standing();
        if matches!(standing, JudgeStanding::Disputed | JudgeStanding::Throttled) {
            return self.let_go(row.run, row.owner).await;
        }
        let interrupted = Event::Judge(Sitting::interrupted_by_restart());
        self.append_as(row.run, row.owner, row.head, &[(at, interrupted)]).await.map(drop)
    }

    /// A run of the content pipeline is its log and can be taken up at any step: it waits for somebody to do so.
    async fn pause_content(&self, row: &RunRow, at: Millis) -> Result<(), StoreError> {
        if self.studio(row.run).await?.standing() != ContentStanding::Running {
            return self.let_go(row.run, row.owner).await;
        }
        let paused = Event::Content(ContentEvent::Paused(Paused { reason: PauseReason::Restart }));
        self.append_as(row.run, row.owner, row.head, &[(at, paused)]).await.map(drop)
    }

    /// The round that the fallback policy keeps, if its body is there to be kept; otherwise the best round
    /// in words alone. The body is in its final place before the event says so.
    async fn best_so_far(&self, row: &RunRow, board: &Board) -> Result<BestSoFar, StoreError> {
        let policy = board.started.as_ref().map(|started| started.fallback_policy);
        let kept = policy.and_then(|policy| board.kept_round(policy));
        if let Some((round, composite)) = kept
            && let Some(artifact) = board.round(round).and_then(|board| board.artifact.clone())
            && let Some(body) = self.body_of(row.artifact, round, &artifact).await?
        {
            self.keep_final(row.artifact, &body).await?;
            return Ok(BestSoFar {
                best_round: Some(round),
                composite: Some(composite),
                artifact_ref: Some(ArtifactRef {
                    project_id: row.project.clone(),
                    artifact_id: row.artifact,
                }),
                artifact: Some(artifact),
            });
        }
        let best = kept.or_else(|| board.best_round());
        Ok(BestSoFar {
            best_round: best.map(|(round, _)| round),
            composite: best.map(|(_, composite)| composite),
            artifact_ref: None,
            artifact: None,
        })
    }

    /// The body of a round's artifact. A round without one of its own has that of a round before it.
    async fn body_of(
        &self,
        artifact: ArtifactId,
        round: Round,
        blob: &Blob,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        for number in (1..=round.0).rev() {
            if let Some(body) = self.read_round(artifact, Round(number)).await?
                && Digest::of(&body) == blob.sha256
            {
                return Ok(Some(body));
            }
        }
        Ok(None)
    }

    async fn finish(&self, row: &RunRow) -> Result<(), StoreError> {
        let folders = [self.layout().artifact(row.artifact), self.layout().rounds(row.artifact)];
        blocking(self.dir(), move || folders.iter().try_for_each(|folder| file::remove_drafts(folder)))
            .await?;
        self.export(row.run).await.map(drop)
    }
}

/// The number before a run's last event.
fn before(row: &RunRow) -> jury_core::unit::Seq {
    jury_core::unit::Seq(row.head.0.saturating_sub(1))
}
