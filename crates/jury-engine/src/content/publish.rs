//! The way to whoever publishes: one step of the second phase at a time.

use jury_core::content::Tool;
use jury_core::content::event::ContentEvent;
use jury_core::outcome::FailedCause;

use super::cast::PublishStep;
use super::worker::{Stuck, Trouble, Worker};

impl Worker<'_> {
    /// Has a step of the second phase done.
    pub(super) async fn publish(&mut self, tool: Tool) -> Result<(), Stuck> {
        let Some(publish) = self.cast.publish.clone() else {
            let detail = "nothing is published here; take the run up where sites are served, or give it up";
            return Err(Trouble::new(FailedCause::SpawnFailed, detail).into());
        };
        let saved = self.state.saved.as_ref().map(|saved| saved.round);
        let nothing = || Trouble::new(FailedCause::OrchestratorInternal, "there is nothing saved");
        let draft = self.draft(saved.ok_or_else(nothing)?).await?;
        // The look is asked of the agent of the run, whom whoever publishes does not know.
        if tool == Tool::DesignBrand {
            return self.brand(&draft).await;
        }
        let posts = self.posts().await?;
        let step = PublishStep {
            tool,
            run: self.run,
            artifact: self.artifact,
            request: self.request.clone(),
            state: self.state.clone(),
            draft,
            posts,
            // Programs that publish work in folders of their own.
            dir: std::path::absolute(self.store.dir()).unwrap_or_else(|_| self.store.dir().to_owned()),
            interrupt: self.interrupt.child_token(),
        };
        let done = publish(step).await;
        // Whoever was stopped in the middle does it again from the beginning of the step.
        let event = match done {
            Ok(event) => event,
            Err(_) if self.interrupt.is_cancelled() => return Err(Stuck::Interrupted),
            Err(why) => return Err(Trouble::new(why.cause, why.detail).into()),
        };
        if does(&event) != Some(tool) {
            let detail = format!("{tool} answered with {}", event.kind());
            return Err(Trouble::new(FailedCause::OrchestratorInternal, detail).into());
        }
        self.append(vec![event]).await
    }
}

/// The tool that an event comes of.
fn does(event: &ContentEvent) -> Option<Tool> {
    Some(match event {
        ContentEvent::Assembled(_) => Tool::AssembleSiteFiles,
        ContentEvent::Validated(_) => Tool::ValidateCode,
        ContentEvent::RepoCreated(_) => Tool::CreateRepo,
        ContentEvent::Pushed(_) => Tool::PushFiles,
        ContentEvent::Deployed(_) => Tool::Deploy,
        ContentEvent::Verified(_) => Tool::Verify,
        ContentEvent::Queued(_)
        | ContentEvent::RunStarted(_)
        | ContentEvent::Drafted(_)
        | ContentEvent::PanelSelected(_)
        | ContentEvent::CriticStarted(_)
        | ContentEvent::Critiqued(_)
        | ContentEvent::CriticAbsent(_)
        | ContentEvent::Measured(_)
        | ContentEvent::Decided(_)
        | ContentEvent::Summarised(_)
        | ContentEvent::Revised(_)
        | ContentEvent::NeedsHuman(_)
        | ContentEvent::Saved(_)
        | ContentEvent::Branded(_)
        | ContentEvent::Agent(_)
        | ContentEvent::Halted(_)
        | ContentEvent::Paused(_)
        | ContentEvent::Resumed(_)
        | ContentEvent::Finished(_)
        | ContentEvent::Abandoned(_) => return None,
    })
}
