//! The panel: who reviews, chosen once in a run.

use jury_agents::content::{SubmitCritics, critics_question};
use jury_agents::prompt::Selecting;
use jury_core::content::registry::AdvisorRegistry;
use jury_core::content::select::{SelectionError, read_choice, vote};
use jury_core::content::{Advisor, ContentEvent, PanelSelection};
use jury_core::outcome::FailedCause;

use super::agent_line::{Called, Callee, Unanswered, again};
use super::author::{spent, unaskable};
use super::worker::{Stuck, Trouble, Worker};

impl Worker<'_> {
    /// Chooses the panel. A choice that failed is no panel without anybody: the run stops here.
    pub(super) async fn select(&mut self) -> Result<(), Stuck> {
        let registry = AdvisorRegistry::new(self.request.advisors.iter().cloned());
        let recipe = self.request.recipe.clone();
        let candidates = registry.candidates(&recipe.author_advisor);
        let selection = if self.request.agent.is_some() && !candidates.is_empty() {
            self.chosen(&candidates).await?
        } else {
            vote(&recipe, &registry).map_err(|error| unchosen(&error.to_string()))?
        };
        self.append(vec![ContentEvent::PanelSelected(selection)]).await
    }

    /// Asks the model, and once more when its answer cannot be used.
    async fn chosen(&mut self, candidates: &[&Advisor]) -> Result<PanelSelection, Stuck> {
        let named = self.request.recipe.named_critics.clone();
        let read = |text: &str| read_choice(text, candidates, &named);
        let line = self.line()?;
        let selecting = Selecting { recipe: &self.request.recipe, candidates };
        let asked = self.cast.prompts.selection(selecting).map_err(|error| unaskable(&error))?;
        if let Callee::Service(client, most) = line.callee(&asked).map_err(Unanswered::stuck)? {
            let mut question = critics_question(&asked);
            question.prompt.max_tokens = most;
            let check =
                |critics: &SubmitCritics| read(&critics.text()).map(drop).map_err(|error| error.to_string());
            let called: Called<SubmitCritics> = line.shaped(client.ask_checked(&question, check)).await;
            let usage = called.usage;
            let critics = self.heard(called.notes, called.answer, usage).await?;
            self.note(usage).await?;
            return Ok(read(&critics.text()).map_err(|error| unchosen(&error.to_string()))?);
        }
        let mut problem = String::new();
        for attempt in 1..=2 {
            let question = if attempt == 1 { asked.clone() } else { again(&asked, &problem) };
            let called = line.text(&question).await;
            let usage = called.usage;
            let text = self.heard(called.notes, called.answer, usage).await?;
            self.note(usage).await?;
            match read(&text) {
                Ok(selection) => return Ok(selection),
                // Nobody's answer mends a recipe.
                Err(error @ SelectionError::Named { .. }) => return Err(unchosen(&error.to_string()).into()),
                Err(error) => problem = error.to_string(),
            }
        }
        Err(unchosen(&problem).into())
    }

    /// Writes down what a choice took.
    async fn note(&mut self, usage: jury_core::event::Usage) -> Result<(), Stuck> {
        let events = spent(usage);
        if events.is_empty() { Ok(()) } else { self.append(events).await }
    }
}

fn unchosen(why: &str) -> Trouble {
    Trouble::new(FailedCause::AgentError, format!("critics could not be chosen: {why}"))
}
