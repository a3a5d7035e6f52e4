//! The answer of an agent while it is read: what it has said so far, in whose words, and what it drafted.

use std::collections::BTreeMap;

use super::machine::Theater;
use super::port::{TheaterEffect, TheaterOutbox, TheaterOutput};
use super::{Review, ReviewDimension};
use crate::artifact::{Blob, Digest};
use crate::avowal::unlooked;
use crate::disclaimer::is_disclaimer;
use crate::event::{PanelistMustFix, TheaterEvent};
use crate::example::is_example;
use crate::finding::FindingId;
use crate::line::has_words;
use crate::page_body::page_body;
use crate::role::Role;
use crate::score::EPSILON;
use crate::unit::{Bytes, Offset, Round};
use crate::warning::WarningKind;

/// What an answer needs beside the board. A restart begins a new one.
#[derive(Debug, Default)]
pub(super) struct Attempt {
    /// What the agent calls its rounds, in order.
    pub(super) declared_rounds: Vec<Option<u32>>,
    /// The scale that the agent says its scores are on.
    pub(super) scale: DeclaredScale,
    /// Who gave more than the scale allows in this round.
    pub(super) beyond_scale: Vec<Role>,
    pub(super) speaker: Speaker,
    /// The round before, for the budget.
    pub(super) last_round_bytes: Option<Bytes>,
    /// Why the draft of this round is no page, if it is none.
    pub(super) unusable: Option<String>,
    /// What the drafts say without their white space, by what they are.
    solid: BTreeMap<Digest, Digest>,
    /// A sentence of the prompt's example was said.
    copied: bool,
    /// Something else was.
    own_words: bool,
}

/// A scale that an agent declares, beside ours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum DeclaredScale {
    /// The same, or none.
    #[default]
    Ours,
    Smaller,
    Larger,
}

impl DeclaredScale {
    pub(super) fn of(declared: Option<f64>, ours: f64) -> Self {
        match declared {
            Some(declared) if declared > ours + EPSILON => Self::Larger,
            Some(declared) if declared < ours - EPSILON => Self::Smaller,
            Some(_) | None => Self::Ours,
        }
    }
}

impl Attempt {
    /// Whether the agent has only said the prompt over so far. Its answer is still to come.
    pub(super) fn is_echo(&self) -> bool {
        self.copied && !self.own_words
    }

    pub(super) fn hear(&mut self, sentence: &str) {
        if !sentence.trim().is_empty() {
            *(if is_example(sentence) { &mut self.copied } else { &mut self.own_words }) = true;
        }
    }
}

/// The panelist that is speaking.
#[derive(Debug, Default)]
pub(super) struct Speaker {
    pub(super) position: Offset,
    /// A second one of its role, or one that is not cast: what it says is dropped.
    pub(super) dropped: bool,
    /// Its score, and not one of its dimensions, was moved to an end of the scale.
    pub(super) clamped: bool,
    pub(super) draft: Option<Blob>,
}

impl Theater {
    pub(super) fn must_fix(&mut self, round: Round, role: Role, text: &str, out: &mut TheaterOutbox) {
        if !self.started.demands(role) {
            self.advise(round, role, text, out);
            return;
        }
        let finding = FindingId::of(role.as_str(), text);
        let state = self.board.ledger.state_when_asked(&finding);
        let must_fix = PanelistMustFix { round, role, text: text.to_owned(), finding, state };
        self.emit(TheaterEvent::PanelistMustFix(must_fix), out);
    }

    /// Takes a draft over. One that is no page cannot ship, whatever is said about it.
    pub(super) fn draft(&mut self, round: Round, mime: &str, body: &[u8], out: &mut TheaterOutbox) {
        let position = self.attempt.speaker.position;
        let page = match page_body(body) {
            Ok(page) => page,
            Err(why) => {
                self.attempt.hear(&String::from_utf8_lossy(body));
                self.attempt.unusable = Some(why.to_string());
                self.warn(WarningKind::ArtifactUnusable, position, Some(Role::Designer), out);
                return;
            }
        };
        if page.fenced {
            self.warn(WarningKind::ArtifactFenced, position, Some(Role::Designer), out);
        }
        self.attempt.own_words = true;
        let blob = Blob::of(page.bytes, mime);
        self.attempt.solid.insert(blob.sha256, solid(page.bytes));
        out.push(TheaterOutput::Effect(TheaterEffect::KeepRound { round, body: page.bytes.to_vec() }));
        self.measure(round, &blob, out);
        self.attempt.speaker.draft = Some(blob);
    }

    /// Whether a body says what a draft says, but for white space.
    pub(super) fn is_draft(&self, draft: &Blob, body: &[u8]) -> bool {
        let body = page_body(body).map_or(body, |page| page.bytes);
        self.attempt.solid.get(&draft.sha256) == Some(&solid(body))
    }
}

/// So many words in a row are nobody else's by chance.
const LEAST_OWN_WORDS: usize = 4;

/// Whose sentences a review is made of.
pub(super) enum Sentences {
    None,
    /// All of them stand in the prompt's example.
    Copied,
    /// All of them say that nothing was reviewed, or one says that nobody looked.
    Disclaimed,
    /// All of them are another panelist's.
    Repeated,
    Own,
}

impl Sentences {
    /// The sentences of a panelist, beside those of the others in its round.
    pub(super) fn of(review: Option<&Review>, notes: &str, others: &[&Review]) -> Self {
        let dimensions = review.into_iter().flat_map(|review| &review.dimensions);
        let must_fix = review.into_iter().flat_map(|review| &review.must_fix);
        let said = dimensions
            .map(|dimension| dimension.note.as_str())
            .chain(must_fix.map(|must_fix| must_fix.text.as_str()))
            .chain([notes])
            .filter(|sentence| has_words(sentence));
        let said: Vec<&str> = said.collect();
        // One sentence is enough to say that nobody looked, whatever stands beside it.
        if said.iter().any(|sentence| unlooked(sentence).is_some()) {
            return Self::Disclaimed;
        }
        // Who says nothing but what another one has said, of the same dimension, has looked through the other's eyes. A few words
        // may be the same by chance.
        let own = review.map(|review| review.dimensions.as_slice()).unwrap_or_default();
        let repeated = |own: &ReviewDimension| {
            own.note.split_whitespace().count() >= LEAST_OWN_WORDS
                && others
                    .iter()
                    .flat_map(|other| &other.dimensions)
                    .any(|other| other.name == own.name && other.note == own.note)
        };
        if said.len() == own.len() && !own.is_empty() && own.iter().all(repeated) {
            return Self::Repeated;
        }
        let mut sentences = Self::None;
        for sentence in said {
            sentences = if is_disclaimer(sentence) {
                Self::Disclaimed
            } else if is_example(sentence) {
                Self::Copied
            } else {
                return Self::Own;
            };
        }
        sentences
    }
}

/// A body without its white space, as a digest.
fn solid(body: &[u8]) -> Digest {
    let solid: Vec<u8> = body.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
    Blob::of(&solid, "").sha256
}
