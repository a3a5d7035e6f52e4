//! The studio: the state of a run as the fold of its events, and what comes next.
//!
//! There is no other state. Whoever has the log can do the next step, in whichever process.

use std::collections::BTreeMap;

use super::advisor::AdvisorId;
use super::brief::Brief;
use super::critique::Critique;
use super::draft::Writer;
use super::event::{
    Assembled, Branded, ContentEvent, ContentStarted, CriticAbsent, Decided, Deployed, Drafted, Finished,
    Halted, NeedsHuman, Pushed, RepoCreated, Revised, Saved, Validated, Verified,
};
use super::guard::{Lost, protected};
use super::panel::{Seat, Selection};
use super::rule::{EditorDecision, Reason, Ruling, decide};
use super::standing::{Quality, Standing};
use super::step::{Step, Tool};
use super::summary::{FixedItem, OpenIssue, RoundSummary, fixed_in, open_after, well_scored};
use crate::artifact::Blob;
use crate::event::Usage;
use crate::severity::Severity;
use crate::unit::Round;

/// The state of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ContentState {
    /// How it began.
    pub started: Option<ContentStarted>,
    /// The rounds, the first one first.
    pub rounds: Vec<RoundState>,
    /// The panel.
    pub panel: Option<Selection>,
    /// What a person is asked for.
    pub needs: Option<NeedsHuman>,
    /// What was kept.
    pub saved: Option<Saved>,
    /// The site.
    pub site: Site,
    /// The step that could not be done.
    pub halted: Option<Halted>,
    /// Whether it was stopped.
    pub paused: bool,
    /// What models have used.
    pub usage: Usage,
    /// How it ended.
    pub ended: Option<Standing>,
    /// How it ended, in full.
    pub finished: Option<Finished>,
}

/// A draft and what became of it.
#[derive(Debug, Clone, PartialEq)]
pub struct RoundState {
    /// Which.
    pub round: Round,
    /// Its body.
    pub draft: Blob,
    /// Who made it.
    pub writer: Writer,
    /// The critics who have begun, and how often each was asked.
    pub asked: BTreeMap<AdvisorId, u32>,
    /// What critics said.
    pub critiques: BTreeMap<AdvisorId, Critique>,
    /// Who did not answer.
    pub absent: BTreeMap<AdvisorId, CriticAbsent>,
    /// What the rule decided.
    pub ruling: Option<Ruling>,
    /// What was open then.
    pub open: Vec<OpenIssue>,
    /// What it comes to.
    pub summary: Option<RoundSummary>,
    /// The passages that came with this draft.
    pub brought: Vec<String>,
    /// The protected passages that this draft changed.
    pub lost: Vec<Lost>,
    /// What was done to it, where that is known.
    pub done: Vec<String>,
}

/// The second phase, as far as it has come.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Site {
    /// The look.
    pub branded: Option<Branded>,
    /// The files.
    pub assembled: Option<Assembled>,
    /// The check.
    pub validated: Option<Validated>,
    /// The repository.
    pub repo: Option<RepoCreated>,
    /// The commit.
    pub pushed: Option<Pushed>,
    /// The release.
    pub deployed: Option<Deployed>,
    /// The look at what is served.
    pub verified: Option<Verified>,
}

impl RoundState {
    fn new(round: Round, draft: Blob, writer: Writer) -> Self {
        Self {
            round,
            draft,
            writer,
            asked: BTreeMap::new(),
            critiques: BTreeMap::new(),
            absent: BTreeMap::new(),
            ruling: None,
            open: Vec::new(),
            summary: None,
            brought: Vec::new(),
            lost: Vec::new(),
            done: Vec::new(),
        }
    }

    /// How good it is beside others: nothing high, then the mean, then few mediums.
    fn rank(&self) -> Option<(bool, f64, std::cmp::Reverse<usize>)> {
        let ruling = self.ruling.as_ref().filter(|ruling| ruling.decision != EditorDecision::Error)?;
        let mediums = self.open.iter().filter(|open| open.issue.severity == Severity::Moderate).count();
        Some((ruling.high == 0, ruling.mean?, std::cmp::Reverse(mediums)))
    }
}

