//! Facts about a draft, measured beside the panel: what no document of the idea knows.

use jury_core::content::event::ContentMeasured;
use jury_core::content::{AdvisorId, ContentEvent, HouseCritic};
use jury_core::outcome::FailedCause;
use jury_core::unit::Round;
use jury_text::content::facts::facts;
use tokio::task::spawn_blocking;

use super::worker::{Stuck, Trouble, Worker};

impl Worker<'_> {
    /// Holds the draft of a round against the documents. A measurement that broke halts the run: nothing is decided
    /// without it.
    pub(super) async fn measure(&mut self, round: Round) -> Result<(), Stuck> {
        let draft = self.draft(round).await?;
        let said_by = self.counted(round);
        let foundation = self.request.sources();
        let measured = spawn_blocking(move || facts(&AdvisorId::measured(), &draft, &foundation, &said_by));
        let issues = measured.await.map_err(|broken| {
            let detail = format!("the draft could not be held against the documents: {broken}");
            Trouble::new(FailedCause::OrchestratorInternal, detail)
        })?;
        let measured = ContentMeasured { round, mode: self.state.evidence(), issues };
        self.append(vec![ContentEvent::Measured(measured)]).await
    }

    /// The built-in critics that have spoken in a round as members of the panel.
    fn counted(&self, round: Round) -> Vec<HouseCritic> {
        let critiques = self.state.round(round).map(|round| &round.critiques);
        let measured =
            critiques.into_iter().flat_map(|all| all.values()).filter(|critique| critique.measured);
        let critic = |id: &AdvisorId| self.request.advisor(id.as_str())?.measured_by;
        measured.filter_map(|critique| critic(&critique.advisor_id)).collect()
    }
}
