//! The nightly conformance cycle of a daemon. What goes wrong with it is logged; the daemon serves on.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use jury_core::conformance::{BARS, BRIEFS_IN_A_CYCLE, CycleRuling, CycleTally};
use jury_core::id::AgentId;
use jury_engine::Measuring;
use jury_store::{Owner, Store, StoreError};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::bench::{Bench, NoCycle, Tested};
use super::seats::Seats;
use crate::clock;
use crate::command::house;
use crate::command::serve::Current;
use crate::settings::Settings;

/// How often the plan and the clock are looked at. The plan changes when the settings are read again.
const LOOK_EVERY: Duration = Duration::from_secs(15);

/// Tests the agents of the plan, one after the other, once every night, until it is told to stop.
pub(in crate::command) async fn every_night(store: Store, current: Current, stop: CancellationToken) {
    // A cycle that came to nothing is not in the store, and is not tried again in the same night.
    let mut begun: BTreeMap<AgentId, Timestamp> = BTreeMap::new();
    loop {
        let settings = Arc::clone(&current.read().unwrap_or_else(PoisonError::into_inner));
        // A clock that cannot be read was refused when the daemon started.
        let now = clock::now().unwrap_or_else(|_| Timestamp::now());
        if let Some(night) = settings.nightly.night(now) {
            for agent in &settings.nightly.agents {
                if begun.get(agent).is_some_and(|last| *last >= night) || stop.is_cancelled() {
                    continue;
                }
                begun.insert(agent.clone(), night);
                match tested_since(&store, agent, night).await {
                    Ok(true) => {}
                    Ok(false) => test(&store, &settings, agent, &stop).await,
                    Err(error) => {
                        tracing::error!(agent = %agent, error = %error, "no conformance cycle tonight");
                    }
                }
            }
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(LOOK_EVERY) => {}
        }
    }
}

/// Whether this night's cycle is there already: another process did it, or this one before it was restarted.
async fn tested_since(store: &Store, agent: &AgentId, night: Timestamp) -> Result<bool, StoreError> {
    let newest = store.cycles(agent, 1).await?;
    Ok(newest.first().is_some_and(|past| past.cycle.at >= night && past.tally.is_whole()))
}

/// One cycle, in a task of its own: what breaks there ends there.
async fn test(store: &Store, settings: &Arc<Settings>, agent: &AgentId, stop: &CancellationToken) {
    tracing::info!(agent = %agent, "conformance cycle begins");
    let mut task = JoinSet::new();
    task.spawn(cycle(store.clone(), Arc::clone(settings), agent.clone(), stop.clone()));
    let Some(ended) = task.join_next().await else { return };
    match ended {
        Ok(Ok(tested)) => {
            let CycleTally { runs, shipped, clean } = tested.tally;
            let conforms = tested.tally.meets(BARS);
            tracing::info!(agent = %agent, runs, shipped, clean, conforms, "conformance cycle ended");
            if let CycleRuling::Degrade { until } = tested.ruling {
                tracing::warn!(agent = %agent, until = %until, "the agent is marked as degraded");
            }
        }
        Ok(Err(NoCycle::Interrupted)) => {
            tracing::info!(agent = %agent, "conformance cycle stopped; it is not kept");
        }
        Ok(Err(NoCycle::Refused(refusal))) => {
            tracing::error!(agent = %agent, error = %refusal.message, "no conformance cycle tonight");
        }
        Err(broken) => {
            tracing::error!(agent = %agent, error = %broken, "no conformance cycle tonight");
        }
    }
}

async fn cycle(
    store: Store,
    settings: Arc<Settings>,
    agent: AgentId,
    stop: CancellationToken,
) -> Result<Tested, NoCycle> {
    let seats = Seats::load(&settings)?;
    let seat = seats.find(&agent)?;
    let owner = Owner::register(&store)?;
    let bench = Bench {
        store: &store,
        owner: &owner,
        settings: settings.with_fixed_cast(),
        briefs: BRIEFS_IN_A_CYCLE,
        model: None,
        measuring: Measuring::with(house::measure_elsewhere),
        stop,
    };
    bench.cycle(&agent, seat, &mut |_| {}).await
}
