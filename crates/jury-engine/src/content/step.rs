//! One step of a run. Those that only compute are here; those that ask somebody have files of their own.

use jury_core::content::event::{Halted, Summarised};
use jury_core::content::{ContentEvent, EditorDecision, Step, Tool};
use jury_core::outcome::FailedCause;
use jury_core::unit::Round;

use super::worker::{Stuck, Trouble, Worker};

impl Worker<'_> {
    /// Does a step and appends what came of it.
    pub(super) async fn step(&mut self, step: Step) -> Result<(), Stuck> {
        match step {
            Step::Begin => Ok(self.begin(None).await?),
            Step::Decide(round) => self.decide(round).await,
            Step::Summarise(round) => self.summarise(round).await,
            Step::Save { round, .. } => self.save(round).await,
            Step::Finish => self.finish().await,
            Step::Draft => self.write_draft().await,
            Step::Select => self.select().await,
            Step::Critique { round, missing } => self.critique(round, &missing).await,
            Step::Revise(round) => self.revise(round).await,
            Step::Publish(tool) => self.publish(tool).await,
            Step::AwaitPerson | Step::AwaitResume | Step::Done => Ok(()),
        }
    }

    /// Applies the rule. A round that did not take place is written down together with what that means.
    async fn decide(&mut self, round: Round) -> Result<(), Stuck> {
        let decided = self.studio.decide(round).ok_or_else(|| nothing("there is no such round"))?;
        let ruling = &decided.ruling;
        let mut events = Vec::new();
        if ruling.decision == EditorDecision::Error {
            let absent = self.studio.round(round).map(|state| &state.absent);
            let whys: Vec<String> = absent
                .into_iter()
                .flatten()
                .map(|(who, absent)| format!("{who}: {}", absent.detail))
                .collect();
            let cause = absent.and_then(|absent| absent.values().next()).map(|absent| absent.cause);
            let detail = format!(
                "{} of {} critics answered, which is no review ({}); take the run up to ask them again",
                ruling.answered,
                ruling.seats,
                whys.join("; ")
            );
            let cause = cause.unwrap_or(FailedCause::OrchestratorInternal);
            events.push(ContentEvent::Halted(Halted { tool: Tool::RunCritiques, cause, detail }));
        }
        events.insert(0, ContentEvent::Decided(decided));
        Ok(self.append(events).await?)
    }

    async fn summarise(&mut self, round: Round) -> Result<(), Stuck> {
        let summary = self.studio.summarise(round).ok_or_else(|| nothing("there is no decision"))?;
        Ok(self.append(vec![ContentEvent::Summarised(Summarised { summary })]).await?)
    }

    /// Keeps the content, bytes first.
    async fn save(&mut self, round: Round) -> Result<(), Stuck> {
        let saved = self.studio.save().ok_or_else(|| nothing("there is nothing to keep"))?;
        let draft = self.draft(round).await?;
        self.store.keep_final(self.artifact, &draft.bytes()).await?;
        Ok(self.append(vec![ContentEvent::Saved(saved)]).await?)
    }

    async fn finish(&mut self) -> Result<(), Stuck> {
        let finished = self.studio.finish().ok_or_else(|| nothing("it is not done"))?;
        Ok(self.append(vec![ContentEvent::Finished(finished)]).await?)
    }
}

fn nothing(what: &str) -> Trouble {
    Trouble::new(FailedCause::OrchestratorInternal, what)
}
