//! What a round comes to: what is open, what was mended, what is good and must stay so.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::advisor::AdvisorId;
use super::brief::asked_for;
use super::critique::{ContentIssue, Critique};
use super::matching::is_among;
use super::panel::ContentSeat;
use super::rule::EditorDecision;
use crate::finding::FindingId;
use crate::line;
use crate::severity::Severity;
use crate::unit::Round;

/// An issue that is open, and whose it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpenIssue {
    /// The critic that raised it.
    pub advisor_id: AdvisorId,
    /// The same for people.
    pub name: String,
    /// In which round first.
    pub since: Round,
    /// The issue as it was raised.
    #[serde(flatten)]
    pub issue: ContentIssue,
}

/// An issue that was mended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FixedItem {
    /// The id of the issue.
    pub id: FindingId,
    /// Who had raised it.
    pub advisor_id: AdvisorId,
    /// The fault that was repaired.
    pub description: String,
    /// In which round it was found mended.
    pub round: Round,
    /// The words that it had been about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
}

/// A field in which nothing high or medium is open, and a critic of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WellScored {
    /// The field. Logs from before there were fields have none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub domain: String,
    /// The critic that gave the score; of several the one that gave the lowest.
    pub advisor_id: AdvisorId,
    /// The same for people.
    pub name: String,
    /// The score that is to be kept.
    pub score: f64,
    /// The round in which it was given.
    pub round: Round,
}

/// What a round comes to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoundSummary {
    /// The number of the round.
    pub round: Round,
    /// The mean of the scores.
    #[schema(required)]
    pub avg_score: Option<f64>,
    /// How many high issues are open.
    pub high_issue_count: u32,
    /// The decision about the round.
    pub editor_decision: EditorDecision,
    /// The brief for the revision; empty when there is none.
    pub brief: String,
    /// What was mended, in this round and before.
    pub fixed_items: Vec<FixedItem>,
    /// The fields in which nothing high or medium is open, each as it was last looked at.
    pub well_scored_aspects: Vec<WellScored>,
    /// What had been mended and is back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub regressed: Vec<FindingId>,
}

/// What is open after a round: what was raised in it, what a critic says is not mended, and what absent critics had raised
/// before. The gravest first.
pub fn open_after(
    round: Round,
    seats: &[ContentSeat],
    earlier: &[OpenIssue],
    now: &BTreeMap<AdvisorId, Critique>,
) -> Vec<OpenIssue> {
    let mut open = Vec::new();
    for seat in seats {
        let own = earlier.iter().filter(|issue| issue.advisor_id == seat.advisor_id);
        let Some(critique) = now.get(&seat.advisor_id) else {
            // Who did not look again has not taken anything back.
            open.extend(own.cloned());
            continue;
        };
        for issue in &critique.issues {
            let since = own.clone().find(|open| open.issue.id == issue.id).map_or(round, |open| open.since);
            open.push(OpenIssue {
                advisor_id: seat.advisor_id.clone(),
                name: seat.name.clone(),
                since,
                issue: issue.clone(),
            });
        }
        let raised: BTreeSet<&FindingId> = critique.issues.iter().map(|issue| &issue.id).collect();
        // Without a word about it, an issue that somebody else still speaks of is not mended.
        let unmended = |open: &OpenIssue| {
            let by_others = || {
                let mut others = now.values().filter(|other| other.advisor_id != critique.advisor_id);
                !is_among(&open.issue, &critique.issues)
                    && others.any(|other| is_among(&open.issue, &other.issues))
            };
            said(critique, &open.issue.id).map_or_else(by_others, |fixed| !fixed)
        };
        open.extend(own.filter(|open| !raised.contains(&open.issue.id) && unmended(open)).cloned());
    }
    open.sort_by_key(|open| std::cmp::Reverse(open.issue.severity));
    open
}

/// What was mended in a round: raised before, asked for in the brief, by a critic who has looked again, says so or says
/// nothing, and has nothing like it now. Nor has anybody else.
pub fn fixed_in(round: Round, earlier: &[OpenIssue], now: &BTreeMap<AdvisorId, Critique>) -> Vec<FixedItem> {
    let all: Vec<ContentIssue> = now.values().flat_map(|critique| critique.issues.iter().cloned()).collect();
    asked_for(earlier)
        .into_iter()
        .filter(|open| {
            let Some(critique) = now.get(&open.advisor_id) else { return false };
            match said(critique, &open.issue.id) {
                Some(false) => false,
                // Whoever says that it is mended and raises it again has not found it mended.
                Some(true) => !critique.issues.iter().any(|issue| issue.id == open.issue.id),
                None => !is_among(&open.issue, &all),
            }
        })
        .map(|open| FixedItem {
            id: open.issue.id.clone(),
            advisor_id: open.advisor_id.clone(),
            description: open.issue.description.clone(),
            round,
            quote: open.issue.quote.clone(),
        })
        .collect()
}

