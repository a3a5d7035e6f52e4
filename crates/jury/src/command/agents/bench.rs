//! A conformance cycle: the briefs, one run each, what they say about the agent, and what that means for it. The same for
//! `jury agents test` and for the daemon at night.

use jiff::Timestamp;
use jury_agents::AGENT_GRACE;
use jury_agents::prompt::{Ask, BRIEFS, ConformanceBrief, Material};
use jury_core::conformance::{
    BARS, BriefResult, Cycle, CycleRuling, CycleTally, RatchetEvidence, rule, verdict, why_degraded,
};
use jury_core::event::TheaterEvent;
use jury_core::id::{AgentId, ArtifactId, ProjectId, RunId};
use jury_core::outcome::{FailedCause, TheaterStatus};
use jury_core::record::Record;
use jury_core::score::Composite;
use jury_core::theater::{Board, TheaterSetup};
use jury_core::unit::Millis;
use jury_engine::{EngineError, Measuring, Panel, TheaterJob};
use jury_store::{Owner, Store};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::history::History;
use super::seats::Seat;
use crate::agent::{self, Task, Wanted};
use crate::refusal::Refusal;
use crate::settings::Settings;

/// The project of conformance runs.
const PROJECT: &str = "conformance";

/// How many cycles the rule needs to see, tries in between included.
const HISTORY: u32 = 50;

/// The same brief should get the same answer, as far as a service can be asked for that.
const TEMPERATURE: f64 = 0.0;

/// An agent that was tested.
pub(super) struct Tested {
    pub(super) cycle: Cycle,
    pub(super) tally: CycleTally,
    pub(super) ruling: CycleRuling,
    /// What its history allows, this cycle included.
    pub(super) ratchet: Option<RatchetEvidence>,
}

/// Why there is no cycle.
pub(super) enum NoCycle {
    Interrupted,
    Refused(Refusal),
}

impl<T: Into<Refusal>> From<T> for NoCycle {
    fn from(error: T) -> Self {
        Self::Refused(error.into())
    }
}

/// Where agents are tested.
pub(super) struct Bench<'a> {
    pub(super) store: &'a Store,
    pub(super) owner: &'a Owner,
    /// With the fixed cast alone: seats of one user must not change what an agent's grade means.
    pub(super) settings: Settings,
    /// How many of the briefs.
    pub(super) briefs: u32,
    pub(super) model: Option<&'a str>,
    pub(super) measuring: Measuring,
    /// Ends the cycle, which is not kept then.
    pub(super) stop: CancellationToken,
}

impl Bench<'_> {
    /// Gives an agent the briefs, keeps what came of them, and does what it means.
    pub(super) async fn cycle(
        &self,
        agent: &AgentId,
        seat: Seat<'_>,
        observer: &mut (dyn FnMut(&BriefResult) + Send),
    ) -> Result<Tested, NoCycle> {
        let count = usize::try_from(self.briefs).unwrap_or(usize::MAX);
        let mut results = Vec::new();
        for brief in BRIEFS.iter().take(count) {
            let result = self.run(agent, seat, brief).await?;
            observer(&result);
            results.push(result);
        }
        let now = Timestamp::now();
        let cycle = Cycle { agent: agent.clone(), at: now, results };
        self.store.record_cycle(&cycle).await?;
        let history = self.store.cycles(agent, HISTORY).await?;
        let tallies: Vec<CycleTally> = history.iter().map(|past| past.tally).collect();
        let tally = cycle.tally();
        let ruling = rule(&tallies, BARS, now);
        match ruling {
            CycleRuling::Clear => drop(self.store.clear_degraded(agent).await?),
            CycleRuling::Degrade { until } => {
                self.store.mark_degraded(agent, until, &why_degraded(tally, BARS)).await?;
            }
            CycleRuling::Nothing | CycleRuling::Strike => {}
        }
        let ratchet = History::load(self.store, now).await?.of(agent.as_str());
        Ok(Tested { cycle, tally, ruling, ratchet })
    }

    /// One brief, run as `jury run` would run it. The house gets a draft to review; whoever writes gets the
    /// brief alone.
    async fn run(
        &self,
        agent: &AgentId,
        seat: Seat<'_>,
        brief: &ConformanceBrief,
    ) -> Result<BriefResult, NoCycle> {
        let material = match seat {
            Seat::House => Material { page: Some(brief.draft()), ..Material::default() },
            Seat::Own(_) | Seat::Program(_) | Seat::Service(_) => {
                Material { brief: Some(brief.text()), ..Material::default() }
            }
        };
        let player = {
            let task = Task {
                wanted: Wanted::Page(Ask::Panel, material),
                model: self.model,
                budget: None,
                scratch: self.store.dir(),
                beside: None,
                temperature: Some(TEMPERATURE),
            };
            agent::find(agent, &self.settings, &task)?
        };
        let project: ProjectId =
            PROJECT.parse().map_err(|error| Refusal::inconclusive(format!("{PROJECT}: {error}")))?;
        let artifact = ArtifactId(Uuid::now_v7());
        let job = TheaterJob {
            run: RunId(Uuid::now_v7()),
            subject: TheaterSetup { project, artifact, agent: agent.clone() },
            title: brief.name.to_owned(),
            config: self.settings.critique.clone(),
            request: None,
            agent: player,
            // A mark is what a test may take away, and a page without a review proves nothing.
            panel: Panel::SitsRegardless,
            legacy: None,
            grace: AGENT_GRACE,
            measuring: self.measuring.clone(),
        };
        let run_id = job.run;
        let mut took = Millis(0);
        let mut observer = |records: &[Record]| took = records.last().map_or(took, |record| record.at);
        let board = jury_engine::run(self.store, self.owner, job, &mut observer, self.stop.clone()).await?;
        if board.status() == Some(TheaterStatus::Interrupted) {
            return Err(NoCycle::Interrupted);
        }
        // What we broke is not the agent's fault, and proves nothing.
        if let Some(TheaterEvent::Failed(failed)) = &board.ended
            && failed.cause == FailedCause::OrchestratorInternal
        {
            return Err(NoCycle::Refused(Refusal::inconclusive(format!(
                "the test of {agent} broke: {}; the cycle is not kept",
                failed.detail
            ))));
        }
        let page = self.store.read_final(artifact).await.map_err(EngineError::from)?;
        let page = page.as_deref().map(String::from_utf8_lossy);
        Ok(BriefResult {
            brief: brief.name.to_owned(),
            run_id,
            verdict: verdict(&board, page.as_deref()),
            composite: reached(&board),
            took_ms: took,
        })
    }
}

fn reached(board: &Board) -> Option<Composite> {
    match &board.ended {
        Some(TheaterEvent::Ship(ship)) => ship.composite,
        _ => board.best_round().map(|(_, composite)| composite),
    }
}
