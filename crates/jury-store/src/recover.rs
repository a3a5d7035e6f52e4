//! Recovery: what the next start does for runs whose process died in the middle of them. Their workflow says what is
//! appended, through the same append as everything else: an end, or a pause of what can be resumed. A run that waited goes
//! on waiting, and one that can go on by itself is in the queue again.

use jury_core::artifact::{ArtifactRef, Blob, Digest};
use jury_core::id::{ArtifactId, RunId};
use jury_core::run::{RunPhase, RunState};
use jury_core::unit::{Millis, Round};
use jury_core::workflow::{WorkflowState, dispatch};

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
        let path = self.layout().owners().join("recover.lock");
        // One at a time: the second one finds everything done.
        let turn = blocking(&path.clone(), move || file::lock(&path)).await?;
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
        dispatch!(row.workflow, State => self.interrupt_of::<State>(row).await)
    }

    async fn interrupt_of<W: WorkflowState>(&self, row: &RunRow) -> Result<(), StoreError> {
        let records = self.events(row.run, before(row), 1).await?;
        let at = records.last().map_or(Millis(0), |(_, last)| last.at);
        let state = self.state::<W>(row.run).await?;
        let kept = self.keep(row, &state).await?;
        match state.cut_off(kept) {
            Some(event) => {
                self.append_as(row.run, row.owner, row.head, &[(at, event.into())]).await.map(drop)
            }
            None => match state.phase() {
                RunPhase::Waiting(wait) => self.let_go(row.run, row.owner, wait).await,
                RunPhase::Running => self.put_back(row.run, row.owner, None).await,
                RunPhase::Ended(_) => Ok(()),
            },
        }
    }

    /// Puts the artifact that is handed over where the event will say that it is, if its body is there.
    async fn keep(
        &self,
        row: &RunRow,
        state: &impl WorkflowState,
    ) -> Result<Option<ArtifactRef>, StoreError> {
        let Some((round, artifact)) = state.kept() else { return Ok(None) };
        let Some(body) = self.body_of(row.artifact, round, &artifact).await? else { return Ok(None) };
        self.keep_final(row.artifact, &body).await?;
        Ok(Some(ArtifactRef { project_id: row.project.clone(), artifact_id: row.artifact }))
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
