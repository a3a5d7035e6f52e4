//! What is remembered of a run between its first event and its last.
//!
//! Rounds and must-fixes of an agent that begins again are taken back, so they are counted when the run ends
//! and not before.

use std::collections::BTreeMap;

use jury_core::event::{PanelistDim, RunStarted, TheaterEvent};
use jury_core::evidence::Evidence;
use jury_core::id::{AgentId, RunId, SkillId};
use jury_core::outcome::Decision;
use jury_core::role::Role;
use jury_core::score::Scale;
use jury_core::unit::{Millis, Round};
use jury_core::warning::WarningKind;

use super::count;
use super::label::{NONE, Name, Names, Origin, UNKNOWN};

/// How many runs are remembered. Those beyond it, the oldest first, are counted as runs of nobody.
const MOST_RUNS: usize = 10_000;

/// How many versions of the protocol are told apart; there are fewer.
const MOST_VERSIONS: usize = 20;

/// How many rounds of a run are remembered; the settings allow fewer.
const MOST_ROUNDS: usize = 64;

/// The names so far, and the runs that have not ended.
#[derive(Debug, Default)]
pub(super) struct Fold {
    adapters: Names,
    skills: Names,
    dims: Names,
    runs: BTreeMap<RunId, Run>,
    /// How many of the runs speak each version of the protocol. A version that was spoken once stays.
    versions: BTreeMap<u32, u32>,
    /// How many series of must-fixes there are.
    pub(super) must_fix_series: usize,
    /// Of the claims of each agent, how many were checked and how many were wrong.
    claims: BTreeMap<Name, (u64, u64)>,
}

/// A run that has not ended.
#[derive(Debug, Clone)]
pub(super) struct Run {
    pub(super) origin: Origin,
    pub(super) scale: Scale,
    /// The version of the protocol, once a worker has taken the run.
    version: Option<u32>,
    pub(super) rounds: Vec<ClosedRound>,
    pub(super) must_fix: BTreeMap<(Role, Name), u64>,
    /// When the round began that is being played.
    round_began: Option<Millis>,
    /// When something that precedes a round was over.
    before_round: Millis,
    speaking: Option<Speaking>,
}

/// A round that has its end.
#[derive(Debug, Clone, Copy)]
pub(super) struct ClosedRound {
    pub(super) round: Round,
    pub(super) decision: Decision,
    pub(super) took: Millis,
}

/// The review that is being given.
#[derive(Debug, Clone)]
struct Speaking {
    role: Role,
    asked: u64,
    lowest: Option<(f64, String)>,
}

impl Fold {
    /// The share of an agent's checked claims that stood, with this one; none as long as there is none. The house has
    /// none: its words are the measurement.
    pub(super) fn honesty(&mut self, adapter: &Name, evidence: &Evidence) -> Option<f64> {
        if !evidence.is_claim()
            || !evidence.standing.is_checked()
            || *adapter == Name::new(AgentId::house().as_str())
        {
            return None;
        }
        let (checked, wrong) = self.claims.entry(adapter.clone()).or_default();
        *checked += 1;
        *wrong += u64::from(evidence.standing.is_wrong());
        Some(1.0 - count(*wrong) / count(*checked))
    }

    /// The run, which may be new.
    pub(super) fn run(&mut self, id: RunId, event: &TheaterEvent) -> &mut Run {
        let origin = self.origin(id, event);
        // A run whose first event is not its beginning began before anybody looked.
        if !self.runs.contains_key(&id)
            && self.runs.len() >= MOST_RUNS
            && let Some((_, forgotten)) = self.runs.pop_first()
        {
            self.hushed(forgotten.version);
        }
        let unknown = || Run::new(Origin { adapter: Name::new(UNKNOWN), skill: Name::new(NONE) });
        let run = self.runs.entry(id).or_insert_with(unknown);
        if let Some(origin) = origin {
            run.origin = origin;
        }
        run
    }

    /// The run, which is over.
    pub(super) fn ended(&mut self, id: RunId, event: &TheaterEvent) -> Run {
        self.settle(id);
        let run = self.run(id, event).clone();
        self.runs.remove(&id);
        self.hushed(run.version);
        run
    }

    /// A worker has the run, and it speaks this version.
    fn started(&mut self, id: RunId, at: Millis, event: &TheaterEvent, started: &RunStarted) {
        let version = started.protocol_version;
        let run = self.run(id, event);
        let before = run.version.replace(version);
        run.scale = started.scale;
        run.before_round = at;
        self.hushed(before);
        if self.versions.contains_key(&version) || self.versions.len() < MOST_VERSIONS {
            *self.versions.entry(version).or_default() += 1;
        }
    }

    /// One run less speaks this version.
    fn hushed(&mut self, version: Option<u32>) {
        if let Some(count) = version.and_then(|version| self.versions.get_mut(&version)) {
            *count = count.saturating_sub(1);
        }
    }

    /// How many runs speak which version of the protocol.
    pub(super) fn versions(&self) -> impl Iterator<Item = (u32, u32)> {
        self.versions.iter().map(|(version, count)| (*version, *count))
    }

