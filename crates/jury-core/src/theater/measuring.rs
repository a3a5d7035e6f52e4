//! Measuring: a draft is measured while the panel speaks.
//!
//! A gate decides by it, so that the end of a round waits for it, and what the agent says in the meantime is held back
//! and not lost. So it is where a page was handed in: a draft is compared with it, and one that replaces it does not ship. A warning holds nobody up: the round ends, its evidence is owed and comes as soon as it is there, and
//! only the end of the run waits for what is still owed.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::RoundBoard;
use super::cross_check::{cross_check, lost, own_words};
use super::held::Held;
use super::machine::{Phase, Theater};
use super::port::{TheaterEffect, TheaterOutbox, TheaterOutput, Witness};
use crate::artifact::{Blob, Digest};
use crate::event::TheaterEvent;
use crate::evidence::{EvidenceMode, Measurement};
use crate::protocol::RoundClaim;
use crate::unit::{Bytes, Offset, Round};

/// What the machine knows of measurements.
#[derive(Debug, Default)]
pub(super) struct Measuring {
    asked: BTreeSet<Digest>,
    pub(super) results: BTreeMap<Digest, Result<Measurement, String>>,
    /// What came while the end of a round waited.
    held: VecDeque<Held>,
    /// The rounds that have ended and whose drafts are still being measured.
    owed: Vec<Round>,
}

/// A round that ends as soon as its draft is measured.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Closing {
    digest: Digest,
    pub(super) round: Round,
    pub(super) claim: RoundClaim,
    pub(super) note: String,
    pub(super) bytes: Bytes,
    pub(super) position: Offset,
}

impl Theater {
    /// What is made of measured facts in this run.
    pub(super) fn evidence_mode(&self) -> EvidenceMode {
        match self.plan.witness {
            Witness::Nobody => EvidenceMode::Off,
            Witness::Driver(_) | Witness::Panel => self.config.evidence,
        }
    }

    /// Has a draft measured, once.
    pub(super) fn measure(&mut self, round: Round, blob: &Blob, out: &mut TheaterOutbox) {
        let measured = matches!(self.plan.witness, Witness::Driver(_)) && !self.evidence_mode().is_off();
        if !(measured || self.has_page_seats() || self.is_compared(blob.sha256))
            || !self.measuring.asked.insert(blob.sha256)
        {
            return;
        }
        let mime = blob.mime.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        if matches!(mime.as_str(), "text/html" | "application/xhtml+xml" | "") {
            out.push(TheaterOutput::Effect(TheaterEffect::Measure { round, digest: blob.sha256 }));
        } else {
            let why = format!("the artifact is {mime}, and only pages are measured");
            self.measuring.results.insert(blob.sha256, Err(why));
        }
    }

    /// Whether this draft is to be compared with a page that was handed in. A draft that is that page is not.
    fn is_compared(&self, draft: Digest) -> bool {
        self.plan.given.is_some_and(|given| given != draft)
    }

    /// Whether rounds end only when it is known what was measured: at a gate, where a page was handed in, which must
    /// not be replaced in any mode, and where a seat of the panel is played by measuring.
    fn is_decided_by_measurement(&self) -> bool {
        self.evidence_mode() == EvidenceMode::Gate || self.plan.given.is_some() || self.has_page_seats()
    }

    /// Whether this round must wait for the measurement of its draft; then it does.
    pub(super) fn waits_for_measurement(
        &mut self,
        round: Round,
        claim: RoundClaim,
        note: &str,
        bytes: Bytes,
        position: Offset,
    ) -> bool {
        let Some(digest) = self.unmeasured_draft(round) else { return false };
        if !self.is_decided_by_measurement() {
            return false;
        }
        let note = note.to_owned();
        self.phase = Phase::Measuring(Closing { digest, round, claim, note, bytes, position });
        true
    }

    /// The draft of this round, if it is being measured.
    fn unmeasured_draft(&self, round: Round) -> Option<Digest> {
        let digest = self.board.round(round)?.artifact.as_ref()?.sha256;
        let under_way =
            self.measuring.asked.contains(&digest) && !self.measuring.results.contains_key(&digest);
        under_way.then_some(digest)
    }

    /// The round that waits for the measurement of its draft, if one does.
    pub fn measuring(&self) -> Option<Round> {
        if let Phase::Measuring(closing) = &self.phase { Some(closing.round) } else { None }
    }

    /// Whether the rule is applied as soon as this round closes.
    pub fn decides_at_once(&self, round: Round) -> bool {
        let waits = self.is_decided_by_measurement() && self.unmeasured_draft(round).is_some();
        self.measuring().is_none() && !waits
    }