impl ContentState {
    /// The state after these events.
    pub fn of<'a>(events: impl IntoIterator<Item = &'a ContentEvent>) -> Self {
        let mut studio = Self::default();
        for event in events {
            studio.apply(event);
        }
        studio
    }

    /// Takes a fact in.
    pub fn apply(&mut self, event: &ContentEvent) {
        match event {
            ContentEvent::Queued(_) => {}
            ContentEvent::RunStarted(started) => self.started = Some(started.clone()),
            ContentEvent::Drafted(drafted) => self.take(drafted),
            ContentEvent::PanelSelected(selection) => self.panel = Some(selection.clone()),
            ContentEvent::CriticStarted(begun) => {
                if let Some(round) = self.round_mut(begun.round) {
                    round.asked.insert(begun.advisor_id.clone(), begun.attempt);
                    round.absent.remove(&begun.advisor_id);
                }
            }
            ContentEvent::Critiqued(said) => {
                self.spend(said.critique.usage);
                if let Some(round) = self.round_mut(said.round) {
                    let who = said.critique.advisor_id.clone();
                    round.absent.remove(&who);
                    round.critiques.insert(who, said.critique.clone());
                }
            }
            ContentEvent::CriticAbsent(absent) => {
                if let Some(round) = self.round_mut(absent.round) {
                    round.absent.insert(absent.advisor_id.clone(), absent.clone());
                }
            }
            ContentEvent::Decided(decided) => {
                if let Some(round) = self.round_mut(decided.round) {
                    round.ruling = Some(decided.ruling.clone());
                    round.open.clone_from(&decided.open);
                }
            }
            ContentEvent::Summarised(summarised) => {
                if let Some(round) = self.round_mut(summarised.summary.round) {
                    round.summary = Some(summarised.summary.clone());
                }
            }
            ContentEvent::Revised(revised) => self.take_revision(revised),
            ContentEvent::NeedsHuman(needs) => self.needs = Some(needs.clone()),
            ContentEvent::Saved(saved) => self.saved = Some(saved.clone()),
            ContentEvent::Branded(branded) => self.site.branded = Some(branded.clone()),
            ContentEvent::Assembled(assembled) => self.site.assembled = Some(assembled.clone()),
            ContentEvent::Validated(validated) => self.site.validated = Some(validated.clone()),
            ContentEvent::RepoCreated(repo) => self.site.repo = Some(repo.clone()),
            ContentEvent::Pushed(pushed) => self.site.pushed = Some(pushed.clone()),
            ContentEvent::Deployed(deployed) => self.site.deployed = Some(deployed.clone()),
            ContentEvent::Verified(verified) => self.site.verified = Some(verified.clone()),
            ContentEvent::Agent(note) => self.spend(note.usage),
            ContentEvent::Halted(halted) => self.halted = Some(halted.clone()),
            ContentEvent::Paused(_) => self.paused = true,
            ContentEvent::Resumed(_) => self.take_up(),
            ContentEvent::Finished(finished) => {
                self.ended = Some(finished.standing());
                self.finished = Some(finished.clone());
            }
            ContentEvent::Abandoned(_) => self.ended = Some(Standing::Abandoned),
        }
    }

    fn spend(&mut self, usage: Option<Usage>) {
        if let Some(usage) = usage {
            self.usage = self.usage.plus(usage);
        }
    }

    fn take(&mut self, drafted: &Drafted) {
        self.spend(drafted.usage);
        self.rounds.push(RoundState::new(drafted.round, drafted.draft.clone(), drafted.writer));
        // A person may hand in another draft as long as nothing is served: it is reviewed, and published anew.
        self.saved = None;
        self.site = Site::default();
        self.needs = None;
        self.halted = None;
        self.paused = false;
    }

    fn take_revision(&mut self, revised: &Revised) {
        self.spend(revised.usage);
        let mut round = RoundState::new(revised.round, revised.draft.clone(), revised.writer);
        round.brought.clone_from(&revised.brought);
        round.lost.clone_from(&revised.lost);
        round.done.clone_from(&revised.done);
        self.rounds.push(round);
    }

    /// Somebody takes it up: what was missing is asked for again.
    fn take_up(&mut self) {
        self.paused = false;
        self.halted = None;
        if let Some(round) = self.rounds.last_mut() {
            round.absent.clear();
            if round.ruling.as_ref().is_some_and(|ruling| ruling.decision == EditorDecision::Error) {
                round.ruling = None;
                round.open.clear();
                round.summary = None;
            }
        }
    }

    fn round_mut(&mut self, round: Round) -> Option<&mut RoundState> {
        self.rounds.iter_mut().rev().find(|known| known.round == round)
    }

    /// A round.
    pub fn round(&self, round: Round) -> Option<&RoundState> {
        self.rounds.iter().rev().find(|known| known.round == round)
    }

    /// The seats of the panel.
    pub fn seats(&self) -> &[Seat] {
        self.panel.as_ref().map_or(&[], |panel| &panel.seats)
    }

    /// How it stands.
    pub fn standing(&self) -> Standing {
        match self.ended {
            Some(standing) => standing,
            None if self.halted.is_some() => Standing::Halted,
            None if self.needs.is_some() => Standing::NeedsHuman,
            None if self.paused => Standing::Paused,
            None => Standing::Running,
        }
    }

    /// What comes next.
    pub fn next(&self) -> Step {
        if self.ended.is_some() {
            return Step::Done;
        }
        let Some(started) = &self.started else { return Step::Begin };
        if self.halted.is_some() || self.paused {
            return Step::AwaitResume;
        }
        if let Some(saved) = &self.saved {
            return self.after_saving(started, saved);
        }
        if self.needs.is_some() {
            return Step::AwaitPerson;
        }
        let Some(round) = self.rounds.last() else { return Step::Draft };
        let Some(panel) = &self.panel else { return Step::Select };
        if panel.seats.is_empty() {
            return Step::Save { round: round.round, quality: Quality::Approved };
        }
        let Some(ruling) = &round.ruling else {
            let missing: Vec<AdvisorId> = panel
                .seats
                .iter()
                .map(|seat| &seat.advisor_id)
                .filter(|who| !round.critiques.contains_key(*who) && !round.absent.contains_key(*who))
                .cloned()
                .collect();
            return if missing.is_empty() {
                Step::Decide(round.round)
            } else {
                Step::Critique { round: round.round, missing }
            };
        };
        if round.summary.is_none() && ruling.decision != EditorDecision::Error {
            return Step::Summarise(round.round);
        }
        match ruling.decision {
            EditorDecision::Approve => Step::Save { round: round.round, quality: Quality::Approved },
            EditorDecision::Stop => self.save_best(started, Quality::Stalled),
            EditorDecision::Revise if self.is_at_the_cap(started) => {
                self.save_best(started, Quality::MaxRoundsReached)
            }
            EditorDecision::Revise => Step::Revise(round.round),
            EditorDecision::Error => Step::AwaitResume,
        }
    }

    /// The best draft so far, as what it is worth.
    fn save_best(&self, started: &ContentStarted, otherwise: Quality) -> Step {
        let mut best: Option<&RoundState> = None;
        // Who hands in a draft does not get back what was before it.
        for round in self.rounds.iter().skip(self.since_a_person()) {
            // The first of equals: what came later brought nothing.
            if round.rank().is_some() && best.is_none_or(|best| round.rank() > best.rank()) {
                best = Some(round);
            }
        }
        let Some(best) = best else { return Step::AwaitResume };
        let met = best.ruling.as_ref().is_some_and(|ruling| ruling.meets(started.recipe.min_aggregate_score));
        Step::Save { round: best.round, quality: if met { Quality::Approved } else { otherwise } }
    }

    /// Whether as many rounds were made as may be, counted from a person's last draft on.
    fn is_at_the_cap(&self, started: &ContentStarted) -> bool {
        self.rounds.len() - self.since_a_person() >= started.recipe.max_revision_rounds.max(1) as usize
    }

    /// The place of a person's last draft among the rounds, or of the first.
    fn since_a_person(&self) -> usize {
        self.rounds.iter().rposition(|round| round.writer == Writer::Person).unwrap_or(0)
    }

    fn after_saving(&self, started: &ContentStarted, saved: &Saved) -> Step {
        let publishes = started.publish && saved.quality == Quality::Approved && !saved.unreviewed;
        if !publishes {
            return Step::Finish;
        }
        let site = &self.site;
        let done = [
            (site.branded.is_some(), Tool::DesignBrand),
            (site.assembled.is_some(), Tool::AssembleSiteFiles),
            (site.validated.is_some(), Tool::ValidateCode),
            (site.repo.is_some(), Tool::CreateRepo),
            (site.pushed.is_some(), Tool::PushFiles),
            (site.deployed.is_some(), Tool::Deploy),
            (site.verified.is_some(), Tool::Verify),
        ];
        done.into_iter().find(|(is_done, _)| !is_done).map_or(Step::Finish, |(_, tool)| Step::Publish(tool))
    }

    /// What was open before a round.
    fn open_before(&self, round: Round) -> &[OpenIssue] {
        let before = self.rounds.iter().rev().find(|known| known.round < round && known.ruling.is_some());
        before.map_or(&[], |before| &before.open)
    }

    /// Applies the rule to a round. None when there is no such round.
    pub fn decide(&self, round: Round) -> Option<Decided> {
        let started = self.started.as_ref()?;
        let state = self.round(round)?;
        let seats = self.seats();
        let open = open_after(round, seats, self.open_before(round), &state.critiques);
        // A person's draft is nobody's revision: it is measured by itself.
        let before = self
            .rounds
            .iter()
            .rev()
            .find(|known| known.round < round)
            .filter(|_| state.writer != Writer::Person)
            .map(|before| &before.critiques);
        let mut ruling = decide(seats, &state.critiques, &open, before, started.recipe.min_aggregate_score);
        // Nothing to do is nothing to revise: another round would be the same one.
        if ruling.decision == EditorDecision::Revise && open.is_empty() && state.lost.is_empty() {
            ruling.decision = EditorDecision::Stop;
            ruling.reason = Reason::MeanBelow;
        }
        Some(Decided { round, ruling, open })
    }

    /// What was mended up to a round, and what of it is back in it.
    fn mended(&self, round: Round) -> (Vec<FixedItem>, Vec<crate::finding::FindingId>) {
        let before = self
            .rounds
            .iter()
            .rev()
            .filter(|known| known.round < round)
            .find_map(|known| known.summary.as_ref());
        let Some(state) = self.round(round) else { return (Vec::new(), Vec::new()) };
        let mut fixed: Vec<FixedItem> = before.map(|summary| summary.fixed_items.clone()).unwrap_or_default();
        let regressed: Vec<_> = fixed
            .iter()
            .filter(|item| state.open.iter().any(|open| open.issue.id == item.id))
            .map(|item| item.id.clone())
            .collect();
        fixed.retain(|item| !regressed.contains(&item.id));
        for item in fixed_in(round, self.open_before(round), &state.critiques) {
            let again = state.open.iter().any(|open| open.issue.id == item.id);
            if !again && !fixed.iter().any(|known| known.id == item.id) {
                fixed.push(item);
            }
        }
        (fixed, regressed)
    }

    /// Sums a round up. None when it has no decision.
    pub fn summarise(&self, round: Round) -> Option<RoundSummary> {
        let state = self.round(round)?;
        let ruling = state.ruling.as_ref()?;
        let (fixed, regressed) = self.mended(round);
        let well = well_scored(round, self.seats(), &state.open, &state.critiques);
        let revise = ruling.decision == EditorDecision::Revise;
        let brief =
            if revise { Brief::of(&state.open, &fixed, &well, &state.lost).text() } else { String::new() };
        Some(RoundSummary {
            round,
            avg_score: ruling.mean,
            high_issue_count: ruling.high,
            editor_decision: ruling.decision,
            brief,
            fixed_items: fixed,
            well_scored_aspects: well,
            regressed,
        })
    }

    /// The brief for the revision of a round. None when it has no summary.
    pub fn brief(&self, round: Round) -> Option<Brief<'_>> {
        let state = self.round(round)?;
        let summary = state.summary.as_ref()?;
        Some(Brief::of(&state.open, &summary.fixed_items, &summary.well_scored_aspects, &state.lost))
    }

    /// What the revision of a round may not touch, when this is its draft as people read it.
    pub fn protected(&self, round: Round, markdown: &str) -> Vec<Lost> {
        let Some(brief) = self.brief(round) else { return Vec::new() };
        // What a revision brought is worth keeping only where it mended something.
        let mended: Vec<String> = self
            .rounds
            .iter()
            .filter(|known| known.round <= round)
            .filter(|known| {
                let fixed = known.summary.as_ref().map(|summary| &summary.fixed_items);
                fixed.is_some_and(|fixed| fixed.iter().any(|item| item.round == known.round))
            })
            .flat_map(|known| known.brought.iter().cloned())
            .collect();
        protected(markdown, &mended, &brief.issues)
    }

    /// What is to be kept, as an event.
    pub fn save(&self) -> Option<Saved> {
        let Step::Save { round, quality } = self.next() else { return None };
        let state = self.round(round)?;
        Some(Saved {
            quality,
            round,
            draft: state.draft.clone(),
            unreviewed: self.seats().is_empty(),
            open: u32::try_from(state.open.len()).unwrap_or(u32::MAX),
        })
    }

    /// The end, as an event, when everything is done.
    pub fn finish(&self) -> Option<Finished> {
        let saved = self.saved.as_ref().filter(|_| self.next() == Step::Finish)?;
        Some(Finished {
            quality: saved.quality,
            unreviewed: saved.unreviewed,
            url: self.site.deployed.as_ref().map(|deployed| deployed.url.clone()),
        })
    }
}
