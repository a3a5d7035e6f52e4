//! Corrections that need no judgement: a draft with what is safe to mend mended, and a list of what is not.
//!
//! Safe is what leaves the meaning where it was: a title is cut at the end of a phrase, a worn phrase gives way to the plain
//! one that is listed for it, a word that stands there twice stands there once. What others said, where links lead, code, and
//! every protected passage stay as they are. Correcting what was corrected changes nothing.

mod edits;
mod pieces;

use std::collections::{BTreeMap, BTreeSet};

use jury_core::content::protected::passages;
use jury_core::content::{ContentIssue, Draft};
use jury_core::finding::FindingId;
use serde::Serialize;

use edits::Edit;

/// A draft after its corrections.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepairedDraft {
    /// The draft after the corrections.
    pub draft: Draft,
    /// What was done, for which issue.
    pub done: Vec<Done>,
    /// The issues that are not mended, or not everywhere: one that is among `done` too was mended in part, because the
    /// rest of it is protected.
    pub left: Vec<FindingId>,
}

/// A correction that was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Done {
    /// The issue that asked for it.
    pub issue: FindingId,
    /// What was done, for people.
    pub what: String,
}

/// How often all corrections are gone through. Each of them makes a draft shorter or plainer, so that two or three times
/// are enough; this is for the draft that was made to be otherwise.
const MOST_PASSES: usize = 12;

/// How many places are tried one by one when a passage is protected. The rest is left.
const MOST_PLACES: usize = 300;

/// Mends what is safe to mend of these issues. No protected passage is changed.
pub fn repair(draft: &Draft, issues: &[&ContentIssue], protected: &[String]) -> RepairedDraft {
    let guard =
        Guard { passages: protected.iter().map(|text| even(text)).filter(|text| !text.is_empty()).collect() };
    let edits: Vec<(&ContentIssue, Option<Edit>)> =
        issues.iter().map(|issue| (*issue, Edit::of(issue))).collect();
    let mut draft = draft.clone();
    let mut outcomes: BTreeMap<usize, Outcome> = BTreeMap::new();
    for _ in 0..MOST_PASSES {
        let before = draft.clone();
        for (index, (_, edit)) in edits.iter().enumerate() {
            let Some(edit) = edit else { continue };
            let outcome = apply(edit, &mut draft, &guard);
            let all = outcomes.entry(index).or_default();
            all.changed |= outcome.changed;
            // What is refused now was refused before as well, or became possible.
            all.refused = outcome.refused;
        }
        if draft == before {
            break;
        }
    }
    let mut done = Vec::new();
    let mut left = Vec::new();
    for (index, (issue, edit)) in edits.iter().enumerate() {
        let outcome = outcomes.get(&index).copied().unwrap_or_default();
        if let Some(edit) = edit.as_ref().filter(|_| outcome.changed) {
            done.push(Done { issue: issue.id.clone(), what: edit.what() });
        }
        if !outcome.changed || outcome.refused {
            left.push(issue.id.clone());
        }
    }
    RepairedDraft { draft, done, left }
}

#[derive(Debug, Clone, Copy, Default)]
struct Outcome {
    changed: bool,
    refused: bool,
}

/// Makes an edit wherever it applies and is allowed: everywhere at once, or piece by piece when something is protected.
fn apply(edit: &Edit, draft: &mut Draft, guard: &Guard) -> Outcome {
    let mut whole = draft.clone();
    if !edit.make(&mut whole, &mut |_, _| true) {
        return Outcome::default();
    }
    if guard.keeps(draft, &whole) {
        *draft = whole;
        return Outcome { changed: true, refused: false };
    }
    let mut outcome = Outcome { changed: false, refused: true };
    // Each piece by itself: the guard looks at the whole draft, because a passage may reach over several.
    let mut at = 0;
    for _ in 0..MOST_PLACES {
        let mut seen = 0;
        let mut one = draft.clone();
        let changed = edit.make(&mut one, &mut |_, _| {
            seen += 1;
            seen == at + 1
        });
        if seen <= at {
            return outcome;
        }
        if changed && guard.keeps(draft, &one) {
            *draft = one;
            outcome.changed = true;
            // What was changed does not ask again.
        } else {
            at += 1;
        }
    }
    outcome
}

/// What must not change.
struct Guard {
    passages: Vec<String>,
}

impl Guard {
    /// Whether every protected passage is there as often as it was; as a block of its own, if it was one.
    fn keeps(&self, before: &Draft, after: &Draft) -> bool {
        if self.passages.is_empty() {
            return true;
        }
        let blocks =
            |draft: &Draft| -> BTreeSet<String> { passages(&draft.markdown()).into_iter().collect() };
        let (had, has) = (blocks(before), blocks(after));
        if self.passages.iter().any(|passage| had.contains(passage) && !has.contains(passage)) {
            return false;
        }
        let (before, after) = (said(before), said(after));
        let times = |texts: &[String], passage: &str| -> usize {
            texts.iter().map(|text| text.matches(passage).count()).sum()
        };
        self.passages.iter().all(|passage| times(&before, passage) <= times(&after, passage))
    }
}

/// What a draft says in every way in which a passage may have been taken from it.
fn said(draft: &Draft) -> Vec<String> {
    let mut texts = vec![even(&draft.markdown())];
    if let Draft::Page(page) = draft {
        texts.push(even(&page.title));
        texts.push(even(&page.description));
        texts.push(even(&page.copy().join(" ")));
    }
    texts
}

/// A text with one space wherever there is any.
fn even(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