    /// Takes an event over that is about one run and does not end it.
    pub(super) fn apply(&mut self, id: RunId, at: Millis, event: &TheaterEvent) {
        match event {
            TheaterEvent::PanelistOpen(open) => {
                self.settle(id);
                let run = self.run(id, event);
                run.round_began.get_or_insert(at);
                run.speaking = Some(Speaking { role: open.role, asked: 0, lowest: None });
            }
            TheaterEvent::PanelistDim(dim) => self.run(id, event).scored(dim),
            TheaterEvent::PanelistMustFix(must_fix) => {
                let run = self.run(id, event);
                match &mut run.speaking {
                    Some(speaking) if speaking.role == must_fix.role => speaking.asked += 1,
                    Some(_) | None => run.asked(must_fix.role, Name::new(NONE), 1),
                }
            }
            TheaterEvent::PanelistClose(_) => self.settle(id),
            TheaterEvent::RoundEnd(end) => {
                self.settle(id);
                self.run(id, event).closed(end.round, end.decision, at);
            }
            TheaterEvent::Queued(_) => {
                self.run(id, event);
            }
            TheaterEvent::RunStarted(started) => self.started(id, at, event, started),
            TheaterEvent::ParserWarning(warning) => {
                if warning.kind == WarningKind::Restarted {
                    self.run(id, event).restarted(at);
                }
            }
            TheaterEvent::Evidence(_)
            | TheaterEvent::Agent(_)
            | TheaterEvent::Lint(_)
            | TheaterEvent::Fallback(_)
            | TheaterEvent::Ship(_)
            | TheaterEvent::Degraded(_)
            | TheaterEvent::Interrupted(_)
            | TheaterEvent::Failed(_) => {}
        }
    }

    /// The review that was being given is over: its must-fixes belong to its weakest dimension.
    fn settle(&mut self, id: RunId) {
        let Self { dims, runs, .. } = self;
        let Some(run) = runs.get_mut(&id) else { return };
        if let Some(Speaking { role, asked, lowest }) = run.speaking.take()
            && asked > 0
        {
            let dim = lowest.map_or_else(|| Name::new(NONE), |(_, name)| dims.label(&name));
            run.asked(role, dim, asked);
        }
    }

    /// Who plays a run and for which skill, where an event says so.
    fn origin(&mut self, id: RunId, event: &TheaterEvent) -> Option<Origin> {
        let adapter = self.adapters.label(adapter_of(event)?.as_str());
        let known = self.runs.get(&id).map(|run| run.origin.skill.clone());
        let skill = match skill_of(event) {
            Some(skill) => self.skills.label(skill.as_str()),
            None => known.unwrap_or_else(|| Name::new(NONE)),
        };
        Some(Origin { adapter, skill })
    }
}

/// The agent that an event names.
fn adapter_of(event: &TheaterEvent) -> Option<&AgentId> {
    match event {
        TheaterEvent::Queued(queued) => Some(&queued.agent),
        TheaterEvent::RunStarted(started) => Some(&started.agent),
        // Known even when the beginning is not.
        TheaterEvent::Degraded(degraded) => Some(&degraded.adapter),
        TheaterEvent::PanelistOpen(_)
        | TheaterEvent::PanelistDim(_)
        | TheaterEvent::PanelistMustFix(_)
        | TheaterEvent::PanelistClose(_)
        | TheaterEvent::Evidence(_)
        | TheaterEvent::RoundEnd(_)
        | TheaterEvent::Agent(_)
        | TheaterEvent::Lint(_)
        | TheaterEvent::Fallback(_)
        | TheaterEvent::Ship(_)
        | TheaterEvent::Interrupted(_)
        | TheaterEvent::Failed(_)
        | TheaterEvent::ParserWarning(_) => None,
    }
}

/// The skill that an event names.
fn skill_of(event: &TheaterEvent) -> Option<&SkillId> {
    if let TheaterEvent::Queued(queued) = event { queued.skill.as_ref() } else { None }
}

impl Run {
    fn new(origin: Origin) -> Self {
        Self {
            origin,
            scale: Scale(10.0),
            version: None,
            rounds: Vec::new(),
            must_fix: BTreeMap::new(),
            round_began: None,
            before_round: Millis(0),
            speaking: None,
        }
    }

    fn scored(&mut self, dim: &PanelistDim) {
        let (Some(speaking), Some(score)) = (&mut self.speaking, dim.dim_score) else { return };
        let lower = speaking.lowest.as_ref().is_none_or(|(lowest, _)| score.0 < *lowest);
        if speaking.role == dim.role && lower {
            speaking.lowest = Some((score.0, dim.dim_name.clone()));
        }
    }

    fn asked(&mut self, role: Role, dim: Name, count: u64) {
        *self.must_fix.entry((role, dim)).or_default() += count;
    }

    fn closed(&mut self, round: Round, decision: Decision, at: Millis) {
        // A round begins with the first who speaks. Where nobody did, it began when the one before it ended.
        let began = self.round_began.take().unwrap_or(self.before_round);
        self.before_round = at;
        if self.rounds.len() < MOST_ROUNDS {
            self.rounds.push(ClosedRound { round, decision, took: Millis(at.0.saturating_sub(began.0)) });
        }
    }

    /// The agent begins again: what it said before does not count.
    fn restarted(&mut self, at: Millis) {
        self.rounds.clear();
        self.must_fix.clear();
        self.round_began = None;
        self.speaking = None;
        self.before_round = at;
    }
}