    /// Takes a measurement over. A round that waited for it ends, and what was held back is dealt with.
    pub(super) fn measured(
        &mut self,
        digest: Digest,
        result: Result<Measurement, String>,
        out: &mut TheaterOutbox,
    ) {
        if !self.measuring.asked.contains(&digest) {
            return;
        }
        self.measuring.results.entry(digest).or_insert(result);
        let (there, owed) = std::mem::take(&mut self.measuring.owed)
            .into_iter()
            .partition(|round| self.unmeasured_draft(*round).is_none());
        self.measuring.owed = owed;
        self.pay(there, out);
        match std::mem::replace(&mut self.phase, Phase::Running) {
            Phase::Measuring(closing) if closing.digest == digest => {
                let Closing { round, claim, note, bytes, position, .. } = closing;
                self.round_closed(round, claim, &note, bytes, position, out);
            }
            Phase::Owing(terminal) if self.measuring.owed.is_empty() => {
                self.finish(*terminal, out);
                return;
            }
            other @ (Phase::Waiting
            | Phase::Running
            | Phase::Measuring(_)
            | Phase::Owing(_)
            | Phase::Linting(_)
            | Phase::Fallback(_)
            | Phase::Ended) => {
                self.phase = other;
                return;
            }
        }
        let now = self.now;
        while let Some(held) = self.measuring.held.pop_front() {
            self.handle(held.input(), now, out);
            // The next round waits too; the rest stays where it is.
            if matches!(self.phase, Phase::Measuring(_)) {
                break;
            }
        }
    }

    pub(super) fn hold_back(&mut self, held: Held) {
        self.measuring.held.push_back(held);
    }

    /// What the agent used is in the log before the end, even if nobody waits for what it said.
    pub(super) fn let_out_notes(&mut self, out: &mut TheaterOutbox) {
        for held in std::mem::take(&mut self.measuring.held) {
            if let Held::Note(note) = held {
                self.note(note, out);
            }
        }
    }

    /// Says what was measured beside what the panel says of this round, or remembers that it is owed.
    pub(super) fn testify(&mut self, round: Round, out: &mut TheaterOutbox) {
        if self.unmeasured_draft(round).is_some() {
            self.measuring.owed.push(round);
        } else {
            self.pay(vec![round], out);
        }
    }

    /// Whether the end of the run waits for evidence.
    pub(super) fn owes(&self) -> bool {
        !self.measuring.owed.is_empty()
    }

    /// Nobody waits any longer: what is owed is not known.
    pub(super) fn forgive(&mut self, out: &mut TheaterOutbox) {
        let owed = std::mem::take(&mut self.measuring.owed);
        self.pay(owed, out);
    }

    /// The rounds that were owed evidence are void.
    pub(super) fn owe_nothing(&mut self) {
        self.measuring.owed.clear();
    }

    fn pay(&mut self, rounds: Vec<Round>, out: &mut TheaterOutbox) {
        for round in rounds {
            self.say_evidence(round, out);
        }
    }

    fn say_evidence(&mut self, round: Round, out: &mut TheaterOutbox) {
        let Some(board) = self.board.round(round) else { return };
        let Some(draft) = &board.artifact else { return };
        let unasked = Err("it was not measured before the end".to_owned());
        let result = self.measuring.results.get(&draft.sha256).unwrap_or(&unasked);
        let mut evidence = match self.plan.witness {
            Witness::Panel if !self.evidence_mode().is_off() => own_words(board),
            Witness::Driver(reader) if !self.evidence_mode().is_off() => {
                cross_check(board, result, &self.started, reader)
            }
            Witness::Nobody | Witness::Panel | Witness::Driver(_) => Vec::new(),
        };
        if self.is_compared(draft.sha256) {
            let gap_is_said = matches!(self.plan.witness, Witness::Driver(_));
            evidence.extend(lost(round, result, self.evidence_mode(), gap_is_said));
        }
        for item in evidence {
            self.emit(TheaterEvent::Evidence(item), out);
        }
    }

    /// The first round that met every part of the rule but could not be measured as the gate demands. Asked when no round
    /// was let through.
    pub(super) fn unmeasured_round(&self) -> Option<&RoundBoard> {
        self.board
            .closed_rounds()
            .find(|(_, end)| end.must_fix == 0 && end.quorum && end.composite.reaches(self.started.threshold))
            .map(|(board, _)| board)
            .filter(|_| self.started.evidence == EvidenceMode::Gate)
    }
}
