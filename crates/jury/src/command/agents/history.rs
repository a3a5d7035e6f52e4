//! What the history of conformance allows: the ratchet, for one agent and for all of them.

use std::collections::BTreeMap;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use jury_core::conformance::{AgentDay, RATCHET, RatchetEvidence, RatchetStep, evidence, evidence_of_fleet};
use jury_core::id::AgentId;
use jury_store::{Store, StoreError};

use super::percent;
use crate::output::Tone;

/// The whole cycles of the last days.
#[derive(Debug, Default)]
pub(super) struct History {
    days: Vec<(AgentId, AgentDay)>,
    now: Timestamp,
}

impl History {
    /// Everything that can still be in the window.
    pub(super) async fn load(store: &Store, now: Timestamp) -> Result<Self, StoreError> {
        let window = SignedDuration::from_hours(24 * i64::from(RATCHET.window_days));
        let since = now.checked_sub(window).unwrap_or(Timestamp::MIN);
        Ok(Self { days: store.days(since).await?, now })
    }

    /// What an agent has shown, if it has shown anything.
    pub(super) fn of(&self, agent: &str) -> Option<RatchetEvidence> {
        let days: Vec<AgentDay> =
            self.days.iter().filter(|(other, _)| other.as_str() == agent).map(|(_, day)| *day).collect();
        Some(evidence(&days, RATCHET, self.today())).filter(|found| found.runs > 0)
    }

    /// What all have shown together, if anybody has.
    pub(super) fn of_all(&self) -> Option<RatchetEvidence> {
        let mut agents: BTreeMap<&str, Vec<AgentDay>> = BTreeMap::new();
        for (agent, day) in &self.days {
            agents.entry(agent.as_str()).or_default().push(*day);
        }
        let agents: Vec<Vec<AgentDay>> = agents.into_values().collect();
        Some(evidence_of_fleet(&agents, RATCHET, self.today())).filter(|found| found.runs > 0)
    }

    fn today(&self) -> Date {
        self.now.to_zoned(TimeZone::UTC).date()
    }
}

/// The step and what it rests on.
pub(super) fn words(found: RatchetEvidence) -> String {
    let RatchetEvidence { step, days, runs, shipped } = found;
    format!("{step} ({days} of {} days, {} of {runs} shipped)", RATCHET.window_days, percent(shipped, runs))
}

pub(super) fn tone(step: RatchetStep) -> Tone {
    match step {
        RatchetStep::Promote => Tone::Good,
        RatchetStep::Hold => Tone::Dim,
        RatchetStep::Demote => Tone::Bad,
    }
}
