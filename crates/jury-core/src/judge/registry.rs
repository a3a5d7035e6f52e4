//! The registry of patterns: how often each was seen, when, and in which runs last.
//!
//! The file has room for ten beads of a pattern and not for all, so it cannot say by itself whether a run was counted
//! before. Two ways lead to the same registry, in any order and however often:
//!
//! - [`Registry::note`] changes it by what a run's feedback said before and says now; the feedback is the memory.
//! - [`Sightings`] is the set of all sightings, made anew from all feedback; its union is commutative, associative and
//!   idempotent, and [`Sightings::registry`] is the file.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::bead::Bead;
use super::moment::{moment, written};

/// How many beads of a pattern are kept.
pub const KEPT_BEADS: usize = 10;

/// `pattern-registry.json`: patterns by name. Names that we do not know, and keys of an entry that we do not know, are
/// kept as they are.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct Registry(pub BTreeMap<String, PatternEntry>);

/// One pattern.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
pub struct PatternEntry {
    /// In how many runs it was seen.
    #[serde(default)]
    pub count: u64,
    /// When first.
    #[serde(default)]
    pub first_seen: String,
    /// When last.
    #[serde(default)]
    pub last_seen: String,
    /// In which runs last, the newest at the end.
    #[serde(default)]
    pub last_beads: Vec<String>,
    /// When each of these was seen, so that their order does not depend on the order of collecting.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub seen_at: BTreeMap<String, String>,
    /// What is done against it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub mitigation: Option<String>,
    /// Since when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub mitigated_at: Option<String>,
    /// How often it had been seen by then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub count_at_mitigation: Option<u64>,
    /// Whatever else is in the file.
    #[serde(flatten)]
    #[schema(value_type = Object)]
    pub rest: Map<String, Value>,
}

impl PatternEntry {
    fn add(&mut self, bead: &Bead, at: Timestamp) {
        self.count = self.count.saturating_add(1);
        let text = written(at);
        let earlier = moment(&self.first_seen).is_none_or(|first| at < first);
        if earlier {
            self.first_seen.clone_from(&text);
        }
        if moment(&self.last_seen).is_none_or(|last| at > last) {
            self.last_seen.clone_from(&text);
        }
        self.last_beads.retain(|known| known != bead.as_str());
        self.last_beads.push(bead.as_str().to_owned());
        self.seen_at.insert(bead.as_str().to_owned(), text);
        self.arrange();
    }

    fn remove(&mut self, bead: &Bead) {
        self.count = self.count.saturating_sub(1);
        self.last_beads.retain(|known| known != bead.as_str());
        self.seen_at.remove(bead.as_str());
    }

    /// The newest beads by time and name. Beads of an older file have no time: they keep their order, in front.
    fn arrange(&mut self) {
        let seen = &self.seen_at;
        self.last_beads.sort_by(|one, two| match (seen.get(one), seen.get(two)) {
            (Some(a), Some(b)) => a.cmp(b).then_with(|| one.cmp(two)),
            (one, two) => one.is_some().cmp(&two.is_some()),
        });
        let surplus = self.last_beads.len().saturating_sub(KEPT_BEADS);
        self.last_beads.drain(..surplus);
        let kept: BTreeSet<&String> = self.last_beads.iter().collect();
        self.seen_at.retain(|bead, _| kept.contains(bead));
    }
}

impl Registry {
    /// Takes in what a run's feedback says now, where it said something else, or nothing, before. Collecting a run again
    /// changes nothing.
    pub fn note(&mut self, bead: &Bead, at: Timestamp, before: &[String], now: &[String]) {
        let (before, now): (BTreeSet<&String>, BTreeSet<&String>) =
            (before.iter().collect(), now.iter().collect());
        for gone in before.difference(&now) {
            if let Some(entry) = self.0.get_mut(*gone) {
                entry.remove(bead);
                if entry.count == 0 && entry.mitigation.is_none() {
                    self.0.remove(*gone);
                }
            }
        }
        for new in now.difference(&before) {
            self.0.entry((*new).clone()).or_default().add(bead, at);
        }
    }

    /// Notes what is done against a pattern. False if it is not known.
    pub fn mitigate(&mut self, pattern: &str, what: &str, now: Timestamp) -> bool {
        let Some(entry) = self.0.get_mut(pattern) else { return false };
        entry.mitigation = Some(what.to_owned());
        entry.mitigated_at = Some(written(now));
        entry.count_at_mitigation = Some(entry.count);
        true
    }
}

/// Which pattern was seen in which run, and when: a set, so that union is all there is to merging.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sightings(BTreeMap<String, BTreeMap<Bead, Timestamp>>);

impl Sightings {
    /// One more. Of two moments of one run the later one counts.
    pub fn see(&mut self, pattern: &str, bead: &Bead, at: Timestamp) {
        let seen = self.0.entry(pattern.to_owned()).or_default().entry(bead.clone()).or_insert(at);
        *seen = at.max(*seen);
    }

    /// Those of both.
    pub fn merge(&mut self, other: &Self) {
        for (pattern, beads) in &other.0 {
            for (bead, at) in beads {
                self.see(pattern, bead, *at);
            }
        }
    }

    /// The registry that these make. What people wrote into the one before (mitigations, other keys) stays.
    pub fn registry(&self, before: &Registry) -> Registry {
        let mut made = Registry::default();
        for (pattern, beads) in &self.0 {
            let entry = made.0.entry(pattern.clone()).or_default();
            for (bead, at) in beads {
                entry.add(bead, *at);
            }
        }
        for (pattern, old) in &before.0 {
            let written_by_people = old.mitigation.is_some() || !old.rest.is_empty();
            if written_by_people || made.0.contains_key(pattern) {
                let entry = made.0.entry(pattern.clone()).or_default();
                entry.mitigation.clone_from(&old.mitigation);
                entry.mitigated_at.clone_from(&old.mitigated_at);
                entry.count_at_mitigation = old.count_at_mitigation;
                entry.rest.clone_from(&old.rest);
            }
        }
        made
    }
}
