//! The state: the state of a run as the fold of its events, and what comes next.
//!
//! There is no other state. Whoever has the log can do the next step, in whichever process.

use std::collections::BTreeMap;

use super::advisor::AdvisorId;
use super::brief::Brief;
use super::critique::Critique;
use super::draft::Writer;
use super::event::{
    Assembled, Branded, ContentEvent, ContentMeasured, ContentQueued, ContentStarted, CriticAbsent, Decided,
    Deployed, Drafted, Finished, Halted, NeedsHuman, Pushed, RepoCreated, Revised, Saved, Validated,
    Verified,
};
use super::panel::{ContentSeat, PanelSelection};
use super::protected::{Lost, protected};
use super::rule::{EditorDecision, Reason, Ruling, decide};
use super::status::{ContentStatus, Quality};
use super::step::{Step, Tool};
use super::summary::{FixedItem, OpenIssue, RoundSummary, fixed_in, open_after, well_scored};
use crate::artifact::Blob;
use crate::event::Usage;
use crate::evidence::EvidenceMode;
use crate::score::Composite;
use crate::severity::Severity;
use crate::unit::Round;

/// The state of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ContentState {
    /// How it was asked for.
    pub queued: Option<ContentQueued>,
    /// The event that the run began with.
    pub started: Option<ContentStarted>,
    /// The rounds, the first one first.
    pub rounds: Vec<RoundState>,
    /// The critics, once they are chosen.
    pub panel: Option<PanelSelection>,
    /// What a person is asked for.
    pub needs: Option<NeedsHuman>,
    /// The draft that was kept at the end.
    pub saved: Option<Saved>,
    /// How far publishing has come.
    pub site: SiteState,
    /// The step that could not be done.
    pub halted: Option<Halted>,
    /// Whether it was stopped.
    pub paused: bool,
    /// What models have used.
    pub usage: Usage,
    /// The status word that it ended with.
    pub ended: Option<ContentStatus>,
    /// How it ended, in full.
    pub finished: Option<Finished>,
}

