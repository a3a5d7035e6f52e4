//! A Markdown document as a critic measures it: each check says how many places it examined, which of them are
//! affected, and where. Nothing here has an opinion, a file or a clock; what lies around the document is given.
//!
//! ```
//! use jury_text::document::{Check, Document, NearbyFiles, measure};
//!
//! let surroundings = NearbyFiles::known(["guide.md"]);
//! let document = Document::read("# A\n\nSee [the guide](guide.md) and [more](gone.md).\n", &surroundings);
//! let measurement = measure(&document, Check::DeadLink);
//! assert_eq!(measurement.examined, 2);
//! assert_eq!(measurement.affected[0].line, 3);
//! assert_eq!(measurement.summary, "1 of 2 links and references affected");
//! ```

mod read;

mod nearby_files;
mod passage;
mod slug;
mod subject;
mod table;

mod blanks;
mod code;
mod contents;
mod headings;
mod identifiers;
mod links;
mod markers;
mod number_facts;
mod numbers;
mod outline;
mod requirements;
mod terms;
mod unused;
mod vague;
mod words;

use std::collections::BTreeMap;

use jury_core::finding::{self, Finding, FindingId, FindingState};
use jury_core::line;
use serde::{Deserialize, Serialize};

pub use contents::contents;
pub use jury_core::critic::Measure as Check;
pub use nearby_files::NearbyFiles;
pub(crate) use outline::{Outline, front_matter};
pub use read::Document;
pub use subject::{LEAST_WORDS, foreign_kind, in_conflict, too_little};
pub use table::{CHECKS, DocumentRule, info};

/// A place that a check objects to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Defect {
    /// The same for the same defect wherever it stands: the check and the words, not the line.
    pub id: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The words of the document that it is about.
    pub quote: String,
    /// What is wrong, on one line.
    pub text: String,
    /// What to do about it, on one line.
    pub suggestion: String,
}

/// What a check has to say: how much it looked at and what it found there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckMeasurement {
    /// The check that was run.
    pub check: Check,
    /// How many places it looked at. Zero says that the check does not apply to this document.
    pub examined: usize,
    /// The places it objects to, in the order of the text.
    pub affected: Vec<Defect>,
    /// Both on one line.
    pub summary: String,
}

impl CheckMeasurement {
    /// The defects as findings of the document in this file.
    pub fn findings(&self, file: &str) -> Vec<Finding> {
        let number = |number: usize| u32::try_from(number).ok();
        let found = self.affected.iter().map(|defect| Finding {
            id: FindingId::known(&defect.id),
            rule: Some(self.check.as_str().to_owned()),
            severity: info(self.check).rule.severity,
            place: finding::Place {
                file: Some(file.to_owned()),
                line: number(defect.line),
                column: number(defect.column),
                quote: Some(defect.quote.clone()).filter(|quote| !quote.is_empty()),
                ..finding::Place::default()
            },
            text: defect.text.clone(),
            suggestion: Some(defect.suggestion.clone()).filter(|text| !text.is_empty()),
            figures: Vec::new(),
            state: FindingState::Open,
        });
        found.collect()
    }
}

/// Carries one check out.
pub fn measure(document: &Document<'_>, check: Check) -> CheckMeasurement {
    let found = match check {
        Check::DeadLink => links::dead_links(document),
        Check::DeadAnchor => links::dead_anchors(document),
        Check::HeadingOrder => headings::order(document),
        Check::UnfinishedMarker => markers::unfinished(document),
        Check::UndefinedTerm => terms::undefined(document),
        Check::UnusedDefinition => unused::definitions(document),
        Check::NoAcceptance => requirements::without_acceptance(document),
        Check::VagueWord => vague::words(document),
        Check::ContradictoryNumber => numbers::contradictions(document),
        Check::CodeBlock => code::blocks(document),
    };
    settle(document, check, found)
}

/// Carries all checks out, in the order of [`Check::ALL`].
pub fn measure_all(document: &Document<'_>) -> Vec<CheckMeasurement> {
    Check::ALL.iter().map(|check| measure(document, *check)).collect()
}

/// What a check found, before places become lines and words become ids.
#[derive(Debug, Default)]
struct Found {
    examined: usize,
    places: Vec<Place>,
}

#[derive(Debug)]
struct Place {
    /// In the text of the document.
    offset: usize,
    quote: String,
    text: String,
    suggestion: String,
    /// What the id is made of.
    anchor: String,
}

impl Found {
    fn add(&mut self, offset: usize, quote: &str, text: String, suggestion: impl Into<String>) {
        let (quote, anchor) = (shortened(quote), quote.to_owned());
        self.places.push(Place { offset, quote, text, suggestion: suggestion.into(), anchor });
    }
}

fn settle(document: &Document<'_>, check: Check, found: Found) -> CheckMeasurement {
    let Found { examined, mut places } = found;
    places.sort_by(|a, b| a.offset.cmp(&b.offset).then_with(|| a.text.cmp(&b.text)));
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut positions = document.positions();
    let affected: Vec<Defect> = places
        .into_iter()
        .map(|place| {
            let (line, column) = positions.of(place.offset);
            let base = format!("{}:{}", check.as_str(), anchor(&place.anchor));
            let times = seen.entry(base.clone()).or_default();
            *times += 1;
            // Two defects with the same words are told apart by their order.
            let id = if *times == 1 { base } else { format!("{base}~{times}") };
            Defect { id, line, column, quote: place.quote, text: place.text, suggestion: place.suggestion }
        })
        .collect();
    let summary = info(check).summary(examined, affected.len());
    CheckMeasurement { check, examined, affected, summary }
}

/// Words in the form in which ids have them: small letters, digits, dashes. A long one is cut and told apart by
/// a hash of the whole.
fn anchor(words: &str) -> String {
    const LONGEST: usize = 48;
    let mut slug = String::new();
    for character in words.chars().flat_map(char::to_lowercase) {
        if character.is_alphanumeric() {
            slug.push(character);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    let slug = slug.trim_end_matches('-');
    if !slug.is_empty() && slug.chars().count() <= LONGEST {
        return slug.to_owned();
    }
    let hash = words.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let cut: String = slug.chars().take(LONGEST).collect();
    format!("{cut}-{:08x}", hash & 0xffff_ffff)
}

/// One line of at most 100 characters.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 100;
    line::printable(&line::spaced(text.trim()), LONGEST)
}

/// A part of a text; empty when the range does not fit.
fn cut(text: &str, range: std::ops::Range<usize>) -> &str {
    text.get(range).unwrap_or_default()
}

/// At most `length` bytes from a place on: what is looked for is near, and long texts stay linear.
fn ahead(text: &str, from: usize, length: usize) -> &str {
    let mut to = from.saturating_add(length).min(text.len());
    while !text.is_char_boundary(to) {
        to -= 1;
    }
    cut(text, from..to.max(from))
}
