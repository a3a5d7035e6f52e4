//! The built-in critics of content: search, copy, behaviour and positioning, by rules that can be counted. They need no
//! model and say the same about the same draft every time.
//!
//! [`review`] is the one way in, [`rules()`] the table of everything that can be found. Each finding says what was
//! measured, what to do, and quotes the draft where there is something to quote; its identity is the rule and what it is
//! about, so that a matter keeps its name from draft to draft and loses it when it is mended.
//!
//! Beside them stands what writes without a model: [`read`] takes what a person wrote, [`template`] puts a first draft
//! together from documents, and [`repair()`](repair::repair) corrects what is safe to correct.

pub mod chatter;
pub mod document;
pub mod facts;
pub mod phrases;
pub mod read;
pub mod repair;
pub mod rules;
pub mod template;

pub(crate) mod front_matter;
mod markdown;
mod page;
mod prose;
mod syllable;
mod unfinished;
mod verbs;
mod width;

mod amounts;
mod benefit;
mod claims;
mod finding;
mod keywords;
mod names;
mod outline;
mod passive;
mod references;
mod stance;
mod voice;

mod behaviour;
mod copy;
mod plain_proof;
mod positioning;
mod proof;
mod seo;
mod testimonial;
mod worn;

use jury_core::content::{Advisor, Critique, Draft, Foundation, HouseCritic, Recipe};

use document::DraftDocument;
use finding::Findings;

pub use rules::{ContentRule, rules};
pub(crate) use seo::GENERIC_LINKS;

/// What a draft is reviewed against.
#[derive(Debug, Clone, Copy)]
pub struct DraftSubject<'s> {
    /// What kind of content it is.
    pub recipe: &'s Recipe,
    /// The documents of the idea.
    pub foundation: &'s Foundation,
}

/// Why a critic has nothing to say. It is absent then, and that is no pass.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CannotReview {
    /// A document that the critic lives on is not there.
    #[error("there is no {document}.md in the idea's folder: write one, with headings for {headings}")]
    NoDocument {
        /// The name of the document.
        document: &'static str,
        /// What it has to speak of.
        headings: &'static str,
    },
    /// The document is there, and nothing in it can be recognised.
    #[error("{document}.md has none of the headings that are looked for: give it headings for {headings}")]
    Unreadable {
        /// The name of the document.
        document: &'static str,
        /// What it has to speak of.
        headings: &'static str,
    },
    /// There is nothing to review.
    #[error("the draft has no words: write some")]
    Empty,
}

/// What the positioning document says about the customers, as a list: for whom a piece is written. None where it says nothing.
pub fn audience(foundation: &Foundation) -> Option<String> {
    let stance = stance::Stance::read(foundation.get("positioning")?);
    let lines: Vec<String> = stance
        .on(stance::Topic::Customer)
        .iter()
        .map(|statement| format!("- {}", jury_core::line::joined(&statement.text)))
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Has a draft reviewed by a built-in critic, in the name of the advisor that it speaks for.
pub fn review(
    critic: HouseCritic,
    advisor: &Advisor,
    draft: &Draft,
    subject: &DraftSubject<'_>,
) -> Result<Critique, CannotReview> {
    let document = DraftDocument::read(draft);
    if document.words.is_empty() {
        return Err(CannotReview::Empty);
    }
    let mut findings = Findings::new(&advisor.id);
    match critic {
        HouseCritic::Seo => seo::review(&document, subject, &mut findings),
        HouseCritic::Copy => copy::review(&document, subject, &mut findings),
        HouseCritic::Behaviour => behaviour::review(&document, subject, &mut findings),
        HouseCritic::Positioning => positioning::review(&document, subject, &mut findings)?,
    }
    Ok(Critique::of_measured(advisor.id.clone(), advisor.name.clone(), findings.settle()))
}

/// A figure with one decimal, without one where it is none.
fn figure(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// So many of a thing.
fn number(count: usize, one: &str, many: &str) -> String {
    jury_core::line::counted(count, one, many)
}

/// The count in words: once, twice, so many times.
fn times(count: usize) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        _ => format!("{count} times"),
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of words and sentences")]
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
