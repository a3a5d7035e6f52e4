//! One step of a run. Those that ask somebody have files of their own; those that only compute are the machine's.

use jury_core::content::{ContentEvent, Step};
use jury_core::outcome::FailedCause;
use jury_core::unit::Round;

use super::worker::{Stuck, Trouble, Worker};

impl Worker<'_> {
    /// Does a step and hands over what came of it.
    pub(super) async fn step(&mut self, step: Step) -> Result<(), Stuck> {
        match step {
            Step::Begin => {
                let begun = self.begun(None).await?;
                self.append(begun).await
            }
            Step::Save { round, .. } => self.save(round).await,
            Step::Draft => self.write_draft().await,
            Step::Select => self.select().await,
            Step::Critique { round, missing } => self.critique(round, &missing).await,
            Step::Measure(round) => self.measure(round).await,
            Step::Revise(round) => self.revise(round).await,
            Step::Publish(tool) => self.publish(tool).await,
            Step::Decide(_)
            | Step::Summarise(_)
            | Step::Finish
            | Step::AwaitPerson
            | Step::AwaitResume
            | Step::Done => Ok(()),
        }
    }

    /// Keeps the content, bytes first.
    async fn save(&mut self, round: Round) -> Result<(), Stuck> {
        let nothing = || Trouble::new(FailedCause::OrchestratorInternal, "there is nothing to keep");
        let saved = self.state.save().ok_or_else(nothing)?;
        let draft = self.draft(round).await?;
        self.store.keep_final(self.artifact, &draft.bytes()).await?;
        self.append(vec![ContentEvent::Saved(saved)]).await
    }
}
