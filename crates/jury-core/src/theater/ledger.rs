//! The ledger: every must-fix of a run with its identity and its fate across rounds.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::event::PanelistMustFix;
use crate::finding::{FindingId, FindingState};
use crate::role::Role;
use crate::unit::Round;

/// All must-fixes by identity.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct Ledger(BTreeMap<FindingId, Entry>);

/// One must-fix.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// Who asked.
    pub role: Role,
    /// What for, in the latest wording.
    pub text: String,
    /// The round in which it was first asked for.
    pub first: Round,
    /// The round in which it was last asked for.
    pub last: Round,
    /// Where it stands.
    pub state: FindingState,
}

impl Ledger {
    /// The state that a directive has when it is asked for now: back again if it had been fixed.
    pub fn state_when_asked(&self, finding: &FindingId) -> FindingState {
        match self.0.get(finding).map(|entry| entry.state) {
            Some(FindingState::Fixed | FindingState::Regressed) => FindingState::Regressed,
            Some(FindingState::Open) | None => FindingState::Open,
        }
    }

    pub(super) fn asked(&mut self, must_fix: &PanelistMustFix) {
        let entry = self.0.entry(must_fix.finding.clone()).or_insert_with(|| Entry {
            role: must_fix.role,
            text: String::new(),
            first: must_fix.round,
            last: must_fix.round,
            state: FindingState::Open,
        });
        entry.text.clone_from(&must_fix.text);
        entry.last = must_fix.round;
        entry.state = must_fix.state;
    }

    /// What a panelist that reviewed this round did not ask for again is fixed. What an absent panelist had
    /// asked for stays open: nobody looked.
    pub(super) fn round_ended(&mut self, round: Round, reviewed: &[Role]) {
        for entry in self.0.values_mut() {
            if entry.last < round && reviewed.contains(&entry.role) {
                entry.state = FindingState::Fixed;
            }
        }
    }

    /// How many findings of this role are open.
    pub(super) fn open_of(&self, role: Role) -> usize {
        self.0.values().filter(|entry| entry.role == role && entry.state.is_open()).count()
    }

    /// Every entry.
    pub fn entries(&self) -> impl Iterator<Item = (&FindingId, &Entry)> {
        self.0.iter()
    }
}
