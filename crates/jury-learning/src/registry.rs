//! The registry of patterns: how often each was seen, when, and in which runs last.
//!
//! The file has room for ten beads of a pattern and not for all, so it cannot say by itself whether a run was counted
//! before. Two ways lead to the same registry, in any order and however often:
//!
//! - [`PatternRegistry::change`] changes it by what a run's feedback said before and says now; the feedback is the memory.
//! - [`Sightings`] is the set of all sightings, made anew from all feedback; its union is commutative, associative and
//!   idempotent, and [`Sightings::registry`] is the file.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use jury_core::judge::{Bead, moment, written};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::feedback::FeedbackLine;

/// How many beads of a pattern are kept.
pub const KEPT_BEADS: usize = 10;

/// `pattern-registry.json`: patterns by name. Names that we do not know, and keys of an entry that we do not know, are
/// kept as they are.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(as = Registry)]
pub struct PatternRegistry(pub BTreeMap<String, PatternEntry>);

/// What is known of one pattern.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
pub struct PatternEntry {
    /// In how many runs it was seen.
    #[serde(default)]
    pub count: u64,
    /// When it was seen first.
    #[serde(default)]
    pub first_seen: String,
    /// When it was seen last.
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
    /// When a remedy was in place.
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
    fn add(&mut self, bead: &str, at: Option<Timestamp>) {
        self.count = self.count.saturating_add(1);
        self.put(bead, at);
    }

    /// The bead at its place, with the dates that follow. A run without a readable moment is counted and not dated.
    fn put(&mut self, bead: &str, at: Option<Timestamp>) {
        self.last_beads.retain(|known| known != bead);
        self.last_beads.push(bead.to_owned());
        self.seen_at.remove(bead);
        if let Some(at) = at {
            let text = written(at);
            if moment(&self.first_seen).is_none_or(|first| at < first) {
                self.first_seen.clone_from(&text);
            }
            if moment(&self.last_seen).is_none_or(|last| at > last) {
                self.last_seen.clone_from(&text);
            }
            self.seen_at.insert(bead.to_owned(), text);
        }
        self.arrange();
    }

    fn remove(&mut self, bead: &str) {
        self.count = self.count.saturating_sub(1);
        self.last_beads.retain(|known| known != bead);
        self.seen_at.remove(bead);
    }

    /// Takes a run out again. False if its dates or its last beads may have been due to that run: they then follow from
    /// all records only.
    fn take_out(&mut self, bead: &str, at: Option<Timestamp>) -> bool {
        let listed = self.last_beads.len() as u64 == self.count;
        let all_known = listed && self.last_beads.iter().all(|bead| self.seen_at.contains_key(bead));
        let inside = self.last_beads.iter().any(|known| known == bead);
        self.remove(bead);
        if all_known && inside {
            // Our own texts have one length, so that their order is that of time.
            let ends = (self.seen_at.values().min(), self.seen_at.values().max());
            let [first, last] = [ends.0, ends.1].map(|end| end.cloned().unwrap_or_default());
            (self.first_seen, self.last_seen) = (first, last);
            return true;
        }
        let ends = (moment(&self.first_seen), moment(&self.last_seen), at);
        let between = matches!(ends, (Some(first), Some(last), Some(at)) if first < at && at < last);
        !inside && between
    }

