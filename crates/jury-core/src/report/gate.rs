//! The gate behind a review: what is known or waived does not hold the work back.
//!
//! The verdict of the run stays as it is. Only a review that took place and did not pass can be let through, and only
//! when every finding that is open is known or waived. A composite below the threshold is not a finding: nothing
//! excuses it.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use serde::Serialize;

use super::review::{PartResult, Report};
use crate::finding::{Finding, FindingId, FindingState};
use crate::run::OutcomeKind;
use crate::waiver::Waiver;

/// A waiver that is about a finding of this review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AppliedWaiver {
    /// The finding.
    pub finding: FindingId,
    /// Why it may stay.
    pub reason: String,
    /// The person who decided that.
    pub author: String,
    /// The last day.
    pub expires: Date,
    /// Whether that day is over, so that the finding counts again.
    pub expired: bool,
}

impl AppliedWaiver {
    /// The waiver as it applies to this finding on this day.
    pub fn of(waiver: &Waiver, finding: &Finding, today: Date) -> Self {
        Self {
            finding: finding.id.clone(),
            reason: waiver.reason.clone(),
            author: waiver.author.clone(),
            expires: waiver.expires,
            expired: waiver.is_expired(today),
        }
    }

    /// It as one line.
    pub fn line(&self) -> String {
        let Self { finding, reason, author, expires, expired } = self;
        if *expired {
            format!("{finding}: the waiver by {author} ended on {expires}, and the finding counts again")
        } else {
            format!("{finding}: waived by {author} until {expires}: {reason}")
        }
    }
}

impl Report {
    /// The same behind a gate that knows these findings and has these waivers, on this day.
    #[must_use]
    pub fn gated(mut self, known: &BTreeSet<FindingId>, waivers: &[Waiver], today: Date) -> Self {
        let path = self.path().to_owned();
        let mut held_back = std::mem::take(&mut self.held_back);
        let mut raised: BTreeMap<FindingId, usize> = BTreeMap::new();
        for finding in &held_back.findings {
            *raised.entry(finding.id.clone()).or_default() += 1;
        }
        let mut excuses: BTreeMap<FindingId, FindingState> = BTreeMap::new();
        let open = self.findings.iter().filter(|finding| finding.state.is_open());
        for finding in open.chain(&held_back.findings) {
            // An id that several findings share says too little for a waiver of one of them.
            let is_shared = raised.get(&finding.id).is_some_and(|times| *times > 1);
            let about = || {
                let covers = |waiver: &&Waiver| waiver.covers(finding, &path);
                waivers.iter().filter(covers).filter(|waiver| waiver.rule.is_some() || !is_shared)
            };
            // One that holds is worth more than one that has ended.
            let chosen = about().find(|waiver| !waiver.is_expired(today)).or_else(|| about().next());
            if let Some(waiver) = chosen {
                let applied = AppliedWaiver::of(waiver, finding, today);
                if !self.waivers.contains(&applied) {
                    self.waivers.push(applied);
                }
                if !waiver.is_expired(today) {
                    excuses.insert(finding.id.clone(), FindingState::Waived);
                }
            }
            if known.contains(&finding.id) {
                excuses.entry(finding.id.clone()).or_insert(FindingState::Known);
            }
        }
        for finding in self.findings.iter_mut().filter(|finding| finding.state.is_open()) {
            if let Some(state) = excuses.get(&finding.id) {
                finding.state = *state;
            }
        }
        held_back.findings.retain(|finding| !excuses.contains_key(&finding.id));
        let is_let_through = self.outcome == OutcomeKind::NotPassed
            && !self.unreviewed
            && !raised.is_empty()
            && held_back.findings.is_empty()
            && held_back.beyond.is_none();
        if is_let_through {
            self.let_through();
        } else if let (Some(beyond), false) = (&held_back.beyond, excuses.is_empty()) {
            self.reason = format!("{}; nothing excuses this: {beyond}", self.reason);
        }
        for waiver in &self.waivers {
            self.reason = format!("{}; {}", self.reason, waiver.line());
        }
        self
    }

    /// Passes, and says so wherever it is told.
    fn let_through(&mut self) {
        self.outcome = OutcomeKind::Passed;
        self.exit_code = self.outcome.exit_code();
        self.reason = format!("{LET_THROUGH}; {}", self.reason);
        for part in &mut self.parts {
            if part.result == PartResult::Failed {
                part.result = PartResult::Skipped;
                part.message = format!("{} (known or waived)", part.message);
            }
        }
    }
}

/// What is said of a run that the gate lets through.
pub const LET_THROUGH: &str = "the gate lets it through: everything that holds it back is known or waived";