/// A draft and what became of it.
#[derive(Debug, Clone, PartialEq)]
pub struct RoundState {
    /// The number of the round.
    pub round: Round,
    /// The body of the draft, by its digest.
    pub draft: Blob,
    /// The model, template or person that wrote it.
    pub writer: Writer,
    /// The critics who have begun, and how often each was asked.
    pub asked: BTreeMap<AdvisorId, u32>,
    /// What each critic said, by its id.
    pub critiques: BTreeMap<AdvisorId, Critique>,
    /// Who did not answer.
    pub absent: BTreeMap<AdvisorId, CriticAbsent>,
    /// What was measured beside them.
    pub measured: Option<ContentMeasured>,
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
pub struct SiteState {
    /// Colours and fonts, once they are chosen.
    pub branded: Option<Branded>,
    /// The files, once they are made.
    pub assembled: Option<Assembled>,
    /// The result of the checks of the files.
    pub validated: Option<Validated>,
    /// The repository, once it is there.
    pub repo: Option<RepoCreated>,
    /// The commit, once it is made.
    pub pushed: Option<Pushed>,
    /// The release, once it is served.
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
            measured: None,
            ruling: None,
            open: Vec::new(),
            summary: None,
            brought: Vec::new(),
            lost: Vec::new(),
            done: Vec::new(),
        }
    }

    /// What was said in it: by the critics, and by what was measured where that decides.
    fn said(&self) -> BTreeMap<AdvisorId, Critique> {
        let mut said = self.critiques.clone();
        let measured = self.measured.as_ref().and_then(ContentMeasured::deciding);
        said.extend(measured.map(|critique| (critique.advisor_id.clone(), critique)));
        said
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
        let mut state = Self::default();
        for event in events {
            state.apply(event);
        }
        state
    }

    /// Takes a fact in.
    pub fn apply(&mut self, event: &ContentEvent) {
        match event {
            ContentEvent::Queued(queued) => self.queued = Some(queued.clone()),
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
            ContentEvent::Measured(measured) => {
                if let Some(round) = self.round_mut(measured.round) {
                    round.measured = Some(measured.clone());
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
                self.ended = Some(finished.status());
                self.finished = Some(finished.clone());
            }
            ContentEvent::Abandoned(_) => self.ended = Some(ContentStatus::Abandoned),
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
        self.site = SiteState::default();
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

    /// The mean of the critics for what was kept, once something was.
    pub fn composite(&self) -> Option<Composite> {
        let saved = self.saved.as_ref()?;
        let mean = self.round(saved.round)?.ruling.as_ref()?.mean?;
        Some(Composite(mean).stored())
    }

    /// The round with this number.
    pub fn round(&self, round: Round) -> Option<&RoundState> {
        self.rounds.iter().rev().find(|known| known.round == round)
    }

    /// The seats of the panel.
    pub fn seats(&self) -> &[ContentSeat] {
        self.panel.as_ref().map_or(&[], |panel| &panel.seats)
    }

    /// What somebody who speaks in the run is called.
    pub fn name_of<'a>(&'a self, who: &'a AdvisorId) -> &'a str {
        let seat = self.seats().iter().find(|seat| seat.advisor_id == *who);
        seat.map_or(who.as_str(), |seat| seat.name.as_str())
    }

    /// What is made of measured facts. A run that began before there were any is a gate when it is resumed.
    pub fn evidence(&self) -> EvidenceMode {
        self.started.as_ref().and_then(|started| started.evidence).unwrap_or(EvidenceMode::Gate)
    }

    /// The status word of the run.
    pub fn status(&self) -> ContentStatus {
        match self.ended {
            Some(standing) => standing,
            None if self.halted.is_some() => ContentStatus::Halted,
            None if self.needs.is_some() => ContentStatus::NeedsHuman,
            None if self.paused => ContentStatus::Paused,
            None => ContentStatus::Running,
        }
    }

    /// The step that comes next.
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
            return if !missing.is_empty() {
                Step::Critique { round: round.round, missing }
            } else if round.measured.is_none() && !self.evidence().is_off() {
                Step::Measure(round.round)
            } else {
                Step::Decide(round.round)
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

    /// The panel, and what is measured beside it: everybody who can raise something.
    fn speakers(&self) -> Vec<ContentSeat> {
        let (advisor_id, name) = (AdvisorId::measured(), ContentMeasured::NAME.to_owned());
        let domain = String::new();
        let measured = ContentSeat { advisor_id, name, domain, named: false, clauses: Vec::new() };
        self.seats().iter().cloned().chain([measured]).collect()
    }

    /// What was open before a round. A round that was stopped before its decision counts too: what was said in it is
    /// open until its critic looks again.
    pub fn open_before(&self, round: Round) -> Vec<OpenIssue> {
        let speakers = self.speakers();
        let mut open = Vec::new();
        for known in self.rounds.iter().filter(|known| known.round < round) {
            open = match &known.ruling {
                Some(_) => known.open.clone(),
                None => open_after(known.round, &speakers, &open, &known.said()),
            };
        }
        open
    }

    /// Applies the rule to a round. None when there is no such round.
    pub fn decide(&self, round: Round) -> Option<Decided> {
        let started = self.started.as_ref()?;
        let state = self.round(round)?;
        let seats = self.seats();
        let open = open_after(round, &self.speakers(), &self.open_before(round), &state.said());
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

    /// The newest summary before a round.
    fn summary_before(&self, round: Round) -> Option<&RoundSummary> {
        self.rounds.iter().rev().filter(|known| known.round < round).find_map(|known| known.summary.as_ref())
    }

    /// What was mended up to a round, and what of it is back in it.
    fn mended(&self, round: Round) -> (Vec<FixedItem>, Vec<crate::finding::FindingId>) {
        let before = self.summary_before(round);
        let Some(state) = self.round(round) else { return (Vec::new(), Vec::new()) };
        let mut fixed: Vec<FixedItem> = before.map(|summary| summary.fixed_items.clone()).unwrap_or_default();
        let regressed: Vec<_> = fixed
            .iter()
            .filter(|item| state.open.iter().any(|open| open.issue.id == item.id))
            .map(|item| item.id.clone())
            .collect();
        fixed.retain(|item| !regressed.contains(&item.id));
        for item in fixed_in(round, &self.open_before(round), &state.said()) {
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
        let earlier = self.summary_before(round).map_or(&[][..], |before| &before.well_scored_aspects);
        let well = well_scored(round, self.seats(), earlier, &state.open, &state.critiques);
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