/// The longest entry of a list in a [`ShortSummary`], in characters. With the bounds below it is some 500 tokens.
const SHORT_TEXT_CHARS: usize = 100;

/// The most of a brief in one, in characters.
const SHORT_BRIEF_CHARS: usize = 1_000;

/// The most entries of a list in one.
const MOST_ENTRIES: usize = 6;

/// A summary for whoever steers a run and does not read it: bounded, about 500 tokens. The whole is in the log.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShortSummary {
    /// The number of the round.
    pub round: Round,
    /// The mean of the scores.
    pub avg_score: Option<f64>,
    /// How many high issues are open.
    pub high_issue_count: u32,
    /// The decision about the round.
    pub editor_decision: EditorDecision,
    /// The beginning of the brief.
    pub brief: String,
    /// What was mended, in this round and before: the newest, and how many there are beside them.
    pub fixed_items: Vec<String>,
    /// The fields in which nothing high or medium is open.
    pub well_scored_aspects: Vec<String>,
}

impl RoundSummary {
    /// The same in about 500 tokens.
    pub fn short(&self) -> ShortSummary {
        let fixed = self.fixed_items.iter().rev().map(|item| item.description.as_str());
        let well = self.well_scored_aspects.iter();
        let well: Vec<String> = well.map(|one| format!("{}: {:.1}/10", one.field(), one.score)).collect();
        ShortSummary {
            round: self.round,
            avg_score: self.avg_score,
            high_issue_count: self.high_issue_count,
            editor_decision: self.editor_decision,
            brief: beginning(&self.brief),
            fixed_items: shortened(fixed),
            well_scored_aspects: shortened(well.iter().map(String::as_str)),
        }
    }
}

/// As much of a brief as fits, and that there is more.
fn beginning(brief: &str) -> String {
    let short: String = brief.chars().take(SHORT_BRIEF_CHARS).collect();
    if short.len() < brief.len() { format!("{short}…") } else { short }
}

/// The first entries, each on a line of its own, and how many more there are.
fn shortened<'a>(entries: impl ExactSizeIterator<Item = &'a str>) -> Vec<String> {
    let more = entries.len().saturating_sub(MOST_ENTRIES);
    let shown = entries.take(MOST_ENTRIES);
    let mut short: Vec<String> =
        shown.map(|entry| line::cut(&line::joined(entry), SHORT_TEXT_CHARS)).collect();
    if more > 0 {
        short.push(format!("and {more} more"));
    }
    short
}

impl WellScored {
    /// The field; the name of the critic, where no field was written down.
    pub fn field(&self) -> &str {
        if self.domain.is_empty() { &self.name } else { &self.domain }
    }
}

/// The fields that were looked at and in which nothing high or medium is open, whoever raised it: another critic of the
/// field, or what was measured beside the panel. It follows from what is open, never from scores. What was well scored in
/// an earlier round stays so until somebody looks at the field again or something grave is open in it.
pub fn well_scored(
    round: Round,
    seats: &[ContentSeat],
    earlier: &[WellScored],
    open: &[OpenIssue],
    now: &BTreeMap<AdvisorId, Critique>,
) -> Vec<WellScored> {
    let grave = |open: &OpenIssue| open.issue.severity != Severity::Minor;
    let spoiled: BTreeSet<&str> = open
        .iter()
        .filter(|open| grave(open))
        .filter_map(|open| {
            let seat = seats.iter().find(|seat| seat.advisor_id == open.advisor_id);
            seat.map_or_else(|| field_of(open), |seat| Some(seat.field()))
        })
        .collect();
    let mut fields: Vec<WellScored> = Vec::new();
    for seat in seats.iter().filter(|seat| !spoiled.contains(seat.field())) {
        let Some(critique) = now.get(&seat.advisor_id) else { continue };
        let own = WellScored {
            domain: seat.domain.clone(),
            advisor_id: critique.advisor_id.clone(),
            name: critique.name.clone(),
            score: critique.score,
            round,
        };
        match fields.iter_mut().find(|known| known.field() == own.field()) {
            Some(known) if known.score <= own.score => {}
            Some(known) => *known = own,
            None => fields.push(own),
        }
    }
    let kept: Vec<WellScored> = earlier
        .iter()
        .filter(|old| !spoiled.contains(old.field()) && !now.contains_key(&old.advisor_id))
        .filter(|old| !fields.iter().any(|known| known.field() == old.field()))
        .cloned()
        .collect();
    fields.extend(kept);
    fields
}

/// The field of what was measured beside the panel: the first word of its rule.
fn field_of(open: &OpenIssue) -> Option<&str> {
    open.issue.rule.as_deref()?.split('.').next()
}

/// What the critic says became of an issue.
fn said(critique: &Critique, id: &FindingId) -> Option<bool> {
    critique.statuses.iter().find(|status| status.id == *id).map(|status| status.fixed)
}