    /// A run that was counted ended at another moment. False as for [`Self::take_out`].
    fn move_to(&mut self, bead: &str, before: Option<Timestamp>, now: Timestamp) -> bool {
        let later = before.is_some_and(|before| before < now);
        let was_first = moment(&self.first_seen).is_none_or(|first| before.is_none_or(|at| at <= first));
        if later && !was_first {
            self.put(bead, Some(now));
            return true;
        }
        let before = self.count;
        if self.take_out(bead, None) {
            self.add(bead, Some(now));
            return true;
        }
        self.count = before;
        self.put(bead, Some(now));
        false
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

/// What the feedback of a run says, as far as the registry is concerned.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a> {
    /// When the run ended, if that can be read.
    pub at: Option<Timestamp>,
    /// Which patterns it shows.
    pub patterns: &'a [String],
}

impl PatternRegistry {
    /// Takes in what a run's feedback says now, where it said something else, or nothing, before. Collecting a run again
    /// changes nothing. The names that come back are those whose dates and last beads can only be had from all records:
    /// a run was taken out, or moved, that they may have been due to.
    #[must_use = "these entries are to be made again from all records"]
    pub fn change(&mut self, bead: &Bead, before: Option<Shown<'_>>, now: Shown<'_>) -> BTreeSet<String> {
        let bead = bead.as_str();
        // Whole seconds, as in the files.
        let seconds = |at: Option<Timestamp>| at.and_then(|at| moment(&written(at)));
        let now = Shown { at: seconds(now.at), ..now };
        let shown: BTreeSet<&str> = now.patterns.iter().map(String::as_str).collect();
        let (was, was_at): (BTreeSet<String>, _) = match before {
            Some(before) => (before.patterns.iter().cloned().collect(), Some(seconds(before.at))),
            // A record that is gone, or was never written, may have been counted: the last ten are known.
            None => (self.listing(bead), None),
        };
        let mut unsure = BTreeSet::new();
        for name in &was {
            let Some(entry) = self.0.get_mut(name) else { continue };
            let at = was_at.unwrap_or_else(|| entry.seen_at.get(bead).and_then(|text| moment(text)));
            if !shown.contains(name.as_str()) {
                if !entry.take_out(bead, at) {
                    unsure.insert(name.clone());
                }
                if entry.count == 0 && entry.mitigation.is_none() && entry.rest.is_empty() {
                    self.0.remove(name);
                    unsure.remove(name);
                }
            } else if let Some(now) = now.at
                && at != Some(now)
                && !entry.move_to(bead, at, now)
            {
                unsure.insert(name.clone());
            }
        }
        for name in shown.iter().filter(|name| !was.contains(**name)) {
            self.0.entry((*name).to_owned()).or_default().add(bead, now.at);
        }
        unsure
    }

    /// Makes entries again from all sightings, where both agree on how often a pattern was seen. A registry that others
    /// kept before may count more than there are records; it then keeps what it says.
    pub fn settle(&mut self, unsure: &BTreeSet<String>, all: &Sightings) {
        let mut made = all.registry(self);
        for name in unsure {
            if let (Some(entry), Some(exact)) = (self.0.get_mut(name), made.0.remove(name))
                && entry.count == exact.count
            {
                *entry = exact;
            }
        }
    }

    /// Whether a pattern lists this bead among its last.
    pub fn mentions(&self, bead: &Bead) -> bool {
        !self.listing(bead.as_str()).is_empty()
    }

    /// The patterns that list this bead among their last.
    fn listing(&self, bead: &str) -> BTreeSet<String> {
        let lists = |entry: &PatternEntry| entry.last_beads.iter().any(|known| known == bead);
        self.0.iter().filter(|(_, entry)| lists(entry)).map(|(name, _)| name.clone()).collect()
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
pub struct Sightings(BTreeMap<String, BTreeMap<String, Option<Timestamp>>>);

impl Sightings {
    /// One more. Of two moments of one run the later one counts. Beads are as the records have them: those of other
    /// programs may be none of ours.
    pub fn see(&mut self, pattern: &str, bead: &str, at: Option<Timestamp>) {
        let seen = self.0.entry(pattern.to_owned()).or_default().entry(bead.to_owned()).or_insert(at);
        *seen = at.max(*seen);
    }

    /// Those of a record.
    pub fn of(&mut self, line: &FeedbackLine) {
        for pattern in &line.failure_patterns {
            self.see(pattern, &line.bead, line.at);
        }
    }

    /// Adds the sightings of another.
    pub fn merge(&mut self, other: &Self) {
        for (pattern, beads) in &other.0 {
            for (bead, at) in beads {
                self.see(pattern, bead, *at);
            }
        }
    }

    /// The registry that these make. What people wrote into the one before (mitigations, other keys) stays.
    pub fn registry(&self, before: &PatternRegistry) -> PatternRegistry {
        let mut made = PatternRegistry::default();
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
