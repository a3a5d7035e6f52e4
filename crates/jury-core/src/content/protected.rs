//! What a revision may not touch, and whether it did.
//!
//! A passage is a block of the draft as people read it: a heading, a paragraph, an item. Protected are the passages that
//! came when something was mended, and, when every issue says which words it is about, all that nothing is said about.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::summary::OpenIssue;
use crate::front_matter::FrontMatter;

/// A protected passage that is not there any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LostPassage)]
pub struct Lost {
    /// The words of the passage.
    pub passage: String,
    /// Why it was protected.
    pub because: Because,
}

/// Why a passage is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ProtectedBecause)]
pub enum Because {
    /// It came when something was mended.
    Mended,
    /// Nobody had anything to say about it.
    NotAtIssue,
}

/// The passages of a draft: its blocks, each on one line, and the lines of its front matter.
pub fn passages(markdown: &str) -> Vec<String> {
    let front = FrontMatter::find(markdown).filter(|front| front.closed);
    let body = markdown.get(front.map_or(0, |front| front.body)..).unwrap_or_default();
    front
        .map_or("", |front| front.text)
        .lines()
        .chain(body.split("\n\n"))
        .map(|block| block.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|block| !block.is_empty())
        .collect()
}

/// The passages that a revision brought: those of the new draft that the old one does not have.
pub fn brought(old: &str, new: &str) -> Vec<String> {
    let had: BTreeSet<String> = passages(old).into_iter().collect();
    passages(new).into_iter().filter(|passage| !had.contains(passage)).collect()
}

/// What the next revision may not touch: of the passages that came with a mending those that are still there and that
/// nothing is said about now; and all that nothing is said about, when every issue quotes what it is about.
pub fn protected(draft: &str, mended: &[String], issues: &[&OpenIssue]) -> Vec<Lost> {
    let quotes: Vec<Option<String>> = issues
        .iter()
        .map(|open| {
            open.issue.quote.as_deref().map(|quote| quote.split_whitespace().collect::<Vec<_>>().join(" "))
        })
        .collect();
    let all_quote = !issues.is_empty() && quotes.iter().all(Option::is_some);
    let quotes: Vec<String> = quotes.into_iter().flatten().filter(|quote| !quote.is_empty()).collect();
    let mended: BTreeSet<&String> = mended.iter().collect();
    passages(draft)
        .into_iter()
        .filter(|passage| {
            !quotes.iter().any(|quote| passage.contains(quote.as_str()) || quote.contains(passage.as_str()))
        })
        .filter_map(|passage| {
            let because = if mended.contains(&passage) {
                Because::Mended
            } else if all_quote {
                Because::NotAtIssue
            } else {
                return None;
            };
            Some(Lost { passage, because })
        })
        .collect()
}

/// The protected passages that a revision no longer has.
pub fn lost(protected: &[Lost], revised: &str) -> Vec<Lost> {
    let has: BTreeSet<String> = passages(revised).into_iter().collect();
    protected.iter().filter(|one| !has.contains(&one.passage)).cloned().collect()
}
