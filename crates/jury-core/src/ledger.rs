//! The ledger: every finding of a run with its identity and its fate across rounds.
//!
//! All workflows keep the same one. Who asks differs: a role of the theater, a criterion of the critic. A finding is
//! fixed when whoever asked for it looked again and did not ask again; nobody's silence closes it otherwise.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::finding::{FindingId, FindingState};
use crate::role::Role;
use crate::unit::Round;

/// All findings by identity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(bound = "P: ToSchema")]
pub struct Ledger<P = Role>(BTreeMap<FindingId, LedgerEntry<P>>);

/// One finding and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(bound = "P: ToSchema")]
#[schema(as = Entry)]
pub struct LedgerEntry<P = Role> {
    /// The panelist or criterion that asked.
    pub role: P,
    /// What for, in the latest wording.
    pub text: String,
    /// The round in which it was first asked for.
    pub first: Round,
    /// The round in which it was last asked for.
    pub last: Round,
    /// Whether it is open, fixed or put off.
    pub state: FindingState,
    /// When it is open again, for one that is deferred.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, nullable = false, required = false)]
    pub until: Option<Timestamp>,
}

impl<P> Default for Ledger<P> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<P: PartialEq + Clone> Ledger<P> {
    /// The state that a finding has when it is asked for now: back again if it had been fixed.
    pub fn state_when_asked(&self, finding: &FindingId) -> FindingState {
        match self.0.get(finding).map(|entry| entry.state) {
            Some(FindingState::Fixed | FindingState::Regressed) => FindingState::Regressed,
            Some(
                FindingState::Open
                | FindingState::Refuted
                | FindingState::Deferred
                | FindingState::Escalated
                | FindingState::Known
                | FindingState::Waived
                | FindingState::Noted,
            )
            | None => FindingState::Open,
        }
    }

    /// Somebody asks for it, in this round, and this is how it stands from now on.
    pub(crate) fn asked(
        &mut self,
        finding: &FindingId,
        role: &P,
        text: &str,
        round: Round,
        state: FindingState,
    ) {
        let entry = self.0.entry(finding.clone()).or_insert_with(|| LedgerEntry {
            role: role.clone(),
            text: String::new(),
            first: round,
            last: round,
            state: FindingState::Open,
            until: None,
        });
        text.clone_into(&mut entry.text);
        entry.last = round;
        entry.state = state;
        entry.until = None;
    }

    /// It is put off until this moment.
    pub(crate) fn deferred(&mut self, finding: &FindingId, until: Timestamp) {
        if let Some(entry) = self.0.get_mut(finding) {
            entry.state = FindingState::Deferred;
            entry.until = Some(until);
        }
    }

    /// It is to be dealt with again.
    pub(crate) fn reopened(&mut self, finding: &FindingId) {
        if let Some(entry) = self.0.get_mut(finding) {
            entry.state = FindingState::Open;
            entry.until = None;
        }
    }

    /// What a panelist that reviewed this round did not ask for again is fixed. What an absent panelist had
    /// asked for stays as it is: nobody looked. Returns what was open before and is not any more.
    pub(crate) fn round_ended(&mut self, round: Round, reviewed: &[P]) -> Vec<FindingId> {
        let mut fixed = Vec::new();
        for (finding, entry) in &mut self.0 {
            if entry.last < round && reviewed.contains(&entry.role) {
                match entry.state {
                    FindingState::Open | FindingState::Regressed | FindingState::Escalated => {
                        fixed.push(finding.clone());
                        entry.state = FindingState::Fixed;
                    }
                    // What was never a defect, or was put off by name, does not become fixed by not being repeated.
                    FindingState::Fixed
                    | FindingState::Refuted
                    | FindingState::Deferred
                    | FindingState::Known
                    | FindingState::Waived
                    | FindingState::Noted => {}
                }
            }
        }
        fixed
    }

    /// How many findings of this role are open that were last asked for before this round.
    pub(crate) fn open_before(&self, role: &P, round: Round) -> usize {
        let is_open =
            |entry: &&LedgerEntry<P>| entry.role == *role && entry.last < round && entry.state.is_open();
        self.0.values().filter(is_open).count()
    }

    /// What is known of this finding.
    pub fn get(&self, finding: &FindingId) -> Option<&LedgerEntry<P>> {
        self.0.get(finding)
    }

    /// Every entry by its finding, in the order of ids.
    pub fn entries(&self) -> impl Iterator<Item = (&FindingId, &LedgerEntry<P>)> {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_asked_for_is_neither_put_off_nor_taken_up_again() {
        let unknown = FindingId::of("critic", "Use one shadow");
        let mut ledger = Ledger::default();
        let known = FindingId::of("critic", "Darken it");
        ledger.asked(&known, &Role::Critic, "Darken it", Round::FIRST, FindingState::Open);
        let before = ledger.clone();
        ledger.deferred(&unknown, Timestamp::UNIX_EPOCH);
        ledger.reopened(&unknown);
        assert_eq!(ledger, before);
    }
}
